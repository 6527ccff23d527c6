"""The seed works on any first day, is written once, and the clock moves only where it may."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app import clock
from app.accounts import queries as accounts
from app.actors import SYSTEM
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.rules import Phase, WorkdaysMissingError
from app.competitions.service import create_competition
from app.demonstration import queries, rules, service
from app.demonstration.queries import Cast
from app.draws import queries as draws
from app.errors import ForbiddenError, InvalidError
from app.publications import queries as publications
from app.registrations import queries as registrations
from app.results import queries as results
from app.standings import queries as standings
from app.text import BEIJING
from app.workdays import queries as workdays
from app.workdays.rules import WorkdayCalendar
from scoring_engine import event_file
from tests.event_files import schema
from tests.factories.demonstration import user_of

FIRST_UNCOUNTED = datetime(2026, 12, 20, 0, 0, tzinfo=BEIJING)
"""Entries that close five days later have their five workdays end in 2027, whose calendar is not known."""

STARTS = [
    datetime(2026, 12, 19, 23, 59, 59, tzinfo=BEIJING),
    datetime(2026, 12, 20, 0, 0, 0, tzinfo=BEIJING),
    datetime(2026, 11, 30, 12, 0, tzinfo=BEIJING),
    datetime(2026, 12, 31, 23, 59, 59, tzinfo=BEIJING),
    datetime(2027, 1, 1, 0, 0, 0, tzinfo=BEIJING),
    datetime(2027, 2, 9, 0, 0, 0, tzinfo=BEIJING),
    datetime(2028, 2, 29, 23, 59, 59, tzinfo=BEIJING),
    datetime(2030, 10, 1, 9, 30, tzinfo=BEIJING),
    datetime(2026, 10, 4, 0, 0, 0, tzinfo=BEIJING),
]
Travel = Callable[[datetime], None]
MOVABLE_NOW = clock.now
"""The real function: when this module is imported the suite's standing clock is not in place yet."""


def seed() -> bool:
    with command(SYSTEM) as ctx:
        return service.seed(ctx)


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_the_seed_works_on_any_first_day(session: Any, travel: Travel, start: datetime) -> None:
    travel(start)
    assert seed()
    played = competitions.competition(rules.PLAYED_SLUG)
    assert played.phase(clock.now()) is Phase.PLAYING
    assert len(registrations.approved_entries(played.event.id)) == 34
    (round_,) = draws.rounds(played.event.id)
    assert (len(round_.tables), len(round_.direct)) == (11, 1)
    assert [each.confirmed for each in results.table_states(played.event.id)] == [True] * 9 + [False] * 2
    snapshot = standings.latest(played.event.id)
    assert snapshot is not None
    assert snapshot.results_version == played.event.results_version == 10  # the draw and nine sheets
    document = standings.event_file(played.event.id)
    assert event_file.verify(document, played.event.regulation.scoring_rules()) == []
    assert schema.refused(document) == []

    entering = competitions.competition(rules.OPEN_SLUG)
    counted = start < FIRST_UNCOUNTED
    assert entering.event.regulation.has("publication") is counted
    assert entering.phase(clock.now()) is Phase.OPEN
    leader = user_of(Cast.LEADER)
    mine = registrations.my(leader, entering)
    assert (mine.number, len(mine.members)) == (None, 2)

    if start.year <= 2026:
        listed = publications.latest(competitions.competition(rules.PUBLISHED_SLUG).event.id)
        assert listed is not None
        assert listed.status(clock.now()).running


def test_the_seed_is_written_once(session: Any) -> None:
    assert not queries.is_seeded()
    assert seed()
    assert queries.is_seeded()
    assert not queries.holds_other_data()
    before = [each.slug for each in competitions.competitions()]
    assert not seed()
    assert [each.slug for each in competitions.competitions()] == before


def test_a_database_with_somebody_elses_competition_is_no_place_for_a_demonstration(session: Any) -> None:
    from app.competitions import service as competitions_service

    with command(SYSTEM) as ctx:
        competitions_service.create_competition(ctx, regulation="beach-games-landlord-2021", place="某地")
    assert queries.holds_other_data()


def test_there_is_one_person_per_role(session: Any) -> None:
    seed()
    assert [member.part for member in queries.cast()] == list(Cast)
    for member in queries.cast():
        user = accounts.session_user(member.user_id)
        assert user is not None
        if member.part in queries.ROLES:
            assert user.actor.has(None, queries.ROLES[member.part])
        else:
            assert user.actor.grants == frozenset()


@pytest.fixture
def organiser(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The organiser, in a demonstration whose clock follows a file."""
    seed()
    monkeypatch.setattr(clock, "now", MOVABLE_NOW)
    clock.configure(tmp_path / "clock")
    user = accounts.session_user(user_of(Cast.ORGANISER))
    assert user is not None
    yield user.actor
    clock.configure(None)


def test_the_clock_moves_to_a_moment_and_back_and_leaves_a_trace(organiser: Any, session: Any) -> None:
    target = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
    with command(organiser) as ctx:
        service.move_clock(ctx, moment=target)
    assert abs(clock.now() - target) < timedelta(seconds=5)
    with command(organiser) as ctx:
        service.move_clock(ctx, reset=True)
    assert abs(clock.offset()) <= timedelta(seconds=1)
    moved = session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.CLOCK_MOVED.value).order_by(AuditEntry.id)
    ).all()
    assert [entry.details["reset"] for entry in moved] == [False, True]


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"moment": datetime(2031, 3, 1, tzinfo=UTC), "reset": True},
        {"moment": datetime(1999, 3, 1, tzinfo=UTC)},
        {"moment": datetime(9999, 12, 31, 23, tzinfo=UTC)},
    ],
    ids=["nothing", "both", "too early", "too late"],
)
def test_a_wish_the_clock_cannot_follow_is_refused(organiser: Any, wish: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as refusal, command(organiser) as ctx:
        service.move_clock(ctx, **wish)
    assert "moment" in refusal.value.fields
    assert clock.offset() == timedelta(0)


def test_the_referee_does_not_move_the_clock(organiser: Any) -> None:
    referee = accounts.session_user(user_of(Cast.REFEREE))
    assert referee is not None
    with pytest.raises(ForbiddenError), command(referee.actor) as ctx:
        service.move_clock(ctx, reset=True)


def test_the_leaps_are_the_deadline_the_end_of_publication_and_the_first_day(session: Any) -> None:
    seed()
    by_slug = {each.competition.slug: each for each in queries.leaps(clock.now())}
    entering = by_slug[rules.OPEN_SLUG]
    calendar = entering.competition.event.regulation.calendar
    deadline, published, play = (leap.moment for leap in entering.leaps)
    assert deadline == calendar.registration_closes + timedelta(seconds=1)
    assert deadline < published < play
    assert play.astimezone(BEIJING).date() == calendar.play_from


def test_where_the_year_has_no_calendar_a_list_needs_it_and_a_text_without_a_list_does_not(
    organiser: Any, travel: Travel
) -> None:
    travel(datetime(2030, 10, 1, 12, 0, tzinfo=BEIJING))
    calendar = rules.open_calendar(clock.now())
    with pytest.raises(WorkdaysMissingError) as refused, command(organiser) as ctx:
        create_competition(ctx, regulation="beach-games-landlord-2021", place="示例", calendar=calendar)
    assert "2030" in str(refused.value.text)
    assert "/staff/workdays" in str(refused.value.next_step)


def test_where_the_days_of_a_list_became_unknown_the_page_says_so_instead_of_a_moment(
    session: Any, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The committee's own days of the year are gone again, or the competition is older than this rule."""
    seed()
    monkeypatch.setattr(workdays, "calendar", lambda: WorkdayCalendar({}))
    by_slug = {each.competition.slug: each for each in queries.leaps(clock.now())}
    refusal = by_slug[rules.OPEN_SLUG].refusal
    assert refusal is not None
    assert "2021" in str(refusal.text)
    assert "/staff/workdays" in str(refusal.next_step)


@pytest.mark.parametrize(
    "regulation",
    ["dongcheng-go-2021", "dongcheng-landlord-2021", "dongcheng-xiangqi-2021", "siming-eighty-2023"],
)
def test_a_competition_that_publishes_no_list_leaps_from_the_deadline_to_the_first_day(
    organiser: Any, travel: Travel, regulation: str
) -> None:
    """A rehearsal (`saishi simulate`) leaves such a competition in the demonstration, whose page must still open."""
    travel(datetime(2021, 5, 1, 12, 0, tzinfo=BEIJING))
    with command(organiser) as ctx:
        create_competition(ctx, regulation=regulation, place="示例", slug="rehearsed")
    by_slug = {each.competition.slug: each for each in queries.leaps(clock.now())}
    found = by_slug["rehearsed"]
    assert [str(leap.label) for leap in found.leaps] == ["报名截止后 1 秒", "比赛日 9:00"]
    assert found.refusal is None

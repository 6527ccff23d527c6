"""A round as it is played: every moment once, the state that follows, the clock of the text, and the lock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from app import clock
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.draws.rules.repairs import RepairOpenError
from app.errors import ForbiddenError, InvalidError
from app.extensions import db
from app.floor import queries, service
from app.floor.rules import Clock, Confirmation, Moments, Publication, RoundNotOpenError, RunState, Terms
from app.floor.rules.rounds import (
    BadScheduleError,
    CalledTooEarlyError,
    ClockNotStartedError,
    CorrectionRunningError,
    NoClockError,
    NothingToCallError,
    NotPublishedYetError,
    RoundLockedError,
    RoundOverError,
    call_words,
    require_unlocked,
)
from app.floor.rules.terms import default_terms, held_back, last_round
from app.regulations import library
from app.regulations.rules import TimeWindow
from tests.factories import draws as draws_factory
from tests.factories import floor, results, rounds

Travel = Callable[[datetime], None]

T0 = datetime(2021, 12, 3, 1, 0, tzinfo=UTC)
WINDOW = TimeWindow("correction", 10, "results_published", "四(二)8(九)")


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def recorded(action: AuditAction) -> int:
    return (
        db.session.scalar(
            select(func.count()).select_from(AuditEntry).where(AuditEntry.action == action.value)
        )
        or 0
    )


@pytest.mark.parametrize(
    ("moments", "state"),
    [
        (Moments(), RunState.DRAWN),
        (Moments(scheduled_at=T0), RunState.DRAWN),
        (Moments(opened_at=T0), RunState.OPEN),
        (Moments(opened_at=T0, ended_at=T0), RunState.ENDED),
        (Moments(opened_at=T0, ended_at=T0, published_at=T0), RunState.PUBLISHED),
        (Moments(opened_at=T0, ended_at=T0, published_at=T0, locked_at=T0), RunState.LOCKED),
    ],
)
def test_the_state_of_a_round_follows_from_the_moments_that_have_come(
    moments: Moments, state: RunState
) -> None:
    assert moments.state(T0, WINDOW) is state


def test_a_published_round_is_locked_after_the_last_second_of_the_correction_window() -> None:
    """A 四(二)8(九): within 10 minutes; the last second is in time."""
    moments = Moments(opened_at=T0, ended_at=T0, published_at=T0)
    assert moments.state(T0 + minutes(10) + timedelta(seconds=0.9), WINDOW) is RunState.PUBLISHED
    assert moments.state(T0 + minutes(10) + timedelta(seconds=1), WINDOW) is RunState.LOCKED
    assert moments.state(T0 + timedelta(days=3), None) is RunState.PUBLISHED  # a text without a window


def test_a_locked_round_refuses_with_the_clause_of_its_window() -> None:
    moments = Moments(opened_at=T0, ended_at=T0, published_at=T0)
    require_unlocked(moments, T0 + minutes(10), WINDOW, clause="四(二)5")
    with pytest.raises(RoundLockedError) as refused:
        require_unlocked(moments, T0 + minutes(11), WINDOW, clause="四(二)5")
    assert refused.value.clause == "四(二)8(九)"
    assert refused.value.next_step is not None


@pytest.mark.parametrize(
    ("regulation", "round_minutes", "call_minutes"),
    [
        ("baiyun-tractor-2016", 60, 10),  # C 八(三), 八(四)
        ("siming-eighty-2023", 60, None),  # D 五3
        ("beach-games-landlord-2021", None, None),  # A: 10 deals
        ("dongcheng-landlord-2021", None, None),  # B 附件4: 12 deals
    ],
)
def test_the_clock_is_that_of_the_regulation_where_it_has_one(
    regulation: str, round_minutes: int | None, call_minutes: int | None
) -> None:
    terms = default_terms(library.load(regulation))
    assert terms == Terms(round_minutes=round_minutes, call_minutes=call_minutes)


@pytest.mark.parametrize(
    ("regulation", "said"),
    [
        ("baiyun-tractor-2016", "本轮还剩 10 分钟：正在打的一副打完后，再打二副，本轮结束。"),  # C 八(四)
        ("siming-eighty-2023", "本轮还剩 10 分钟：时间一到立即停止，没有打完的一副不计。"),  # D I-D-5
        ("beach-games-landlord-2021", "本轮还剩 10 分钟。"),
    ],
)
def test_the_last_minutes_are_announced_in_the_words_of_the_text(regulation: str, said: str) -> None:
    assert str(call_words(library.load(regulation), 10)) == said


def test_the_clock_counts_whole_seconds_down_to_nothing() -> None:
    running = Clock.of(Moments(started_at=T0), 60, 10)
    assert running is not None
    assert running.call_at == T0 + minutes(50)
    assert running.seconds_left(T0) == 3600
    assert running.seconds_left(T0 + timedelta(seconds=0.5)) == 3600
    assert running.seconds_left(T0 + minutes(61)) == 0
    assert Clock.of(Moments(), 60, 10) is None
    assert Clock.of(Moments(started_at=T0), None, None) is None


@pytest.mark.parametrize(
    ("publication", "held"),
    [
        (Publication.AT_ONCE, [False, False]),
        (Publication.BY_ROUND, [True, True]),
        (Publication.LAST_ROUND, [False, True]),
    ],
)
def test_a_round_is_held_back_as_the_terms_say(publication: Publication, held: list[bool]) -> None:
    last = last_round(library.load("dongcheng-landlord-2021"))
    assert last == ("swiss", 4)
    assert [held_back(publication, stage="swiss", number=number, last=last) for number in (3, 4)] == held


def test_without_a_choice_sheets_are_confirmed_at_the_table_and_published_at_once(
    session: Any, travel: Travel
) -> None:
    drawn = results.prelim(travel)
    assert queries.terms(drawn.event_id) == Terms(Confirmation.AT_TABLE, Publication.AT_ONCE)


def test_the_committee_chooses_the_terms_and_the_chief_referee_does_not(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    floor.set_terms(
        confirmation=Confirmation.PLAYERS, publication=Publication.BY_ROUND, round_minutes=50, call_minutes=5
    )
    assert queries.terms(drawn.event_id) == Terms(Confirmation.PLAYERS, Publication.BY_ROUND, 50, 5)
    with pytest.raises(ForbiddenError):
        floor.set_terms(by=results.chief())


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"round_minutes": 0}, "round_minutes"),
        ({"round_minutes": 1441}, "round_minutes"),
        ({"round_minutes": 60, "call_minutes": 60}, "call_minutes"),
        ({"call_minutes": 10}, "call_minutes"),
    ],
)
def test_a_clock_that_cannot_run_is_refused_beside_its_field(
    session: Any, travel: Travel, given: dict[str, int], field: str
) -> None:
    drawn = results.prelim(travel)
    with pytest.raises(InvalidError) as refused:
        floor.set_terms(**given)
    assert list(refused.value.fields) == [field]
    assert queries.terms(drawn.event_id) == Terms()


def test_a_round_goes_from_drawn_to_locked_and_each_moment_stands_once(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    began = clock.now()
    assert queries.run(drawn.id).state(began) is RunState.DRAWN
    assert floor.act("open_round", drawn).state(began) is RunState.OPEN
    travel(began + minutes(40))
    ended = floor.act("end_round", drawn)
    assert ended.state(clock.now()) is RunState.ENDED
    travel(began + minutes(41))
    floor.act("open_round", drawn)
    again = floor.act("end_round", drawn)
    assert again.moments == ended.moments
    assert [recorded(each) for each in (AuditAction.ROUND_OPENED, AuditAction.ROUND_ENDED)] == [1, 1]
    with pytest.raises(NotPublishedYetError):
        floor.act("lock_round", drawn)
    with command(results.chief()) as ctx:
        service.note_published(ctx, drawn.id)
    with pytest.raises(CorrectionRunningError) as refused:
        floor.act("lock_round", drawn)
    assert refused.value.clause == "四(二)8(九)"
    travel(began + minutes(52))
    assert queries.run(drawn.id).state(clock.now()) is RunState.LOCKED
    assert floor.act("lock_round", drawn).moments.locked_at == clock.now()


def test_a_round_nobody_opened_is_opened_by_its_first_score_and_ended_by_its_last_sheet(
    session: Any, travel: Travel
) -> None:
    drawn = results.prelim(travel)
    began = clock.now()
    with command(results.referee()) as ctx:
        service.note_opened(ctx, drawn.id)
    travel(began + minutes(30))
    for _ in range(2):
        with command(results.referee()) as ctx:
            service.note_ended(ctx, drawn.id)
        travel(clock.now() + minutes(5))
    with command(results.referee()) as ctx:
        service.note_published(ctx, drawn.id)
    moments = queries.run(drawn.id).moments
    assert (moments.opened_at, moments.ended_at) == (began, began + minutes(30))
    assert moments.published_at == began + minutes(40)


def test_a_round_that_is_published_was_opened_and_has_ended(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    with command(results.referee()) as ctx:
        service.note_published(ctx, drawn.id)
    moments = queries.run(drawn.id).moments
    assert moments.opened_at == moments.ended_at == moments.published_at == clock.now()


def test_a_round_that_is_not_open_does_not_end(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    with pytest.raises(RoundNotOpenError):
        floor.act("end_round", drawn)


def test_a_round_under_repair_is_not_opened(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    draws_factory.open_repair()
    with pytest.raises(RepairOpenError):
        floor.act("open_round", drawn)
    assert queries.run(drawn.id).state(clock.now()) is RunState.DRAWN


def test_a_referee_does_not_run_the_round(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    for name in ("open_round", "start_clock", "call_time", "end_round", "lock_round"):
        with pytest.raises(ForbiddenError):
            floor.act(name, drawn, by=results.referee())


def test_the_time_to_be_there_is_set_before_the_round_opens(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    at = clock.now() + minutes(15)
    assert floor.act("schedule_round", drawn, scheduled_at=at).moments.scheduled_at == at
    floor.act("open_round", drawn)
    with pytest.raises(BadScheduleError):
        floor.act("schedule_round", drawn, scheduled_at=at + minutes(5))


def test_a_text_that_plays_by_deals_has_no_clock_unless_the_committee_sets_one(
    session: Any, travel: Travel
) -> None:
    drawn = results.prelim(travel)
    with pytest.raises(NoClockError):
        floor.act("start_clock", drawn)
    floor.set_terms(round_minutes=45)
    with pytest.raises(ClockNotStartedError):
        floor.act("call_time", drawn)
    started = floor.act("start_clock", drawn)
    assert started.clock is not None
    assert started.clock.ends_at == clock.now() + minutes(45)
    assert started.state(clock.now()) is RunState.OPEN
    with pytest.raises(NothingToCallError):
        floor.act("call_time", drawn)


def test_time_is_called_once_in_the_last_minutes_and_every_phone_reads_it(
    session: Any, travel: Travel
) -> None:
    drawn = results.prelim(travel)
    floor.set_terms(round_minutes=60, call_minutes=10)
    began = clock.now()
    floor.act("start_clock", drawn)
    travel(began + minutes(49))
    with pytest.raises(CalledTooEarlyError):
        floor.act("call_time", drawn)
    assert queries.notices(drawn.event_id, clock.now()) == ()
    travel(began + minutes(50))
    for _ in range(2):
        called = floor.act("call_time", drawn)
    assert called.moments.called_at == clock.now()
    (notice,) = queries.notices(drawn.event_id, clock.now())
    assert notice.text == "本轮还剩 10 分钟。"
    assert notice.in_language("en") == "10 minutes left in this round."
    floor.act("end_round", drawn)
    with pytest.raises(RoundOverError):
        floor.act("start_clock", drawn)


def test_a_round_drawn_again_begins_anew(session: Any, travel: Travel) -> None:
    rounds.field(travel)
    first = rounds.drawn()
    floor.act("open_round", first, rounds.SLUG)
    assert [each.round_id for each in queries.runs(first.event_id)] == [first.id]
    rounds.played(first)
    second = rounds.drawn()
    found = queries.runs(first.event_id)
    assert [each.number for each in found] == [1, 2]
    assert found[1].moments == Moments()
    current = queries.current(first.event_id)
    assert current is not None
    assert current.round_id == second.id


def test_the_terms_of_one_event_say_nothing_of_another(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    floor.set_terms(publication=Publication.BY_ROUND)
    rounds.field(travel)
    other = rounds.drawn()
    assert queries.run(drawn.id).terms.publication is Publication.BY_ROUND
    assert not queries.run(other.id).held_back

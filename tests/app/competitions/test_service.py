from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete

from app.actors import ANONYMOUS, Role
from app.commands import command
from app.competitions import queries, service
from app.competitions.models import Competition
from app.competitions.rules import (
    CalendarRefusedError,
    Phase,
    UnknownCompetitionError,
    WorkdaysMissingError,
    not_plain,
    phase,
)
from app.errors import ForbiddenError, InvalidError, SignInRequiredError
from app.regulations import library
from app.regulations.rules import Regulation
from app.workdays import service as workdays_service
from app.workdays.models import WorkdayYear
from app.workdays.rules import FIXED_HOLIDAYS
from tests.factories import accounts
from tests.factories import competitions as factory

Travel = Callable[[datetime], None]
BEIJING_CLOSE = datetime(2021, 10, 31, 10, 0, tzinfo=UTC)  # 18:00 in Beijing


def test_a_competition_freezes_its_regulation_with_the_organisers_dates(session: Any) -> None:
    made = factory.competition(calendar={"registration_closes": "2021-10-30T18:00:00+08:00"})
    calendar = made.event.regulation.calendar
    assert calendar.registration_closes.isoformat() == "2021-10-30T18:00:00+08:00"
    assert calendar.play_from.isoformat() == "2021-12-03"
    assert made.event.name == "公开个人赛"


def test_the_creator_becomes_organiser_and_committee_of_it(session: Any) -> None:
    by = factory.organiser()
    made = factory.competition(by)
    person = accounts.actor(by.require_signed_in())
    assert person.has(made.id, Role.COMMITTEE)
    assert not person.has(made.id, Role.REFEREE)


def test_a_second_competition_of_the_same_regulation_gets_its_own_address(session: Any) -> None:
    first = factory.competition(slug=None)
    second = factory.competition(slug=None)
    assert (first.slug, second.slug) == ("beach-games-landlord-2021", "beach-games-landlord-2021-2")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"regulation": "no-such-regulation"}, "regulation"),
        ({"regulation": "baiyun-tractor-2016", "calendar": {}}, "calendar.play_from"),
        ({"slug": "Not A Slug"}, "slug"),
        ({"calendar": {"registration_closes": "2022-01-01T18:00:00+08:00"}}, "calendar.check_in"),
        ({"calendar": {"registration_closes": "yesterday"}}, "calendar.registration_closes"),
        ({"options": {"deals_per_stage": "many"}}, "options.deals_per_stage"),
        ({"options": {"deals_per_stage": None}}, "options.deals_per_stage"),
        ({"calendar": {"play_to": "9999-12-31"}}, "calendar.play_to"),
        ({"calendar": {"play_to": "2101-01-01"}}, "calendar.play_to"),
        ({"calendar": {"registration_opens": "0001-01-01T00:00:00+08:00"}}, "calendar.registration_opens"),
        ({"calendar": {"leave_by": "9999-12-31T23:59:59-01:00"}}, "calendar.leave_by"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field_and_nothing_is_saved(
    session: Any, changes: dict[str, Any], field: str
) -> None:
    by = factory.organiser()
    with pytest.raises(InvalidError) as refused:
        factory.competition(by, **changes)
    assert field in refused.value.fields
    assert session.query(Competition).count() == 0


def test_an_address_is_given_once(session: Any) -> None:
    factory.competition()
    with pytest.raises(InvalidError) as refused:
        factory.competition()
    assert "slug" in refused.value.fields


def test_only_an_organiser_creates_competitions(session: Any) -> None:
    with pytest.raises(ForbiddenError), command(accounts.user(1)) as ctx:
        service.create_competition(ctx, regulation=factory.REGULATION, place="三亚")
    with pytest.raises(SignInRequiredError), command(ANONYMOUS) as ctx:
        service.create_competition(ctx, regulation=factory.REGULATION, place="三亚")


def test_an_unknown_address_is_not_found(session: Any) -> None:
    with pytest.raises(UnknownCompetitionError):
        queries.competition("nowhere")


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2021, 10, 1, tzinfo=UTC), Phase.ANNOUNCED),
        (BEIJING_CLOSE, Phase.OPEN),
        (BEIJING_CLOSE.replace(second=1), Phase.CLOSED),
        (datetime(2021, 12, 2, 15, 59, 59, tzinfo=UTC), Phase.CLOSED),
        (datetime(2021, 12, 2, 16, 0, tzinfo=UTC), Phase.PLAYING),
        (datetime(2021, 12, 5, 15, 59, 59, tzinfo=UTC), Phase.PLAYING),
        (datetime(2021, 12, 5, 16, 0, tzinfo=UTC), Phase.OVER),
    ],
)
def test_the_phase_changes_at_the_regulations_moments(
    session: Any, moment: datetime, expected: Phase
) -> None:
    calendar = factory.competition().event.regulation.calendar
    assert phase(calendar, moment) is expected


def test_a_calendar_of_any_year_that_was_frozen_before_still_has_a_phase(session: Any) -> None:
    document = library.load(factory.REGULATION).document
    document["calendar"]["play_to"]["at"] = "9999-12-31"
    document["calendar"]["leave_by"]["at"] = "9999-12-31T23:59:59+08:00"
    calendar = Regulation.from_document(document).calendar
    assert phase(calendar, datetime(2021, 12, 30, tzinfo=UTC)) is Phase.PLAYING
    document["calendar"]["registration_closes"]["at"] = "9999-12-31T23:59:59+08:00"
    assert phase(Regulation.from_document(document).calendar, BEIJING_CLOSE) is Phase.OPEN


def dates(closes: str, play_from: str, **changes: str) -> dict[str, str]:
    return {"registration_closes": closes, "check_in": play_from, "play_from": play_from} | changes


def test_play_before_the_list_can_be_final_is_refused_with_the_windows_end(session: Any) -> None:
    # closing on Wednesday 24 November: its five workdays are 25, 26, 29, 30 November and 1 December
    with pytest.raises(CalendarRefusedError) as refused:
        factory.competition(calendar=dates("2021-11-24T18:00:00+08:00", "2021-12-01"))
    assert set(refused.value.fields) == {"calendar.play_from"}
    assert "2021年12月1日（周三）24:00" in str(refused.value.text)
    assert "不能早于 2021年12月2日（周四）" in str(refused.value.text)
    assert refused.value.clause == "三(四)1"
    assert session.query(Competition).count() == 0
    assert factory.competition(calendar=dates("2021-11-24T18:00:00+08:00", "2021-12-02")).slug == "beach-2021"


def test_a_deadline_that_is_over_is_refused_its_own_second_included(session: Any, travel: Travel) -> None:
    travel(BEIJING_CLOSE + timedelta(seconds=1))
    with pytest.raises(CalendarRefusedError) as refused:
        factory.competition()
    assert set(refused.value.fields) == {"calendar.registration_closes"}
    assert "2021年10月31日（周日）18:00" in str(refused.value.text)
    assert refused.value.clause == "三(三)1"
    travel(BEIJING_CLOSE)
    assert factory.competition().slug == "beach-2021"


FAR = dates(
    "2099-12-01T18:00:00+08:00",
    "2099-12-29",
    play_to="2099-12-30",
    leave_by="2099-12-31T12:00:00+08:00",
)
"""A year whose days off nobody knows yet."""


def enter(year: int) -> None:
    with command(accounts.user(1, Role.ORGANISER)) as ctx:
        holidays = frozenset(date(year, month, day) for month, day in FIXED_HOLIDAYS)
        workdays_service.enter_year(
            ctx, year=year, holidays=holidays, makeup_workdays=frozenset(), source="通知"
        )


def test_a_list_in_a_year_without_a_calendar_is_refused_with_year_clause_and_page(session: Any) -> None:
    with pytest.raises(WorkdaysMissingError) as refused:
        factory.competition(calendar=FAR)
    assert set(refused.value.fields) == {"calendar.registration_closes"}
    assert "2099" in str(refused.value.text)
    assert refused.value.clause == "三(四)1"
    assert "/staff/workdays" in str(refused.value.next_step)
    assert (refused.value.extra["year"], refused.value.extra["page"]) == (2099, "/staff/workdays")
    assert session.query(Competition).count() == 0
    enter(2099)
    assert factory.competition(calendar=FAR).slug == "beach-2021"


def test_the_last_days_of_a_known_year_already_need_the_next_one(session: Any) -> None:
    """Five workdays after Thursday 24 December 2026 end on the 31st; a day later they reach 2027."""
    rest = {"play_to": "2027-03-02", "leave_by": "2027-03-03T12:00:00+08:00"}
    with pytest.raises(WorkdaysMissingError) as refused:
        factory.competition(calendar=dates("2026-12-25T18:00:00+08:00", "2027-03-01", **rest))
    assert refused.value.extra["year"] == 2027
    assert factory.competition(calendar=dates("2026-12-24T18:00:00+08:00", "2027-03-01", **rest))


def test_a_text_that_publishes_no_list_needs_no_calendar_of_workdays(session: Any) -> None:
    held = {"registration_closes": "2099-12-01T18:00:00+08:00", "play_from": "2099-12-02"}
    made = factory.competition(
        regulation="dongcheng-go-2021", slug="far-go", calendar=held | {"play_to": "2099-12-02"}
    )
    assert queries.workdays_problem(made.event.regulation) is None


def test_of_a_competition_whose_year_was_taken_away_again_the_board_names_the_year_and_the_page(
    session: Any,
) -> None:
    enter(2099)
    made = factory.competition(calendar=FAR)
    session.execute(delete(WorkdayYear))
    session.commit()
    [item] = queries.waiting(made.event, BEIJING_CLOSE)
    assert "2099" in str(item.text)
    assert (item.endpoint, item.values) == ("workdays.index", {"year": 2099})


@pytest.mark.parametrize("name", ["沙滩二打一", "Beach 2021", "第2届“乐天杯”"])
def test_a_name_that_can_be_read_is_plain(name: str) -> None:
    assert not_plain(name) is None


@pytest.mark.parametrize(
    "name", ["\u202e\u202d", "\u200b\u200b", "2021", "…", "沙滩\u202e赛", "沙滩\n赛", "沙\x00滩"]
)
def test_a_name_that_cannot_be_read_as_it_is_written_is_not_plain(name: str) -> None:
    assert not_plain(name) is not None

"""The dates of the seeded competitions, from every kind of first day."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest

from app.actors import ANONYMOUS, Actor, Role
from app.demonstration import deals, people, rules
from app.errors import ForbiddenError, SignInRequiredError
from app.registrations.rules import identity
from app.regulations import library
from app.regulations.rules import Sex
from app.text import BEIJING
from app.workdays.official import official_calendar
from app.workdays.rules import WorkdayCalendar
from scoring_engine.landlord.deals import Deal, Side, score_deal
from scoring_engine.values import EntrantId

STARTS = [
    datetime(*day, *clock, tzinfo=BEIJING)
    for day in ((2026, 11, 30), (2026, 12, 31), (2027, 2, 9), (2028, 2, 29), (2030, 10, 1), (2026, 10, 4))
    for clock in ((0, 0, 0), (2, 59, 59), (12, 0, 0), (23, 59, 59))
]
REGULATION = library.load("beach-games-landlord-2021")


@pytest.mark.parametrize("now", STARTS, ids=str)
def test_the_competition_being_played_lies_in_order_and_in_the_past(now: datetime) -> None:
    past = rules.played(now, official_calendar(), 5)
    calendar = REGULATION.with_changes(calendar=past.calendar).calendar
    window = rules.latest_window(calendar.check_in, official_calendar(), 5)[1]
    assert (
        calendar.registration_opens
        < past.submitted_at
        < calendar.registration_closes
        < past.decided_at
        < past.published_at
        < window.ends_at
        <= past.drawn_at
        < past.sheets_at
        < now
    )
    assert calendar.play_from <= now.date() <= calendar.play_to


@pytest.mark.parametrize("now", STARTS, ids=str)
def test_entries_are_open_at_the_first_start_and_close_at_six(now: datetime) -> None:
    calendar = REGULATION.with_changes(calendar=rules.open_calendar(now)).calendar
    assert calendar.registration_opens < now < calendar.registration_closes
    assert calendar.registration_closes.astimezone(BEIJING).time() == time(18)


@pytest.mark.parametrize("now", STARTS, ids=str)
def test_a_list_is_in_public_only_where_its_window_can_be_counted(now: datetime) -> None:
    past = rules.in_publication(now, official_calendar(), 5)
    if now.year > max(official_calendar().years):
        assert past is None
        return
    assert past is not None
    assert past.published_at < now
    REGULATION.with_changes(calendar=past.calendar)


def test_the_latest_countable_window_is_looked_for_and_never_a_guessed_one() -> None:
    closes, window = rules.latest_window(date(2030, 10, 1), official_calendar(), 5)
    last_known = max(official_calendar().years)
    assert window.last_day.year == closes.year == last_known
    assert date(last_known, 12, 31) - window.last_day < timedelta(days=4)


def test_a_year_the_committee_entered_is_used() -> None:
    known = official_calendar().years
    entered = WorkdayCalendar({**known, 2029: known[2026]})
    assert rules.latest_window(date(2029, 6, 1), entered, 5)[1].last_day.year == 2029


def test_only_the_organiser_of_the_installation_moves_the_clock() -> None:
    rules.require_may_move_clock(Actor("person", 1, frozenset({(None, Role.ORGANISER)})))
    with pytest.raises(SignInRequiredError):
        rules.require_may_move_clock(ANONYMOUS)
    with pytest.raises(ForbiddenError):
        rules.require_may_move_clock(
            Actor("person", 1, frozenset({(7, Role.ORGANISER), (None, Role.REFEREE)}))
        )


def test_where_there_is_no_demonstration_its_pages_do_not_exist() -> None:
    rules.require_demonstration(demo=True)
    with pytest.raises(rules.NoDemonstrationError):
        rules.require_demonstration(demo=False)


def test_made_up_deals_repeat_and_could_all_have_been_dealt() -> None:
    seats = ("e1", "e2", "e3")
    made = [deal for serial in range(200) for deal in deals.sheet(seats, 10, f"table {serial}")]
    assert made[:10] == deals.sheet(seats, 10, "table 0")
    assert any(deal.get("passed_out") for deal in made)
    assert {key for deal in made for key, value in deal.items() if value} >= {
        "bombs",
        "spring",
        "anti_spring",
    }
    for deal in made:
        if not deal.get("passed_out"):
            entrants = tuple(EntrantId(seat) for seat in seats)
            points = score_deal(
                Deal(
                    entrants,
                    EntrantId(deal["landlord"]),
                    deal["bid"],
                    Side(deal["winner"]),
                    deal["rockets"],
                    deal["bombs"],
                    deal["spring"],
                    deal["anti_spring"],
                )
            ).points
            assert sum(points.values()) == 0


def test_thirty_four_members_are_shared_out_among_twelve_units() -> None:
    assert people.sizes_of_units(34) == (3,) * 10 + (2,) * 2


def test_thousands_of_made_up_people_have_numbers_of_their_own_that_every_form_accepts() -> None:
    serials = [*range(5000), *range(15_990, 16_010), 99_999]
    numbers = [people.id_number(serial) for serial in serials]
    assert len(set(numbers)) == len(serials)
    for serial, number in zip(serials, numbers, strict=True):
        person = identity.id_number(number, date(2021, 10, 31))
        assert person.age_on(date(2021, 12, 3)) == 36
        assert (person.sex is Sex.MALE) == bool(serial % 2)
    assert people.id_number(7, date(2003, 12, 31))[6:14] == "20031231"

"""The windows of the worked examples, for whoever objects: the first and the last second count, the next does not, whatever holidays
and worked weekends lie between; a year without a calendar turns nobody away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest

from app.actors import Actor
from app.competitions import queries as competitions
from app.objections.rules.refusals import WindowClosedError
from app.publications.queries import PublicationView
from app.registrations import queries as registrations
from app.text import BEIJING
from app.workdays.official import official_calendar
from tests.factories import accounts, publications
from tests.factories import objections as make

Travel = Callable[[datetime], None]
SECOND = timedelta(seconds=1)
UNKNOWN_YEAR = max(official_calendar().years) + 1


def published(travel: Travel, deadline: str) -> tuple[Actor, list[int], PublicationView]:
    """Who objects, the entries of the other unit, and the list, which came out in its first second; the clock stands there."""
    publications.field(6, 2)
    publications.closing_on(deadline)
    travel(datetime.fromisoformat(f"{deadline}T18:00:01+08:00"))
    view = publications.publish()
    event = competitions.competition("beach").event
    units = registrations.led_units(event.competition_id)
    others = [
        int(each.entry_id) for each in registrations.approved_entries(event.id) if each.unit_id == units[1].id
    ]
    return accounts.actor(units[0].leader_user_id), others, view


@pytest.mark.parametrize(("deadline", "last_day"), publications.GOLDEN_WINDOWS)
def test_an_objection_is_in_time_to_the_last_second_of_the_last_day(
    session: Any, travel: Travel, deadline: str, last_day: str
) -> None:
    leader, others, view = published(travel, deadline)
    make.member()
    first = make.row(make.lodged(leader, others[:1]))
    assert first.received_at == view.published_at
    over = datetime.combine(date.fromisoformat(last_day) + timedelta(days=1), time(), tzinfo=BEIJING)
    travel(over - SECOND)
    last = make.row(make.lodged(leader, others[1:2]))
    assert last.publication_id == view.id
    travel(over)
    with pytest.raises(WindowClosedError) as refused:
        make.lodged(leader, others[2:3])
    assert refused.value.clause == "三(四)1"
    assert publications.finish() == 0, "both cases hold the list"


def test_a_case_whose_deadline_lies_in_a_year_without_a_calendar_is_taken_all_the_same(
    session: Any, travel: Travel
) -> None:
    leader, others, view = published(travel, f"{UNKNOWN_YEAR - 1}-12-18")
    make.member()
    assert view.ends_at.astimezone(BEIJING).year == UNKNOWN_YEAR - 1
    soon = make.row(make.lodged(leader, others[:1]))
    assert soon.due_at is not None
    travel(view.ends_at - SECOND)
    late = make.row(make.lodged(leader, others[1:2]))
    assert late.due_at is None, "its five working days reach the year that nobody knows yet"
    assert late.state == "received"

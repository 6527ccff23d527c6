"""The windows of the worked examples (golden.md), as lists that are published on the site with the clock moved, to the second."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.competitions import queries as competitions
from app.publications import queries
from app.registrations import queries as reviewed
from app.text import BEIJING
from tests.factories import accounts, publications, registrations

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach/publications"
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("deadline", "last_day"),
    publications.GOLDEN_WINDOWS,
)
def test_a_list_runs_to_the_last_second_of_its_last_day_and_is_final_in_the_next(
    app: Flask, client: FlaskClient, travel: Travel, deadline: str, last_day: str
) -> None:
    with app.app_context():
        publications.field(2, 1)
        publications.closing_on(deadline)
        committee = registrations.committee()
    headers = accounts.bearer(app, committee)
    closes = datetime.fromisoformat(f"{deadline}T18:00:00+08:00")
    travel(closes)
    assert client.post(API, headers=headers).status_code == 409
    travel(closes + SECOND)
    made = client.post(API, headers=headers)
    assert made.status_code == 201
    assert made.get_json()["last_day"] == last_day
    over = datetime.combine(
        datetime.fromisoformat(last_day).date() + timedelta(days=1), time(), tzinfo=BEIJING
    )
    for moment, state, final in ((over - SECOND, "running", 0), (over, "final", 1)):
        travel(moment)
        assert client.get(f"{API}/1").get_json()["status"]["state"] == state
        with app.app_context():
            assert publications.finish() == final
    assert [
        each["number"] for each in client.get("/api/v1/competitions/beach/competition-numbers").get_json()
    ] == [1, 2]


def test_a_supplement_across_new_year_needs_both_calendars(session: Any, travel: Travel) -> None:
    publications.field(3, 1, approve=False)
    publications.closing_on("2024-12-20")
    event = competitions.competition("beach").event
    last = reviewed.review_list(event)[-1].entry_id
    registrations.decision(registrations.committee(), last, "reject", "材料不符")
    publications.approve_all()
    travel(datetime(2024, 12, 20, 18, 0, 1, tzinfo=BEIJING))
    publications.publish()
    travel(datetime(2024, 12, 31, 23, 59, 59, tzinfo=BEIJING))
    registrations.decision(registrations.committee(), last)
    second = publications.supplement()
    assert second.days[0].isoformat() == "2025-01-02"
    assert second.last_day.isoformat() == "2025-01-08"
    travel(second.ends_at - SECOND)
    assert publications.finish() == 1  # the first list's window was over long before
    travel(second.ends_at)
    assert publications.finish() == 1
    assert queries.numbers_of(event.id)[last] == 3

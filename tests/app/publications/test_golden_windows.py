"""The windows of the worked examples (golden.md), as lists that are published on the site with the clock moved, to the second."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import SYSTEM
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.models import Event
from app.publications import queries
from app.registrations import queries as reviewed
from app.regulations import library
from app.regulations import service as regulations_service
from app.regulations.rules import Regulation
from app.text import BEIJING
from tests.factories import accounts, publications, registrations

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach/publications"
SECOND = timedelta(seconds=1)


def closing_on(day: str) -> None:
    """The regulation of the competition with another deadline: the day is in the text, not in the program."""
    document = library.load("beach-games-landlord-2021").document
    document["calendar"]["registration_closes"]["at"] = f"{day}T18:00:00+08:00"
    with command(SYSTEM) as ctx:
        event = ctx.session.scalars(select(Event)).one()
        event.regulation_version_id = regulations_service.freeze(ctx, Regulation.from_document(document))
        ctx.record(AuditAction.REGULATION_IN_FORCE, event)


@pytest.mark.parametrize(
    ("deadline", "last_day"),
    [
        ("2021-10-31", "2021-11-05"),  # 三(四)1: a Sunday
        ("2021-09-30", "2021-10-13"),  # the National Day, with 9 October worked (调休)
        ("2021-04-30", "2021-05-11"),  # Labour Day, with 8 May worked
        ("2021-02-09", "2021-02-22"),  # the Spring Festival, with 20 February worked
        ("2023-10-18", "2023-10-25"),
        ("2024-12-31", "2025-01-08"),  # across New Year, by the calendars of two years
    ],
)
def test_a_list_runs_to_the_last_second_of_its_last_day_and_is_final_in_the_next(
    app: Flask, client: FlaskClient, travel: Travel, deadline: str, last_day: str
) -> None:
    with app.app_context():
        publications.field(2, 1)
        closing_on(deadline)
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
    closing_on("2024-12-20")
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

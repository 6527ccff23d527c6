"""Purges beside each other, beside a hold, and beside a store that is away: each thing goes once, and is told once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.actors import SYSTEM, Actor, Role
from app.clock import BEIJING
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import Document, PurgeItem, PurgeReport
from app.documents.queries import purging as queries
from app.documents.service import purging as service
from app.extensions import db
from app.files import store
from app.files.store import StoreDownError
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.uploads.models import StoredFile
from tasks import registrations as tasks
from tests.app.documents.test_leaving_races import in_the_middle
from tests.factories import accounts, purges
from tests.factories import registrations as make

DAY = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)


@pytest.fixture
def organiser(session: Any, travel: Callable[[datetime], None]) -> Actor:
    for key, _ in list(store.keys()):  # of earlier tests
        store.delete([key])
    make.competition()
    purges.filled()
    person = accounts.user(make.ORGANISER, Role.ORGANISER)
    travel(DAY)
    return person


def count(*tables: Any) -> list[int]:
    return [db.session.scalar(select(func.count()).select_from(table)) or 0 for table in tables]


@pytest.mark.parametrize(
    "place",
    [(service, "erase_documents"), (service.queries, "objects_to_delete"), (service, "body_of")],
    ids=["rows", "objects", "report"],
)
def test_two_workers_at_once_make_one_report_of_everything(
    app: Flask, organiser: Actor, monkeypatch: pytest.MonkeyPatch, place: tuple[Any, str]
) -> None:
    stored = sorted(db.session.scalars(select(StoredFile.sha256)))
    in_the_middle(app, monkeypatch, tasks.purge.run, place, tasks.purge.run)
    tasks.purge.run()
    [made] = queries.reports(competitions.competition("beach"))
    assert sorted(each["sha256"] for each in made.report["files"]) == stored
    assert (made.report["rows"]["documents"], made.report["rows"]["members"]) == (4, 2)
    assert count(Document, StoredFile, PurgeItem) == [0, 0, 0]


def test_once_a_hold_is_told_nothing_more_goes(
    app: Flask, organiser: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    competition_id = competitions.competition_id("beach")
    left: list[int] = []

    def take() -> bool:
        with command(SYSTEM) as ctx:
            return service.take_out(ctx, competition_id, purge_days=90)

    def hold() -> str:
        with command(organiser) as ctx:
            registrations_service.hold(ctx, slug="beach", reason="申诉尚未答复", until=date(2022, 3, 20))
        left.extend(count(Document))
        return "held"

    monkeypatch.setattr(service, "AT_ONCE", 1)
    took, held = in_the_middle(app, monkeypatch, take, (registrations, "is_purge_due"), hold)
    assert (took, held) == (True, "held")
    assert left == count(Document) == [3]
    assert take() is False


def test_a_store_that_is_away_holds_up_no_other_competition(
    organiser: Actor, monkeypatch: pytest.MonkeyPatch, travel: Callable[[datetime], None]
) -> None:
    travel(datetime(2021, 10, 25, 12, 0, tzinfo=BEIJING))
    make.competition("other")
    purges.filled(20, slug="other")
    travel(DAY)

    def away(_keys: Any) -> None:
        raise StoreDownError("away")

    with monkeypatch.context() as patch:
        patch.setattr(store, "delete", away)
        with pytest.raises(StoreDownError):
            tasks.purge.run()
    db.session.rollback()
    assert count(Document, StoredFile, PurgeReport) == [0, 0, 0]
    tasks.purge.run()
    assert count(PurgeItem, PurgeReport) == [0, 2]
    assert list(store.keys()) == []

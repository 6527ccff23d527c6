"""Lists that follow lists, as pages, paper and committee meet them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from flask import Flask
from sqlalchemy import select

from app.actors import Actor
from app.extensions import db
from app.publications import queries
from app.publications.queries import PublicationView
from app.registrations.models import Entry
from app.text import BEIJING
from tests.factories import publications, registrations

Travel = Callable[[datetime], None]
TUESDAY = datetime(2021, 11, 2, 10, tzinfo=BEIJING)
REASON = "经复核，一名选手不符合参赛资格。"


@pytest.fixture
def committee(app: Flask) -> Actor:
    with app.app_context():
        registrations.competition()
        return registrations.committee()


@pytest.fixture
def corrected(app: Flask, travel: Travel) -> tuple[PublicationView, PublicationView]:
    """List 1 of four, and list 2 that took its place without the second of them."""
    with app.app_context():
        old = publications.published_field(travel, 4, 2)
        travel(TUESDAY)
        new = publications.supersede(1, [old.entries[1].entry_id], reason=REASON)
        return queries.publication(old.event_id, 1), new


@pytest.fixture
def late(app: Flask, travel: Travel) -> Actor:
    """A list of three, and a fourth whom the committee approved on the Tuesday after; gives the committee."""
    with app.app_context():
        publications.field(4, 1, approve=False)
        entries = list(db.session.scalars(select(Entry.id).order_by(Entry.id)))
        registrations.decision(registrations.committee(), entries[3], "reject", "材料不符")
        publications.approve_all()
        travel(publications.AFTER_CLOSING)
        publications.publish()
        travel(TUESDAY)
        registrations.decision(registrations.committee(), entries[3])
        return registrations.committee()

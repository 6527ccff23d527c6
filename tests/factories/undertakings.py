"""Signing undertakings, as pages and worker do. Everything needs an application context."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app import clock
from app.actors import SYSTEM, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.models import Signature
from app.documents.queries import DocumentView
from app.documents.rules import Subject
from app.documents.rules.undertaking import Undertaking
from app.extensions import db
from tests.factories import documents

STROKES = "[[[100,300],[300,80],[420,310]],[[500,100],[900,120]]]"


def text_of(person: Actor, language: str = "zh", slug: str = "beach") -> Undertaking:
    """What the first member of this leader's unit signs today."""
    competition = competitions.competition(slug)
    unit = queries.my_lists(competition, person.require_signed_in(), clock.now())
    assert unit is not None
    some = unit.list_of(Subject(member_id=documents.first_member(person, slug)))
    row = some.row("waiver")
    assert row is not None
    return queries.to_sign(competition, row.demands, some.subject, some.name, unit.unit_name)[language]


def sign(person: Actor, slug: str = "beach", **changes: Any) -> DocumentView:
    """A signature of the leader's first member."""
    subject = Subject(member_id=documents.first_member(person, slug))
    sent = {"language": "zh", "strokes": STROKES, "idempotency_key": "key-00000001"} | changes
    if "text" not in sent:
        sent["text"] = text_of(person, sent["language"], slug).text
    with command(person) as ctx:
        made = service.sign(ctx, slug=slug, subject=str(subject), kind="waiver", **sent)
    return queries.document(made)


def make_sheet(document: DocumentView, workspace: Path, address: str = "") -> None:
    """What the worker does after a signature."""
    with command(SYSTEM) as ctx:
        work = service.sheet_to_make(ctx, document.newest.id)
    assert work is not None
    made = service.make_sheet(work, workspace, address)
    with command(SYSTEM) as ctx:
        service.keep_sheet(ctx, work, made)


def signature(document: DocumentView) -> Signature:
    return db.session.get_one(Signature, document.newest.id)

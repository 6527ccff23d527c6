"""Somebody who does not meet a rule, and how the committee approves him all the same (特批)."""

from __future__ import annotations

from datetime import date

from sqlalchemy import select

from app.actors import Actor
from app.commands import command
from app.competitions.models import Event
from app.extensions import db
from app.registrations import service
from app.registrations.models import Entry
from app.registrations.rules import Decision, DecisionKind, EntryId
from app.regulations import library
from app.regulations import service as regulations_service
from app.regulations.rules import Regulation
from tests.factories import accounts, registrations


def young_field() -> tuple[Actor, int]:
    """Two members of one unit: the second was born a day too late. Gives the committee and his entry."""
    registrations.competition()
    leader = registrations.leader(1)
    registrations.member(leader, 1)
    registrations.member(leader, 2, born=date(1990, 6, 15))
    registrations.submission(leader)
    entry_id = db.session.scalars(select(Entry.id).order_by(Entry.id.desc())).first()
    assert entry_id is not None
    make_young()
    return registrations.committee(), entry_id


def make_young() -> None:
    """The form refuses him, so the regulation is read as asking for more years than he has."""
    document = library.load("beach-games-landlord-2021").document
    for rule in document["eligibility"]:
        if rule["rule"] == "born_on_or_before":
            rule["date"] = "1986-12-31"
    with command(accounts.user(registrations.ORGANISER)) as ctx:
        event = ctx.session.scalars(select(Event)).one()
        event.regulation_version_id = regulations_service.freeze(ctx, Regulation.from_document(document))


def decide(committee: Actor, entry_id: int, reason: str = "", *, override: bool = False) -> None:
    with command(committee) as ctx:
        service.decide(
            ctx,
            slug="beach",
            decisions=[Decision(EntryId(entry_id), DecisionKind.APPROVE, reason, override=override)],
        )

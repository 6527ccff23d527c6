"""Readers of reports with mailboxes, what they received, and the jobs. The functions need an application context."""

from __future__ import annotations

from flask import current_app
from sqlalchemy import select

from app import clock
from app.accounts.models import User
from app.actors import SYSTEM, Actor
from app.commands import command
from app.database import person_hash
from app.extensions import db
from app.notifications.letters import LetterKind
from app.notifications.models import Message
from app.reports import queries, service
from tests.factories import registrations


def mailbox(person: Actor, language: str = "zh") -> str:
    """Give a person a confirmed mailbox and a language. Returns the address."""
    user = db.session.get_one(User, person.user_id)
    user.email = f"reader{person.user_id}@example.org"
    user.email_hash, user.email_confirmed_at = person_hash(user.email), clock.now()
    user.language = language
    db.session.commit()
    return user.email


def committee_mailbox(slug: str = "beach", language: str = "zh") -> str:
    return mailbox(registrations.committee(slug), language)


def write(minutes: int = 30) -> int:
    """What the worker does every half minute. How many letters."""
    written = 0
    for competition_id in queries.due_competitions(clock.now()):
        prepared = service.prepare(competition_id, clock.now(), report_minutes=minutes)
        with command(SYSTEM) as ctx:
            written += service.write(ctx, competition_id, prepared=prepared, report_minutes=minutes)
    return written


def digest() -> int:
    """What the worker does every minute. How many letters."""
    written = 0
    for competition_id in queries.due_digests(clock.now()):
        with command(SYSTEM) as ctx:
            written += service.tell_digest(
                ctx, competition_id, waits=current_app.extensions["saishi_waiting"]
            )
    return written


def letters(kind: LetterKind, address: str | None = None) -> list[Message]:
    """What was written of a kind, in the order written; to one address or to all."""
    db.session.rollback()
    found = db.session.scalars(select(Message).where(Message.kind == kind.value).order_by(Message.id))
    return [each for each in found if address is None or each.recipient == address]

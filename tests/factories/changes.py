"""Changes after the deadline of regulation A, which allows them by a written application."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.extensions import db
from app.registrations import queries
from app.registrations.models import Entry
from app.registrations.queries import ChangeView
from app.registrations.rules import EntryId, MemberForm
from app.registrations.rules.changes import ChangeKind
from app.registrations.service import changes as service
from app.text import BEIJING
from app.uploads.models import Upload
from tests.factories import accounts, registrations

LATE = datetime(2021, 10, 31, 18, 0, 1, tzinfo=BEIJING)
"""The first second in which an application is taken."""

_keys = itertools.count(1)


def letter(person: Actor, slug: str = "beach", pages: int = 1) -> str:
    """The token of a ready upload of a letter, a row without content."""
    with command(person) as ctx:
        upload = Upload(
            token=secrets.token_urlsafe(32),
            user_id=person.user_id,
            competition_id=competitions.competition_id(slug),
            idempotency_key=secrets.token_urlsafe(16),
            purpose="letter",
            name="申请.jpg",
            state="ready",
            size=1000,
            received=1000,
            max_bytes=1000,
            max_pages=5,
            media_type="image/jpeg",
            pages=pages,
            created_at=ctx.now,
            touched_at=ctx.now,
            finished_at=ctx.now,
            cleaned_at=ctx.now,
        )
        ctx.session.add(upload)
        ctx.session.flush()
        ctx.record(AuditAction.UPLOAD_CHECKED, upload)
        return upload.token


def form(serial: int, **changes: Any) -> MemberForm:
    """A player who was not there before, as the service takes him."""
    return MemberForm(**registrations.member_form(serial, **changes))


def applied(
    person: Actor,
    kind: str = "add",
    *,
    slug: str = "beach",
    entry_id: int | None = None,
    members: Sequence[MemberForm] = (),
    **changes: Any,
) -> ChangeView:
    """An application with reason and letter, for the person's first entry where it needs one."""
    competition = competitions.competition(slug)
    assert person.user_id is not None
    if entry_id is None and kind != "add":
        entry_id = queries.my(person.user_id, competition).entries[0].entry_id
    values: dict[str, Any] = {
        "reason": "原选手受伤住院",
        "idempotency_key": f"change-of-a-test-{next(_keys)}",
    }
    if kind != "withdraw" and "tokens" not in changes:
        values["tokens"] = [letter(person, slug)]
    with command(person) as ctx:
        number = service.apply(
            ctx,
            slug=slug,
            kind=ChangeKind(kind),
            entry_id=None if entry_id is None else EntryId(entry_id),
            members=members,
            **(values | changes),
        )
    return view(number, slug)


def decided(
    number: int, *, grant: bool = True, answer: str = "", slug: str = "beach", by: Actor | None = None
) -> ChangeView:
    with command(by or registrations.committee(slug)) as ctx:
        service.decide(ctx, slug=slug, number=number, grant=grant, answer=answer, address="/here")
    return view(number, slug)


def colleague(slug: str = "beach") -> Actor:
    """Another member of the committee."""
    return accounts.user(9301, Role.COMMITTEE, competition_id=competitions.competition_id(slug))


def view(number: int, slug: str = "beach") -> ChangeView:
    found = queries.application(competitions.competition(slug).event, number)
    assert found is not None
    return found


def states(slug: str = "beach") -> list[str]:
    """The state of every entry, in the order in which they were made."""
    db.session.rollback()
    event_id = competitions.competition(slug).event.id
    return list(db.session.scalars(select(Entry.state).where(Entry.event_id == event_id).order_by(Entry.id)))


def taken_back(person: Actor, number: int, slug: str = "beach") -> None:
    with command(person) as ctx:
        service.take_back(ctx, slug=slug, number=number)

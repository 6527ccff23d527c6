"""Objections at each point of their way, with files as rows. Everything needs an application context."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from app import clock
from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.extensions import db
from app.objections import service
from app.objections.models import Objection
from app.objections.queries import own
from app.objections.rules import Decision, Outcome
from app.objections.service import Files
from app.registrations.rules import EntryId
from app.uploads.models import StoredFile, Upload, UploadFile
from tests.factories import accounts

MEMBER = 9300
"""Phone serial of the first member of the committee who handles objections; others follow."""

_numbers = itertools.count(1)


def member(number: int = 0, slug: str = "beach") -> Actor:
    """A member of the competition's committee who is nothing else."""
    return accounts.user(MEMBER + number, Role.COMMITTEE, competition_id=competitions.competition_id(slug))


def upload(person: Actor, purpose: str, slug: str = "beach", pages: int = 1) -> str:
    """A ready upload of this person, as rows: no object is behind it. Its token."""
    number = next(_numbers)
    with command(person) as ctx:
        now = ctx.now
        row = Upload(
            token=f"objection-upload-{number}",
            user_id=person.user_id,
            competition_id=competitions.competition_id(slug),
            idempotency_key=f"objection-key-{number}",
            purpose=purpose,
            name="照片.jpg",
            state="ready",
            size=10,
            received=10,
            max_bytes=100,
            max_pages=20,
            media_type="image/jpeg",
            pages=pages,
            created_at=now,
            touched_at=now,
            finished_at=now,
            cleaned_at=now,
        )
        ctx.session.add(row)
        ctx.session.flush()
        for role, page in [
            ("content", 0),
            *((r, p + 1) for p in range(pages) for r in ("preview", "thumbnail")),
        ]:
            stored = StoredFile(
                key=f"objection/{number}/{role}/{page}",
                wrapped_key="w",
                key_id="k",
                size=10,
                sha256="0" * 64,
                media_type="image/jpeg",
                created_at=now,
            )
            ctx.session.add(stored)
            ctx.session.flush()
            ctx.session.add(
                UploadFile(upload_id=row.id, role=role, page=page, width=10, height=10, file_id=stored.id)
            )
        ctx.session.flush()
        ctx.record(AuditAction.UPLOAD_RECEIVED, row)
        return str(row.token)


def papers(person: Actor, slug: str = "beach", *, letter: bool = True, evidence: bool = True) -> Files:
    return Files(
        [upload(person, "letter", slug)] if letter else [],
        [upload(person, "evidence", slug)] if evidence else [],
    )


def lodged(
    person: Actor,
    entries: Sequence[int],
    slug: str = "beach",
    *,
    files: Files | None = None,
    key: str | None = None,
    **changes: Any,
) -> str:
    """An objection of this leader; its number."""
    values: dict[str, Any] = {
        "list_number": None,
        "entries": entries,
        "text": "该选手不是该单位的员工，见所附材料。",
        "reporter_name": "钱试举",
        "files": papers(person, slug) if files is None else files,
        "idempotency_key": key or f"objection-form-{next(_numbers)}",
        "language": "zh",
    }
    with command(person) as ctx:
        objection_id = service.lodge(ctx, slug=slug, **(values | changes))
    return number_of(objection_id)


def accepted(person: Actor, entries: Sequence[int], by: Actor, slug: str = "beach") -> str:
    """As ``lodged``, and taken up by ``by``."""
    number = lodged(person, entries, slug)
    with command(by) as ctx:
        service.accept(ctx, slug=slug, number=number, revision=None)
    return number


def heard(number: str, by: Actor, unit_id: int, leader: Actor | None = None, slug: str = "beach") -> int:
    """The unit is asked until two days from now; where its ``leader`` is given, he answers at once. The hearing's id."""
    with command(by) as ctx:
        hearing_id = service.ask(
            ctx,
            slug=slug,
            number=number,
            revision=None,
            unit_id=unit_id,
            question="请说明该选手与贵单位的用工关系。",
            due_at=clock.now() + timedelta(days=2),
        )
    if leader is not None:
        with command(leader) as ctx:
            service.answer(ctx, slug=slug, hearing_id=hearing_id, text="该选手是我单位员工。")
    return hearing_id


def decision(upheld: bool, entries: Sequence[int] = (), **changes: Any) -> Decision:
    """Every named entry loses its place."""
    values: dict[str, Any] = {
        "upheld": upheld,
        "outcomes": {EntryId(each): Outcome.WITHDRAWN for each in entries},
        "names": {},
        "reasons": "经核实，所附材料属实，不符合规程的用工要求。"
        if upheld
        else "所附材料不能证明所称的情况。",
        "summary": "一名选手不符合用工要求，取消资格。" if upheld else "反映的情况查无实据。",
        "unheard": "",
    }
    return Decision(**(values | changes))


def decided(
    number: str, by: Actor, wanted: Decision, *, revision: int | None = None, slug: str = "beach"
) -> None:
    seen = row(number).revision if revision is None else revision
    with command(by) as ctx:
        service.decide(ctx, slug=slug, number=number, revision=seen, decision=wanted)


def row(number: str) -> Objection:
    db.session.expire_all()
    return db.session.scalars(select(Objection).where(Objection.number == number)).one()


def number_of(objection_id: int) -> str:
    return db.session.get_one(Objection, objection_id).number


def token_of(number: str) -> str:
    return own.token_of(row(number).id)

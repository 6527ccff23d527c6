"""Documents as they wait for review, with their pages as rows; no file behind them unless a test stores one."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Mapping
from datetime import datetime

from PIL import Image, ImageDraw
from sqlalchemy import select

from app.actors import SYSTEM, Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import Document, DocumentPage, DocumentRevision
from app.documents.rules.states import DocumentId
from app.extensions import db
from app.files import store
from app.files.store import Sealed
from app.registrations.models import Member, Unit
from app.uploads.models import StoredFile, Upload, UploadFile
from tests.factories import accounts

REVIEWER = 9100
"""Phone serial of the first reviewer; others follow."""

_numbers = itertools.count(1)

SAMPLE = {"sampled_on": "2021-11-28", "result": "negative"}
"""What a test report in time says: check-in of regulation A is on 2 December."""


def photo(width: int = 900, height: int = 1200) -> bytes:
    """A sheet of paper with lines on it, as a JPEG; its two upper corners differ, so a turn is seen."""
    image = Image.new("RGB", (width, height), "#f4f1e8")
    draw = ImageDraw.Draw(image)
    draw.rectangle((width // 20, height // 20, width * 19 // 20, height * 19 // 20), outline="#335", width=3)
    draw.rectangle((width // 10, height // 12, width // 4, height // 6), fill="#a22")
    for line in range(8):
        top = height * (20 + 9 * line) // 100
        draw.rectangle(
            (width // 10, top, width * (85 - line % 3 * 10) // 100, top + height // 50), fill="#667"
        )
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()


def reviewer(number: int = 0, slug: str = "beach", role: Role = Role.COMMITTEE) -> Actor:
    """A reviewer of the competition who leads no unit. Needs an application context."""
    return accounts.user(REVIEWER + number, role, competition_id=competitions.competition_id(slug))


def document(
    leader: Actor,
    kind: str = "nucleic_acid_report",
    values: Mapping[str, str] = SAMPLE,
    *,
    member: int | None = 0,
    pages: int = 1,
    picture: bytes = b"",
    at: datetime | None = None,
    slug: str = "beach",
) -> DocumentId:
    """A document of the leader's nth member, or of the unit (None), handed in with ``pages`` photos."""
    competition = competitions.competition(slug)
    with command(SYSTEM) as ctx:
        unit = db.session.scalars(
            select(Unit).where(Unit.leader_user_id == leader.user_id, Unit.competition_id == competition.id)
        ).one()
        members = db.session.scalars(
            select(Member.id).where(Member.unit_id == unit.id).order_by(Member.id)
        ).all()
        member_id = None if member is None else members[member]
        made = Document(
            competition_id=competition.id,
            unit_id=unit.id,
            member_id=member_id,
            subject=f"u{unit.id}" if member_id is None else f"m{member_id}",
            kind=kind,
            state="uploaded",
            revision=0,
            handed_in_at=at or ctx.now,
        )
        ctx.session.add(made)
        ctx.session.flush()
        _revise(made, leader, values, pages=pages, at=at or ctx.now, picture=picture)
        ctx.record(AuditAction.MEMBER_CHANGED, made)
        return DocumentId(made.id)


def again(document_id: int, leader: Actor, values: Mapping[str, str] = SAMPLE, *, pages: int = 1) -> int:
    """The leader hands the document in anew. Returns the number of the revision."""
    with command(SYSTEM) as ctx:
        made = ctx.session.get_one(Document, document_id, with_for_update=True)
        _revise(made, leader, values, pages=pages, at=ctx.now)
        made.state, made.handed_in_at = "uploaded", ctx.now
        ctx.record(AuditAction.MEMBER_CHANGED, made)
        return made.revision


def _revise(
    document: Document,
    leader: Actor,
    values: Mapping[str, str],
    *,
    pages: int,
    at: datetime,
    picture: bytes = b"",
) -> None:
    document.revision += 1
    version = competitions.competition_by_id(document.competition_id).event.regulation_version_id
    revision = DocumentRevision(
        document_id=document.id,
        number=document.revision,
        idempotency_key=f"key-{next(_numbers):08d}",
        handed_in_by_id=leader.user_id,
        handed_in_at=at,
        regulation_version_id=version,
        values=json.dumps(dict(values)),
    )
    db.session.add(revision)
    db.session.flush()
    for position in range(pages):
        upload = _upload(document.competition_id, leader, at, picture)
        db.session.add(DocumentPage(revision_id=revision.id, position=position, upload_id=upload.id))
    db.session.flush()


def _upload(competition_id: int, leader: Actor, at: datetime, picture: bytes) -> Upload:
    number = next(_numbers)
    upload = Upload(
        token=f"token-{number}",
        user_id=leader.user_id,
        competition_id=competition_id,
        idempotency_key=f"key-{number:08d}",
        purpose="proof",
        state="ready",
        size=1000,
        received=1000,
        max_bytes=10_000,
        max_pages=10,
        media_type="image/jpeg",
        pages=1,
        created_at=at,
        touched_at=at,
        finished_at=at,
        cleaned_at=at,
        claimed_at=at,
    )
    db.session.add(upload)
    db.session.flush()
    for role, page in (("content", 0), ("preview", 1), ("thumbnail", 1)):
        key = f"reviews/{number}-{role}"
        sealed = store.write(key, [picture]) if picture else Sealed(key, "-", "-", 1000, "0" * 64)
        file = StoredFile(
            key=key,
            wrapped_key=sealed.wrapped_key,
            key_id=sealed.key_id,
            size=sealed.size,
            sha256=sealed.sha256,
            media_type="image/jpeg",
            created_at=at,
        )
        db.session.add(file)
        db.session.flush()
        db.session.add(
            UploadFile(upload_id=upload.id, role=role, page=page, width=800, height=600, file_id=file.id)
        )
    return upload

"""The worker's text check (文字核对): the pictures of a revision are read and compared with what was typed.

``reading_to_make`` takes the revision, ``read`` works with no transaction open, ``record_reading`` keeps what came of it. What
kills a reader is not tried again: the mark is a help, and a document without one is reviewed as before.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Select, and_, delete, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.documents.models import Document, DocumentReading, DocumentRevision, Signature
from app.documents.queries.desk import pictures_of, upload_of
from app.documents.queries.review import demands_of
from app.documents.rules import DocumentField, DocumentState
from app.documents.rules.reading import Finding, ReadingState, compare, packed
from app.documents.rules.review import PictureKind
from app.documents.rules.values import asked_fields
from app.extensions import db
from app.files import reading, store
from app.files.store import FileDamagedError, FileMissingError, Sealed
from app.jobs import Job
from app.registrations.models import Member
from app.uploads import queries as uploads
from app.uploads.rules import FileRole

MOST_PAGES = 4
"""Pages of one document that are read: name, number and dates stand on the first ones."""

LEASE = timedelta(minutes=10)
AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class ReadingWork:
    """What a worker needs to read one revision: its pictures, and what to compare."""

    revision_id: int
    pictures: tuple[Sealed, ...] = field(repr=False)
    name: str | None = field(repr=False)
    id_number: str | None = field(repr=False)
    fields: tuple[DocumentField, ...]
    values: Mapping[str, str] = field(repr=False)


def reading_to_make(ctx: CommandContext, revision_id: int) -> ReadingWork | None:
    """Take a revision that waits for review; None where the extra is not installed, it was taken, or nothing is to read.

    Whatever waits is taken once: one without a picture is noted as not read, so that nobody asks for it again.
    """
    if not reading.available():
        return None
    row = ctx.session.execute(
        select(DocumentRevision, Document)
        .join(
            Document,
            and_(Document.id == DocumentRevision.document_id, Document.revision == DocumentRevision.number),
        )
        .where(DocumentRevision.id == revision_id, Document.state == DocumentState.UPLOADED.value)
        .with_for_update(of=Document, key_share=True)  # who deletes it waits, or we find nothing
    ).one_or_none()
    if row is None or ctx.session.get(DocumentReading, revision_id) is not None:
        return None
    revision, document = row
    if ctx.session.get(Signature, revision_id) is not None:
        return None  # we wrote that sheet ourselves
    pictures = _pictures(document.id, revision.number)
    state = ReadingState.READING if pictures else ReadingState.FAILED
    ctx.session.add(DocumentReading(revision_id=revision_id, state=state.value, read_at=ctx.now))
    ctx.session.flush()
    if not pictures:
        _record(ctx, revision_id, state)
        return None
    ctx.continues(AuditAction.DOCUMENT_TEXT_CHECKED)
    competition = competitions.competition_by_id(document.competition_id)
    member = ctx.session.get(Member, document.member_id) if document.member_id is not None else None
    return ReadingWork(
        revision_id=revision_id,
        pictures=pictures,
        name=member.name if member else None,
        id_number=member.id_number if member else None,
        fields=asked_fields(demands_of(competition, document)),
        values=json.loads(revision.values),
    )


def _pictures(document_id: int, revision: int) -> tuple[Sealed, ...]:
    """A photo itself, which is larger than its preview; of a PDF the previews of its pages."""
    found = []
    for each in pictures_of(document_id, revision)[:MOST_PAGES]:
        photo = each.media_type == "image/jpeg"
        kind, page = (PictureKind.CONTENT, 0) if photo else (PictureKind.PREVIEW, each.page)
        upload_id = upload_of(document_id, each.revision, each.position, page, kind.value)
        found.append(uploads.stored(upload_id, FileRole(kind.value), page).sealed)
    return tuple(found)


def read(work: ReadingWork, workspace: Path) -> dict[str, Finding] | None:
    """What the reader found; None where it failed. Plain pictures are only in a private folder, gone when this returns.

    Raises ``StoreDownError``, which says nothing about the document: ``give_reading_back``.
    """
    folder = workspace / f"reading-{work.revision_id}"
    workspace.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        paths = []
        for number, sealed in enumerate(work.pictures):
            paths.append(folder / f"{number}.jpg")
            with paths[-1].open("wb") as file:
                file.writelines(store.read(sealed))
        lines = reading.read_apart(paths, folder)
    except (reading.ReadingFailedError, FileMissingError, FileDamagedError):
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return compare(
        [line.text for line in lines],
        name=work.name,
        id_number=work.id_number,
        fields=work.fields,
        values=work.values,
    )


def record_reading(ctx: CommandContext, work: ReadingWork, found: Mapping[str, Finding] | None) -> None:
    """Keep what was found, encrypted. A revision that was withdrawn or deleted meanwhile has no row any more."""
    row = ctx.session.scalar(
        select(DocumentReading)
        .where(DocumentReading.revision_id == work.revision_id)
        .with_for_update(key_share=True)
    )
    if row is None or row.state != ReadingState.READING.value:
        return
    row.state = (ReadingState.FAILED if found is None else ReadingState.DONE).value
    row.findings, row.read_at = (None if found is None else packed(found)), ctx.now
    ctx.session.flush()
    _record(ctx, work.revision_id, ReadingState(row.state), found)


def _record(
    ctx: CommandContext,
    revision_id: int,
    state: ReadingState,
    found: Mapping[str, Finding] | None = None,
) -> None:
    ctx.record(
        AuditAction.DOCUMENT_TEXT_CHECKED,
        ("DocumentRevision", revision_id),
        state=state.value,
        found={place: each.agreement.value for place, each in (found or {}).items()},
    )


def give_reading_back(ctx: CommandContext, work: ReadingWork) -> None:
    """Let the revision wait again: its pictures could not be fetched. The sweep asks for it."""
    ctx.session.execute(
        delete(DocumentReading).where(
            DocumentReading.revision_id == work.revision_id,
            DocumentReading.state == ReadingState.READING.value,
        )
    )
    ctx.continues(AuditAction.DOCUMENT_TEXT_CHECKED)


def next_to_read() -> int | None:
    """The revision that waits longest for its check; None where none does, or the extra is not installed."""
    if not reading.available():
        return None
    return db.session.scalars(_waiting().limit(1)).first()


def _waiting() -> Select[int]:
    """The newest revisions of documents that wait for review and were not read yet, the oldest first."""
    return (
        select(DocumentRevision.id)
        .join(
            Document,
            and_(Document.id == DocumentRevision.document_id, Document.revision == DocumentRevision.number),
        )
        .outerjoin(DocumentReading, DocumentReading.revision_id == DocumentRevision.id)
        .outerjoin(Signature, Signature.revision_id == DocumentRevision.id)
        .where(
            Document.state == DocumentState.UPLOADED.value,
            DocumentReading.revision_id.is_(None),
            Signature.revision_id.is_(None),
        )
        .order_by(DocumentRevision.id)
    )


def sweep_readings(ctx: CommandContext) -> int:
    """Ask again for checks whose job was lost, and give up those whose worker died. How many."""
    if not reading.available():
        return 0
    dead = ctx.session.scalars(
        select(DocumentReading).where(
            DocumentReading.state == ReadingState.READING.value, DocumentReading.read_at < ctx.now - LEASE
        )
    ).all()
    for row in dead:
        row.state = ReadingState.FAILED.value
        _record(ctx, row.revision_id, ReadingState.FAILED)
    ctx.session.flush()
    waiting = ctx.session.scalars(_waiting().limit(AT_ONCE)).all()
    for revision_id in waiting:
        ctx.after_commit(Job.READ_DOCUMENT, revision_id=revision_id)
    return len(waiting) + len(dead)

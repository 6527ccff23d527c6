"""What every way of handing in shares: whose row it is, the stored document under a lock, and its next revision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from sqlalchemy import select

from app.commands import CommandContext
from app.competitions.queries import CompetitionView
from app.database import lock_name
from app.documents import queries
from app.documents.models import Document, DocumentRevision
from app.documents.queries import UnitLists
from app.documents.rules import DocumentState, NotRequiredError, Row, Subject, UnknownDocumentError
from app.registrations.rules import UnitMissingError
from app.regulations.rules import DOCUMENT_KINDS


def row_of(
    ctx: CommandContext, competition: CompetitionView, user_id: int, whose: Subject, kind: str
) -> tuple[UnitLists, Row]:
    """What is asked of this subject, which is the leader's own unit or one of its members; others are unknown."""
    unit = queries.my_lists(competition, user_id, ctx.now)
    if unit is None:
        raise UnitMissingError
    found = next((each for each in unit.lists if each.subject == whose), None)
    row = found.row(kind) if found else None
    if row is not None and row.required:
        return unit, row
    if found is not None and kind in DOCUMENT_KINDS:
        raise NotRequiredError(DOCUMENT_KINDS[kind])
    raise UnknownDocumentError


def hold_subjects(ctx: CommandContext, subjects: Iterable[Subject]) -> None:
    """Whoever else adds documents of these people, or deletes all of them, waits until this command ends.

    Taken before any document is: else what is signed while its member leaves would stay, and nobody would look for it.
    """
    for whose in sorted(map(str, subjects)):
        lock_name(ctx.session, f"documents of {whose}")


def stored_of(ctx: CommandContext, whose: Subject, kind: str) -> Document | None:
    """The document, if there is one; whoever else hands it in, decides it, or lets its member go, waits for this command."""
    hold_subjects(ctx, [whose])
    lock_name(ctx.session, f"document {whose} {kind}")  # before its first revision there is no row to lock
    found: Document | None = ctx.session.scalar(
        select(Document)
        .where(Document.subject == str(whose), Document.kind == kind)
        .with_for_update(key_share=True)  # the committee may be deciding it
        .execution_options(populate_existing=True)  # as it is now, whatever this command has read before
    )
    return found


def repeated(ctx: CommandContext, stored: Document, idempotency_key: str) -> bool:
    made = ctx.session.scalar(
        select(DocumentRevision.id).where(
            DocumentRevision.document_id == stored.id, DocumentRevision.idempotency_key == idempotency_key
        )
    )
    return made is not None


def wording_of(ctx: CommandContext, stored: Document) -> str | None:
    """What the undertaking of the newest revision said; for a correction that leaves its pages as they are."""
    found: str | None = ctx.session.scalar(
        select(DocumentRevision.wording_sha256).where(
            DocumentRevision.document_id == stored.id, DocumentRevision.number == stored.revision
        )
    )
    return found


def revise(
    ctx: CommandContext,
    stored: Document | None,
    *,
    competition: CompetitionView,
    unit: UnitLists,
    whose: Subject,
    row: Row,
    user_id: int,
    idempotency_key: str,
    values: Mapping[str, str],
    wording_sha256: str | None = None,
) -> tuple[Document, DocumentRevision]:
    """The document with its next revision, which waits for review."""
    if stored is None:
        stored = Document(
            competition_id=competition.id,
            unit_id=unit.unit_id,
            member_id=whose.member_id,
            subject=str(whose),
            kind=row.kind,
            revision=0,
        )
        ctx.session.add(stored)
    stored.state, stored.handed_in_at = DocumentState.UPLOADED.value, ctx.now
    stored.decided_at = stored.decided_by_id = None
    stored.revision += 1
    ctx.session.flush()
    version = next(event for event in competition.events if event.id == row.strictest.event_id)
    revision = DocumentRevision(
        document_id=stored.id,
        number=stored.revision,
        idempotency_key=idempotency_key,
        handed_in_by_id=user_id,
        handed_in_at=ctx.now,
        regulation_version_id=version.regulation_version_id,
        values=json.dumps(values, ensure_ascii=False, sort_keys=True),
        wording_sha256=wording_sha256,
    )
    ctx.session.add(revision)
    ctx.session.flush()
    return stored, revision

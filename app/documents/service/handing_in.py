"""Handing in a document (提交材料), correcting it, taking it back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.documents import queries
from app.documents.models import Document, DocumentPage, DocumentReading, DocumentRevision
from app.documents.queries import UnitLists
from app.documents.rules import (
    PAGES,
    BeingReviewedError,
    DocumentId,
    DocumentRefusedError,
    DocumentState,
    NothingToWithdrawError,
    NotRequiredError,
    Row,
    Subject,
    UnknownDocumentError,
    check,
    require_open,
)
from app.registrations import service as registrations
from app.registrations.rules import UnitMissingError
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T
from app.uploads import queries as upload_queries
from app.uploads import service as uploads
from app.uploads.rules import MIB

PURPOSE = "proof"
"""For what the files of a document are uploaded (`app.uploads.rules.PURPOSES`)."""


def hand_in(
    ctx: CommandContext,
    *,
    slug: str,
    subject: str,
    kind: str,
    idempotency_key: str,
    tokens: Sequence[str] = (),
    values: Mapping[str, str] | None = None,
) -> DocumentId:
    """Hand in a document of a member (``m12``) or of the unit (``u3``) as a new revision; older ones stay.

    ``tokens`` name the uploads in order, ``values`` are the kind's fields as typed. The same key again changes nothing.
    After 需补正 only the flagged places are taken; the rest stands as it was. Raises ``DocumentRefusedError`` with every
    wrong field, ``HandInClosedError``, ``NotRequiredError``, ``UnknownDocumentError``.
    """
    user_id = registrations.require_consent(ctx, slug)
    competition = competitions.competition(slug)
    whose = Subject.parse(subject)
    stored = _stored(ctx, whose, kind)  # before it is judged: a reviewer may be deciding it
    unit, row = _row(ctx, competition, user_id, whose, kind)
    if stored is not None and _repeated(ctx, stored, idempotency_key):
        return DocumentId(stored.id)
    require_open(row)
    checked, problems = check(row, values or {}, tokens, beijing_date(ctx.now))
    if PAGES not in problems and (too_large := _too_large(user_id, row, tokens)):
        problems[PAGES] = too_large
    if problems:
        raise DocumentRefusedError(
            {("uploads" if name == PAGES else f"values.{name}"): text for name, text in problems.items()},
            row.clause,
        )
    if stored is None:
        stored = Document(
            competition_id=competition.id,
            unit_id=unit.unit_id,
            member_id=whose.member_id,
            subject=subject,
            kind=kind,
            revision=0,
        )
        ctx.session.add(stored)
    was = stored.state
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
        values=json.dumps(checked, ensure_ascii=False, sort_keys=True),
    )
    ctx.session.add(revision)
    ctx.session.flush()
    if tokens:
        claimed = uploads.claim(
            ctx,
            tokens=tokens,
            user_id=user_id,
            competition_id=competition.id,
            purpose=PURPOSE,
            most_pages=row.max_pages,
        )
        for position, upload_id in enumerate(claimed):
            ctx.session.add(DocumentPage(revision_id=revision.id, position=position, upload_id=upload_id))
        ctx.session.flush()
    ctx.record(
        AuditAction.DOCUMENT_HANDED_IN,
        stored,
        kind=kind,
        revision=stored.revision,
        was=was,
        files=len(tokens),
        regulation_version_id=revision.regulation_version_id,
    )
    return DocumentId(stored.id)


def withdraw(ctx: CommandContext, *, slug: str, subject: str, kind: str) -> None:
    """Take back a document that nobody has decided yet: its newest files and what was typed with them are deleted at once.

    What was handed in and decided before stays until the purge. A later one may be handed in.
    Raises ``NothingToWithdrawError``, and ``BeingReviewedError`` while a reviewer holds it.
    """
    user_id = registrations.require_consent(ctx, slug)
    whose = Subject.parse(subject)
    stored = _stored(ctx, whose, kind)
    _row(ctx, competitions.competition(slug), user_id, whose, kind)
    if stored is None or stored.state != DocumentState.UPLOADED:
        raise NothingToWithdrawError
    if stored.claimed_by_id is not None and stored.claimed_until and stored.claimed_until > ctx.now:
        raise BeingReviewedError
    revision = ctx.session.scalars(
        select(DocumentRevision).where(
            DocumentRevision.document_id == stored.id, DocumentRevision.number == stored.revision
        )
    ).one()
    pages = ctx.session.scalars(select(DocumentPage).where(DocumentPage.revision_id == revision.id)).all()
    upload_ids = [page.upload_id for page in pages]
    ctx.session.execute(delete(DocumentReading).where(DocumentReading.revision_id == revision.id))
    for page in pages:
        ctx.session.delete(page)
    ctx.session.flush()
    erased = uploads.erase(ctx, upload_ids)
    revision.values = "{}"
    stored.state = DocumentState.WITHDRAWN.value
    stored.claimed_by_id = stored.claimed_until = None
    ctx.session.flush()
    ctx.record(
        AuditAction.DOCUMENT_WITHDRAWN, stored, kind=kind, revision=stored.revision, erased=len(erased)
    )


def _row(
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


def _too_large(user_id: int, row: Row, tokens: Sequence[str]) -> T | None:
    """What a text allows for one file may be less than every proof may have."""
    most = row.max_megabytes * MIB
    large = [each for each in upload_queries.some_of_mine(user_id, tokens) if each.size > most]
    return T("每个文件不能超过 %(most)s MB。", most=row.max_megabytes) if large else None


def _stored(ctx: CommandContext, whose: Subject, kind: str) -> Document | None:
    found: Document | None = ctx.session.scalar(
        select(Document)
        .where(Document.subject == str(whose), Document.kind == kind)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)  # as it is now, whatever this command has read before
    )
    return found


def _repeated(ctx: CommandContext, stored: Document, idempotency_key: str) -> bool:
    made = ctx.session.scalar(
        select(DocumentRevision.id).where(
            DocumentRevision.document_id == stored.id, DocumentRevision.idempotency_key == idempotency_key
        )
    )
    return made is not None

"""Handing in a document (提交材料), correcting it, taking it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.documents import queries
from app.documents.models import DocumentPage, DocumentReading, DocumentRevision, Signature
from app.documents.rules import (
    PAGES,
    PURPOSE,
    BeingReviewedError,
    DocumentId,
    DocumentRefusedError,
    DocumentState,
    NothingToWithdrawError,
    Row,
    Subject,
    accepts,
    check,
    require_open,
)
from app.documents.rules.undertaking import wording_sha256
from app.documents.service.revisions import repeated, revise, row_of, stored_of, wording_of
from app.jobs import Job
from app.registrations import service as registrations
from app.text import T
from app.uploads import queries as upload_queries
from app.uploads import service as uploads
from app.uploads.rules import MIB


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
    stored = stored_of(ctx, whose, kind)  # before it is judged: a reviewer may be deciding it
    unit, row = row_of(ctx, competition, user_id, whose, kind)
    if stored is not None and repeated(ctx, stored, idempotency_key):
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
    wording = None
    if row.signable and tokens:  # on paper: it is taken to say what is asked today, and somebody looks
        asked = queries.to_sign(competition, row.demands, whose, unit.list_of(whose).name, unit.unit_name)
        wording = wording_sha256(asked.values())
    elif row.signable and stored is not None:
        wording = wording_of(ctx, stored)
    was = stored.state if stored is not None else None
    stored, revision = revise(
        ctx,
        stored,
        competition=competition,
        unit=unit,
        whose=whose,
        row=row,
        user_id=user_id,
        idempotency_key=idempotency_key,
        values=checked,
        wording_sha256=wording,
    )
    if tokens:
        claimed = uploads.claim(
            ctx,
            tokens=tokens,
            user_id=user_id,
            competition_id=competition.id,
            purpose=PURPOSE,
            wanted=accepts(row),
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
    ctx.after_commit(Job.READ_DOCUMENT, revision_id=revision.id)
    return DocumentId(stored.id)


def withdraw(ctx: CommandContext, *, slug: str, subject: str, kind: str) -> None:
    """Take back a document that nobody has decided yet: its newest files and what was typed with them are deleted at once.

    What was handed in and decided before stays until the purge. A later one may be handed in.
    Raises ``NothingToWithdrawError``, and ``BeingReviewedError`` while a reviewer holds it.
    """
    user_id = registrations.require_consent(ctx, slug)
    whose = Subject.parse(subject)
    stored = stored_of(ctx, whose, kind)
    row_of(ctx, competitions.competition(slug), user_id, whose, kind)
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
    ctx.session.execute(delete(Signature).where(Signature.revision_id == revision.id))
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


def _too_large(user_id: int, row: Row, tokens: Sequence[str]) -> T | None:
    """What a text allows for one file may be less than every proof may have."""
    most = row.max_megabytes * MIB
    large = [each for each in upload_queries.some_of_mine(user_id, tokens) if each.size > most]
    return T("每个文件不能超过 %(most)s MB。", most=row.max_megabytes) if large else None

"""Deleting documents for good, with everything that hangs on them; for the purge and for a member's request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select, update

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.documents.models import (
    DeletionRequest,
    Document,
    DocumentDecision,
    DocumentPage,
    DocumentReading,
    DocumentRequest,
    DocumentRevision,
    DocumentWarning,
    Signature,
)
from app.documents.rules import Subject
from app.documents.rules.review import LEADER
from app.documents.service.revisions import hold_subjects
from app.registrations.rules import MemberId
from app.uploads import queries as uploads
from app.uploads import service as uploads_service
from app.uploads.models import StoredFile


@dataclass(frozen=True, slots=True)
class ErasedFile:
    """One object whose row, and with it the only key, is gone. ``key`` names the object, which is still to be deleted."""

    kind: str
    role: str
    key: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Erased:
    """What was deleted: rows by table, and every file."""

    rows: Mapping[str, int]
    files: tuple[ErasedFile, ...]


def erase_documents(ctx: CommandContext, document_ids: Sequence[int]) -> Erased:
    """Delete documents: revisions, typed values, decisions, readings, signatures, uploads with pieces, previews, thumbnails.

    The objects' data keys go with the rows; jobs that delete the objects are sent after the commit. Whoever calls has
    asked for permission, and records it.
    """
    if not document_ids:
        return Erased({}, ())
    kinds: dict[int, str] = {
        row.id: row.kind
        for row in ctx.session.execute(
            select(Document.id, Document.kind).where(Document.id.in_(document_ids)).with_for_update()
        )
    }
    revisions: dict[int, str] = {
        row.id: kinds[row.document_id]
        for row in ctx.session.execute(
            select(DocumentRevision.id, DocumentRevision.document_id).where(
                DocumentRevision.document_id.in_(kinds)
            )
        )
    }
    pages: dict[int, str] = {
        row.upload_id: revisions[row.revision_id]
        for row in ctx.session.execute(
            select(DocumentPage.upload_id, DocumentPage.revision_id).where(
                DocumentPage.revision_id.in_(revisions)
            )
        )
    }
    sheets = ctx.session.execute(
        select(Signature.revision_id, StoredFile)
        .join(StoredFile, StoredFile.id == Signature.pdf_id)
        .where(Signature.revision_id.in_(revisions))
    ).all()
    kept = uploads.kept(pages)
    of_uploads = {each.key for each in kept}  # a signed sheet is shown, and kept, like an upload
    files = [
        ErasedFile(pages[each.upload_id], each.role, each.key, each.size, each.sha256) for each in kept
    ] + [
        ErasedFile(revisions[revision_id], "signed_sheet", file.key, file.size, file.sha256)
        for revision_id, file in sheets
        if file.key not in of_uploads
    ]
    sheet_ids = [file.id for _, file in sheets]
    rows = {"documents": len(kinds), "revisions": len(revisions), "uploads": len(pages)}
    ctx.session.execute(
        update(DeletionRequest).where(DeletionRequest.document_id.in_(kinds)).values(document_id=None)
    )
    for name, table in (
        ("readings", DocumentReading),
        ("signatures", Signature),
        ("decisions", DocumentDecision),
        ("pages", DocumentPage),
    ):
        mine = table.revision_id.in_(revisions)
        rows[name] = ctx.session.scalar(select(func.count()).select_from(table).where(mine)) or 0
        ctx.session.execute(delete(table).where(mine))
    ctx.session.execute(delete(DocumentRevision).where(DocumentRevision.id.in_(revisions)))
    ctx.session.execute(delete(Document).where(Document.id.in_(kinds)))
    uploads_service.erase(ctx, list(pages))
    uploads_service.erase_files(ctx, sheet_ids)
    return Erased(rows, tuple(files))


def erase_of_members(
    ctx: CommandContext, member_ids: Sequence[int], *, removed: bool, role: str = LEADER
) -> None:
    """Delete everything that documents keep of members who leave; of those whose rows go (``removed``) also what they asked for.

    The record names documents by id and kind, so that the access log of a member who stays can still be read.
    """
    hold_subjects(ctx, [Subject(member_id=MemberId(member_id)) for member_id in member_ids])
    rows = ctx.session.execute(
        select(Document.id, Document.kind, Document.member_id).where(Document.member_id.in_(member_ids))
    ).all()
    erased = erase_documents(ctx, [row.id for row in rows])
    subjects = [f"m{member_id}" for member_id in member_ids]
    ctx.session.execute(delete(DocumentWarning).where(DocumentWarning.subject.in_(subjects)))
    ctx.session.execute(delete(DocumentRequest).where(DocumentRequest.subject.in_(subjects)))
    if removed:
        ctx.session.execute(delete(DeletionRequest).where(DeletionRequest.member_id.in_(member_ids)))
    for member_id in member_ids:
        documents = {str(row.id): row.kind for row in rows if row.member_id == member_id}
        if documents:
            ctx.record(
                AuditAction.PERSONAL_DATA_DELETED,
                ("Member", member_id),
                documents=documents,
                role=role,
                files=len(erased.files),
            )

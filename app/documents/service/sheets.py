"""The sheet of a signed undertaking (PDF): made by a worker from the text and the strokes, kept like every other file.

The same signature gives the same bytes, so that a lost sheet can be made again and is the one whose fingerprint was noted.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.documents.models import Document, DocumentPage, DocumentRevision, Signature
from app.documents.rules.undertaking import SHEET_TRIES, drawing, read_strokes
from app.documents.sheets import signed_sheet
from app.files.cleaning import Limits, clean_apart
from app.jobs import Job
from app.uploads import service as uploads

PURPOSE = "undertaking"
AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class SheetWork:
    """What a worker needs to make a sheet."""

    revision_id: int
    text: str = field(repr=False)
    sha256: str
    strokes: str = field(repr=False)
    signed_at: datetime


def sheet_to_make(ctx: CommandContext, revision_id: int) -> SheetWork | None:
    """The signature whose sheet is missing; None if it is made or given up, or the signature was withdrawn.

    Counted when it is begun, as a worker that dies over it cannot say so. After ``SHEET_TRIES`` it is given up, on record.
    """
    row = ctx.session.get(Signature, revision_id, with_for_update=True)
    if row is None or row.pdf_id is not None or row.sheet_tries > SHEET_TRIES:
        return None
    row.sheet_tries += 1
    if row.sheet_tries > SHEET_TRIES:
        revision = ctx.session.get_one(DocumentRevision, revision_id)
        ctx.record(
            AuditAction.DOCUMENT_SHEET_GIVEN_UP,
            ("Document", revision.document_id),
            revision=revision.number,
            tries=SHEET_TRIES,
        )
        return None
    ctx.continues(AuditAction.DOCUMENT_SHEET_MADE)
    return SheetWork(row.revision_id, row.text, row.text_sha256, row.strokes, row.signed_at)


def make_sheet(work: SheetWork, workspace: Path, address: str) -> uploads.Ready:
    """Set the PDF, draw its previews in a child, and store them. ``address`` is the page where its fingerprint is checked.

    Plain bytes are only in a folder of ``workspace`` that nobody else may read; it is gone when this returns or raises.
    Raises ``StoreDownError``; the sweep tries again.
    """
    content = signed_sheet(
        work.text,
        sha256=work.sha256,
        drawing=drawing(read_strokes(work.strokes)),
        signed_at=work.signed_at,
        address=address,
    ).content
    workspace.mkdir(mode=0o700, parents=True, exist_ok=True)
    # of its own for each run: the sweep may have sent the job again while the first is at it
    folder = Path(tempfile.mkdtemp(prefix=f"sheet-{work.revision_id}-", dir=workspace))
    try:
        made = folder / "clean"
        made.mkdir(mode=0o700)
        sheet = folder / "sheet.pdf"
        sheet.write_bytes(content)
        seen = clean_apart(sheet, made, limits=Limits(), name="sheet.pdf")
        # the previews are of what the reader of strangers' files made of it; what is kept is our own file
        digest = hashlib.sha256(content).hexdigest()
        return uploads.store_made(replace(seen, content=sheet, size=len(content), sha256=digest))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keep_sheet(ctx: CommandContext, work: SheetWork, made: uploads.Ready) -> None:
    """Note the sheet; if another worker was faster, or the signature is gone, only what this one stored is deleted."""
    # the document first, as whoever deletes it does: he finds the sheet, or we find that there is no signature any more
    document = ctx.session.scalar(
        select(Document)
        .join(DocumentRevision, DocumentRevision.document_id == Document.id)
        .where(DocumentRevision.id == work.revision_id)
        .with_for_update(of=Document, key_share=True)
    )
    row = ctx.session.get(Signature, work.revision_id) if document is not None else None
    if document is None or row is None or row.pdf_id is not None:
        uploads.forget_made(ctx, made)
        return
    revision = ctx.session.get_one(DocumentRevision, work.revision_id)
    upload_id, row.pdf_id = uploads.keep_made(
        ctx,
        made,
        user_id=revision.handed_in_by_id,
        competition_id=document.competition_id,
        purpose=PURPOSE,
        name="undertaking.pdf",
    )
    ctx.session.add(DocumentPage(revision_id=revision.id, position=0, upload_id=upload_id))
    ctx.session.flush()
    ctx.record(
        AuditAction.DOCUMENT_SHEET_MADE,
        document,
        revision=revision.number,
        sha256=made.files[0].sealed.sha256,
        text_sha256=row.text_sha256,
    )


def give_sheet_back(ctx: CommandContext, work: SheetWork) -> None:
    """The store was down: nothing is wrong with the signature, so this try does not count."""
    row = ctx.session.get(Signature, work.revision_id, with_for_update=True)
    if row is not None and 0 < row.sheet_tries <= SHEET_TRIES:
        row.sheet_tries -= 1
        ctx.continues(AuditAction.DOCUMENT_SHEET_MADE)


def sweep_sheets(ctx: CommandContext) -> int:
    """Ask again for sheets whose job was lost or failed, unless they are given up. How many."""
    waiting = ctx.session.scalars(
        select(Signature.revision_id)
        .where(Signature.pdf_id.is_(None), Signature.sheet_tries <= SHEET_TRIES)
        .order_by(Signature.revision_id)
        .limit(AT_ONCE)
    ).all()
    for revision_id in waiting:
        ctx.after_commit(Job.MAKE_SIGNED_SHEET, revision_id=revision_id)
    return len(waiting)

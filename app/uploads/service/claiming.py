"""What becomes of a ready upload: a form claims it, its sender deletes it, or the feature that claimed it erases it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.uploads import rules
from app.uploads.models import StoredFile, Upload, UploadFile
from app.uploads.queries import why
from app.uploads.rules import FileRole, Purpose, UploadId, UploadState, refusals
from app.uploads.service import objects


@dataclass(frozen=True, slots=True)
class Erased:
    """What was deleted, for a report without names: the hash and bytes of the content, how many files in all."""

    upload_id: int
    sha256: str
    size: int
    files: int


def claim(
    ctx: CommandContext,
    *,
    tokens: Sequence[str],
    user_id: int,
    competition_id: int,
    purpose: str,
    wanted: Purpose | None = None,
) -> list[UploadId]:
    """Make ready uploads part of a form, each once, in the order of ``tokens``; a token named twice counts once.

    Raises ``NoFilesError``, ``UploadNotFoundError`` (also for somebody else's), ``WrongPurposeError``, ``ClaimedError``,
    ``NotUsableError`` with the reason of a refused one, ``StillReceivedError``, ``StillCheckedError`` (the same form may
    be sent again in a few seconds), ``TooLargeError`` for one of them and ``TooManyPagesError`` for all together;
    ``wanted`` are the limits of the form, where they are narrower than those of the purpose.
    """
    wanted = wanted or rules.purpose(purpose)
    tokens = list(dict.fromkeys(tokens))
    if not tokens:
        raise refusals.NoFilesError(wanted.accepted)
    if len(tokens) > wanted.pages:  # each has a page at least
        raise refusals.TooManyPagesError(len(tokens), wanted.pages, wanted.accepted)
    rows = {
        row.token: row
        for row in ctx.session.scalars(
            select(Upload)
            .where(
                Upload.token.in_(tokens),
                Upload.user_id == user_id,
                Upload.competition_id == competition_id,
            )
            .order_by(Upload.id)
            .with_for_update(key_share=True)
        )
    }
    if len(rows) < len(tokens):
        raise refusals.UploadNotFoundError
    chosen = [rows[token] for token in tokens]
    for row in chosen:
        _require_usable(row, purpose)
        rules.require_size(wanted, row.name or "", row.size)
    if waiting := sum(row.state != UploadState.READY.value for row in chosen):
        raise refusals.StillCheckedError(waiting)
    pages = sum(row.pages or 0 for row in chosen)
    if pages > wanted.pages:
        raise refusals.TooManyPagesError(pages, wanted.pages, wanted.accepted)
    for row in chosen:
        row.claimed_at = ctx.now
    ctx.session.flush()
    ctx.record(
        AuditAction.UPLOADS_CLAIMED,
        ("Competition", competition_id),
        purpose=purpose,
        uploads=[row.id for row in chosen],
    )
    return [UploadId(row.id) for row in chosen]


def _require_usable(row: Upload, purpose: str) -> None:
    """Whether an upload can be part of the form now, or will be in a moment."""
    if row.state == UploadState.DISCARDED.value:
        raise refusals.UploadNotFoundError
    if row.purpose != purpose:
        raise refusals.WrongPurposeError
    if row.claimed_at is not None:
        raise refusals.ClaimedError
    sentence, hint = why(row.state, row.refusal)
    if sentence is not None and hint is not None:
        raise refusals.NotUsableError(sentence, hint)
    if row.state == UploadState.RECEIVING.value:
        raise refusals.StillReceivedError


def discard(ctx: CommandContext, token: str) -> None:
    """Delete an upload of one's own that no form has claimed. Again: nothing more happens."""
    row = ctx.session.scalar(
        select(Upload)
        .where(Upload.token == token, Upload.user_id == ctx.actor.require_signed_in())
        .with_for_update(key_share=True)
    )
    if row is None:
        raise refusals.UploadNotFoundError
    if row.state == UploadState.DISCARDED.value:
        return
    if row.claimed_at is not None:
        raise refusals.ClaimedError
    objects.empty(ctx, row, UploadState.DISCARDED)
    ctx.record(AuditAction.UPLOAD_DISCARDED, row)


def erase(ctx: CommandContext, upload_ids: Sequence[int]) -> list[Erased]:
    """Delete uploads for good, claimed or not, with their files; what is deleted, for the report of a purge.

    The feature that claimed them asks for permission, and deletes its own rows that point at them first.
    """
    if not upload_ids:
        return []
    count: dict[int, int] = {}
    for upload_id in ctx.session.scalars(
        select(UploadFile.upload_id).where(UploadFile.upload_id.in_(upload_ids))
    ):
        count[upload_id] = count.get(upload_id, 0) + 1
    contents = ctx.session.execute(
        select(UploadFile.upload_id, StoredFile.sha256, StoredFile.size)
        .join(StoredFile, StoredFile.id == UploadFile.file_id)
        .where(UploadFile.upload_id.in_(upload_ids), UploadFile.role == FileRole.CONTENT.value)
        .order_by(UploadFile.upload_id)
    ).all()
    erased = [Erased(upload_id, sha256, size, count[upload_id]) for upload_id, sha256, size in contents]
    objects.drop_uploads(ctx, upload_ids)
    ctx.record(
        AuditAction.UPLOADS_ERASED,
        ("Upload", "several"),
        uploads=list(upload_ids),
        files=sum(each.files for each in erased),
    )
    return erased


def erase_files(ctx: CommandContext, file_ids: Sequence[int]) -> None:
    """Delete stored files that belong to no upload, such as a sheet made here. The caller records it, and deletes his rows first."""
    objects.drop(ctx, file_ids)

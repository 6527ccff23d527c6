"""Files that the program makes itself (a signed sheet): stored like cleaned uploads, so that they are shown and erased alike."""

from __future__ import annotations

import secrets

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.files.cleaning import Cleaned
from app.uploads import rules
from app.uploads.models import Upload
from app.uploads.rules import UploadId, UploadState
from app.uploads.service import objects
from app.uploads.service.checking import Ready, keep, stored


def store_made(cleaned: Cleaned) -> Ready:
    """Write content, previews and thumbnails to the store, with no transaction open. Raises ``StoreDownError``."""
    return Ready(stored(cleaned))


def forget_made(ctx: CommandContext, made: Ready) -> None:
    """Delete what ``store_made`` wrote and nobody needs."""
    objects.forget(ctx, [each.sealed.key for each in made.files])


def keep_made(
    ctx: CommandContext, made: Ready, *, user_id: int, competition_id: int, purpose: str, name: str
) -> tuple[UploadId, int]:
    """The rows of a file that was made for this person: a claimed upload, and the stored file that is its content."""
    size = made.files[0].sealed.size
    row = Upload(
        token=secrets.token_urlsafe(32),
        user_id=user_id,
        competition_id=competition_id,
        idempotency_key=secrets.token_urlsafe(32),
        purpose=purpose,
        name=name,
        state=UploadState.READY.value,
        size=size,
        received=size,
        max_bytes=size,
        max_pages=rules.purpose(purpose).pages,
        created_at=ctx.now,
        touched_at=ctx.now,
        finished_at=ctx.now,
        cleaned_at=ctx.now,
        claimed_at=ctx.now,
    )
    ctx.session.add(row)
    ctx.session.flush()
    content_id = keep(ctx, row, made.files)
    ctx.record(
        AuditAction.UPLOADS_CLAIMED, ("Competition", competition_id), purpose=purpose, uploads=[row.id]
    )
    return UploadId(row.id), content_id

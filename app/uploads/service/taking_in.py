"""Files that no person sends in pieces: what came with a message. They go the way of every upload, through the same worker."""

from __future__ import annotations

import secrets

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.files import store
from app.files.store import Sealed
from app.jobs import Job
from app.uploads import rules
from app.uploads.models import Upload, UploadPiece
from app.uploads.rules import UploadId, UploadState
from app.uploads.service import objects

RAW = "application/octet-stream"


def store_raw(content: bytes) -> Sealed:
    """Write bytes as they came to the store, with no transaction open. Raises ``StoreDownError``."""
    return store.write(objects.new_key("mail"), [content])


def keep_raw(ctx: CommandContext, sealed: Sealed, media_type: str = RAW) -> int:
    """The row of such bytes; its id, for ``erase_files``."""
    return objects.keep(ctx, sealed, media_type)


def forget_raw(ctx: CommandContext, sealed: Sealed) -> None:
    """Delete such bytes that nobody needs."""
    objects.forget(ctx, [sealed.key])


def take_in(ctx: CommandContext, *, competition_id: int, purpose: str, name: str, sealed: Sealed) -> UploadId:
    """A file that came by mail, as an upload that waits for the worker; ``sealed`` of ``store_raw``.

    It is claimed by the message it came with, so it is not swept away; who may look, the feature says that has the message. Raises
    ``TooLargeError``, also for an empty one.
    """
    most = rules.require_size(rules.purpose(purpose), name, sealed.size)
    row = Upload(
        token=secrets.token_urlsafe(32),
        user_id=None,
        competition_id=competition_id,
        idempotency_key=secrets.token_urlsafe(32),
        purpose=purpose,
        name=name[:200],
        state=UploadState.WAITING.value,
        size=sealed.size,
        received=sealed.size,
        max_bytes=most,
        max_pages=rules.purpose(purpose).pages,
        created_at=ctx.now,
        touched_at=ctx.now,
        finished_at=ctx.now,
        claimed_at=ctx.now,
    )
    ctx.session.add(row)
    ctx.session.flush()
    file_id = objects.keep(ctx, sealed, RAW)
    ctx.session.add(UploadPiece(upload_id=row.id, start=0, size=sealed.size, file_id=file_id))
    ctx.session.flush()
    ctx.record(AuditAction.UPLOAD_RECEIVED, row, size=row.size, pieces=1, purpose=purpose)
    ctx.after_commit(Job.CLEAN_UPLOAD, upload_id=row.id)
    return UploadId(row.id)

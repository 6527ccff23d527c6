"""A file comes in: begun, piece by piece, finished. A piece may come twice; none is lost by a crash.

A piece is written to the store outside any transaction, and its row is committed afterwards: a process that dies in
between leaves an object without a row, which nobody can read and the sweep deletes, and the phone sends it again.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import func, select

from app.actors import Actor
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.database import lock_name
from app.extensions import db
from app.files import store
from app.files.store import Sealed
from app.jobs import Job
from app.uploads import rules
from app.uploads.models import StoredFile, Upload, UploadPiece
from app.uploads.rules import DAY, UNCLAIMED, Purpose, UploadState, refusals
from app.uploads.service import objects


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an upload that is in the store; ``sealed`` is None where it was there before."""

    token: str
    start: int
    size: int
    sealed: Sealed | None


def announce(
    ctx: CommandContext,
    slug: str,
    *,
    purpose: str,
    size: int,
    name: str,
    idempotency_key: str,
    wanted: Purpose | None = None,
) -> str:
    """Announce a file of ``size`` bytes; its token. The same key and content again gives the same token.

    ``wanted``: the limits of the form that it is meant for, where they are narrower than those of the purpose.

    Raises what refuses it: the purpose, the size, too many at once.
    """
    competition_id = competitions.competition_id(slug)
    user_id = rules.require_may_begin(ctx.actor, competition_id, purpose)
    lock_name(ctx.session, f"uploads of {user_id}")
    known: Upload | None = ctx.session.scalar(
        select(Upload).where(Upload.user_id == user_id, Upload.idempotency_key == idempotency_key)
    )
    if known is not None:
        if (known.competition_id, known.purpose, known.size) != (competition_id, purpose, size):
            raise refusals.KeyUsedError
        return str(known.token)
    wanted = wanted or rules.purpose(purpose)
    most = rules.require_size(wanted, name, size)
    rules.require_room(
        open_uploads=_count_open(ctx, user_id, competition_id),
        day_bytes=_announced_today(ctx, user_id),
        size=size,
    )
    row = Upload(
        token=secrets.token_urlsafe(32),
        user_id=user_id,
        competition_id=competition_id,
        idempotency_key=idempotency_key,
        purpose=purpose,
        name=name,
        state=UploadState.RECEIVING.value,
        size=size,
        received=0,
        max_bytes=most,
        max_pages=wanted.pages,
        attempts=0,
        created_at=ctx.now,
        touched_at=ctx.now,
    )
    ctx.session.add(row)
    ctx.session.flush()
    ctx.record(AuditAction.UPLOAD_BEGUN, row, purpose=purpose, size=size)
    return row.token


def _count_open(ctx: CommandContext, user_id: int, competition_id: int) -> int:
    return ctx.session.scalar(
        select(func.count())
        .select_from(Upload)
        .where(
            Upload.user_id == user_id,
            Upload.competition_id == competition_id,
            Upload.claimed_at.is_(None),
            Upload.state.in_([state.value for state in UNCLAIMED]),
        )
    ) or 0  # fmt: skip


def _announced_today(ctx: CommandContext, user_id: int) -> int:
    announced = ctx.session.scalar(
        select(func.coalesce(func.sum(Upload.size), 0)).where(
            Upload.user_id == user_id, Upload.created_at > ctx.now - DAY
        )
    )
    return int(announced or 0)


def store_piece(actor: Actor, token: str, start: int, content: bytes) -> Piece:
    """Write a piece that begins at byte ``start`` to the store; to be recorded by ``record_piece``.

    Runs outside a command, so that no database waits for the store. Raises ``UploadNotFoundError``, ``GapError`` with
    the offset that is expected, ``PieceSizeError``, ``ClosedError``, and ``StoreDownError``.
    """
    row = db.session.scalar(
        select(Upload).where(Upload.token == token, Upload.user_id == actor.require_signed_in())
    )
    if _is_here(row, start, len(content)):
        return Piece(token, start, len(content), None)
    db.session.rollback()  # what was read is judged again by ``record_piece``
    sealed = store.write(objects.new_key("pieces"), [content])
    return Piece(token, start, len(content), sealed)


def record_piece(ctx: CommandContext, piece: Piece) -> int:
    """Make a stored piece part of its upload. How many bytes are here now without a gap."""
    row = _locked(ctx, piece.token)
    if _is_here(row, piece.start, piece.size):
        if piece.sealed is not None:  # two senders of the same piece: the other one was first
            objects.forget(ctx, [piece.sealed.key])
        return row.received
    if piece.sealed is None:
        raise refusals.GapError(row.received)
    file_id = objects.keep(ctx, piece.sealed, "application/octet-stream")
    ctx.session.add(UploadPiece(upload_id=row.id, start=piece.start, size=piece.size, file_id=file_id))
    row.received, row.touched_at = piece.start + piece.size, ctx.now
    ctx.continues(AuditAction.UPLOAD_RECEIVED)
    return row.received


def finish(ctx: CommandContext, token: str) -> None:
    """Every piece is here: hand the file to the worker. Again: nothing more happens. Raises ``NotWholeError``."""
    row = _locked(ctx, token)
    if row.state == UploadState.DISCARDED.value:
        raise refusals.UploadNotFoundError
    if row.state != UploadState.RECEIVING.value:
        return
    rules.require_whole(received=row.received, size=row.size)
    hashes = ctx.session.scalars(
        select(StoredFile.sha256)
        .join(UploadPiece, UploadPiece.file_id == StoredFile.id)
        .where(UploadPiece.upload_id == row.id)
        .order_by(UploadPiece.start)
    ).all()
    row.state, row.finished_at, row.touched_at = UploadState.WAITING.value, ctx.now, ctx.now
    ctx.record(
        AuditAction.UPLOAD_RECEIVED,
        row,
        size=row.size,
        pieces=len(hashes),
        sha256_of_pieces=hashlib.sha256("".join(hashes).encode()).hexdigest(),
    )
    ctx.after_commit(Job.CLEAN_UPLOAD, upload_id=row.id)


def _locked(ctx: CommandContext, token: str) -> Upload:
    """This person's upload, until the command ends. Raises ``UploadNotFoundError``."""
    row: Upload | None = ctx.session.scalar(
        select(Upload)
        .where(Upload.token == token, Upload.user_id == ctx.actor.require_signed_in())
        .with_for_update(key_share=True)
    )
    if row is None:
        raise refusals.UploadNotFoundError
    return row


def _is_here(row: Upload | None, start: int, length: int) -> bool:
    """Whether a piece is part of the upload already. Raises what refuses the piece."""
    if row is None or row.state == UploadState.DISCARDED.value:
        raise refusals.UploadNotFoundError
    rules.require_piece(size=row.size, start=start, length=length)
    if rules.is_repeated(received=row.received, start=start, length=length):
        return True
    if row.state != UploadState.RECEIVING.value:
        raise refusals.ClosedError
    return False

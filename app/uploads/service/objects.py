"""The rows of stored files, and how their objects go once the rows are gone."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence

from sqlalchemy import delete, select

from app.commands import CommandContext
from app.files.store import Sealed
from app.jobs import Job
from app.uploads.models import StoredFile, Upload, UploadFile, UploadPiece
from app.uploads.rules import UploadState

AT_ONCE = 100
"""Keys of one job."""

IDS_AT_ONCE = 1000
"""Numbers of one statement: databases take some ten thousand, and a file may have come in hundreds of pieces."""

_OURS = re.compile(r"[a-z]+/([0-9a-f]{2})/\1[0-9a-f]{30}|probe/[0-9a-f]{32}")


def new_key(folder: str) -> str:
    """A key nobody can guess, spread over 256 folders."""
    name = secrets.token_hex(16)
    return f"{folder}/{name[:2]}/{name}"


def is_ours(key: str) -> bool:
    """Whether a key is one of ``new_key``, or of the store's own trial at the start. A bucket may hold things of others."""
    return _OURS.fullmatch(key) is not None


def keep(ctx: CommandContext, sealed: Sealed, media_type: str) -> int:
    """The row of an object that is in the store already; its id."""
    row = StoredFile(
        key=sealed.key,
        wrapped_key=sealed.wrapped_key,
        key_id=sealed.key_id,
        size=sealed.size,
        sha256=sealed.sha256,
        media_type=media_type,
        created_at=ctx.now,
    )
    ctx.session.add(row)
    ctx.session.flush()
    return row.id


def forget(ctx: CommandContext, keys: Sequence[str]) -> None:
    """Delete objects once this command is committed; what the broker loses is found by the sweep of orphans."""
    for begin in range(0, len(keys), AT_ONCE):
        ctx.after_commit(Job.FORGET_FILES, keys=list(keys[begin : begin + AT_ONCE]))


def drop(ctx: CommandContext, file_ids: Sequence[int]) -> None:
    """Delete rows of stored files; with them goes the only key that reads their objects, in every backup, too."""
    keys: list[str] = []
    for some in _some(file_ids):
        keys += ctx.session.scalars(select(StoredFile.key).where(StoredFile.id.in_(some)))
        ctx.session.execute(delete(StoredFile).where(StoredFile.id.in_(some)))
    forget(ctx, keys)


def _some(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[begin : begin + IDS_AT_ONCE] for begin in range(0, len(ids), IDS_AT_ONCE))


def drop_pieces(ctx: CommandContext, upload_ids: Sequence[int]) -> None:
    """Delete what was sent, piece by piece."""
    file_ids = ctx.session.scalars(
        select(UploadPiece.file_id).where(UploadPiece.upload_id.in_(upload_ids))
    ).all()
    ctx.session.execute(delete(UploadPiece).where(UploadPiece.upload_id.in_(upload_ids)))
    drop(ctx, file_ids)


def drop_files(ctx: CommandContext, upload_ids: Sequence[int]) -> None:
    """Delete what was made of it: content, previews, thumbnails."""
    file_ids = ctx.session.scalars(
        select(UploadFile.file_id).where(UploadFile.upload_id.in_(upload_ids))
    ).all()
    ctx.session.execute(delete(UploadFile).where(UploadFile.upload_id.in_(upload_ids)))
    drop(ctx, file_ids)


def drop_uploads(ctx: CommandContext, upload_ids: Sequence[int]) -> None:
    """Delete uploads with everything of them."""
    drop_pieces(ctx, upload_ids)
    drop_files(ctx, upload_ids)
    ctx.session.execute(delete(Upload).where(Upload.id.in_(upload_ids)))


def empty(ctx: CommandContext, row: Upload, state: UploadState) -> None:
    """Delete what an upload holds, and its name; the row stays for a while, so that the sender reads what happened."""
    drop_pieces(ctx, [row.id])
    drop_files(ctx, [row.id])
    row.state, row.name, row.touched_at = state.value, None, ctx.now

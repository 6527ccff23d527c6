"""The worker's act: a whole upload becomes a clean one, or is refused. Three steps, and no transaction while it works.

``take`` claims it, ``check`` cleans it in a private folder, ``record_check`` notes what came of it. A worker that dies
in between leaves a claim that runs out (``LEASE``); the sweep then sends the job again, ``ATTEMPTS_MOST`` times at most.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.extensions import db
from app.files import store
from app.files.cleaning import (
    Cleaned,
    FileRefusedError,
    InfectedError,
    Limits,
    Note,
    ScannerDownError,
    clean_apart,
    scan,
)
from app.files.store import FileDamagedError, FileMissingError, Sealed, StoreDownError
from app.uploads import rules
from app.uploads.models import StoredFile, Upload, UploadFile, UploadPiece
from app.uploads.queries import sealed_of
from app.uploads.rules import ATTEMPTS_MOST, LEASE, UNCHECKABLE, FileRole, UploadState
from app.uploads.service import objects

READ_BYTES = 1024 * 1024
JPEG = "image/jpeg"


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker needs to check an upload, ``attempt`` counted from 1."""

    upload_id: int
    attempt: int
    name: str
    size: int
    picture_bytes: int
    pdf_bytes: int
    pages: int
    pieces: tuple[Sealed, ...]

    @property
    def folder(self) -> str:
        """The name of the private folder; the sweep knows by it whether somebody still works there."""
        return f"{self.upload_id}-{self.attempt}"


@dataclass(frozen=True, slots=True)
class Made:
    """One stored file of a checked upload; page 0 is the content itself."""

    role: FileRole
    page: int
    width: int | None
    height: int | None
    media_type: str
    sealed: Sealed


@dataclass(frozen=True, slots=True)
class Ready:
    """``notes``: what cleaning changed beyond what every file loses."""

    files: tuple[Made, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """``packed`` is what ``FileRefusedError.packed`` gives, or has only a ``reason`` of ours."""

    packed: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Infected:
    sha256: str
    signature: str


@dataclass(frozen=True, slots=True)
class Postponed:
    """The scanner or the store is away; ``why`` for the audit entry."""

    why: str


Outcome = Ready | Refused | Infected | Postponed


def take(ctx: CommandContext, upload_id: int) -> Work | None:
    """Claim a whole upload for checking; None if it is checked, in another worker's hands, or put off."""
    row = ctx.session.scalar(
        select(Upload).where(Upload.id == upload_id).with_for_update(key_share=True, skip_locked=True)
    )
    if row is None or not is_due(row, ctx.now):
        return None
    if row.attempts >= ATTEMPTS_MOST:
        objects.empty(ctx, row, UploadState.REFUSED)
        row.refusal = {"reason": UNCHECKABLE}
        ctx.record(AuditAction.UPLOAD_CHECKED, row, state=row.state, reason=UNCHECKABLE)
        return None
    row.state, row.touched_at = UploadState.CHECKING.value, ctx.now
    row.attempts += 1
    ctx.continues(AuditAction.UPLOAD_CHECKED)
    pieces = ctx.session.scalars(
        select(StoredFile)
        .join(UploadPiece, UploadPiece.file_id == StoredFile.id)
        .where(UploadPiece.upload_id == row.id)
        .order_by(UploadPiece.start)
    )
    wanted = rules.purpose(row.purpose)
    return Work(
        upload_id=row.id,
        attempt=row.attempts,
        name=row.name or "",
        size=row.size,
        picture_bytes=wanted.picture_bytes,
        pdf_bytes=wanted.pdf_bytes,
        pages=row.max_pages,
        pieces=tuple(map(sealed_of, pieces)),
    )


def is_due(row: Upload, now: datetime) -> bool:
    """Whether a worker may take this upload: it waits, and was not put off, or the claim on it has run out."""
    if row.state == UploadState.CHECKING.value:
        return now >= row.touched_at + LEASE
    if row.state != UploadState.WAITING.value:
        return False
    return not row.refusal or now >= row.touched_at + rules.postponed_for(row.refusal["postponed"])


def next_waiting(now: datetime) -> int | None:
    """The upload that has waited longest for a check; None if none may be checked now."""
    rows = db.session.scalars(
        select(Upload)
        .where(Upload.state == UploadState.WAITING.value)
        .order_by(Upload.touched_at, Upload.id)
        .execution_options(populate_existing=True)
    )
    return next((row.id for row in rows if is_due(row, now)), None)


def check(work: Work, workspace: Path) -> Outcome:
    """Put the pieces together, scan and clean them, and store what came of it.

    Plain bytes are only in a folder of ``workspace`` that nobody else may read; it is gone when this returns or raises.
    """
    folder = workspace / work.folder
    workspace.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        return _checked(work, folder)
    except (ScannerDownError, StoreDownError) as error:
        return Postponed(type(error).__name__)
    except (FileMissingError, FileDamagedError):  # a piece is gone; no further attempt would find it
        return Refused({"reason": UNCHECKABLE})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _checked(work: Work, folder: Path) -> Outcome:
    source = folder / "sent"
    with source.open("wb") as file:
        for sealed in work.pieces:
            file.writelines(store.read(sealed))
    try:
        scan(source)
    except InfectedError as error:
        with source.open("rb") as file:
            return Infected(hashlib.file_digest(file, "sha256").hexdigest(), str(error.signature)[:100])
    limits = Limits(bytes=_limit(work, source), pages=work.pages)
    made = folder / "clean"
    made.mkdir(mode=0o700)
    try:
        cleaned = clean_apart(source, made, limits=limits, name=work.name)
    except FileRefusedError as error:
        return Refused(error.packed())
    return Ready(stored(cleaned), cleaned.notes)


def _limit(work: Work, source: Path) -> int:
    """Bytes that a file of this kind may have, told by its content."""
    with source.open("rb") as file:
        return work.pdf_bytes if b"%PDF-" in file.read(1024) else work.picture_bytes


def stored(cleaned: Cleaned) -> tuple[Made, ...]:
    """Write content, previews and thumbnails to the store; if that fails, what was written is taken back."""
    made: list[Made] = []
    try:
        made.append(Made(FileRole.CONTENT, 0, None, None, cleaned.media_type, _write(cleaned.content)))
        for number, page in enumerate(cleaned.pages, 1):
            for role, path in ((FileRole.PREVIEW, page.preview), (FileRole.THUMBNAIL, page.thumbnail)):
                made.append(Made(role, number, page.width, page.height, JPEG, _write(path)))
    except StoreDownError:
        _take_back(made)
        raise
    return tuple(made)


def _write(path: Path) -> Sealed:
    return store.write(objects.new_key("uploads"), _read(path))


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(READ_BYTES):
            yield chunk


def _take_back(made: list[Made]) -> None:
    try:
        store.delete([each.sealed.key for each in made])
    except StoreDownError:
        return  # objects without a row: the sweep of orphans has them in a day


def record_check(ctx: CommandContext, work: Work, outcome: Outcome) -> None:
    """Note what came of a check. The pieces go, whatever it was, unless the check was put off.

    If the upload went on without this worker (its claim ran out, its sender deleted it), nothing changes but that
    what this check stored is deleted.
    """
    row = ctx.session.scalar(
        select(Upload).where(Upload.id == work.upload_id).with_for_update(key_share=True)
    )
    ours = row is not None and row.state == UploadState.CHECKING.value and row.attempts == work.attempt
    if row is None or not ours:
        if isinstance(outcome, Ready):
            objects.forget(ctx, [each.sealed.key for each in outcome.files])
        return
    row.cleaned_at = row.touched_at = ctx.now
    match outcome:
        case Ready(files, notes):
            objects.drop_pieces(ctx, [row.id])
            keep(ctx, row, files)
            row.notes = [note.value for note in notes]
            ctx.record(
                AuditAction.UPLOAD_CHECKED,
                row,
                state=row.state,
                pages=row.pages,
                sha256=files[0].sealed.sha256,
                size=files[0].sealed.size,
                notes=row.notes,
            )
        case Refused(packed):
            objects.empty(ctx, row, UploadState.REFUSED)
            row.refusal = packed
            ctx.record(AuditAction.UPLOAD_CHECKED, row, state=row.state, reason=packed["reason"])
        case Infected(sha256, signature):
            objects.empty(ctx, row, UploadState.QUARANTINED)
            row.refusal = {"reason": "infected", "sha256": sha256, "signature": signature}
            ctx.record(AuditAction.UPLOAD_CHECKED, row, state=row.state, sha256=sha256, signature=signature)
        case Postponed(why):
            times = (row.refusal or {}).get("postponed", 0) + 1
            row.state, row.refusal, row.cleaned_at = UploadState.WAITING.value, {"postponed": times}, None
            row.attempts -= 1  # nothing is wrong with the file
            ctx.record(AuditAction.UPLOAD_CHECKED, row, state="postponed", why=why, times=times)


def keep(ctx: CommandContext, row: Upload, files: tuple[Made, ...]) -> int:
    """The rows of what was stored; the upload is ready. The id of the stored file that is its content."""
    ids = [objects.keep(ctx, each.sealed, each.media_type) for each in files]
    for each, file_id in zip(files, ids, strict=True):
        ctx.session.add(
            UploadFile(
                upload_id=row.id,
                role=each.role.value,
                page=each.page,
                width=each.width,
                height=each.height,
                file_id=file_id,
            )
        )
    row.state, row.refusal = UploadState.READY.value, None
    row.media_type = files[0].media_type
    row.pages = sum(each.role is FileRole.PREVIEW for each in files)
    ctx.session.flush()
    return ids[0]

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.extensions import db
from app.files.cleaning import FileRefusedError, Note
from app.files.store import Sealed
from app.text import T
from app.uploads.models import StoredFile, Upload, UploadFile, UploadPiece
from app.uploads.rules import FileRole, UploadId, UploadState, refusals


@dataclass(frozen=True, slots=True)
class UploadView:
    """An upload as its sender sees it. Sizes in bytes; ``pages`` is known once it is ready.

    ``notes``: sentences on what cleaning changed in it.
    """

    id: UploadId
    token: str
    purpose: str
    name: str
    state: UploadState
    size: int
    received: int
    pages: int | None
    media_type: str | None
    sentence: T | None
    hint: T | None
    notes: tuple[T, ...]
    postponed: bool
    claimed: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of an upload, from 1; pixels of a picture, points of a PDF page."""

    number: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ContentView:
    """What a ready upload holds; ``size`` and ``sha256`` are of the cleaned file."""

    upload_id: UploadId
    user_id: int | None
    media_type: str
    size: int
    sha256: str
    pages: tuple[PageView, ...]


@dataclass(frozen=True, slots=True)
class StoredView:
    """One stored file, to be served."""

    sealed: Sealed
    media_type: str
    created_at: datetime


def mine(user_id: int, token: str) -> UploadView:
    """The upload ``token`` of this person. Raises ``UploadNotFoundError``, also for somebody else's."""
    row = db.session.scalar(select(Upload).where(Upload.token == token, Upload.user_id == user_id))
    if row is None or row.state == UploadState.DISCARDED.value:
        raise refusals.UploadNotFoundError
    return _view(row)


def some_of_mine(user_id: int, tokens: Sequence[str]) -> tuple[UploadView, ...]:
    """Those of ``tokens`` that are this person's and no form has claimed, in that order; for a form that is shown again."""
    rows = db.session.scalars(
        select(Upload).where(
            Upload.token.in_(list(tokens)[:100]), Upload.user_id == user_id, Upload.claimed_at.is_(None)
        )
    )
    known = {row.token: _view(row) for row in rows if row.state != UploadState.DISCARDED.value}
    return tuple(known[token] for token in dict.fromkeys(tokens) if token in known)


def unclaimed(user_id: int, competition_id: int, purpose: str | None = None) -> tuple[UploadView, ...]:
    """What this person has sent and not handed in, the oldest first."""
    statement = select(Upload).where(
        Upload.user_id == user_id,
        Upload.competition_id == competition_id,
        Upload.claimed_at.is_(None),
        Upload.state != UploadState.DISCARDED.value,
    )
    if purpose is not None:
        statement = statement.where(Upload.purpose == purpose)
    return tuple(_view(row) for row in db.session.scalars(statement.order_by(Upload.id)))


def contents(upload_ids: Iterable[int]) -> Mapping[int, ContentView]:
    """What ready uploads hold, by id; one that is not ready is left out. Asks no permission."""
    wanted = list(upload_ids)
    pages: dict[int, list[PageView]] = {}
    for row in db.session.scalars(
        select(UploadFile)
        .where(UploadFile.upload_id.in_(wanted), UploadFile.role == FileRole.PREVIEW.value)
        .order_by(UploadFile.page)
    ):
        pages.setdefault(row.upload_id, []).append(PageView(row.page, row.width or 0, row.height or 0))
    found = db.session.execute(
        select(Upload.id, Upload.user_id, StoredFile)
        .join(UploadFile, UploadFile.upload_id == Upload.id)
        .join(StoredFile, StoredFile.id == UploadFile.file_id)
        .where(Upload.id.in_(wanted), UploadFile.role == FileRole.CONTENT.value)
    ).all()
    return {
        upload_id: ContentView(
            upload_id=UploadId(upload_id),
            user_id=user_id,
            media_type=file.media_type,
            size=file.size,
            sha256=file.sha256,
            pages=tuple(pages.get(upload_id, ())),
        )
        for upload_id, user_id, file in found
    }


@dataclass(frozen=True, slots=True)
class KeptFile:
    """One object that is kept of an upload: ``role`` of ``FileRole``, or ``piece`` as it was sent."""

    upload_id: int
    role: str
    key: str
    size: int
    sha256: str


def kept(upload_ids: Iterable[int]) -> tuple[KeptFile, ...]:
    """Every object of these uploads, pieces included, for the report of what a purge deletes. Asks no permission."""
    wanted = list(upload_ids)
    made = db.session.execute(
        select(UploadFile.upload_id, UploadFile.role, StoredFile)
        .join(StoredFile, StoredFile.id == UploadFile.file_id)
        .where(UploadFile.upload_id.in_(wanted))
        .order_by(UploadFile.upload_id, UploadFile.page, UploadFile.role)
    ).all()
    sent = db.session.execute(
        select(UploadPiece.upload_id, StoredFile)
        .join(StoredFile, StoredFile.id == UploadPiece.file_id)
        .where(UploadPiece.upload_id.in_(wanted))
        .order_by(UploadPiece.upload_id, UploadPiece.start)
    ).all()
    return tuple(
        KeptFile(upload_id, role, file.key, file.size, file.sha256)
        for upload_id, role, file in [*made, *((upload_id, "piece", file) for upload_id, file in sent)]
    )


def left_behind(competition_id: int, limit: int) -> tuple[int, ...]:
    """Uploads of a competition that no form has claimed, ``limit`` at most."""
    return tuple(
        db.session.scalars(
            select(Upload.id)
            .where(Upload.competition_id == competition_id, Upload.claimed_at.is_(None))
            .order_by(Upload.id)
            .limit(limit)
        )
    )


def refused_sentences(upload_ids: Iterable[int]) -> Mapping[int, T]:
    """Why uploads were refused, by id; only those that were. Asks no permission."""
    rows = db.session.scalars(select(Upload).where(Upload.id.in_(list(upload_ids))))
    told = {row.id: why(row.state, row.refusal)[0] for row in rows}
    return {upload_id: sentence for upload_id, sentence in told.items() if sentence is not None}


def stored(upload_id: int, role: FileRole, page: int = 0) -> StoredView:
    """A file of an upload: its content (page 0), or the preview or thumbnail of a page from 1.

    Raises ``UploadNotFoundError``. Asks no permission: the feature that claimed the upload does.
    """
    row = db.session.scalar(
        select(StoredFile)
        .join(UploadFile, UploadFile.file_id == StoredFile.id)
        .where(UploadFile.upload_id == upload_id, UploadFile.role == role.value, UploadFile.page == page)
    )
    if row is None:
        raise refusals.UploadNotFoundError
    return StoredView(sealed_of(row), row.media_type, row.created_at)


def stored_file(file_id: int) -> Sealed:
    """How to read a stored file that belongs to no upload, such as a message as it came. Asks no permission."""
    return sealed_of(db.session.get_one(StoredFile, file_id))


def kept_raw(file_ids: Iterable[int]) -> tuple[KeptFile, ...]:
    """Such files, for the report of what a purge deletes; they are of no upload (0)."""
    rows = db.session.scalars(
        select(StoredFile).where(StoredFile.id.in_(list(file_ids))).order_by(StoredFile.id)
    )
    return tuple(KeptFile(0, "letter", row.key, row.size, row.sha256) for row in rows)


def sealed_of(row: StoredFile) -> Sealed:
    return Sealed(row.key, row.wrapped_key, row.key_id, row.size, row.sha256)


def keys_without_row(keys: Sequence[str]) -> tuple[str, ...]:
    """Those of some keys of the store that no row names."""
    known = set(db.session.scalars(select(StoredFile.key).where(StoredFile.key.in_(keys))))
    return tuple(key for key in keys if key not in known)


def why(state: str, refusal: Mapping[str, Any] | None) -> tuple[T | None, T | None]:
    """The sentence of a refused upload and what to do next; None for any other."""
    if state == UploadState.QUARANTINED.value:
        return refusals.INFECTED, refusals.INFECTED_NEXT
    if state != UploadState.REFUSED.value or refusal is None:
        return None, None
    if "sentence" not in refusal:
        return refusals.UNCHECKABLE, refusals.UNCHECKABLE_NEXT
    error = FileRefusedError.unpacked(refusal)
    return error.sentence, error.hint


def noted(codes: Sequence[str] | None) -> tuple[T, ...]:
    """The sentences of what cleaning changed; None of a file from before this was kept.

    A code that this version does not know is left out: a later one may have written it before it was taken back.
    """
    return tuple(note.sentence for note in Note if note.value in (codes or ()))


def _view(row: Upload) -> UploadView:
    sentence, hint = why(row.state, row.refusal)
    return UploadView(
        id=UploadId(row.id),
        token=row.token,
        purpose=row.purpose,
        name=row.name or "",
        state=UploadState(row.state),
        size=row.size,
        received=row.received,
        pages=row.pages,
        media_type=row.media_type,
        sentence=sentence,
        hint=hint,
        notes=noted(row.notes),
        postponed=row.state == UploadState.WAITING.value and bool(row.refusal),
        claimed=row.claimed_at is not None,
        created_at=row.created_at,
    )

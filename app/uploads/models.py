from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class StoredFile(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One object of the file store. Its data key is only here, wrapped: without the row the object cannot be read.

    ``size`` in bytes and ``sha256`` (64 hex digits) are of the plain content.
    """

    __tablename__ = "stored_files"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120), unique=True)
    wrapped_key: Mapped[str] = mapped_column(String(200))
    key_id: Mapped[str] = mapped_column(String(16), index=True)
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    media_type: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Upload(db.Model):  # type: ignore[name-defined]  # as above
    """One file that a person sends in pieces, or (``user_id`` null) that came by mail. ``token`` names it in addresses; it is random and says nothing.

    ``size`` is what the phone announced, ``received`` how many bytes of it are here without a gap. ``refusal`` holds why
    it is not ready: ``reason``, ``sentence`` and ``hint`` of a refused one, ``sha256`` and ``signature`` of a
    quarantined one, how often a check was ``postponed``; no personal data. ``notes``: what cleaning changed, codes of
    ``app.files.cleaning.Note``; null of one that was not cleaned. ``touched_at`` is when it last got on.
    """

    __tablename__ = "uploads"
    __table_args__ = (UniqueConstraint("user_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(43), unique=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    idempotency_key: Mapped[str] = mapped_column(String(64))
    purpose: Mapped[str] = mapped_column(String(40))
    name: Mapped[str | None] = mapped_column(Encrypted)
    state: Mapped[str] = mapped_column(String(20), index=True)
    size: Mapped[int] = mapped_column(BigInteger)
    received: Mapped[int] = mapped_column(BigInteger, default=0)
    max_bytes: Mapped[int] = mapped_column(BigInteger)
    max_pages: Mapped[int]
    attempts: Mapped[int] = mapped_column(default=0)
    media_type: Mapped[str | None] = mapped_column(String(80))
    pages: Mapped[int | None]
    refusal: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    notes: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    touched_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    cleaned_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    claimed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class UploadPiece(db.Model):  # type: ignore[name-defined]  # as above
    """A piece as it came, encrypted like every file; gone once the upload is cleaned or refused."""

    __tablename__ = "upload_pieces"
    __table_args__ = (UniqueConstraint("upload_id", "start"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"))
    start: Mapped[int] = mapped_column(BigInteger)
    size: Mapped[int]
    file_id: Mapped[int] = mapped_column(ForeignKey("stored_files.id"))


class UploadFile(db.Model):  # type: ignore[name-defined]  # as above
    """What the worker made of an upload: ``role`` is content (page 0), or preview and thumbnail of each page from 1."""

    __tablename__ = "upload_files"
    __table_args__ = (UniqueConstraint("upload_id", "role", "page"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"))
    role: Mapped[str] = mapped_column(String(12))
    page: Mapped[int]
    width: Mapped[int | None]
    height: Mapped[int | None]
    file_id: Mapped[int] = mapped_column(ForeignKey("stored_files.id"))

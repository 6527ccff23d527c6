from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Document(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """A document (材料) of one kind of one member, or of the unit where ``member_id`` is null.

    ``subject`` is ``m<member id>`` or ``u<unit id>``: it makes the kind unique for both. ``revision`` is the number of the newest
    handing-in. A reviewer who holds it stands in ``claimed_by_id`` until ``claimed_until``.
    """

    __tablename__ = "documents"
    __table_args__ = (UniqueConstraint("subject", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    unit_id: Mapped[int] = mapped_column(ForeignKey("units.id"), index=True)
    member_id: Mapped[int | None] = mapped_column(ForeignKey("members.id"), index=True)
    subject: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(20))
    revision: Mapped[int] = mapped_column(default=0)
    handed_in_at: Mapped[datetime] = mapped_column(UtcDateTime)
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    claimed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    claimed_until: Mapped[datetime | None] = mapped_column(UtcDateTime)


class DocumentRevision(db.Model):  # type: ignore[name-defined]  # as above
    """One handing-in of a document; an older one stays beside it until the purge.

    ``values`` is JSON: field name to what was typed (dates as ``2021-10-20``). ``wording_sha256`` is of what the undertaking said,
    in all its languages, on the day its pages or signature came; null for other kinds, and for revisions from before it was kept.
    """

    __tablename__ = "document_revisions"
    __table_args__ = (
        UniqueConstraint("document_id", "number"),
        UniqueConstraint("document_id", "idempotency_key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int] = mapped_column(ForeignKey("documents.id"))
    number: Mapped[int]
    idempotency_key: Mapped[str] = mapped_column(String(64))
    handed_in_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    handed_in_at: Mapped[datetime] = mapped_column(UtcDateTime)
    regulation_version_id: Mapped[int] = mapped_column(ForeignKey("regulation_versions.id"))
    values: Mapped[str] = mapped_column(Encrypted)
    wording_sha256: Mapped[str | None] = mapped_column(String(64))


class DocumentPage(db.Model):  # type: ignore[name-defined]  # as above
    """One upload (a photo, or a PDF with its pages) of a revision, in order."""

    __tablename__ = "document_pages"
    __table_args__ = (UniqueConstraint("revision_id", "position"), UniqueConstraint("upload_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    revision_id: Mapped[int] = mapped_column(ForeignKey("document_revisions.id"))
    position: Mapped[int]
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"))


class DocumentDecision(db.Model):  # type: ignore[name-defined]  # as above
    """What a reviewer decided on a revision. ``reasons`` is JSON: field name to {code, text}; empty where accepted."""

    __tablename__ = "document_decisions"

    id: Mapped[int] = mapped_column(primary_key=True)
    revision_id: Mapped[int] = mapped_column(ForeignKey("document_revisions.id"), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    reasons: Mapped[str] = mapped_column(Encrypted)
    decided_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    decided_at: Mapped[datetime] = mapped_column(UtcDateTime)


class DocumentReading(db.Model):  # type: ignore[name-defined]  # as above
    """What the text check (文字核对) found on a revision's pages, as JSON; it marks, it never decides."""

    __tablename__ = "document_readings"

    revision_id: Mapped[int] = mapped_column(ForeignKey("document_revisions.id"), primary_key=True)
    state: Mapped[str] = mapped_column(String(20))
    findings: Mapped[str | None] = mapped_column(Encrypted)
    read_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Signature(db.Model):  # type: ignore[name-defined]  # as above
    """A signed undertaking (承诺书): the finger's strokes, bound to the hash of the text that was on the screen.

    ``text`` is the whole text with the name, ``text_sha256`` its hash; ``pdf_id`` the sheet made of both, which a worker has
    begun ``sheet_tries`` times.
    """

    __tablename__ = "signatures"

    revision_id: Mapped[int] = mapped_column(ForeignKey("document_revisions.id"), primary_key=True)
    text: Mapped[str] = mapped_column(Encrypted)
    text_sha256: Mapped[str] = mapped_column(String(64))
    strokes: Mapped[str] = mapped_column(Encrypted)
    pdf_id: Mapped[int | None] = mapped_column(ForeignKey("stored_files.id"))
    sheet_tries: Mapped[int] = mapped_column(default=0, server_default="0")
    signed_at: Mapped[datetime] = mapped_column(UtcDateTime)


class DocumentRequest(db.Model):  # type: ignore[name-defined]  # as above
    """The committee asks for a document (组委会要求提交) until the end of a day in Beijing.

    ``subject`` as in ``Document``; empty where it is asked of everybody. Asked again, the row gets the new day.
    """

    __tablename__ = "document_requests"
    __table_args__ = (UniqueConstraint("competition_id", "kind", "subject"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"))
    kind: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(16))
    until: Mapped[date]
    asked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    asked_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))


class DocumentWarning(db.Model):  # type: ignore[name-defined]  # as above
    """The leader was told of something that ends on ``day``: once per document and reason (临期提醒)."""

    __tablename__ = "document_warnings"
    __table_args__ = (UniqueConstraint("subject", "kind", "reason", "day"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    unit_id: Mapped[int] = mapped_column(ForeignKey("units.id"), index=True)
    subject: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(40))
    reason: Mapped[str] = mapped_column(String(20))
    day: Mapped[date]
    told_at: Mapped[datetime] = mapped_column(UtcDateTime)


class DeletionRequest(db.Model):  # type: ignore[name-defined]  # as above
    """A request to delete data of a member, or a document of the unit itself (删除请求), and what was answered.

    ``kind`` says which document it was about once that is gone; both null: everything of the member.
    """

    __tablename__ = "deletion_requests"
    __table_args__ = (CheckConstraint("(member_id IS NULL) <> (unit_id IS NULL)", name="one_subject"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    member_id: Mapped[int | None] = mapped_column(ForeignKey("members.id"), index=True)
    unit_id: Mapped[int | None] = mapped_column(ForeignKey("units.id"), index=True)
    document_id: Mapped[int | None] = mapped_column(ForeignKey("documents.id"))
    kind: Mapped[str | None] = mapped_column(String(40))
    asked_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    asked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(String(20))
    answer: Mapped[str | None] = mapped_column(Encrypted)
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    answered_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class PurgeItem(db.Model):  # type: ignore[name-defined]  # as above
    """What a purge under way has taken out of the tables, until its report is made: it survives a crash, so the report is whole.

    ``kind`` is a document's kind (empty where no form claimed the file), ``role`` what the file was. ``key`` names an object that
    is still to be deleted from the store, null once it is; its data key went with its row. A row without ``sha256`` counts
    rows of the table ``role``.
    """

    __tablename__ = "purge_items"

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    role: Mapped[str] = mapped_column(String(20))
    count: Mapped[int] = mapped_column(default=1)
    sha256: Mapped[str | None] = mapped_column(String(64))
    size: Mapped[int | None] = mapped_column(BigInteger)
    key: Mapped[str | None] = mapped_column(String(120))


class PurgeReport(db.Model):  # type: ignore[name-defined]  # as above
    """What a purge deleted: ``body`` is canonical JSON of hashes and counts, without names; ``signature`` is over it."""

    __tablename__ = "purge_reports"

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    body: Mapped[str] = mapped_column(Text)
    signature: Mapped[str] = mapped_column(String(128))
    public_key: Mapped[str] = mapped_column(String(64))

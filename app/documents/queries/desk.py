"""One document as it lies on the reviewer's desk, with its pictures and what was decided before."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select

from app.competitions.queries import CompetitionView
from app.documents.models import (
    Document,
    DocumentDecision,
    DocumentPage,
    DocumentReading,
    DocumentRevision,
    Signature,
)
from app.documents.queries.review import QueueRow, demands_of, masked_name, rows_of
from app.documents.rules import DocumentField, Reason, UnknownDocumentError, read_reasons
from app.documents.rules.reading import Finding, unpacked
from app.documents.rules.review import DecisionKind, PictureKind, places_of
from app.documents.rules.undertaking import SHEET_TRIES
from app.documents.rules.values import asked_fields
from app.extensions import db
from app.registrations.models import Entry, EntryMember, Member
from app.registrations.rules import EntryState
from app.text import T
from app.uploads.models import Upload, UploadFile
from app.uploads.queries import noted


@dataclass(frozen=True, slots=True)
class Picture:
    """One page to look at: of which revision and which of its files (``position``), and which page of it (from 1).

    ``notes``: sentences on what cleaning changed in that file.
    """

    revision: int
    position: int
    page: int
    width: int | None
    height: int | None
    media_type: str | None
    notes: tuple[T, ...] = ()


@dataclass(frozen=True, slots=True)
class NotedFile:
    """One file in which cleaning changed something: which of the pictures (from 1) are its pages, and what."""

    first: int
    last: int
    notes: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class PastDecision:
    kind: DecisionKind
    revision: int
    reasons: Mapping[str, Reason]
    decided_at: datetime
    decided_by: str


@dataclass(frozen=True, slots=True)
class Desk:
    """One document beside its pictures. ``member`` is null where it is the unit's."""

    row: QueueRow
    revision: int
    member_id: int | None
    entry_ids: tuple[int, ...]
    employment: str | None
    fields: tuple[DocumentField, ...]
    values: Mapping[str, str] = field(repr=False)
    pictures: tuple[Picture, ...] = ()
    signed_at: datetime | None = None
    signed_pdf: bool = False
    sheet_given_up: bool = False
    decisions: tuple[PastDecision, ...] = ()
    reading: Mapping[str, Finding] = field(default_factory=dict, repr=False)
    """What the text check found, by place; empty where nothing was read (yet)."""

    @property
    def noted_files(self) -> tuple[NotedFile, ...]:
        return noted_files(self.pictures)

    def place_name(self, place: str) -> T:
        """What a reason of this document is about, in words."""
        return places_of(self.fields).get(place, T("原因"))


def desk(competition: CompetitionView, document_id: int, now: datetime, revision: int | None = None) -> Desk:
    """One document with the pictures of a revision, the newest by default. Raises ``UnknownDocumentError``."""
    found = rows_of(competition, [document_id], now)
    if not found:
        raise UnknownDocumentError
    row = found[0]
    document = db.session.get_one(Document, document_id)
    shown = row.revision if revision is None else revision
    stored = db.session.scalar(
        select(DocumentRevision).where(
            DocumentRevision.document_id == document_id, DocumentRevision.number == shown
        )
    )
    if stored is None:
        raise UnknownDocumentError
    signature = db.session.get(Signature, stored.id)
    member = db.session.get(Member, document.member_id) if document.member_id is not None else None
    return Desk(
        row=row,
        revision=shown,
        member_id=document.member_id,
        entry_ids=_entries_of(document),
        employment=member.employment if member is not None and member.employment else None,
        fields=asked_fields(demands_of(competition, document)),
        values=json.loads(stored.values),
        pictures=pictures_of(document_id, shown),
        signed_at=signature.signed_at if signature else None,
        signed_pdf=signature is not None and signature.pdf_id is not None,
        sheet_given_up=signature is not None
        and signature.pdf_id is None
        and signature.sheet_tries > SHEET_TRIES,
        decisions=_decisions(document_id),
        reading=_reading(stored.id),
    )


def pictures_of(document_id: int, revision: int) -> tuple[Picture, ...]:
    """Every page that counts for a revision, in order: a PDF has several in one file.

    Where only typed fields were corrected, the pictures of the revision before it still count.
    """
    rows = db.session.execute(
        select(
            DocumentRevision.number,
            DocumentPage.position,
            UploadFile.page,
            UploadFile.width,
            UploadFile.height,
            Upload.media_type,
            Upload.notes,
        )
        .join(DocumentPage, DocumentPage.revision_id == DocumentRevision.id)
        .join(Upload, Upload.id == DocumentPage.upload_id)
        .join(UploadFile, UploadFile.upload_id == Upload.id)
        .where(
            DocumentRevision.document_id == document_id,
            DocumentRevision.number <= revision,
            UploadFile.role == PictureKind.PREVIEW.value,
        )
        .order_by(DocumentRevision.number.desc(), DocumentPage.position, UploadFile.page)
    )
    found = [
        Picture(number, position, page, width, height, media_type, noted(codes))
        for number, position, page, width, height, media_type, codes in rows
    ]
    return tuple(each for each in found if each.revision == found[0].revision)


def noted_files(pictures: Sequence[Picture]) -> tuple[NotedFile, ...]:
    """The files among these pictures in which cleaning changed something, in order."""
    found: dict[int, NotedFile] = {}
    for number, each in enumerate(pictures, 1):
        if each.notes:
            first = found[each.position].first if each.position in found else number
            found[each.position] = NotedFile(first, number, each.notes)
    return tuple(found.values())


def sheet_is_missing(document_id: int, revision: int) -> bool:
    """Whether a revision was signed on the phone and the worker has not made its PDF yet."""
    found = db.session.scalar(
        select(Signature.revision_id)
        .join(DocumentRevision, DocumentRevision.id == Signature.revision_id)
        .where(
            DocumentRevision.document_id == document_id,
            DocumentRevision.number == revision,
            Signature.pdf_id.is_(None),
        )
    )
    return found is not None


def upload_of(document_id: int, revision: int, position: int, page: int, what: str) -> int:
    """The upload that holds one page; the file itself has no page (0). Raises ``UnknownDocumentError``."""
    found: int | None = db.session.scalar(
        select(UploadFile.upload_id)
        .join(DocumentPage, DocumentPage.upload_id == UploadFile.upload_id)
        .join(DocumentRevision, DocumentRevision.id == DocumentPage.revision_id)
        .where(
            DocumentRevision.document_id == document_id,
            DocumentRevision.number == revision,
            DocumentPage.position == position,
            UploadFile.role == what,
            UploadFile.page == page,
        )
    )
    if found is None:
        raise UnknownDocumentError
    return found


def _entries_of(document: Document) -> tuple[int, ...]:
    if document.member_id is None:
        return ()
    return tuple(
        db.session.scalars(
            select(EntryMember.entry_id)
            .join(Entry, Entry.id == EntryMember.entry_id)
            .where(EntryMember.member_id == document.member_id, Entry.state != EntryState.DRAFT.value)
            .order_by(EntryMember.entry_id)
        )
    )


def _reading(revision_id: int) -> Mapping[str, Finding]:
    row = db.session.get(DocumentReading, revision_id)
    return unpacked(row.findings) if row is not None else {}


def readings(document_ids: Collection[int]) -> Mapping[int, Mapping[str, Finding]]:
    """What the text check found on the newest revisions of these documents, by place; those not read are left out."""
    rows = db.session.execute(
        select(Document.id, DocumentReading.findings)
        .join(
            DocumentRevision,
            (DocumentRevision.document_id == Document.id) & (DocumentRevision.number == Document.revision),
        )
        .join(DocumentReading, DocumentReading.revision_id == DocumentRevision.id)
        .where(Document.id.in_(document_ids))
    )
    return {document_id: unpacked(findings) for document_id, findings in rows}


def _decisions(document_id: int) -> tuple[PastDecision, ...]:
    rows = db.session.execute(
        select(DocumentDecision, DocumentRevision.number)
        .join(DocumentRevision, DocumentRevision.id == DocumentDecision.revision_id)
        .where(DocumentRevision.document_id == document_id)
        .order_by(DocumentDecision.id.desc())
    )
    return tuple(
        PastDecision(
            DecisionKind(row.kind),
            number,
            read_reasons(row.reasons),
            row.decided_at,
            masked_name(row.decided_by_id) or "",
        )
        for row, number in rows
    )

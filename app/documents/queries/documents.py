"""A document with its revisions, for whoever hands it in and whoever reviews it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import and_, select

from app.documents.models import Document, DocumentDecision, DocumentPage, DocumentRevision
from app.documents.rules import (
    DocumentId,
    DocumentState,
    HandedIn,
    Reason,
    RevisionId,
    Subject,
    UnknownDocumentError,
    read_reasons,
)
from app.extensions import db
from app.registrations.rules import MemberId, UnitId
from app.registrations.rules.entries import MAX_ID
from app.uploads.models import Upload


@dataclass(frozen=True, slots=True)
class PageView:
    """One upload of a revision. ``pages``: how many pages its content has; None while the worker has not cleaned it."""

    position: int
    upload_id: int
    token: str = field(repr=False)
    state: str
    media_type: str | None
    pages: int | None


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What a reviewer decided on a revision."""

    kind: str
    reasons: Mapping[str, Reason] = field(repr=False)
    decided_by_id: int
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class RevisionView:
    """One handing-in. ``values``: what was typed, by field. ``uploads``: its own, empty where only fields were corrected."""

    id: RevisionId
    number: int
    handed_in_by_id: int
    handed_in_at: datetime
    regulation_version_id: int
    values: Mapping[str, str] = field(repr=False)
    uploads: tuple[PageView, ...]
    decision: DecisionView | None


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document with every revision, the newest first."""

    id: DocumentId
    competition_id: int
    unit_id: UnitId
    member_id: MemberId | None
    subject: Subject
    kind: str
    state: DocumentState
    handed_in_at: datetime
    decided_at: datetime | None
    decided_by_id: int | None
    claimed_by_id: int | None
    claimed_until: datetime | None
    revisions: tuple[RevisionView, ...]

    @property
    def newest(self) -> RevisionView:
        return self.revisions[0]

    @property
    def uploads(self) -> tuple[PageView, ...]:
        """The pictures that count: of the newest revision that has some."""
        return next((revision.uploads for revision in self.revisions if revision.uploads), ())

    @property
    def reasons(self) -> Mapping[str, Reason]:
        """What is to be changed, by place; empty unless it was sent back."""
        decision = self.newest.decision
        return decision.reasons if decision and self.state is DocumentState.NEEDS_CHANGES else {}


def any_document(competition_id: int) -> bool:
    """Whether anything is still kept of any document of a competition."""
    found = db.session.scalar(select(Document.id).where(Document.competition_id == competition_id).limit(1))
    return found is not None


def document(document_id: int) -> DocumentView:
    """Raises ``UnknownDocumentError``."""
    row = db.session.get(Document, document_id) if document_id <= MAX_ID else None
    if row is None:
        raise UnknownDocumentError
    return _views([row])[0]


def documents_by_id(document_ids: Collection[int]) -> Mapping[DocumentId, DocumentView]:
    """These documents by id, whichever are there."""
    rows = db.session.scalars(
        select(Document).where(Document.id.in_([each for each in document_ids if each <= MAX_ID]))
    ).all()
    return {view.id: view for view in _views(rows)}


def document_of(subject: Subject, kind: str) -> DocumentView | None:
    """The document of one kind of a member or unit; None where nothing was handed in."""
    row = db.session.scalar(select(Document).where(Document.subject == str(subject), Document.kind == kind))
    return None if row is None else _views([row])[0]


def handed_in(unit_ids: Collection[int]) -> Mapping[str, Mapping[str, HandedIn]]:
    """What was handed in of these units and their members: subject, then kind, as the checklist looks at it."""
    rows = db.session.execute(
        select(Document, DocumentRevision)
        .join(
            DocumentRevision,
            and_(DocumentRevision.document_id == Document.id, DocumentRevision.number == Document.revision),
        )
        .where(Document.unit_id.in_(tuple(unit_ids)))
        .order_by(Document.id)
    ).all()
    sent_back = [revision.id for row, revision in rows if row.state == DocumentState.NEEDS_CHANGES]
    decisions = _decisions(sent_back)
    found: dict[str, dict[str, HandedIn]] = defaultdict(dict)
    for row, revision in rows:
        decision = decisions.get(revision.id)
        found[row.subject][row.kind] = HandedIn(
            state=DocumentState(row.state),
            revision=row.revision,
            values=json.loads(revision.values),
            handed_in_at=row.handed_in_at,
            reasons=decision.reasons if decision else {},
            document_id=DocumentId(row.id),
        )
    return found


def _views(rows: Sequence[Document]) -> list[DocumentView]:
    revisions = db.session.scalars(
        select(DocumentRevision)
        .where(DocumentRevision.document_id.in_([row.id for row in rows]))
        .order_by(DocumentRevision.number.desc())
    ).all()
    ids = [revision.id for revision in revisions]
    decisions, pages = _decisions(ids), _pages(ids)
    by_document: dict[int, list[RevisionView]] = defaultdict(list)
    for revision in revisions:
        by_document[revision.document_id].append(
            RevisionView(
                id=RevisionId(revision.id),
                number=revision.number,
                handed_in_by_id=revision.handed_in_by_id,
                handed_in_at=revision.handed_in_at,
                regulation_version_id=revision.regulation_version_id,
                values=json.loads(revision.values),
                uploads=tuple(pages.get(revision.id, ())),
                decision=decisions.get(revision.id),
            )
        )
    return [
        DocumentView(
            id=DocumentId(row.id),
            competition_id=row.competition_id,
            unit_id=UnitId(row.unit_id),
            member_id=None if row.member_id is None else MemberId(row.member_id),
            subject=Subject.parse(row.subject),
            kind=row.kind,
            state=DocumentState(row.state),
            handed_in_at=row.handed_in_at,
            decided_at=row.decided_at,
            decided_by_id=row.decided_by_id,
            claimed_by_id=row.claimed_by_id,
            claimed_until=row.claimed_until,
            revisions=tuple(by_document[row.id]),
        )
        for row in rows
    ]


def _decisions(revision_ids: Collection[int]) -> Mapping[int, DecisionView]:
    """The last decision on each revision."""
    rows = db.session.scalars(
        select(DocumentDecision)
        .where(DocumentDecision.revision_id.in_(revision_ids))
        .order_by(DocumentDecision.id)
    )
    return {
        row.revision_id: DecisionView(
            kind=row.kind,
            reasons=read_reasons(row.reasons),
            decided_by_id=row.decided_by_id,
            decided_at=row.decided_at,
        )
        for row in rows
    }


def _pages(revision_ids: Collection[int]) -> Mapping[int, list[PageView]]:
    found: dict[int, list[PageView]] = defaultdict(list)
    rows = db.session.execute(
        select(DocumentPage, Upload)
        .join(Upload, Upload.id == DocumentPage.upload_id)
        .where(DocumentPage.revision_id.in_(revision_ids))
        .order_by(DocumentPage.position)
    )
    for page, upload in rows:
        found[page.revision_id].append(
            PageView(page.position, upload.id, upload.token, upload.state, upload.media_type, upload.pages)
        )
    return found

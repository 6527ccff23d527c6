"""Which documents of a member or a unit are kept."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.documents.models import (
    Document,
    DocumentPage,
    DocumentRevision,
)
from app.documents.rules import DocumentId, DocumentState, Subject
from app.extensions import db


@dataclass(frozen=True, slots=True)
class KeptDocument:
    """A document of a member, in any state. ``pages`` counts the files that are kept of all its revisions."""

    id: DocumentId
    kind: str
    state: DocumentState
    handed_in_at: datetime
    pages: int


def kept_documents(whose: Subject) -> tuple[KeptDocument, ...]:
    """Every document of a member or of a unit itself, in the order of handing in."""
    rows = db.session.scalars(
        select(Document).where(Document.subject == str(whose)).order_by(Document.id)
    ).all()
    counted: dict[int, int] = defaultdict(int)
    for document_id in db.session.scalars(
        select(DocumentRevision.document_id)
        .join(DocumentPage, DocumentPage.revision_id == DocumentRevision.id)
        .where(DocumentRevision.document_id.in_([row.id for row in rows]))
    ):
        counted[document_id] += 1
    return tuple(
        KeptDocument(
            DocumentId(row.id), row.kind, DocumentState(row.state), row.handed_in_at, counted[row.id]
        )
        for row in rows
    )

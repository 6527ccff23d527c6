"""What the tests of the review do: the acts of a reviewer of ``beach``, and what is stored after them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from app.actors import Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import Document
from app.documents.queries.review import Filter
from app.documents.rules.review import (
    DecisionKind,
    Written,
)
from app.documents.rules.states import DocumentId
from app.documents.service import review as service
from app.documents.service.review import Seen
from app.extensions import db
from app.notifications.models import Message

ADDRESS = "http://localhost/c/beach/documents/1"


def claim(person: Actor, document: DocumentId) -> None:
    with command(person) as ctx:
        service.claim(ctx, slug="beach", document_id=document)


def take_next(person: Actor, leaving: DocumentId | None = None, **wanted: Any) -> DocumentId | None:
    with command(person) as ctx:
        return service.claim_next(ctx, slug="beach", wanted=Filter(**wanted), leaving=leaving)


def decide(
    person: Actor,
    document: DocumentId,
    kind: DecisionKind = DecisionKind.ACCEPT,
    revision: int = 1,
    **reasons: Written,
) -> None:
    with command(person) as ctx:
        service.decide(
            ctx,
            slug="beach",
            document_id=document,
            kind=kind,
            revision=revision,
            reasons=reasons,
            address=ADDRESS,
        )


def take_back(person: Actor, document: DocumentId, reason: str = "看错了", *, listed: bool = False) -> None:
    with command(person) as ctx:
        service.take_back(
            ctx,
            slug="beach",
            document_id=document,
            reason=reason,
            address=ADDRESS,
            listed=lambda _event_id: listed,
        )


def stored(document: DocumentId) -> Document:
    db.session.expire_all()
    return db.session.get_one(Document, document)


def actions(document: DocumentId) -> list[str]:
    rows = db.session.scalars(
        select(AuditEntry.action)
        .where(AuditEntry.subject_type == "Document", AuditEntry.subject_id == str(document))
        .order_by(AuditEntry.id)
    )
    return [action for action in rows if action.startswith("document.")]


def messages() -> list[str]:
    return [row.body for row in db.session.scalars(select(Message).order_by(Message.id))]


def batch(person: Actor, *seen: tuple[DocumentId, int]) -> None:
    with command(person) as ctx:
        service.accept_all(ctx, slug="beach", seen=[Seen(*each) for each in seen])


def look_at(person: Actor, document: DocumentId, position: int, page: int, what: str = "preview") -> None:
    with command(person) as ctx:
        service.look(
            ctx, slug="beach", document_id=document, revision=1, position=position, page=page, what=what
        )


def look_at_all(person: Actor, document: DocumentId, pages: int = 1) -> None:
    for position in range(pages):
        look_at(person, document, position, 1)


def beach() -> competitions.CompetitionView:
    return competitions.competition("beach")

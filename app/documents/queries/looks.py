"""Who looked at the pictures of a document (查看记录), read from the audit entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.actors import Actor
from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.competitions.queries import CompetitionView
from app.documents.models import Document
from app.documents.queries.desk import pictures_of, sheet_is_missing
from app.documents.queries.review import masked_name
from app.documents.rules import UnknownDocumentError
from app.documents.rules.review import REVIEWERS, SAME_LOOK, reader_of
from app.extensions import db
from app.registrations.models import Unit


@dataclass(frozen=True, slots=True)
class Look:
    """One line of a document's access log (查看记录)."""

    at: datetime
    action: AuditAction
    role: str | None
    who: str | None
    revision: int | None
    page: str | None


def looked_at(document_id: int, revision: int, user_id: int) -> bool:
    """Whether this person opened every picture of the revision (or it has none), in any size.

    A signed undertaking whose sheet is not made yet cannot have been looked at.
    """
    if sheet_is_missing(document_id, revision):
        return False
    seen = {
        (entry.details.get("revision"), entry.details.get("position"), entry.details.get("page"))
        for entry in audit.of_subject("Document", document_id, [AuditAction.DOCUMENT_READ], user_id=user_id)
    }
    return all(
        (each.revision, each.position, each.page) in seen
        or (each.revision, each.position, 0) in seen  # the file itself shows all its pages
        for each in pictures_of(document_id, revision)
    )


def looked_just_now(document_id: int, user_id: int, details: Mapping[str, Any], now: datetime) -> bool:
    """Whether the very same look of this person is on record already, a moment ago."""
    recent = audit.of_subject(
        "Document", document_id, [AuditAction.DOCUMENT_READ], user_id=user_id, since=now - SAME_LOOK
    )
    return any(entry.details == details for entry in recent)


def require_reader(actor: Actor, competition: CompetitionView, document_id: int) -> None:
    """A reviewer of the competition or the unit's leader. For everybody else there is no such document."""
    leader_user_id = db.session.scalar(
        select(Unit.leader_user_id)
        .join(Document, Document.unit_id == Unit.id)
        .where(Document.id == document_id, Document.competition_id == competition.id)
    )
    if leader_user_id is None or reader_of(actor, competition.id, leader_user_id) is None:
        raise UnknownDocumentError


LOGGED = (
    AuditAction.DOCUMENT_READ,
    AuditAction.DOCUMENT_ACCEPTED,
    AuditAction.DOCUMENT_SENT_BACK,
    AuditAction.DOCUMENT_REJECTED,
    AuditAction.DOCUMENT_DECISION_TAKEN_BACK,
)


def access_log(document_id: int, *, named: bool) -> tuple[Look, ...]:
    """Who looked at a document or decided on it, when and as what, the newest first.

    Reviewers see each other's masked numbers (``named``); for its leader a reviewer is "the committee".
    """
    entries = audit.of_subject("Document", document_id, LOGGED)
    names = {
        user_id: masked_name(user_id)
        for user_id in {entry.user_id for entry in entries}
        if named and user_id is not None
    }
    return tuple(
        Look(
            at=entry.at,
            action=AuditAction(entry.action),
            role=entry.details.get("role", REVIEWERS[0].value),
            who=names.get(entry.user_id),
            revision=entry.details.get("revision"),
            page=entry.details.get("what"),
        )
        for entry in reversed(entries)
    )

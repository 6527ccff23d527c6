"""What the committee asked for beside the days of the text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select

from app.documents.models import DocumentRequest
from app.documents.rules import Asked
from app.extensions import db

EVERYBODY = ""
"""The subject of what is asked of all whom the text asks."""


@dataclass(frozen=True, slots=True)
class RequestView:
    """One request: of everybody, or of one subject (``m12``)."""

    kind: str
    subject: str
    until: date
    asked_at: datetime


def requests(competition_id: int) -> tuple[RequestView, ...]:
    """What is asked for in a competition, the newest first."""
    rows = db.session.scalars(
        select(DocumentRequest)
        .where(DocumentRequest.competition_id == competition_id)
        .order_by(DocumentRequest.asked_at.desc(), DocumentRequest.id.desc())
    )
    return tuple(RequestView(row.kind, row.subject, row.until, row.asked_at) for row in rows)


def asked_for(competition_id: int) -> Mapping[str, Mapping[str, Asked]]:
    """The same as the checklist looks at it: subject (``""`` for everybody), then kind."""
    found: dict[str, dict[str, Asked]] = defaultdict(dict)
    for each in requests(competition_id):
        found[each.subject][each.kind] = Asked(each.until)
    return found

"""What the public reads of objections: that something was decided, in a summary without names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.extensions import db
from app.objections.models import Objection
from app.objections.rules.states import DECIDED, CaseState
from app.publications import queries as publications


@dataclass(frozen=True, slots=True)
class PublicOutcome:
    """A decided case: what was decided, when, and the list that came of it."""

    number: str
    upheld: bool
    decided_at: datetime
    summary: str
    new_list: int | None


def outcomes(event_id: int) -> tuple[PublicOutcome, ...]:
    """The decided cases of an event, the newest first."""
    numbers = publications.numbers(event_id)
    rows = db.session.scalars(
        select(Objection)
        .where(Objection.event_id == event_id, Objection.state.in_([each.value for each in DECIDED]))
        .order_by(Objection.decided_at.desc(), Objection.id.desc())
    )
    return tuple(
        PublicOutcome(
            number=row.number,
            upheld=row.state == CaseState.UPHELD,
            decided_at=row.decided_at,
            summary=row.summary or "",
            new_list=numbers.get(row.superseding_id) if row.superseding_id else None,
        )
        for row in rows
        if row.decided_at is not None
    )

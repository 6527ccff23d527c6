"""Who lost his place by a decision on an objection: after the draw he was in, no later one has him."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from app.extensions import db
from app.objections.models import Objection, ObjectionEntry
from app.objections.rules.states import Outcome
from app.registrations.rules import EntryId


def put_out(event_id: int) -> list[tuple[EntryId, datetime]]:
    """The entries, each with the moment of the decision."""
    rows = db.session.execute(
        select(ObjectionEntry.entry_id, Objection.decided_at)
        .join(Objection, Objection.id == ObjectionEntry.objection_id)
        .where(
            Objection.event_id == event_id,
            Objection.decided_at.is_not(None),
            ObjectionEntry.outcome == Outcome.WITHDRAWN.value,
        )
        .order_by(Objection.id, ObjectionEntry.entry_id)
    )
    return [(EntryId(row.entry_id), row.decided_at) for row in rows]

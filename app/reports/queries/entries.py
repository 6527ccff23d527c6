"""Entries under the unit that leads them: a leader is told of his own, and of nobody else's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import func, select

from app.extensions import db
from app.registrations.models import ChangeApplication, Entry, Member, Unit
from app.registrations.queries.people import joined, with_people
from app.registrations.rules import EntryId, EntryState

DECIDED = (EntryState.APPROVED.value, EntryState.REJECTED.value)


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """An entry as its leader is told of it."""

    entry_id: EntryId
    leader_id: int
    name: str
    state: EntryState
    decided_at: datetime | None
    reason: str | None


def standing_entries(event_id: int) -> tuple[OwnEntry, ...]:
    """Every entry that was handed in and not withdrawn, in the order of the forms."""
    out = (EntryState.DRAFT.value, EntryState.WITHDRAWN.value)
    return _entries(Entry.event_id == event_id, Entry.state.not_in(out))


def handed_in_entries(event_id: int) -> tuple[OwnEntry, ...]:
    """As ``standing_entries``, with those that were withdrawn: they may stand on an older list, or have played."""
    return _entries(Entry.event_id == event_id, Entry.state != EntryState.DRAFT.value)


def decided_entries(event_id: int, since: datetime) -> tuple[OwnEntry, ...]:
    """What was approved or rejected after a moment, and still is; what an application came to has an answer of its own."""
    answered = (
        select(ChangeApplication.id)
        .where(
            (ChangeApplication.entry_id == Entry.id) | (ChangeApplication.made_entry_id == Entry.id),
            ChangeApplication.decided_at == Entry.decided_at,
        )
        .exists()
    )
    return _entries(Entry.event_id == event_id, Entry.decided_at > since, Entry.state.in_(DECIDED), ~answered)


def new_entries(event_id: int, since: datetime, now: datetime) -> int:
    """How many entries were handed in from ``since`` on, before ``now``, and were not withdrawn."""
    out = (EntryState.DRAFT.value, EntryState.WITHDRAWN.value)
    return (
        db.session.scalar(
            select(func.count())
            .select_from(Entry)
            .where(
                Entry.event_id == event_id,
                Entry.submitted_at >= since,
                Entry.submitted_at < now,
                Entry.state.not_in(out),
            )
        )
        or 0
    )


def by_leader(entries: Iterable[OwnEntry]) -> dict[int, list[OwnEntry]]:
    """The entries of each leader, by his id."""
    found: dict[int, list[OwnEntry]] = {}
    for each in entries:
        found.setdefault(each.leader_id, []).append(each)
    return found


def _entries(*conditions: Any) -> tuple[OwnEntry, ...]:
    rows = db.session.execute(
        with_people(select(Entry, Member.name, Unit.leader_user_id))
        .join(Unit, Unit.id == Entry.unit_id)
        .where(*conditions)
        .order_by(Entry.id, Member.id)
    )
    found = []
    for entry, people in groupby(rows, key=lambda row: row[0]):
        told = list(people)
        found.append(
            OwnEntry(
                EntryId(entry.id),
                told[0][2],
                joined(name for _, name, _ in told),
                EntryState(entry.state),
                entry.decided_at,
                entry.reason,
            )
        )
    return tuple(found)

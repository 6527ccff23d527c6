"""Which entries a granted application would void: the older forms in the place of which a newer one stands (以最新一次为准)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import select

from app.competitions.queries import EventView
from app.database import person_hash
from app.extensions import db
from app.registrations.models import ChangeApplication, Entry, EntryMember, Member, Unit
from app.registrations.queries.people import joined, units_of
from app.registrations.rules import EntryId
from app.registrations.rules.changes import ApplicationState, ChangeKind, Proposal
from app.registrations.rules.entries import MAX_ID, EntryState, replaces


@dataclass(frozen=True, slots=True)
class VoidedEntry:
    """An older form that goes when a newer one is granted; ``unit_id`` is whose it is."""

    entry_id: EntryId
    name: str
    unit_id: int
    unit_name: str
    state: EntryState


def voided_by(event: EventView, number: int) -> tuple[VoidedEntry, ...]:
    """What granting application ``number`` would void, while it waits; nothing where the text leaves older forms standing."""
    if event.regulation.entry.resubmission is None or number > MAX_ID:
        return ()
    row = db.session.scalar(
        select(ChangeApplication).where(
            ChangeApplication.event_id == event.id,
            ChangeApplication.number == number,
            ChangeApplication.state == ApplicationState.WAITING.value,
            ChangeApplication.kind.in_([ChangeKind.ADD.value, ChangeKind.REPLACE.value]),
        )
    )
    if row is None:
        return ()
    newer = _persons(row)
    own = [each for each in (row.entry_id, row.made_entry_id) if each is not None]
    touched = select(EntryMember.entry_id).where(
        EntryMember.event_id == event.id,
        EntryMember.person_hash.in_(newer),
        EntryMember.entry_id.not_in(own),
    )
    standing: dict[int, list[tuple[Entry, Unit, Member, str]]] = defaultdict(list)
    for entry, unit, member, person in db.session.execute(
        select(Entry, Unit, Member, EntryMember.person_hash)
        .join(Unit, Unit.id == Entry.unit_id)
        .join(EntryMember, EntryMember.entry_id == Entry.id)
        .join(Member, Member.id == EntryMember.member_id)
        .where(Entry.id.in_(touched))
        .order_by(Entry.id, Member.id)
    ):
        standing[entry.id].append((entry, unit, member, person))
    return tuple(
        VoidedEntry(
            EntryId(people[0][0].id),
            joined(member.name for _, _, member, _ in people),
            people[0][1].id,
            units_of([member.unit_name for _, _, member, _ in people], people[0][1].name),
            EntryState(people[0][0].state),
        )
        for people in standing.values()
        if replaces(event.regulation, {person for *_, person in people}, newer)
    )


def _persons(row: ChangeApplication) -> set[str]:
    """The hashes of everybody who would stand in the new entry: who comes, and who stays of a pair."""
    leaving = Proposal.unpacked(row.proposal).member_id
    ids = [each for each in (row.entry_id, row.made_entry_id) if each is not None]
    members = db.session.scalars(
        select(Member)
        .join(EntryMember, EntryMember.member_id == Member.id)
        .where(EntryMember.entry_id.in_(ids))
    )
    return {person_hash(each.id_number) for each in members if each.id != leaving and each.id_number}

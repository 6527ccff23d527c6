from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import func, select

from app.actors import Role
from app.competitions.queries import EventView
from app.extensions import db
from app.registrations.models import Entry, Member, Registration, Unit
from app.registrations.queries.changes import ChangeView as ChangeView
from app.registrations.queries.changes import HeldApplication as HeldApplication
from app.registrations.queries.changes import application as application
from app.registrations.queries.changes import applications as applications
from app.registrations.queries.changes import changed_entries as changed_entries
from app.registrations.queries.changes import held_applications as held_applications
from app.registrations.queries.changes import late_entries as late_entries
from app.registrations.queries.changes import waiting_changes as waiting_changes
from app.registrations.queries.members import EnteredMember as EnteredMember
from app.registrations.queries.members import LedUnit as LedUnit
from app.registrations.queries.members import entered_members as entered_members
from app.registrations.queries.members import led_units as led_units
from app.registrations.queries.own import MemberView as MemberView
from app.registrations.queries.own import MyEntry as MyEntry
from app.registrations.queries.own import MyRegistration as MyRegistration
from app.registrations.queries.own import UnitView as UnitView
from app.registrations.queries.own import my as my
from app.registrations.queries.people import joined, units_of, with_people
from app.registrations.queries.purging import HoldView as HoldView
from app.registrations.queries.purging import hold_of as hold_of
from app.registrations.queries.purging import is_purge_due as is_purge_due
from app.registrations.queries.purging import purge_day_of as purge_day_of
from app.registrations.queries.purging import with_personal_data as with_personal_data
from app.registrations.queries.review import PrivateView as PrivateView
from app.registrations.queries.review import ReviewView as ReviewView
from app.registrations.queries.review import eligibility_counts as eligibility_counts
from app.registrations.queries.review import member_private as member_private
from app.registrations.queries.review import review_list as review_list
from app.registrations.rules import EntryId, EntryState
from app.text import T
from app.waiting import Waiting, age


@dataclass(frozen=True, slots=True)
class EntrantView:
    """Who plays in an entry, as the public may see it: a player, or a pair as 甲 / 乙 with the units of both.

    ``unit_id`` is the same for entries of one unit. Where players name their own units an entry is a unit of its own: the two
    of a pair may come from different ones.
    """

    entry_id: EntryId
    name: str
    unit_id: int
    unit_name: str
    players: tuple[str, ...] = ()
    in_team: bool = False
    """Whether the unit's form names this entry for its team (团体)."""


def approved_entries(event_id: int) -> tuple[EntrantView, ...]:
    """Approved entries (已通过), by the order in which units began to register, then entries were made."""
    return _entrants(Entry.event_id == event_id, Entry.state == EntryState.APPROVED.value)


def entrants(event_id: int) -> Mapping[EntryId, EntrantView]:
    """Every entry that was ever handed in, by id: names for draws, sheets and standings."""
    found = _entrants(Entry.event_id == event_id, Entry.state != EntryState.DRAFT.value)
    return {entrant.entry_id: entrant for entrant in found}


def named(entry_ids: Iterable[int]) -> Mapping[EntryId, EntrantView]:
    """These entries by id, for one table or one sheet: cheap however many entrants the event has."""
    return {entrant.entry_id: entrant for entrant in _entrants(Entry.id.in_(tuple(entry_ids)))}


def counts(event_id: int) -> Mapping[EntryState, int]:
    """How many entries are in each state; every state is named."""
    rows = db.session.execute(
        select(Entry.state, func.count()).where(Entry.event_id == event_id).group_by(Entry.state)
    )
    found = {EntryState(state): number for state, number in rows}
    return {state: found.get(state, 0) for state in EntryState}


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Entries that nobody decided yet, and for how long the oldest has waited; none once the entries are closed."""
    count, oldest = db.session.execute(
        select(func.count(), func.min(Entry.submitted_at)).where(
            Entry.event_id == event.id, Entry.state == EntryState.SUBMITTED.value
        )
    ).one()
    if oldest is None or event.entries_closed:
        return ()
    waited = age(now - oldest)
    text = (
        T("%(count)s 对选手等待审核（最早：%(age)s前）", count=count, age=waited)
        if event.regulation.in_pairs
        else T("%(count)s 名队员等待审核（最早：%(age)s前）", count=count, age=waited)
    )
    return (Waiting(text, T("去审核报名"), "registrations.staff_entries", (Role.COMMITTEE,)),)


def _entrants(*conditions: Any) -> tuple[EntrantView, ...]:
    rows = db.session.execute(
        with_people(select(Entry.id, Member.name, Member.unit_name, Unit.id, Unit.name, Entry.in_team))
        .join(Unit, Unit.id == Entry.unit_id)
        .join(
            Registration, (Registration.unit_id == Entry.unit_id) & (Registration.event_id == Entry.event_id)
        )
        .where(*conditions)
        .order_by(Registration.id, Entry.id, Member.id)
    )
    return tuple(
        _entrant(EntryId(entry), list(people)) for entry, people in groupby(rows, key=lambda row: row[0])
    )


def _entrant(entry_id: EntryId, rows: Sequence[Any]) -> EntrantView:
    names = tuple(row[1] for row in rows)
    return EntrantView(
        entry_id,
        name=joined(names),
        unit_id=entry_id if any(row[2] for row in rows) else rows[0][3],
        unit_name=units_of([row[2] for row in rows], rows[0][4]),
        players=names,
        in_team=bool(rows[0][5]),
    )

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from app.actors import Role
from app.competitions.queries import EventView
from app.draws.models import OPEN, STANDING, STANDS, AttendanceAct, DrawCommitment, Round, Seat, Table
from app.draws.rules import SWISS, entrant_of, entry_of
from app.draws.rules.attendance import Act, ActKind, Presence, UnknownPersonError, act_name, presences
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules.entries import EntryId
from app.text import T
from scoring_engine.event_file.swiss_draws.history import Away
from scoring_engine.values import EntrantId

if TYPE_CHECKING:
    from app.draws.queries import RoundView


@dataclass(frozen=True, slots=True)
class ActView:
    """One standing act (出席登记). ``reason`` is for the staff, except of a ruling."""

    id: int
    entrant: EntrantId
    kind: ActKind
    number: int
    reason: str | None
    made_as: Role
    made_at: datetime

    @property
    def act(self) -> Act:
        return Act(self.entrant, self.kind, self.number)

    @property
    def text(self) -> T:
        return act_name(self.kind, self.number)


@dataclass(frozen=True)
class Attendance:
    """What is said of an event: every standing act, and what it makes of each entrant. ``last_drawn``: 0 before round 1.

    Acts are sorted out by entrant once: a page asks for each of many entrants.
    """

    acts: tuple[ActView, ...]
    last_drawn: int
    drawn: Mapping[EntrantId, int]
    """The newest round somebody has a seat or a bye in."""

    @cached_property
    def presences(self) -> Mapping[EntrantId, Presence]:
        return presences(each.act for each in self.acts)

    @cached_property
    def _of_each(self) -> Mapping[EntrantId, list[ActView]]:
        found: dict[EntrantId, list[ActView]] = {}
        for each in self.acts:
            found.setdefault(each.entrant, []).append(each)
        return found

    def of(self, entrant: EntrantId) -> tuple[ActView, ...]:
        """The acts of one entrant, the newest round first."""
        own = self._of_each.get(entrant, ())
        return tuple(sorted(own, key=lambda each: (each.number, each.id), reverse=True))

    def in_field(self, entrant: EntrantId) -> bool:
        """Whether an approved entrant is one the rounds are drawn with: all are until round 1 is drawn."""
        return not self.last_drawn or entrant in self.drawn or entrant in self._of_each


def attendance(event_id: int) -> Attendance:
    """Every standing act of an event, in the order made."""
    rows = db.session.scalars(
        select(AttendanceAct)
        .where(AttendanceAct.event_id == event_id, STANDING)
        .order_by(AttendanceAct.id)
        .execution_options(populate_existing=True)
    )
    return Attendance(
        tuple(
            ActView(
                id=row.id,
                entrant=entrant_of(row.entry_id),
                kind=ActKind(row.kind),
                number=row.number,
                reason=row.reason,
                made_as=Role(row.made_as),
                made_at=row.made_at,
            )
            for row in rows
        ),
        last_drawn(event_id),
        _drawn(event_id),
    )


def standing_presences(event_id: int) -> Mapping[EntrantId, Presence]:
    """When each entrant takes part of whom something is said; empty where nothing is."""
    rows = db.session.execute(
        select(AttendanceAct.entry_id, AttendanceAct.kind, AttendanceAct.number).where(
            AttendanceAct.event_id == event_id, STANDING
        )
    )
    return presences(Act(entrant_of(entry), ActKind(kind), number) for entry, kind, number in rows)


def last_drawn(event_id: int) -> int:
    """The newest round paired by points that stands; 0 before the first."""
    return (
        db.session.scalar(
            select(func.max(Round.number)).where(Round.event_id == event_id, Round.stage == SWISS, STANDS)
        )
        or 0
    )


def committed_rounds(event_id: int) -> frozenset[int]:
    """The rounds paired by points whose seed is committed to and not drawn from yet."""
    return frozenset(
        db.session.scalars(
            select(DrawCommitment.number).where(
                DrawCommitment.event_id == event_id,
                DrawCommitment.stage == SWISS,
                OPEN,
            )
        )
    )


def field(event_id: int) -> Mapping[EntrantId, EntrantView]:
    """Everybody of whom something may be said: who is approved, and who was drawn."""
    people = {entrant_of(each.entry_id): each for each in registrations.approved_entries(event_id)}
    missing = _drawn(event_id).keys() - people.keys()
    return people | {
        entrant_of(each.entry_id): each
        for each in registrations.named(entry_of(entrant) for entrant in missing).values()
    }


def person_of(event: EventView, entrant: EntrantId) -> EntrantView:
    """One of the field. Raises ``UnknownPersonError``."""
    found = field(event.id).get(entrant)
    if found is None:
        raise UnknownPersonError
    return found


@dataclass(frozen=True, slots=True)
class RoundAttendance:
    """Who is not in a round and who came to it, as everybody may read it: names, and the reason of a ruling alone."""

    away: tuple[tuple[Away, tuple[str, ...]], ...]
    entered: tuple[str, ...]
    reinstated: tuple[tuple[str, str], ...]

    @property
    def anything(self) -> bool:
        return bool(self.away or self.entered or self.reinstated)


def of_rounds(event_id: int, rounds: Sequence[RoundView]) -> Mapping[int, RoundAttendance]:
    """Attendance of each round paired by points, by the id of the round.

    Who played before and is in neither the round nor any act stands out after forfeits: the draw left him out.
    """
    found: dict[int, RoundAttendance] = {}
    wanted = {each.id: each for each in rounds if each.by_points}
    if not wanted:
        return found
    said = attendance(event_id)
    here = said.presences
    before: set[EntrantId] = set()
    # who was in which round stands in its row: no table is read for it, however many rounds there are
    for round_id, number, entrants in db.session.execute(
        select(Round.id, Round.number, Round.entrants)
        .where(Round.event_id == event_id, Round.stage == SWISS, STANDS)
        .order_by(Round.id)
    ):
        inside = {EntrantId(entrant) for entrant in entrants}
        if round_id in wanted:
            found[round_id] = _round_attendance(said, here, number, outside=(before | here.keys()) - inside)
        before |= inside
    return found


def _round_attendance(
    said: Attendance, here: Mapping[EntrantId, Presence], number: int, *, outside: Collection[EntrantId]
) -> RoundAttendance:
    acts = [act for act in said.acts if act.number == number]
    told = registrations.named({entry_of(each) for each in (*outside, *(act.entrant for act in acts))})
    names = {entrant_of(entry_id): each.name for entry_id, each in told.items()}
    away: dict[Away, list[str]] = {}
    for entrant in sorted(outside, key=entry_of):
        why = here[entrant].away_in(number) if entrant in here else None
        if why is not Away.NOT_ENTERED and entrant in names:
            away.setdefault(why or Away.STANDS_OUT, []).append(names[entrant])
    return RoundAttendance(
        away=tuple((why, tuple(people)) for why, people in away.items()),
        entered=_named(said, ActKind.ENTERS, number, names),
        reinstated=tuple(
            (names[act.entrant], act.reason or "")
            for act in acts
            if act.kind is ActKind.REINSTATED and act.entrant in names
        ),
    )


def _named(said: Attendance, kind: ActKind, number: int, names: Mapping[EntrantId, str]) -> tuple[str, ...]:
    return tuple(
        names[act.entrant]
        for act in said.acts
        if (act.kind, act.number) == (kind, number) and number > 1 and act.entrant in names
    )


def _drawn(event_id: int) -> dict[EntrantId, int]:
    seated = db.session.execute(
        select(Seat.entry_id, func.max(Round.number))
        .join(Seat.table)
        .join(Table.round)
        .where(Round.event_id == event_id, Round.stage == SWISS, STANDS)
        .group_by(Seat.entry_id)
    )
    found = {entrant_of(EntryId(entry)): number for entry, number in seated}
    byes = db.session.execute(
        select(Round.number, Round.direct).where(Round.event_id == event_id, Round.stage == SWISS, STANDS)
    )
    for number, direct in byes:
        for entrant in direct:
            found[EntrantId(entrant)] = max(number, found.get(EntrantId(entrant), 0))
    return found

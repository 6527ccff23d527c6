"""Who takes part in the round to be drawn next, and who does not, with what the engine says of forfeits running."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws.queries import attendance as draws
from app.draws.queries.attendance import ActView, Attendance
from app.draws.rules.attendance import swiss_stage
from app.registrations.queries import EntrantView
from app.results import queries as results
from app.standings import queries
from scoring_engine import event_file as engine
from scoring_engine.event_file.swiss_draws.history import Away
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class PersonState:
    """One entrant and the round drawn next. away: why he is not in it; ``in_field`` False: only a late entry brings him in."""

    entrant: EntrantId
    person: EntrantView
    acts: tuple[ActView, ...]
    away: Away | None
    in_field: bool


@dataclass(frozen=True)
class AttendanceBoard:
    """Attendance of one event. ``number``: the round drawn next, None once all are drawn; ``rounds``: how many there are."""

    number: int | None
    rounds: int
    clause: str
    attendance: Attendance
    field: Mapping[EntrantId, EntrantView]
    standing_out: frozenset[EntrantId]

    def state(self, entrant: EntrantId) -> PersonState:
        """One of the field."""
        presence = self.attendance.presences.get(entrant)
        away = presence.away_in(self.number) if presence and self.number else None
        if away is None and entrant in self.standing_out:
            away = Away.STANDS_OUT
        return PersonState(
            entrant=entrant,
            person=self.field[entrant],
            acts=self.attendance.of(entrant),
            away=away,
            in_field=self.attendance.in_field(entrant),
        )

    @cached_property
    def everybody(self) -> tuple[EntrantId, ...]:
        """The field by name, in the order of GB 2312, as on the pairings."""
        return tuple(
            sorted(
                self.field,
                key=lambda each: (self.field[each].name.encode("gb18030"), self.field[each].entry_id),
            )
        )

    @cached_property
    def away(self) -> tuple[PersonState, ...]:
        """Who will not be paired in the round drawn next, or has not entered at all."""
        said = {each.entrant for each in self.attendance.acts} | self.standing_out
        states = (self.state(each) for each in self.everybody if each in said)
        return tuple(each for each in states if each.away is not None)

    @property
    def paired(self) -> int:
        """How many will be in the round drawn next."""
        inside = sum(self.attendance.in_field(each) for each in self.field)
        return inside - sum(each.in_field for each in self.away)


def board(event: EventView) -> AttendanceBoard:
    """Attendance as the staff keeps it. Raises ``NotByPointsError``."""
    stage = swiss_stage(event.regulation)
    attendance = draws.attendance(event.id)
    upcoming = attendance.last_drawn + 1
    return AttendanceBoard(
        number=upcoming if upcoming <= stage.rounds else None,
        rounds=stage.rounds,
        clause=stage.clause,
        attendance=attendance,
        field=draws.field(event.id),
        standing_out=standing_out(event.id),
    )


def standing_out(event_id: int) -> frozenset[EntrantId]:
    """Whom the engine does not pair in the next round because of forfeits running. Cheap where nobody ever forfeited."""
    contents = results.in_force(event_id).values()
    if not any((content.outcome or {}).keys() & {"forfeits", "late"} for content in contents):
        return frozenset()
    rules = competitions.event(event_id).regulation.scoring_rules()
    _, away = engine.not_paired(queries.event_file(event_id), rules)
    return frozenset(each for each, why in away.items() if why is Away.STANDS_OUT)


def withdrawn(event_id: int) -> dict[str, int]:
    """Who has withdrawn (退赛), and from which round on."""
    said = draws.standing_presences(event_id).items()
    return {
        entrant: presence.withdrawn_from for entrant, presence in said if presence.withdrawn_from is not None
    }

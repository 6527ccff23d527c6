"""What a Swiss round is paired from: everybody's points, opponents, sides, byes, floats and seats before it.

| rule | here |
|---|---|
| points are those of the rounds before, penalties of those rounds included | `Past` |
| a forfeited game is a meeting, or is none (I-B-19) | `Past.opponents` |
| withdrawn, not yet entered, absent, with a bye asked for: not paired | `away` |
| so many forfeits running: not paired until reinstated (I-B-19) | `away` |

Nothing of the round itself or of later ones is looked at, so that a draw replays when the event has gone on.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring_engine.pairing.attendance import Attendance, stands_out
from scoring_engine.records import DRAWN_BYE, EventRecord, RoundRecord, StageRecord
from scoring_engine.rules import PairingRules
from scoring_engine.stages.swiss import RoundResults, SwissScoring
from scoring_engine.tie_breaks.records import Played, RoundResult
from scoring_engine.values import Entrant, EntrantId, Points, points_of


class Away(StrEnum):
    """Why somebody is not paired in a round."""

    NOT_ENTERED = "not_entered"  # 补报: his first round is a later one
    WITHDRAWN = "withdrawn"  # 退赛
    ABSENT = "absent"  # 缺席
    BYE_REQUESTED = "bye_requested"  # a bye of another kind than the drawn one
    STANDS_OUT = "stands_out"  # 连续弃权, not reinstated


@dataclass(frozen=True, slots=True)
class Meeting:
    """Who sat at a table in a round, in seat order, and who forfeited."""

    round: int
    seats: tuple[EntrantId, ...]
    forfeits: frozenset[EntrantId]


@dataclass(frozen=True, slots=True)
class Past:
    """One entrant before a round. points: with those he began with; game_points: 小分, 0 in a game without.

    opponents: how often he sat with each, forfeited games only where they count. rounds: his results. meetings: his
    tables, oldest first. before: his points before each earlier round. byes: how many drawn byes he had.
    """

    entrant: Entrant
    points: Points
    game_points: Points
    opponents: Mapping[EntrantId, int]
    rounds: tuple[RoundResult, ...]
    meetings: tuple[Meeting, ...]
    before: tuple[Points, ...]
    byes: int
    forfeit_wins: int


@dataclass(frozen=True, slots=True)
class RoundToDraw:
    """One round of one group, and everybody of the group before it; `available` are those who are paired.

    first_numbers: the starting numbers of those who were in from round 1.
    """

    number: int
    group: str | None
    past: Mapping[EntrantId, Past]
    available: frozenset[EntrantId]
    event: EventRecord
    pairing: PairingRules

    @property
    def first_numbers(self) -> tuple[int, ...]:
        """The starting numbers of those who take part from round 1 on, in order."""
        people = (past.entrant for past in self.past.values())
        return tuple(sorted(one.number for one in people if one.number is not None and one.enters_in == 1))


Forfeited = Callable[[RoundRecord, EventRecord], frozenset[EntrantId]]


class SwissHistory:
    """The rounds of an event as they were played; computed once, asked for each round."""

    def __init__(
        self, event: EventRecord, pairing: PairingRules, scoring: SwissScoring, forfeited: Forfeited
    ) -> None:
        self.event = event
        self.pairing = pairing
        self.rule = event.rules.stages[0]
        self.stage = event.stage(self.rule.code) or StageRecord(self.rule.code, (), "$.stages")
        self._scoring = scoring
        self.results: tuple[RoundResults, ...] = tuple(
            scoring.round_results(part, event) for part in self.stage.rounds
        )
        self.forfeits = tuple(forfeited(part, event) for part in self.stage.rounds)
        self._people = {entrant.id: entrant for entrant in event.entrants}

    @property
    def groups(self) -> dict[str | None, tuple[EntrantId, ...]]:
        """The entrants of each group, sorted; groups in the order of their names."""
        found: dict[str | None, list[EntrantId]] = {}
        for entrant in sorted(self.event.entrants, key=lambda one: (one.group or "", one.id)):
            found.setdefault(entrant.group, []).append(entrant.id)
        return {name: tuple(members) for name, members in found.items()}

    @property
    def due(self) -> int:
        """The first round that can be drawn now, or could be drawn again: none before it lacks a result."""
        for number, results in enumerate(self.results, start=1):
            if any(result is None for result in results.values()):
                return number
        return len(self.results) + 1

    def waiting(self) -> list[str]:
        """The JSON paths of the tables that have no result yet."""
        return [
            table.path
            for part, results in zip(self.stage.rounds, self.results, strict=True)
            for table in part.seated_tables
            if any(results[seat] is None for seat in table.seats)
        ]

    def part(self, number: int) -> RoundRecord | None:
        """What the file holds of a round: played, or about to be drawn."""
        if number <= len(self.stage.rounds):
            return self.stage.rounds[number - 1]
        upcoming = self.stage.upcoming
        return upcoming if upcoming is not None and upcoming.number == number else None

    def away(self, number: int) -> dict[EntrantId, Away]:
        """Who is not paired in a round, and why."""
        part = self.part(number)
        absent = part.absent if part is not None else frozenset()
        requested = part.requested if part is not None else frozenset()
        found: dict[EntrantId, Away] = {}
        for entrant in self.event.entrants:
            if number < entrant.enters_in:
                found[entrant.id] = Away.NOT_ENTERED
            elif entrant.withdrawn_after is not None and number > entrant.withdrawn_after:
                found[entrant.id] = Away.WITHDRAWN
            elif entrant.id in absent:
                found[entrant.id] = Away.ABSENT
            elif entrant.id in requested:
                found[entrant.id] = Away.BYE_REQUESTED
        for entrant_id in self._standing_out(number):
            found.setdefault(entrant_id, Away.STANDS_OUT)
        return found

    def _standing_out(self, number: int) -> set[EntrantId]:
        running = self.pairing.number("stands_out_after")
        if not running:
            return set()
        reinstated: dict[EntrantId, int] = {}
        for earlier in range(1, number + 1):
            part = self.part(earlier)
            reinstated |= dict.fromkeys(part.reinstated if part is not None else (), earlier)
        forfeiting = {one for forfeits in self.forfeits[: number - 1] for one in forfeits}
        return {
            one
            for one in forfeiting
            if stands_out(self._attendance(one, number), reinstated.get(one), running)
        }

    def _attendance(self, entrant: EntrantId, number: int) -> dict[int, Attendance]:
        found: dict[int, Attendance] = {}
        for index, (results, forfeits) in enumerate(
            zip(self.results[: number - 1], self.forfeits, strict=False), start=1
        ):
            result = results[entrant]
            if entrant in forfeits:
                found[index] = Attendance.FORFEIT
            elif result is not None:
                found[index] = _ATTENDANCE[result.played]
        return found

    def to_draw(self, number: int, group: str | None, available: frozenset[EntrantId]) -> RoundToDraw:
        """One group before round `number`, of whom these are paired."""
        members = self.groups[group]
        meetings = self._meetings(number)
        past = {one: self._past(self._people[one], number, meetings) for one in members}
        return RoundToDraw(number, group, past, available.intersection(members), self.event, self.pairing)

    def _meetings(self, number: int) -> dict[EntrantId, list[Meeting]]:
        found: dict[EntrantId, list[Meeting]] = {}
        for part, forfeits in zip(self.stage.rounds[: number - 1], self.forfeits, strict=False):
            for table in part.seated_tables:
                meeting = Meeting(part.number, table.seats, forfeits.intersection(table.seats))
                for seat in table.seats:
                    found.setdefault(seat, []).append(meeting)
        return found

    def _past(self, entrant: Entrant, number: int, meetings: Mapping[EntrantId, Sequence[Meeting]]) -> Past:
        counted = self.pairing.word("forfeit_met") == "counted"
        own = tuple(meetings.get(entrant.id, ()))
        opponents = Counter(
            seat
            for meeting in own
            if counted or not meeting.forfeits
            for seat in meeting.seats
            if seat != entrant.id
        )
        rounds = [
            result for results in self.results[: number - 1] if (result := results[entrant.id]) is not None
        ]
        whole = self._scoring.scale(self.event.rules).whole_byes
        before: list[Points] = []
        played: Points = entrant.start
        byes: Points = 0
        for result in rounds:
            before.append(_total(played, byes, whole=whole))
            if result.bye is None:
                played += result.points
            else:
                byes += result.points
        return Past(
            entrant=entrant,
            points=_total(played, byes, whole=whole),
            game_points=points_of(sum((Fraction(one.game_points or 0) for one in rounds), Fraction(0))),
            opponents=opponents,
            rounds=tuple(rounds),
            meetings=own,
            before=tuple(before),
            byes=sum(one.bye == DRAWN_BYE for one in rounds),
            forfeit_wins=sum(one.played is Played.FORFEIT and one.won for one in rounds),
        )


_ATTENDANCE = {
    Played.GAME: Attendance.PLAYED,
    Played.FORFEIT: Attendance.BYE,  # his opponent did not appear; his own forfeits are told apart before
    Played.BYE: Attendance.BYE,
    Played.ABSENT: Attendance.ABSENT,
}


def _total(played: Points, byes: Points, *, whole: bool) -> Points:
    """Points of games and byes; byes rounded down together where the regulation says so."""
    return points_of(Fraction(played) + (byes // 1 if whole else byes))

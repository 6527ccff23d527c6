"""What a Swiss round breaks of the rules of its pairing, and what it gives away of their aims.

| rule | kept or aimed at | where |
|---|---|---|
| `same_unit` | kept | two at one table |
| `rematch` | kept; at tables of three an aim, where points come first | two at one table |
| `same_side` | kept | a seat: the same side more often running than is allowed |
| `second_bye` | kept | a bye |
| `stands_out` | kept | a seat of who was not to be paired |
| `float`, `spread` | aim | two, or three, with unequal points at one table |
| `balance` | aim | a seat: moved first two times more than second, or the other way round |
| `seats` | aim | a seat at a table of three that he has had two times more than another |

One implementation for a round as it was played (`notes`) and for a round that somebody changes by hand (`round_breaches`).
An engine's own draw gives aims away as well, where rules or more important aims ask for it; so of a changed round only
the tables that were not drawn are looked at for them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from scoring_engine.event_file.swiss_draws.drawn import figure
from scoring_engine.event_file.swiss_draws.history import Away, Past, RoundToDraw
from scoring_engine.event_file.swiss_draws.kept import KeptRules
from scoring_engine.pairing.repairs import Placed
from scoring_engine.tie_breaks.records import Played
from scoring_engine.values import EntrantId, Text

SEAT_NAMES = (Text("西", "West"), Text("南", "South"), Text("东", "East"))
MOST_UNEVEN = 2
"""From this difference on a side, or a seat, has been had too often; one apart is as even as an odd number can be."""


@dataclass(frozen=True, slots=True)
class Breach:
    """One rule that a round breaks. kept: the engine never breaks it where a draw exists that does not; else it is an aim.

    table: at which table, from 0 in the order given; bye: which of the byes, likewise.
    """

    rule: str
    entrants: tuple[EntrantId, ...]
    text: Text
    kept: bool = True
    table: int | None = None
    bye: int | None = None
    clause: str = field(default="", compare=False)


Seats = Sequence[Sequence[EntrantId]]


def breaches_of(
    drawing: RoundToDraw, kept: KeptRules, placed: Placed, away: Mapping[EntrantId, Away]
) -> Iterator[Breach]:
    """Every rule to be kept that the round breaks in this group, and every rematch, table after table, then byes.

    Tables and byes of other groups are passed over, so that their places stay those of the whole round.
    """
    past, clause = drawing.past, drawing.pairing.clause
    for number, table in _own(drawing, placed.tables):
        for one, other in combinations(table, 2):
            if kept.rematch and other in past[one].opponents:
                text = _meets_again(one, other)
                yield Breach(
                    "rematch", (one, other), text, kept=not kept.points_first, table=number, clause=clause
                )
            unit = past[one].entrant.unit
            if kept.units and unit is not None and unit == past[other].entrant.unit:
                yield Breach("same_unit", (one, other), _one_unit(one, other), table=number, clause=clause)
        if kept.longest_run is not None:
            for place, seat in enumerate(table):
                if _runs_on(past[seat], second=place > 0, longest=kept.longest_run):
                    text = _same_side(seat, kept.longest_run)
                    yield Breach("same_side", (seat,), text, table=number, clause=clause)
    for number, bye in enumerate(placed.byes):
        if bye not in past or not past[bye].byes or away.get(bye) is Away.BYE_REQUESTED:
            continue
        if kept.one_bye or any(not past[one].byes for one in drawing.available):
            yield Breach("second_bye", (bye,), _second_bye(bye), bye=number, clause=clause)
    for number, table in _own(drawing, placed.tables):
        for seat in table:
            if away.get(seat) is Away.STANDS_OUT:
                yield Breach("stands_out", (seat,), _stands_out(seat), table=number, clause=clause)


def aims_missed(drawing: RoundToDraw, kept: KeptRules, placed: Placed, drawn: Placed) -> Iterator[Breach]:
    """What the tables that were not drawn give away of the aims of pairing; not in which order things were weighed."""
    clause = drawing.pairing.clause
    as_drawn = set(drawn.tables)
    for number, table in _own(drawing, placed.tables):
        if table in as_drawn:
            continue
        past = [drawing.past[seat] for seat in table]
        for rule, people, text in _aims(past, kept):
            entrants = tuple(each.entrant.id for each in people)
            yield Breach(rule, entrants, text, kept=False, table=number, clause=clause)


def _own(
    drawing: RoundToDraw, tables: Sequence[tuple[EntrantId, ...]]
) -> Iterator[tuple[int, tuple[EntrantId, ...]]]:
    """The tables of this group with their places."""
    for number, table in enumerate(tables):
        if table and all(seat in drawing.past for seat in table):
            yield number, table


def _aims(past: Sequence[Past], kept: KeptRules) -> Iterator[tuple[str, Sequence[Past], Text]]:
    ordered = sorted(past, key=lambda one: one.points, reverse=True)
    if kept.by_points and ordered[0].points != ordered[-1].points:
        yield "float" if len(past) == 2 else "spread", ordered, _unequal(ordered)
    if kept.longest_run is not None:
        for place, one in enumerate(past):
            sides = [each.second for each in one.rounds if each.played is Played.GAME] + [place > 0]
            first, second = sides.count(False), sides.count(True)
            if abs(first - second) >= MOST_UNEVEN and sides[-1] is (second > first):
                yield "balance", (one,), _uneven_sides(one.entrant.id, first, second)
    if len(past) == len(SEAT_NAMES):
        for place, one in enumerate(past):
            had = [0] * len(SEAT_NAMES)
            for meeting in one.meetings:
                if len(meeting.seats) == len(SEAT_NAMES):
                    had[meeting.seats.index(one.entrant.id)] += 1
            had[place] += 1
            least = min(range(len(had)), key=lambda at: had[at])
            if had[place] - had[least] >= MOST_UNEVEN:
                yield "seats", (one,), _uneven_seats(one.entrant.id, place, least, had)


def _runs_on(past: Past, *, second: bool, longest: int) -> bool:
    """Whether he has had this side as often running as is allowed, and has it again."""
    sides = [each.second for each in past.rounds if each.played is Played.GAME][-longest:]
    return len(sides) == longest and all(side is second for side in sides)


def _meets_again(one: EntrantId, other: EntrantId) -> Text:
    return Text(f"{one}与{other}再次相遇。", f"{one} and {other} meet again.")


def _one_unit(one: EntrantId, other: EntrantId) -> Text:
    return Text(f"{one}与{other}同单位而相遇。", f"{one} and {other} are of one unit and meet.")


def _same_side(seat: EntrantId, longest: int) -> Text:
    return Text(
        f"{seat}连续超过{longest}次同一先后手。",
        f"{seat} has the same side more than {longest} times running.",
    )


def _second_bye(bye: EntrantId) -> Text:
    return Text(f"{bye}再次轮空。", f"{bye} has a second bye.")


def _stands_out(seat: EntrantId) -> Text:
    return Text(
        f"{seat}连续弃权后没有恢复编排（reinstated）而上场。",
        f"{seat} was paired after forfeits running without being reinstated.",
    )


def _unequal(ordered: Sequence[Past]) -> Text:
    shown = [(one.entrant.id, figure(one.points)) for one in ordered]
    return Text(
        f"积分不同而同桌：{'、'.join(f'{one} {points}分' for one, points in shown)}。",
        f"Unequal points at one table: {', '.join(f'{one} {points}' for one, points in shown)}.",
    )


def _uneven_sides(seat: EntrantId, first: int, second: int) -> Text:
    return Text(
        f"{seat}先手{first}次、后手{second}次，不均衡。",
        f"{seat} moves first {first} times and second {second} times.",
    )


def _uneven_seats(seat: EntrantId, place: int, least: int, had: Sequence[int]) -> Text:
    one, other = SEAT_NAMES[place], SEAT_NAMES[least]
    return Text(
        f"{seat}坐{one.zh}{had[place]}次、坐{other.zh}{had[least]}次，不均衡。",
        f"{seat} sits {one.en} {had[place]} times and {other.en} {had[least]} times.",
    )

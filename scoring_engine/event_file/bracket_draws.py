"""The draws of a bracket (单场淘汰, D 五3): the next round, and a published draw replayed.

Round 1 is drawn; later rounds follow `later_rounds` (I-D-14), byes `bye_reading` (I-D-15).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from scoring_engine.documents import Problem
from scoring_engine.event_file.bracket_reasons import reasons_json
from scoring_engine.event_file.differences import Difference, compare
from scoring_engine.event_file.reading import EventFileError
from scoring_engine.event_file.replaying import Redrawn, Replay, draw_differences, round_of
from scoring_engine.event_file.shown import no_round_json
from scoring_engine.pairing import bracket as draws
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.pairing.repairs import Placed
from scoring_engine.records import DrawRecord, EventRecord
from scoring_engine.stages.bracket import BracketRound, bracket, rounds_of
from scoring_engine.values import EntrantId


def pair_bracket(event: EventRecord, seed: bytes, source: str) -> dict[str, Any]:
    """The next round as `pair` answers it. Raises EventFileError naming the tables and people it waits for."""
    outcome = bracket(event)
    ruling = None if outcome.needs_ruling is None else outcome.needs_ruling.to_json()
    report: dict[str, Any] = {"complete": outcome.complete, "needs_ruling": ruling}
    last = outcome.rounds[-1] if outcome.rounds else None
    if last is not None and not last.ended:
        raise _running(event, last)
    if ruling is not None or outcome.complete:
        return {**no_round_json(), "needs_ruling": ruling, "report": report}
    number = len(outcome.rounds) + 1
    order = _order(event, outcome.rounds, number, frozenset())
    drawn = _draw(event, outcome.rounds, number, order, seed)
    report |= {
        "seed_source": source,
        "method": _method(event, number),
        "entrants": len(order),
        "tables": len(drawn.tables),
        "byes": len(drawn.byes),
        "absent": [],
        "broken": [],
        "groups": [],
        **reasons_json(
            drawn,
            number,
            _method(event, number),
            _came_from(outcome.rounds),
            event.rules.option("bye_reading"),
        ),
    }
    return {
        "stage": outcome.rule.code,
        "round": number,
        "tables": [
            {"number": place, "entrants": list(sides)} for place, sides in enumerate(drawn.tables, start=1)
        ],
        "byes": list(drawn.byes),
        "seed": seed.hex(),
        "proof": proof_of(seed, order, drawn.tables, drawn.byes),
        "needs_ruling": None,
        "report": report,
    }


def bracket_replay(event: EventRecord) -> Replay:
    """The replay of every draw of this event; its rounds are scored once for all of them."""
    rounds = rounds_of(event)
    due = next((part.number for part in rounds if not part.ended), len(rounds) + 1)
    due = min(due, event.rules.stages[0].rounds)

    def differences(draw: DrawRecord) -> list[Difference]:
        if draw.round > due:
            return compare(f"{draw.path}.round", "抽签的轮次", "The round of the draw", due, draw.round)
        part = round_of(event, draw)
        seated = [side for record in part.matches for side in record.seats] if part else []
        here = frozenset((*(part.byes if part else ()), *seated))
        order = _order(event, rounds, draw.round, here)
        drawn = _draw(event, rounds[: draw.round - 1], draw.round, order, draw.seed)
        found = compare(
            f"{draw.path}.entrants", "抽签名单", "The list drawn from", sorted(order), sorted(draw.entrants)
        )
        # Which side is written first at a table says nothing in 升级.
        redrawn = Redrawn(order, Placed(drawn.tables, drawn.byes), ordered_seats=False)
        return found + draw_differences(draw, redrawn, part)

    return differences


def _order(
    event: EventRecord, rounds: Sequence[BracketRound], number: int, here: Collection[EntrantId]
) -> tuple[EntrantId, ...]:
    """Who is in a round, by the tables of the one before, then its byes; of a match without a winner, whom the
    committee let go on by seating him `here`."""
    if number == 1:
        return tuple(sorted(entrant.id for entrant in event.entrants))
    before = rounds[number - 2]
    order: list[EntrantId] = []
    for result in sorted(before.results, key=lambda one: one.record.number):
        goes_on = before.by_table.get(result.record.number)
        if goes_on is not None:
            order.append(goes_on)
        elif result.winner is None:
            order += [side for side in result.record.seats if side in here]
    return (*order, *(bye for bye in before.byes if bye in before.advance))


def _draw(
    event: EventRecord,
    before: Sequence[BracketRound],
    number: int,
    order: Sequence[EntrantId],
    seed: bytes,
) -> draws.BracketRound:
    if number == 1:
        return draws.draw_first_round(order, seed)
    return draws.draw_later_round(
        order,
        seed,
        later_rounds=event.rules.option("later_rounds"),
        byes_had=Counter(bye for part in before for bye in part.byes),
        bye_reading=event.rules.option("bye_reading"),
    )


def _method(event: EventRecord, number: int) -> str:
    return "drawn" if number == 1 else event.rules.option("later_rounds")


def _came_from(before: Sequence[BracketRound]) -> dict[EntrantId, int | None]:
    """At which table of the last round each one sat who goes on; None for a bye."""
    if not before:
        return {}
    last = before[-1]
    seated = {side: result.record.number for result in last.results for side in result.record.seats}
    return {**seated, **dict.fromkeys(last.byes)}


def _running(event: EventRecord, last: BracketRound) -> EventFileError:
    tables = [
        Problem(
            result.record.path,
            "本桌还没有打完，不能编排下一轮。",
            "This table has not ended; no next round yet.",
        )
        for result in last.results
        if not result.ended
    ]
    seats = Problem(
        "$.stages",
        f"第{last.number}轮还有参赛者既没有座位也没有轮空，不能编排下一轮。",
        f"Round {last.number} has entrants with neither a seat nor a bye; no next round yet.",
    )
    return EventFileError(tables or [seats])

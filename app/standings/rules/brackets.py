"""The tree of a bracket (单场淘汰) as a score document has it: every match with the matches its two sides came from.

Nothing here decides who won: winners, levels and byes are read. Three rounds of a large field end in several winners, so
there are as many trees as the newest round has matches and byes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.text import T

PASSED = "passed"
"""Instead of a round: that an entrant came through all of them."""


@dataclass(frozen=True, slots=True)
class TieSide:
    """One side of a match: the level it came to, None before anything is known; whether it goes on, None while open."""

    entrant: str
    level: str | None
    won: bool | None


@dataclass(frozen=True, slots=True)
class Tie:
    """One match (一场), or one bye (轮空) where ``number`` is None and there is one side. ``before``: the ties its sides came from."""

    round: int
    number: int | None
    sides: tuple[TieSide, ...]
    before: tuple[Tie, ...]
    decided_by: str | None = None


def trees(result: Mapping[str, Any]) -> tuple[Tie, ...]:
    """The trees of a score document, in the order of tables, a bye last; none before the first draw, or of another format."""
    rounds = [part for stage in result["stages"] for part in stage.get("rounds", ())]
    tables: dict[int, list[Mapping[str, Any]]] = {}
    for table in result["tables"]:
        tables.setdefault(table["round"], []).append(table)
    reached: dict[str, Tie] = {}
    newest: tuple[Tie, ...] = ()
    for part in rounds:
        ties = [_tie(table, part, reached) for table in tables.get(part["number"], ())]
        ties += [
            Tie(part["number"], None, (TieSide(bye, None, won=True),), _before((bye,), reached))
            for bye in part["byes"]
        ]
        newest = tuple(ties)
        reached = {side.entrant: tie for tie in ties for side in tie.sides}
    return newest


def _tie(table: Mapping[str, Any], part: Mapping[str, Any], reached: Mapping[str, Tie]) -> Tie:
    known = bool(table["deals"]) or table["complete"]
    sides = tuple(
        TieSide(
            side,
            table["levels"][side] if known else None,
            won=True if side in part["advance"] else False if side in part["out"] else None,
        )
        for side in table["sides"]
    )
    return Tie(part["number"], table["number"], sides, _before(table["sides"], reached), table["decided_by"])


def _before(sides: Sequence[str], reached: Mapping[str, Tie]) -> tuple[Tie, ...]:
    return tuple(reached[side] for side in sides if side in reached)


def reached_codes(rounds: int) -> list[str]:
    """What the figures of ``round_reached`` from 1 on mean: the rounds by number, then that all were passed."""
    return [*(str(number) for number in range(1, rounds + 1)), PASSED]


def reached_name(code: str) -> T:
    """One of ``reached_codes`` in words."""
    return T("全胜") if code == PASSED else T("第 %(number)s 轮", number=code)


def rounds_played(result: Mapping[str, Any], entrant: str) -> list[dict[str, Any]]:
    """The rounds of one entrant in a bracket, as a placing of a stage paired by points has them."""
    found = []
    for stage in result["stages"]:
        for part in stage.get("rounds", ()):
            if entrant in part["byes"]:
                found.append({"round": part["number"], "played": "bye", "opponent": None, "levels": None})
    for table in result["tables"]:
        if "sides" not in table or entrant not in table["sides"] or not table["complete"]:
            continue
        (other,) = (side for side in table["sides"] if side != entrant)
        found.append(
            {
                "round": table["round"],
                "played": "forfeit" if table["decided_by"] == "forfeit" else "game",
                "opponent": other,
                "levels": table["levels"][entrant],
                "levels_against": table["levels"][other],
                "won": table["winner"] == entrant,
            }
        )
    return sorted(found, key=lambda each: each["round"])

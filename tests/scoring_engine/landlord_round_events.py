"""Events of 快乐二打一 in rounds, in short form (made-up entrants e1, e2, …), by the shipped regulation."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from scoring_engine.rules import ScoringRules

TOML = Path(__file__).parents[2] / "app" / "regulations" / "library" / "2021" / "dongcheng-landlord.toml"
FINE = {"id": "fine", "effect": "points", "points": -3, "name": "罚分", "clause": "附件4八"}
"""The text has no penalty in points; an organiser's regulation may."""


def regulation() -> dict[str, Any]:
    """The shipped regulation, with a penalty that costs points besides."""
    document = tomllib.loads(TOML.read_text(encoding="utf-8"), parse_float=Decimal)
    return {**document, "penalties": [*document["penalties"], FINE]}


def rules(options: Mapping[str, Any] | None = None, *, rounds: int = 4) -> ScoringRules:
    """Its rules with these options, of so many rounds."""
    document = regulation()
    (stage,) = document["stages"]
    return ScoringRules.from_mapping({**document, "stages": [{**stage, "rounds": rounds}]}, options)


def entrant(short: str) -> dict[str, Any]:
    """`e1 u1 t1`: id, unit, team; the last two may be missing."""
    return dict(zip(("id", "unit", "team"), short.split(), strict=False))


def table(number: int, short: str) -> dict[str, Any]:
    """`e1+20 e3-4 e5-16`: totals; `e1? e2? e3?`: nothing yet; `e1 e2 eF3`: e3 forfeits."""
    seats: list[str] = []
    made: dict[str, Any] = {"number": number, "seats": seats}
    for part in short.split():
        found = re.fullmatch(r"e(F?)(\d+)([-+]\d+)?\??", part)
        assert found, part
        seat = f"e{found[2]}"
        seats.append(seat)
        if found[1]:
            made.setdefault("forfeits", []).append(seat)
        if found[3]:
            made.setdefault("game_points", {})[seat] = int(found[3])
    return made


def event(
    entrants: Sequence[str],
    rounds: Sequence[Sequence[Mapping[str, Any]] | str],
    byes: Mapping[str, Sequence[Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """An event file; a round is its tables, or `table | table` in short form."""
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": "dongcheng-landlord-2021",
        "entrants": [entrant(each) for each in entrants],
        "stages": [
            {
                "code": "swiss",
                "rounds": [
                    {
                        "number": number,
                        "tables": [table(index, each) for index, each in enumerate(part.split("|"), start=1)]
                        if isinstance(part, str)
                        else list(part),
                        "byes": list((byes or {}).get(str(number), ())),
                    }
                    for number, part in enumerate(rounds, start=1)
                ],
            }
        ],
        **more,
    }


def made(case: Mapping[str, Any]) -> tuple[dict[str, Any], ScoringRules]:
    """The event file of a golden case, and the rules it is played by."""
    more = {"lots": {"seed": case["lots"]}} if "lots" in case else {}
    return (
        event(case["entrants"], case["rounds"], case.get("byes"), **more),
        rules(case.get("options"), rounds=case.get("played", 4)),
    )


def fines(given: Mapping[str, int], number: int = 1) -> list[dict[str, Any]]:
    """Adjustments that fine entrants in one round, so many times each."""
    return [
        {"id": f"f{who}", "rule": "fine", "entrant": who, "stage": "swiss", "round": number, "count": count}
        for who, count in given.items()
    ]

"""Event files of regulation A, built as small as they can be."""

from __future__ import annotations

from typing import Any

REGULATION = "beach-games-landlord-2021"


def deal(landlord: str, *, bid: int = 1, winner: str = "landlord", **doublings: Any) -> dict[str, Any]:
    """One deal of 二打一."""
    usual = {"rockets": 0, "bombs": 0, "spring": False, "anti_spring": False}
    return {"landlord": landlord, "bid": bid, "winner": winner, **usual, **doublings}


def event(entrants: int = 12, **changes: Any) -> dict[str, Any]:
    """An event that has not begun."""
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": REGULATION,
        "entrants": [{"id": f"e{n}", "name": f"选手{n}", "unit": f"u{n}"} for n in range(1, entrants + 1)],
        "stages": [],
        **changes,
    }


def played(entrants: int = 12) -> dict[str, Any]:
    """An event whose preliminary is played: at every table the first seat is landlord ten times and wins."""
    ids = [f"e{n}" for n in range(1, entrants + 1)]
    tables = [
        {
            "number": number + 1,
            "seats": ids[3 * number : 3 * number + 3],
            "deals": [deal(ids[3 * number], bid=1 + number % 3) for _ in range(10)],
        }
        for number in range(entrants // 3)
    ]
    rounds = [{"number": 1, "tables": tables, "byes": ids[3 * (entrants // 3) :]}]
    return event(entrants, stages=[{"code": "prelim", "rounds": rounds}])

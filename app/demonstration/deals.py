"""Made-up score sheets: the same seed gives the same deals, and each of them could have been dealt."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

PASSED_OUT_IN = 12
"""One deal of so many is passed out (流局)."""


def sheet(seats: Sequence[str], deals: int, seed: str) -> list[dict[str, Any]]:
    """``deals`` deals between the three entrants of a table, as the event file writes them."""
    dice = random.Random(seed)  # noqa: S311 - made-up results that must repeat, nothing secret
    return [_deal(seats, dice) for _ in range(deals)]


def _deal(seats: Sequence[str], dice: random.Random) -> dict[str, Any]:
    if dice.randrange(PASSED_OUT_IN) == 0:
        return {"passed_out": True}
    winner = dice.choice(("landlord", "defenders"))
    swept = dice.randrange(10) == 0
    return {
        "landlord": dice.choice(seats),
        "bid": dice.choice((1, 2, 2, 3, 3, 3)),
        "winner": winner,
        "rockets": int(dice.randrange(5) == 0),
        "bombs": dice.choice((0, 0, 0, 0, 1, 1, 2)),
        "spring": swept and winner == "landlord",
        "anti_spring": swept and winner == "defenders",
    }

"""Made-up results of a rehearsal's tables, by game."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from app.demonstration import deals

LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def _cards(sheet: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    seats = [seat["entrant"] for seat in sheet["seats"]]
    return {"deals": deals.sheet(seats, sheet["deals_wanted"], str(chance.random()))}


def _board(sheet: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    first, second = (seat["entrant"] for seat in sheet["seats"])
    return {"winner": chance.choice([first, first, second, second, None])}


def _match(sheet: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """Two levels at the end and who would bank next: never equal ones, which some texts leave to a ruling."""
    sides = [seat["entrant"] for seat in sheet["seats"]]
    levels = dict(zip(sides, chance.sample(LEVELS, 2), strict=True))
    return {"levels": levels, "bank": chance.choice(sides)}


RESULTS: Mapping[str, Callable[[Mapping[str, Any], random.Random], dict[str, Any]]] = {
    "landlord": _cards,
    "go": _board,
    "xiangqi": _board,
    "tractor": _match,
    "eighty": _match,
}
"""Made-up results of a table, by game."""

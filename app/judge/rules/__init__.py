"""What can be judged under a regulation, who judges it, and the answer in words.

``plays`` and ``tricks`` ask the engine, for the pages as for `saishi judge`; ``levels`` asks it what a deal brings. ``questions``
lists what a page asks, ``keypad`` the cards to tap, ``verdicts`` puts an answer into words with its clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.judge.rules.plays import PlayJudge
from app.judge.rules.tricks import TrickJudge
from app.regulations.rules import Regulation

JUDGES: Mapping[str, Callable[[Regulation], Callable[[str], dict[str, Any]]]] = {
    "landlord": PlayJudge,
    "tractor": TrickJudge,
    "eighty": TrickJudge,
}
"""Game -> what makes the judge of its lines; board games have no cards to judge."""

ASKS_PER_MINUTE = "300/minute"
"""From one address: the referees of a hall share one, and without JavaScript each tap is a request."""

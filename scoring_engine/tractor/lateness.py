"""Lateness of 升级 (迟到): tiers by minutes, each with what it costs (C 十(二), I-C-8).

Within 5 minutes a warning (违例一次); 6–10 20 points and 11–15 30 points in the first deal; 16–20 the first deal is given up,
and the opponents go up one level and bank; from 21 on the round is forfeited. Minutes are exact and a minute begun counts:
5:00 is the first tier, 5:01 the second. The tiers are data; matches apply them.

Not here: 特殊情况由组委会决定 – the committee leaves out the lateness or gives another penalty; regulation D has none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.tractor.penalties import Effect
from scoring_engine.tractor.rows import (
    STEP,
    multiple_of_five,
    raise_problems,
    refuse_other_keys,
    table_node,
)

LATE_MINUTES = ("ceil", "floor")


@dataclass(frozen=True, slots=True)
class LateTier:
    """One row of lateness (迟到): up to `to` minutes, None for the last. points: below 0, in the first deal."""

    to: int | None
    effect: Effect
    points: int
    clause: str


LATE_EFFECTS = (Effect.WARNING, Effect.POINTS, Effect.DEAL_LOST, Effect.ROUND_LOST)
_LATE_KEYS = ("to", "effect", "points", "clause")


@dataclass(frozen=True, slots=True)
class Lateness:
    """The tiers of lateness of one regulation. minutes: "ceil" – a minute begun counts – or "floor" (I-C-8)."""

    tiers: tuple[LateTier, ...]
    minutes: str = "ceil"

    @classmethod
    def from_rows(
        cls, rows: Sequence[Mapping[str, Any]], clause: str, path: str = "$", minutes: str = "ceil"
    ) -> "Lateness":
        """The tiers of these rows. Raises DocumentError with every problem."""
        node = table_node(rows, path, clause=clause)
        lateness = cls.read(node, {"late_minutes": minutes})
        raise_problems(node.problems)
        assert lateness is not None
        return lateness

    @classmethod
    def read(cls, node: Node, options: Mapping[str, bool | int | str]) -> "Lateness | None":
        """The tiers of an object `{"clause", "rows"}`; the option `late_minutes` says how minutes are counted."""
        before = len(node.problems.found)
        clause = node.text("clause")
        nodes = list(node.nodes("rows", required=True))
        tiers = [_tier(part, clause or "", last=part is nodes[-1]) for part in nodes]
        whole = [tier for tier in tiers if tier is not None]
        minutes = options.get("late_minutes", node.value.get("late_minutes", "ceil"))
        if minutes not in LATE_MINUTES:
            node.choice("late_minutes", LATE_MINUTES)
        if len(node.problems.found) == before:
            _lint_tiers(whole, node)
        return cls(tuple(whole), str(minutes)) if len(node.problems.found) == before else None

    def tier(self, minutes: Fraction | int) -> LateTier | None:
        """The row for so many minutes late, exact (5:01 is Fraction(301, 60)); None for in time. ValueError below 0."""
        if minutes < 0:
            raise ValueError(f"{minutes} minutes late")
        if minutes == 0:
            return None
        whole = ceil(minutes) if self.minutes == "ceil" else floor(minutes)
        return next(tier for tier in self.tiers if tier.to is None or whole <= tier.to)


def _tier(node: Node, clause: str, *, last: bool) -> LateTier | None:
    before = len(node.problems.found)
    refuse_other_keys(node, _LATE_KEYS)
    effect = node.choice("effect", LATE_EFFECTS)
    points = multiple_of_five(node, "points", None, -STEP) if effect == Effect.POINTS else 0
    to = None if last else node.integer("to", 1)
    own = node.text("clause") if node.has("clause") else clause
    if last and node.has("to"):
        node.problems.add(node.at("to"), "最后一档没有 to。", "The last tier has no end (to).")
    if effect not in (None, Effect.POINTS) and node.has("points"):
        node.problems.add(node.at("points"), f"{effect} 没有 points。", f"{effect} has no points.")
    if len(node.problems.found) > before or effect is None or points is None or own is None:
        return None
    return LateTier(to, Effect(effect), points, own)


def _lint_tiers(tiers: Sequence[LateTier], node: Node) -> None:
    if not tiers:
        node.problems.add(node.at("rows"), "至少要有一档。", "At least one tier is needed.")
    for index, (tier, following) in enumerate(pairwise(tiers), start=1):
        path = f"{node.at('rows')}[{index}]"
        assert tier.to is not None  # only the last is open
        if following.to is not None and following.to <= tier.to:
            node.problems.add(f"{path}.to", "各档分钟数应递增。", "The tiers must rise in minutes.")
        order = [(LATE_EFFECTS.index(one.effect), -one.points) for one in (tier, following)]
        if order[1] <= order[0]:
            node.problems.add(
                f"{path}.effect",
                "迟到越久，处罚应越重。",
                "A longer delay must cost more.",
            )

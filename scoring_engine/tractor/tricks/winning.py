"""Who wins a trick (大小), the points in it, and what the bottom was dug with (抠底, 挖底).

- A follow competes when all its cards are of the led suit, or all trumps (将吃), and it matches the led structure: a pair is
  ruffed with a pair, a run with a run (C 八(十七); D 五7); otherwise it only follows. A pair played to thrown singles is
  two singles (D 五8), and any card is lower than the smallest pair led (D 五7).
- A ruff beats the plain suit. Two ruffs compare their highest run, then triple, then single (C 八(十七)); the text leaves
  out the pair, which stands between triple and single (I-C-28). Between equals the first played stands.
- The bottom is dug when the defenders win the last trick, with trumps or a plain suit (C 八(十八); D 五15).

Not here: the multipliers of the bottom, and who opens the next trick's time limit.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from scoring_engine.tractor.bottom import BottomMultipliers
from scoring_engine.tractor.cards import Card, Suit, points_in
from scoring_engine.tractor.tricks.formats import TrickFormat, TrickRules
from scoring_engine.tractor.tricks.leads import Lead
from scoring_engine.tractor.units import Shape, Unit, UnitKind, packings, shape, sole_suit

PLAYERS = 4

_Height: TypeAlias = tuple[bool, int, tuple[int, ...]]
"""Ruffed, how many loose pairs are connected (I-D-29), then the heights of the units that count."""


@dataclass(frozen=True, slots=True)
class TrickResult:
    """The end of one trick. winner: 0 for the leader, 1 for the next player …; units: what he won with."""

    winner: int
    units: tuple[Unit, ...]
    ruffed: bool
    points: int
    clause: str


def decide_trick(
    lead: Lead, follows: Sequence[Sequence[Card]], rules: TrickRules, *, lowered_player: int | None = None
) -> TrickResult:
    """Who wins, out of a lead that stands and the three follows in order of play; each is taken to be legal.

    lowered_player: whose level cards are the lowest trumps (D 五18), counted like the winner. Raises ValueError where
    there are not three follows of as many cards as were led.
    """
    if len(follows) != PLAYERS - 1 or any(len(cards) != len(lead.cards) for cards in follows):
        raise ValueError(f"{len(lead.cards)} cards led, followed by {[len(cards) for cards in follows]}")
    winner, won_with = 0, lead.units
    highest: _Height = (False, 0, _heights(lead.units, rules.format))
    for player, cards in enumerate(follows, start=1):
        ranked = _rank(cards, lead, rules.for_player(player, lowered_player))
        if ranked is not None and ranked[0] > highest:
            winner, (highest, won_with) = player, ranked
    points = points_in(lead.cards) + sum(points_in(cards) for cards in follows)
    return TrickResult(winner, won_with, highest[0], points, rules.format.trick_clause)


def _rank(cards: Sequence[Card], lead: Lead, rules: TrickRules) -> tuple[_Height, tuple[Unit, ...]] | None:
    """How high a follow stands, and as which units; None where it only follows."""
    suit = sole_suit(cards, rules.trumps)
    if suit is None or suit not in (lead.suit, Suit.TRUMP):
        return None
    ruffs = suit is not lead.suit
    best: tuple[_Height, tuple[Unit, ...]] | None = None
    for connected, shapes in _matches(lead.shapes, rules.format, ruffs=ruffs):
        for units in packings(Counter(cards), shapes, rules.trumps):
            height = (ruffs, connected, _heights(units, rules.format))
            if best is None or height > best[0]:
                best = (height, units)
    return best


def _matches(
    shapes: Sequence[Shape], format_: TrickFormat, *, ruffs: bool
) -> list[tuple[int, tuple[Shape, ...]]]:
    """The structures that match the lead; by I-D-29 a ruff of unconnected pairs may also connect two or more."""
    matches = [(0, tuple(shapes))]
    pairs = sum(led.kind is UnitKind.PAIR for led in shapes)
    if ruffs and format_.connected_pairs != "structure":
        others = tuple(led for led in shapes if led.kind is not UnitKind.PAIR)
        for size in range(2, pairs + 1):
            loose = (Shape(UnitKind.PAIR),) * (pairs - size)
            matches.append((size, (*others, shape(2, size), *loose)))
    return matches


def _heights(units: Sequence[Unit], format_: TrickFormat) -> tuple[int, ...]:
    """The heights that count, by I-C-28: of each kind and length the highest, of the first alone, or every one."""
    ordered = sorted(units, key=lambda unit: unit.significance, reverse=True)
    if format_.ruff_comparison == "every_unit":
        return tuple(unit.top for unit in ordered)
    highest = tuple(next(alike).top for _, alike in groupby(ordered, key=lambda unit: unit.shape))
    return highest[:1] if format_.ruff_comparison == "top_kind_only" else highest


@dataclass(frozen=True, slots=True)
class BottomDug:
    """The defenders won the last trick: the shape that multiplies the bottom."""

    winner: int
    shape: Shape
    clause: str


def bottom_dug(
    last_trick: TrickResult, banker: int, format_: TrickFormat, multipliers: BottomMultipliers
) -> BottomDug | None:
    """What the bottom was dug with, or None where the banker's side won the last trick (C 八(十八); D 五15).

    banker: where the banker sits, counted like the winner. Of a throw, or a ruff of one, the unit counts that throw_digs
    names (I-C-12, I-D-12); a ruff counts as the structure it matched.
    """
    if (last_trick.winner - banker) % 2 == 0:
        return None
    shape_ = multipliers.of_throw([unit.shape for unit in last_trick.units], format_.throw_digs)
    return BottomDug(last_trick.winner, shape_, format_.bottom_clause)

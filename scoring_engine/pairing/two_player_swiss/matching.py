"""The cheapest perfect matching of a field, among neighbours first, among everybody where that is needed.

| people | tried in turn |
|---|---|
| to 100 | every pair: the draw is the best there is, aim by aim |
| more | everybody with the 24 nearest ranks; from 512 people in sections of about 256 ranks |
| then | 24 ranks without sections; 96 ranks; every pair (to 1,200 people) |

A draw found among neighbours is held against lower bounds (`proof`), and the next line is tried where it does not meet
them. Sections lose nothing of points: a cut has an even number of people above it, so a draw that meets the bounds
need not cross it. Only when no draw keeps every hard rule do pairs come in that break one.
"""

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring_engine.pairing.two_player_swiss.costs import Aim, Edge, costs_of
from scoring_engine.pairing.two_player_swiss.field import Field
from scoring_engine.pairing.two_player_swiss.proof import Proof, proof_of

WHOLE = 100
"""Up to so many people the first graph has every pair."""

NEIGHBOURS = (24, 96)
"""How many ranks a large field is linked to, at first and when that was not enough."""

SECTION = 256
"""About how many ranks a section has."""

WIDEST = 1200
"""Up to so many people every pair is tried in the end; the pairs of more would not fit into memory."""

TOLERABLE = 400
"""Up to so many people every pair is tried even if only the squares are unproved."""

Pairs = tuple[tuple[int, int], ...]
"""Positions, the earlier first."""


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of positions, in order; who has the bye. forced: hard rules may be broken.

    neighbours: to how many ranks each was linked; sections: in how many parts; proof: what is known of the least cost;
    left_out: aims for which the numbers had no room.
    """

    pairs: Pairs
    bye: int | None
    forced: bool
    neighbours: int
    sections: int
    proof: Proof
    left_out: tuple[Aim, ...]


def best_matching(field: Field) -> Matching:
    """The best draw of the field."""
    size = len(field.players)
    best: Matching | None = None
    widest = 0
    for band, sections in _attempts(size):
        widest = max(widest, band)
        found = _matched(field, band, sections, forced=False)
        if found is None:
            continue
        best = found
        if _good_enough(best, size):
            return best
    if best is not None:
        return best
    forced = _matched(field, widest, 1, forced=True)
    if forced is None:  # pragma: no cover - neighbours in order can always be paired
        raise AssertionError("no draw although every pair is allowed")
    return forced


def _attempts(size: int) -> Iterator[tuple[int, int]]:
    """How many ranks and how many sections are tried, in turn."""
    if size > WHOLE:
        if size // SECTION > 1:
            yield NEIGHBOURS[0], size // SECTION
        yield from ((band, 1) for band in NEIGHBOURS if band < size)
    if size <= WIDEST:
        yield max(size, 1), 1


def cuts_of(size: int, sections: int) -> list[int]:
    """The position each section begins at, always below an even number of people."""
    return [2 * (size * section // (2 * sections)) for section in range(sections)]


def _matched(field: Field, band: int, sections: int, *, forced: bool) -> Matching | None:
    """The cheapest draw in so many sections, or None where one of them has none."""
    size = len(field.players)
    pairs: list[tuple[int, int]] = []
    bye: int | None = None
    left_out: set[Aim] = set()
    cuts = cuts_of(size, sections)
    for start, stop in zip(cuts, [*cuts[1:], size], strict=True):
        part = field if sections == 1 else field.part(start, stop)
        costs = costs_of(part, band, forced=forced)
        found = perfect(costs.edges(), stop - start)
        if found is None:
            return None
        left_out.update(costs.left_out)
        pairs.extend((start + one, start + other) for one, other in found[0])
        bye = bye if found[1] is None else start + found[1]
    proof = Proof.WHOLE if band >= size else Proof.NONE if forced else proof_of(field, pairs, bye)
    return Matching(tuple(pairs), bye, forced, band, sections, proof, tuple(sorted(left_out)))


def _good_enough(matching: Matching, size: int) -> bool:
    if matching.proof is Proof.DIFFERENCE:
        return size > TOLERABLE
    return matching.proof is not Proof.NONE


def perfect(edges: Sequence[Edge], size: int) -> tuple[Pairs, int | None] | None:
    """The cheapest matching in which everybody has an opponent, and one the bye if the number is odd; None if there is
    none. Position `size` is the bye."""
    import rustworkx  # late: it loads numpy, which whoever only scores an event has no use for

    nodes = size + size % 2
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=operator.neg)
    pairs = sorted((min(pair), max(pair)) for pair in matched)
    taken = {position for pair in pairs for position in pair}
    if len(taken) != nodes or 2 * len(pairs) != nodes:
        return None
    bye = next((one for one, other in pairs if other == size), None)
    return tuple(pair for pair in pairs if pair[1] != size), bye

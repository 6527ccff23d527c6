"""Lower bounds that show a draw's score difference to be the least there is, without matching everybody.

Between two neighbouring scores, as many pairs cross as people above find no opponent above. An odd number above leaves
one over, whatever the draw; and the largest matching of those above alone (or of those below alone) leaves so many
over that hard rules and earlier rounds force it. Where every gap is crossed that often and no more, the sum of all
differences is least. Where besides no pair crosses two gaps, so is the sum of their squares.
"""

from collections.abc import Sequence
from enum import StrEnum

from scoring_engine.pairing.two_player_swiss.costs import bye_levels
from scoring_engine.pairing.two_player_swiss.field import Field

AFFORDABLE = 300
"""The largest part of a field whose own matching is worth computing for a bound."""


class Proof(StrEnum):
    """What is known of a draw: how far no other draw is better."""

    WHOLE = "whole"  # every pair was in the graph: least in every aim
    SQUARES = "squares"  # least score difference and least squares
    DIFFERENCE = "difference"  # least score difference
    NONE = "none"  # least among neighbours only


def proof_of(field: Field, pairs: Sequence[tuple[int, int]], bye: int | None) -> Proof:
    """How good a draw that keeps every hard rule is known to be."""
    levels = bye_levels(field)
    if bye is not None and levels[bye]:
        return Proof.NONE
    score = field.score
    gaps = [at for at in range(1, len(score)) if score[at - 1] != score[at]]
    crossings = dict.fromkeys(gaps, 0)
    single = True
    for one, other in pairs:
        if score[one] == score[other]:
            continue
        crossed = [at for at in gaps if one < at <= other]
        single = single and len(crossed) == 1
        for at in crossed:
            crossings[at] += 1
    for at, crossing in crossings.items():
        parity = (at - (bye is not None and bye < at)) % 2
        if crossing != parity and crossing != _least(field, at, bye):
            return Proof.NONE
    return Proof.SQUARES if single else Proof.DIFFERENCE


def _least(field: Field, at: int, bye: int | None) -> int:
    """How many pairs have to cross between positions at−1 and at, by the better of both sides' matchings."""
    size = len(field.players)
    sides = (range(at), range(at, size))
    return max((_left_over(field, side, bye) for side in sides if len(side) <= AFFORDABLE), default=0)


def _left_over(field: Field, side: range, bye: int | None) -> int:
    """How many of these people find no opponent among themselves, at best; the bye may take any of equal score."""
    import rustworkx  # late, as in `matching`

    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(side)
    edges = [
        (one - side.start, other - side.start, -((other - one) ** 2))
        for one in side
        for other in range(one + 1, side.stop)
        if not field.excluded(one, other)
    ]
    people = len(side)
    if bye is not None and bye in side:
        graph.add_node(len(field.players))
        takers = [one for one in side if field.may_have_bye[one] and field.score[one] == field.score[bye]]
        edges.extend((one - side.start, people, 0) for one in takers)
        people += 1
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return people - 2 * len(matched)

"""Checking who bid first, and what was bid, against the deal it led to (附件4八(二); A, 四(二)比赛通则2).

A deal may say `"first_bidder": "e1"` and `"bids": [0, 2, 3]`, the calls in order from the first bidder, 0 for a pass. Where
the text names who bids first in deal 1, every deal is held to it; where that is drawn, the deals are held to each other.
"""

from collections.abc import Sequence

from scoring_engine.documents import Node
from scoring_engine.landlord.deals import SEATS, BiddingError, Deal, auction, first_bidder
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId


def check_bidding(
    parts: Sequence[tuple[Node, Deal | None]], seats: tuple[EntrantId, ...], rules: ScoringRules
) -> None:
    """Note every first bidder out of turn, and bids that are not allowed or do not lead to their deal.

    `parts` are the deals of one table in order; a deal that could not be read is None.
    """
    first_seat = rules.landlord.first_seat
    for number, (node, deal) in enumerate(parts, start=1):
        if node.has("first_bidder") and (named := _first_bidder(node, seats)) is not None:
            drawn = (named - number + 1) % SEATS
            if first_seat is None:
                first_seat = drawn
            elif drawn != first_seat:
                due, clause = seats[first_bidder(number, first_seat)], rules.clause_of("first_bidder")
                node.problems.add(
                    node.at("first_bidder"),
                    f"第{number}副应由 {due} 首先叫牌（规程 {clause}）。",
                    f"In deal {number} {due} bids first (regulation, {clause}).",
                )
        if node.has("bids"):
            first = None if first_seat is None else first_bidder(number, first_seat)
            _check_bids(node, deal, first, seats, rules)


def _first_bidder(node: Node, seats: tuple[EntrantId, ...]) -> int | None:
    name = node.text("first_bidder")
    if name is None:
        return None
    if name not in seats:
        node.problems.add(node.at("first_bidder"), f"{name} 不在本桌。", f"{name} is not at this table.")
        return None
    return seats.index(EntrantId(name))


def _check_bids(
    node: Node, deal: Deal | None, first: int | None, seats: tuple[EntrantId, ...], rules: ScoringRules
) -> None:
    clause = rules.clause_of("bids")
    calls: list[int] = []
    for path, call in node.items("bids"):
        if isinstance(call, bool) or not isinstance(call, int):
            node.problems.wrong_type(path, int)
            return
        calls.append(call)
    try:
        bidding = auction(calls, first or 0, rules.bids)
    except BiddingError as error:
        node.problems.add(
            f"{node.at('bids')}[{error.call}]",
            f"{error.text.zh}（规程 {clause}）",
            f"{error.text.en} (regulation, {clause})",
        )
        return
    if not bidding.finished:
        node.problems.add(
            node.at("bids"),
            f"叫牌还没有结束，只有{len(calls)}次（规程 {clause}）。",
            f"The bidding has not ended after {len(calls)} calls (regulation, {clause}).",
        )
    elif deal is not None and (
        bidding.bid != deal.bid or not _leads_to(bidding.landlord_seat, deal, first, seats)
    ):
        landlord = None if bidding.landlord_seat is None else seats[bidding.landlord_seat]
        result = "三家都不叫" if landlord is None else f"庄家应为 {landlord}，叫{bidding.bid}分"
        result_en = "nobody bid" if landlord is None else f"{landlord} is the landlord at {bidding.bid}"
        node.problems.add(
            node.at("bids"),
            f"叫牌与本副牌不符：{result}（规程 {clause}）。",
            f"These bids do not lead to this deal: {result_en} (regulation, {clause}).",
        )


def _leads_to(seat: int | None, deal: Deal, first: int | None, seats: tuple[EntrantId, ...]) -> bool:
    """Whether this landlord is the deal's; who he is cannot be told while the first bidder is not known."""
    if seat is None or deal.landlord is None:
        return seat is None and deal.landlord is None
    return first is None or seats[seat] == deal.landlord

"""Reading one table of 二打一 from an event file."""

from collections.abc import Mapping
from fractions import Fraction

from scoring_engine.documents import Node, exact_number, key_path
from scoring_engine.event_file.bidding import check_bidding
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.seating import read_forfeits
from scoring_engine.landlord.deals import (
    BIDDING_KEYS,
    DEAL_KEYS,
    RANKS,
    SEATS,
    Deal,
    Side,
    faults_of,
    score_deal,
)
from scoring_engine.landlord.tables import counts_as_deal
from scoring_engine.records import TableRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId, StageCode

_REMARKS = ("number", "note", *BIDDING_KEYS)
"""Keys a deal may have besides its score."""


def read_table(node: Node, deals: int, stage: StageCode, ids: Ids) -> TableRecord | None:
    """One table that plays at most `deals` deals; None where its number or seats cannot be read."""
    rules = ids.rules
    number = node.integer("number", 1)
    seats = _seats(node, ids)
    if seats is None:
        return None
    played = _deals(node, seats, deals, stage, rules) if node.has("deals") else None
    totals = _totals(node, seats, deals, rules) if node.has("game_points") else None
    if played is not None and totals is not None:
        _check_totals_match(node, seats, played, totals, rules)
    forfeits = read_forfeits(node, seats, ids)
    late = _late(node, seats) if node.has("late") else {}
    if number is None:
        return None
    return TableRecord(
        number, seats, () if played is None and totals is None else played, totals, forfeits, late, node.path
    )


def _seats(node: Node, ids: Ids) -> tuple[EntrantId, ...] | None:
    items = node.items("seats", required=True)
    if len(items) != SEATS:
        if _is_list(node, "seats"):
            ids.problems.add(
                node.at("seats"),
                f"每桌{SEATS}人，这里有{len(items)}人。",
                f"A table has {SEATS} seats, not {len(items)}.",
            )
        for path, value in items:
            ids.known(path, value)
        return None
    seats: list[EntrantId] = []
    for path, value in items:
        seat = ids.known(path, value)
        if seat is None:
            continue
        if seat in seats:
            ids.problems.add(path, f"{seat} 在本桌坐了两个座位。", f"{seat} has two seats at this table.")
            continue
        seats.append(seat)
    return tuple(seats) if len(seats) == SEATS else None


def _deals(
    node: Node, seats: tuple[EntrantId, ...], limit: int, stage: StageCode, rules: ScoringRules
) -> tuple[Deal, ...] | None:
    deals: list[tuple[Node, Deal | None]] = []
    counted = 0
    rule = rules.stage(stage)
    clause = rule.clause if rule else rules.stages[-1].clause
    for part in node.nodes("deals"):
        deal = _deal(part, seats, rules)
        counted += 1 if deal is None else counts_as_deal(deal, rules)
        if counted > limit and (deal is None or counts_as_deal(deal, rules)):
            node.problems.add(
                part.path,
                f"每桌打{limit}局，这是第{counted}局（规程 {clause}）。",
                f"A table plays {limit} deals; this is deal {counted} (regulation, {clause}).",
            )
        deals.append((part, deal))
    check_bidding(deals, seats, rules)
    whole = tuple(deal for _, deal in deals if deal is not None)
    return whole if len(whole) == len(node.items("deals")) and _is_list(node, "deals") else None


def _is_list(node: Node, key: str) -> bool:
    return isinstance(node.value.get(key), list | tuple)


def _deal(node: Node, seats: tuple[EntrantId, ...], rules: ScoringRules) -> Deal | None:
    before = len(node.problems.found)
    clause = rules.scoring_clause
    for key in node.value:
        if key not in DEAL_KEYS and key not in _REMARKS and key != "passed_out":
            node.problems.add(node.at(str(key)), f"一副牌没有 {key} 这一项。", f"A deal has no key {key}.")
    if node.flag("passed_out"):
        for key in DEAL_KEYS:
            if key in node.value:
                node.problems.add(
                    node.at(key),
                    f"三家不叫的一副记0分，不能再有 {key}（规程 {clause}）。",
                    f"A passed-out deal scores 0 and has no {key} (regulation, {clause}).",
                )
        return Deal.passed_out(seats) if len(node.problems.found) == before else None
    landlord, bid = node.text("landlord"), node.integer("bid")
    winner = node.choice("winner", tuple(Side))
    rockets = node.integer("rockets") if "rockets" in node.value else 0
    bombs = node.integer("bombs") if "bombs" in node.value else 0
    spring, anti_spring = node.flag("spring"), node.flag("anti_spring")
    # Unreadable values are stood in for by harmless ones, so that the other faults of the deal are still found.
    deal = Deal(
        seats,
        seats[0] if landlord is None else EntrantId(landlord),
        rules.bids[0] if bid is None else bid,
        Side.LANDLORD if winner is None else Side(winner),
        rockets or 0,
        bombs or 0,
        bool(spring) and winner is not None,
        bool(anti_spring) and winner is not None,
    )
    for key, text in faults_of(deal, rules.bids):
        own = rules.clause_of(key)
        node.problems.add(node.at(key), f"{text.zh}（规程 {own}）", f"{text.en} (regulation, {own})")
    return deal if len(node.problems.found) == before else None


def _totals(
    node: Node, seats: tuple[EntrantId, ...], deals: int, rules: ScoringRules
) -> Mapping[EntrantId, int] | None:
    part = node.node("game_points")
    if part is None:
        return None
    before = len(node.problems.found)
    clause = rules.scoring_clause
    # No deal is worth more than the highest bid doubled by every bomb there can be, twice for the landlord.
    most = deals * 2 * max(rules.bids) * 2**RANKS
    totals: dict[EntrantId, int] = {}
    for key, value in part.value.items():
        path = part.at(str(key))
        if key not in seats:
            node.problems.add(path, f"{key} 不在本桌。", f"{key} is not at this table.")
            continue
        number = exact_number(value)
        if number is None or number.denominator != 1:
            node.problems.add(path, "总分应为整数。", "A total is a whole number.")
        elif abs(number) > most:
            node.problems.add(
                path,
                f"{deals}局不可能得{number}分（规程 {clause}）。",
                f"{deals} deals cannot give {number} points (regulation, {clause}).",
            )
        else:
            totals[EntrantId(key)] = int(number)
    for seat in seats:
        if seat not in part.value:
            node.problems.add(
                key_path(part.path, seat), f"缺少 {seat} 的总分。", f"The total of {seat} is missing."
            )
    if len(totals) == SEATS and (total := sum(totals.values())) != 0:
        node.problems.add(
            part.path,
            f"三人总分之和应为0，这里是{total}（判罚另记；规程 {clause}）。",
            f"The three totals must add up to 0, not {total}; penalties stand apart (regulation, {clause}).",
        )
    return totals if len(node.problems.found) == before else None


def _check_totals_match(
    node: Node,
    seats: tuple[EntrantId, ...],
    deals: tuple[Deal, ...],
    totals: Mapping[EntrantId, int],
    rules: ScoringRules,
) -> None:
    scores = [score_deal(deal, rules.bids, rules.doublings) for deal in deals]
    for seat in seats:
        total = sum(score.points[seat] for score in scores)
        if deals and total != totals[seat]:
            node.problems.add(
                key_path(node.at("game_points"), seat),
                f"各副相加是{total}分，与总分{totals[seat]}不符。",
                f"The deals add up to {total}, not {totals[seat]}.",
            )


def _late(node: Node, seats: tuple[EntrantId, ...]) -> Mapping[EntrantId, Fraction]:
    part = node.node("late")
    if part is None:
        return {}
    late: dict[EntrantId, Fraction] = {}
    for key, value in part.value.items():
        minutes = exact_number(value)
        if key not in seats:
            node.problems.add(part.at(str(key)), f"{key} 不在本桌。", f"{key} is not at this table.")
        elif minutes is None or minutes < 0:
            node.problems.add(
                part.at(str(key)), "迟到分钟数应为不小于0的数。", "Minutes late are a number not below 0."
            )
        else:
            late[EntrantId(key)] = minutes
    return late

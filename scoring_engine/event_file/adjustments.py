"""Reading the penalties (adjustments) of an event file."""

from collections.abc import Sequence

from scoring_engine.documents import Node, exact_number
from scoring_engine.event_file.ids import Ids
from scoring_engine.penalties.effects import Effect
from scoring_engine.records import Adjustment, GameRecord, MatchRecord, RoundRecord, StageRecord, TableRecord
from scoring_engine.rules import PLAYOFF, PenaltyRule, ScoringRules
from scoring_engine.stages.names import stage_words
from scoring_engine.values import EntrantId, StageCode

_ZEROING = (Effect.ZERO_DEAL, Effect.ZERO_ROUND)
_COSTING = (*_ZEROING, Effect.POINTS, Effect.WARNINGS)
"""Effects that change the points of a round, which then has to be named where there are several."""


def read_adjustments(
    root: Node, stages: Sequence[StageRecord], rules: ScoringRules, ids: Ids
) -> tuple[Adjustment, ...]:
    """Every penalty given, each with its round; `round` may be left out where its offender has one table only."""
    found: list[Adjustment] = []
    seen: set[str] = set()
    for node in root.nodes("adjustments"):
        adjustment_id = node.text("id")
        if adjustment_id is not None and adjustment_id in seen:
            ids.problems.add(
                node.at("id"),
                f"判罚编号 {adjustment_id} 重复。",
                f"Penalty id {adjustment_id} is used twice.",
            )
        seen.add(adjustment_id or "")
        adjustment = _read(node, adjustment_id, stages, rules, ids)
        if adjustment is not None:
            found.append(adjustment)
    return tuple(found)


def _read(
    node: Node, adjustment_id: str | None, stages: Sequence[StageRecord], rules: ScoringRules, ids: Ids
) -> Adjustment | None:
    before = len(ids.problems.found)
    rule = _rule(node, rules)
    entrant = ids.known(node.at("entrant"), node.value.get("entrant"))
    code = node.choice("stage", rules.stage_codes)
    number = node.integer("round", 1) if node.has("round") else None
    deal = node.integer("deal", 1) if node.has("deal") else None
    count = node.integer("count", 1, 1000) if node.has("count") else 1
    points = _points(node, rule)
    if len(ids.problems.found) > before or None in (adjustment_id, rule, entrant, code, count):
        return None
    assert adjustment_id is not None
    assert rule is not None
    assert entrant is not None
    assert code is not None
    assert count is not None
    seat = _seat(node, entrant, code, number, stages, costs=rule.effect in _COSTING)
    if seat is None:
        return None
    part, table = seat
    given = Adjustment(adjustment_id, rule.id, entrant, StageCode(code), part.number, deal, count, points)
    if isinstance(table, TableRecord):
        _check_deal(node, given, table, rules)
    elif deal is not None:
        node.problems.add(node.at("deal"), "棋类比赛没有副（deal）。", "A board game has no deals.")
    return given if len(ids.problems.found) == before else None


def _rule(node: Node, rules: ScoringRules) -> PenaltyRule | None:
    name = node.text("rule")
    if name is None:
        return None
    rule = rules.penalties.get(name)
    if rule is None:
        known = "、".join(rules.penalties)
        node.problems.add(
            node.at("rule"),
            f"本规程没有罚则 {name}；有：{known}。",
            f"This regulation has no penalty {name}; it has: {', '.join(rules.penalties)}.",
        )
        return None
    if node.has("minutes"):
        node.problems.add(
            node.at("minutes"),
            f"罚则 {name} 与分钟数无关（规程 {rule.clause}）。",
            f"Penalty {name} does not depend on minutes (regulation, {rule.clause}).",
        )
    return rule


def _points(node: Node, rule: PenaltyRule | None) -> int | None:
    """The referee's own amount, signed, in place of 记为零分 (I-A-12)."""
    if not node.has("points") or rule is None:
        return None
    number = exact_number(node.value["points"])
    if number is None or number.denominator != 1:
        node.problems.wrong_type(node.at("points"), int)
        return None
    if rule.effect not in _ZEROING:
        node.problems.add(
            node.at("points"),
            f"罚则 {rule.id} 的分数由规程规定，不能另写（规程 {rule.clause}）。",
            f"The regulation sets the points of {rule.id}; none can be given here (regulation, {rule.clause}).",
        )
        return None
    return int(number)


def _seat(
    node: Node,
    entrant: EntrantId,
    code: str,
    number: int | None,
    stages: Sequence[StageRecord],
    *,
    costs: bool,
) -> tuple[RoundRecord, TableRecord | GameRecord] | None:
    """The offender's table, which is where a penalty counts; the last one where no round is named and it costs no points."""
    stage = next((stage for stage in stages if stage.code == code), None)
    seats: list[tuple[RoundRecord, TableRecord | GameRecord]] = [
        (part, table)
        for part in (stage.rounds if stage else ())
        for table in part.seated_tables
        if not isinstance(table, MatchRecord) and entrant in table.seats and number in (None, part.number)
    ]
    if not seats:
        if any(problem.path.startswith("$.stages") for problem in node.problems.found):
            return None  # his table may be the one that could not be read
        where = stage_words(code) + ("" if number is None else f"第{number}轮")
        node.problems.add(
            node.at("stage" if number is None else "round"),
            f"{entrant} 在{where}没有座位，判罚无处记分；请记在他参加的一轮。",
            f"{entrant} has no seat in stage {code}{'' if number is None else f', round {number}'}; "
            "name a round he plays in.",
        )
        return None
    if len(seats) > 1 and costs:
        node.problems.add(
            node.at("round"),
            f"{entrant} 在{stage_words(code)}打了{len(seats)}轮，请写明 round。",
            f"{entrant} plays {len(seats)} rounds of stage {code}; name the round.",
        )
        return None
    return seats[-1]


def _check_deal(node: Node, given: Adjustment, table: TableRecord, rules: ScoringRules) -> None:
    rule, deal, code = rules.penalties[given.rule], given.deal, given.stage
    needs_deal = rule.effect == Effect.ZERO_DEAL or (
        rule.effect == Effect.WARNINGS and rules.option("warnings_per") == "deal"
    )
    if deal is None:
        if needs_deal:
            node.problems.add(
                node.at("deal"),
                f"罚则 {rule.id} 按局计算，请写明第几局（规程 {rule.clause}）。",
                f"Penalty {rule.id} counts within one deal; name it (regulation, {rule.clause}).",
            )
        return
    if rule.effect == Effect.ZERO_DEAL and given.points is None:
        if table.deals is None:
            node.problems.add(
                node.at("deal"),
                "本桌只记了总分，不知道这一局的得分；请补录各副，或用 points 写明裁判决定的分数。",
                "Only totals are known at this table; give its deals, or the referee's amount as points.",
            )
        elif deal > len(table.deals):
            node.problems.add(node.at("deal"), f"第{deal}局还没有成绩。", f"Deal {deal} has no score yet.")
        return
    stage = rules.stage(code)
    limit = stage.deals if stage else max(part.playoff_deals for part in rules.stages)
    replayed = rules.option("passed_out") == "replay" and code != PLAYOFF
    if deal > limit and not (replayed and deal <= len(table.deals or ())):
        node.problems.add(
            node.at("deal"),
            f"每桌打{limit}局，没有第{deal}局。",
            f"A table plays {limit} deals; there is no deal {deal}.",
        )

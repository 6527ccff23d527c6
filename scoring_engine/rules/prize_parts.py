"""Reads the `prizes` of a regulation, and how much of the field they reward (`rewarded`)."""

from collections.abc import Mapping
from fractions import Fraction

from scoring_engine.documents import Node, exact_number
from scoring_engine.rules.model import PrizeRule, PrizeShare, Rewarded, StageRule
from scoring_engine.rules.options import OptionValue, resolved

_FINDERS = ("ranks", "chosen", "passed")
_SHARES = {"rounds": "passed", "counts": "count", "percents": "percent"}
_MOST_PRIZES = 10_000


def read_prizes(
    root: Node,
    options: Mapping[str, OptionValue],
    rounds: int | None = None,
) -> tuple[PrizeRule, ...]:
    """Every prize. rounds: how many a bracket has; None where there is none, and then no prize goes by rounds passed.

    Without a table `teams` no prize is for teams.
    """
    has_teams = root.has("teams")
    prizes: list[PrizeRule] = []
    for node in root.nodes("prizes"):
        prize, label, clause = node.text("prize"), node.label("label"), node.text("clause")
        amount = _amount(node)
        if sum(node.has(key) for key in _FINDERS) != 1:
            node.problems.add(
                node.path,
                f"{'、'.join(_FINDERS)} 应有且只有一个。",
                f"Exactly one of {', '.join(_FINDERS)} must stand.",
            )
            continue
        chosen = node.integer("chosen", 1) if node.has("chosen") else None
        ranks = _ranks(node) if node.has("ranks") else (None, None)
        share = _share(node, options, rounds) if node.has("passed") else None
        of_teams, goods = _is_of_teams(node, has_teams=has_teams), node.flag("goods")
        if prize is None or label is None or clause is None:
            continue
        prizes.append(PrizeRule(prize, label, *ranks, chosen, amount, clause, share, of_teams, bool(goods)))
    return tuple(prizes)


def _is_of_teams(node: Node, *, has_teams: bool) -> bool:
    """`of = "team"`: whether the ranks of a prize are those of teams."""
    of = node.choice("of", ("individual", "team")) if node.has("of") else "individual"
    if of == "team" and not has_teams:
        node.problems.add(
            node.at("of"),
            "没有 teams，不能设团体奖。",
            "There is no team result, so no prize can be for teams.",
        )
    return of == "team"


def rounds_of(stages: tuple[StageRule, ...]) -> int | None:
    """How many rounds the bracket of these stages has; None where they are none."""
    return next((stage.rounds for stage in stages if stage.kind == "bracket"), None)


def read_rewarded(root: Node, options: Mapping[str, OptionValue]) -> Rewarded | None:
    """`rewarded = { percent = 50, clause = "…" }`; None where the text says nothing."""
    node = root.node("rewarded") if root.has("rewarded") else None
    if node is None:
        return None
    percent, clause = _number(node, "percent", options, 100), node.text("clause")
    return None if percent is None or clause is None else Rewarded(percent, clause)


def _share(node: Node, options: Mapping[str, OptionValue], rounds: int | None) -> PrizeShare | None:
    if rounds is None:
        node.problems.add(
            node.at("passed"),
            "只有单场淘汰（bracket）的奖项按晋级轮数。",
            "Only prizes of a bracket go by the rounds passed.",
        )
        return None
    passed = node.integer("passed", 0, rounds)
    by = resolved(node, "by", options) if node.has("by") else "rounds"
    if not isinstance(by, str) or by not in _SHARES:
        shown = ", ".join(_SHARES)
        node.problems.add(node.at("by"), f"这里应为：{shown}。", f"This must be one of: {shown}.")
        return None
    count = _number(node, "count", options, _MOST_PRIZES) if node.has("count") else None
    percent = _number(node, "percent", options, 100) if node.has("percent") else None
    needed = _SHARES[by]
    if not node.has(needed):
        node.problems.add(node.at(needed), f"按 {by} 时要有 {needed}。", f"With {by} it needs {needed}.")
        return None
    return None if passed is None else PrizeShare(by, passed, count, percent)


def _number(node: Node, key: str, options: Mapping[str, OptionValue], most: int) -> int | None:
    value = resolved(node, key, options)
    return Node({key: value}, node.path, node.problems).integer(key, 0, most)


def _ranks(node: Node) -> tuple[int | None, int | None]:
    ranks = [item for _, item in node.items("ranks")]
    if len(ranks) == 2 and all(isinstance(rank, int) and not isinstance(rank, bool) for rank in ranks):
        first, last = ranks
        if 1 <= first <= last:
            return first, last
    node.problems.add(node.at("ranks"), "这里应为 [起, 止] 两个名次。", "This must be two ranks [from, to].")
    return None, None


def _amount(node: Node) -> Fraction | None:
    value = node.value.get("amount")
    if value is None or value == "":
        return None
    amount = exact_number(value)
    if amount is None or amount < 0:
        node.problems.add(node.at("amount"), "金额应为不小于 0 的数。", "An amount is a number not below 0.")
        return None
    return amount

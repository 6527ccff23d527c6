"""Reads the `stages` of a regulation, each format its own keys (STAGE_PARTS)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.rules.model import PLAYOFF, StageRule
from scoring_engine.rules.options import OptionValue
from scoring_engine.rules.stage_kinds import STAGE_KINDS, Format
from scoring_engine.values import StageCode

Options = Mapping[str, OptionValue]

_BRACKET_CHAIN = ("round_reached", "lots")


def read_stages(root: Node, options: Options, format_: Format | None) -> tuple[StageRule, ...]:
    """Every stage; of a regulation whose format is not known they are read as those of a knock-out."""
    stages = STAGE_PARTS[format_ or Format.KNOCK_OUT](list(root.nodes("stages", required=True)), options)
    if format_ is Format.BRACKET:
        _check_chain(root)
    if not stages and not root.problems:
        root.problems.add("$.stages", "至少要有一个阶段。", "At least one stage is needed.")
    return stages


def _knock_out(nodes: Sequence[Node], options: Options) -> tuple[StageRule, ...]:
    """Stage after stage: the first drawn, the last a final, the others seeded by the one before."""
    stages: list[StageRule] = []
    kinds = tuple(kind for kind, format_ in STAGE_KINDS.items() if format_ is Format.KNOCK_OUT)
    for index, node in enumerate(nodes):
        code, kind, clause = node.text("code"), node.choice("kind", kinds), node.text("clause")
        deals = _number(node, "deals", options)
        last = index == len(nodes) - 1
        places = None if last else node.integer("places", 1)
        playoff_deals = node.integer("playoff_deals", 0) if node.has("playoff_deals") else 0
        if code is None or kind is None or clause is None or deals is None or playoff_deals is None:
            continue
        if code == PLAYOFF or any(stage.code == code for stage in stages):
            node.problems.add(
                node.at("code"),
                f"阶段代码 {code} 重复或被保留。",
                f"Stage code {code} is repeated or reserved.",
            )
        if (kind == "drawn") != (index == 0) or (kind == "final") != last:
            node.problems.add(
                node.at("kind"),
                "第一阶段应为 drawn，最后阶段应为 final，其余为 seeded。",
                "The first stage must be drawn, the last final, the others seeded.",
            )
        if places is not None and places % 3:
            node.problems.add(node.at("places"), "名额应为 3 的倍数。", "Places must be a multiple of 3.")
        stages.append(StageRule(StageCode(code), kind, deals, places, playoff_deals, clause))
    return tuple(stages)


def _swiss(nodes: Sequence[Node], options: Options) -> tuple[StageRule, ...]:
    """One stage of several rounds (积分编排); a table plays one deal where `deals` says nothing else."""
    return _of_rounds(nodes, options, "swiss", deals=1)


def _bracket(nodes: Sequence[Node], options: Options) -> tuple[StageRule, ...]:
    """One stage of several rounds, each with half as many entrants (单场淘汰); a match has no number of deals."""
    return _of_rounds(nodes, options, "bracket", deals=0)


def _of_rounds(nodes: Sequence[Node], options: Options, kind: str, deals: int) -> tuple[StageRule, ...]:
    """The one stage of a format that is played in rounds; `deals` is how many a table has where none are named."""
    stages: list[StageRule] = []
    for node in nodes:
        code, clause = node.text("code"), node.text("clause")
        if node.value.get("kind") != kind or stages:
            node.problems.add(
                node.at("kind"),
                f"这个项目只有一个阶段，kind 应为 {kind}。",
                f"This game has one stage, of kind {kind}.",
            )
        rounds = _number(node, "rounds", options)
        named = _number(node, "deals", options) if deals and node.has("deals") else deals
        group = _span(node, "group") if deals and node.has("group") else None
        minutes = node.integer("minutes", 1) if node.has("minutes") else None
        call_minutes = node.integer("call_minutes", 1) if node.has("call_minutes") else None
        if call_minutes is not None and (minutes is None or call_minutes >= minutes):
            node.problems.add(
                node.at("call_minutes"),
                "call_minutes 是一轮结束前几分钟提醒，应小于 minutes。",
                "call_minutes counts back from the end of a round: it is less than minutes.",
            )
        if code is not None and clause is not None and rounds is not None and named is not None:
            stages.append(
                StageRule(
                    *(StageCode(code), kind, named, None, 0, clause),
                    rounds=rounds,
                    group=group,
                    minutes=minutes,
                    call_minutes=call_minutes,
                )
            )
    return tuple(stages)


def _check_chain(root: Node) -> None:
    """The placings of a bracket follow the round reached."""
    for index, (_, row) in enumerate(root.items("ranking")):
        wanted = _BRACKET_CHAIN[index : index + 1]
        if isinstance(row, Mapping) and wanted != (row.get("criterion"),):
            root.problems.add(
                f"$.ranking[{index}].criterion",
                "单场淘汰的名次依据是 round_reached，之后可以是 lots。",
                "A bracket is ranked by round_reached, and after it possibly by lots.",
            )


def _number(node: Node, key: str, options: Options) -> int | None:
    """A number above 0, or the name of an option that is one."""
    value: Any = node.value.get(key)
    if isinstance(value, str):
        chosen = options.get(value)
        if isinstance(chosen, int) and not isinstance(chosen, bool):
            return chosen
        node.problems.add(
            node.at(key),
            f"没有名为 {value} 的数字选项。",
            f"There is no option {value} that is a number.",
        )
        return None
    return node.integer(key, 1)


def _span(node: Node, key: str) -> tuple[int, int] | None:
    ends = [item for _, item in node.items(key)]
    if len(ends) == 2 and all(isinstance(end, int) and not isinstance(end, bool) for end in ends):
        low, high = ends
        if 1 <= low <= high:
            return low, high
    node.problems.add(
        node.at(key), "这里应为 [最少, 最多] 两个人数。", "This must be two numbers [fewest, most]."
    )
    return None


STAGE_PARTS: Mapping[Format, Callable[[Sequence[Node], Options], tuple[StageRule, ...]]] = {
    Format.KNOCK_OUT: _knock_out,
    Format.SWISS: _swiss,
    Format.BRACKET: _bracket,
}
"""How the stages are read, by the format."""

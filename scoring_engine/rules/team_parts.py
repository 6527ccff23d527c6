"""Reads how team results are made (`teams`)."""

from collections.abc import Collection, Mapping

from scoring_engine.documents import Node
from scoring_engine.rules.model import TeamRule
from scoring_engine.rules.options import OptionValue, resolved
from scoring_engine.rules.stage_kinds import Format

TEAM_UNNAMED = ("best", "none")
TEAM_TIES = ("chain", "game_points", "shared")


def read_teams(
    root: Node, options: Mapping[str, OptionValue], format_: Format | None, chain: Collection[str]
) -> TeamRule | None:
    """`[teams]`: `size`, `unnamed`, `ties`, `clause`; the words may refer to options. None where there is no such table.

    chain: the criteria of the ranking; equal sums can be compared by those alone.
    """
    node = root.node("teams") if root.has("teams") else None
    if node is None:
        return None
    if format_ is not Format.SWISS:
        root.problems.add(node.path, "淘汰赛没有团体成绩。", "A knock-out event has no team result.")
    size, clause = node.integer("size", 1, 100), node.text("clause")
    words: dict[str, str] = {}
    for key, allowed in (("unnamed", TEAM_UNNAMED), ("ties", TEAM_TIES)):
        value = resolved(node, key, options)
        if isinstance(value, str) and value in allowed:
            words[key] = value
        else:
            root.problems.add(
                node.at(key),
                f"这里应为：{'、'.join(allowed)}。",
                f"This must be one of: {', '.join(allowed)}.",
            )
    if words.get("ties") == "game_points" and "game_points" not in chain:
        root.problems.add(
            node.at("ties"),
            "名次依据中没有小分（game_points），团体不能按小分比较。",
            "The ranking has no game_points; teams cannot be compared by them.",
        )
    if size is None or clause is None or len(words) < 2:
        return None
    return TeamRule(size, words["unnamed"], words["ties"], clause)

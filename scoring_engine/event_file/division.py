"""Reading the division of the entrants into groups (组别).

    "division": {"stage": "swiss", "seed": "…", "entrants": ["e1", "e2", …], "proof": "…",
                 "groups": [{"group": "1", "entrants": ["e7", …]}, {"group": "2", "entrants": […]}]}

with `commitment` and what goes with it as in an entry of `draws`. Every entrant has his `group` besides; who is not in the
division entered later, and may be in any group.
"""

from scoring_engine.documents import Node
from scoring_engine.event_file.drawn_rounds import read_ids
from scoring_engine.event_file.draws import read_commitment, read_seed
from scoring_engine.event_file.ids import Ids
from scoring_engine.records import DivisionRecord
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.values import EntrantId, StageCode


def read_division(root: Node, rules: ScoringRules, ids: Ids) -> DivisionRecord | None:
    """`division`; None where the file has none, or one that cannot be read."""
    node = root.node("division") if root.has("division") else None
    if node is None:
        return None
    before = len(ids.problems.found)
    if rules.format is not Format.SWISS:
        ids.problems.add(node.path, "只有积分编排赛分组。", "Only a Swiss event is divided into groups.")
    code = node.choice("stage", rules.stage_codes)
    seed = read_seed(node)
    entrants = read_ids(node, "entrants", ids, required=True)
    groups: list[tuple[str, tuple[EntrantId, ...]]] = []
    for part in node.nodes("groups", required=True):
        name = part.text("group")
        if any(name == other for other, _ in groups):
            ids.problems.add(part.at("group"), f"组别 {name} 重复。", f"Group {name} stands twice.")
        groups.append((name or "", read_ids(part, "entrants", ids, required=True)))
    proof = node.optional_text("proof")
    committed = read_commitment(node)
    if len(ids.problems.found) > before or code is None or seed is None:
        return None
    return DivisionRecord(StageCode(code), seed, entrants, tuple(groups), proof, node.path, committed)

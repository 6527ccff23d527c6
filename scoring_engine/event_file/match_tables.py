"""Reading one round of 升级 (拖拉机, 八十分) from an event file.

A table is `{"number": 1, "sides": ["e1", "e2"], "deals": […]}`, or with the end alone `"levels": {"e1": "9", "e2": "7"}, "bank":
"e1"` (`past_a`: who passed A); where both stand, the deals must lead to the end. `"forfeits": ["e2"]`, `"late": {"e2": 5.5}` in
minutes, `"announced_in": 4` the deal that ran when time was called. `"running": true` is a match that is still played: it
is shown as it stands and decides nothing. A bye is an id.

What cannot have happened in a match is found with its penalties (`match_adjustments`).
"""

from scoring_engine.documents import Node
from scoring_engine.event_file.byes import ORDINARY, read_ids_of_byes
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.seating import Seating
from scoring_engine.records import MatchRecord, RoundRecord
from scoring_engine.rules import StageRule
from scoring_engine.tractor.matches import read_match
from scoring_engine.tractor.rows import refuse_other_keys

_KEYS = (
    *("number", "sides", "deals", "levels", "bank", "past_a"),
    *("forfeits", "late", "announced_in", "running", "note"),
)


def read_round(node: Node, number: int, rule: StageRule, ids: Ids) -> RoundRecord:
    """One round; every entrant has one seat or one bye, or neither."""
    seating = Seating(ids.problems, rule.clause)
    matches: list[MatchRecord] = []
    for part in node.nodes("tables"):
        record = _table(part, rule, ids)
        if record is None:
            continue
        seating.open_table(part.at("number"), record.number)
        for index, side in enumerate(record.seats):
            seating.seat(f"{part.at('sides')}[{index}]", side, record.number)
        matches.append(record)
    read_ids_of_byes(node, seating, ids)
    kinds = dict.fromkeys(seating.byes, ORDINARY)
    return RoundRecord(number, (), seating.byes, node.path, bye_kinds=kinds, matches=tuple(matches))


def _table(node: Node, rule: StageRule, ids: Ids) -> MatchRecord | None:
    before = len(ids.problems.found)
    refuse_other_keys(node, _KEYS)
    number, running = node.integer("number", 1), node.flag("running")
    sides = [ids.known(path, value) for path, value in node.items("sides", required=True)]
    if len(ids.problems.found) == before and len(sides) != 2:
        ids.problems.add(
            node.at("sides"),
            f"一桌有两方，不是{len(sides)}方（规程 {rule.clause}）。",
            f"A table has two sides, not {len(sides)} (regulation, {rule.clause}).",
        )
    known = [side for side in sides if side is not None]
    if len(ids.problems.found) > before or len(known) != 2 or number is None or running is None:
        return None
    one, other = known
    if one == other:
        node.problems.add(
            f"{node.at('sides')}[1]",
            f"{one} 不能与自己比赛（规程 {rule.clause}）。",
            f"{one} cannot play against itself (regulation, {rule.clause}).",
        )
        return None
    if ids.groups.get(one) != ids.groups.get(other):
        node.problems.add(
            f"{node.at('sides')}[1]",
            f"{one} 与 {other} 不在同一组。",
            f"{one} and {other} are not in one group.",
        )
    forfeits = node.items("forfeits")
    for index, (path, value) in enumerate(forfeits):
        if value in [earlier for _, earlier in forfeits[:index]]:
            node.problems.add(path, f"{value} 重复。", f"{value} stands twice.")
    match = read_match(node, (one, other))
    if match is None or len(ids.problems.found) > before:
        return None
    return MatchRecord(number, match, running, node.path)

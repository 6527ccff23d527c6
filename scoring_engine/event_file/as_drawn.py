"""What a draw was made from (抽签时的成绩), where the results before it were changed since: by a ruling, a correction or an appeal.

    "draws": [{"stage": "swiss", "round": 2, …,
               "as_drawn": {"tables": [{"stage": "swiss", "round": 1, "number": 3, "first": "e1", "second": "e5", "winner": "e1"}],
                            "adjustments": []}}]

`tables` are those of earlier rounds that said something else then, whole, each with its `stage` and `round`; `adjustments` all
that stood then, where they were others. Such a draw is replayed from the rounds before it with these in place of what stands now:
a drawn round stays, and anybody can still make it again from its seed. Scores and ranks are those of the file.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring_engine.documents import Node

_KEYS = ("tables", "adjustments")


def read_as_drawn(root: Node, node: Node) -> Mapping[str, Any] | None:
    """What a draw was made from; None where it was made from what the file says. Every problem of its places is noted.

    Its results are judged when the draw is replayed.
    """
    if not node.has("as_drawn"):
        return None
    part = node.node("as_drawn")
    if part is None:
        return None
    if not any(part.has(key) for key in _KEYS):
        node.problems.add(
            part.path,
            "抽签时的成绩没有写有哪些不同：应有 tables 或 adjustments。",
            "Nothing is said to have been otherwise at the draw: tables or adjustments are needed.",
        )
    known = _places(root.value)
    for table in part.nodes("tables"):
        place = (table.text("stage"), table.integer("round", 1), table.integer("number", 1))
        if None not in place and place not in known:
            stage, number, seat = place
            node.problems.add(
                table.path,
                f"文件里没有 {stage} 第{number}轮第{seat}桌。",
                f"The file has no table {seat} in round {number} of {stage}.",
            )
    if part.has("adjustments"):
        for _ in part.nodes("adjustments"):
            pass  # they are judged when the draw is replayed
    return part.value


def _places(document: Mapping[str, Any]) -> set[tuple[Any, Any, Any]]:
    places = (
        (stage.get("code"), part.get("number"), table.get("number"))
        for stage in _objects(document.get("stages"))
        for part in _objects(stage.get("rounds"))
        for table in _objects(part.get("tables"))
    )
    # what is of another type is refused where it stands
    return {place for place in places if isinstance(place[0], str) and all(map(_is_number, place[1:]))}


def _is_number(value: object) -> bool:
    return isinstance(value, int)


def _objects(value: object) -> list[Mapping[str, Any]]:
    if not isinstance(value, list | tuple):
        return []
    return [each for each in value if isinstance(each, Mapping)]


def tables_then(document: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    """The file with the tables a draw was made from, of which `read_as_drawn` found no problem."""
    tables = {
        (each["stage"], each["round"], each["number"]): {
            key: value for key, value in each.items() if key not in ("stage", "round")
        }
        for each in then.get("tables") or ()
    }
    stages = [
        {
            **stage,
            "rounds": [
                _round_then(stage["code"], part, tables) if part.get("tables") else part
                for part in stage.get("rounds") or ()
            ],
        }
        for stage in document.get("stages") or ()
    ]
    return {**document, "stages": stages}


def _round_then(
    stage: str, part: Mapping[str, Any], tables: Mapping[tuple[str, int, int], Mapping[str, Any]]
) -> dict[str, Any]:
    now: Sequence[Mapping[str, Any]] = part["tables"]
    return {
        **part,
        "tables": [tables.get((stage, part["number"], table.get("number", 0)), table) for table in now],
    }

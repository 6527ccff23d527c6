"""Reading a drawn round of an event file: lists of ids, tables, and what was changed by hand afterwards (人工调整).

A draw that was repaired has `"repairs"`, each with who made it, when (may be left out), why, and one change, and `"repaired"`, the round they made:

    "repairs": [
      {"by": "裁判长", "at": "2026-01-31T18:00:00+08:00", "reason": "夫妻不同桌", "change": {"swap": ["e3", "e8"]}},
      {"by": "裁判长", "reason": "一号台有直播", "change": {"swap_tables": [1, 4]}},
      {"by": "裁判长", "reason": "e5 因病", "change": {"bye": "e5", "instead_of": "e9"}},
      {"by": "裁判长", "reason": "…", "change": {"set_table": {"number": 2, "entrants": ["e1", "e2"]}}}],
    "repaired": {"tables": [["e1", "e2"], …], "byes": ["e5"]}

`tables`, `byes` and `proof` of the draw stay as they were drawn.
"""

from collections.abc import Mapping
from datetime import datetime

from scoring_engine.documents import Node
from scoring_engine.event_file.ids import Ids
from scoring_engine.pairing.repairs import ChangeKind, Placed, Repair
from scoring_engine.values import EntrantId

_WORDS = tuple(kind.value for kind in ChangeKind)


def read_ids(node: Node, key: str, ids: Ids, *, required: bool = False) -> tuple[EntrantId, ...]:
    """The entrants listed at a key, each once."""
    found: list[EntrantId] = []
    for path, value in node.items(key, required=required):
        entrant = ids.known(path, value)
        if entrant is None:
            continue
        if entrant in found:
            ids.problems.add(path, f"{entrant} 重复。", f"{entrant} stands twice.")
        found.append(entrant)
    return tuple(found)


def read_tables(node: Node, ids: Ids) -> tuple[tuple[EntrantId, ...], ...]:
    """`tables`: lists of ids, or objects with `entrants`."""
    tables: list[tuple[EntrantId, ...]] = []
    for path, value in node.items("tables", required=True):
        if isinstance(value, Mapping):
            tables.append(read_ids(Node(value, path, ids.problems), "entrants", ids, required=True))
        elif isinstance(value, list | tuple):
            found = (ids.known(f"{path}[{index}]", item) for index, item in enumerate(value))
            tables.append(tuple(entrant for entrant in found if entrant is not None))
        else:
            ids.problems.wrong_type(path, list)
    return tuple(tables)


def read_repairs(node: Node, ids: Ids) -> tuple[tuple[Repair, ...], Placed | None]:
    """`repairs` and `repaired` of a draw; both stand there, or neither."""
    listed = list(node.nodes("repairs"))
    repairs = [repair for part in listed if (repair := _repair(part, ids)) is not None]
    made = node.node("repaired") if node.has("repaired") else None
    if bool(listed) != (made is not None):
        missing = "repaired" if listed else "repairs"
        node.problems.add(
            node.at(missing),
            "repairs（调整）与 repaired（调整后的一轮）应同时有。",
            "repairs and repaired, the round they made, stand together.",
        )
    if made is None:
        return tuple(repairs), None
    return tuple(repairs), Placed(read_tables(made, ids), read_ids(made, "byes", ids))


def require_moment(node: Node, key: str, at: str | None) -> None:
    """A problem where `at`, which stands at a key, is no ISO 8601 moment with its offset."""
    if at is None:
        return
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        node.problems.add(
            node.at(key),
            "时间应写作 2026-01-31T18:00:00+08:00，带时区。",
            "A moment is written 2026-01-31T18:00:00+08:00, with its offset.",
        )


def _repair(node: Node, ids: Ids) -> Repair | None:
    before = len(ids.problems.found)
    by, reason, change = node.text("by"), node.text("reason"), node.node("change")
    at = node.optional_text("at")
    require_moment(node, "at", at)
    if change is None:
        return None
    kinds = [kind for kind in _WORDS if change.has(kind)]
    if len(kinds) != 1:
        node.problems.add(
            change.path,
            f"应有且只有一种调整：{'、'.join(_WORDS)}。",
            f"Exactly one change must stand here: {', '.join(_WORDS)}.",
        )
        return None
    kind = ChangeKind(kinds[0])
    for key in change.value:
        if key != kind.value and (key, kind) != ("instead_of", ChangeKind.BYE) and change.has(key):
            node.problems.add(change.at(str(key)), f"这项调整没有 {key}。", f"This change has no key {key}.")
    entrants: tuple[EntrantId, ...] = ()
    tables: tuple[int, ...] = ()
    other: EntrantId | None = None
    match kind:
        case ChangeKind.SWAP:
            entrants = read_ids(change, kind.value, ids)
            _need_two(change, kind, len(entrants))
        case ChangeKind.SWAP_TABLES:
            tables = _numbers(change, kind)
        case ChangeKind.BYE:
            named = ids.known(change.at(kind.value), change.value[kind.value])
            entrants = () if named is None else (named,)
            if change.has("instead_of"):
                other = ids.known(change.at("instead_of"), change.value["instead_of"])
        case ChangeKind.SET_TABLE:
            table = change.node(kind.value)
            number = None if table is None else table.integer("number", 1)
            entrants = () if table is None else read_ids(table, "entrants", ids, required=True)
            tables = () if number is None else (number,)
    if by is None or reason is None or len(ids.problems.found) > before:
        return None
    return Repair(by, reason, kind, entrants, other, tables, node.path, at)


def _numbers(change: Node, kind: ChangeKind) -> tuple[int, ...]:
    """The numbers of two tables."""
    found: list[int] = []
    for path, value in change.items(kind.value):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1 or value in found:
            change.problems.add(
                path, "这里应为另一张桌的桌号。", "This must be the number of another table, from 1."
            )
        else:
            found.append(value)
    _need_two(change, kind, len(found))
    return tuple(found)


def _need_two(change: Node, kind: ChangeKind, found: int) -> None:
    if found != 2:
        change.problems.add(change.at(kind.value), "这里应有两项。", "There must be two here.")

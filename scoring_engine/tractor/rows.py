"""What reading the tables of a 升级 regulation has in common: rows of known keys, problems with their paths."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring_engine.documents import DocumentError, Node, Problems
from scoring_engine.values import Text

STEP = 5
"""Cards count 5 or 10 (C 八(七)), so every score, bottom and penalty is a multiple of 5."""


def table_node(rows: Sequence[Mapping[str, Any]], path: str, **rest: Any) -> Node:
    """Rows given as such, as the object `{"rows": rows, …}` that a regulation document has at `path`."""
    return Node({"rows": rows, **rest}, path, Problems())


def refuse_other_keys(node: Node, keys: Sequence[str]) -> None:
    """Note every key that a row does not have: a misspelt one would otherwise be left unread."""
    for key in node.value:
        if key not in keys:
            node.problems.add(
                node.at(str(key)),
                f"这里没有 {key} 这一项；可用的有：{'、'.join(keys)}。",
                f"There is no key {key} here; there are {', '.join(keys)}.",
            )


def raise_problems(problems: Problems) -> None:
    """Raise DocumentError where there are problems."""
    if problems:
        raise DocumentError(problems.found)


def multiple_of_five(node: Node, key: str, low: int | None = None, high: int | None = None) -> int | None:
    """A whole number of this object that is a multiple of 5, in low…high."""
    value = node.integer(key, low, high)
    if value is not None and (fault := step_fault(value)) is not None:
        node.problems.add(node.at(key), fault.zh, fault.en)
        return None
    return value


def step_fault(points: int) -> Text | None:
    """Why a number cannot be points of 升级, or None."""
    if points % STEP == 0:
        return None
    return Text(f"分数应为5的倍数，不能是{points}。", f"Points are multiples of 5, not {points}.")

"""Two regulations compared (规程对照): key by key, in the words of the form, each difference with its clause.

Rows of a list are the same row where they have the same name (a penalty's id, a criterion, an option), wherever they
stand; rows without a name are matched by what they say. A reading that changed is shown as one, by its meaning.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from app.regulations.rules.eligibility import listed
from app.regulations.rules.terms import same
from app.regulations.rules.texts import Bilingual
from app.regulations.schemas.form import SECTIONS, context_of
from app.regulations.schemas.form.leaves import ABSENT, Leaf
from app.regulations.schemas.form.nodes import Context, Each, Key, Named, One, Rows, Table, said
from app.regulations.schemas.form.open_points import Readings
from app.text import T

IDENTITY = ("option", "id", "code", "prize", "criterion", "rule", "kind", "unit")
"""What a row of a list is called by, the first that it has."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. where: from the part of the regulation down to the value; None before: it was added."""

    section: T
    where: tuple[T, ...]
    path: str
    before: T | None
    after: T | None
    clause: str | None

    @property
    def key(self) -> str:
        """The top-level part of the document."""
        return self.path.partition(".")[0]


@dataclass(frozen=True, slots=True)
class _Place:
    section: T
    where: tuple[T, ...]
    path: str
    clause: str | None
    before: Context
    after: Context

    def into(self, key: str | int, label: T | None) -> "_Place":
        where = self.where if label is None or str(label) == "" else (*self.where, label)
        return replace(self, where=where, path=f"{self.path}.{key}".lstrip("."))

    def change(self, before: T | None, after: T | None) -> Change:
        return Change(self.section, self.where, self.path, before, after, self.clause)


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Every difference between two documents, in the order of the pages; each may be wrong or unfinished."""
    old, new = context_of(before), context_of(after)
    found: list[Change] = []
    for section in SECTIONS.values():
        top = _Place(section.title, (), "", None, old, new)
        for key in section.keys:
            label = None if len(section.keys) == 1 else key.label
            found += _differ(
                key.node, before.get(key.key, ABSENT), after.get(key.key, ABSENT), top.into(key.key, label)
            )
    shown = {key.key for section in SECTIONS.values() for key in section.keys}
    rest = _Place(Bilingual("其他", "Other"), (), "", None, old, new)
    for name in dict.fromkeys([*before, *after]):
        if name not in shown:
            found += _as_json(
                before.get(name, ABSENT), after.get(name, ABSENT), rest.into(name, Bilingual(name, name))
            )
    return tuple(found)


def _same(before: Any, after: Any) -> bool:
    if before is ABSENT or after is ABSENT:
        return before is after
    return json.dumps(before, sort_keys=True) == json.dumps(after, sort_keys=True)


def _differ(node: Any, before: Any, after: Any, place: _Place) -> list[Change]:
    """The differences at one node. A reading is looked at even where its own table is the same: its default may not be."""
    if isinstance(node, Readings):
        return list(_readings(place))
    if _same(before, after):
        return []
    for kind, compare_kind in KINDS.items():
        if isinstance(node, kind):
            return list(compare_kind(node, before, after, place))
    return list(_as_json(before, after, place))


def _as_json(before: Any, after: Any, place: _Place) -> Iterator[Change]:
    if not _same(before, after):
        yield place.change(_raw(before), _raw(after))


def _raw(value: Any) -> T | None:
    if value is ABSENT:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Bilingual(text, text)


def _one(node: One, before: Any, after: Any, place: _Place) -> Iterator[Change]:
    yield place.change(
        meaning(node.leaf, before, place.before) if before is not ABSENT else None,
        meaning(node.leaf, after, place.after) if after is not ABSENT else None,
    )


def meaning(leaf: Leaf, value: Any, context: Context) -> T:
    """A value in the words of its field."""
    option = leaf.option_of(value, context.options)
    if option is not None:
        label = next((label for name, label in context.options if name == option), option)
        return T("由解释选项 %(option)s决定", option=label)
    names = dict(leaf.choices)
    texts = leaf.texts(value)
    if texts is None:
        return _raw(value) or Bilingual("", "")
    if not texts:
        return Bilingual("（空）", "(none)")
    shown = [names.get(text, Bilingual(text, text)) for text in texts]
    if leaf.widget == "moment" and len(texts) == 1:
        text = texts[0].replace("T", " ")
        return Bilingual(text, text)
    return listed(shown)


def _table(node: Table, before: Any, after: Any, place: _Place) -> Iterator[Change]:
    old = {} if before is ABSENT else before
    new = {} if after is ABSENT else after
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        yield from _as_json(before, after, place)
        return
    clause = new.get("clause", old.get("clause"))
    inner = replace(place, clause=clause) if isinstance(clause, str) else place
    keys = _keys_of(node, old, new, inner)
    if {key.key for key in keys} == {"zh", "en"}:
        yield inner.change(_words(before), _words(after))
        return
    for key in keys:
        yield from _differ(
            key.node, old.get(key.key, ABSENT), new.get(key.key, ABSENT), inner.into(key.key, key.label)
        )
    known = {key.key for key in keys}
    for name in dict.fromkeys([*old, *new]):
        if name not in known:
            yield from _as_json(
                old.get(name, ABSENT), new.get(name, ABSENT), inner.into(name, Bilingual(name, name))
            )


def _keys_of(node: Table, old: Mapping[str, Any], new: Mapping[str, Any], place: _Place) -> Sequence[Key]:
    keys = {key.key: key for key in node.keys_of(old, place.before)}
    keys |= {key.key: key for key in node.keys_of(new, place.after)}
    return tuple(keys.values())


def _words(value: Any) -> T | None:
    if isinstance(value, Mapping) and all(isinstance(value.get(key), str) for key in ("zh", "en")):
        return Bilingual.of(value)
    return _raw(value)


def _rows(node: Rows, before: Any, after: Any, place: _Place) -> Iterator[Change]:
    old = [] if before is ABSENT else before
    new = [] if after is ABSENT else after
    if not _are_rows(old) or not _are_rows(new):
        yield from _as_json(before, after, place)
        return
    pairs = _matched(old, new)
    for left, right in pairs:
        row = new[right] if right is not None else old[left or 0]
        context = place.after if right is not None else place.before
        number = right if right is not None else left or 0
        title = said(node.title, row, context)
        named = title if str(title) else Bilingual(f"第 {number + 1} 行", f"Row {number + 1}")
        inner = place.into(number, named)
        clause = row.get("clause")
        inner = replace(inner, clause=clause) if isinstance(clause, str) else inner
        if left is None:
            yield inner.change(None, Bilingual("新增", "Added"))
        elif right is None:
            yield inner.change(Bilingual("原有", "It was there"), None)
        else:
            was = said(node.title, old[left], place.before)
            titled = replace(inner, where=(*place.where, was if str(was) else named))
            yield from _differ(node.table, old[left], new[right], titled)
    if node.ordered:
        yield from _moved(pairs, old, node, place)


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, Mapping) for row in value)


def _identity(row: Mapping[str, Any]) -> str | None:
    return next((f"{key}={row[key]}" for key in IDENTITY if isinstance(row.get(key), str)), None)


def _matched(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int | None, int | None]]:
    """Which row is which: alike ones first, then by name, then by their turn."""
    left, right = (
        [json.dumps(row, sort_keys=True) for row in old],
        [json.dumps(row, sort_keys=True) for row in new],
    )
    found: dict[int, int] = {}
    for block in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        found |= {block.b + step: block.a + step for step in range(block.size)}
    for same_row in (
        lambda here, there: left[there] == right[here],
        lambda here, there: (
            _identity(new[here]) is not None and _identity(old[there]) == _identity(new[here])
        ),
        lambda here, there: _nameless(old[there], new[here]),
    ):
        for here in range(len(new)):
            if here not in found:
                taken = set(found.values())
                there = next((at for at in range(len(old)) if at not in taken and same_row(here, at)), None)
                if there is not None:
                    found[here] = there
    pairs: list[tuple[int | None, int | None]] = [(found.get(here), here) for here in range(len(new))]
    return [*pairs, *((there, None) for there in range(len(old)) if there not in set(found.values()))]


def _nameless(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Two rows without a name that stand at the same clause, or that nothing tells apart."""
    return _identity(old) is None and _identity(new) is None and old.get("clause") == new.get("clause")


def _moved(
    pairs: Sequence[tuple[int | None, int | None]], old: Sequence[Any], node: Rows, place: _Place
) -> Iterator[Change]:
    """Rows that stay and stand in another order: the whole order before and after."""
    kept = [left for left, right in pairs if left is not None and right is not None]
    if kept == sorted(kept):
        return
    label = place.into("#order", Bilingual("次序", "Order"))

    def order(places: Sequence[int]) -> T:
        return listed([said(node.title, old[at], place.before) for at in places])

    yield label.change(order(sorted(kept)), order(kept))


def _each(node: Each, before: Any, after: Any, place: _Place) -> Iterator[Change]:
    def shown(value: Any, context: Context) -> T | None:
        if value is ABSENT or not isinstance(value, list) or not value:
            return _raw(value)
        return listed([meaning(node.leaf, each, context) for each in value])

    yield place.change(shown(before, place.before), shown(after, place.after))


def _named(node: Named, before: Any, after: Any, place: _Place) -> Iterator[Change]:
    old = {} if before is ABSENT else before
    new = {} if after is ABSENT else after
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        yield from _as_json(before, after, place)
        return
    names = dict(node.name.choices)
    for key in dict.fromkeys([*old, *new]):
        label = names.get(key, Bilingual(key, key))
        yield from _differ(node.node, old.get(key, ABSENT), new.get(key, ABSENT), place.into(key, label))


def _readings(place: _Place) -> Iterator[Change]:
    """Readings in force before and after, by the rows of both documents."""
    old, new = _in_force(place.before.document), _in_force(place.after.document)
    for option in dict.fromkeys([*old, *new]):
        before, after = old.get(option), new.get(option)
        if before is not None and after is not None and same(before[1], after[1]):
            continue
        row = (after or before or ({}, None))[0]
        clause = row.get("clause")
        label = T("%(id)s %(text)s", id=str(row.get("id", "")), text=_words(row.get("text")) or option)
        inner = replace(place.into(option, label), clause=clause if isinstance(clause, str) else None)
        yield inner.change(_reading(before), _reading(after))


def _in_force(document: Mapping[str, Any]) -> dict[str, tuple[Mapping[str, Any], Any]]:
    rows, chosen = document.get("interpretations"), document.get("options")
    held = chosen if isinstance(chosen, Mapping) else {}
    return {
        row["option"]: (row, held.get(row["option"], row.get("default")))
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, Mapping) and isinstance(row.get("option"), str)
    }


def _reading(found: tuple[Mapping[str, Any], Any] | None) -> T | None:
    if found is None:
        return None
    row, value = found
    words = row.get("words")
    return (
        _words(words.get(str(value))) if isinstance(words, Mapping) and str(value) in words else _raw(value)
    )


KINDS: Mapping[type, Callable[[Any, Any, Any, _Place], Iterator[Change]]] = {
    One: _one,
    Table: _table,
    Rows: _rows,
    Each: _each,
    Named: _named,
}
"""How each kind of node is compared."""

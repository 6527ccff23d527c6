"""The shape of a form: tables, lists of rows and named entries, each written as views and read back from what was sent.

A table that a form leaves wholly empty does not stand in the document. A key that the form does not know is carried
along as JSON, so that nothing is lost by editing something else.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from app.regulations.rules.regulation import with_options
from app.regulations.rules.texts import LANGUAGE, Bilingual
from app.regulations.schemas.form.leaves import ABSENT, Leaf
from app.regulations.schemas.form.posted import Posted
from app.regulations.schemas.form.views import (
    FieldView,
    GroupView,
    OptionName,
    RowsView,
    RowView,
    View,
)
from app.text import T

OTHERS = "_"
"""Under this name stand the keys of a table that the form does not know."""
NOTHING = Bilingual("", "")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Context:
    """What the shape of a part depends on: the format of the whole document, its options, and the values around a place."""

    document: Mapping[str, Any]
    format: str | None
    options: Sequence[OptionName] = ()
    around: Mapping[str, Any] = field(default_factory=dict)

    def inside(self, row: Row) -> "Context":
        """The same, for what stands inside a row: its single values are around it."""
        single = {key: value for key, value in row.items() if isinstance(value, str)}
        return replace(self, around={**self.around, **single})

    def beside(self, row: Row) -> Mapping[str, object]:
        """The values a condition may look at for a key of this row."""
        return {**self.around, **row, "format": self.format}


@dataclass(frozen=True, slots=True)
class At:
    """A place: the name of its fields, its path and its keys in the document, and what it is called."""

    name: str
    path: str
    place: tuple[Any, ...]
    label: T = NOTHING
    help: T | None = None
    required: bool = False

    def into(self, key: str | int, part: str | int, label: T = NOTHING, **more: Any) -> "At":
        name = f"{self.name}-{part}" if self.name else str(part)
        return At(name, f"{self.path}.{key}".lstrip("."), (*self.place, key), label, **more)


class Node(Protocol):
    def view(self, value: Any, at: At, context: Context) -> View: ...

    def read(self, posted: Posted, context: Context) -> Any: ...


@dataclass(frozen=True, slots=True)
class One:
    """A single value."""

    leaf: Leaf

    def view(self, value: Any, at: At, context: Context) -> View:
        empty = FieldView(
            at.name, at.path, at.label, at.help, required=at.required, options=tuple(context.options)
        )
        shown = self.leaf.view(value, empty)
        if not self.leaf.option and shown.option is None:
            shown.options = ()
        return shown

    def read(self, posted: Posted, context: Context) -> Any:
        return self.leaf.read_posted(posted)


def _carried(value: Any, at: At) -> FieldView:
    """A value of another shape than the form has for its place, as JSON."""
    raw = json.dumps(value, ensure_ascii=False)
    return FieldView(at.name, at.path, at.label, at.help, widget="raw", texts=(raw,))


def _is_carried(posted: Posted) -> bool:
    return bool(posted.at("raw").values)


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table: what it is called, what stands there, and what helps to fill it in."""

    key: str
    label: T
    node: Node
    help: T | None = None
    required: bool = False
    shown: bool = True
    """Whether an empty field is offered; a key that stands in the document is always shown."""


Keys = Sequence[Key] | Callable[[Row, Context], Sequence[Key]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of known keys; which they are may depend on the row (its rule) and on the document (its game)."""

    keys: Keys

    def keys_of(self, row: Row, context: Context) -> Sequence[Key]:
        return self.keys(row, context) if callable(self.keys) else self.keys

    def views(self, value: Row, at: At, context: Context) -> list[View]:
        known = self.keys_of(value, context)
        inside = context.inside(value)
        shown = []
        for each in known:
            if each.shown or each.key in value:
                place = at.into(each.key, each.key, each.label, help=each.help, required=each.required)
                view = each.node.view(value.get(each.key, ABSENT), place, inside)
                view.aside = not each.required and each.key not in value
                shown.append(view)
        others = [key for key in value if key not in {each.key for each in known}]
        return [*shown, *(self._other(key, number, value, at) for number, key in enumerate(others))]

    def _other(self, key: str, number: int, value: Row, at: At) -> View:
        label = Bilingual(f"其他项 {key}", f"Another key, {key}")
        inner = at.into(key, f"{OTHERS}-{number}", label)
        view = _carried(value[key], inner)
        view.was = key
        view.widget = "other"
        return view

    def view(self, value: Any, at: At, context: Context) -> View:
        if value is not ABSENT and not isinstance(value, Mapping):
            return _carried(value, at)
        row = {} if value is ABSENT else value
        return GroupView(
            at.name,
            at.path,
            at.label,
            at.help,
            views=self.views(row, at, context),
            empty=value is not ABSENT and not row,
        )

    def read(self, posted: Posted, context: Context) -> Any:
        if _is_carried(posted):
            return json_of(posted.text)
        said = {name: inner.text for name, inner in posted.inner.items() if inner.values}
        found: dict[str, Any] = {}
        inside = context.inside(said)
        for each in self.keys_of(said, context):
            value = each.node.read(posted.at(each.key), inside)
            if value is not ABSENT:
                found[each.key] = value
        for other in posted.at(OTHERS).rows():
            key = other.at("was").text
            if key is not None and key not in found:
                found[key] = json_of(other.text)
        return found if found or posted.at("is").values else ABSENT


def json_of(text: str | None) -> Any:
    """What a field of JSON holds; text that is none stays text, and the check refuses it."""
    try:
        return json.loads(text or "null")
    except ValueError:
        return text


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of tables, in order. title: what a row says; by: the key whose value a new row is begun with."""

    table: Table
    title: Callable[[Row, Context], T]
    by: str | None = None
    adds: Callable[[Context], Sequence[tuple[str, T]]] | None = None
    ordered: bool = False
    """Whether the order of the rows means something: that of the ranking chain does."""

    def view(self, value: Any, at: At, context: Context) -> View:
        good = value is ABSENT or (isinstance(value, list) and all(isinstance(row, Mapping) for row in value))
        if not good:
            return _carried(value, at)
        rows = [] if value is ABSENT else value
        return RowsView(
            at.name,
            at.path,
            at.label,
            at.help,
            rows=[self._row(row, number, at, context) for number, row in enumerate(rows)],
            adds=self.adds(context) if self.adds else (),
            place=(*at.place, self.by or ""),
            empty=value is not ABSENT and not rows,
        )

    def _row(self, row: Row, number: int, at: At, context: Context) -> RowView:
        inner = at.into(number, number)
        return RowView(
            inner.name,
            inner.path,
            Bilingual(f"第 {number + 1} 行", f"Row {number + 1}"),
            views=self.table.views(row, inner, context),
            empty=not row,
            title=said(self.title, row, context),
            place=inner.place,
        )

    def read(self, posted: Posted, context: Context) -> Any:
        if _is_carried(posted):
            return json_of(posted.text)
        rows = [self.table.read(row, context) for row in posted.rows()]
        rows = [row for row in rows if row is not ABSENT]
        return rows if rows or posted.at("is").values else ABSENT


def _english(msgid: str) -> str:
    return "en" if msgid == LANGUAGE.msgid else msgid


def _readings(document: Mapping[str, Any]) -> dict[str, Any]:
    """What each option says, as far as a document that may not be right yet tells."""
    rows, chosen = document.get("interpretations"), document.get("options")
    found: dict[str, Any] = {}
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, Mapping) and isinstance(row.get("option"), str) and "default" in row:
            found[row["option"]] = row["default"]
    return found | (dict(chosen) if isinstance(chosen, Mapping) else {})


def said(title: Callable[[Row, Context], T], row: Row, context: Context) -> T:
    """What a row says, by the readings in force; a row that is not right yet says nothing."""
    try:
        words = title(with_options(row, _readings(context.document)), context)
        # a text that is none is found out here, not while the page is drawn
        shown: list[object] = [words.render(), words.render(_english)]
        return words if all(isinstance(each, str) for each in shown) else NOTHING
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return NOTHING


@dataclass(frozen=True, slots=True)
class Each:
    """A short list of single values, each in a field of its own, with an empty one for the next."""

    leaf: Leaf

    def view(self, value: Any, at: At, context: Context) -> View:
        if value is not ABSENT and not isinstance(value, list):
            return _carried(value, at)
        items = [*([] if value is ABSENT else value), ABSENT]
        return GroupView(
            at.name,
            at.path,
            at.label,
            at.help,
            views=[
                One(self.leaf).view(
                    item, at.into(number, number, Bilingual(f"{number + 1}", f"{number + 1}")), context
                )
                for number, item in enumerate(items)
            ],
            empty=value is not ABSENT and not value,
        )

    def read(self, posted: Posted, context: Context) -> Any:
        if _is_carried(posted):
            return json_of(posted.text)
        values = [value for row in posted.rows() if (value := self.leaf.read_posted(row)) is not ABSENT]
        return values if values or posted.at("is").values else ABSENT


@dataclass(frozen=True, slots=True)
class Named:
    """Entries under names of their own: each is a field for the name and what stands there, with an empty one at the end."""

    name: Leaf
    node: Node
    name_label: T = field(default_factory=lambda: Bilingual("名称", "Name"))
    value_label: T = NOTHING

    def view(self, value: Any, at: At, context: Context) -> View:
        if value is not ABSENT and not isinstance(value, Mapping):
            return _carried(value, at)
        entries: list[tuple[str, Any]] = [*({} if value is ABSENT else value).items(), ("", ABSENT)]
        return GroupView(
            at.name,
            at.path,
            at.label,
            at.help,
            views=[
                self._entry(key, inner, number, at, context) for number, (key, inner) in enumerate(entries)
            ],
            empty=value is not ABSENT and not value,
        )

    def _entry(self, key: str, value: Any, number: int, at: At, context: Context) -> View:
        place = at.into(key, number)
        label = At(f"{place.name}-key", f"{place.path}#name", place.place, self.name_label)
        inner = At(f"{place.name}-value", place.path, place.place, self.value_label)
        return GroupView(
            place.name,
            f"{place.path}#entry",
            NOTHING,
            views=[
                One(self.name).view(key or ABSENT, label, context),
                self.node.view(value, inner, context),
            ],
        )

    def read(self, posted: Posted, context: Context) -> Any:
        if _is_carried(posted):
            return json_of(posted.text)
        found: dict[str, Any] = {}
        for row in posted.rows():
            key, value = self.name.read_posted(row.at("key")), self.node.read(row.at("value"), context)
            if key is ABSENT and value is ABSENT:
                continue
            found["" if key is ABSENT else str(key)] = "" if value is ABSENT else value
        return found if found or posted.at("is").values else ABSENT

"""解释: the readings in force, and the values an open point may take."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.regulations.rules.terms import same
from app.regulations.rules.texts import Bilingual
from app.regulations.schemas.form.leaves import ABSENT, SCALAR, WHOLE
from app.regulations.schemas.form.nodes import (
    At,
    Context,
    Each,
    Key,
    One,
    Row,
    Table,
)
from app.regulations.schemas.form.posted import Posted
from app.regulations.schemas.form.views import FieldView, GroupView, View
from app.text import T


def _rows(context: Context) -> list[Mapping[str, Any]]:
    rows = context.document.get("interpretations")
    found = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    return [row for row in found if isinstance(row.get("option"), str)]


def _words(texts: Any, otherwise: str) -> T:
    if isinstance(texts, Mapping) and all(isinstance(texts.get(key), str) for key in ("zh", "en")):
        return Bilingual.of(texts)
    return Bilingual(otherwise, otherwise)


def _is_range(row: Row) -> bool:
    return isinstance(row.get("allowed"), Mapping)


@dataclass(frozen=True, slots=True)
class Readings:
    """The table `options`: one field for each interpretation. What is its default does not stand in the document."""

    def view(self, value: Any, at: At, context: Context) -> View:
        chosen: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
        rows = _rows(context)
        views: list[View] = [self._field(row, number, chosen, at) for number, row in enumerate(rows)]
        known = {row["option"] for row in rows}
        strangers = {key: each for key, each in chosen.items() if key not in known}
        rest = Table(()).views(strangers, at, context)
        empty = value is not ABSENT and not chosen
        return GroupView(at.name, at.path, at.label, at.help, views=[*views, *rest], empty=empty)

    def _field(self, row: Row, number: int, chosen: Mapping[str, Any], at: At) -> View:
        option = row["option"]
        default = row.get("default")
        value = chosen.get(option, default)
        shown = FieldView(
            f"{at.name}-{number}", f"{at.path}.{option}", _words(row.get("text"), option), required=True
        )
        shown.clause = row.get("clause") if isinstance(row.get("clause"), str) else None
        shown.option = row["id"] if isinstance(row.get("id"), str) else None
        if option in chosen and same(value, default):
            shown.was = "kept"
        if _is_range(row):
            shown.widget, shown.texts = "reading_number", (str(value),)
            shown.help = T(
                "%(least)s 至 %(most)s；默认 %(default)s。",
                least=row["allowed"].get("min"),
                most=row["allowed"].get("max"),
                default=default,
            )
            return shown
        allowed = row["allowed"] if isinstance(row.get("allowed"), list) else []
        words = row.get("words") if isinstance(row.get("words"), Mapping) else {}
        shown.widget = "reading"
        values = allowed if any(same(value, each) for each in allowed) else [*allowed, value]
        shown.choices = tuple(
            (str(place), self._meaning(each, words, default)) for place, each in enumerate(values)
        )
        shown.texts = tuple(str(place) for place, each in enumerate(values) if same(each, value))[:1]
        return shown

    def _meaning(self, value: Any, words: Any, default: Any) -> T:
        text = _words(words.get(str(value)), str(value))
        return T("%(meaning)s（默认）", meaning=text) if same(value, default) else text

    def read(self, posted: Posted, context: Context) -> Any:
        rows = _rows(context)
        before = context.document.get("options")
        chosen: Mapping[str, Any] = before if isinstance(before, Mapping) else {}
        found: dict[str, Any] = {}
        for number, row in enumerate(rows):
            option, field = row["option"], posted.at(str(number))
            value = self._chosen(row, field, chosen.get(option, row.get("default")))
            if value is ABSENT:
                continue
            if field.at("was").values or not same(value, row.get("default")):
                found[option] = value
        rest = Table(()).read(posted, context)
        if isinstance(rest, Mapping):
            found |= rest
        return found if found or posted.at("is").values else ABSENT

    def _chosen(self, row: Row, field: Posted, now: Any) -> Any:
        """What the field says; ABSENT where nothing was sent: then the default is in force."""
        text = field.text
        if text is None or text == "":
            return ABSENT
        if _is_range(row):
            return WHOLE.read(text)
        allowed = row["allowed"] if isinstance(row.get("allowed"), list) else []
        values = allowed if any(same(now, each) for each in allowed) else [*allowed, now]
        return values[int(text)] if text.isascii() and text.isdecimal() and int(text) < len(values) else text


@dataclass(frozen=True, slots=True)
class Allowed:
    """`allowed`: a list of values, or the lowest and highest of a range."""

    def view(self, value: Any, at: At, context: Context) -> View:
        return (_SPAN if isinstance(value, Mapping) else Each(SCALAR)).view(value, at, context)

    def read(self, posted: Posted, context: Context) -> Any:
        span = any(name in posted.inner for name in ("min", "max"))
        return (_SPAN if span else Each(SCALAR)).read(posted, context)


_SPAN = Table(
    (
        Key("min", Bilingual("最小", "Least"), One(WHOLE), required=True),
        Key("max", Bilingual("最大", "Most"), One(WHOLE), required=True),
    )
)
"""The ends of a range; where a form sends either of them, a range is meant."""

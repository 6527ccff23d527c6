"""The form of a regulation (规程编辑): its document as fields of a page, and the fields back as a document.

What is written into the page and sent back as it is gives the same document, to the last type and in the same order.
What a person typed and cannot be used is kept as it was typed: the draft holds it, and the check names it beside its field.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.regulations.rules.texts import Bilingual
from app.regulations.schemas.engine_tables import format_of
from app.regulations.schemas.form.layout import SECTIONS, UNTOUCHED, Section
from app.regulations.schemas.form.leaves import ABSENT
from app.regulations.schemas.form.nodes import NOTHING, At, Context
from app.regulations.schemas.form.posted import Posted
from app.regulations.schemas.form.views import FieldView, View, place_errors
from app.text import T

__all__ = [
    "SECTIONS",
    "UNTOUCHED",
    "Act",
    "Posted",
    "Section",
    "UnknownActError",
    "context_of",
    "read_section",
    "view_section",
]

CARRIED = "_keys"
"""Under this name stand keys of the document that no page knows."""


def context_of(document: Mapping[str, Any]) -> Context:
    """What the shape of the form depends on."""
    return Context(document, format_of(document), _options(document))


def _options(document: Mapping[str, Any]) -> list[tuple[str, T]]:
    rows = document.get("interpretations")
    found: list[tuple[str, T]] = []
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, Mapping) and isinstance(row.get("option"), str):
            found.append((row["option"], _option_name(row)))
    return found


LONGEST_NAME = {"zh": 24, "en": 48}
"""Characters of what an option decides, in a list to choose from."""


def _option_name(row: Mapping[str, Any]) -> T:
    """An interpretation by its number and the beginning of its text; its code where it has none yet."""
    number, texts = str(row.get("id", "")), row.get("text")
    said = dict.fromkeys(LONGEST_NAME, row["option"])
    if isinstance(texts, Mapping):
        said |= {key: text for key, text in texts.items() if key in said and isinstance(text, str) and text}
    short = {
        language: text if len(text) <= LONGEST_NAME[language] else f"{text[: LONGEST_NAME[language] - 1]}…"
        for language, text in said.items()
    }
    return Bilingual(f"{number}（{short['zh']}）", f"{number} ({short['en']})")


def view_section(
    section: Section, document: Mapping[str, Any], errors: Mapping[str, T]
) -> tuple[list[View], list[tuple[str, T]]]:
    """What the page shows, every error of its part beside its field; and the errors that have no field there."""
    context = context_of(document)
    views = [
        each.node.view(
            document.get(each.key, ABSENT),
            At(each.key, each.key, (each.key,), each.label, each.help, each.required),
            context,
        )
        for each in section.keys
    ]
    for each, view in zip(section.keys, views, strict=True):
        view.aside = len(views) > 1 and not each.required and each.key not in document
    if len(views) == 1 and section.title == views[0].label:
        views[0].label = NOTHING  # the page's own heading says it
    if section.code == "event":
        views += _carried(document)
    keys = {each.key for each in section.keys}
    here = {path: text for path, text in errors.items() if path.partition(".")[0] in keys}
    return views, place_errors(views, here)


def _carried(document: Mapping[str, Any]) -> list[View]:
    """Keys that no page knows, so that they can at least be seen and taken out."""
    known = {each.key for section in SECTIONS.values() for each in section.keys} | set(UNTOUCHED)
    return [
        FieldView(
            f"{CARRIED}-{number}",
            key,
            Bilingual(f"其他项 {key}", f"Another key, {key}"),
            widget="other",
            texts=(json.dumps(document[key], ensure_ascii=False),),
            was=key,
        )
        for number, key in enumerate(key for key in document if key not in known)
    ]


def read_section(section: Section, posted: Posted, document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with this page's part as it was sent; the other parts stay as they are."""
    context = context_of(document)
    changed = dict(document)
    for each in section.keys:
        value = each.node.read(posted.at(each.key), context)
        if value is ABSENT:
            changed.pop(each.key, None)
        else:
            changed[each.key] = _in_order_of(document.get(each.key), value)
    for other in posted.at(CARRIED).rows():
        key = other.at("was").text
        if key in changed:
            changed[key] = json.loads(other.text or "null") if _is_json(other.text) else other.text
    return changed


def _is_json(text: str | None) -> bool:
    try:
        json.loads(text or "null")
    except ValueError:
        return False
    return True


def _in_order_of(before: Any, now: Any) -> Any:
    """The same value with its keys in the order the document had them, new ones at the end."""
    if isinstance(now, Mapping):
        held: Mapping[str, Any] = before if isinstance(before, Mapping) else {}
        keys = [*(key for key in held if key in now), *(key for key in now if key not in held)]
        return {key: _in_order_of(held.get(key), now[key]) for key in keys}
    if isinstance(now, list):
        rows = before if isinstance(before, list) else []
        return [
            _in_order_of(rows[place] if place < len(rows) else None, each) for place, each in enumerate(now)
        ]
    return now


class UnknownActError(ValueError):
    """A button that no page of ours has."""


@dataclass(frozen=True, slots=True)
class Act:
    """One press of a button beside a list: add a row, take one out, move one. place: the keys that lead there."""

    what: str
    place: tuple[str | int, ...]
    by: str = ""

    @classmethod
    def of(cls, text: str) -> "Act":
        """From the value of the button. Raises UnknownActError."""
        try:
            what, *place = json.loads(text)
        except (ValueError, TypeError) as error:
            raise UnknownActError(text) from error
        good = place and all(isinstance(each, str) or type(each) is int for each in place)
        if what not in ("add", "remove", "up", "down") or not good:
            raise UnknownActError(text)
        if what == "add":
            *place, by = place
            if not place or not isinstance(by, str):
                raise UnknownActError(text)
            return cls(what, tuple(place), by)
        if type(place[-1]) is not int:
            raise UnknownActError(text)
        return cls(what, tuple(place))

    def row_name(self, number: int | None) -> str:
        """The name of a row's fields after the act; of the list where no row is left."""
        places = self.place if self.what == "add" else self.place[:-1]
        return "-".join(map(str, [*places, *([] if number is None else [number])]))

    def done(self, document: Mapping[str, Any], kind: str = "") -> tuple[dict[str, Any], int | None]:
        """The document after it, and the number of the row to show; None where the list is gone."""
        changed: dict[str, Any] = json.loads(json.dumps(document))
        if self.what == "add":
            rows = _list_at(changed, self.place)
            rows.append({self.by: kind} if self.by and kind else {})
            return changed, len(rows) - 1
        *place, number = self.place
        rows = _list_at(changed, place)
        if not isinstance(number, int) or not 0 <= number < len(rows):
            return changed, None
        if self.what == "remove":
            del rows[number]
            if not rows:
                _drop(changed, place)
            return changed, min(number, len(rows) - 1) if rows else None
        other = number - 1 if self.what == "up" else number + 1
        if 0 <= other < len(rows):
            rows[number], rows[other] = rows[other], rows[number]
            return changed, other
        return changed, number


def _list_at(document: dict[str, Any], place: Sequence[str | int]) -> list[Any]:
    """The list at a place, made where there is none yet. Raises UnknownActError where something else stands there."""
    node: Any = document
    for number, key in enumerate(place):
        last = number == len(place) - 1
        if isinstance(node, dict) and isinstance(key, str):
            node = node.setdefault(key, [] if last else {})
        elif isinstance(node, list) and isinstance(key, int) and 0 <= key < len(node):
            node = node[key]
        else:
            raise UnknownActError(str(place))
    if not isinstance(node, list):
        raise UnknownActError(str(place))
    return node


def _drop(document: dict[str, Any], place: Sequence[str | int]) -> None:
    *before, key = place
    node: Any = document
    for each in before:
        node = node[each]
    del node[key]

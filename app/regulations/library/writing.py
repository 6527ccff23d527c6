"""A regulation document as TOML text, laid out as the shipped files are: tables in the order of the document's parts,
one row a block, short values on one line, dates as dates.

What is read back from the text is the same document. Comments are not kept: a document that was frozen has none.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

import tomlkit
from tomlkit.items import AoT, InlineTable, Item, Table

from app.regulations.rules import CalendarKey
from app.regulations.rules.canonical import plain

_ORDER = (
    *("format", "version", "id", "game", "timezone", "name", "event", "entry", "calendar", "eligibility"),
    *("documents", "registration", "publication", "objections", "scoring", "ranking", "stages", "pairing"),
    *("teams", "penalties", "lateness", "windows", "fees", "prizes", "rewarded", "points", "notices"),
    *("interpretations", "options"),
)
"""The parts of a document as the files have them; any other follows after them."""

_FIRST = (
    *(
        "id",
        "code",
        "criterion",
        "rule",
        "kind",
        "shape",
        "prize",
        "unit",
        "option",
        "start",
        "zh",
        "en",
        "from",
        "to",
    ),
    *("at", "up_to", "decks", "bottom_cards", "bids", "win", "draw", "loss", "bye", "min", "max", "default"),
    *CalendarKey,
)
_LAST = ("clause", "name", "label", "text", "clauses", "words", "schemes")
"""Keys that open a row, and those that end it; the rest stands between them."""


def dump_toml(document: Mapping[str, Any]) -> str:
    """The document as TOML. `parse_toml` of it is the same regulation, for every document that is one."""
    whole = plain(document)
    written = tomlkit.document()
    for key in _in_order(whole, _ORDER):
        value = _dated(whole[key]) if key == "calendar" else whole[key]
        written.add(key, _item(value))
    return tomlkit.dumps(written).strip() + "\n"


def _in_order(table: Mapping[str, Any], known: Iterable[str]) -> list[str]:
    """Single values before tables, as TOML needs it, each in the known order and the others after, as they stand."""
    rank = {key: place for place, key in enumerate(known)}
    return sorted(table, key=lambda key: (_is_block(table[key]), rank.get(key, len(rank))))


def _in_row(table: Mapping[str, Any]) -> list[str]:
    """The keys of a row: what names it first, its clause and texts last."""

    def place(key: str) -> int:
        if key in _FIRST:
            return _FIRST.index(key)
        return len(_FIRST) + (_LAST.index(key) + 1 if key in _LAST else 0)

    return sorted(table, key=lambda key: (_is_block(table[key]), place(key)))


def _is_block(value: Any) -> bool:
    """Whether a value of the document's top stands under a heading of its own."""
    return isinstance(value, Mapping) or _is_rows(value)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _is_flat(table: Mapping[str, Any]) -> bool:
    """Whether a table fits on one line: it holds single values, or tables of the option that says a value."""
    return all(
        not isinstance(value, Mapping | list) or _is_plain_list(value) or _is_reference(value)
        for value in table.values()
    )


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(each, Mapping | list) for each in value)


def _is_reference(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"option"}


def _item(value: Any) -> Item:
    """A part of the document: a value, a table or rows."""
    if _is_rows(value):
        rows = AoT([])
        for row in value:
            rows.append(_table(row))
        return rows
    return _table(value) if isinstance(value, Mapping) else _single(value)


def _table(table: Mapping[str, Any]) -> Table:
    """A table under its heading; what does not fit on a line stands under a heading below it."""
    written = tomlkit.table()
    keys = _in_row(table)
    for key in [key for key in keys if not _needs_heading(table[key])]:
        written.add(key, _single(table[key]))
    for key in [key for key in keys if _needs_heading(table[key])]:
        written.add(key, _table(table[key]))
    return written


def _needs_heading(value: Any) -> bool:
    return isinstance(value, Mapping) and not _is_flat(value)


def _single(value: Any) -> Item:
    """A value on one line, or rows of a table one a line."""
    if isinstance(value, Mapping):
        return _inline(value)
    if isinstance(value, list):
        array = tomlkit.array()
        for each in value:
            array.append(_single(each))
        return array.multiline(_is_rows(value))
    return tomlkit.item(value)


def _inline(table: Mapping[str, Any]) -> InlineTable:
    written = tomlkit.inline_table()
    for key in sorted(table, key=_in_row(table).index):
        written.add(key, _single(table[key]))
    return written


def _dated(calendar: Any) -> Any:
    """The calendar with its days and moments as TOML's own; a text that is none stays as it is."""
    if not isinstance(calendar, Mapping):
        return calendar
    return {
        key: {**row, "at": _moment(row["at"])} if isinstance(row, Mapping) and "at" in row else row
        for key, row in calendar.items()
    }


def _moment(text: Any) -> Any:
    """The date or moment a text is. Only one that reads back as the same text is replaced."""
    if not isinstance(text, str):
        return text
    try:
        found: date = (
            datetime.fromisoformat(text) if len(text) > len("2021-10-31") else date.fromisoformat(text)
        )
    except ValueError:
        return text
    return found if found.isoformat() == text else text

"""A regulation document as TOML text, laid out as the shipped files are: the parts and keys in the order in which they are
described (`schemas.describe`), one row a block, short values on one line, dates as dates.

What is read back from the text is the same document. Comments are not kept: a document that was frozen has none.
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import tomlkit
from tomlkit.items import AoT, InlineTable, Item, Table

from app.regulations.rules.canonical import plain
from app.regulations.schemas import help_at

Place = tuple[str, ...]

_WITHOUT_HELP = ("zh", "en", "min", "max", "option")
"""Keys inside single values, in their order: texts in both languages, what an option may take."""


def dump_toml(document: Mapping[str, Any]) -> str:
    """The document as TOML. `parse_toml` of it is the same regulation, for every document that is one."""
    whole = plain(document)
    written = tomlkit.document()
    keys = _in_order(whole, ())
    for key in sorted(keys, key=lambda key: _is_block(whole[key])):  # TOML needs single values before tables
        value = _dated(whole[key]) if key == "calendar" else whole[key]
        written.add(key, _item(value, (key,)))
    return tomlkit.dumps(written).strip() + "\n"


def _in_order(table: Mapping[str, Any], place: Place) -> list[str]:
    """The keys of a table as they are described, any other after them, as they stand."""
    described = help_at(place)
    if described is None:
        known: list[str] = list(_WITHOUT_HELP)
    elif described.allowed:
        known = [each.value for each in described.allowed]
    else:
        known = [*(each.key for each in described.inside), *_WITHOUT_HELP]
    rank: dict[str, int] = {}
    for key in known:
        rank.setdefault(key, len(rank))
    return sorted(table, key=lambda key: rank.get(key, len(rank)))


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


def _item(value: Any, place: Place) -> Item:
    """A part of the document: a value, a table or rows."""
    if _is_rows(value):
        rows = AoT([])
        for row in value:
            rows.append(_table(row, place))
        return rows
    return _table(value, place) if isinstance(value, Mapping) else _single(value, place)


def _table(table: Mapping[str, Any], place: Place) -> Table:
    """A table under its heading; what does not fit on a line stands under a heading below it."""
    written = tomlkit.table()
    keys = _in_order(table, place)
    for key in sorted(keys, key=lambda key: _needs_heading(table[key])):
        write = _table if _needs_heading(table[key]) else _single
        written.add(key, write(table[key], (*place, key)))
    return written


def _needs_heading(value: Any) -> bool:
    return isinstance(value, Mapping) and not _is_flat(value)


def _single(value: Any, place: Place) -> Item:
    """A value on one line, or rows of a table one a line."""
    if isinstance(value, Mapping):
        return _inline(value, place)
    if isinstance(value, list):
        array = tomlkit.array()
        for each in value:
            array.append(_single(each, place))
        return array.multiline(_is_rows(value))
    return tomlkit.item(value)


def _inline(table: Mapping[str, Any], place: Place) -> InlineTable:
    written = tomlkit.inline_table()
    for key in _in_order(table, place):
        written.add(key, _single(table[key], (*place, key)))
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

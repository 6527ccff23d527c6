"""What each key of a regulation document is (`describe`): its name and help in both languages, its kind, what it may hold.

One tree, made of the same schema that checks documents (`tables`, `engine_tables`) and the words of `helps` and `choices`.
Whoever shows a document as a form walks it; a key that nobody described is a KeyError here and a failing test.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app.regulations.schemas.choices import words_of
from app.regulations.schemas.fields import EVERY_KEY, Checked, Kind, When
from app.regulations.schemas.helps import HELPS, Help
from app.regulations.schemas.tables import RegulationSchema
from app.text import T

ROW = "[]"
"""Stands for the number of a row in a path: `eligibility[].rule`."""


@dataclass(frozen=True, slots=True)
class AllowedValue:
    """One value a key may have, as it is written, and what it means."""

    value: str
    label: T


@dataclass(frozen=True, slots=True)
class FieldHelp:
    """One key of the document.

    path: `entry.shape`, `eligibility[].rule`, `interpretations[].words.*`. allowed: of a choice, a list of codes, or the keys
    of a map; empty where anything of the kind may stand. least, most: of numbers. takes_option: an interpretation may decide
    the value, written `{ option = "name" }`, or as the bare name where option_by_name. when: where the key exists at all; a
    key may come several times, each with its condition. clause_required: the table, or each of the rows, must name its
    clause. inside: the keys of a table, of each row, or (one, `*`) the values of a map.
    """

    path: str
    key: str
    kind: Kind
    label: T
    help: T
    required: bool
    allowed: tuple[AllowedValue, ...] = ()
    least: int | None = None
    most: int | None = None
    example: str | None = None
    takes_option: bool = False
    option_by_name: bool = False
    when: When | None = None
    clause_required: bool = False
    inside: tuple["FieldHelp", ...] = ()

    def walk(self) -> Iterator["FieldHelp"]:
        """This key and all inside it."""
        yield self
        for each in self.inside:
            yield from each.walk()

    def applies(self, beside: Mapping[str, object]) -> bool:
        """Whether the key exists beside (and around) these values; `format` is the document's `format_of`."""
        return self.when is None or beside.get(self.when.key) in self.when.values


@cache
def describe() -> FieldHelp:
    """The whole document; its `inside` are the parts in the order of the files."""
    return FieldHelp(
        path="",
        key="",
        kind=Kind.TABLE,
        label=HELPS[""].label,
        help=HELPS[""].help,
        required=True,
        inside=_described(RegulationSchema.keys(), ""),
    )


def help_at(path: str | Sequence[str], format_: str | None = None) -> FieldHelp | None:
    """The key at a place of a document, as errors name it (`eligibility.0.rule`) or by its parts (a key may hold a dot);
    None where no such key is known.

    format_: that of the document (`format_of`), for keys that differ by it.
    """
    found: FieldHelp | None = describe()
    parts = path.split(".") if isinstance(path, str) else path
    for part in parts if path else ():
        if found is None:
            return None
        if found.kind is Kind.ROWS and part.isdigit():
            continue
        keys = [each for each in found.inside if each.key in (part, EVERY_KEY)]
        fitting = [
            each
            for each in keys
            if each.when is None or each.when.key != "format" or format_ in each.when.values
        ]
        found = next(iter(fitting or keys), None)
    return found


def _described(keys: Iterable[tuple[str, Checked]], around: str) -> tuple[FieldHelp, ...]:
    return tuple(_field(key, field, f"{around}.{key}".lstrip(".")) for key, field in keys)


def _field(key: str, field: Checked, path: str) -> FieldHelp:
    inside = _described(field.inside(), path + (ROW if field.kind is Kind.ROWS else ""))
    words = _help_of(path, key)
    return FieldHelp(
        path=path,
        key=key,
        kind=field.kind,
        label=words.label,
        help=words.help,
        required=field.required,
        allowed=tuple(AllowedValue(str(value), words_of(path, str(value))) for value in field.allowed),
        least=field.least,
        most=field.most,
        example=field.example,
        takes_option=field.takes_option,
        option_by_name=field.option_by_name,
        when=field.when,
        clause_required=any(each.key == "clause" and each.required for each in inside),
        inside=inside,
    )


def _help_of(path: str, key: str) -> Help:
    """The words of a key: its own, or those of every key of this name."""
    return HELPS[path] if path in HELPS else HELPS[f"..{key}"]

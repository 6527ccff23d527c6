"""The pages of the editor: which parts of a regulation stand on each, every field made from `describe()`.

The names, the help and the choices are those of `schemas.description`; a key that the schema gains is on its page at once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from app.regulations.rules import DOCUMENT_KINDS, DocumentRule, criterion_name
from app.regulations.rules.eligibility import EligibilityRule, listed
from app.regulations.rules.engine_rows import STAGE_NAMES
from app.regulations.rules.texts import Bilingual
from app.regulations.schemas.description import AllowedValue, FieldHelp, describe
from app.regulations.schemas.fields import Kind
from app.regulations.schemas.form.leaves import (
    CLAUSE,
    COUNT,
    DAY,
    EXACT,
    FLAG,
    LONG,
    MOMENT,
    NUMBERS,
    SCALAR,
    TEXT,
    WHOLE,
    Choices,
    Leaf,
    code,
    many,
    order,
)
from app.regulations.schemas.form.nodes import Context, Key, Named, Node, One, Row, Rows, Table
from app.regulations.schemas.form.open_points import Allowed, Readings
from app.text import T

UNTOUCHED = ("format", "version", "game", "timezone")
"""Keys of every document that no page changes."""

IN_ORDER = frozenset({"scoring.seats"})
"""Lists of codes whose order means something."""

ORDERED_ROWS = frozenset({"ranking", "stages"})
"""Lists of rows whose order means something to a reader of a comparison."""

READINGS = Bilingual("解释选项", "Readings")
READINGS_HELP = Bilingual(
    "原文没有写明、有误或互相矛盾之处，各选一种读法；默认的读法已经选好。",
    "Where the text is silent, garbled or contradictory a reading is chosen; the defaults are chosen already.",
)

LONG_TEXTS = frozenset({"notices[].text", "interpretations[].text"})


@dataclass(frozen=True, slots=True)
class Section:
    """One page of the editor."""

    code: str
    title: T
    parts: tuple[str, ...]

    @property
    def keys(self) -> tuple[Key, ...]:
        """The parts of the document that stand on this page."""
        return tuple(_parts()[part] for part in self.parts if part in _parts())


SECTIONS: Mapping[str, Section] = {
    each.code: each
    for each in (
        Section("event", Bilingual("赛事和项目", "Event"), ("id", "name", "event", "entry")),
        Section("calendar", Bilingual("日程", "Calendar"), ("calendar",)),
        Section("eligibility", Bilingual("参赛资格", "Eligibility"), ("eligibility",)),
        Section("documents", Bilingual("参赛材料", "Documents"), ("documents",)),
        Section("registration", Bilingual("报名与名额", "Registration, quotas"), ("registration", "quotas")),
        Section("publication", Bilingual("公示与异议", "Publication, objections"), ("publication", "objections")),
        Section("stages", Bilingual("赛制", "Format"), ("stages", "pairing", "teams")),
        Section("scoring", Bilingual("计分", "Scoring"), ("scoring",)),
        Section("ranking", Bilingual("名次依据", "Ranking"), ("ranking",)),
        Section("penalties", Bilingual("判罚", "Penalties"), ("penalties", "lateness")),
        Section("windows", Bilingual("更正、申诉与费用", "Corrections, appeals, fees"), ("windows", "fees")),
        Section("prizes", Bilingual("奖励", "Prizes"), ("prizes", "rewarded", "points", "grades")),
        Section("notices", Bilingual("其他条文", "Further clauses"), ("notices",)),
        Section("options", READINGS, ("options",)),
        Section("interpretations", Bilingual("解释条目", "Open points"), ("interpretations",)),
    )
}  # fmt: skip


@cache
def _parts() -> Mapping[str, Key]:
    """Every part of a document that a page can change."""
    return {each.key: _key(each) for each in describe().inside if each.key not in UNTOUCHED}


def _key(help_: FieldHelp) -> Key:
    if help_.path == "options":
        return Key(help_.key, READINGS, Readings(), READINGS_HELP, help_.required)
    return Key(help_.key, help_.label, _node(help_), _help(help_), help_.required)


def _help(help_: FieldHelp) -> T | None:
    """What to write there; of a number, between what."""
    if help_.kind in (Kind.CLAUSE, Kind.DAY):
        return None
    if help_.kind is Kind.MOMENT:
        return Bilingual("北京时间。", "Beijing time.")
    if help_.kind is Kind.WHOLE and help_.least is not None and help_.most is not None:
        return T(
            "%(help)s（%(least)s 至 %(most)s）", help=help_.help, least=str(help_.least), most=str(help_.most)
        )
    if help_.example and help_.kind in (Kind.NUMBERS, Kind.POINT_LIST, Kind.SPAN):
        return T("%(help)s例：%(example)s", help=help_.help, example=help_.example)
    return help_.help


def _choices(allowed: Sequence[AllowedValue]) -> Choices:
    return tuple((each.value, each.label) for each in allowed)


def _orders(allowed: Sequence[AllowedValue]) -> Leaf:
    turns = permutations(allowed)
    return order([([each.value for each in turn], listed([each.label for each in turn])) for turn in turns])


def _words(help_: FieldHelp) -> Table:
    leaf = One(LONG if help_.path in LONG_TEXTS else TEXT)
    return Table((Key("zh", Bilingual("中文", "Chinese"), leaf, required=True),
                  Key("en", Bilingual("英文", "English"), leaf, required=True)))  # fmt: skip


LEAVES: Mapping[Kind, Callable[[FieldHelp], Leaf]] = {
    Kind.TEXT: lambda _: TEXT,
    Kind.NAME: lambda _: TEXT,
    Kind.CLAUSE: lambda _: CLAUSE,
    Kind.WHOLE: lambda help_: COUNT if help_.option_by_name else WHOLE,
    Kind.POINTS: lambda _: EXACT,
    Kind.FLAG: lambda _: FLAG,
    Kind.CHOICE: lambda help_: code(_choices(help_.allowed)),
    Kind.CHOICES: lambda help_: (
        _orders(help_.allowed) if help_.path in IN_ORDER else many(_choices(help_.allowed))
    ),
    Kind.NUMBERS: lambda _: NUMBERS,
    Kind.POINT_LIST: lambda _: NUMBERS,
    Kind.SPAN: lambda _: NUMBERS,
    Kind.DAY: lambda _: DAY,
    Kind.MOMENT: lambda _: MOMENT,
    Kind.LIMIT: lambda _: SCALAR,
    Kind.SCALAR: lambda _: SCALAR,
}
"""The field of each kind of single value."""


def _map(help_: FieldHelp) -> Node:
    name = code(_choices(help_.allowed)) if help_.allowed else TEXT
    (value,) = help_.inside
    return Named(name, _node(value), value_label=value.label)


def _node(help_: FieldHelp) -> Node:
    if help_.kind in NODES:
        return NODES[help_.kind](help_)
    leaf = LEAVES[help_.kind](help_)
    return One(leaf.decided() if help_.takes_option and not leaf.bare else leaf)


def _keys(inside: Sequence[FieldHelp]) -> Callable[[Row, Context], Sequence[Key]]:
    """The keys of a table. One whose condition does not hold is shown only where it stands in the document all the same."""
    known = [(each, _key(each)) for each in inside]

    def keys_of(row: Row, context: Context) -> Sequence[Key]:
        beside = context.beside(row)
        found: dict[str, Key] = {}
        for help_, key in known:
            if help_.applies(beside):
                found.setdefault(help_.key, key)
        for help_, key in known:
            hidden = Key(key.key, key.label, key.node, key.help, shown=False)
            found.setdefault(help_.key, hidden)
        return tuple(sorted(found.values(), key=lambda key: key.key == "clause"))

    return keys_of


def _rows(help_: FieldHelp) -> Rows:
    kinds = [each for each in help_.inside if each.kind is Kind.CHOICE and each.required]
    first = kinds[0].key if kinds else None

    def adds(context: Context) -> Choices:
        fitting = [each for each in kinds if each.key == first and each.applies(context.beside({}))]
        return _choices(fitting[0].allowed) if fitting else ()

    return Rows(
        Table(_keys(help_.inside)),
        TITLES.get(help_.path) or _titled(help_.inside),
        by=first,
        adds=adds if first else None,
        ordered=help_.path in ORDERED_ROWS,
    )


NODES: Mapping[Kind, Callable[[FieldHelp], Node]] = {
    Kind.WORDS: _words,
    Kind.TABLE: lambda help_: Table(_keys(help_.inside)),
    Kind.ROWS: _rows,
    Kind.MAP: _map,
    Kind.VALUES: lambda _: Allowed(),
}
"""The shape of each kind of value that has an inside."""


def _titled(inside: Sequence[FieldHelp]) -> Callable[[Row, Context], T]:
    """A row by its own words; else by what it chooses and the numbers it holds."""
    words = next((each.key for each in inside if each.kind is Kind.WORDS), None)
    numbers = [each for each in inside if each.kind in (Kind.WHOLE, Kind.POINTS)]

    def title(row: Row, context: Context) -> T:
        if words is not None and words in row:
            return Bilingual.of(row[words])
        parts = [_meant(each, row) for each in inside if each.kind is Kind.CHOICE and each.key in row]
        parts += [
            T("%(label)s %(number)s", label=each.label, number=str(row[each.key]))
            for each in numbers
            if type(row.get(each.key)) in (int, str)
        ]
        return listed(parts[:4])

    return title


def _meant(help_: FieldHelp, row: Row) -> T:
    value = row[help_.key]
    return next(
        (each.label for each in help_.allowed if each.value == value), Bilingual(str(value), str(value))
    )


def _judged(row: Row, _context: Context) -> T:
    return EligibilityRule.of(row).describe()


def _wanted(row: Row, _context: Context) -> T:
    if type(row.get("within_days")) is int or "text" in row:
        return DocumentRule.of({**row, "clause": ""}).describe()
    return DOCUMENT_KINDS[row["kind"]]


def _open_point(row: Row, _context: Context) -> T:
    return T("%(id)s %(text)s", id=row["id"], text=Bilingual.of(row["text"]))


def _criterion(row: Row, _context: Context) -> T:
    return Bilingual.of(row["label"]) if "label" in row else criterion_name(row["criterion"])


def _stage(row: Row, _context: Context) -> T:
    return STAGE_NAMES.get(row["code"], Bilingual(row["code"], row["code"]))


TITLES: Mapping[str, Callable[[Row, Context], T]] = {
    "eligibility": _judged,
    "documents": _wanted,
    "ranking": _criterion,
    "stages": _stage,
    "interpretations": _open_point,
}
"""Rows that say more in words than their own fields do."""

"""The fields of a regulation document: strict, each saying what it takes.

A number is a whole number (never `1.0` or `true`), a text is not stripped, and nothing is converted: a regulation is
compared exactly. These are plain marshmallow fields, not the base of `app.web`, because the command line checks
files without the web stack.
"""

import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, ClassVar, Self, cast

from marshmallow import RAISE, Schema, ValidationError, fields

from app.text import T

MISSING = T("缺少这一项。")
UNKNOWN_KEY = T("没有这个键。")
"""What is said where the place itself tells no more; `sentences.explained` adds what may stand there."""

UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that are no text: a database or a printed page may refuse them, or they turn what stands around them about."""

CLAUSE = re.compile(r"[^\s\x00-\x1f]{1,40}")


def refuse(text: T) -> ValidationError:
    return ValidationError([text])


def as_written(value: Any) -> str:
    """A value as a sentence quotes it: a text as it is, anything else in JSON, never in Python's notation."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


class Kind(StrEnum):
    """What a value of the document is, for whoever makes a form of it (`schemas.describe`)."""

    TEXT = "text"
    WORDS = "words"  # { zh, en }
    NAME = "name"  # a code of a–z, 0–9, _ or -, as `example` shows
    CLAUSE = "clause"
    WHOLE = "whole"
    POINTS = "points"  # exact, such as 1.5
    FLAG = "flag"
    CHOICE = "choice"
    CHOICES = "choices"  # a list of some of `allowed`
    NUMBERS = "numbers"  # a list of whole numbers
    POINT_LIST = "point_list"  # a list of exact numbers
    SPAN = "span"  # [from, to]
    DAY = "day"
    MOMENT = "moment"
    LIMIT = "limit"  # a whole number or `unlimited`
    SCALAR = "scalar"  # a text or a whole number
    VALUES = "values"  # what an option may take: a list, or { min, max }
    TABLE = "table"
    ROWS = "rows"
    MAP = "map"  # a table whose keys are free, or some of `allowed`; its values are all of one kind


EVERY_KEY = "*"
"""Stands for the keys of a map in the names of what is inside it."""


@dataclass(frozen=True, slots=True)
class When:
    """Where a key may stand: a key beside it or beside its table (`rule`, `criterion`) has one of these values; `format` is
    that of the whole regulation (`engine_tables.format_of`)."""

    key: str
    values: tuple[str, ...]


class Checked(fields.Field[Any]):
    """A required field whose `check` returns None or raises; the value itself stays as it is.

    The attributes say what may stand there: its kind, the values allowed, the least and the most, an example, whether an
    option can decide it (`{ option = "name" }`), and under which condition the key exists.
    """

    kind: Kind = Kind.TEXT
    allowed: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None
    example: str | None = None
    takes_option: bool = False
    option_by_name: bool = False
    """Whether the option stands here as its name alone (`deals = "deals_per_stage"`)."""
    when: When | None = None

    def inside(self) -> Iterable[tuple[str, "Checked"]]:
        """The keys inside, of a table or of each row; a key stands twice where it differs by `when`."""
        return ()

    def only(self, key: str, *values: str) -> Self:
        """The same field, for these values of the key beside it only."""
        narrowed = copy.copy(self)
        narrowed.when = When(key, values)
        return narrowed

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(
            required=required,
            error_messages={
                "required": [MISSING],
                "null": [T("不能为空。")],
            },
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        self.check(value)
        return value

    def check(self, value: Any) -> None:
        """Return None or raise; each kind of field has its own."""
        raise TypeError(f"{type(self).__name__} checks nothing")


class Text(Checked):
    def check(self, value: Any) -> None:
        if not isinstance(value, str) or not value.strip():
            raise refuse(T("应为非空文字。"))
        if UNSEEN.search(value):
            raise refuse(T("含有看不见的控制字符，请重新输入。"))


class Matching(Checked):
    """A text of one shape, with an example of it."""

    kind = Kind.NAME

    def __init__(self, pattern: re.Pattern[str], example: str, *, required: bool = True) -> None:
        super().__init__(required=required)
        self.pattern = pattern
        self.example = example

    def check(self, value: Any) -> None:
        if not isinstance(value, str) or not self.pattern.fullmatch(value):
            raise refuse(T("应写作 %(example)s 这样的文字。", example=self.example))


class Clause(Checked):
    """Where in the source text the row stands."""

    kind = Kind.CLAUSE
    example = "三(三)1"

    def __init__(self) -> None:
        super().__init__()
        self.error_messages["required"] = [T("缺少出处 clause，例如 %(example)s。", example="三(三)1")]

    def check(self, value: Any) -> None:
        if not isinstance(value, str) or not CLAUSE.fullmatch(value):
            raise refuse(T("出处 clause 应为不含空格的文字，例如 %(example)s。", example="三(三)1"))


class Whole(Checked):
    """A whole number in a range; `true` and `1.0` are none."""

    kind = Kind.WHOLE

    def __init__(self, least: int, most: int, *, required: bool = True) -> None:
        super().__init__(required=required)
        self.range = self.least, self.most = least, most

    def check(self, value: Any) -> None:
        least, most = self.range
        if type(value) is not int or not least <= value <= most:
            raise refuse(T("应为 %(least)s 至 %(most)s 的整数。", least=least, most=most))


class Flag(Checked):
    """true or false; nothing else stands for them."""

    kind = Kind.FLAG

    def check(self, value: Any) -> None:
        if type(value) is not bool:
            raise refuse(T("应为 true 或 false。"))


class OneOf(Checked):
    """One of a few codes."""

    kind = Kind.CHOICE

    def __init__(self, allowed: Any, *, required: bool = True) -> None:
        super().__init__(required=required)
        self.allowed = tuple(choice.value if isinstance(choice, StrEnum) else choice for choice in allowed)

    def check(self, value: Any) -> None:
        if not any(type(value) is type(choice) and value == choice for choice in self.allowed):
            raise refuse(
                T("应为以下之一：%(allowed)s。", allowed="、".join(str(choice) for choice in self.allowed))
            )


class SomeOf(Checked):
    """A list of codes, at least one, none twice."""

    kind = Kind.CHOICES

    def __init__(self, allowed: Any, *, required: bool = True) -> None:
        super().__init__(required=required)
        self.allowed = tuple(str(choice) for choice in allowed)

    def check(self, value: Any) -> None:
        good = isinstance(value, list) and value and all(isinstance(each, str) for each in value)
        if not good or not set(value) <= set(self.allowed) or len(set(value)) != len(value):
            raise refuse(T("应为一个列表，从中选取且不重复：%(allowed)s。", allowed="、".join(self.allowed)))


class Day(Checked):
    kind = Kind.DAY
    example = "2003-12-31"

    def check(self, value: Any) -> None:
        try:
            if not isinstance(value, str) or len(value) != len("2003-12-31"):
                raise ValueError
            date.fromisoformat(value)
        except ValueError:
            raise refuse(T("应为日期，例如 %(example)s。", example="2003-12-31")) from None


class OptionOr(Checked):
    """A value, or `{ option = "name" }`: what the interpretation of that name says."""

    def __init__(self, inner: Checked) -> None:
        super().__init__(required=inner.required)
        self.inner = inner
        self.kind, self.allowed, self.example = inner.kind, inner.allowed, inner.example
        self.least, self.most = inner.least, inner.most
        self.takes_option = True

    def check(self, value: Any) -> None:
        if not (isinstance(value, Mapping) and set(value) == {"option"}):
            self.inner.check(value)


class Each(Checked):
    """A non-empty list of rows, each checked by `row`; the error names the row's number.

    schema: that of a row, where there is one for all of them.
    """

    kind = Kind.ROWS

    def __init__(
        self, row: Callable[[Any], None], schema: "type[Strict] | None" = None, *, required: bool = True
    ) -> None:
        super().__init__(required=required)
        self.row = row
        self.schema = schema

    def inside(self) -> Iterable[tuple[str, Checked]]:
        return () if self.schema is None else self.schema.keys()

    def check(self, value: Any) -> None:
        if not isinstance(value, list) or not value:
            raise refuse(T("应为至少一行的列表。"))
        errors: dict[int, Any] = {}
        for index, row in enumerate(value):
            try:
                self.row(row)
            except ValidationError as error:
                errors[index] = error.messages
        if errors:
            raise ValidationError(errors)


class Table(Checked):
    """One table, checked by another schema."""

    def __init__(self, schema: "type[Strict]", *, required: bool = True) -> None:
        super().__init__(required=required)
        self.schema = schema
        self.kind = schema.shown_as

    def inside(self) -> Iterable[tuple[str, Checked]]:
        return () if self.kind is Kind.WORDS else self.schema.keys()

    def check(self, value: Any) -> None:
        self.schema.check(value)


class Strict(Schema):
    """Refuses unknown keys, with sentences for people."""

    shown_as: ClassVar[Kind] = Kind.TABLE

    class Meta:
        unknown = RAISE

    error_messages = {  # noqa: RUF012  # marshmallow merges class attributes
        "unknown": [UNKNOWN_KEY],  # type: ignore[dict-item]  # marshmallow passes any message on
        "type": [T("应为一组键和值。")],  # type: ignore[dict-item]
    }

    @classmethod
    def check(cls, value: Any) -> None:
        cls().load(value)

    @classmethod
    def keys(cls) -> Iterable[tuple[str, Checked]]:
        """Its keys with their fields, in the order they were declared."""
        return [(key, cast("Checked", field)) for key, field in cls._declared_fields.items()]


def rows_of(schema: type[Strict], *, required: bool = True) -> Each:
    """Rows of one schema."""
    return Each(schema.check, schema, required=required)


def schema_of(declared: Mapping[str, Checked]) -> type[Strict]:
    """A schema of keys that are no Python names, or that are computed."""
    return cast("type[Strict]", Strict.from_dict(dict(declared)))


class Words(Strict):
    """A text in both languages."""

    shown_as = Kind.WORDS

    zh = Text()
    en = Text()

"""The fields of a regulation document: strict, each saying what it takes.

A number is a whole number (never `1.0` or `true`), a text is not stripped, and nothing is converted: a regulation is
compared exactly. These are plain marshmallow fields, not the base of `app.web`, because the command line checks
files without the web stack.
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, cast

from marshmallow import RAISE, Schema, ValidationError, fields

from app.text import T

CLAUSE = re.compile(r"[^\s\x00-\x1f]{1,40}")


def refuse(text: T) -> ValidationError:
    return ValidationError([text])


def as_written(value: Any) -> str:
    """A value as a sentence quotes it: a text as it is, anything else in JSON, never in Python's notation."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


class Checked(fields.Field[Any]):
    """A required field whose `check` returns None or raises; the value itself stays as it is."""

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(
            required=required,
            error_messages={
                "required": [T("缺少这一项。")],
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


class Matching(Checked):
    """A text of one shape, with an example of it."""

    def __init__(self, pattern: re.Pattern[str], example: str, *, required: bool = True) -> None:
        super().__init__(required=required)
        self.pattern = pattern
        self.example = example

    def check(self, value: Any) -> None:
        if not isinstance(value, str) or not self.pattern.fullmatch(value):
            raise refuse(T("应写作 %(example)s 这样的文字。", example=self.example))


class Clause(Checked):
    """Where in the source text the row stands."""

    def __init__(self) -> None:
        super().__init__()
        self.error_messages["required"] = [T("缺少出处 clause，例如 %(example)s。", example="三(三)1")]

    def check(self, value: Any) -> None:
        if not isinstance(value, str) or not CLAUSE.fullmatch(value):
            raise refuse(T("出处 clause 应为不含空格的文字，例如 %(example)s。", example="三(三)1"))


class Whole(Checked):
    """A whole number in a range; `true` and `1.0` are none."""

    def __init__(self, least: int, most: int, *, required: bool = True) -> None:
        super().__init__(required=required)
        self.least = least
        self.most = most

    def check(self, value: Any) -> None:
        if type(value) is not int or not self.least <= value <= self.most:
            raise refuse(T("应为 %(least)s 至 %(most)s 的整数。", least=self.least, most=self.most))


class Flag(Checked):
    """true or false; nothing else stands for them."""

    def check(self, value: Any) -> None:
        if type(value) is not bool:
            raise refuse(T("应为 true 或 false。"))


class OneOf(Checked):
    """One of a few codes."""

    def __init__(self, allowed: Any, *, required: bool = True) -> None:
        super().__init__(required=required)
        self.allowed = tuple(allowed)

    def check(self, value: Any) -> None:
        if not any(type(value) is type(choice) and value == choice for choice in self.allowed):
            raise refuse(
                T("应为以下之一：%(allowed)s。", allowed="、".join(str(choice) for choice in self.allowed))
            )


class SomeOf(Checked):
    """A list of codes, at least one, none twice."""

    def __init__(self, allowed: Any) -> None:
        super().__init__()
        self.allowed = tuple(str(choice) for choice in allowed)

    def check(self, value: Any) -> None:
        good = isinstance(value, list) and value and all(isinstance(each, str) for each in value)
        if not good or not set(value) <= set(self.allowed) or len(set(value)) != len(value):
            raise refuse(T("应为一个列表，从中选取且不重复：%(allowed)s。", allowed="、".join(self.allowed)))


class Day(Checked):
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

    def check(self, value: Any) -> None:
        if not (isinstance(value, Mapping) and set(value) == {"option"}):
            self.inner.check(value)


class Each(Checked):
    """A non-empty list of rows, each checked by `row`; the error names the row's number."""

    def __init__(self, row: Callable[[Any], None], *, required: bool = True) -> None:
        super().__init__(required=required)
        self.row = row

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

    def check(self, value: Any) -> None:
        self.schema.check(value)


class Strict(Schema):
    """Refuses unknown keys, with sentences for people."""

    class Meta:
        unknown = RAISE

    error_messages = {  # noqa: RUF012  # marshmallow merges class attributes
        "unknown": [T("没有这个键。")],  # type: ignore[dict-item]  # marshmallow passes any message on
        "type": [T("应为一组键和值。")],  # type: ignore[dict-item]
    }

    @classmethod
    def check(cls, value: Any) -> None:
        cls().load(value)


def schema_of(declared: Mapping[str, Checked]) -> "type[Strict]":
    return cast("type[Strict]", Strict.from_dict(dict(declared)))

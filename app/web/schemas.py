"""The base of every schema: marshmallow with sentences in the reader's language. Imports no Flask.

Features write ``from app.web.schemas import Length, OneOf, Range, Schema, fields``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, ValidationError, pre_load, validate
from marshmallow import Schema as MarshmallowSchema

from app.text import T
from app.web import fields

__all__ = ["Length", "OneOf", "Range", "Schema", "fields"]

MESSAGES: dict[str, T] = {
    "required": T("请填写。"),
    "null": T("请填写。"),
    "validator_failed": T("这个值不可用。"),
    "invalid": T("格式不对。"),
    "invalid_utf8": T("含有不能识别的字符。"),
    "too_large": T("数字太大。"),
    "type": T("格式不对。"),
    "unknown": T("没有这一项。"),
}

INVALID: dict[type[fields.Field[Any]], T] = {
    fields.String: T("应为文字。"),
    fields.Integer: T("应为整数。"),
    fields.Boolean: T("应为是或否。"),
    fields.Date: T("日期应写作 2026-01-31。"),
    fields.DateTime: T("时间应写作 2026-01-31T18:00。"),
    fields.List: T("应为一个列表。"),
    fields.Dict: T("应为一组键和值。"),
}


MOST = 2**31 - 1
"""The largest whole number that every database column of ours takes."""


_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def _no_control_characters(value: str) -> None:
    """Line ends and tabs aside, control characters and lone surrogates come from broken programs.

    PostgreSQL takes no NUL at all, and a lone surrogate has no UTF-8.
    """
    if _CONTROL_CHARACTERS.search(value):
        raise ValidationError([T("含有不能使用的控制字符。")])


class Schema(MarshmallowSchema):
    """Strips text, takes an empty text for a missing one, refuses unknown keys."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": [T("没有这一项。")], "type": [T("应为一组键和值。")]}  # type: ignore[dict-item]  # noqa: RUF012 - marshmallow merges class attributes; a list keeps T whole

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Give each field our sentences, unless the field was declared with its own.

        A schema's fields are made anew for each of its objects, their lists are not: what is put into one stays for as long as the
        process lives. So a list is replaced, and never twice.
        """
        super().on_bind_field(field_name, field_obj)
        if isinstance(field_obj, fields.String):
            if _no_control_characters not in field_obj.validators:
                field_obj.validators = [*field_obj.validators, _no_control_characters]
        elif isinstance(field_obj, fields.Integer) and not field_obj.validators:
            field_obj.validators = [Range(min=-MOST, max=MOST)]
        for key in field_obj.error_messages:
            if isinstance(field_obj.error_messages[key], str) and key in MESSAGES:
                text = MESSAGES[key]
                if key == "invalid":
                    text = next((INVALID[kind] for kind in type(field_obj).__mro__ if kind in INVALID), text)
                field_obj.error_messages[key] = [text]  # a list keeps the T whole

    @pre_load
    def _tidy(self, raw: Any, **_: Any) -> Any:
        if not isinstance(raw, Mapping):
            return raw
        tidy = {key: value.strip() if isinstance(value, str) else value for key, value in raw.items()}
        return {key: value for key, value in tidy.items() if value != ""}


class Length(validate.Length):
    """Length of a text or list, with our sentence."""

    def __call__(self, value: Any) -> Any:
        try:
            return super().__call__(value)
        except ValidationError as error:
            if self.equal is not None:
                raise ValidationError([T("长度应为 %(equal)s。", equal=self.equal)]) from error
            if self.max is None:
                raise ValidationError([T("至少 %(low)s 个。", low=self.min)]) from error
            if not isinstance(value, str):
                raise ValidationError([T("最多 %(high)s 项。", high=self.max)]) from error
            if self.min is None or len(value) > self.max:
                raise ValidationError([T("最多 %(high)s 个字。", high=self.max)]) from error
            raise ValidationError([T("至少 %(low)s 个字。", low=self.min)]) from error


class Range(validate.Range):
    """A number between bounds, with our sentence."""

    def __call__(self, value: Any) -> Any:
        try:
            return super().__call__(value)
        except ValidationError as error:
            if self.max is None:
                raise ValidationError([T("不能小于 %(low)s。", low=self.min)]) from error
            if self.min is None:
                raise ValidationError([T("不能大于 %(high)s。", high=self.max)]) from error
            raise ValidationError(
                [T("应在 %(low)s 到 %(high)s 之间。", low=self.min, high=self.max)]
            ) from error


class OneOf(validate.OneOf):
    """One of a few values, with our sentence."""

    def __call__(self, value: Any) -> Any:
        try:
            return super().__call__(value)
        except ValidationError as error:
            allowed = "、".join(str(choice) for choice in self.choices)
            raise ValidationError([T("应为以下之一：%(allowed)s。", allowed=allowed)]) from error

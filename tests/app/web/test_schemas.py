"""What every schema shares: how it is made, and the characters that no text may have."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from flask import Flask
from marshmallow import ValidationError
from marshmallow.fields import Field

from app.web.schemas import Schema, fields


class Note(Schema):
    text = fields.String()
    number = fields.Integer()


def every_schema(of: type[Schema] = Schema) -> Iterator[type[Schema]]:
    for each in of.__subclasses__():
        yield each
        yield from every_schema(each)


def checks_of(schema: Schema) -> dict[str, tuple[int, int]]:
    def of(field: Field) -> tuple[int, int]:
        return len(field.validators), len(field.error_messages)

    return {name: of(field) for name, field in schema.declared_fields.items()}


def test_a_schema_checks_its_fields_as_often_after_many_requests_as_after_the_first(app: Flask) -> None:
    """Each request makes its schema anew. What one left in a list that the next one shares made the site slower by every sheet."""
    for kind in {each for each in every_schema() if each.__module__.startswith("app.")}:
        first = checks_of(kind())
        for _ in range(3):
            kind()
        assert checks_of(kind()) == first, kind


def test_a_text_has_no_character_that_a_database_refuses() -> None:
    told = Note()
    for number in (*range(0x400), *range(0xD700, 0xE100), 0xFFFE, 0xFFFF, 0x1F004, 0x10FFFF):
        char = chr(number)
        broken = unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\r\t"
        if broken:
            with pytest.raises(ValidationError, match="控制字符"):
                told.load({"text": f"牌{char}桌"})
        else:
            assert told.load({"text": f"牌{char}桌"}) == {"text": f"牌{char}桌"}


@pytest.mark.parametrize("number", [2**31, -(2**31)])
def test_a_number_fits_the_columns(number: int) -> None:
    with pytest.raises(ValidationError):
        Note().load({"number": number})

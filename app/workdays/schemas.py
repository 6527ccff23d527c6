"""A year's days as typed in a text area, or sent as a list."""

from __future__ import annotations

from datetime import date
from typing import Any

from marshmallow import ValidationError

from app.text import T
from app.web.schemas import Length, Range, Schema, fields
from app.workdays.rules import FIRST_YEAR_OF_NOTICES, LAST_YEAR_ACCEPTED, parse_day_lines

MOST_LINES = 120


class DayLines(fields.Field[Any]):
    """One date or range per line: a text, or a list of texts (`2027-01-01..2027-01-03`)."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> frozenset[date]:
        lines = value.splitlines() if isinstance(value, str) else value
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ValidationError([T("应为日期，一行一个。")])
        if len(lines) > MOST_LINES:
            raise ValidationError([T("最多 %(lines)s 行。", lines=MOST_LINES)])
        days, problems = parse_day_lines(lines)
        if problems:
            joined = problems[0]
            for problem in problems[1:]:
                joined = T("%(left)s %(right)s", left=joined, right=problem)
            raise ValidationError([joined])
        return days

    def _serialize(self, value: Any, attr: str | None, obj: Any, **_: Any) -> list[str]:
        return [day.isoformat() for day in value]


class YearDaysSchema(Schema):
    holidays = DayLines(
        required=True,
        metadata={
            "type": "array",
            "items": {"type": "string"},
            "description": "放假: dates or ranges 2027-01-01..2027-01-03",
        },
    )
    makeup_workdays = DayLines(
        load_default=frozenset(),
        metadata={
            "type": "array",
            "items": {"type": "string"},
            "description": "调休上班: Saturdays and Sundays worked",
        },
    )
    source = fields.String(
        required=True, validate=Length(max=200), metadata={"description": "the notice it is copied from"}
    )


class YearFormSchema(YearDaysSchema):
    year = fields.Integer(
        required=True, strict=False, validate=Range(min=FIRST_YEAR_OF_NOTICES, max=LAST_YEAR_ACCEPTED)
    )


class YearSchema(Schema):
    year = fields.Integer()
    kind = fields.String(metadata={"description": "official or entered"})
    holidays = DayLines()
    makeup_workdays = DayLines()
    source = fields.String(allow_none=True)
    entered_at = fields.DateTime(allow_none=True)


class YearsSchema(Schema):
    years = fields.List(fields.Nested(YearSchema))

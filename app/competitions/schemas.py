from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, post_load, validates_schema

from app.actors import Role
from app.competitions.rules import not_plain
from app.regulations.rules import CalendarKey
from app.text import T
from app.web.schemas import Length, OneOf, Schema, fields


class CalendarSchema(Schema):
    """The organiser's own dates. A moment without a zone is Beijing time."""

    notice = fields.String()
    registration_opens = fields.String(metadata={"example": "2026-12-01T09:00"})
    registration_closes = fields.String(metadata={"example": "2026-12-10T18:00"})
    check_in = fields.String(metadata={"example": "2027-01-08"})
    play_from = fields.String()
    play_to = fields.String()
    leave_by = fields.String()

    @post_load
    def _beijing(self, dates: dict[str, str], **_: Any) -> dict[str, str]:
        return {key: _with_zone(value) for key, value in dates.items()}


def _with_zone(written: str) -> str:
    """``2026-12-10T18:00`` as ``2026-12-10T18:00:00+08:00``; a day, or a moment with a zone, as it is."""
    day, mark, clock = written.partition("T")
    if not mark or clock.endswith("Z") or "+" in clock or "-" in clock:
        return written
    return f"{day}T{clock if clock.count(':') == 2 else clock + ':00'}+08:00"


def _plain(text: str) -> None:
    problem = not_plain(text)
    if problem is not None:
        raise ValidationError([problem])


REHEARSAL = "演练: said on every page; its organiser can delete it whole"


class NewCompetitionSchema(Schema):
    regulation = fields.String(
        required=True, validate=Length(max=80), metadata={"description": "id of a shipped regulation 规程"}
    )
    name = fields.String(validate=[Length(min=2, max=100), _plain])
    slug = fields.String(validate=Length(max=60))
    place = fields.String(required=True, validate=[Length(max=100), _plain])
    calendar = fields.Nested(CalendarSchema, load_default=dict)
    options = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True), load_default=dict)
    rehearsal = fields.Boolean(load_default=False, metadata={"description": REHEARSAL})


class PublishDraftSchema(Schema):
    base_revision = fields.Integer(
        required=True, metadata={"description": "the revision of the draft that was read"}
    )
    name = fields.String(validate=[Length(min=2, max=100), _plain])
    slug = fields.String(validate=Length(max=60))
    place = fields.String(required=True, validate=[Length(max=100), _plain])
    rehearsal = fields.Boolean(load_default=False, metadata={"description": REHEARSAL})


class FormCalendarSchema(CalendarSchema):
    """The dates as the page sends them: all are shown, so an emptied one is a slip, not the regulation's own date."""

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _none_emptied(self, _dates: dict[str, str], sent: dict[str, str], **_: Any) -> None:
        emptied = {key: [T("请填写。")] for key, value in sent.items() if value == ""}
        if emptied:
            raise ValidationError(emptied)


class NewCompetitionFormSchema(NewCompetitionSchema):
    name = fields.String(required=True, validate=[Length(min=2, max=100), _plain])
    calendar = fields.Nested(FormCalendarSchema, load_default=dict)


class EventSchema(Schema):
    id = fields.Integer()
    code = fields.String()
    name = fields.String()
    regulation = fields.Function(lambda event: event.regulation.id)
    regulation_version = fields.Integer(attribute="regulation_version_id")
    regulation_sha256 = fields.Function(lambda event: event.regulation.sha256)
    calendar = fields.Function(
        lambda event: {each.key.value: each.at.isoformat() for each in event.regulation.calendar.in_order()}
    )


class CompetitionSchema(Schema):
    id = fields.Integer()
    slug = fields.String()
    name = fields.String()
    place = fields.String()
    rehearsal = fields.Boolean(metadata={"description": REHEARSAL})
    events = fields.List(fields.Nested(EventSchema))


class StaffSchema(Schema):
    phone = fields.String(required=True, validate=Length(max=30))
    role = fields.String(required=True, validate=OneOf([role.value for role in Role]))


class StaffMemberSchema(Schema):
    user_id = fields.Integer()
    phone = fields.String(attribute="phone_masked")
    role = fields.String()


class SearchSchema(Schema):
    search = fields.String(load_default="", validate=Length(max=60))


CALENDAR_KEYS = tuple(key.value for key in CalendarKey)

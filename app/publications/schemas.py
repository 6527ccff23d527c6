from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError

from app.publications.rules import CountedFrom, ListKind, PublicationState, Verdict
from app.text import T
from app.web.i18n import show
from app.web.schemas import MOST, Range, Schema, fields

MOST_LINES = 2000
_BETWEEN = re.compile(r"[\s,，、;；.。]+")


class LineNumbers(fields.Field[Any]):
    """Numbers of lines (序号) as somebody types them: ``3, 17、25``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> tuple[int, ...]:
        parts = [part for part in _BETWEEN.split(str(value)) if part]
        if len(parts) > MOST_LINES or not all(part.isdecimal() and len(part) <= 6 for part in parts):
            raise ValidationError([T("请填写名单上的序号，如 3、17。")])
        return tuple(dict.fromkeys(int(part) for part in parts))


class CorrectionFormSchema(Schema):
    """A corrected list as the committee's form sends it; the rules say what a reason is."""

    reason = fields.String(load_default="")
    lines = LineNumbers(load_default=())


class ListCorrectionSchema(Schema):
    reason = fields.String(
        load_default="",
        metadata={
            "description": "public 公开, at most 500 characters",
            "example": "经复核，一名选手不符合参赛资格。",
        },
    )
    left_out = fields.List(
        fields.Integer(validate=Range(min=1, max=MOST)),
        load_default=(),
        metadata={
            "description": "entries (ids) that lose their approval with it; those no longer approved are left out anyway"
        },
    )


class FinishFormSchema(Schema):
    """A list found final by hand, as the committee's form sends it; the rules say what a reason is."""

    reason = fields.String(load_default="")


class ListFinishSchema(Schema):
    reason = fields.String(
        load_default="",
        metadata={
            "description": "why the rest of the mail is not waited for, for the record; at most 500 characters",
            "example": "邮件服务商停机，已电话确认各单位没有寄出异议。",
        },
    )


class PublicationStatusSchema(Schema):
    state = fields.String(metadata={"enum": [state.value for state in PublicationState]})
    day = fields.Integer(metadata={"description": "day n of the window; 0 before its first day"})
    of = fields.Integer(metadata={"description": "workdays of the window"})
    ends_at = fields.DateTime(metadata={"description": "the first instant after the window"})


class PublicationSchema(Schema):
    """A published list (公示名单) without its lines."""

    number = fields.Integer()
    kind = fields.String(metadata={"enum": [kind.value for kind in ListKind]})
    event = fields.String()
    count = fields.Integer(metadata={"description": "lines of the list"})
    sha256 = fields.String(metadata={"description": "of the canonical JSON, the file at document_url"})
    document_url = fields.String()
    pdf_url = fields.String(metadata={"description": "the list on A4, with room for the seal"})
    published_at = fields.DateTime()
    counted_from = fields.String(metadata={"enum": [each.value for each in CountedFrom]})
    first_day = fields.Date()
    last_day = fields.Date()
    ends_at = fields.DateTime()
    days = fields.List(fields.Date())
    final_at = fields.DateTime(
        allow_none=True, metadata={"description": "when it was found final, and numbers were given"}
    )
    supersedes = fields.Integer(
        allow_none=True, metadata={"description": "number of the list whose place it takes 更正"}
    )
    superseded_by = fields.Integer(
        allow_none=True, metadata={"description": "number of the list that took its place"}
    )
    reason = fields.String(allow_none=True, metadata={"description": "why it took the other's place"})
    warning = fields.Function(
        lambda each: show(each["warning"]) or None,
        metadata={
            "type": "string",
            "nullable": True,
            "description": "that the window ends after play begins",
        },
    )
    status = fields.Nested(PublicationStatusSchema)


class PublishedEntrySchema(Schema):
    number = fields.Integer(metadata={"description": "of the line 序号, kept on corrected lists"})
    entrant = fields.String(metadata={"description": "id in the event file"})
    name = fields.String()
    unit = fields.String()
    competition_number = fields.Integer(
        allow_none=True, metadata={"description": "参赛号, once the list is final"}
    )


class AddedEntrySchema(Schema):
    """Whoever plays beside those on the lists, by a granted application (变更申请)."""

    entrant = fields.Function(lambda entry: f"e{entry.entry_id}", metadata={"type": "string"})
    name = fields.String()
    unit = fields.String(attribute="unit_name")


class ListLineSchema(Schema):
    number = fields.Integer()
    entrant = fields.Function(lambda line: f"e{line.entry_id}", metadata={"type": "string"})
    name = fields.String()
    unit = fields.String()


class ChangedListLineSchema(Schema):
    before = fields.Nested(ListLineSchema)
    after = fields.Nested(ListLineSchema)


class ListDifferenceSchema(Schema):
    """What a corrected list says differently from the one before it, line by line."""

    left_out = fields.List(fields.Nested(ListLineSchema))
    changed = fields.List(fields.Nested(ChangedListLineSchema))


class PublicationListSchema(PublicationSchema):
    """A published list with its lines."""

    entries = fields.List(fields.Nested(PublishedEntrySchema))
    added = fields.List(
        fields.Nested(AddedEntrySchema),
        metadata={
            "description": "of a list in force: who came later, under a text that does not publish changes again"
        },
    )
    difference = fields.Nested(
        ListDifferenceSchema, allow_none=True, metadata={"description": "of a corrected list"}
    )


class ListVerifiedSchema(Schema):
    """What a fingerprint from a printed list is."""

    verdict = fields.String(metadata={"enum": [verdict.value for verdict in Verdict]})
    number = fields.Integer(metadata={"description": "the list that was asked about"})
    found = fields.Integer(allow_none=True, metadata={"description": "the list that has this fingerprint"})
    superseded_by = fields.Integer(allow_none=True)


class ListFingerprintSchema(Schema):
    sha = fields.String(required=True, metadata={"description": "SHA-256, 64 hexadecimal digits"})


class CompetitionNumberSchema(Schema):
    number = fields.Integer(metadata={"description": "参赛号: given once, kept, never given again"})
    entrant = fields.String(metadata={"description": "id in the event file"})
    name = fields.String()
    unit = fields.String()


class UnlistedEntrySchema(Schema):
    entry_id = fields.Integer()
    name = fields.String()
    unit = fields.String(attribute="unit_name")


class StaleListSchema(Schema):
    number = fields.Integer()
    difference = fields.Nested(ListDifferenceSchema)


class ListPlanSchema(Schema):
    """What the lists in force do not say yet."""

    lists = fields.List(fields.Integer(), metadata={"description": "numbers of the lists in force"})
    unlisted = fields.List(
        fields.Nested(UnlistedEntrySchema),
        metadata={"description": "approved, and on no list: for a supplement 补充公示"},
    )
    added = fields.List(
        fields.Nested(UnlistedEntrySchema),
        metadata={"description": "approved, and no list is needed: the text does not publish changes again"},
    )
    stale = fields.List(
        fields.Nested(StaleListSchema),
        metadata={"description": "lists that a corrected one should replace 更正"},
    )

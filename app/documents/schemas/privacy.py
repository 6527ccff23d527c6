"""Shapes of what is kept of a person and for how long: holds, purge reports."""

from __future__ import annotations

from app.documents.rules.privacy import LONGEST_ANSWER
from app.registrations.rules.purging import LONGEST_REASON, REASON_MISSING
from app.web.schemas import MOST, Length, Range, Schema, fields


class PurgeHoldSchema(Schema):
    """Why a purge is held back, and through which day (Beijing)."""

    reason = fields.String(
        required=True, validate=Length(max=LONGEST_REASON), error_messages={"required": [REASON_MISSING]}
    )
    until = fields.Date(required=True)


class PurgeReportLineSchema(Schema):
    """One report of a purge."""

    id = fields.Integer()
    made_at = fields.DateTime()
    files = fields.Integer(metadata={"description": "how many files were deleted"})
    public_key = fields.String()


class PurgeSchema(Schema):
    """When everything of members is deleted here, what holds it back, and the reports of what was."""

    purge_days = fields.Integer(metadata={"description": "whole days after the last day of play"})
    purge_day = fields.Date()
    hold = fields.Nested(PurgeHoldSchema, allow_none=True)
    open_objections = fields.Integer(
        metadata={"description": "cases that nobody decided yet: a reason to hold it back"}
    )
    reports = fields.List(fields.Nested(PurgeReportLineSchema))


class SignedReportSchema(Schema):
    """A report as it is downloaded: ``saishi documents verify-report`` checks it."""

    report = fields.Dict()
    signature = fields.String()
    public_key = fields.String()


class KeptDocumentSchema(Schema):
    """A document that is kept of a member."""

    id = fields.Integer()
    kind = fields.String()
    state = fields.String()
    handed_in_at = fields.DateTime()
    pages = fields.Integer()


class AccessSchema(Schema):
    """One line of an access log: when, in which role (``committee``, ``leader`` or, of the purge, ``system``), what of which document."""

    at = fields.DateTime()
    role = fields.String()
    action = fields.String()
    kind = fields.String(
        allow_none=True, metadata={"description": "kind of the document; null for ID number and phone"}
    )
    revision = fields.Integer(allow_none=True)
    page = fields.Integer(allow_none=True)
    picture = fields.String(allow_none=True)


class DeletionRequestSchema(Schema):
    """A request to delete; ``kind`` of the document, null for everything of the member."""

    id = fields.Integer()
    member_id = fields.Integer(
        allow_none=True, metadata={"description": "null for a document of the unit itself"}
    )
    unit_id = fields.Integer()
    name = fields.String()
    unit_name = fields.String()
    kind = fields.String(allow_none=True)
    state = fields.String()
    asked_at = fields.DateTime()
    answer_by = fields.Date(metadata={"description": "15 working days after it was asked"})
    answer = fields.String(allow_none=True)
    answered_at = fields.DateTime(allow_none=True)


class HeldMemberSchema(Schema):
    """What is held of a member; the copy has it in full."""

    id = fields.Integer()
    name = fields.String()
    id_number = fields.String(allow_none=True, metadata={"description": "masked; null once deleted"})
    phone = fields.String(allow_none=True, metadata={"description": "masked; null once deleted"})
    documents = fields.List(fields.Nested(KeptDocumentSchema))
    access_log = fields.List(fields.Nested(AccessSchema))
    deletion_requests = fields.List(fields.Nested(DeletionRequestSchema))


class HeldUnitSchema(Schema):
    """What is held of a unit itself, beside its members; the copy has it in full."""

    id = fields.Integer()
    name = fields.String()
    contact_name = fields.String(allow_none=True)
    contact_phone = fields.String(allow_none=True, metadata={"description": "masked; null once deleted"})
    documents = fields.List(fields.Nested(KeptDocumentSchema))
    access_log = fields.List(fields.Nested(AccessSchema))
    deletion_requests = fields.List(fields.Nested(DeletionRequestSchema))


class DeletionSchema(Schema):
    """What is to be deleted: one document, or everything of the member where none is named."""

    document_id = fields.Integer(load_default=None, validate=Range(min=1, max=MOST))


class UnitDeletionSchema(Schema):
    """Which document of the unit itself is to be deleted."""

    document_id = fields.Integer(required=True, validate=Range(min=1, max=MOST))


class DeletionAnsweredSchema(Schema):
    """``at_once``: it is gone. ``asked``: the committee answers."""

    answer = fields.String()


class DeletionAnswerSchema(Schema):
    """The committee's answer; a refusal needs a reason."""

    grant = fields.Boolean(required=True)
    reason = fields.String(load_default="", validate=Length(max=LONGEST_ANSWER))

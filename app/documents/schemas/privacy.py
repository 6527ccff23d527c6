"""Shapes of what is kept of a person and for how long: holds, purge reports."""

from __future__ import annotations

from app.registrations.rules.purging import LONGEST_REASON
from app.web.schemas import Length, Schema, fields


class PurgeHoldSchema(Schema):
    """Why a purge is held back, and through which day (Beijing)."""

    reason = fields.String(load_default="", validate=Length(max=LONGEST_REASON))
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
    reports = fields.List(fields.Nested(PurgeReportLineSchema))


class SignedReportSchema(Schema):
    """A report as it is downloaded: ``saishi documents verify-report`` checks it."""

    report = fields.Dict()
    signature = fields.String()
    public_key = fields.String()

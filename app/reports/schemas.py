from __future__ import annotations

from app.web.schemas import Schema, fields


class ReportRowSchema(Schema):
    kind = fields.String(
        metadata={"description": "digest, list_published, entry_decided, round_results or final_report"}
    )
    name = fields.String()
    occasion = fields.String(
        metadata={"description": "what it tells of; the same occasion is told to each reader once"}
    )
    about = fields.String(allow_none=True, metadata={"description": "which list, round or day, in words"})
    event = fields.String(attribute="event_name", allow_none=True)
    at = fields.AwareDateTime(format="iso")
    readers = fields.Integer(metadata={"description": "how many were told, or could not be reached"})
    letters = fields.Integer(metadata={"description": "how many letters were written"})
    sent = fields.Integer()
    failed = fields.Integer()
    bounced = fields.Integer(metadata={"description": "came back after they were sent"})


class ReportsSchema(Schema):
    reports = fields.List(fields.Nested(ReportRowSchema))
    over = fields.Boolean(metadata={"description": "the event is over: the final report can be downloaded"})


class SentSchema(Schema):
    letters = fields.Integer(metadata={"description": "how many letters were written now"})

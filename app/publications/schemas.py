from __future__ import annotations

from app.web.schemas import Schema, fields


class PublicationStatusSchema(Schema):
    state = fields.String(metadata={"enum": ["running", "final"]})
    day = fields.Integer(metadata={"description": "day n of the window; 0 before its first day"})
    of = fields.Integer(metadata={"description": "workdays of the window"})
    ends_at = fields.DateTime(metadata={"description": "the first instant after the window"})


class PublicationSchema(Schema):
    """A published list (公示名单) without its lines."""

    number = fields.Integer()
    event = fields.String()
    count = fields.Integer(metadata={"description": "lines of the list"})
    sha256 = fields.String(metadata={"description": "of the canonical JSON, the file at document_url"})
    document_url = fields.String()
    published_at = fields.DateTime()
    counted_from = fields.String(metadata={"enum": ["deadline", "publication"]})
    first_day = fields.Date()
    last_day = fields.Date()
    ends_at = fields.DateTime()
    days = fields.List(fields.Date())
    status = fields.Nested(PublicationStatusSchema)


class PublishedEntrySchema(Schema):
    number = fields.Integer()
    entrant = fields.String(metadata={"description": "id in the event file"})
    name = fields.String()
    unit = fields.String()


class PublicationListSchema(PublicationSchema):
    """A published list with its lines."""

    entries = fields.List(fields.Nested(PublishedEntrySchema))

"""What the API answers about shipped regulations."""

from __future__ import annotations

from app.web.schemas import Schema, fields


class BilingualSchema(Schema):
    zh = fields.String()
    en = fields.String()


class ShippedSchema(Schema):
    id = fields.String()
    game = fields.String(metadata={"description": "landlord (竞技二打一) …"})
    season = fields.Integer()
    name = fields.Nested(BilingualSchema)
    event = fields.Nested(BilingualSchema)
    sha256 = fields.String(metadata={"description": "of the canonical JSON of the document"})


class ShippedListSchema(Schema):
    regulations = fields.List(fields.Nested(ShippedSchema))


class ShippedDocumentSchema(ShippedSchema):
    document = fields.Dict(metadata={"description": "the whole regulation, as an event file may carry it"})

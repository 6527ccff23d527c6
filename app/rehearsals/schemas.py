from __future__ import annotations

from app.web.schemas import Length, Schema, fields


class ConfirmedSchema(Schema):
    name = fields.String(
        required=True,
        validate=Length(max=100),
        metadata={"description": "the name of the competition, typed to confirm that everything of it goes"},
    )


class DeletedSchema(Schema):
    rows = fields.Integer(metadata={"description": "how many rows were deleted"})
    files = fields.Integer(metadata={"description": "how many files were deleted"})

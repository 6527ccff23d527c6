from __future__ import annotations

from app.documents.rules.undertaking import LANGUAGES, MOST_LETTERS
from app.web.schemas import Length, OneOf, Schema, fields

TEXT_MOST = 20_000


class SignSchema(Schema):
    """A signature, and the text it stands under as it was shown."""

    idempotency_key = fields.String(
        required=True,
        validate=Length(min=8, max=64),
        metadata={"description": "made once per signing; sent again it changes nothing"},
    )
    language = fields.String(required=True, validate=OneOf(list(LANGUAGES)))
    text = fields.String(
        required=True,
        validate=Length(max=TEXT_MOST),
        metadata={"description": "the text that was on the screen, word for word"},
    )
    strokes = fields.String(
        load_default="",
        validate=Length(max=4 * MOST_LETTERS),
        metadata={
            "description": "JSON: a list of strokes, each a list of [x, y], 0 ≤ x ≤ 1000, 0 ≤ y ≤ 400",
            "example": "[[[100,200],[400,120],[700,300]]]",
        },
    )


class UndertakingSchema(Schema):
    """What a member signs."""

    name = fields.String()
    language = fields.String()
    text = fields.String()
    sha256 = fields.String(metadata={"description": "of the text in UTF-8; the signature is bound to it"})
    open = fields.Boolean(metadata={"description": "whether it may be signed now"})
    signed = fields.Boolean(metadata={"description": "whether a signature under this very text is here"})
    signed_at = fields.DateTime(allow_none=True)


class SigningLinkSchema(Schema):
    """A link by which the member signs on his own phone, without signing in."""

    address = fields.String()
    until = fields.DateTime()


class VerifiedSchema(Schema):
    """What anybody may know of a fingerprint; ``known`` false: no text with it was signed here."""

    known = fields.Boolean()
    competition = fields.String(allow_none=True)
    slug = fields.String(allow_none=True)
    signed_on = fields.Date(allow_none=True, metadata={"description": "the day in Beijing"})
    sha256 = fields.String(allow_none=True, metadata={"description": "of the signed text"})
    newest = fields.Boolean(
        allow_none=True, metadata={"description": "whether nothing was signed after it, nor it withdrawn"}
    )
    returned = fields.Boolean(
        allow_none=True, metadata={"description": "whether the committee turned it down or asked for another"}
    )

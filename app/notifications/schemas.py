from __future__ import annotations

from app.notifications.letters import LANGUAGES
from app.notifications.rules import MessageState
from app.web.schemas import Length, OneOf, Range, Schema, fields


class OutboxQuerySchema(Schema):
    state = fields.String(validate=OneOf([state.value for state in MessageState]))
    before = fields.Integer(
        validate=Range(min=1, max=2**31 - 1), metadata={"description": "id; older messages only"}
    )


class ChoiceSchema(Schema):
    """What stands in the form of the page; a mail program's one click sends its own word instead (RFC 8058)."""

    choice = fields.String(load_default="stop", validate=OneOf(["stop", "resume"]))


class MailChoiceSchema(Schema):
    token = fields.String(
        required=True,
        validate=Length(max=400),
        metadata={"description": "the last part of the link in the letter"},
    )
    choice = fields.String(required=True, validate=OneOf(["stop", "resume"]))


class LanguageSchema(Schema):
    language = fields.String(required=True, validate=OneOf(LANGUAGES))


class OutboxRowSchema(Schema):
    id = fields.Integer()
    kind = fields.String()
    name = fields.String()
    channel = fields.String(metadata={"description": "email or sms"})
    recipient = fields.String(metadata={"description": "masked"})
    language = fields.String()
    state = fields.String(metadata={"description": "queued, sending, sent or failed"})
    queued_at = fields.AwareDateTime(format="iso")
    sent_at = fields.AwareDateTime(format="iso", allow_none=True)
    tries = fields.Integer()
    max_tries = fields.Integer()
    next_try_at = fields.AwareDateTime(format="iso", allow_none=True)
    uncertain = fields.Boolean(metadata={"description": "an earlier try may have arrived; repeats say so"})
    reason = fields.String(allow_none=True, metadata={"description": "why it has not left, or came back"})
    bounced_at = fields.AwareDateTime(format="iso", allow_none=True)
    files = fields.Integer(metadata={"description": "how many files go with it"})


class OutboxSchema(Schema):
    counts = fields.Dict(keys=fields.String(), values=fields.Integer(), metadata={"description": "by state"})
    messages = fields.List(fields.Nested(OutboxRowSchema))


class LetterKindSchema(Schema):
    kind = fields.String()
    name = fields.String()
    audience = fields.String(metadata={"description": "who receives it"})
    essential = fields.Boolean(metadata={"description": "true: cannot be unsubscribed from"})


class LetterKindsSchema(Schema):
    kinds = fields.List(fields.Nested(LetterKindSchema))


class RenderedSchema(Schema):
    subject = fields.String()
    text = fields.String()
    html = fields.String()

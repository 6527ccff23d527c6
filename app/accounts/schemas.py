from __future__ import annotations

from app.notifications.letters import LANGUAGES
from app.web.schemas import Length, OneOf, Schema, fields


class PhoneSchema(Schema):
    phone = fields.String(required=True, validate=Length(max=30), metadata={"description": "11 位手机号"})


class SignInSchema(PhoneSchema):
    code = fields.String(required=True, validate=Length(max=12), metadata={"description": "6 位验证码"})


class CodeSentSchema(Schema):
    expires_in = fields.Integer(metadata={"description": "seconds"})
    code = fields.String(metadata={"description": "only in the demonstration"})


class SessionSchema(Schema):
    token = fields.String(metadata={"description": "send as Authorization: Bearer …"})
    user_id = fields.Integer()
    expires_in = fields.Integer(metadata={"description": "seconds"})


class EmailSchema(Schema):
    email = fields.String(required=True, validate=Length(max=254), metadata={"description": "邮箱地址"})


class ConfirmationSchema(Schema):
    token = fields.String(
        required=True,
        validate=Length(max=400),
        metadata={"description": "the last part of the link in the letter"},
    )


class LettersChoiceSchema(Schema):
    language = fields.String(
        required=True, validate=OneOf(LANGUAGES), metadata={"description": "in which letters are written"}
    )
    optional = fields.Boolean(
        required=True, metadata={"description": "whether letters one can do without are sent (false: 退订)"}
    )


class MailSettingsSchema(Schema):
    email = fields.String(allow_none=True)
    confirmed = fields.Boolean(metadata={"description": "letters go there; until then text messages"})
    returned = fields.Boolean(metadata={"description": "what was sent there came back (退信)"})
    language = fields.String()
    optional = fields.Boolean()

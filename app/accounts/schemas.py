from __future__ import annotations

from app.web.schemas import Length, Schema, fields


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

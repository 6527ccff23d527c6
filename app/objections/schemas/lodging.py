from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.objections.rules.lodging import LONGEST_NAME, LONGEST_TEXT, MOST_ENTRIES
from app.objections.rules.states import CaseState, Requirement
from app.objections.service import Files
from app.web.schemas import MOST, Length, Range, Schema, fields

TOKENS_MOST = 20


def tokens(description: str) -> fields.List:
    return fields.List(
        fields.String(validate=Length(max=64)),
        load_default=list,
        validate=Length(max=TOKENS_MOST),
        metadata={"description": description},
    )


def key() -> fields.String:
    return fields.String(
        required=True,
        validate=Length(min=8, max=64),
        metadata={"description": "made once per form; sent again it changes nothing"},
    )


class _FilesSchema(Schema):
    letters = tokens("tokens of ready uploads of the purpose letter: the letter with the seal")
    evidence = tokens("tokens of ready uploads of the purpose evidence")

    @post_load
    def _files(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return loaded | {"files": Files(loaded.pop("letters"), loaded.pop("evidence"))}


class NewObjectionSchema(_FilesSchema):
    """An objection as it is sent in. ``rules`` say what is wrong with its texts, at once and beside the field."""

    list_number = fields.Integer(
        data_key="list",
        load_default=None,
        validate=Range(min=1, max=MOST),
        metadata={"description": "number of the list that was read; left out: the one the entries stand on"},
    )
    entries = fields.List(
        fields.Integer(validate=Range(min=1, max=MOST)),
        load_default=list,
        validate=Length(max=MOST_ENTRIES),
        metadata={"description": "entries objected to: 12 for the entrant e12 of the list"},
    )
    text = fields.String(load_default="", metadata={"description": f"at most {LONGEST_TEXT} characters"})
    reporter_name = fields.String(
        load_default="",
        metadata={"description": f"the real name, for the committee only; 2 to {LONGEST_NAME} characters"},
    )
    idempotency_key = key()


class ObjectionAdditionSchema(_FilesSchema):
    """What is added to an objection: a letter, evidence, or words."""

    text = fields.String(load_default="", validate=Length(max=LONGEST_TEXT))
    idempotency_key = key()


class ObjectionWithdrawalSchema(Schema):
    reason = fields.String(load_default="", validate=Length(max=500))


class HearingAnswerSchema(Schema):
    text = fields.String(load_default="")
    evidence = tokens("tokens of ready uploads of the purpose evidence")


class ObjectionFileSchema(Schema):
    id = fields.Integer()
    role = fields.String(metadata={"enum": ["letter", "evidence", "attached", "answer"]})
    pages = fields.Integer(metadata={"description": "0 while it is checked"})


class ReceiptStepSchema(Schema):
    at = fields.DateTime()
    kind = fields.String()
    text = fields.String(allow_none=True)
    unverified = fields.Boolean(
        metadata={"description": "by mail under the reporter's address, which anybody can write"}
    )


class ObjectionReceiptSchema(Schema):
    """An objection as whoever lodged it reads it."""

    number = fields.String(metadata={"example": "YY2021-0003"})
    token = fields.String(metadata={"description": "its address; keep it"})
    state = fields.String(metadata={"enum": [each.value for each in CaseState]})
    lacking = fields.List(fields.String(metadata={"enum": [each.value for each in Requirement]}))
    clause = fields.String(allow_none=True)
    received_at = fields.DateTime()
    due_at = fields.DateTime(allow_none=True)
    complete_until = fields.DateTime(
        allow_none=True, metadata={"description": "what is lacking may be added before this instant"}
    )
    entries = fields.List(fields.String(), attribute="names")
    steps = fields.List(fields.Nested(ReceiptStepSchema))
    files = fields.List(fields.Nested(ObjectionFileSchema))
    decision = fields.String(allow_none=True)
    decided_at = fields.DateTime(allow_none=True)
    new_list = fields.Integer(allow_none=True, metadata={"description": "the corrected list"})


class HearingSchema(Schema):
    """A question to a unit whose entry is objected to. Who objected is not said."""

    id = fields.Integer()
    number = fields.String()
    entries = fields.List(fields.String(), attribute="names")
    question = fields.String()
    asked_at = fields.DateTime()
    due_at = fields.DateTime()
    answer = fields.String(allow_none=True)
    answered_at = fields.DateTime(allow_none=True)
    open = fields.Boolean(metadata={"description": "an answer is taken"})
    files = fields.List(fields.Nested(ObjectionFileSchema))
    decision = fields.String(allow_none=True)
    new_list = fields.Integer(allow_none=True)


class PublicOutcomeSchema(Schema):
    """A decided objection as the public reads it: no names."""

    number = fields.String()
    upheld = fields.Boolean()
    decided_at = fields.DateTime()
    summary = fields.String()
    new_list = fields.Integer(allow_none=True)

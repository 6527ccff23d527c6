from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.appeals.rules import AppealState, FeeKind, StepKind, Subject
from app.appeals.rules.handling import LONGEST_TEXT
from app.appeals.rules.states import Paper
from app.appeals.service import Matter
from app.text import BEIJING
from app.web.schemas import MOST, Length, OneOf, Range, Schema, fields

TOKENS_MOST = 20


def evidence() -> fields.List:
    return fields.List(
        fields.String(validate=Length(max=64)),
        load_default=list,
        validate=Length(max=TOKENS_MOST),
        metadata={"description": "tokens of ready uploads of the purpose evidence"},
    )


def key() -> fields.String:
    return fields.String(
        required=True,
        validate=Length(min=8, max=64),
        metadata={"description": "made once per form; sent again it changes nothing"},
    )


def moment(description: str, **options: Any) -> fields.AwareDateTime:
    return fields.AwareDateTime(
        default_timezone=BEIJING,
        metadata={"description": f"{description}; without a zone: Beijing time"},
        **options,
    )


class MatterSchema(Schema):
    """Who appeals against what, in which round."""

    stage = fields.String(required=True, validate=Length(max=20))
    round_number = fields.Integer(data_key="round", required=True, validate=Range(min=1, max=MOST))
    entry_id = fields.Integer(required=True, validate=Range(min=1, max=MOST))
    subject = fields.String(required=True, validate=OneOf([each.value for each in Subject]))
    ruling_id = fields.Integer(
        load_default=None,
        validate=Range(min=1, max=MOST),
        metadata={"description": "the penalty that is appealed against, where it is one"},
    )

    @post_load
    def _matter(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        matter = Matter(
            loaded.pop("stage"),
            loaded.pop("round_number"),
            loaded.pop("entry_id"),
            Subject(loaded.pop("subject")),
            loaded.pop("ruling_id"),
        )
        return loaded | {"matter": matter}


class NewAppealSchema(MatterSchema):
    """A written appeal. ``rules`` say what is wrong with its text, at once and beside the field."""

    text = fields.String(required=True, metadata={"description": f"at most {LONGEST_TEXT} characters"})
    oral_at = moment("when the oral appeal was made, where it is not logged", load_default=None)
    evidence = evidence()
    idempotency_key = key()


class CardAppealSchema(Schema):
    """A written appeal by the holder of a player's card, which says who appeals."""

    stage = fields.String(required=True, validate=Length(max=20))
    round_number = fields.Integer(data_key="round", required=True, validate=Range(min=1, max=MOST))
    subject = fields.String(required=True, validate=OneOf([each.value for each in Subject]))
    ruling_id = fields.Integer(load_default=None, validate=Range(min=1, max=MOST))
    text = fields.String(required=True)
    oral_at = moment("when the oral appeal was made, where it is not logged", load_default=None)
    idempotency_key = key()


class WrittenAppealSchema(Schema):
    """The written appeal to an oral one that was logged."""

    text = fields.String(required=True)
    evidence = evidence()
    idempotency_key = key()


class AppealAdditionSchema(Schema):
    text = fields.String(load_default="", validate=Length(max=LONGEST_TEXT))
    evidence = evidence()


class AppealWithdrawalSchema(Schema):
    reason = fields.String(load_default="", validate=Length(max=500))


class AppealPaperSchema(Schema):
    id = fields.Integer()
    role = fields.String(metadata={"enum": [each.value for each in Paper]})
    pages = fields.Integer(metadata={"description": "0 while it is checked"})


class AppealReceiptStepSchema(Schema):
    at = fields.DateTime()
    kind = fields.String(metadata={"enum": [each.value for each in StepKind]})
    text = fields.String(allow_none=True)


class FeeLineSchema(Schema):
    """One entry of the ledger of fees; amounts in fen (分)."""

    number = fields.String(metadata={"example": "SJ2021-1-0003"})
    appeal = fields.String()
    kind = fields.String(metadata={"enum": [each.value for each in FeeKind]})
    amount = fields.Integer()
    way = fields.String()
    at = fields.DateTime()
    reverses = fields.String(allow_none=True)
    reversed_by = fields.String(allow_none=True)


class AppealReceiptSchema(Schema):
    """An appeal as its receipt shows it; texts only for who appeals."""

    number = fields.String(metadata={"example": "SS2021-0003"})
    token = fields.String(metadata={"description": "its address; keep it"})
    state = fields.String(metadata={"enum": [each.value for each in AppealState]})
    subject = fields.String(metadata={"enum": [each.value for each in Subject]})
    stage = fields.String()
    round = fields.Integer()
    table = fields.Integer(allow_none=True)
    entry_id = fields.Integer()
    oral_at = fields.DateTime(allow_none=True)
    oral_until = fields.DateTime(allow_none=True)
    written_at = fields.DateTime(allow_none=True)
    written_until = fields.DateTime(
        allow_none=True, metadata={"description": "the second that begins here is the last in time"}
    )
    hearing_at = fields.DateTime(allow_none=True)
    hearing_place = fields.String(allow_none=True)
    fee_received = fields.Integer(metadata={"description": "in fen"})
    fee_held = fields.Integer(metadata={"description": "in fen"})
    decided_at = fields.DateTime(allow_none=True)
    decision = fields.String(allow_none=True)
    summary = fields.String(allow_none=True)
    text = fields.String(allow_none=True)
    papers = fields.List(fields.Nested(AppealPaperSchema))
    steps = fields.List(fields.Nested(AppealReceiptStepSchema))
    fees = fields.List(fields.Nested(FeeLineSchema))
    pending = fields.Boolean(
        metadata={
            "description": "the evidence was still being checked: the appeal counts, add the files again"
        }
    )


class AppealClockSchema(Schema):
    """The clocks of a round's appeals."""

    stage = fields.String()
    round = fields.Integer()
    ended_at = fields.DateTime(allow_none=True)
    oral_until = fields.DateTime(allow_none=True)
    written_until = fields.DateTime(allow_none=True)
    fee = fields.Integer(metadata={"description": "in fen; 0 where it is free"})
    clause = fields.String()


class PublicAppealSchema(Schema):
    """A decided appeal as the public reads it: no names."""

    number = fields.String()
    upheld = fields.Boolean()
    decided_at = fields.DateTime()
    summary = fields.String()

from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.appeals.rules import AppealState, Correction, Decision, FeeWay, Subject
from app.appeals.rules.handling import Interest
from app.appeals.rules.states import PAID_BY
from app.appeals.schemas.lodging import (
    AppealPaperSchema,
    AppealReceiptStepSchema,
    FeeLineSchema,
    MatterSchema,
    evidence,
    key,
    moment,
)
from app.web.schemas import MOST, Length, OneOf, Range, Schema, fields


class OralAppealSchema(MatterSchema):
    """An oral appeal, as the clerk logs it."""

    said_at = moment("when it was said", required=True)
    text = fields.String(load_default="")
    idempotency_key = key()


class PaperAppealSchema(Schema):
    """A written appeal on paper, as the clerk takes it in."""

    handed_at = moment("when it was handed over", required=True)
    text = fields.String(load_default="")
    papers = evidence()


class AppealActSchema(Schema):
    """Names the state of the appeal that was looked at."""

    revision = fields.Integer(
        required=True,
        validate=Range(min=1, max=MOST),
        metadata={"description": "the revision that was looked at; a newer one is a conflict"},
    )


class AppealHearingSchema(AppealActSchema):
    at = moment("when both sides are heard", required=True)
    place = fields.String(required=True)


class AppealMinutesSchema(AppealActSchema):
    minutes = fields.String(required=True)


class AppealRefusalSchema(AppealActSchema):
    reason = fields.String(required=True)


class AppealRecusalSchema(Schema):
    reason = fields.String(required=True)


class AppealCorrectionSchema(Schema):
    """The sheet as it shall be: an earlier revision, or deals and outcome as the sheet of the game takes them."""

    revision = fields.Integer(load_default=None, validate=Range(min=1, max=MOST))
    deals = fields.List(fields.Dict(), load_default=list, validate=Length(max=200))
    outcome = fields.Dict(load_default=None)

    @post_load
    def _correction(self, loaded: dict[str, Any], **_: Any) -> Correction:
        return Correction(loaded["revision"], tuple(loaded["deals"]), loaded["outcome"])


class EffectRequestSchema(Schema):
    """A decision whose effect is asked for, before it is made."""

    correction = fields.Nested(AppealCorrectionSchema, load_default=None)
    withdrawn = fields.List(
        fields.Integer(validate=Range(min=1, max=MOST)), load_default=list, validate=Length(max=50)
    )


class AppealDecisionSchema(AppealActSchema):
    """裁定: reasons for both sides, a summary without names for the public, and what follows where it is upheld."""

    upheld = fields.Boolean(required=True)
    reasons = fields.String(required=True)
    summary = fields.String(required=True)
    correction = fields.Nested(AppealCorrectionSchema, load_default=None)
    withdrawn = fields.List(
        fields.Integer(validate=Range(min=1, max=MOST)),
        load_default=list,
        validate=Length(max=50),
        metadata={"description": "ids of rulings that no longer count"},
    )
    measure = fields.String(load_default="", metadata={"description": "another measure, in words"})

    @post_load
    def _decision(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "revision": loaded["revision"],
            "decision": Decision(
                upheld=loaded["upheld"],
                reasons=loaded["reasons"],
                summary=loaded["summary"],
                correction=loaded["correction"],
                withdrawn=tuple(loaded["withdrawn"]),
                measure=loaded["measure"],
            ),
        }


class FeeReceiptSchema(Schema):
    """A fee that came in, or goes back."""

    amount = fields.Integer(
        required=True, validate=Range(min=1, max=MOST), metadata={"description": "in fen"}
    )
    way = fields.String(required=True, validate=OneOf([each.value for each in PAID_BY]))
    reference = fields.String(load_default="", metadata={"description": "of a transfer"})
    idempotency_key = key()

    @post_load
    def _way(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return loaded | {"way": FeeWay(loaded["way"])}


class FeeRefundSchema(FeeReceiptSchema):
    class Meta(Schema.Meta):
        exclude = ("amount",)


class FeeKeptSchema(Schema):
    idempotency_key = key()


class FeeReversalSchema(Schema):
    reason = fields.String(required=True)
    idempotency_key = key()


class FeeMadeSchema(Schema):
    number = fields.String(metadata={"description": "of the entry of the ledger, and of its receipt"})


class DueFeeSchema(Schema):
    appeal = fields.String()
    kind = fields.String()
    amount = fields.Integer()


class FeeLedgerLineSchema(FeeLineSchema):
    reference = fields.String(allow_none=True)
    reason = fields.String(allow_none=True)
    by = fields.String(allow_none=True, metadata={"description": "masked number of a colleague"})


class FeeLedgerSchema(Schema):
    """The ledger: received = refunded + kept + held, in fen."""

    received = fields.Integer()
    refunded = fields.Integer()
    kept = fields.Integer()
    held = fields.Integer()
    due = fields.List(fields.Nested(DueFeeSchema))
    lines = fields.List(fields.Nested(FeeLedgerLineSchema))


class DeskAppealSchema(Schema):
    """An appeal at a desk; no text."""

    number = fields.String()
    state = fields.String(metadata={"enum": [each.value for each in AppealState]})
    subject = fields.String(metadata={"enum": [each.value for each in Subject]})
    stage = fields.String()
    round = fields.Integer()
    table = fields.Integer(allow_none=True)
    entry = fields.String()
    entry_id = fields.Integer()
    oral_at = fields.DateTime(allow_none=True)
    oral_claimed_at = fields.DateTime(allow_none=True)
    written_at = fields.DateTime(allow_none=True)
    written_until = fields.DateTime(allow_none=True)
    fee_held = fields.Integer()
    interest = fields.String(
        allow_none=True,
        metadata={"enum": [each.value for each in Interest], "description": "why you may not hear it"},
    )
    nobody = fields.Boolean(metadata={"description": "nobody on the committee may hear it"})
    receipt = fields.String(allow_none=True, metadata={"description": "token of its receipt, for a clerk"})


class LinesSchema(Schema):
    title = fields.String()
    rows = fields.List(fields.String())


class EffectSchema(Schema):
    """What a decision would change in ranks, in who goes on, in prizes and in rounds drawn since."""

    name = fields.String()
    revision = fields.Integer(allow_none=True)
    ruling_id = fields.Integer(allow_none=True)
    refusal = fields.String(allow_none=True)
    document = fields.Dict(allow_none=True)
    lines = fields.List(fields.Nested(LinesSchema))


class AppealCaseStepSchema(AppealReceiptStepSchema):
    who = fields.String(allow_none=True, metadata={"description": "masked number of a colleague"})


class AppealedRulingSchema(Schema):
    id = fields.Integer()
    name = fields.String()
    rule = fields.String(allow_none=True)
    clause = fields.String()
    reason = fields.String()
    made_at = fields.DateTime()
    withdrawn = fields.Boolean()


class AppealCaseSchema(DeskAppealSchema):
    """An appeal as the committee reads it; every reading is on record."""

    class Meta(Schema.Meta):
        exclude = ("interest", "nobody", "receipt")

    revision = fields.Integer()
    others = fields.List(fields.String())
    text = fields.String(allow_none=True)
    papers = fields.List(fields.Nested(AppealPaperSchema))
    rulings = fields.List(fields.Nested(AppealedRulingSchema))
    hearing_at = fields.DateTime(allow_none=True)
    hearing_place = fields.String(allow_none=True)
    minutes = fields.String(allow_none=True)
    decision = fields.String(allow_none=True)
    summary = fields.String(allow_none=True)
    decided_at = fields.DateTime(allow_none=True)
    decided_by = fields.String(allow_none=True)
    clause = fields.String(allow_none=True)
    outcome = fields.Dict()
    steps = fields.List(fields.Nested(AppealCaseStepSchema))
    fees = fields.List(fields.Nested(FeeLineSchema))

"""Change applications (变更申请) as forms and API send and read them."""

from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.registrations.rules import MemberForm
from app.registrations.rules.changes import LONGEST_REASON, ApplicationState, ChangeKind
from app.registrations.schemas import MemberSchema, ReviewedPlayerSchema
from app.web.i18n import show
from app.web.schemas import Length, OneOf, Range, Schema, fields


class ChangeApplicationSchema(Schema):
    """An application; the rules report every wrong field at once, such as ``members.0.id_number``."""

    kind = fields.String(required=True, validate=OneOf([kind.value for kind in ChangeKind]))
    idempotency_key = fields.String(
        required=True,
        validate=Length(min=8, max=64),
        metadata={"description": "made once per application; sent again it changes nothing"},
    )
    entry_id = fields.Integer(
        load_default=None,
        validate=Range(min=1, max=2**31 - 1),
        metadata={"description": "the entry it is about; left out of an addition"},
    )
    member_id = fields.Integer(
        load_default=None,
        validate=Range(min=1, max=2**31 - 1),
        metadata={"description": "of a pair who leaves or is corrected"},
    )
    reason = fields.String(
        load_default="",
        validate=Length(max=2 * LONGEST_REASON),
        metadata={"description": "required where the text wants a written application"},
    )
    members = fields.List(
        fields.Nested(MemberSchema),
        load_default=list,
        validate=Length(max=2),
        metadata={
            "description": "who comes, of a new pair both; in a correction an empty ID number or phone keeps the stored one"
        },
    )
    uploads = fields.List(
        fields.String(validate=Length(max=64)),
        load_default=list,
        validate=Length(max=100),
        metadata={"description": "tokens of ready uploads of the purpose letter, in order"},
    )

    @post_load
    def _read(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        tokens = loaded.pop("uploads")
        return loaded | {
            "kind": ChangeKind(loaded["kind"]),
            "members": [MemberForm(**each) for each in loaded["members"]],
            "tokens": tokens,
        }


class ChangeApplicationDecisionSchema(Schema):
    grant = fields.Boolean(
        load_default=False,
        metadata={"description": "true: the change is made; false: refused with a reason"},
    )
    answer = fields.String(
        load_default="",
        validate=Length(max=2 * LONGEST_REASON),
        metadata={
            "description": "of a refusal; of a grant only where a document that is due with the entry is not accepted. The leader reads it"
        },
    )
    voids = fields.List(
        fields.Integer(),
        load_default=list,
        metadata={
            "description": "of a grant: the entries (ids) that this form voids, by 以最新一次为准; one that is not named refuses the grant, and the refusal lists them"
        },
    )


class ProposedCorrectionSchema(Schema):
    field = fields.String()
    before = fields.Function(lambda each: show(each.before), metadata={"description": "numbers masked"})
    after = fields.Function(lambda each: show(each.after), metadata={"description": "numbers masked"})


class ChangeApplicationViewSchema(Schema):
    number = fields.Integer()
    kind = fields.String(metadata={"enum": [kind.value for kind in ChangeKind]})
    state = fields.String(metadata={"enum": [state.value for state in ApplicationState]})
    unit_id = fields.Integer()
    unit_name = fields.String()
    entry_id = fields.Integer(allow_none=True, metadata={"description": "the entry it is about"})
    made_entry_id = fields.Integer(
        allow_none=True, metadata={"description": "the entry that came, or is to come, of it"}
    )
    was = fields.List(fields.String(), metadata={"description": "who leaves, is corrected or withdraws"})
    names = fields.List(fields.String(), metadata={"description": "who comes, or the corrected name"})
    reason = fields.String()
    answer = fields.String(allow_none=True)
    applied_at = fields.DateTime()
    decided_at = fields.DateTime(allow_none=True)
    corrections = fields.List(fields.Nested(ProposedCorrectionSchema))
    members = fields.List(
        fields.Nested(ReviewedPlayerSchema),
        attribute="players",
        metadata={"description": "who comes, judged by every rule of eligibility"},
    )
    letter_pages = fields.Function(lambda view: len(view.letter))


class ChangeApplicationListSchema(Schema):
    applications = fields.List(fields.Nested(ChangeApplicationViewSchema))

from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.registrations.rules import Decision, DecisionKind, Eligibility, EntryState, MemberForm
from app.regulations.rules.eligibility import ELIGIBILITY_RULES
from app.web.i18n import show
from app.web.schemas import Length, OneOf, Range, Schema, fields

DECLARED = [rule for rule, kind in ELIGIBILITY_RULES.items() if kind.declare is not None]
"""Rules of eligibility that a person meets by saying so."""


class ConsentSchema(Schema):
    agreed = fields.Boolean(
        load_default=False, metadata={"description": "true: the privacy notice was read and agreed to"}
    )


class UnitSchema(Schema):
    """Only lengths are checked here; ``rules.check_unit`` reports every wrong field at once."""

    name = fields.String(
        load_default="", validate=Length(max=200), metadata={"description": "full name, as on the seal"}
    )
    credit_code = fields.String(
        load_default="",
        validate=Length(max=60),
        metadata={
            "description": "统一社会信用代码, 18 places, unique in the competition; may be left out where the regulation "
            "does not judge entrants by their employment"
        },
    )
    contact_name = fields.String(
        load_default="", validate=Length(max=100), metadata={"description": "the leader's name"}
    )
    contact_phone = fields.String(
        load_default="",
        validate=Length(max=30),
        metadata={"description": "left out: the number the leader signed in with"},
    )


class MemberSchema(Schema):
    """Only lengths are checked here; ``rules.check_member`` reports every wrong field at once."""

    name = fields.String(
        load_default="", validate=Length(max=100), metadata={"description": "as on the ID card"}
    )
    id_number = fields.String(
        load_default="",
        validate=Length(max=60),
        metadata={"description": "18-place resident ID number; left out in a change: the stored one stays"},
    )
    phone = fields.String(
        load_default="",
        validate=Length(max=30),
        metadata={"description": "mobile number; left out in a change: the stored one stays"},
    )
    employment = fields.String(
        load_default="",
        validate=Length(max=20),
        metadata={
            "description": "full_time, part_time, dispatched or seconded; asked only where the regulation judges by it"
        },
    )
    unit_name = fields.String(
        load_default="",
        validate=Length(max=200),
        metadata={"description": "the player's own unit or union; asked only where players enter themselves"},
    )
    declared = fields.Dict(
        keys=fields.String(validate=OneOf(DECLARED)),
        values=fields.Boolean(),
        load_default=dict,
        metadata={
            "description": "rules of eligibility that the player declares to meet, as the regulation asks",
            "example": {"union_members": True},
        },
    )

    in_team = fields.Boolean(
        load_default=False,
        metadata={
            "description": "named for the unit's team 团体; read where the regulation has teams of units"
        },
    )

    @post_load
    def _ticked(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        ticked = frozenset(rule for rule, said in loaded["declared"].items() if said)
        return loaded | {"declared": ticked}


class PairSchema(Schema):
    """Two players in one form; ``rules.check_pair`` reports every wrong field at once, such as ``members.1.phone``."""

    members = fields.List(
        fields.Nested(MemberSchema),
        load_default=list,
        validate=Length(max=2),
        metadata={
            "description": "both players; in a change an empty ID number or phone keeps the stored one"
        },
    )

    @post_load
    def _forms(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"members": [MemberForm(**each) for each in loaded["members"]]}


class SubmissionSchema(Schema):
    idempotency_key = fields.String(
        required=True,
        validate=Length(min=8, max=64),
        metadata={"description": "made once per submission; sent again it changes nothing"},
    )


class EntryDecisionSchema(Schema):
    """The committee's decision on the entry that the address names."""

    kind = fields.String(
        required=True, data_key="decision", validate=OneOf([kind.value for kind in DecisionKind])
    )
    reason = fields.String(
        load_default="",
        validate=Length(max=200),
        metadata={
            "description": "of a rejection; of an approval only where a document that is due with the entry is not accepted"
        },
    )
    revision = fields.Integer(
        load_default=None,
        validate=Range(min=1, max=2**31 - 1),
        metadata={"description": "of the entry that was looked at; another one now is a conflict"},
    )

    override = fields.Boolean(
        load_default=False,
        metadata={
            "description": "特批: approve although a rule is not met; reason says why, to the committee alone"
        },
    )

    @post_load
    def _kind(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return loaded | {"kind": DecisionKind(loaded["kind"])}


class DecisionSchema(EntryDecisionSchema):
    entry_id = fields.Integer(required=True, validate=Range(min=1, max=2**31 - 1))


class DecisionsSchema(Schema):
    decisions = fields.List(fields.Nested(DecisionSchema), required=True, validate=Length(min=1, max=2000))

    @post_load
    def _decisions(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"decisions": [Decision(**row) for row in loaded["decisions"]]}


class UnitViewSchema(Schema):
    id = fields.Integer()
    name = fields.String()
    credit_code = fields.String()
    contact_name = fields.String()
    contact_phone = fields.String(attribute="contact_phone_masked", metadata={"description": "masked"})


class MemberViewSchema(Schema):
    id = fields.Integer()
    entry_id = fields.Integer()
    name = fields.String()
    id_number = fields.String(
        attribute="id_number_masked", metadata={"description": "masked", "example": "1101**********0013"}
    )
    phone = fields.String(attribute="phone_masked", metadata={"description": "masked"})
    employment = fields.String()
    unit_name = fields.String(allow_none=True)
    declared = fields.Function(lambda member: sorted(member.declared))
    state = fields.String(metadata={"enum": [state.value for state in EntryState]})
    submitted_at = fields.DateTime(allow_none=True)
    decided_at = fields.DateTime(allow_none=True)
    reason = fields.String(allow_none=True)


class EntryViewSchema(Schema):
    """An entry (报名) of a player or a pair, as its own leader sees it."""

    entry_id = fields.Integer()
    name = fields.String(metadata={"description": "of a pair both names", "example": "甲 / 乙"})
    state = fields.String(metadata={"enum": [state.value for state in EntryState]})
    replaced = fields.Boolean(metadata={"description": "a newer form took its place 以最新一次为准"})
    in_team = fields.Boolean(
        allow_none=True, metadata={"description": "named for the unit's team; null where no team is asked"}
    )
    submitted_at = fields.DateTime(allow_none=True)
    decided_at = fields.DateTime(allow_none=True)
    reason = fields.String(allow_none=True)
    members = fields.List(fields.Nested(MemberViewSchema))


class MySchema(Schema):
    consented = fields.Boolean()
    unit = fields.Nested(UnitViewSchema, allow_none=True)
    number = fields.String(allow_none=True, metadata={"description": "receipt number 回执编号"})
    state = fields.String()
    submitted_at = fields.DateTime(allow_none=True)
    regulation_number = fields.Integer(
        allow_none=True,
        metadata={"description": "version (第 n 版) of the regulation it was last handed in under"},
    )
    entries = fields.List(fields.Nested(EntryViewSchema))
    members = fields.List(
        fields.Nested(MemberViewSchema), metadata={"description": "everybody of all the entries"}
    )


class JudgementSchema(Schema):
    rule = fields.Function(lambda judged: show(judged.rule))
    clause = fields.String()
    met = fields.Function(lambda judged: judged.refusal is None)
    refusal = fields.Function(lambda judged: show(judged.refusal) or None)


class ReviewedPlayerSchema(Schema):
    name = fields.String()
    unit_name = fields.String(allow_none=True)
    employment = fields.String(allow_none=True)
    age = fields.Integer(allow_none=True, metadata={"description": "on the first day of play"})
    sex = fields.String(allow_none=True)
    judgements = fields.List(fields.Nested(JudgementSchema))


class ReviewSchema(Schema):
    entry_id = fields.Integer()
    revision = fields.Integer()
    name = fields.String(metadata={"description": "of a pair both names", "example": "甲 / 乙"})
    unit_id = fields.Integer()
    unit_name = fields.String()
    credit_code = fields.String()
    number = fields.String(allow_none=True)
    employment = fields.String(attribute="only.employment", metadata={"description": "of a single player"})
    age = fields.Integer(
        attribute="only.age",
        allow_none=True,
        metadata={"description": "of a single player, on the first day of play"},
    )
    sex = fields.String(attribute="only.sex", allow_none=True, metadata={"description": "of a single player"})
    eligible = fields.Boolean()
    eligibility = fields.Function(
        lambda entry: entry.eligibility.value,
        metadata={"type": "string", "enum": [each.value for each in Eligibility]},
    )
    eligibility_clause = fields.String(
        allow_none=True, metadata={"description": "the clause that is not met, or that was set aside 特批"}
    )
    override_reason = fields.String(allow_none=True)
    judgements = fields.List(fields.Nested(JudgementSchema), metadata={"description": "of every player"})
    members = fields.List(fields.Nested(ReviewedPlayerSchema), attribute="players")
    state = fields.String()
    replaced = fields.Boolean(metadata={"description": "a newer form took its place 以最新一次为准"})
    submitted_at = fields.DateTime(allow_none=True)
    decided_at = fields.DateTime(allow_none=True)
    reason = fields.String(allow_none=True)


class ReviewListSchema(Schema):
    counts = fields.Dict(keys=fields.String(), values=fields.Integer())
    entries = fields.List(fields.Nested(ReviewSchema))

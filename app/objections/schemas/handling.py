from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import post_load

from app.objections.rules import CaseState, Channel, Decision, Outcome, Requirement, StepKind
from app.objections.rules.handling import Interest
from app.objections.rules.states import TO_COMPLETE
from app.objections.schemas.lodging import ObjectionFileSchema
from app.registrations.rules import EntryId
from app.text import BEIJING
from app.web.schemas import MOST, Length, OneOf, Range, Schema, fields


def revision(*, required: bool = True) -> fields.Integer:
    return fields.Integer(
        required=required,
        validate=Range(min=1, max=MOST),
        metadata={"description": "the revision of the case that was looked at; a newer one is a conflict"},
    )


class CaseActSchema(Schema):
    """Names the state of the case that was looked at."""

    revision = revision()


class RequirementsSchema(CaseActSchema):
    requirements = fields.List(
        fields.String(validate=OneOf([each.value for each in Requirement])),
        load_default=list,
        validate=Length(max=len(Requirement)),
    )
    reason = fields.String(load_default="", metadata={"description": "the reporter reads it"})

    @post_load
    def _codes(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        return loaded | {"requirements": [Requirement(each) for each in loaded["requirements"]]}


class RefusalSchema(RequirementsSchema):
    """不予受理."""


class SendingBackSchema(RequirementsSchema):
    """要求补齐."""

    requirements = fields.List(
        fields.String(validate=OneOf([each.value for each in TO_COMPLETE])),
        load_default=list,
        validate=Length(max=len(TO_COMPLETE)),
    )


class AssignmentSchema(CaseActSchema):
    user_id = fields.Integer(required=True, validate=Range(min=1, max=MOST))


class IdentificationSchema(CaseActSchema):
    unit_id = fields.Integer(required=True, validate=Range(min=1, max=MOST))


class RecusalSchema(Schema):
    reason = fields.String(load_default="")


class HearingRequestSchema(CaseActSchema):
    unit_id = fields.Integer(required=True, validate=Range(min=1, max=MOST))
    question = fields.String(load_default="", metadata={"description": "says nothing of who objected"})
    due_at = fields.AwareDateTime(
        required=True,
        default_timezone=BEIJING,
        metadata={"description": "without a zone: Beijing time"},
    )


class DecidedEntrySchema(Schema):
    entry_id = fields.Integer(required=True, validate=Range(min=1, max=MOST))
    outcome = fields.String(required=True, validate=OneOf([each.value for each in Outcome]))
    names = fields.List(
        fields.String(validate=Length(max=60)),
        load_default=list,
        validate=Length(max=4),
        metadata={"description": "the right names of the players, where the outcome is corrected"},
    )


class ObjectionDecisionSchema(CaseActSchema):
    """A decision: reasons for both sides, a summary without names for the public, the outcome of each entry."""

    upheld = fields.Boolean(required=True)
    entries = fields.List(
        fields.Nested(DecidedEntrySchema),
        load_default=list,
        validate=Length(max=50),
        metadata={"description": "left out: an entry is kept"},
    )
    reasons = fields.String(load_default="")
    summary = fields.String(load_default="")
    unheard = fields.String(
        load_default="", metadata={"description": "why the other side was not heard, where it was not"}
    )
    after_draw = fields.Boolean(
        load_default=False,
        metadata={
            "description": "needed where the draw was made from the list: the round stays, no list is superseded, "
            "and whoever loses his place plays no further round"
        },
    )

    @post_load
    def _decision(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        entries: list[Mapping[str, Any]] = loaded["entries"]
        return {
            "revision": loaded["revision"],
            "decision": Decision(
                upheld=loaded["upheld"],
                outcomes={EntryId(each["entry_id"]): Outcome(each["outcome"]) for each in entries},
                names={EntryId(each["entry_id"]): tuple(each["names"]) for each in entries},
                reasons=loaded["reasons"],
                summary=loaded["summary"],
                unheard=loaded["unheard"],
                after_draw=loaded["after_draw"],
            ),
        }


class QueuedCaseSchema(Schema):
    """A case in the committee's queue; without names for whoever is concerned."""

    number = fields.String()
    state = fields.String(metadata={"enum": [each.value for each in CaseState]})
    channel = fields.String(metadata={"enum": [each.value for each in Channel]})
    received_at = fields.DateTime()
    due_at = fields.DateTime(allow_none=True)
    lacking = fields.List(fields.String())
    entries = fields.List(fields.String(), attribute="names")
    interest = fields.String(
        allow_none=True,
        metadata={"enum": [each.value for each in Interest], "description": "why you may not handle it"},
    )
    nobody = fields.Boolean(metadata={"description": "nobody on the committee may handle it"})


class CaseEntrySchema(Schema):
    entry_id = fields.Integer()
    name = fields.String()
    unit_name = fields.String()
    stands = fields.Boolean(metadata={"description": "it is on a list in force"})
    outcome = fields.String(allow_none=True, metadata={"enum": [each.value for each in Outcome]})


class ReporterSchema(Schema):
    """Who objected: for the members of the committee who handle the case."""

    unit_name = fields.String(allow_none=True)
    name = fields.String(allow_none=True)
    phone = fields.String(allow_none=True)
    email = fields.String(allow_none=True)


class AskedUnitSchema(Schema):
    unit_id = fields.Integer()
    name = fields.String()


class CaseHearingSchema(Schema):
    id = fields.Integer()
    unit = fields.Nested(AskedUnitSchema)
    question = fields.String()
    asked_at = fields.DateTime()
    due_at = fields.DateTime()
    answer = fields.String(allow_none=True)
    answered_at = fields.DateTime(allow_none=True)
    files = fields.List(fields.Nested(ObjectionFileSchema))


class CaseStepSchema(Schema):
    at = fields.DateTime()
    kind = fields.String(metadata={"enum": [each.value for each in StepKind]})
    who = fields.String(allow_none=True, metadata={"description": "masked number of a colleague"})
    text = fields.String(allow_none=True)
    unverified = fields.Boolean(
        metadata={"description": "by mail under the reporter's address, which anybody can write"}
    )


class CaseSchema(Schema):
    """A case as its handlers read it; every reading is on record."""

    number = fields.String()
    state = fields.String(metadata={"enum": [each.value for each in CaseState]})
    revision = fields.Integer()
    channel = fields.String(metadata={"enum": [each.value for each in Channel]})
    received_at = fields.DateTime()
    due_at = fields.DateTime(allow_none=True)
    lacking = fields.List(fields.String())
    clause = fields.String(allow_none=True)
    entries = fields.List(fields.Nested(CaseEntrySchema))
    reporter = fields.Nested(ReporterSchema)
    text = fields.String()
    files = fields.List(fields.Nested(ObjectionFileSchema))
    concerned = fields.List(fields.Nested(AskedUnitSchema))
    hearings = fields.List(fields.Nested(CaseHearingSchema))
    steps = fields.List(fields.Nested(CaseStepSchema))
    assigned_to = fields.String(allow_none=True)
    decision = fields.String(allow_none=True)
    summary = fields.String(allow_none=True)
    decided_at = fields.DateTime(allow_none=True)
    new_list = fields.Integer(allow_none=True)

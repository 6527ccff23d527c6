from __future__ import annotations

from typing import Any

from app.corrections.queries import RequestView
from app.corrections.service import Proposal
from app.results.schemas import NewRevisionSchema
from app.results.schemas.sent import KEY
from app.web.schemas import Length, Schema, fields

TEXT = Length(min=2, max=500)


class AskFormSchema(Schema):
    """The form of a player or a referee: what is wrong, in words."""

    text = fields.String(required=True, validate=TEXT)
    idempotency_key = fields.String(required=True, validate=KEY)


class _ProposalSchema(NewRevisionSchema):
    """A sheet as it should be; ``handed_in`` says nothing here."""

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        body = super().shaped(body)
        body.pop("handed_in", None)
        deals, outcome = body.pop("deals"), body.pop("outcome")
        return body | {"proposal": Proposal(deals, outcome or None) if deals or outcome else None}


class AskForCorrectionSchema(_ProposalSchema):
    """A request over the API: words, and where it is known what the sheet should say."""

    text = fields.String(required=True, validate=TEXT, metadata={"description": "what is wrong"})


class ProposedSheetSchema(_ProposalSchema):
    """What a sheet should say, to see what it would change."""


class GrantCorrectionSchema(_ProposalSchema):
    """The chief referee's decision to correct; ``base_revision`` is the sheet's newest one."""

    reason = fields.String(required=True, validate=TEXT)
    seen = fields.String(
        required=True,
        validate=Length(equal=64),
        metadata={"description": "`fingerprint` of the impact that was looked at"},
    )


class RefuseCorrectionSchema(Schema):
    reason = fields.String(required=True, validate=TEXT)


class CorrectionRequestSchema(Schema):
    """A request for a correction (更正申请)."""

    id = fields.Integer()
    stage = fields.String()
    round = fields.Integer(attribute="round_number")
    table = fields.Integer(attribute="table_number")
    state = fields.Function(lambda view: view.state.value)
    text = fields.String()
    asked_as = fields.String(metadata={"description": "`player`, or the role of a referee"})
    asked_at = fields.AwareDateTime(format="iso")
    base_revision = fields.Integer()
    proposal = fields.Method(
        "proposal_of", metadata={"description": "in the keys of a new revision, or null"}
    )
    decided_at = fields.AwareDateTime(format="iso")
    decision_reason = fields.String()
    granted_revision = fields.Integer()
    impact = fields.Dict(metadata={"description": "what it changed when it was granted"})

    def proposal_of(self, view: RequestView) -> dict[str, Any] | None:
        if view.proposal is None:
            return None
        return {"deals": list(view.proposal.deals), **(view.proposal.outcome or {})}


class CorrectionImpactSchema(Schema):
    """What a correction would change, and the fingerprint that granting it takes."""

    impact = fields.Dict()
    fingerprint = fields.String()

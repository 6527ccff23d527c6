from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.draws.queries.division import DivisionView
from app.draws.rules import LONGEST_SEED
from app.draws.schemas import CommitmentSchema, commitment_document
from app.draws.schemas.repairs import KEY, REASON
from app.draws.service.voiding import Voiding
from app.web.schemas import Length, Range, Schema, fields


class DivideSchema(Schema):
    """Dividing, and committing to the seed of it."""

    groups = fields.Integer(
        load_default=None,
        validate=Range(min=2, max=1000),
        metadata={"description": "how many groups; as few as the regulation allows if left out"},
    )
    seed = fields.String(
        load_default=None,
        validate=Length(max=2 * LONGEST_SEED + 20),
        metadata={"description": "as of a draw; left out, the server makes one"},
    )


class UndivideSchema(Schema):
    """Taking a division back (作废)."""

    seed = fields.String(
        required=True, validate=Length(max=128), metadata={"description": "of the division that is meant"}
    )
    reason = fields.String(required=True, validate=Length(min=2, max=500), metadata=REASON)
    idempotency_key = fields.String(
        required=True,
        validate=KEY,
        metadata={"description": "made once per act; sent again with every retry"},
    )

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"voiding": Voiding(**body)}


class DividedMemberSchema(Schema):
    entrant = fields.String(metadata={"description": "id in the event file"})
    name = fields.String()
    unit = fields.String()


class GroupSchema(Schema):
    group = fields.String()
    members = fields.List(fields.Nested(DividedMemberSchema), metadata={"description": "in the order drawn"})


class DivisionSchema(Schema):
    """A division into groups: from `seed`, `entrants` and their units anyone gets `groups` again."""

    stage = fields.String()
    drawn_at = fields.DateTime()
    seed = fields.String()
    entrants = fields.List(fields.String())
    entrants_sha256 = fields.String()
    proof = fields.String()
    commitment = fields.Nested(CommitmentSchema)
    groups = fields.List(fields.Nested(GroupSchema))
    voided_at = fields.DateTime()
    void_reason = fields.String()


def division_document(view: DivisionView) -> dict[str, Any]:
    """One division as ``DivisionSchema`` has it."""
    return {
        "stage": view.stage,
        "drawn_at": view.drawn_at,
        "seed": view.seed,
        "entrants": view.entrants,
        "entrants_sha256": view.entrants_sha256,
        "proof": view.proof,
        "commitment": commitment_document(view.commitment) if view.commitment else None,
        "groups": [
            {
                "group": group.name,
                "members": [
                    {"entrant": entrant, "name": person.name, "unit": person.unit_name}
                    for entrant, person in group.members
                ],
            }
            for group in view.groups
        ],
        "voided_at": view.voided_at,
        "void_reason": view.void_reason,
    }

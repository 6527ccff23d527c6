from __future__ import annotations

from typing import Any

from app.standings.queries.lots import LotsView
from app.web.schemas import Length, Schema, fields


class LotsSeedSchema(Schema):
    seed = fields.String(
        load_default=None,
        validate=Length(max=200),
        metadata={"description": "hexadecimal, 16 to 64 bytes; made by the server if left out"},
    )


class LotsSchema(Schema):
    """Lots (抽签定名次): `seed`, `committed_seed` and `proof` are null while the seed is secret."""

    state = fields.String(metadata={"description": "open, drawn or withdrawn"})
    commitment = fields.String(
        allow_none=True, metadata={"description": "null where nothing was published before"}
    )
    committed_at = fields.DateTime()
    entrants_sha256 = fields.String()
    contribution = fields.String(allow_none=True)
    committed_seed = fields.String(allow_none=True)
    seed = fields.String(allow_none=True)
    ties = fields.List(
        fields.List(fields.String()), metadata={"description": "who was equal, in the order drawn"}
    )
    team_ties = fields.List(fields.List(fields.String()))
    proof = fields.String(allow_none=True)
    drawn_at = fields.DateTime(allow_none=True)
    withdrawn_at = fields.DateTime(allow_none=True)
    withdrawn_reason = fields.String(allow_none=True)


def lots_document(view: LotsView) -> dict[str, Any]:
    """Lots as ``LotsSchema`` has them."""
    return {
        "state": "withdrawn" if view.withdrawn_at else "drawn" if view.drawn_at else "open",
        "commitment": view.commitment,
        "committed_at": view.committed_at,
        "entrants_sha256": view.entrants_sha256,
        "contribution": view.contribution,
        "committed_seed": view.committed_seed,
        "seed": view.seed,
        "ties": [list(tie) for tie in view.ties],
        "team_ties": [list(tie) for tie in view.team_ties],
        "proof": view.proof,
        "drawn_at": view.drawn_at,
        "withdrawn_at": view.withdrawn_at,
        "withdrawn_reason": view.withdrawn_reason,
    }

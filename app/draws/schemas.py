from __future__ import annotations

from app.draws.rules import LONGEST_SEED, SHORTEST_SEED
from app.web.schemas import Length, Schema, fields


class DrawSchema(Schema):
    stage = fields.String(
        required=True,
        validate=Length(max=20),
        metadata={"description": "prelim, semifinal, final or playoff", "example": "prelim"},
    )
    seed = fields.String(
        load_default=None,
        validate=Length(max=2 * LONGEST_SEED + 20),
        metadata={
            "description": f"hexadecimal, {SHORTEST_SEED} to {LONGEST_SEED} bytes; made by the server if left out"
        },
    )


class SeatSchema(Schema):
    entrant = fields.String(metadata={"description": "id in the event file"})
    name = fields.String()
    unit = fields.String()


class PairedTableSchema(Schema):
    """One table; seats are counter-clockwise, the first bids first in deal 1."""

    stage = fields.String()
    round = fields.Integer()
    number = fields.Integer()
    seats = fields.List(fields.Nested(SeatSchema))
    token = fields.String(metadata={"description": "of the table's address; only for people with a role"})


class RoundSchema(Schema):
    """One drawn round: from `seed` and `entrants` anyone gets `tables` and `direct` again."""

    stage = fields.String()
    round = fields.Integer()
    drawn_at = fields.DateTime()
    seed = fields.String()
    entrants = fields.List(fields.String())
    entrants_sha256 = fields.String()
    proof = fields.String()
    publication = fields.Integer(metadata={"description": "number of the published list that was drawn from"})
    tables = fields.List(fields.Nested(PairedTableSchema))
    direct = fields.List(fields.Nested(SeatSchema))

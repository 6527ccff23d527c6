from __future__ import annotations

from typing import Any

from app.draws.queries import RoundView, TableView
from app.draws.rules import LONGEST_SEED, SHORTEST_SEED
from app.registrations.queries import EntrantView
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


def _seat(view: EntrantView) -> dict[str, str]:
    return {"entrant": f"e{view.entry_id}", "name": view.name, "unit": view.unit_name}


def table_document(view: TableView, *, tokens: bool) -> dict[str, Any]:
    """One table as ``PairedTableSchema`` has it; its token only for people with a role."""
    shown: dict[str, Any] = {
        "stage": view.stage,
        "round": view.round_number,
        "number": view.number,
        "seats": [_seat(each) for each in view.seats],
    }
    return shown | ({"token": view.token} if tokens else {})


def round_document(view: RoundView, *, tokens: bool) -> dict[str, Any]:
    """One drawn round as ``RoundSchema`` has it."""
    shown: dict[str, Any] = {
        "stage": view.stage,
        "round": view.number,
        "drawn_at": view.drawn_at,
        "seed": view.seed,
        "entrants": view.entrants,
        "entrants_sha256": view.entrants_sha256,
        "proof": view.proof,
        "tables": [table_document(each, tokens=tokens) for each in view.tables],
        "direct": [_seat(each) for each in view.direct],
    }
    return shown | ({"publication": view.publication_number} if view.publication_number else {})

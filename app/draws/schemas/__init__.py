from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.draws.queries import (
    ChangeView,
    CommitmentView,
    Explained,
    PersonView,
    RoundView,
    RulingView,
    TableView,
)
from app.draws.rules import LONGEST_SEED, SHORTEST_SEED
from app.draws.rules.reasons import Reason
from app.draws.rules.repairs import as_stored
from app.registrations.queries import EntrantView
from app.web.i18n import show
from app.web.schemas import Length, Schema, fields


class DrawSchema(Schema):
    stage = fields.String(
        required=True,
        validate=Length(max=20),
        metadata={"description": "prelim, semifinal, final, playoff or swiss", "example": "prelim"},
    )
    seed = fields.String(
        load_default=None,
        validate=Length(max=2 * LONGEST_SEED + 20),
        metadata={
            "description": f"hexadecimal, {SHORTEST_SEED} to {LONGEST_SEED} bytes; made by the server if left out"
        },
    )


class CommitSchema(Schema):
    """The stage may be left out where a later one is due."""

    stage = fields.String(
        load_default=None,
        validate=Length(max=20),
        metadata={"description": "prelim, semifinal, final, playoff or swiss", "example": "prelim"},
    )
    seed = fields.String(
        load_default=None,
        validate=Length(max=2 * LONGEST_SEED + 20),
        metadata={"description": "as of a draw; left out, the server makes one that nobody sees"},
    )


class ContributionSchema(Schema):
    contribution = fields.String(
        required=True,
        validate=Length(max=400),
        metadata={
            "description": "公众数据: up to 200 characters once white space is reduced (docs/draws.md)"
        },
    )


class WithdrawalSchema(Schema):
    reason = fields.String(
        required=True, validate=Length(min=2, max=500), metadata={"description": "published"}
    )


class CommitmentSchema(Schema):
    """What was published before a draw; `committed_seed` is null while it is secret."""

    stage = fields.String()
    round = fields.Integer()
    state = fields.String(metadata={"description": "open, drawn or withdrawn"})
    commitment = fields.String(metadata={"description": "SHA-256 of the committed seed"})
    committed_at = fields.DateTime()
    entrants = fields.Integer(metadata={"description": "how many are on the frozen list"})
    entrants_sha256 = fields.String()
    contribution = fields.String(allow_none=True)
    contributed_at = fields.DateTime(allow_none=True)
    committed_seed = fields.String(allow_none=True)
    withdrawn_at = fields.DateTime(allow_none=True)
    withdrawn_reason = fields.String(allow_none=True)


class SeatSchema(Schema):
    entrant = fields.String(metadata={"description": "id in the event file"})
    name = fields.String()
    unit = fields.String()


class PairedTableSchema(Schema):
    """One table; seats are counter-clockwise, the first bids first in deal 1. Of a board game the first moves first."""

    stage = fields.String()
    round = fields.Integer()
    number = fields.Integer()
    seats = fields.List(fields.Nested(SeatSchema))
    token = fields.String(metadata={"description": "of the table's address; only for people with a role"})


class ReasonSchema(Schema):
    """One sentence of an explanation, in the language of the request."""

    about = fields.String(
        metadata={
            "description": "meeting, float, avoided, rematch, side, seats, number, bye, broken, by_hand, not_paired"
        }
    )
    label = fields.String()
    text = fields.String()


class ExplainedTableSchema(PairedTableSchema):
    """One table, and why these people share it, sit so and have this number."""

    reasons = fields.List(fields.Nested(ReasonSchema))
    figures = fields.Dict(
        metadata={
            "description": "what the engine looked at when it drew a round by points (docs/pairing.md); null for other "
            "draws, and where the table was changed by hand"
        }
    )


class PersonRoundSchema(Schema):
    """One round somebody was in: at a table, or with a bye (going straight on), where `table` is null."""

    stage = fields.String()
    round = fields.Integer()
    table = fields.Nested(PairedTableSchema)
    reasons = fields.List(fields.Nested(ReasonSchema))


class LatestRoundSchema(Schema):
    """The newest round of the event."""

    stage = fields.String()
    round = fields.Integer()
    placed = fields.Boolean(metadata={"description": "whether this entrant is in it"})
    repairing = fields.Boolean(metadata={"description": "正在调整: seats may still change"})
    reasons = fields.List(
        fields.Nested(ReasonSchema), metadata={"description": "why not, where it is known; else empty"}
    )


class PersonSchema(Schema):
    """Where one entrant sits (我的下一桌), the newest round first."""

    entrant = fields.String()
    name = fields.String()
    unit = fields.String()
    latest = fields.Nested(LatestRoundSchema)
    rounds = fields.List(fields.Nested(PersonRoundSchema))


class PlacedSchema(Schema):
    """A round by ids of the event file, in seat order."""

    tables = fields.List(fields.List(fields.String()))
    byes = fields.List(fields.String())


class PublicChangeSchema(Schema):
    """One change by hand (人工调整), as the event file writes it; the role stands for the person."""

    number = fields.Integer()
    change = fields.Dict()
    text = fields.String()
    reason = fields.String()
    made_as = fields.String()
    made_at = fields.DateTime()


class PublicRulingSchema(Schema):
    """That no draw keeps every hard rule, and the chief referee accepted the one that breaks least."""

    reason = fields.String()
    made_as = fields.String()
    made_at = fields.DateTime()
    questions = fields.List(fields.String(), metadata={"description": "who and why, in people's names"})
    clauses = fields.List(fields.String())
    broken = fields.List(fields.String(), metadata={"description": "what the draw breaks"})


class RoundSchema(Schema):
    """One drawn round: from `seed` and `entrants` anyone gets `tables` and `direct` again, or `drawn` where it was repaired.

    Of a Swiss stage `direct` have a bye (轮空) in the round.
    """

    stage = fields.String()
    round = fields.Integer()
    drawn_at = fields.DateTime()
    seed = fields.String()
    entrants = fields.List(fields.String())
    entrants_sha256 = fields.String()
    proof = fields.String()
    publications = fields.List(
        fields.Integer(), metadata={"description": "numbers of the published lists that were drawn from"}
    )
    commitment = fields.Nested(
        CommitmentSchema, metadata={"description": "null where nothing was published before the draw"}
    )
    tables = fields.List(fields.Nested(PairedTableSchema))
    direct = fields.List(fields.Nested(SeatSchema))
    repairing = fields.Boolean(metadata={"description": "正在调整: a repair is open, seats may still change"})
    changes = fields.List(
        fields.Nested(PublicChangeSchema), metadata={"description": "confirmed changes by hand, in order"}
    )
    drawn = fields.Nested(
        PlacedSchema, metadata={"description": "what the seed gave; null where nothing was changed by hand"}
    )
    ruling = fields.Nested(
        PublicRulingSchema,
        metadata={
            "description": "裁决: the ruling it was drawn by; null where the draw keeps every hard rule"
        },
    )


class VoidRoundSchema(RoundSchema):
    """A round that was taken back (作废), with its draw as it was."""

    void_id = fields.Integer(metadata={"description": "in the address of what was entered, for staff"})
    voided_at = fields.DateTime()
    void_reason = fields.String()
    tables_entered = fields.Integer(metadata={"description": "tables that had scores then"})
    deals_entered = fields.Integer()


def commitment_document(view: CommitmentView) -> dict[str, Any]:
    """One commitment as ``CommitmentSchema`` has it."""
    return {
        "stage": view.stage,
        "round": view.number,
        "state": "open" if view.open else "withdrawn" if view.withdrawn_at else "drawn",
        "commitment": view.commitment,
        "committed_at": view.committed_at,
        "entrants": len(view.entrants),
        "entrants_sha256": view.entrants_sha256,
        "contribution": view.contribution,
        "contributed_at": view.contributed_at,
        "committed_seed": view.committed_seed,
        "withdrawn_at": view.withdrawn_at,
        "withdrawn_reason": view.withdrawn_reason,
    }


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


def reason_documents(reasons: Sequence[Reason]) -> list[dict[str, str]]:
    """Sentences as ``ReasonSchema`` has them."""
    return [{"about": each.about, "label": show(each.label), "text": show(each.text)} for each in reasons]


def person_document(view: PersonView, explained: Explained) -> dict[str, Any]:
    """One entrant as ``PersonSchema`` has it."""
    latest = view.latest
    return {
        **_seat(view.person),
        "latest": {
            "stage": latest.stage,
            "round": latest.number,
            "placed": view.in_latest,
            "repairing": latest.repairing,
            "reasons": [] if view.in_latest else reason_documents(explained.absence(latest, view.entrant)),
        },
        "rounds": [
            {
                "stage": round_.stage,
                "round": round_.number,
                "table": table_document(table, tokens=False) if table else None,
                "reasons": reason_documents(
                    explained.table(round_, table) if table else explained.bye(round_, view.person)
                ),
            }
            for round_, table in view.rounds
        ],
    }


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
        "commitment": commitment_document(view.commitment) if view.commitment else None,
        "repairing": view.repairing,
        "changes": [change_document(each) for each in view.changes],
        "drawn": as_stored(view.drawn) if view.changes else None,
        "ruling": ruling_document(view.ruling) if view.ruling else None,
    }
    return shown | ({"publications": view.publication_numbers} if view.publication_numbers else {})


def ruling_document(view: RulingView) -> dict[str, Any]:
    """A ruling as ``PublicRulingSchema`` has it."""
    return {
        "reason": view.reason,
        "made_as": view.made_as.value,
        "made_at": view.made_at,
        "questions": [show(each.text) for each in view.asked],
        "clauses": [each.clause for each in view.asked if each.clause],
        "broken": [show(each.text) for each in view.breaks],
    }


def void_document(view: RoundView) -> dict[str, Any]:
    """One void round as ``VoidRoundSchema`` has it."""
    shown = round_document(view, tokens=False)
    if view.void is None:
        return shown
    return shown | {
        "void_id": view.void.round_id,
        "voided_at": view.void.at,
        "void_reason": view.void.reason,
        "tables_entered": view.void.tables,
        "deals_entered": view.void.deals,
    }


def change_document(view: ChangeView) -> dict[str, Any]:
    """One change as ``PublicChangeSchema`` has it."""
    return {
        "number": view.number,
        "change": dict(view.change),
        "text": show(view.text),
        "reason": view.reason,
        "made_as": view.made_as.value,
        "made_at": view.made_at,
    }

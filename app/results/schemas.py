from __future__ import annotations

from datetime import UTC
from typing import Any

from marshmallow import post_load

from app.draws.rules import entrant_of
from app.results.queries import RevisionView, SheetView
from app.results.rules import PASSED_OUT, score
from app.results.service import Sent
from app.web.schemas import Length, OneOf, Range, Schema, fields
from scoring_engine.landlord.deals import Side

SIDES = [side.value for side in Side]
KEY = Length(min=8, max=80)


class SentSchema(Schema):
    """What travels with every change: loaded as ``sent``."""

    base_revision = fields.Integer(
        required=True, validate=Range(min=0), metadata={"description": "newest revision the sender has seen"}
    )
    idempotency_key = fields.String(
        required=True,
        validate=KEY,
        metadata={"description": "made once per change; sent again with every retry"},
    )
    device = fields.String(validate=Length(max=200))
    client_time = fields.AwareDateTime(
        format="iso", default_timezone=UTC, metadata={"description": "the device's clock when it was typed"}
    )

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        # one hook only: marshmallow does not say in which order several run
        parts = {
            key: body.pop(key, None) for key in ("base_revision", "idempotency_key", "device", "client_time")
        }
        return self.shaped(body) | {"sent": Sent(**parts)}

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        """What the service takes beside ``sent``."""
        return body


class DealFormSchema(SentSchema):
    """The form of one deal: ``landlord`` is an entrant's id (``e12``) or ``passed_out``."""

    deal_number = fields.Integer(required=True, validate=Range(min=1, max=1000))
    landlord = fields.String(validate=Length(max=40))
    bid = fields.Integer()
    winner = fields.String(validate=OneOf(SIDES))
    bombs = fields.Integer(load_default=0)
    rockets = fields.Integer(load_default=0)
    spring = fields.Boolean(load_default=False)
    anti_spring = fields.Boolean(load_default=False)

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        number = body.pop("deal_number")
        passed_out = body.get("landlord") == "passed_out"
        return {"deal_number": number, "deal": dict(PASSED_OUT) if passed_out else body}


class HandInFormSchema(SentSchema):
    checked = fields.Boolean(load_default=False)


class ReopenSchema(SentSchema):
    reason = fields.String(required=True, validate=Length(min=2, max=500))


class DealSchema(Schema):
    """One deal as the event file writes it."""

    passed_out = fields.Boolean(metadata={"description": "流局: alone, or false"})
    landlord = fields.String(metadata={"description": "庄家, an entrant of the table"})
    bid = fields.Integer(metadata={"description": "叫分"})
    winner = fields.String(validate=OneOf(SIDES), metadata={"description": "胜方"})
    rockets = fields.Integer(metadata={"description": "火箭"})
    bombs = fields.Integer(metadata={"description": "炸弹"})
    spring = fields.Boolean(metadata={"description": "春天"})
    anti_spring = fields.Boolean(metadata={"description": "反春"})
    scores = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "optional: held against the computed points, which add up to 0"},
    )


class NewRevisionSchema(SentSchema):
    deals = fields.List(fields.Nested(DealSchema), required=True, validate=Length(max=1000))
    handed_in = fields.Boolean(
        load_default=False, metadata={"description": "三名选手已核对: enters and confirms the sheet"}
    )


class EnteredSchema(Schema):
    """A table at which something was entered: its newest deals, confirmed or not."""

    number = fields.Function(lambda each: each.table.number)
    entrants = fields.Function(lambda each: [entrant_of(seat.entry_id) for seat in each.table.seats])
    state = fields.Function(lambda each: each.state.value)
    deals = fields.Function(lambda each: list(each.deals))


class LossSchema(Schema):
    """What would no longer count if a round were taken back (作废), and which rounds must be taken back first."""

    stage = fields.Function(lambda loss: loss.round.stage)
    round = fields.Function(lambda loss: loss.round.number)
    seed = fields.Function(lambda loss: loss.round.seed)
    started = fields.Boolean()
    deals = fields.Integer()
    tables = fields.List(fields.Nested(EnteredSchema), attribute="entered")
    later = fields.Function(lambda loss: [{"stage": each.stage, "round": each.number} for each in loss.later])


class SeatSchema(Schema):
    entrant = fields.String()
    name = fields.String()
    unit = fields.String()


class SheetSchema(Schema):
    """A table's score sheet (记分表)."""

    token = fields.Function(lambda view: view.table.token)
    stage = fields.Function(lambda view: view.table.stage)
    round = fields.Function(lambda view: view.table.round_number)
    number = fields.Function(lambda view: view.table.number)
    seats = fields.Method("seats_of")
    deals_wanted = fields.Integer()
    state = fields.Function(lambda view: view.state.value)
    revision = fields.Integer()
    confirmed_revision = fields.Integer()
    published_at = fields.AwareDateTime(format="iso")
    deals = fields.Method("deals_of")
    totals = fields.Dict(keys=fields.String(), values=fields.Integer())
    next_first_bidder = fields.Function(
        lambda view: None if view.complete else entrant_of(view.first_bidder(len(view.deals) + 1).entry_id)
    )

    def seats_of(self, view: SheetView) -> list[dict[str, str]]:
        return [
            {"entrant": entrant, "name": seat.name, "unit": seat.unit_name}
            for entrant, seat in view.seats.items()
        ]

    def deals_of(self, view: SheetView) -> list[dict[str, Any]]:
        seats = tuple(view.seats)
        return [deal | {"scores": dict(score(deal, seats, view.rules).points)} for deal in view.deals]


class RevisionSchema(Schema):
    number = fields.Integer()
    deals = fields.Function(lambda view: list(view.deals))
    handed_in = fields.Boolean()
    recorded_by = fields.Integer(attribute="recorded_by_id")
    recorded_at = fields.AwareDateTime(format="iso")
    device = fields.String()
    client_time = fields.AwareDateTime(format="iso")
    reason = fields.String()


class SheetHistorySchema(Schema):
    revisions = fields.List(fields.Nested(RevisionSchema))


History = dict[str, tuple[RevisionView, ...]]

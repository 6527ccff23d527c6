from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.draws.queries.history import Deed
from app.draws.queries.repairs import Preview, RepairView
from app.draws.rules.breaches import Warnings
from app.draws.rules.repairs import TableDifference, as_stored
from app.draws.schemas import PlacedSchema, PublicChangeSchema, change_document
from app.draws.service.repairs import Based
from app.draws.service.voiding import Voiding
from app.web.i18n import show
from app.web.schemas import Length, Range, Schema, fields

KEY = Length(min=8, max=80)
ID = Length(max=20)
REASON = {"description": "published; no telephone or ID numbers"}
CHANGES = ("swap", "swap_tables", "bye", "instead_of", "set_table")


def _key_field() -> fields.String:
    return fields.String(
        required=True,
        validate=KEY,
        metadata={"description": "made once per act; sent again with every retry"},
    )


def _reason_field() -> fields.String:
    return fields.String(required=True, validate=Length(min=2, max=500), metadata=REASON)


class SetTableSchema(Schema):
    number = fields.Integer(required=True, validate=Range(min=1, max=10_000))
    entrants = fields.List(
        fields.String(validate=ID),
        required=True,
        validate=Length(max=10),
        metadata={"description": "who sits there, in seat order"},
    )


class ChangeSchema(Schema):
    """One change (人工调整), as the event file writes it: exactly one of the first four keys."""

    swap = fields.List(
        fields.String(validate=ID),
        validate=Length(max=2),
        metadata={"description": "two people exchange their places, also with who has a bye"},
    )
    swap_tables = fields.List(
        fields.Integer(validate=Range(min=1, max=10_000)),
        validate=Length(max=2),
        metadata={"description": "two tables exchange their numbers"},
    )
    set_table = fields.Nested(SetTableSchema, metadata={"description": "who sits at a table, in seat order"})
    bye = fields.String(validate=ID, metadata={"description": "who gets a bye, or goes straight on"})
    instead_of = fields.String(validate=ID, metadata={"description": "with bye: who sits down in his place"})

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        change = {key: body.pop(key) for key in CHANGES if key in body}
        return self.shaped(body) | {"change": change}

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        """What the service takes beside ``change``."""
        return body


class NewChangeSchema(ChangeSchema):
    reason = _reason_field()
    base_revision = fields.Integer(
        required=True, validate=Range(min=0), metadata={"description": "newest revision the sender has seen"}
    )
    idempotency_key = _key_field()

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        return body | {"based": Based(body.pop("base_revision"), body.pop("idempotency_key"))}


class ConfirmSchema(Schema):
    base_revision = fields.Integer(required=True, validate=Range(min=0))
    idempotency_key = _key_field()

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return body | {"based": Based(body.pop("base_revision"), body.pop("idempotency_key"))}


class CancelSchema(ConfirmSchema):
    reason = _reason_field()


class UndrawSchema(Schema):
    """Taking a round back (作废)."""

    seed = fields.String(
        required=True, validate=Length(max=128), metadata={"description": "of the draw that is meant"}
    )
    reason = _reason_field()
    idempotency_key = _key_field()
    deals = fields.Integer(
        load_default=None,
        validate=Range(min=0),
        metadata={"description": "once scores were entered: how many deals no longer count, as GET tells"},
    )

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        parts = {key: body.pop(key) for key in ("seed", "reason", "idempotency_key")}
        return body | {"voiding": Voiding(**parts)}


class DifferenceSchema(Schema):
    """A table (``number`` null: the byes) that is not as it was drawn."""

    number = fields.Integer()
    drawn = fields.List(fields.String())
    repaired = fields.List(fields.String())


class PreviewSchema(Schema):
    """What one more change would make of the round."""

    placed = fields.Nested(PlacedSchema)
    left_over = fields.List(fields.String(), metadata={"description": "who has no place yet"})
    warnings = fields.List(
        fields.String(), metadata={"description": "rules of the regulation it breaks, with clause"}
    )
    aims = fields.List(
        fields.String(),
        metadata={
            "description": "aims of pairing it does not reach: points, sides and seats of changed tables; rematches at tables of three"
        },
    )
    differences = fields.List(fields.Nested(DifferenceSchema))
    open_points = fields.List(
        fields.String(), metadata={"description": "what stands in the way of confirming"}
    )


class RepairSchema(PreviewSchema):
    """An open repair of a round."""

    stage = fields.String()
    round = fields.Integer()
    revision = fields.Integer()
    opened_at = fields.DateTime()
    changes = fields.List(fields.Nested(PublicChangeSchema))


class DeedSchema(Schema):
    """One act on a round."""

    at = fields.DateTime()
    action = fields.String(metadata={"description": "as in the audit, such as draw_repair.cancelled"})
    text = fields.String()
    reason = fields.String()
    role = fields.String(metadata={"description": "held now by who did it; null where none is"})
    phone_masked = fields.String()


def deed_document(deed: Deed) -> dict[str, Any]:
    """One act as ``DeedSchema`` has it."""
    return {
        "at": deed.at,
        "action": deed.action.value,
        "text": show(deed.text),
        "reason": deed.reason,
        "role": deed.role.value if deed.role else None,
        "phone_masked": deed.phone,
    }


def _difference(found: TableDifference) -> dict[str, Any]:
    return {"number": found.number, "drawn": list(found.drawn), "repaired": list(found.repaired)}


def preview_document(view: Preview | RepairView, warned: Warnings) -> dict[str, Any]:
    """A preview as ``PreviewSchema`` has it."""
    return {
        "placed": as_stored(view.placed),
        "left_over": list(view.placed.left_over),
        "warnings": [show(each) for each in warned.rules],
        "aims": [show(each) for each in warned.aims],
        "differences": [_difference(each) for each in view.differences],
        "open_points": [show(each) for each in view.open_points],
    }


def repair_document(view: RepairView, warned: Warnings) -> dict[str, Any]:
    """An open repair as ``RepairSchema`` has it."""
    return preview_document(view, warned) | {
        "stage": view.round.stage,
        "round": view.round.number,
        "revision": view.revision,
        "opened_at": view.opened_at,
        "changes": [change_document(each) for each in view.changes],
    }

"""What is said of a handed-in sheet, and how it is answered."""

from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.documents.rules.undertaking import MOST_LETTERS
from app.draws.rules import entry_of, known_entrant
from app.results.rules.confirming import Decision, Said
from app.results.schemas import NewRevisionSchema, SheetSchema
from app.results.schemas.sent import DEVICE_ID, KEY, SentSchema
from app.results.service import Voice
from app.web.schemas import Length, OneOf, Range, Schema, fields

ENTRANT = Length(max=40)


def _entry(entrant: str | None) -> int | None:
    """The entry of a side. Raises ``draws.rules.UnknownEntrantError``."""
    return None if entrant is None else int(entry_of(known_entrant(entrant)))


class SideWordSchema(Schema):
    """Who speaks for a side, and of which revision. By the ``card``; or for an ``entrant`` by ``pin``, or by ``signature`` (staff)."""

    card = fields.String(
        validate=Length(min=8, max=64),
        metadata={"description": "选手卡: the last part of the address in its QR code"},
    )
    entrant = fields.String(validate=ENTRANT, metadata={"description": "a side of the table"})
    pin = fields.String(validate=Length(min=1, max=20), metadata={"description": "of the entrant's card"})
    signature = fields.String(
        validate=Length(max=MOST_LETTERS),
        metadata={
            "description": "JSON: a list of strokes, each a list of [x, y], 0 ≤ x ≤ 1000, 0 ≤ y ≤ 400; taken by staff"
        },
    )
    revision = fields.Integer(
        required=True, validate=Range(min=1), metadata={"description": "the revision that was looked at"}
    )
    idempotency_key = fields.String(
        required=True, validate=KEY, metadata={"description": "made once; sent again with every retry"}
    )
    device = fields.String(validate=Length(max=200))

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        voice = Voice(
            card=body.pop("card", None),
            entry_id=_entry(body.pop("entrant", None)),
            pin=body.pop("pin", None),
            signature=body.pop("signature", None),
        )
        return self.shaped({"voice": voice, "key": body.pop("idempotency_key")} | body)

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        """What the service takes."""
        return body


class DisputeSchema(SideWordSchema):
    note = fields.String(
        required=True,
        validate=Length(max=500),
        metadata={"description": "what is wrong, for the chief referee"},
    )


class CardWordSchema(SideWordSchema):
    """A side's own page: one form, two buttons; the card is in the address."""

    table = fields.String(required=True, validate=Length(max=64))
    said = fields.String(required=True, validate=OneOf([Said.CONFIRMED.value, Said.DISPUTED.value]))
    note = fields.String(validate=Length(max=500), load_default="")


class TableWordSchema(SideWordSchema):
    """The same on the referee's phone."""

    said = fields.String(required=True, validate=OneOf([Said.CONFIRMED.value, Said.DISPUTED.value]))
    note = fields.String(validate=Length(max=500), load_default="")


class AbsentSchema(Schema):
    """The chief referee's word for a side that is away; without an entrant for the whole sheet."""

    entrant = fields.String(validate=ENTRANT)
    reason = fields.String(required=True, validate=Length(max=500))
    revision = fields.Integer(required=True, validate=Range(min=1))
    idempotency_key = fields.String(required=True, validate=KEY)
    device = fields.String(validate=Length(max=200))

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "entry_id": _entry(body.pop("entrant", None)),
            "key": body.pop("idempotency_key"),
        } | body


class DisputeDecisionSchema(SentSchema):
    """What the chief referee makes of a dispute: the sheet stands, or goes back to the table."""

    decision = fields.String(required=True, validate=OneOf([each.value for each in Decision]))
    reason = fields.String(required=True, validate=Length(max=500))

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        return body | {"decision": Decision(body["decision"])}


class BlindEntrySchema(NewRevisionSchema):
    """The whole of a handed-in sheet, entered a second time without seeing it."""

    class Meta(Schema.Meta):
        exclude = ("handed_in",)


class TakeoverSchema(Schema):
    device_id = fields.String(
        required=True, validate=DEVICE_ID, metadata={"description": "the key of the device that takes over"}
    )
    reason = fields.String(required=True, validate=Length(max=500))

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"device": body["device_id"], "reason": body["reason"]}


class SpokenSchema(Schema):
    """What came of a word on a sheet."""

    state = fields.Function(lambda spoken: spoken.state.value)
    revision = fields.Integer()
    repeated = fields.Boolean(metadata={"description": "this very word had been stored before"})


class OwnSheetSchema(SheetSchema):
    """A handed-in sheet as a side of its table sees it: without what others wrote to the chief referee, and who writes."""

    class Meta(SheetSchema.Meta):
        exclude = ("words", "holder")


class PublishedTablesSchema(Schema):
    """Which tables of a round were made public by this act."""

    tables = fields.List(fields.Integer())

"""What is said of a handed-in sheet, and how it is answered."""

from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.documents.rules.undertaking import MOST_LETTERS
from app.draws.rules import entry_of, known_entrant
from app.results.rules import BOARD_RESULTS, PASSED_OUT
from app.results.rules.confirming import Decision, Said
from app.results.schemas import SIDES, NewRevisionSchema, SheetSchema
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


class SignatureSchema(Schema):
    """The form of a finger signature: who signs is in the address."""

    strokes = fields.String(load_default="", validate=Length(max=MOST_LETTERS))
    revision = fields.Integer(required=True, validate=Range(min=1))
    idempotency_key = fields.String(required=True, validate=KEY)

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "signature": body["strokes"],
            "revision": body["revision"],
            "key": body["idempotency_key"],
        }


class TakeoverFormSchema(Schema):
    takeover_reason = fields.String(required=True, validate=Length(min=2, max=500))


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


class BlindDealSchema(Schema):
    """One row of the form: a deal of 二打一."""

    landlord = fields.String(validate=Length(max=40))
    bid = fields.Integer()
    winner = fields.String(validate=OneOf(SIDES))
    bombs = fields.Integer(load_default=0)
    rockets = fields.Integer(load_default=0)
    spring = fields.Boolean(load_default=False)
    anti_spring = fields.Boolean(load_default=False)


class BlindFormSchema(SentSchema):
    """重录核对 as a form: rows of deals, the result of a board, or the end of a match; who forfeited or was late."""

    rows = fields.Integer(
        metadata={"description": "how many rows the page had; the deals say which were filled in"}
    )
    deals = fields.List(fields.Nested(BlindDealSchema), load_default=list, validate=Length(max=100))
    result = fields.String(validate=OneOf(list(BOARD_RESULTS)))
    violations_first = fields.Integer(load_default=0, validate=Range(min=0, max=99))
    violations_second = fields.Integer(load_default=0, validate=Range(min=0, max=99))
    forfeit = fields.Dict(keys=fields.String(), values=fields.Boolean(), load_default=dict)
    late = fields.Dict(keys=fields.String(), values=fields.String(validate=Length(max=10)), load_default=dict)
    levels = fields.Dict(
        keys=fields.String(), values=fields.String(validate=Length(max=2)), load_default=dict
    )
    bank = fields.String(validate=Length(max=40))
    past_a = fields.String(validate=Length(max=40))

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        late = {entrant: minutes.strip() for entrant, minutes in body["late"].items() if minutes.strip()}
        forfeits = [entrant for entrant, gone in body["forfeit"].items() if gone]
        levels = {side: level for side, level in body["levels"].items() if level}
        end = {"levels": levels, "bank": body.get("bank"), "past_a": body.get("past_a")} if levels else {}
        rows = [row for row in body["deals"] if row.get("landlord")]
        deals = [dict(PASSED_OUT) if row["landlord"] == "passed_out" else row for row in rows]
        said = {"forfeits": forfeits, "late": late, **end}
        return {
            "deals": deals,
            "said": {key: value for key, value in said.items() if value},
            "result": body.get("result"),
            "violations": (body["violations_first"], body["violations_second"]),
        }


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

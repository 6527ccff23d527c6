"""The forms of the sheet of a match of 升级."""

from __future__ import annotations

from typing import Any

from app.results.schemas import ENDINGS, UNITS, SentSchema
from app.web.schemas import Length, OneOf, Range, fields
from scoring_engine.tractor.penalties import OUTCOMES

NO_BOTTOM = "none"
LONGEST_RULE = 40


class MatchDealFormSchema(SentSchema):
    """The form of one deal: ``unit`` is ``none`` where the defenders did not win the last trick; empty is left out."""

    deal_number = fields.Integer(required=True, validate=Range(min=1, max=1000))
    banker = fields.String(validate=Length(max=40))
    points = fields.Integer()
    unit = fields.String(load_default=NO_BOTTOM, validate=OneOf([NO_BOTTOM, *UNITS]))
    bottom_points = fields.Integer()
    size = fields.Integer()
    ended = fields.String(load_default="played", validate=OneOf(ENDINGS))
    by = fields.String(validate=Length(max=40))

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        number, unit = body.pop("deal_number"), body.pop("unit")
        points, size = body.pop("bottom_points", None), body.pop("size", None)
        played = body["ended"] == "played"
        if played and unit != NO_BOTTOM:
            body["bottom"] = {"points": points, "unit": unit, "size": size}
        if not played:
            body.pop("points", None)
        if body["ended"] != "given_up":
            body.pop("by", None)
        elif not body.get("banker"):
            body.pop("banker", None)
        return {"deal_number": number, "deal": body}


class RemovedDealSchema(SentSchema):
    deal_number = fields.Integer(required=True, validate=Range(min=1, max=1000))


class MatchTermsSchema(SentSchema):
    """Forfeits, lateness, and the deal that ran when time was up, by entrant: ``forfeit-e12``, ``late-e12``."""

    forfeit = fields.Dict(keys=fields.String(), values=fields.Boolean(), load_default=dict)
    late = fields.Dict(keys=fields.String(), values=fields.String(validate=Length(max=10)), load_default=dict)
    announced_in = fields.Integer(validate=Range(min=0, max=1000))

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        late = {side: minutes.strip() for side, minutes in body["late"].items() if minutes.strip()}
        said: dict[str, Any] = {
            "forfeits": [side for side, gone in body["forfeit"].items() if gone],
            "late": late,
            "announced_in": body.get("announced_in"),
        }
        return {"outcome": said}


class MatchEndSchema(SentSchema):
    """只录级数: both levels by entrant, who banks next, who passed A."""

    levels = fields.Dict(
        keys=fields.String(), values=fields.String(validate=Length(max=2)), load_default=dict
    )
    bank = fields.String(validate=Length(max=40))
    past_a = fields.String(validate=Length(max=40))

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        levels = {side: level for side, level in body["levels"].items() if level}
        return {"outcome": {"levels": levels, "bank": body.get("bank"), "past_a": body.get("past_a")}}


class NewPenaltySchema(SentSchema):
    """One penalty more (判罚)."""

    rule = fields.String(required=True, validate=Length(max=LONGEST_RULE))
    entrant = fields.String(required=True, validate=Length(max=40))
    deal = fields.Integer()
    count = fields.Integer(load_default=1)
    points = fields.Integer()
    outcome = fields.String(validate=OneOf(OUTCOMES))
    insisted = fields.Boolean(load_default=False)

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        return {"penalty": body}


class LiftedPenaltySchema(SentSchema):
    """The number of the penalty that is taken back, from 1, as the sender saw them."""

    number = fields.Integer(required=True, validate=Range(min=1, max=200))

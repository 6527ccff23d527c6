from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, post_load, pre_load

from app.rulings.queries import RulingView
from app.rulings.queries.effects import Effects, PublicRuling, detail
from app.rulings.queries.preview import Preview
from app.rulings.rules import Wanted
from app.rulings.rules.choices import OUTCOME_WORDS, Choice
from app.standings.queries.impact import Impact
from app.standings.rules.impact_words import Lines
from app.text import T
from app.web.i18n import show
from app.web.schemas import Length, OneOf, Range, Schema, fields
from scoring_engine.documents import exact_number


class WantedRulingSchema(Schema):
    """A ruling (判罚): a penalty of the regulation, ``late``, ``forfeit`` or ``expulsion``, with what it needs."""

    code = fields.String(
        required=True,
        validate=Length(max=40),
        metadata={"description": "as GET …/rulings/choices lists them"},
    )
    entry_ids = fields.List(
        fields.Integer(validate=Range(min=1)),
        required=True,
        validate=Length(min=1, max=4),
        metadata={"description": "entries at this table; several for a double forfeit"},
    )
    rule = fields.String(
        load_default=None, validate=Length(max=40), metadata={"description": "what an expulsion rests on"}
    )
    deal = fields.Integer(load_default=None, validate=Range(min=1, max=999))
    count = fields.Integer(load_default=1, metadata={"description": "times, cards or pairs"})
    points = fields.Integer(
        load_default=None,
        validate=Range(min=-9999, max=9999),
        metadata={
            "description": "the chief referee's own amount: signed in place of 记为零分; above 0 in 升级, where the text leaves it open"
        },
    )
    outcome = fields.String(load_default=None, validate=OneOf([*OUTCOME_WORDS]))
    insisted = fields.Boolean(
        load_default=False, metadata={"description": "the defenders insisted (旁家坚持要打)"}
    )
    minutes = fields.Raw(
        load_default=None,
        metadata={
            "type": ["number", "string"],
            "description": "minutes late, exact: a number or a decimal string",
        },
    )

    @post_load
    def _exact(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        written = body["minutes"]
        body["minutes"] = None if written in (None, "") else exact_number(written)
        if written not in (None, "") and body["minutes"] is None:
            raise ValidationError({"minutes": [T("请写分钟数，如 5 或 5.5。")]})
        return body


class GiveRulingSchema(WantedRulingSchema):
    """Giving it."""

    reason = fields.String(
        required=True,
        validate=Length(max=500),
        metadata={"description": "the facts; for the staff, never published"},
    )
    idempotency_key = fields.String(required=True, validate=Length(min=8, max=60))
    previewed = fields.String(
        load_default=None,
        validate=Length(max=80),
        metadata={"description": "the cost that the preview told; 409 where it would be another one now"},
    )


class _FormSchema(WantedRulingSchema):
    """What a form leaves empty was not said."""

    @pre_load
    def _empty(self, raw: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {key: value for key, value in raw.items() if value != "" and key != "step"}


class PreviewFormSchema(_FormSchema):
    """The form of the page, looked at first."""

    reason = fields.String(load_default="", validate=Length(max=500))
    idempotency_key = fields.String(required=True, validate=Length(min=8, max=60))


class RuleFormSchema(_FormSchema, GiveRulingSchema):
    """The same, sent from the page that shows what it would do."""


class ExpelSchema(Schema):
    """Expelling (取消参赛资格) somebody who has no table now."""

    entry_id = fields.Integer(required=True, validate=Range(min=1), metadata={"description": "who was drawn"})
    rule = fields.String(
        required=True, validate=Length(max=40), metadata={"description": "the penalty it rests on"}
    )
    reason = fields.String(
        required=True,
        validate=Length(max=500),
        metadata={"description": "the facts; for the staff, never published"},
    )
    idempotency_key = fields.String(required=True, validate=Length(min=8, max=60))


class WithdrawRulingSchema(Schema):
    """Withdrawing a ruling (撤销判罚)."""

    reason = fields.String(required=True, validate=Length(max=500))


class RulingChoiceSchema(Schema):
    """One thing the regulation lets a referee give."""

    code = fields.String()
    kind = fields.String()
    name = fields.String()
    clause = fields.String()
    effect = fields.String()
    needs = fields.List(fields.String())
    may = fields.List(fields.String())
    most = fields.Integer()
    chief_only = fields.Boolean()
    open_question = fields.String(
        allow_none=True, metadata={"description": "what the text leaves open, and whom to ask"}
    )


class PublicGivenRulingSchema(Schema):
    """A ruling as everybody may read it; reasons stay with the staff."""

    id = fields.Integer(allow_none=True, metadata={"description": "null of what only the score sheet says"})
    stage = fields.String()
    round = fields.Integer()
    table = fields.Integer(allow_none=True)
    name = fields.String()
    rule = fields.String()
    clause = fields.String()
    detail = fields.String(allow_none=True)
    effect = fields.String()
    withdrawn = fields.Boolean()


class GivenRulingSchema(PublicGivenRulingSchema):
    """A ruling as the staff reads it."""

    kind = fields.String()
    code = fields.String()
    entrant = fields.String()
    reason = fields.String()
    made_as = fields.String()
    made_at = fields.DateTime()
    void = fields.Boolean(metadata={"description": "its round was taken back"})
    on_sheet = fields.Boolean(
        metadata={"description": "it stands on the score sheet, else among the adjustments of the event file"}
    )
    withdrawn_at = fields.DateTime(allow_none=True)
    withdrawn_reason = fields.String(allow_none=True)


class GivenRulingsSchema(Schema):
    rulings = fields.List(fields.Nested(GivenRulingSchema))


class RulingWarnedSchema(Schema):
    before = fields.Integer()
    after = fields.Integer()
    every = fields.Integer()


class RulingCostSchema(Schema):
    entrant = fields.String()
    name = fields.String()
    points = fields.Integer(allow_none=True)
    warnings = fields.Nested(RulingWarnedSchema, allow_none=True)


class RulingImpactSchema(Schema):
    title = fields.String()
    rows = fields.List(fields.String())


class RulingPreviewSchema(Schema):
    """What a ruling would do, before it is given."""

    rule = fields.String()
    clause = fields.String()
    effect = fields.String()
    cost = fields.String(metadata={"description": "sent back as previewed"})
    costs = fields.List(fields.Nested(RulingCostSchema))
    in_force = fields.Boolean(metadata={"description": "whether the table counts already"})
    open_question = fields.String(allow_none=True)
    impact = fields.Dict(
        allow_none=True, metadata={"description": "tables, draws, placings, teams, advance, prizes"}
    )
    lines = fields.List(fields.Nested(RulingImpactSchema))


class RulingWithdrawalSchema(Schema):
    """What withdrawing a ruling would change."""

    impact = fields.Dict(allow_none=True)
    lines = fields.List(fields.Nested(RulingImpactSchema))


def wanted_of(body: dict[str, Any]) -> Wanted:
    keys = ("code", "rule", "deal", "count", "points", "outcome", "insisted", "minutes")
    return Wanted(**{key: body[key] for key in keys})


def choice_document(each: Choice) -> dict[str, Any]:
    return {
        "code": each.code,
        "kind": each.kind.value,
        "name": show(each.name),
        "clause": each.clause,
        "effect": show(each.effect),
        "needs": sorted(each.needs),
        "may": sorted(each.may),
        "most": each.most,
        "chief_only": each.chief_only is not None,
        "open_question": each.open_question and show(each.open_question),
    }


def public_document(each: PublicRuling) -> dict[str, Any]:
    return {
        "id": each.id,
        "stage": each.stage,
        "round": each.round_number,
        "table": each.table_number,
        "name": each.name,
        "rule": show(each.rule),
        "clause": each.clause,
        "detail": each.detail and show(each.detail),
        "effect": show(each.effect),
        "withdrawn": each.withdrawn,
    }


def ruling_document(each: RulingView, told: Effects) -> dict[str, Any]:
    said = detail(each)
    return {
        "id": each.id,
        "stage": each.stage,
        "round": each.round_number,
        "table": each.table_number,
        "name": each.person.name,
        "rule": show(told.name(each)),
        "clause": each.clause,
        "detail": said and show(said),
        "effect": show(told.effect(each)),
        "withdrawn": each.withdrawn_at is not None,
        "kind": each.kind.value,
        "code": each.wanted.code,
        "entrant": each.entrant,
        "reason": each.reason,
        "made_as": each.made_as.value,
        "made_at": each.made_at,
        "void": each.void,
        "on_sheet": each.on_sheet,
        "withdrawn_at": each.withdrawn_at,
        "withdrawn_reason": each.withdrawn_reason,
    }


def preview_document(shown: Preview, lines: tuple[Lines, ...]) -> dict[str, Any]:
    return {
        "rule": show(shown.choice.name),
        "clause": shown.choice.clause,
        "effect": show(shown.told),
        "cost": shown.cost,
        "costs": [
            {
                "entrant": each.entrant,
                "name": each.name,
                "points": each.points,
                "warnings": each.warned
                and {"before": each.warned.before, "after": each.warned.after, "every": each.warned.every},
            }
            for each in shown.costs
        ],
        "in_force": shown.in_force,
        "open_question": shown.choice.open_question and show(shown.choice.open_question),
        **impact_document(shown.impact, lines),
    }


def impact_document(impact: Impact | None, lines: tuple[Lines, ...]) -> dict[str, Any]:
    return {
        "impact": None if impact is None else dict(impact.document),
        "lines": [{"title": show(each.title), "rows": [show(row) for row in each.rows]} for each in lines],
    }

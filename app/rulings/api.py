from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import entrant_of
from app.registrations.rules import EntryId
from app.results import queries as results
from app.rulings import queries, service
from app.rulings.queries import effects
from app.rulings.queries.preview import preview, withdrawal
from app.rulings.rules import GIVERS, READERS
from app.rulings.rules.choices import choices
from app.rulings.schemas import (
    ExpelSchema,
    GivenRulingSchema,
    GivenRulingsSchema,
    GiveRulingSchema,
    PublicGivenRulingSchema,
    RulingChoiceSchema,
    RulingPreviewSchema,
    RulingWithdrawalSchema,
    WantedRulingSchema,
    WithdrawRulingSchema,
    choice_document,
    impact_document,
    preview_document,
    public_document,
    ruling_document,
    wanted_of,
)
from app.rulings.service import unseated
from app.standings.queries.impact import names
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint(
    "given_rulings_api", __name__, description="判罚 penalties, lateness, forfeits, expulsion"
)
RULINGS = "/competitions/<slug>/rulings"
OF_TABLE = "/tables/<token>/rulings"


@blueprint.get(RULINGS)
@public
@blueprint.response(200, PublicGivenRulingSchema(many=True))
def show(slug: str) -> list[dict[str, Any]]:
    """The rulings of a competition whose results are public: rule, clause, table, entrant and effect; no reasons."""
    event = competitions.competition(slug).event
    return [public_document(each) for each in effects.public(event)]


@blueprint.get(f"{RULINGS}/choices")
@public
@blueprint.response(200, RulingChoiceSchema(many=True))
def list_choices(slug: str) -> list[dict[str, Any]]:
    """What the regulation lets a referee give, each with its clause and its effect in words."""
    event = competitions.competition(slug).event
    return [choice_document(each) for each in choices(event.regulation)]


@blueprint.get(f"{RULINGS}/records")
@staff(*READERS)
@blueprint.response(200, GivenRulingSchema(many=True))
def records(slug: str) -> list[dict[str, Any]]:
    """Every ruling with its reason, the newest first; withdrawn ones stay readable."""
    event = competitions.competition(slug).event
    known = queries.rulings(event.id)
    told = effects.effects(event, known)
    return [ruling_document(each, told) for each in known]


@blueprint.post(f"{OF_TABLE}/preview")
@staff(*GIVERS)
@blueprint.arguments(WantedRulingSchema)
@blueprint.response(200, RulingPreviewSchema)
def show_preview(body: dict[str, Any], token: str) -> dict[str, Any]:
    """What a ruling would cost and change, before it is given; nothing is stored."""
    view = results.sheet(token)
    current_actor().require(view.event.competition_id, *GIVERS)
    entrants = [entrant_of(EntryId(each)) for each in body["entry_ids"]]
    shown = preview(view, entrants, wanted_of(body))
    lines = shown.impact.lines(names(view.event.id)) if shown.impact else ()
    return preview_document(shown, lines)


@blueprint.post(OF_TABLE)
@staff(*GIVERS)
@blueprint.arguments(GiveRulingSchema)
@blueprint.response(201, GivenRulingsSchema)
def give(body: dict[str, Any], token: str) -> dict[str, Any]:
    """Give a ruling about entrants of this table. The same ``idempotency_key`` does it once."""
    with command(current_actor()) as ctx:
        made = service.rule(ctx, token, **body)
    event = results.sheet(token).event
    known = [queries.ruling(event.id, each) for each in made]
    told = effects.effects(event, known)
    return {"rulings": [ruling_document(each, told) for each in known]}


@blueprint.post(f"{RULINGS}/expulsions")
@staff(*GIVERS)
@blueprint.arguments(ExpelSchema)
@blueprint.response(201, GivenRulingSchema)
def expel(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Expel (取消参赛资格) somebody who has no table now, such as who goes straight on. The same ``idempotency_key`` does it once."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        made = unseated.expel_unseated(ctx, event.id, **body)
    given = queries.ruling(event.id, made)
    return ruling_document(given, effects.effects(event, [given]))


@blueprint.get(f"{RULINGS}/<int:ruling_id>/withdrawal")
@staff(*READERS)
@blueprint.response(200, RulingWithdrawalSchema)
def show_withdrawal(slug: str, ruling_id: int) -> dict[str, Any]:
    """What withdrawing it would change."""
    event = competitions.competition(slug).event
    found = withdrawal(queries.ruling(event.id, ruling_id))
    return impact_document(found, found.lines(names(event.id)) if found else ())


@blueprint.post(f"{RULINGS}/<int:ruling_id>/withdrawal")
@staff(*GIVERS)
@blueprint.arguments(WithdrawRulingSchema)
@blueprint.response(200, GivenRulingSchema)
def withdraw(body: dict[str, Any], slug: str, ruling_id: int) -> dict[str, Any]:
    """Withdraw a ruling (撤销判罚) with a reason; the standings follow."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.withdraw(ctx, event.id, ruling_id, **body)
    made = queries.ruling(event.id, ruling_id)
    return ruling_document(made, effects.effects(event, [made]))

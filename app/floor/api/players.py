from __future__ import annotations

from typing import Any

from app import clock
from app.actors import ANONYMOUS
from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import entry_of, known_entrant
from app.extensions import limiter
from app.floor import queries, service
from app.floor.api.shared import blueprint
from app.floor.entering import token_by_pin
from app.floor.queries import PlayerView
from app.floor.rules import ArrivalWay
from app.floor.rules.hall import NotInRoundError
from app.floor.rules.keys import KEY_MAKERS
from app.floor.schemas import (
    NewRefereeCallSchema,
    PlayerCardSchema,
    PlayerPinSchema,
    PlayerSchema,
    PlayerTokenSchema,
    card_document,
    player_document,
    run_document,
)
from app.web import current_actor, public, staff


@blueprint.post("/competitions/<slug>/player-cards")
@staff(*KEY_MAKERS)
@blueprint.response(200, PlayerCardSchema(many=True))
def cards(slug: str) -> list[dict[str, Any]]:
    """Make the cards that are missing (制作选手卡), and give all of them: tokens and PINs, so it is on record who asked."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.make_player_keys(ctx, event.id)
        found = queries.cards(event.id)
        service.note_printed(ctx, event.id, count=len(found))
    return [card_document(each) for each in found]


@blueprint.post("/competitions/<slug>/player-cards/<entrant>/renewal")
@staff(*KEY_MAKERS)
@blueprint.response(200, PlayerCardSchema)
def renew(slug: str, entrant: str) -> dict[str, Any]:
    """Give a player a new card (换发); the old one opens nothing any more."""
    event = competitions.competition(slug).event
    entry_id = entry_of(known_entrant(entrant))
    with command(current_actor()) as ctx:
        service.renew_player_key(ctx, event.id, entry_id)
    return next(card_document(each) for each in queries.cards(event.id) if each.entrant.entry_id == entry_id)


@blueprint.post("/competitions/<slug>/player-token")
@public
@limiter.limit("10/minute")
@blueprint.arguments(PlayerPinSchema)
@blueprint.response(200, PlayerTokenSchema)
def sign_in(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """The token of a card by its competition number and PIN; after five wrong PINs in a row nobody can try for a while."""
    return {"token": token_by_pin(competitions.competition(slug).event.id, **body)}


@blueprint.get("/players/<token>")
@public
@blueprint.response(200, PlayerSchema)
def player(token: str) -> dict[str, Any]:
    """A player's own page (选手页), by the token of his card."""
    return _player(queries.player_by_token(token))


@blueprint.post("/players/<token>/calls")
@public
@limiter.limit("20/minute")
@blueprint.arguments(NewRefereeCallSchema)
@blueprint.response(201, PlayerSchema)
def call(body: dict[str, Any], token: str) -> dict[str, Any]:
    """Call a referee to the table where the player sits now (呼叫裁判)."""
    found = queries.player_by_token(token)
    own = queries.own_round(found)
    if own is None or own.table is None:
        raise NotInRoundError
    with command(ANONYMOUS) as ctx:
        service.call_referee(ctx, own.table.id, caller_entry_id=found.entry_id, **body)
    return _player(found)


@blueprint.post("/players/<token>/calls/<int:call_id>/withdrawal")
@public
@limiter.limit("20/minute")
@blueprint.response(200, PlayerSchema)
def withdraw_call(token: str, call_id: int) -> dict[str, Any]:
    """Take one's own call back (不用了)."""
    found = queries.player_by_token(token)
    with command(ANONYMOUS) as ctx:
        service.withdraw_call(ctx, call_id, caller_entry_id=found.entry_id)
    return _player(found)


@blueprint.post("/players/<token>/arrival")
@public
@limiter.limit("20/minute")
@blueprint.response(201, PlayerSchema)
def arrive(token: str) -> dict[str, Any]:
    """Say that one is there (报到)."""
    found = queries.player_by_token(token)
    own = queries.own_round(found)
    if own is None or own.table is None:
        raise NotInRoundError
    with command(ANONYMOUS) as ctx:
        service.record_arrival(ctx, own.run.round_id, found.entry_id, way=ArrivalWay.OWN, own=True)
    return _player(found)


def _player(found: PlayerView) -> dict[str, Any]:
    own, now = queries.own_round(found), clock.now()
    document = player_document(found) | {"round": None, "place": None, "arrived_at": None, "calls": []}
    if own is None:
        return document
    document |= {"round": run_document(own.run, now), "arrived_at": own.arrived_at}
    if own.placed and not own.repairing:
        document["place"] = {
            "stage": own.run.stage,
            "number": own.run.number,
            "table": own.table.number if own.table else None,
            "people": [seat.name for seat in own.table.seats] if own.table else [],
        }
    document["calls"] = [
        {"id": each.id, "kind": each.kind.value, "called_at": each.called_at, "taken_at": each.taken_at}
        for each in own.calls
    ]
    return document

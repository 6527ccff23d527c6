"""The sheet of a player's own table (本桌成绩), opened by his card: he reads it, and says that it is right or disputes it."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from app import clock
from app.actors import ANONYMOUS, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import TableView
from app.errors import ConflictError, InvalidError, RefusedError, SaishiError
from app.floor import queries as floor
from app.floor.queries import PlayerView
from app.floor.rules import UnknownPlayerKeyError
from app.results import queries, service
from app.results.pages.confirming import words_of
from app.results.pages.device import device
from app.results.pages.showing import match_context
from app.results.queries import SheetView
from app.results.rules import SheetState
from app.results.rules.confirming import Said
from app.results.schemas.confirming import CardWordSchema
from app.results.service import Voice
from app.web import current_actor, load_form, public

blueprint = Blueprint("own_sheets", __name__)

HERE = "/c/<slug>/p/<card>/sheet"


@blueprint.get(HERE)
@public
def show(slug: str, card: str) -> str:
    """The newest table of the card's holder, and what its sheet says once it is handed in."""
    return _page(slug, card, None)


@blueprint.post(HERE)
@public
def say(slug: str, card: str) -> Response | tuple[str, int]:
    """确认, or 提出争议."""
    try:
        _player(slug, card)
        body = load_form(CardWordSchema, device=device())
        table, said, note = body.pop("table"), body.pop("said"), body.pop("note")
        body["voice"] = Voice(card=card)
        with command(_actor()) as ctx:
            if said == Said.DISPUTED.value:
                spoken = service.dispute(ctx, table, note=note, **body)
            else:
                spoken = service.confirm(ctx, table, **body)
    except (InvalidError, ConflictError, RefusedError) as refusal:
        return _page(slug, card, refusal), refusal.status
    flash(words_of(spoken), "success")
    return redirect(url_for("own_sheets.show", slug=slug, card=card), 303)


def panel(player: PlayerView, table: TableView | None, card: str) -> Markup | None:
    """The part of a player's page (选手页) about the sheet of the table of now; None before anything is handed in."""
    if table is None:
        return None
    view = queries.sheet(table.token)
    if view.state is SheetState.OPEN:
        return None
    slug = competitions.address_of_event(player.event_id)
    return Markup(render_template("results/own_panel.html", **_context(slug, card, player, view)))  # noqa: S704 - a template of ours, escaped there


def _page(slug: str, card: str, refusal: SaishiError | None) -> str:
    player = _player(slug, card)
    tables = [
        table
        for table in draws.tables(player.event_id)
        if any(seat.entry_id == player.entry_id for seat in table.seats)
    ]
    view = queries.sheet(tables[-1].token) if tables else None
    context = _context(slug, card, player, view) if view else {"card": card, "player": player, "view": None}
    return render_template(
        "results/own.html",
        competition=competitions.competition(slug),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
        **context,
    )


def _context(slug: str, card: str, player: PlayerView, view: SheetView) -> dict[str, Any]:
    own = [each for each in view.words if each.entry_id == player.entry_id]
    return {
        "slug": slug,
        "card": card,
        "player": player,
        "view": view,
        "said": own[-1] if own else None,
        "waits_for_me": any(seat.entry_id == player.entry_id for seat in view.waiting_for),
        "may_dispute": view.state is SheetState.ENTERED
        or (view.state is SheetState.CONFIRMED and not view.in_force),
        "now": clock.now(),
        "key": secrets.token_hex(16),
        **match_context(view),
    }


def _player(slug: str, card: str) -> PlayerView:
    found = floor.player_by_token(card)
    if found.event_id != competitions.competition(slug).event.id:
        raise UnknownPlayerKeyError
    return found


def _actor() -> Actor:
    """The signed-in person, so that it is on record whose phone it was, or nobody in particular."""
    actor = current_actor()
    return actor if actor.signed_in else ANONYMOUS

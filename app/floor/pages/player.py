"""A player's own page, opened by the QR code of his card: where he sits now, his arrival, and the call for a referee.

Whoever has the address acts for the player, so it is told to nobody: no search engine, no referrer, no shared cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import current_app, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from markupsafe import Markup
from werkzeug.wrappers import Response

from app import clock
from app.actors import ANONYMOUS, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.draws.queries import TableView
from app.draws.rules import entrant_of
from app.draws.rules.reasons import seat_word
from app.errors import SaishiError
from app.extensions import limiter
from app.floor import queries, service
from app.floor.entering import token_by_pin
from app.floor.pages.shared import blueprint, new_key
from app.floor.queries import PlayerView
from app.floor.rules import ArrivalWay, UnknownPlayerKeyError
from app.floor.rules.hall import ARRIVAL_WAY_NAMES, CALL_KIND_NAMES, HALL_STAFF, NotInRoundError
from app.floor.rules.rounds import RUN_STATE_NAMES
from app.floor.schemas import NewRefereeCallSchema, PlayerPinSchema
from app.text import T
from app.web import current_actor, load_form, public

HERE = "/c/<slug>/p/<token>"
Body = str | Response | tuple[str, int]


def told_to_nobody(view: Callable[..., Body]) -> Callable[..., Response]:
    """The answer of a page whose address is a secret."""

    @wraps(view)
    def answered(*args: Any, **kwargs: Any) -> Response:
        response = make_response(view(*args, **kwargs))
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        response.headers["Cache-Control"] = "no-store"
        return response

    return answered


@blueprint.get(HERE)
@public
@told_to_nobody
def player(slug: str, token: str) -> Body:
    """选手页."""
    return _page(slug, token, None)


@blueprint.post(f"{HERE}/calls")
@public
@limiter.limit("20/minute")
@told_to_nobody
def call(slug: str, token: str) -> Body:
    """呼叫裁判, to the table where the player sits now."""

    def act(found: PlayerView, own: queries.OwnRound | None) -> None:
        body = load_form(NewRefereeCallSchema)
        with command(_actor()) as ctx:
            service.call_referee(ctx, _own_table(own).id, caller_entry_id=found.entry_id, **body)

    return _act(slug, token, act, gettext("已呼叫，请在座位上等候"))


@blueprint.post(f"{HERE}/calls/<int:call_id>/withdrawal")
@public
@limiter.limit("20/minute")
@told_to_nobody
def withdraw_call(slug: str, token: str, call_id: int) -> Body:
    """不用了: take one's own call back."""

    def act(found: PlayerView, _: queries.OwnRound | None) -> None:
        with command(_actor()) as ctx:
            service.withdraw_call(ctx, call_id, caller_entry_id=found.entry_id)

    return _act(slug, token, act, gettext("呼叫已取消"))


@blueprint.post(f"{HERE}/arrival")
@public
@limiter.limit("20/minute")
@told_to_nobody
def arrive(slug: str, token: str) -> Body:
    """报到, by the player himself; or by a referee who scanned the card, signed in on his own phone."""

    def act(found: PlayerView, own: queries.OwnRound | None) -> None:
        _own_table(own)
        by_staff = _is_staff(found)
        with command(current_actor() if by_staff else _actor()) as ctx:
            service.record_arrival(
                ctx,
                own.run.round_id if own else 0,
                found.entry_id,
                way=ArrivalWay.CARD if by_staff else ArrivalWay.OWN,
                own=not by_staff,
            )

    return _act(slug, token, act, gettext("已登记到场"))


@blueprint.get("/c/<slug>/p")
@public
@told_to_nobody
def enter(slug: str) -> Body:
    """用参赛号和 PIN 打开选手页, on a phone that cannot scan the card."""
    return _enter(competitions.competition(slug), None)


@blueprint.post("/c/<slug>/p")
@public
@limiter.limit("10/minute")
@told_to_nobody
def enter_by_pin(slug: str) -> Body:
    competition = competitions.competition(slug)
    try:
        token = token_by_pin(competition.event.id, **load_form(PlayerPinSchema))
    except SaishiError as refusal:
        return _enter(competition, refusal), refusal.status
    return redirect(url_for("floor.player", slug=slug, token=token), 303)


def _enter(competition: CompetitionView, refusal: SaishiError | None) -> str:
    typed = {"number": request.form.get("number", "")} if refusal else {}
    return render_template(
        "floor/enter.html",
        competition=competition,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=typed,
    )


def own_player(slug: str, token: str) -> PlayerView:
    """The player of a card, who plays in this competition. Raises ``UnknownPlayerKeyError``."""
    found = queries.player_by_token(token)
    if found.event_id not in {each.id for each in competitions.competition(slug).events}:
        raise UnknownPlayerKeyError
    return found


def _own_table(own: queries.OwnRound | None) -> TableView:
    if own is None or own.table is None:
        raise NotInRoundError
    return own.table


def _act(
    slug: str, token: str, act: Callable[[PlayerView, queries.OwnRound | None], None], done: str
) -> Body:
    try:
        found = own_player(slug, token)
        act(found, queries.own_round(found))
    except UnknownPlayerKeyError:
        raise
    except SaishiError as refusal:
        return _page(slug, token, refusal), refusal.status
    flash(done, "success")
    return redirect(url_for("floor.player", slug=slug, token=token), 303)


def _page(slug: str, token: str, refusal: SaishiError | None) -> str:
    found = own_player(slug, token)
    competition, now = competitions.competition(slug), clock.now()
    own = queries.own_round(found)
    return render_template(
        "floor/player.html",
        competition=competition,
        player=found,
        entrant=entrant_of(found.entry_id),
        token=token,
        own=own,
        seat=_seat(competition, own, found.entry_id),
        state=own.run.state(now) if own else None,
        state_names=RUN_STATE_NAMES,
        kind_names=CALL_KIND_NAMES,
        way_names=ARRIVAL_WAY_NAMES,
        notices=queries.notices(found.event_id, now),
        by_staff=_is_staff(found),
        panels=_panels(found, own, token),
        key=new_key(),
        now=now,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
    )


def _panels(found: PlayerView, own: queries.OwnRound | None, token: str) -> tuple[Markup, ...]:
    """What later features add to a player's page (``app.routes``): each is told whose page it is, and the table of now."""
    offered = current_app.extensions.get("saishi_player_panels", ())
    shown = (each(found, own.table if own else None, token) for each in offered)
    return tuple(each for each in shown if each)


def _seat(competition: CompetitionView, own: queries.OwnRound | None, entry_id: int) -> T | None:
    """What the player's seat is called: 西, 首叫, 先手."""
    if own is None or own.table is None:
        return None
    scoring = competition.event.regulation.scoring_rules()
    rule = scoring.stage(own.run.stage)
    position = next(place for place, seat in enumerate(own.table.seats) if seat.entry_id == entry_id)
    return seat_word(scoring.game, rule.kind if rule else None, len(own.table.seats), position)


def _is_staff(found: PlayerView) -> bool:
    """Whether a member of the staff has scanned the card, on a phone where he is signed in."""
    actor = current_actor()
    return actor.signed_in and actor.has(competitions.event(found.event_id).competition_id, *HALL_STAFF)


def _actor() -> Actor:
    """Who acts by a card: the signed-in person, so that it is on record whose phone it was, or nobody in particular."""
    actor = current_actor()
    return actor if actor.signed_in else ANONYMOUS

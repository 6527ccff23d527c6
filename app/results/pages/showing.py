"""The pages of a sheet: as it stands, beside another version of it, and while another device writes on it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from flask import render_template, request

from app import clock
from app.competitions import queries as competitions
from app.draws.rules import UnknownTableError
from app.errors import SaishiError
from app.judge.rules.deal_words import DEFENDERS, DIG, UNIT_NAMES
from app.regulations.rules import Bilingual, Deadline
from app.results import queries
from app.results.pages.device import from_here
from app.results.queries import SheetView
from app.results.rules import (
    CORRECTORS,
    SheetConflictError,
    SheetState,
    board_result,
    forfeited,
    violation_rule,
)
from app.results.rules.confirming import DECIDERS, SheetHeldError
from app.results.rules.match_words import match_words
from app.web import current_actor
from scoring_engine.tractor.levels import ACE, level_name

HELD_ANEW = ("csrf_token", "takeover_reason")
"""Fields of a form that are not sent again as they were when a sheet is taken over."""


def own_sheet(slug: str, token: str) -> SheetView:
    """The sheet of a table of this competition, as who is signed in may see it; a token of another one is unknown here."""
    view = queries.sheet(token)
    if view.event.competition_id != competitions.competition_id(slug):
        raise UnknownTableError
    return queries.blinded(view, current_actor().user_id)


def sheet_page(
    slug: str,
    view: SheetView,
    deal_number: int | None,
    values: Mapping[str, Any] | None = None,
    refused: SaishiError | None = None,
) -> str:
    actor = current_actor()
    told = queries.holding(view)
    upcoming = None if view.complete else len(view.deals) + 1
    number = deal_number if deal_number and 1 <= deal_number <= (upcoming or len(view.deals)) else upcoming
    return render_template(
        view.game.page,
        competition=competitions.competition(slug),
        view=view,
        seats=_seats(view),
        deal_number=number,
        recordings=queries.recordings(view),
        key=secrets.token_hex(16),
        hand_in_key=secrets.token_hex(16),
        values=values,
        errors=refused.fields if refused else {},
        clause=refused.clause if refused else None,
        correction=_correction(view),
        correctable=_correctable(view),
        forfeited=forfeited(view.content, view.rules)
        if view.game.counts_deals and "late" in view.game.keys
        else (),
        board_result=None if view.game.plays_deals else board_result(view.outcome, tuple(view.seats)),
        violation=violation_rule(view.rules),
        may_reopen=actor.has(view.event.competition_id, *CORRECTORS),
        may_decide=actor.has(view.event.competition_id, *DECIDERS),
        refused=refused,
        held_by=told
        if view.holder and view.holder.device not in (None, from_here().get("device_id"))
        else None,
        wrote=actor.user_id in queries.writers(view) if view.awaits_second else False,
        locked_now=view.locked(clock.now()),
        **match_context(view),
    )


def match_context(view: SheetView) -> dict[str, Any]:
    """What the template of a match needs besides that of every sheet."""
    if view.match is None:
        return {}
    format_ = view.rules.match
    return {
        "words": match_words(view.match.score, view.names, view.rules),
        "format": format_,
        "defenders": DEFENDERS[view.rules.game],
        "dig": DIG[view.rules.game],
        "units": [(kind.value, name) for kind, name in UNIT_NAMES.items() if format_.deck.longest(kind)],
        "levels": [level_name(level) for level in range(format_.start, ACE + 1)],
        "penalties": [
            (rule.id, Bilingual(rule.name.zh, rule.name.en)) for rule in format_.penalties.rules.values()
        ],
    }


def _seats(view: SheetView) -> list[dict[str, str]]:
    return [
        {"id": entrant, "name": seat.name, "unit": seat.unit_name} for entrant, seat in view.seats.items()
    ]


def _correction(view: SheetView) -> Deadline | None:
    """Until when this confirmed sheet may be re-opened; None when it may not, or where the regulation sets no time."""
    window = view.event.regulation.windows.get("correction")
    if view.state is not SheetState.CONFIRMED or view.published_at is None or window is None:
        return None
    deadline = Deadline(view.published_at + window.length, window.clause)
    return deadline if deadline.accepts(clock.now()) else None


def _correctable(view: SheetView) -> bool:
    """Whether a confirmed sheet may still be re-opened, as far as time goes; a later draw is found when it is tried."""
    if "correction" in view.event.regulation.windows:
        return _correction(view) is not None
    return view.state is SheetState.CONFIRMED


def conflict_page(slug: str, token: str, error: SheetConflictError, deal_number: int | None) -> str:
    """Both versions side by side: keep theirs, or send mine again on top of them."""
    view = own_sheet(slug, token)
    deal = error.extra["sent"].get("deal")
    theirs = view.deals[deal_number - 1] if deal_number and 0 < deal_number <= len(view.deals) else None
    by = queries.newest_recording(view)
    if theirs and deal_number:
        by = queries.recordings(view)[deal_number - 1]
    return render_template(
        "results/conflict.html",
        competition=competitions.competition(slug),
        view=view,
        seats=_seats(view),
        error=error,
        deal_number=deal_number,
        mine=deal,
        my_outcome=error.extra["sent"].get("outcome"),
        theirs=theirs,
        by=by,
        values=request.form.to_dict(),
        key=secrets.token_hex(16),
        again_url=request.path,
    )


def held(error: SheetHeldError) -> tuple[str, int]:
    """Another device writes on this sheet: it is taken over together with what was typed, or left."""
    place = request.view_args or {}
    return render_template(
        "results/held.html",
        competition=competitions.competition(place["slug"]),
        view=own_sheet(place["slug"], place["token"]),
        error=error,
        values=[each for each in request.form.items(multi=True) if each[0] not in HELD_ANEW],
        again_url=request.path,
    ), error.status

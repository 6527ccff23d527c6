"""What the pages of the floor share: the blueprint, and how a refused form comes back."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from flask import Blueprint, flash, redirect
from werkzeug.wrappers import Response

from app.commands import CommandContext, command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.draws.queries import RoundHead, RoundView
from app.errors import SaishiError
from app.floor import queries
from app.floor.queries import RunView
from app.web import current_actor

blueprint = Blueprint("floor", __name__)

Page = Callable[[CompetitionView, SaishiError | None], str]


def new_key() -> str:
    """A key for one act of a form, sent again when the form is sent again."""
    return secrets.token_urlsafe(12)


def answer(
    slug: str, page: Page, act: Callable[[CommandContext, int], Any], done: str, back: str
) -> Response | tuple[str, int]:
    """Do ``act`` on the event and go ``back``; or the page again with what was refused. What no form can mend is raised on."""
    competition = competitions.competition(slug)
    try:
        with command(current_actor()) as ctx:
            act(ctx, competition.event.id)
    except SaishiError as refusal:
        return refused(competition, page, refusal)
    if done:
        flash(done, "success")
    return redirect(back, 303)


def refused(competition: CompetitionView, page: Page, refusal: SaishiError) -> tuple[str, int]:
    if refusal.status not in {409, 422}:
        raise refusal
    return page(competition, refusal), refusal.status


def round_key(round_: RoundHead | RoundView | RunView) -> str:
    """A round in an address: ``prelim-1``."""
    return f"{round_.stage}-{round_.number}"


def chosen_run(event_id: int, asked: str) -> RunView | None:
    """The round that an address asks for, else the newest; None before the first draw."""
    runs = queries.runs(event_id)
    return next((each for each in runs if round_key(each) == asked), runs[-1] if runs else None)

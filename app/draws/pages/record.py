"""抽签, for everybody: what each round was drawn from, and how to draw it again.

A round of thousands reads as many rows as it has seats, so a large event shows one round whole and leads to the others.
"""

from __future__ import annotations

import shlex

from flask import render_template, request

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries
from app.draws.queries import RoundHead, RoundView
from app.draws.queries import division as divisions
from app.draws.queries.views import VoidHead
from app.draws.rules.attendance import AWAY_NAMES
from app.text import T
from app.web.links import external_url

TABLES_A_PAGE = 30
"""A round with more tables names its tables and people elsewhere."""
TABLES_IN_FULL = 300
"""An event with no more tables than this, of all its rounds, has every round on one page."""


def round_key(round_: RoundView | RoundHead) -> str:
    """A round in an address: ``prelim-1``."""
    return f"{round_.stage}-{round_.number}"


def page(slug: str) -> str:
    competition = competitions.competition(slug)
    event = competition.event
    heads = queries.heads(event.id)
    void_heads = queries.void_heads(event.id)
    tables = sum(each.tables for each in heads) + sum(each.tables for each in void_heads)
    large = tables > TABLES_IN_FULL
    rounds, others = _shown(event.id, heads, large=large)
    void_rounds, other_voids = _void_shown(event.id, void_heads, large=large)
    return render_template(
        "draws/show.html",
        competition=competition,
        rounds=rounds,
        others=others,
        round_key=round_key,
        attendance=queries.of_rounds(event.id, rounds),
        away_names=AWAY_NAMES,
        void_rounds=void_rounds,
        other_voids=other_voids,
        division=divisions.division(event.id),
        void_divisions=tuple(reversed(divisions.void_divisions(event.id))),
        commitments=tuple(reversed(queries.commitments(event.id))),
        grouping=_grouping(event),
        most_tables=TABLES_A_PAGE,
        replay_command=_replay_command(slug),
        cards=queries.cards,
    )


def _void_shown(
    event_id: int, heads: tuple[VoidHead, ...], *, large: bool
) -> tuple[tuple[RoundView, ...], tuple[VoidHead, ...]]:
    """The rounds taken back that are shown whole, and those to lead to: all, or of a large event the one that was asked for."""
    if not large:
        return tuple(reversed(queries.void_rounds(event_id))), ()
    asked = request.args.get("void", "")
    chosen = next((each for each in heads if str(each.id) == asked), None)
    whole = () if chosen is None else (queries.void_round(event_id, chosen.id),)
    return whole, tuple(each for each in reversed(heads) if each is not chosen)


def _shown(
    event_id: int, heads: tuple[RoundHead, ...], *, large: bool
) -> tuple[tuple[RoundView, ...], tuple[RoundHead, ...]]:
    """The rounds to show whole, and those to lead to, each the newest first: all, or of a large event the one that was asked for."""
    if not large or len(heads) < 2:
        return tuple(reversed(queries.rounds(event_id))), ()
    asked = request.args.get("round", "")
    chosen = next((each for each in heads if round_key(each) == asked), heads[-1])
    round_ = queries.round_of(event_id, chosen.stage, chosen.number)
    others = tuple(each for each in reversed(heads) if each.id != chosen.id)
    return (round_,) if round_ else (), others


def _replay_command(slug: str) -> str:
    """What anybody types to make every draw again: the public event file, and the program on it."""
    shown = external_url("competitions.show", slug=slug)
    # the event file belongs to standings, which stand to the right of draws; its address is fixed
    address = f"{shown.removesuffix(f'/c/{slug}')}/api/v1/competitions/{slug}/event-file"
    return f"curl -fsS -o {slug}.json {shlex.quote(address)} && saishi verify {slug}.json"


def _grouping(event: EventView) -> T | None:
    """What the regulation's option says on grouping by order, in words."""
    options = event.regulation.interpretations
    return next((each.meaning() for each in options if each.option == "semifinal_grouping"), None)

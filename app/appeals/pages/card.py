"""What a player's own page (选手卡) shows of appeals: the way to one while the time runs, and those he has."""

from __future__ import annotations

from flask import render_template
from markupsafe import Markup

from app import clock
from app.appeals.queries import own, rounds
from app.appeals.rules.refusals import NoAppealsError
from app.appeals.rules.states import STATE_NAMES
from app.competitions import queries as competitions
from app.draws.queries import TableView
from app.floor.queries import PlayerView


def panel(player: PlayerView, table: TableView | None, card: str) -> Markup:
    """Empty where the text has no appeals, or there is nothing to appeal against and nothing was."""
    event = competitions.event(player.event_id)
    try:
        current = rounds.current(event)
    except NoAppealsError:
        return Markup()
    now = clock.now()
    running = current is not None and current.clocks.written_open(now)
    played = current is not None and rounds.place_of(current.head, player.entry_id) is not None
    mine = own.of_entry(player.entry_id)
    if not mine and not (running and played):
        return Markup()
    shown = render_template(
        "appeals/_card.html",
        slug=competitions.address_of_event(player.event_id),
        card=card,
        current=current if running and played else None,
        mine=mine,
        state_names=STATE_NAMES,
        now=now,
    )
    return Markup(shown)  # noqa: S704 - our own template, which escapes what it shows

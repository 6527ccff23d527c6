"""Sheets on the terms of the floor: chosen by the committee, confirmed by sides with their cards."""

from __future__ import annotations

from typing import Any

from app.actors import ANONYMOUS
from app.commands import command
from app.draws.queries import TableView
from app.floor import queries as floor
from app.floor import service as floor_service
from app.floor.rules import Confirmation, Publication
from app.results import queries, service
from app.results.rules.confirming import Decision
from app.results.service import Spoken, Voice
from tests.factories import registrations, results

STROKES = "[[[100,100],[300,200],[500,100]]]"
"""A signature with enough ink."""


def terms(
    event_id: int,
    *,
    slug: str = "beach",
    confirmation: Confirmation = Confirmation.AT_TABLE,
    publication: Publication = Publication.AT_ONCE,
) -> None:
    """The committee chooses how sheets are confirmed and published."""
    with command(registrations.committee(slug)) as ctx:
        floor_service.set_terms(ctx, event_id, confirmation=confirmation, publication=publication)


def cards(event_id: int, slug: str = "beach") -> dict[int, Any]:
    """The card of everybody who plays, by entry; made where there is none."""
    with command(registrations.committee(slug)) as ctx:
        floor_service.make_player_keys(ctx, event_id)
    return {int(each.entrant.entry_id): each for each in floor.cards(event_id)}


def sides(table: TableView) -> list[int]:
    return [int(seat.entry_id) for seat in table.seats]


def handed_in(table: TableView, **changes: Any) -> int:
    """A sheet that is handed in; its revision."""
    return results.confirmed(table, **changes).revision


def revision(table: TableView) -> int:
    return queries.sheet(table.token).revision


def said(table: TableView, entry_id: int, **changes: Any) -> Spoken:
    """A side confirms with its card."""
    card = cards(table.event_id)[entry_id].token
    values: dict[str, Any] = {
        "voice": Voice(card=card),
        "revision": revision(table),
        "key": results.key(),
    } | changes
    with command(ANONYMOUS) as ctx:
        spoken = service.confirm(ctx, table.token, **values)
    return spoken.require()


def disputed(table: TableView, entry_id: int, **changes: Any) -> Spoken:
    """A side disputes, as a referee logs it."""
    values: dict[str, Any] = {
        "voice": Voice(entry_id=entry_id),
        "note": "第三副记错",
        "revision": revision(table),
        "key": results.key(),
    } | changes
    with command(results.referee()) as ctx:
        spoken = service.dispute(ctx, table.token, **values)
    return spoken.require()


def decided(table: TableView, decision: Decision, **changes: Any) -> Spoken:
    """The chief referee decides a dispute."""
    values: dict[str, Any] = {"reason": "核对原牌", "sent": results.sent(table)} | changes
    with command(results.chief()) as ctx:
        return service.decide_dispute(ctx, table.token, decision=decision, **values)


def published(table: TableView) -> tuple[int, ...]:
    """The chief referee publishes the round of a table."""
    with command(results.chief()) as ctx:
        return service.publish_round(ctx, table.event_id, table.stage, table.round_number)

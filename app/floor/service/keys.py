"""Players' keys: made for everybody who plays, renewed when a card is lost, and the PIN that few tries open."""

from __future__ import annotations

import hmac
import secrets

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.floor.models import PlayerKey
from app.floor.rules import BlockedError, WrongPinError
from app.floor.rules.keys import (
    BLOCKED_FOR,
    PIN_DIGITS,
    PIN_TRIES,
    TOKEN_BYTES,
    NoPlayerKeyError,
    normal_pin,
    require_may_make_keys,
)
from app.registrations import queries as registrations


def make_player_keys(ctx: CommandContext, event_id: int) -> int:
    """Make a key for everybody who plays and has none (制作选手卡). Returns how many were made."""
    require_may_make_keys(ctx.actor, competitions.event(event_id).competition_id)
    competitions_service.lock_event(ctx, event_id)  # two taps at once make each key once
    people = [each.entry_id for each in registrations.approved_entries(event_id)]
    held = set(ctx.session.scalars(select(PlayerKey.entry_id).where(PlayerKey.entry_id.in_(people))))
    new = [PlayerKey(entry_id=each, made_at=ctx.now, **_secrets()) for each in people if each not in held]
    if new:
        ctx.session.add_all(new)
        ctx.session.flush()
        ctx.record(AuditAction.PLAYER_KEYS_MADE, ("Event", event_id), count=len(new))
    return len(new)


def renew_player_key(ctx: CommandContext, event_id: int, entry_id: int) -> None:
    """Give a player a new key (换发选手卡): the old card opens nothing from now on. Raises ``NoPlayerKeyError``."""
    require_may_make_keys(ctx.actor, competitions.event(event_id).competition_id)
    people = {each.entry_id for each in registrations.approved_entries(event_id)}
    row = _row(ctx, entry_id)
    if row is None or entry_id not in people:
        raise NoPlayerKeyError
    fresh = _secrets()
    row.token, row.pin, row.made_at = fresh["token"], fresh["pin"], ctx.now
    row.tries, row.blocked_until = 0, None
    ctx.record(AuditAction.PLAYER_KEY_RENEWED, ("Entry", entry_id))


def check_pin(ctx: CommandContext, entry_id: int, pin: str) -> WrongPinError | BlockedError | None:
    """None where this is the PIN of the entry; else why not.

    A wrong try must be counted and committed, so the refusal is returned, for the caller to raise after the command; until
    then the caller does nothing that the PIN would allow. Raises ``NoPlayerKeyError``.
    """
    row = _row(ctx, entry_id)
    if row is None:
        raise NoPlayerKeyError
    if row.blocked_until is not None:
        if ctx.now < row.blocked_until:
            return BlockedError(row.blocked_until)
        row.blocked_until, row.tries = None, 0
    fits = hmac.compare_digest(row.pin.encode(), normal_pin(pin).encode())
    row.tries = 0 if fits else row.tries + 1
    if row.tries >= PIN_TRIES:
        row.blocked_until = ctx.now + BLOCKED_FOR
    ctx.record(AuditAction.PIN_TRIED, ("Entry", entry_id), tries=row.tries)
    if fits:
        return None
    return (
        WrongPinError(PIN_TRIES - row.tries) if row.blocked_until is None else BlockedError(row.blocked_until)
    )


def note_printed(ctx: CommandContext, event_id: int, *, count: int) -> None:
    """The cards of an event are being printed: whoever has the file holds the PINs, so it is on record who got it."""
    require_may_make_keys(ctx.actor, competitions.event(event_id).competition_id)
    ctx.record(AuditAction.PLAYER_CARDS_PRINTED, ("Event", event_id), count=count)


def _row(ctx: CommandContext, entry_id: int) -> PlayerKey | None:
    return ctx.session.scalar(
        select(PlayerKey)
        .where(PlayerKey.entry_id == entry_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )


def _secrets() -> dict[str, str]:
    return {
        "token": secrets.token_urlsafe(TOKEN_BYTES),
        "pin": f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}",
    }

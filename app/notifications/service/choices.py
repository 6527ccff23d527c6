"""Stopping (退订) mail that is not essential, and taking it up again; an address is known by its keyed hash alone."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.notifications import links
from app.notifications.models import MailOptOut
from app.notifications.rules import BadStopLinkError


def stop(ctx: CommandContext, hashes: Collection[str]) -> None:
    """No more letters that are not essential to these addresses; again: nothing more happens."""
    for recipient_hash in sorted(hashes):
        known = ctx.session.scalar(select(MailOptOut.id).where(MailOptOut.recipient_hash == recipient_hash))
        if known is None:
            # two taps at once: the other transaction stored it first
            with suppress(IntegrityError), ctx.session.begin_nested():
                ctx.session.add(MailOptOut(recipient_hash=recipient_hash, at=ctx.now))
    ctx.record(AuditAction.MAIL_STOPPED, ("MailOptOut", "one"))


def resume(ctx: CommandContext, hashes: Collection[str]) -> None:
    """Send such letters to these addresses again."""
    ctx.session.execute(delete(MailOptOut).where(MailOptOut.recipient_hash.in_(hashes)))
    ctx.record(AuditAction.MAIL_RESUMED, ("MailOptOut", "one"))


def stop_by_token(ctx: CommandContext, *, token: str) -> None:
    """As ``stop``, by the link of a letter: whoever reads the mailbox may say so. Raises ``BadStopLinkError``."""
    stop(ctx, {_hash_of(token)})


def resume_by_token(ctx: CommandContext, *, token: str) -> None:
    """As ``resume``, by the link of a letter. Raises ``BadStopLinkError``."""
    resume(ctx, {_hash_of(token)})


def _hash_of(token: str) -> str:
    recipient_hash = links.read_token(token)
    if recipient_hash is None:
        raise BadStopLinkError
    return recipient_hash

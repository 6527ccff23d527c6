"""How far the mailbox was read, and how the last look went."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.mailbox.models import MailboxState


@dataclass(frozen=True, slots=True)
class Polled:
    """Where a look begins: everything up to ``last_uid`` of the numbering ``uid_validity`` is here; what was passed over behind it lies
    before ``passed_uid``, where this look goes on.
    """

    uid_validity: int | None
    last_uid: int
    passed_uid: int | None = None
    last_error: str | None = None


def begin_numbering(ctx: CommandContext, folder: str, uid_validity: int) -> Polled:
    """Where to begin in a folder that is numbered so. A new numbering begins at its first message: each is known by its key."""
    state = _state(ctx, folder)
    if state.uid_validity != uid_validity:
        before, state.uid_validity, state.last_uid = state.uid_validity, uid_validity, 0
        state.passed_uid = None
        ctx.session.flush()
        ctx.record(AuditAction.MAILBOX_NUMBERED, ("MailboxState", folder), before=before, now=uid_validity)
    else:
        ctx.continues(AuditAction.MAILBOX_POLLED)
    return Polled(state.uid_validity, state.last_uid, state.passed_uid, state.last_error)


def note_passed(ctx: CommandContext, folder: str, passed_uid: int | None) -> None:
    """How far a look came beyond what it could not have; None: to the end, or there was nothing of the kind."""
    _state(ctx, folder).passed_uid = passed_uid
    ctx.continues(AuditAction.MAILBOX_POLLED)


def note_success(ctx: CommandContext, folder: str, begun: datetime | None) -> None:
    """The mailbox was read. ``begun``: to its end, by a look that began then; None: there is more."""
    state = _state(ctx, folder)
    was_failing = state.failed_since is not None
    state.failed_since, state.last_error = None, None
    if begun is not None:
        state.polled_at = begun
    ctx.session.flush()
    if was_failing:
        ctx.record(AuditAction.MAILBOX_POLLED, ("MailboxState", folder), works=True)
    else:
        ctx.continues(AuditAction.MAILBOX_POLLED)  # one entry for a change, none for each minute


def note_failure(ctx: CommandContext, folder: str, code: str) -> None:
    """The mailbox could not be read; ``code`` of ``MailboxDownError``, or ``store``."""
    state = _state(ctx, folder)
    is_new = state.failed_since is None or state.last_error != code
    state.failed_since = state.failed_since or ctx.now
    state.last_error = code
    ctx.session.flush()
    if is_new:
        ctx.record(AuditAction.MAILBOX_POLLED, ("MailboxState", folder), works=False, why=code)
    else:
        ctx.continues(AuditAction.MAILBOX_POLLED)


def _state(ctx: CommandContext, folder: str) -> MailboxState:
    state = ctx.session.get(MailboxState, folder, with_for_update={"key_share": True})
    if state is None:
        state = MailboxState(folder=folder, last_uid=0)
        ctx.session.add(state)
        ctx.session.flush()
    return state

"""What people do with a message: read it, give it to a competition or a case, set it aside, take it up again."""

from __future__ import annotations

import json

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.jobs import Job
from app.mailbox import queries
from app.mailbox.models import IncomingMessage
from app.mailbox.rules import (
    HandedOverError,
    IncomingKind,
    IncomingState,
    Letter,
    NotLetterError,
    NotOpenError,
    OwnCompetitionError,
    Reason,
    StillReceivedError,
    UnknownIncomingError,
    led_by,
)
from app.mailbox.rules.permissions import require_may_read
from app.uploads.rules import UploadId
from app.uploads.rules.refusals import UploadNotFoundError

OPEN = frozenset({IncomingState.TRIAGE.value, IncomingState.SET_ASIDE.value})


def look(ctx: CommandContext, incoming_id: int) -> Letter:
    """A message to be read by whoever asks; that he did is on record. Raises ``HandedOverError`` for one that a case has."""
    row = _readable(ctx, incoming_id)
    ctx.record(AuditAction.MAIL_READ, row)
    return queries.letter(incoming_id)


def look_at_file(ctx: CommandContext, incoming_id: int, position: int) -> UploadId:
    """The upload of an attachment, to be shown to whoever asks; that he looked is on record. Raises ``UploadNotFoundError``."""
    row = _readable(ctx, incoming_id)
    found = next((each for each in queries.files_of(row.id) if each.position == position), None)
    if found is None or found.upload_id is None:
        raise UploadNotFoundError
    ctx.record(AuditAction.MAIL_READ, row, file=position)
    return UploadId(found.upload_id)


def assign(
    ctx: CommandContext,
    incoming_id: int,
    *,
    competition_id: int,
    unit_id: int | None = None,
    case_number: str = "",
) -> None:
    """Give a letter to a competition, and say whose it is or which case it belongs to; a worker goes on with it.

    Raises ``NotOpenError`` where somebody dealt with it, ``NotLetterError`` for what holds nothing that could be given.
    """
    row = _open(ctx, incoming_id)
    if row.kind == IncomingKind.TOO_LARGE.value and not (row.subject or row.text):
        raise NotLetterError
    if row.kind not in {IncomingKind.LETTER.value, IncomingKind.TOO_LARGE.value}:
        row.kind = IncomingKind.LETTER.value
    head = {**queries.head_of(row), "unit_id": unit_id, "case_number": case_number.strip().upper() or None}
    row.head = json.dumps(head, ensure_ascii=False)
    moved = row.competition_id not in {None, competition_id}
    if moved and any(each.upload_id is not None for each in queries.files_of(row.id)):
        raise NotOpenError  # its files are uploads of the other competition
    row.competition_id, row.state, row.reason, row.attempts = (
        competition_id,
        IncomingState.NEW.value,
        Reason.TAKEN_UP.value,
        0,
    )
    row.processed_by_id = ctx.actor.require_signed_in()
    ctx.session.flush()
    ctx.record(AuditAction.MAIL_ASSIGNED, row, competition=competition_id, unit=unit_id, case=case_number)
    ctx.after_commit(Job.PROCESS_MAIL, incoming_id=row.id)


def set_aside(ctx: CommandContext, incoming_id: int, *, note: str) -> None:
    """Nothing is done with this message; ``note`` says why, for colleagues."""
    row = _open(ctx, incoming_id)
    row.state, row.reason, row.note = IncomingState.SET_ASIDE.value, Reason.BY_HAND.value, note
    row.processed_at, row.processed_by_id = ctx.now, ctx.actor.require_signed_in()
    ctx.session.flush()
    ctx.record(AuditAction.MAIL_SET_ASIDE, row)


def take_up(ctx: CommandContext, incoming_id: int) -> None:
    """A message that was set aside is a letter after all: it waits for somebody again."""
    row = _open(ctx, incoming_id)
    if row.state == IncomingState.TRIAGE.value:
        return
    row.state, row.reason = IncomingState.TRIAGE.value, Reason.TAKEN_UP.value
    row.kind, row.note = IncomingKind.LETTER.value, None
    row.processed_at, row.processed_by_id = None, ctx.actor.require_signed_in()
    ctx.session.flush()
    ctx.record(AuditAction.MAIL_TAKEN_UP, row)


def _open(ctx: CommandContext, incoming_id: int) -> IncomingMessage:
    row = _readable(ctx, incoming_id)
    if row.state not in OPEN:
        raise NotOpenError
    return row


def _readable(ctx: CommandContext, incoming_id: int) -> IncomingMessage:
    row = ctx.session.get(IncomingMessage, incoming_id, with_for_update={"key_share": True})
    if row is None:
        require_may_read(ctx.actor, None)
        raise UnknownIncomingError
    require_may_read(ctx.actor, row.competition_id)
    if row.competition_id in led_by(ctx.actor.user_id):
        raise OwnCompetitionError
    if row.purged_at is not None:
        raise UnknownIncomingError
    if row.case_number is not None:
        raise HandedOverError(row.case_number)
    if row.state == IncomingState.NEW.value:
        raise StillReceivedError
    return row

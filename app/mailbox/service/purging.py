"""What is personal in a message goes when its time is over. Its row and its key stay: it is known if it comes again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, select, update

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.mailbox.models import IncomingFile, IncomingMessage
from app.mailbox.rules import IncomingKind, IncomingState
from app.uploads import queries as uploads_queries
from app.uploads import service as uploads
from app.uploads.queries import KeptFile

AT_ONCE = 100

MACHINES_KEPT = timedelta(days=30)
"""How long is kept what a machine sent: long enough to see that a letter was taken for one."""


@dataclass(frozen=True, slots=True)
class ErasedMail:
    """What went: how many messages, and each of their files, for a report of hashes. Files of a case are the case's to delete."""

    messages: int
    files: tuple[KeptFile, ...]


def purge(ctx: CommandContext, *, keep_days: int) -> int:
    """Empty messages of no competition that are older than ``keep_days``, and what machines sent a month ago. How many.

    Those of a competition go with its personal data.
    """
    machines = [
        kind.value
        for kind in (IncomingKind.AUTOMATIC, IncomingKind.LOOP, IncomingKind.BOUNCE, IncomingKind.EMPTY)
    ]
    old = ctx.session.scalars(
        select(IncomingMessage.id)
        .where(
            IncomingMessage.purged_at.is_(None),
            IncomingMessage.competition_id.is_(None),
            IncomingMessage.state != IncomingState.NEW.value,
            (IncomingMessage.received_at < ctx.now - timedelta(days=keep_days))
            | (IncomingMessage.kind.in_(machines) & (IncomingMessage.received_at < ctx.now - MACHINES_KEPT)),
        )
        .order_by(IncomingMessage.id)
        .limit(AT_ONCE)
    ).all()
    return _empty(ctx, old).messages


def erase_of_competition(ctx: CommandContext, competition_id: int) -> ErasedMail:
    """Empty the next messages of a competition, ``AT_ONCE`` at most; nothing left: 0 messages. The caller asks whether it is time.

    A feature that keeps uploads of a letter deletes them after this, for here they are named too.
    """
    ids = ctx.session.scalars(
        select(IncomingMessage.id)
        .where(IncomingMessage.competition_id == competition_id, IncomingMessage.purged_at.is_(None))
        .order_by(IncomingMessage.id)
        .limit(AT_ONCE)
    ).all()
    return _empty(ctx, ids)


def release_of_competition(ctx: CommandContext, competition_id: int) -> None:
    """Empty every message of a competition that is deleted whole. What stays of each is of no competition: its key, for it may come again."""
    while erase_of_competition(ctx, competition_id).messages:
        pass
    ctx.session.execute(
        update(IncomingMessage)
        .where(IncomingMessage.competition_id == competition_id)
        .values(
            competition_id=None,
            state=IncomingState.SET_ASIDE.value,
            case_number=None,
            processed_by_id=None,
        )
    )


def _empty(ctx: CommandContext, ids: Sequence[int]) -> ErasedMail:
    if not ids:
        return ErasedMail(0, ())
    rows = ctx.session.scalars(
        select(IncomingMessage).where(IncomingMessage.id.in_(ids)).with_for_update()
    ).all()
    raw = [row.raw_file_id for row in rows if row.raw_file_id is not None]
    loose = [row.id for row in rows if row.case_number is None]
    own_uploads = ctx.session.scalars(
        select(IncomingFile.upload_id).where(
            IncomingFile.incoming_id.in_(loose), IncomingFile.upload_id.is_not(None)
        )
    ).all()
    upload_ids = [each for each in own_uploads if each is not None]
    files = (*uploads_queries.kept(upload_ids), *uploads_queries.kept_raw(raw))
    for row in rows:
        row.sender = row.sender_hash = row.subject = row.text = row.head = row.note = row.message_id = None
        row.raw_file_id, row.purged_at = None, ctx.now
        if row.state == IncomingState.NEW.value:
            row.state = IncomingState.SET_ASIDE.value
    ctx.session.execute(delete(IncomingFile).where(IncomingFile.incoming_id.in_(ids)))
    ctx.session.flush()
    uploads.erase_files(ctx, raw)
    uploads.erase(ctx, upload_ids)
    ctx.record(AuditAction.MAIL_PURGED, ("IncomingMessage", "several"), count=len(rows), files=len(files))
    return ErasedMail(len(rows), files)

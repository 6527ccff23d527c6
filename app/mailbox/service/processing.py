"""The worker's act: a stored message goes where it belongs. Safe to run twice, and again after a crash at any point.

``take`` counts the attempt and reads the row; ``prepare_files`` writes attachments to the store, with no transaction open;
``deal_with`` does everything that counts in one command: uploads, the case, the answer, the bounce. So either all of it happened, or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.extensions import db
from app.files import store
from app.files.store import FileDamagedError, FileMissingError, Sealed
from app.jobs import Job
from app.mail.parsing import Attachment, Parsed, parse
from app.mailbox import queries
from app.mailbox.models import IncomingFile, IncomingMessage
from app.mailbox.rules import (
    ATTEMPTS_MOST,
    DAY,
    LETTERS_A_DAY,
    LOST_AFTER,
    MOST_FILES,
    FileRefusal,
    IncomingKind,
    IncomingState,
    Reason,
    Taken,
    answer_key,
    bound_letters,
    is_answered,
    letter_number,
)
from app.notifications import service as notifications
from app.notifications.letters import LetterKind
from app.notifications.rules import Recipient
from app.uploads import queries as uploads_queries
from app.uploads import service as uploads
from app.uploads.rules import purpose, require_size
from app.uploads.rules.refusals import TooLargeError

PURPOSE = "evidence"


@dataclass(frozen=True, slots=True)
class Work:
    """A message in a worker's hands: where its bytes are (None: too large, or gone), and its competition where that is known."""

    incoming_id: int
    kind: IncomingKind
    raw: Sealed | None
    competition_id: int | None
    has_uploads: bool


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was read once more, the competition it is about, and its files in the store by their position."""

    parsed: Parsed | None
    competition_id: int | None
    sealed: Mapping[int, Sealed] = field(default_factory=dict)
    refused: Mapping[int, FileRefusal] = field(default_factory=dict)


def take(ctx: CommandContext, incoming_id: int) -> Work | None:
    """Take up a stored message; None if it was dealt with. One that ended its worker again and again is left to people."""
    row = ctx.session.get(
        IncomingMessage, incoming_id, with_for_update={"key_share": True, "skip_locked": True}
    )
    if row is None or row.state != IncomingState.NEW.value:
        return None
    if row.attempts >= ATTEMPTS_MOST:
        row.state, row.reason = IncomingState.TRIAGE.value, Reason.UNPROCESSABLE.value
        ctx.record(AuditAction.MAIL_PROCESSED, row, state=row.state, reason=row.reason)
        return None
    row.attempts += 1
    ctx.continues(AuditAction.MAIL_PROCESSED)
    ctx.session.flush()
    return Work(
        incoming_id=row.id,
        kind=IncomingKind(row.kind),
        raw=uploads_queries.stored_file(row.raw_file_id) if row.raw_file_id is not None else None,
        competition_id=row.competition_id,
        has_uploads=any(each.upload_id is not None for each in queries.files_of(row.id)),
    )


def prepare_files(work: Work) -> Prepared:
    """Read the message again, ask which competition it is about, and put its files into the store. Raises ``StoreDownError``."""
    parsed = _read_again(work)
    competition_id = work.competition_id
    if work.kind in {IncomingKind.LETTER, IncomingKind.TOO_LARGE} and competition_id is None:
        competition_id = _place(work.incoming_id)
        db.session.rollback()  # what was read is judged again by ``deal_with``
    if parsed is None or work.has_uploads or work.kind is not IncomingKind.LETTER:
        return Prepared(parsed, competition_id)
    sealed: dict[int, Sealed] = {}
    refused: dict[int, FileRefusal] = {}
    taken = 0
    for position, each in enumerate(parsed.attachments, 1):
        # judged also where the competition is not known: what is answered must not tell whether a number is one of a case
        if (refusal := _refusal(each, taken)) is not None:
            refused[position] = refusal
            continue
        taken += 1
        if competition_id is not None:
            sealed[position] = uploads.store_raw(each.content)
    return Prepared(parsed, competition_id, sealed, refused)


def put_off(ctx: CommandContext, incoming_id: int) -> None:
    """The store is away: nothing is wrong with the message, the sweep sends it again."""
    row = ctx.session.get(IncomingMessage, incoming_id, with_for_update={"key_share": True})
    if row is not None and row.state == IncomingState.NEW.value:
        row.attempts -= 1
        ctx.continues(AuditAction.MAIL_PROCESSED)


def _read_again(work: Work) -> Parsed | None:
    if work.raw is None:
        return None
    try:
        return parse(b"".join(store.read(work.raw)))
    except (FileMissingError, FileDamagedError):  # what was read at first is still in the row
        return None


def _place(incoming_id: int) -> int | None:
    letter = queries.letter(incoming_id)
    letters = bound_letters()
    found = letters.place(letter) if letters is not None else None
    if found is None and letter.answers:
        found = letter.answers[0]
    return found


def _refusal(each: Attachment, taken: int) -> FileRefusal | None:
    if not each.content:
        return FileRefusal.EMPTY
    if taken >= MOST_FILES:
        return FileRefusal.TOO_MANY
    try:
        require_size(purpose(PURPOSE), each.name, len(each.content))
    except TooLargeError:
        return FileRefusal.TOO_LARGE
    return None


def deal_with(
    ctx: CommandContext, work: Work, prepared: Prepared, *, own: frozenset[str] = frozenset()
) -> None:
    """Everything that counts, at once. Where another worker was first, only what was stored for it is deleted."""
    row = ctx.session.get(IncomingMessage, work.incoming_id, with_for_update={"key_share": True})
    if row is None or row.state != IncomingState.NEW.value or row.competition_id != work.competition_id:
        for sealed in prepared.sealed.values():
            uploads.forget_raw(ctx, sealed)
        return
    taken: Taken | None = None
    if work.kind is IncomingKind.BOUNCE:
        _note_bounce(ctx, row, prepared.parsed)
    else:
        row.competition_id = prepared.competition_id
        _take_in(ctx, row, prepared)
        taken = _dispatch(ctx, row)
        _answer(ctx, row, taken, own)
    row.processed_at = ctx.now
    ctx.session.flush()
    ctx.record(
        AuditAction.MAIL_PROCESSED,
        row,
        state=row.state,
        reason=row.reason,
        competition=row.competition_id,
        case=row.case_number,
    )


def _note_bounce(ctx: CommandContext, row: IncomingMessage, parsed: Parsed | None) -> None:
    """Tell the outbox which letter came back. A report on a letter that is none of ours is set aside."""
    noted = False
    if parsed is not None and parsed.bounce is not None:
        bounce = parsed.bounce
        noted = any(
            notifications.record_bounce(ctx, message_id=each, hard=bounce.hard, reason=bounce.reason)
            for each in bounce.message_ids
        )
    row.state = (IncomingState.PROCESSED if noted else IncomingState.SET_ASIDE).value
    row.reason = Reason.BOUNCE.value


def _take_in(ctx: CommandContext, row: IncomingMessage, prepared: Prepared) -> None:
    """Attachments become uploads; once they all are, nothing needs the message's own bytes."""
    files = ctx.session.scalars(select(IncomingFile).where(IncomingFile.incoming_id == row.id)).all()
    for file in files:
        if file.upload_id is not None:
            continue
        if row.competition_id is not None and file.position in prepared.sealed:
            file.upload_id = uploads.take_in(
                ctx,
                competition_id=row.competition_id,
                purpose=PURPOSE,
                name=file.name,
                sealed=prepared.sealed[file.position],
            )
        elif file.position in prepared.refused:
            file.refusal = prepared.refused[file.position].value
    if row.competition_id is not None and row.raw_file_id is not None and prepared.parsed is not None:
        raw, row.raw_file_id = row.raw_file_id, None
        ctx.session.flush()
        uploads.erase_files(ctx, [raw])
    ctx.session.flush()


def _dispatch(ctx: CommandContext, row: IncomingMessage) -> Taken | None:
    """Give the letter to the feature of cases, or leave it to people, with the reason."""
    reason = Reason.UNMATCHED if row.competition_id is not None else Reason.UNPLACED
    taken: Taken | None = None
    letters = bound_letters()
    if row.kind == IncomingKind.TOO_LARGE.value:
        reason = Reason.TOO_LARGE
    elif row.sender_hash is None:
        reason = Reason.NO_SENDER
    elif _came_today(ctx, row) > LETTERS_A_DAY and row.reason != Reason.TAKEN_UP.value:
        reason = Reason.MANY_CAME
    elif row.competition_id is not None and letters is not None:
        taken = letters.take(ctx, row.id)
    if taken is None:
        row.state, row.reason = IncomingState.TRIAGE.value, reason.value
    else:
        row.state, row.reason, row.case_number = IncomingState.PROCESSED.value, None, taken.case_number
    return taken


def _came_today(ctx: CommandContext, row: IncomingMessage) -> int:
    return ctx.session.scalar(
        select(func.count())
        .select_from(IncomingMessage)
        .where(
            IncomingMessage.sender_hash == row.sender_hash,
            IncomingMessage.kind == IncomingKind.LETTER.value,
            IncomingMessage.received_at > ctx.now - DAY,
        )
    ) or 0  # fmt: skip


def _answer(ctx: CommandContext, row: IncomingMessage, taken: Taken | None, own: frozenset[str]) -> None:
    """Say that it came, and under which number; never to a machine, and a few times a day to one address."""
    head = queries.head_of(row)
    if (
        (taken is not None and taken.answered)
        or head.get("automatic")
        or row.reason == Reason.MANY_CAME.value
    ):
        return
    sender = row.sender or ""
    today = ctx.session.scalar(
        select(func.count())
        .select_from(IncomingMessage)
        .where(IncomingMessage.sender_hash == row.sender_hash, IncomingMessage.answered_at > ctx.now - DAY)
    )
    if not is_answered(IncomingKind(row.kind), sender=sender, own=own, answers_today=today or 0):
        return
    if taken is None and row.answered_at is not None:
        return
    number = taken.case_number if taken is not None else letter_number(row.id)
    refused = sum(each.refusal is not None for each in queries.files_of(row.id))
    queued = notifications.queue_letter(
        ctx,
        kind=LetterKind.MAIL_RECEIVED,
        to=Recipient(user_id=None, email=sender, phone=None, language=_language(row)),
        competition_id=row.competition_id,
        context={
            "number": number,
            "is_case": taken is not None,
            "too_large": row.kind == IncomingKind.TOO_LARGE.value,
            "refused_files": refused,
            "received_at": row.received_at,
        },
        key=answer_key(row.id, number),
        in_reply_to=row.message_id,
        automatic=True,
    )
    if queued is not None:
        row.answered_at = ctx.now


def _language(row: IncomingMessage) -> str:
    """The language of the letter: English only where it has words and none of them is Chinese."""
    written = f"{row.subject or ''} {row.text or ''}"
    chinese = any("\u4e00" <= char <= "\u9fff" for char in written)
    return "zh" if chinese or not any(char.isalpha() for char in written) else "en"


def sweep(ctx: CommandContext) -> int:
    """Send again the jobs of messages that nobody dealt with. How many."""
    lost = ctx.session.scalars(
        select(IncomingMessage.id)
        .where(
            IncomingMessage.state == IncomingState.NEW.value,
            IncomingMessage.received_at < ctx.now - LOST_AFTER,
        )
        .order_by(IncomingMessage.id)
        .limit(100)
    ).all()
    for incoming_id in lost:
        ctx.after_commit(Job.PROCESS_MAIL, incoming_id=incoming_id)
    return len(lost)

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from app.mailbox.models import IncomingFile, IncomingMessage
from app.mailbox.rules import Letter, LetterFile, UnknownIncomingError, case_numbers, letter_number
from app.notifications.models import Message


def letter(incoming_id: int) -> Letter:
    """A message, read. Asks no permission and records no reading: who shows it does. Raises ``UnknownIncomingError``."""
    row = db.session.get(IncomingMessage, incoming_id)
    if row is None or row.purged_at is not None:
        raise UnknownIncomingError
    head = head_of(row)
    references = tuple(head.get("references", ()))
    return Letter(
        id=row.id,
        number=letter_number(row.id),
        received_at=row.received_at,
        sender=row.sender or "",
        sender_name=head.get("sender_name", ""),
        sender_hash=row.sender_hash,
        user_ids=_confirmed_by(row.sender_hash),
        subject=row.subject or "",
        text=row.text or "",
        message_id=row.message_id,
        references=references,
        answers=_competitions_of(references),
        case_numbers=case_numbers(head.get("case_number") or "", row.subject or "", row.text or ""),
        competition_id=row.competition_id,
        unit_id=head.get("unit_id"),
        files=files_of(row.id),
    )


def files_of(incoming_id: int) -> tuple[LetterFile, ...]:
    """The attachments of a message in their order."""
    rows = db.session.scalars(
        select(IncomingFile).where(IncomingFile.incoming_id == incoming_id).order_by(IncomingFile.position)
    )
    return tuple(LetterFile(row.position, row.name, row.size, row.upload_id, row.refusal) for row in rows)


def head_of(row: IncomingMessage) -> Mapping[str, Any]:
    """What else is known of a message: who is named as its sender, what it answers, what could not be read."""
    found: Mapping[str, Any] = json.loads(row.head) if row.head else {}
    return found


def _confirmed_by(sender_hash: str | None) -> tuple[int, ...]:
    if sender_hash is None:
        return ()
    return tuple(
        db.session.scalars(
            select(User.id)
            .where(User.email_hash == sender_hash, User.email_confirmed_at.is_not(None))
            .order_by(User.id)
        )
    )


def _competitions_of(references: tuple[str, ...]) -> tuple[int, ...]:
    """The competitions of those letters of ours that are answered, in the order of ``references``."""
    if not references:
        return ()
    known: dict[str, int | None] = {
        row[0]: row[1]
        for row in db.session.execute(
            select(Message.message_id, Message.competition_id).where(Message.message_id.in_(references))
        )
    }
    found = (known.get(each) for each in references)
    return tuple(dict.fromkeys(each for each in found if each is not None))

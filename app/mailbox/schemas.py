from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.mailbox.queries import DetailView, IncomingView
from app.mailbox.rules import FILE_REFUSALS, FileRefusal, IncomingKind, IncomingState, Letter, told_problems
from app.text import T
from app.web.schemas import Length, OneOf, Range, Schema, fields

SHOWN = (IncomingState.TRIAGE, IncomingState.SET_ASIDE, IncomingState.PROCESSED, IncomingState.NEW)


class StateSchema(Schema):
    """Which messages are listed."""

    state = fields.String(
        load_default=IncomingState.TRIAGE.value, validate=OneOf([state.value for state in SHOWN])
    )
    beyond = fields.Integer(
        load_default=None,
        validate=Range(min=1, max=2**31 - 1),
        metadata={"description": "id; the page behind this message"},
    )


class AssignSchema(Schema):
    """Where a letter belongs."""

    competition = fields.String(
        required=True, validate=Length(min=1, max=100), metadata={"description": "its slug"}
    )
    unit_id = fields.Integer(
        load_default=None,
        allow_none=True,
        validate=Range(min=1),
        metadata={"description": "whose letter it is, if known"},
    )
    case_number = fields.String(
        load_default="",
        validate=Length(max=20),
        metadata={"description": "the case it belongs to, if there is one"},
    )


class SetAsideSchema(Schema):
    """Why nothing is done with a message."""

    note = fields.String(required=True, validate=Length(min=2, max=300))


class IncomingSchema(Schema):
    """A message on the list: nothing of what it says."""

    id = fields.Integer(required=True)
    number = fields.String(required=True)
    received_at = fields.AwareDateTime(required=True)
    sender = fields.String(required=True, metadata={"description": "masked"})
    size = fields.Integer(required=True, metadata={"description": "bytes"})
    files = fields.Integer(required=True)
    kind = fields.String(required=True, validate=OneOf([kind.value for kind in IncomingKind]))
    state = fields.String(required=True, validate=OneOf([state.value for state in IncomingState]))
    reason = fields.String(allow_none=True)
    case_number = fields.String(allow_none=True)


class IncomingFileSchema(Schema):
    """An attachment."""

    position = fields.Integer(required=True)
    name = fields.String(required=True)
    size = fields.Integer(required=True, metadata={"description": "bytes"})
    refusal = fields.String(
        allow_none=True, metadata={"description": "the sentence of one that was not taken"}
    )


class LetterSchema(Schema):
    """A message, read; every reading is on record."""

    id = fields.Integer(required=True)
    number = fields.String(required=True)
    received_at = fields.AwareDateTime(required=True)
    sender = fields.String(
        required=True, metadata={"description": "as the message claims; nothing proves it"}
    )
    sender_name = fields.String(required=True)
    sender_confirmed = fields.Boolean(
        required=True, metadata={"description": "an account confirmed this address"}
    )
    subject = fields.String(required=True)
    text = fields.String(required=True)
    case_numbers = fields.List(fields.String(), required=True)
    problems = fields.List(fields.String(), required=True)
    files = fields.List(fields.Nested(IncomingFileSchema), required=True)


class MailboxSchema(Schema):
    """How the mailbox does."""

    polled_at = fields.AwareDateTime(required=True, allow_none=True)
    failing_since = fields.AwareDateTime(required=True, allow_none=True)
    why = fields.String(required=True, allow_none=True)


def incoming_document(view: IncomingView) -> dict[str, Any]:
    return {
        "id": view.id,
        "number": view.number,
        "received_at": view.received_at,
        "sender": view.sender,
        "size": view.size,
        "files": view.files,
        "kind": view.kind.value,
        "state": view.state.value,
        "reason": view.reason.value if view.reason else None,
        "case_number": view.case_number,
    }


def letter_document(letter: Letter, detail: DetailView, show: Callable[[T], str]) -> dict[str, Any]:
    """A message as JSON; ``show`` turns a sentence into the reader's language."""
    return {
        "id": letter.id,
        "number": letter.number,
        "received_at": letter.received_at,
        "sender": letter.sender,
        "sender_name": letter.sender_name,
        "sender_confirmed": bool(letter.user_ids),
        "subject": letter.subject,
        "text": letter.text,
        "case_numbers": list(letter.case_numbers),
        "problems": [show(each) for each in told_problems(detail.problems)],
        "files": [
            {
                "position": each.position,
                "name": each.name,
                "size": each.size,
                "refusal": show(FILE_REFUSALS[FileRefusal(each.refusal)]) if each.refusal else None,
            }
            for each in letter.files
        ],
    }

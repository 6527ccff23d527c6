from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select, true

from app import clock
from app.accounts.models import User
from app.competitions.queries import EventView
from app.extensions import db
from app.mailbox.models import IncomingFile, IncomingMessage, MailboxState
from app.mailbox.rules import (
    IncomingKind,
    IncomingState,
    Letter,
    LetterFile,
    Reason,
    UnknownIncomingError,
    answer_key,
    case_numbers,
    letter_number,
    watched,
)
from app.mailbox.rules.holding import unplaced_until
from app.mailbox.rules.permissions import COMMITTEE
from app.mailbox.rules.telling import QUIET, why_failing
from app.notifications.models import Message
from app.notifications.queries import OutboxRow, latest_by_key
from app.notifications.rules import masked
from app.text import T
from app.waiting import Waiting, age
from app.workdays import queries as workdays


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
        proven=_answers_a_letter_to(row.sender_hash, references),
        subject=row.subject or "",
        text=row.text or "",
        message_id=row.message_id,
        references=references,
        answers=_competitions_of(references),
        case_numbers=case_numbers(
            head.get("case_number") or "", row.subject or "", row.text or "", *_subjects_of(references)
        ),
        competition_id=row.competition_id,
        unit_id=head.get("unit_id"),
        given_case=head.get("case_number"),
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


def _answers_a_letter_to(sender_hash: str | None, references: tuple[str, ...]) -> bool:
    """Whether one of these is a letter of ours that went to this address: nobody else knows its Message-ID."""
    if sender_hash is None or not references:
        return False
    found = select(Message.id).where(
        Message.message_id.in_(references), Message.recipient_hash == sender_hash
    )
    return db.session.scalar(found.limit(1)) is not None


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


def _subjects_of(references: tuple[str, ...]) -> tuple[str, ...]:
    """The subjects of those letters of ours that are answered, in the order of ``references``: they name their case."""
    if not references:
        return ()
    found = select(Message.message_id, Message.subject).where(Message.message_id.in_(references))
    known: dict[str, str] = {row[0]: row[1] for row in db.session.execute(found)}
    return tuple(known[each] for each in references if each in known)


@dataclass(frozen=True, slots=True)
class IncomingView:
    """A message on the list: nothing of what it says, and its sender only so far that a colleague recognises him.

    Of one that a case has, or may have in a moment, nothing says who sent it: whoever is concerned reads this list, too.
    """

    id: int
    number: str
    received_at: datetime
    sender: str
    size: int
    files: int
    kind: IncomingKind
    state: IncomingState
    reason: Reason | None
    competition_id: int | None
    case_number: str | None
    hidden: bool


@dataclass(frozen=True, slots=True)
class DetailView:
    """What else the page of a message shows. ``problems``: codes of ``app.mail.parsing.Problem``; ``answer``: how our answer fares,
    which no outbox shows, for it would say who wrote.
    """

    view: IncomingView
    note: str | None
    problems: tuple[str, ...]
    answer: OutboxRow | None


@dataclass(frozen=True, slots=True)
class MailboxHealth:
    """When the mailbox was last read to its end, since when it cannot be, and the code of the reason."""

    polled_at: datetime | None
    failing_since: datetime | None
    error: str | None


PER_PAGE = 100


def incoming(
    scopes: Collection[int | None] | None,
    state: IncomingState,
    *,
    beyond: int | None = None,
    closed: Collection[int | None] = (),
) -> tuple[IncomingView, ...]:
    """Messages of these competitions (None among them: of none yet; None: all) in a state: what waits the oldest first, the rest the newest first.

    A page of them: those behind the one with the id ``beyond``. ``closed``: competitions in which the reader leads a unit; of their letters he sees that they are there.
    """
    oldest_first = state is IncomingState.TRIAGE
    found = select(IncomingMessage).where(
        _within(scopes), IncomingMessage.state == state.value, IncomingMessage.purged_at.is_(None)
    )
    if beyond is not None:
        found = found.where(IncomingMessage.id > beyond if oldest_first else IncomingMessage.id < beyond)
    order = IncomingMessage.id if oldest_first else IncomingMessage.id.desc()
    rows = db.session.scalars(found.order_by(order).limit(PER_PAGE)).all()
    counts = _file_counts([row.id for row in rows])
    return tuple(_view(row, counts.get(row.id, 0), closed) for row in rows)


def detail(incoming_id: int) -> DetailView:
    """What is known of a message beside its text. Asks no permission. Raises ``UnknownIncomingError``."""
    row = db.session.get(IncomingMessage, incoming_id)
    if row is None:
        raise UnknownIncomingError
    view = _view(row, _file_counts([row.id]).get(row.id, 0))
    return DetailView(
        view, row.note, tuple(head_of(row).get("problems", ())), latest_by_key(answer_key(row.id))
    )


def triage_count(scopes: Collection[int | None] | None) -> int:
    """How many messages of these competitions wait for somebody."""
    return db.session.scalar(
        select(func.count())
        .select_from(IncomingMessage)
        .where(_within(scopes), IncomingMessage.state == IncomingState.TRIAGE.value)
    ) or 0  # fmt: skip


def health() -> MailboxHealth | None:
    """How the folder does that is looked into; None where there is none, or it was never looked into."""
    folder = watched()
    row = db.session.get(MailboxState, folder, populate_existing=True) if folder is not None else None
    return MailboxHealth(row.polled_at, row.failed_since, row.last_error) if row is not None else None


@dataclass(frozen=True, slots=True)
class Outstanding:
    """What of the mail of a span of time is not known yet; true while there is anything.

    ``unread``: the mailbox was not read to its end since. ``letters`` of the competition, and ``unplaced`` ones of none, came in
    it, and neither people nor the worker have said what they are. ``unplaced_until``: so long the latter are waited for.
    """

    unread: bool = False
    letters: int = 0
    unplaced: int = 0
    unplaced_until: datetime | None = None

    def __bool__(self) -> bool:
        return self.unread or bool(self.letters or self.unplaced)


NOTHING = Outstanding()


def outstanding(competition_id: int, begin: datetime, end: datetime) -> Outstanding:
    """What of the mail that came from ``begin`` until before ``end`` may still be about this competition.

    Mail of lists that belongs to no competition is not waited for: nobody's newsletter holds anything. Nor is a letter of no
    competition, once there was time to sort it (``rules.holding``).
    """
    until = unplaced_until(end, workdays.calendar())
    of_none = IncomingMessage.competition_id.is_(None) & (IncomingMessage.kind != IncomingKind.LIST.value)
    mine = IncomingMessage.competition_id == competition_id
    waits = db.session.execute(
        select(IncomingMessage.competition_id.is_not(None), func.count())
        .where(
            IncomingMessage.state.in_([IncomingState.NEW.value, IncomingState.TRIAGE.value]),
            IncomingMessage.received_at >= begin,
            IncomingMessage.received_at < end,
            mine | of_none if clock.now() < until else mine,
        )
        .group_by(IncomingMessage.competition_id.is_not(None))
    )
    counts: dict[bool, int] = {bool(row[0]): row[1] for row in waits}
    return Outstanding(
        _unread(end), counts.get(True, 0), counts.get(False, 0), until if counts.get(False) else None
    )


def _unread(end: datetime) -> bool:
    folder = watched()
    if folder is None:
        return False
    state = db.session.get(MailboxState, folder, populate_existing=True)
    return state is None or state.polled_at is None or state.polled_at < end


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Letters of the competition that nobody could place, and a mailbox that cannot be read."""
    found = []
    if count := triage_count([event.competition_id]):
        found.append(
            Waiting(
                T("%(count)s 封来信待分拣", count=count), T("去分拣"), "mailbox.of_competition", COMMITTEE
            )
        )
    state = health()
    if state is not None and state.failing_since is not None and now - state.failing_since > QUIET:
        found.append(
            Waiting(
                T(
                    "收信邮箱读不出，已有%(age)s：%(why)s",
                    age=age(now - state.failing_since),
                    why=why_failing(state.error),
                ),
                T("看来信"),
                "mailbox.of_competition",
                COMMITTEE,
            )
        )
    return tuple(found)


def _within(scopes: Collection[int | None] | None) -> ColumnElement[bool]:
    if scopes is None:
        return true()
    named = IncomingMessage.competition_id.in_([each for each in scopes if each is not None])
    return named | IncomingMessage.competition_id.is_(None) if None in scopes else named


def _file_counts(ids: Collection[int]) -> Mapping[int, int]:
    rows = db.session.execute(
        select(IncomingFile.incoming_id, func.count())
        .where(IncomingFile.incoming_id.in_(list(ids)))
        .group_by(IncomingFile.incoming_id)
    )
    return {row[0]: row[1] for row in rows}


def _view(row: IncomingMessage, files: int, closed: Collection[int | None] = ()) -> IncomingView:
    hidden = (
        row.case_number is not None
        or row.state == IncomingState.NEW.value
        or (row.competition_id is not None and row.competition_id in closed)
    )
    return IncomingView(
        id=row.id,
        number=letter_number(row.id),
        received_at=row.received_at,
        sender=masked(row.sender) if row.sender and not hidden else "",
        size=0 if hidden else row.size,
        files=0 if hidden else files,
        kind=IncomingKind(row.kind),
        state=IncomingState(row.state),
        reason=Reason(row.reason) if row.reason else None,
        competition_id=row.competition_id,
        case_number=row.case_number,
        hidden=hidden,
    )

"""What reviewers read: the queue by age, one document on the desk, who looked at it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import case, func, select

from app.accounts.queries import session_user
from app.clock import beijing_date
from app.competitions.queries import CompetitionView
from app.documents.models import Document, DocumentPage, DocumentRevision
from app.documents.rules.fields import DocumentField, Role, fields_of
from app.documents.rules.review import Claim
from app.documents.rules.states import DocumentId, DocumentState
from app.documents.rules.values import Demand, asked_fields, valid_until
from app.documents.rules.verdicts import Verdict, first_broken, judge
from app.extensions import db
from app.registrations.models import Entry, EntryMember, Member, Registration, Unit
from app.registrations.rules import EntryState
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T
from app.uploads.models import Upload

EXPIRING_WITHIN = timedelta(days=7)
"""A document that stops to be valid within this time is listed as expiring soon."""

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents of a competition; None everywhere is all of them."""

    kind: str | None = None
    unit_id: int | None = None
    event_id: int | None = None
    state: DocumentState | None = None
    expiring: bool = False


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One document as the queue shows it: no ID number, no phone."""

    id: DocumentId
    kind: str
    name: str
    unit_id: int
    unit_name: str
    of_unit: bool
    leader_user_id: int
    state: DocumentState
    revision: int
    pages: int
    handed_in_at: datetime
    valid_to: date | None
    expiring: bool
    typed: tuple[tuple[DocumentField, str], ...] = field(repr=False)
    """What was typed beside the pictures, field by field; empty where nothing was."""
    verdicts: tuple[Verdict, ...]
    claim: Claim | None
    claimed_by: str | None
    """The masked number of who has it, while the claim holds."""

    @property
    def kind_name(self) -> T:
        return DOCUMENT_KINDS[self.kind]

    @property
    def broken(self) -> Verdict | None:
        return first_broken(self.verdicts)


@dataclass(frozen=True, slots=True)
class Queue:
    """The documents that a filter lets through, the oldest first, one page of them; and how many there are of what."""

    rows: tuple[QueueRow, ...]
    matching: int
    page: int
    pages: int
    states: Mapping[DocumentState, int]
    kinds: Mapping[str, int]
    units: tuple[tuple[int, str], ...]
    claimed: int
    oldest: datetime | None


def narrowed(statement: Any, wanted: Filter, competition_id: int) -> Any:
    """The part of a filter that the database knows; withdrawn documents are nobody's work."""
    statement = statement.where(
        Document.competition_id == competition_id, Document.state != DocumentState.WITHDRAWN.value
    )
    if wanted.kind is not None:
        statement = statement.where(Document.kind == wanted.kind)
    if wanted.unit_id is not None:
        statement = statement.where(Document.unit_id == wanted.unit_id)
    if wanted.state is not None:
        statement = statement.where(Document.state == wanted.state.value)
    if wanted.event_id is not None:
        members = (
            select(EntryMember.member_id)
            .join(Entry, Entry.id == EntryMember.entry_id)
            .where(EntryMember.event_id == wanted.event_id, Entry.state != EntryState.WITHDRAWN.value)
        )
        units = select(Registration.unit_id).where(Registration.event_id == wanted.event_id)
        statement = statement.where(
            Document.member_id.in_(members) | (Document.member_id.is_(None) & Document.unit_id.in_(units))
        )
    return statement


def queue(competition: CompetitionView, wanted: Filter, now: datetime, page: int = 1) -> Queue:
    """The documents by age, the oldest first. Only what is on the page is read; the rest is counted by the database."""
    expiring = expiring_ids(competition, wanted, now) if wanted.expiring else None
    matching = _count(wanted, competition.id) if expiring is None else len(expiring)
    pages = max(1, -(-matching // PER_PAGE))
    page = min(max(page, 1), pages)
    first = (page - 1) * PER_PAGE
    if expiring is None:
        rows = _rows(competition, _in_order(wanted, competition.id).limit(PER_PAGE).offset(first), now)
    else:
        rows = list(rows_of(competition, expiring[first : first + PER_PAGE], now))
    whole = partial(narrowed, wanted=Filter(), competition_id=competition.id)
    counted = db.session.execute(whole(select(Document.state, func.count())).group_by(Document.state))
    states = dict(map(tuple, counted))
    waiting = Document.state == DocumentState.UPLOADED.value
    kinds = db.session.execute(
        whole(select(Document.kind, func.count())).where(waiting).group_by(Document.kind)
    )
    units = db.session.execute(
        select(Unit.id, Unit.name).where(Unit.id.in_(whole(select(Document.unit_id)))).order_by(Unit.id)
    )
    claimed, oldest = db.session.execute(
        whole(
            select(func.count(case((Document.claimed_until >= now, 1))), func.min(Document.handed_in_at))
        ).where(waiting)
    ).one()
    return Queue(
        rows=tuple(rows),
        matching=matching,
        page=page,
        pages=pages,
        states={
            state: states.get(state.value, 0)
            for state in DocumentState
            if state is not DocumentState.WITHDRAWN
        },
        kinds=dict(sorted((kind, count) for kind, count in kinds)),
        units=tuple((unit.id, unit.name) for unit in units),
        claimed=claimed,
        oldest=oldest,
    )


def expiring_ids(competition: CompetitionView, wanted: Filter, now: datetime) -> tuple[int, ...]:
    """Those that end soon, the oldest first.

    The database cannot find them by itself: how long a document is valid is encrypted with what was typed. So the values
    of the kinds that have a last day are read, and nothing else.
    """
    ending = {
        rule.kind
        for event in competition.events
        for rule in event.regulation.documents
        if any(each.role is Role.VALID_TO for each in fields_of(rule))
    }
    entered = _entered(competition)
    today = beijing_date(now)
    found = db.session.execute(
        _of_newest(
            narrowed(
                select(Document.id, Document.kind, Document.subject, Document.member_id),
                wanted,
                competition.id,
            )
        )
        .add_columns(DocumentRevision.values)
        .where(Document.kind.in_(ending))
        .order_by(Document.handed_in_at, Document.id)
    )
    return tuple(
        document_id
        for document_id, kind, subject, member_id, values in found
        if _is_expiring(
            valid_until(
                demands(competition, kind, entered.get(subject, ()), of_unit=member_id is None),
                json.loads(values),
            ),
            today,
        )
    )


def rows_of(competition: CompetitionView, ids: Collection[int], now: datetime) -> tuple[QueueRow, ...]:
    """These documents of the competition, the oldest first; what is not there is left out."""
    return tuple(_rows(competition, _in_order(Filter(), competition.id).where(Document.id.in_(ids)), now))


def demands_of(competition: CompetitionView, document: Document) -> tuple[Demand, ...]:
    """What the events that this member (or unit) entered ask for of this kind; of all events where none asks."""
    if document.member_id is not None:
        entered = set(
            db.session.scalars(
                select(EntryMember.event_id).where(EntryMember.member_id == document.member_id)
            )
        )
    else:
        entered = set(
            db.session.scalars(select(Registration.event_id).where(Registration.unit_id == document.unit_id))
        )
    return demands(competition, document.kind, entered, of_unit=document.member_id is None)


def demands(
    competition: CompetitionView, kind: str, entered: Collection[int], *, of_unit: bool
) -> tuple[Demand, ...]:
    asking = [
        (event.id, rule, event.regulation.calendar)
        for event in competition.events
        for rule in event.regulation.documents
        if rule.kind == kind and rule.of_unit is of_unit
    ]
    own = [(rule, calendar) for event_id, rule, calendar in asking if event_id in entered]
    return tuple(own or [(rule, calendar) for _, rule, calendar in asking])


def values_of(document: Document) -> dict[str, str]:
    """What was typed beside the newest revision."""
    stored = db.session.scalar(
        select(DocumentRevision.values).where(
            DocumentRevision.document_id == document.id, DocumentRevision.number == document.revision
        )
    )
    values: dict[str, str] = json.loads(stored or "{}")
    return values


def claim_of(document: Document) -> Claim | None:
    if document.claimed_by_id is None or document.claimed_until is None:
        return None
    return Claim(document.claimed_by_id, document.claimed_until)


def _count(wanted: Filter, competition_id: int) -> int:
    statement = narrowed(select(func.count()).select_from(Document), wanted, competition_id)
    return db.session.scalar(statement) or 0


def _of_newest(statement: Any) -> Any:
    """With the newest revision of each document."""
    return statement.join(
        DocumentRevision,
        (DocumentRevision.document_id == Document.id) & (DocumentRevision.number == Document.revision),
    )


def _in_order(wanted: Filter, competition_id: int) -> Any:
    """What a row of the queue is made of, the oldest first; of the unit no encrypted column."""
    columns = (Document, Unit.id, Unit.name, Unit.leader_user_id, Member.name, DocumentRevision.values)
    return (
        _of_newest(narrowed(select(*columns), wanted, competition_id))
        .join(Unit, Unit.id == Document.unit_id)
        .outerjoin(Member, Member.id == Document.member_id)
        .order_by(Document.handed_in_at, Document.id)
    )


def _is_expiring(last: date | None, today: date) -> bool:
    return last is not None and last <= today + EXPIRING_WITHIN


def _rows(competition: CompetitionView, statement: Any, now: datetime) -> list[QueueRow]:
    found = db.session.execute(statement).all()
    shown = [row[0] for row in found]
    entered = _entered(competition, shown)
    pages = _page_counts([document.id for document in shown])
    holders = {claim.by for document in shown if (claim := claim_of(document)) and claim.holds(now)}
    names = {user_id: masked_name(user_id) for user_id in holders}  # a few people, however many rows
    today = beijing_date(now)
    rows = []
    for document, unit_id, unit_name, leader_user_id, name, typed in found:
        values = json.loads(typed)
        of_unit = document.member_id is None
        asked = demands(competition, document.kind, entered.get(document.subject, ()), of_unit=of_unit)
        last = valid_until(asked, values)
        claim = claim_of(document)
        rows.append(
            QueueRow(
                id=DocumentId(document.id),
                kind=document.kind,
                name=name or unit_name,
                unit_id=unit_id,
                unit_name=unit_name,
                of_unit=of_unit,
                leader_user_id=leader_user_id,
                state=DocumentState(document.state),
                revision=document.revision,
                pages=pages.get(document.id, 0),
                handed_in_at=document.handed_in_at,
                valid_to=last,
                expiring=_is_expiring(last, today),
                typed=tuple((each, values.get(each.name, "")) for each in asked_fields(asked)),
                verdicts=judge(asked, values),
                claim=claim,
                claimed_by=names[claim.by] if claim and claim.holds(now) else None,
            )
        )
    return rows


def _entered(competition: CompetitionView, of: Sequence[Document] | None = None) -> dict[str, set[int]]:
    """The events of every subject of the competition, or of the subjects of these documents."""
    events = [event.id for event in competition.events]
    found: dict[str, set[int]] = {}
    members = select(EntryMember.member_id, EntryMember.event_id).where(EntryMember.event_id.in_(events))
    units = select(Registration.unit_id, Registration.event_id).where(Registration.event_id.in_(events))
    if of is not None:
        members = members.where(EntryMember.member_id.in_({row.member_id for row in of if row.member_id}))
        units = units.where(Registration.unit_id.in_({row.unit_id for row in of}))
    for member_id, event_id in db.session.execute(members):
        found.setdefault(f"m{member_id}", set()).add(event_id)
    for unit_id, event_id in db.session.execute(units):
        found.setdefault(f"u{unit_id}", set()).add(event_id)
    return found


def _page_counts(document_ids: Sequence[int]) -> dict[int, int]:
    """How many pages the pictures have that count, by document."""
    rows = db.session.execute(
        select(
            DocumentRevision.document_id,
            DocumentRevision.number,
            func.sum(func.coalesce(Upload.pages, 1)),
        )
        .join(DocumentPage, DocumentPage.revision_id == DocumentRevision.id)
        .join(Upload, Upload.id == DocumentPage.upload_id)
        .where(DocumentRevision.document_id.in_(document_ids))
        .group_by(DocumentRevision.document_id, DocumentRevision.number)
        .order_by(DocumentRevision.number)
    )
    return {document_id: int(count) for document_id, _, count in rows}  # the newest stays


def masked_name(user_id: int) -> str | None:
    """A person of the staff as leaders may see him: the masked phone, the only name an account has."""
    found = session_user(user_id)
    return found.phone_masked if found else None

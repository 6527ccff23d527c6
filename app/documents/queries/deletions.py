"""Requests to delete (删除请求): where a member stands, what was asked and answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy import func, select

from app.clock import beijing_date
from app.competitions.queries import CompetitionView, EventView
from app.documents.models import DeletionRequest
from app.documents.rules import Subject
from app.documents.rules.privacy import NoUnitError, RequestState, Scope, Stage, answer_by, stage_of
from app.documents.rules.purging import READERS
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.models import Member, Unit
from app.registrations.queries import held
from app.registrations.queries.held import HeldMember, HeldUnit
from app.registrations.rules import EntryState, MemberId, UnitId
from app.registrations.rules.entries import MAX_ID
from app.text import T
from app.waiting import Waiting, age
from app.workdays import queries as workdays

Published = Callable[[int], Mapping[int, str]]
"""Of each entry of an event that is on a list ``in_publication``, ``objected`` or ``confirmed``: publications come after documents."""


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request with its answer; ``kind`` of the document, None for everything of the member.

    ``member_id`` is None where a document of the unit itself is meant; ``name`` is then the unit's.
    """

    id: int
    member_id: MemberId | None
    unit_id: UnitId
    name: str
    unit_name: str
    kind: str | None
    document_id: int | None
    state: RequestState
    asked_by_id: int
    asked_at: datetime
    answer_by: date
    answer: str | None = field(repr=False)
    answered_at: datetime | None

    @property
    def scope(self) -> Scope:
        return Scope.MEMBER if self.kind is None else Scope.DOCUMENT

    @property
    def whose(self) -> str:
        """The member with his unit, or the unit."""
        return self.unit_name if self.member_id is None else f"{self.name} · {self.unit_name}"

    def late(self, today: date) -> bool:
        """Whether the day to answer is over."""
        return self.state is RequestState.OPEN and today > self.answer_by


def stage(
    competition: CompetitionView, whose: HeldMember | HeldUnit, published: Published, now: datetime
) -> Stage:
    """Where a member, or a unit with all of its entries, stands, as far as deletion is concerned."""
    entered = {each.event_id for each in whose.entries}
    events = [event for event in competition.events if event.id in entered] or list(competition.events)
    standing = {each.entry_id: each.state for each in whose.entries if each.state is not EntryState.WITHDRAWN}
    listed = [
        state
        for event in events
        for entry_id, state in published(event.id).items()
        if entry_id in {each.entry_id for each in whose.entries}
    ]
    return stage_of(
        list(standing.values()),
        published=listed,
        entries_open=any(event.regulation.calendar.registration_deadline.accepts(now) for event in events),
        closed=any(event.entries_closed for event in events),
        over=beijing_date(now) > max(event.regulation.calendar.play_to for event in events),
        held=registrations.hold_of(competition.id, now) is not None,
    )


def requests_of(whose: Subject) -> tuple[RequestView, ...]:
    """What was asked for a member, or for the documents of a unit itself, the newest first."""
    if whose.of_unit:
        return _views(DeletionRequest.unit_id == whose.unit_id)[::-1]
    return _views(DeletionRequest.member_id == whose.member_id)[::-1]


def held_of(competition: CompetitionView, asked: RequestView) -> HeldMember | HeldUnit:
    """The member or unit a request is about. Raises ``UnknownMemberError``, ``NoUnitError``."""
    if asked.member_id is not None:
        return held.member_held(competition, asked.member_id)
    unit = held.unit_held(competition, asked.unit_id)
    if unit is None:
        raise NoUnitError
    return unit


def requests(competition: CompetitionView) -> tuple[RequestView, ...]:
    """Every request of a competition: open ones first, the oldest first."""
    found = _views(DeletionRequest.competition_id == competition.id)
    return tuple(sorted(found, key=lambda each: (each.state is not RequestState.OPEN, each.id)))


def request(competition: CompetitionView, request_id: int) -> RequestView | None:
    """None where there is none, also for another competition's."""
    if request_id > MAX_ID:
        return None
    found = _views(DeletionRequest.id == request_id, DeletionRequest.competition_id == competition.id)
    return found[0] if found else None


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Requests that nobody answered yet; told with the first event of a competition."""
    count, oldest = db.session.execute(
        select(func.count(), func.min(DeletionRequest.asked_at)).where(
            DeletionRequest.competition_id == event.competition_id,
            DeletionRequest.state == RequestState.OPEN.value,
        )
    ).one()
    if oldest is None:
        return ()
    text = T("%(count)s 个删除请求等待答复（最早：%(age)s前）", count=count, age=age(now - oldest))
    return (Waiting(text, T("去答复"), "documents.keeping", READERS),)


def _views(*conditions: object) -> tuple[RequestView, ...]:
    rows = db.session.execute(
        select(DeletionRequest, Member.name, Unit.id, Unit.name)
        .outerjoin(Member, Member.id == DeletionRequest.member_id)
        .join(Unit, Unit.id == func.coalesce(DeletionRequest.unit_id, Member.unit_id))
        .where(*conditions)  # type: ignore[arg-type]  # conditions of ours
        .order_by(DeletionRequest.id)
    ).all()
    calendar = workdays.calendar() if rows else None
    return tuple(
        RequestView(
            id=row.id,
            member_id=None if row.member_id is None else MemberId(row.member_id),
            unit_id=UnitId(unit_id),
            name=name or unit_name,
            unit_name=unit_name,
            kind=row.kind,
            document_id=row.document_id,
            state=RequestState(row.state),
            asked_by_id=row.asked_by_id,
            asked_at=row.asked_at,
            answer_by=answer_by(beijing_date(row.asked_at), calendar),
            answer=row.answer,
            answered_at=row.answered_at,
        )
        for row, name, unit_id, unit_name in rows
        if calendar is not None
    )

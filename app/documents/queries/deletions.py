"""Requests to delete (删除请求): where a member stands, what was asked and answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy import func, select

from app.clock import beijing_date
from app.competitions.queries import CompetitionView, EventView
from app.documents.models import DeletionRequest
from app.documents.rules.privacy import RequestState, Scope, Stage, answer_by, stage_of
from app.documents.rules.purging import READERS
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.models import Member, Unit
from app.registrations.queries.held import HeldMember
from app.registrations.rules import EntryState, MemberId
from app.registrations.rules.entries import MAX_ID
from app.text import T
from app.waiting import Waiting, age
from app.workdays import queries as workdays

Published = Callable[[int], Mapping[int, str]]
"""Of each entry of an event that is on a list ``in_publication`` or ``confirmed``: publications come after documents."""


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request with its answer; ``kind`` of the document, None for everything of the member."""

    id: int
    member_id: MemberId
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

    def late(self, today: date) -> bool:
        """Whether the day to answer is over."""
        return self.state is RequestState.OPEN and today > self.answer_by


def stage(competition: CompetitionView, member: HeldMember, published: Published, now: datetime) -> Stage:
    """Where a member stands, as far as deletion is concerned."""
    entered = {each.event_id for each in member.entries}
    events = [event for event in competition.events if event.id in entered] or list(competition.events)
    standing = {
        each.entry_id: each.state for each in member.entries if each.state is not EntryState.WITHDRAWN
    }
    listed = [
        state
        for event in events
        for entry_id, state in published(event.id).items()
        if entry_id in {each.entry_id for each in member.entries}
    ]
    return stage_of(
        list(standing.values()),
        published=listed,
        entries_open=any(event.regulation.calendar.registration_deadline.accepts(now) for event in events),
        closed=any(event.entries_closed for event in events),
        over=beijing_date(now) > max(event.regulation.calendar.play_to for event in events),
        held=registrations.hold_of(competition.id, now) is not None,
    )


def requests_of(member_id: int) -> tuple[RequestView, ...]:
    """What was asked for a member, the newest first."""
    return _views(DeletionRequest.member_id == member_id)[::-1]


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
        select(func.count(), func.min(DeletionRequest.asked_at))
        .join(Member, Member.id == DeletionRequest.member_id)
        .where(
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
        select(DeletionRequest, Member.name, Unit.name)
        .join(Member, Member.id == DeletionRequest.member_id)
        .join(Unit, Unit.id == Member.unit_id)
        .where(*conditions)  # type: ignore[arg-type]  # conditions of ours
        .order_by(DeletionRequest.id)
    ).all()
    calendar = workdays.calendar() if rows else None
    return tuple(
        RequestView(
            id=row.id,
            member_id=MemberId(row.member_id),
            name=name,
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
        for row, name, unit_name in rows
        if calendar is not None
    )

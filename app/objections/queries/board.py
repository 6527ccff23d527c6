"""The committee's queue, what waits, and how many cases hold a list."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from app.actors import Role
from app.clock import beijing_date
from app.competitions.queries import EventView
from app.extensions import db
from app.objections.models import Objection
from app.objections.queries import people
from app.objections.rules.handling import Interest, free_handlers, interest_of
from app.objections.rules.states import OPEN, CaseState, Channel, ObjectionId, Requirement
from app.publications.rules import last_day_of
from app.registrations import queries as registrations
from app.text import T
from app.waiting import Urgency, Waiting, age


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A case in the queue. For whoever is concerned (``interest``) it has no names and leads nowhere."""

    id: ObjectionId
    number: str
    state: CaseState
    channel: Channel
    received_at: datetime
    due_at: datetime | None
    lacking: tuple[Requirement, ...]
    names: tuple[str, ...]
    assigned_to: str | None
    mine: bool
    interest: Interest | None
    nobody: bool

    @property
    def open(self) -> bool:
        return self.state in OPEN

    def overdue(self, now: datetime) -> bool:
        return self.open and self.due_at is not None and now >= self.due_at


def queue(competition_id: int, user_id: int | None) -> tuple[QueueRow, ...]:
    """Every case: the open ones first, by what is due first, then the closed ones, the newest first."""
    rows = db.session.scalars(
        select(Objection).where(Objection.competition_id == competition_id).order_by(Objection.id)
    ).all()
    members = people.committee(competition_id)
    found = [_row(row, members, user_id) for row in rows]
    waiting = sorted(
        (each for each in found if each.open),
        key=lambda each: (each.due_at is None, each.due_at or each.received_at, each.id),
    )
    return (*waiting, *(each for each in reversed(found) if not each.open))


def _row(row: Objection, members: Collection[int], user_id: int | None) -> QueueRow:
    standing = people.standing_of(row)
    interest = interest_of(user_id, standing)
    named = registrations.named(people.entry_ids_of(row.id)) if interest is None else {}
    return QueueRow(
        id=ObjectionId(row.id),
        number=row.number,
        state=CaseState(row.state),
        channel=Channel(row.channel),
        received_at=row.received_at,
        due_at=row.due_at,
        lacking=tuple(Requirement(each) for each in row.lacking),
        names=tuple(each.name for each in named.values()),
        assigned_to=people.shown_person(row.assigned_to_id),
        mine=row.assigned_to_id == user_id and user_id is not None,
        interest=interest,
        nobody=not free_handlers(members, standing),
    )


def open_objections(publication_ids: Collection[int]) -> Mapping[int, int]:
    """How many open cases are against each of these lists itself; who asks knows which took the place of which."""
    rows = db.session.execute(
        select(Objection.publication_id, func.count())
        .where(
            Objection.publication_id.in_(tuple(publication_ids)),
            Objection.state.in_([each.value for each in OPEN]),
        )
        .group_by(Objection.publication_id)
    )
    return {row[0]: row[1] for row in rows if row[0] is not None}


def objected_entries(event_id: int) -> frozenset[int]:
    """Entries of an event against which a case is open (异议处理中)."""
    ids = db.session.scalars(
        select(Objection.id).where(
            Objection.event_id == event_id, Objection.state.in_([each.value for each in OPEN])
        )
    )
    return frozenset(entry for each in ids for entry in people.entry_ids_of(each))


def open_count(competition_id: int) -> int:
    """How many cases of a competition are open: a reason to hold its purge."""
    return len(
        db.session.scalars(
            select(Objection.id).where(
                Objection.competition_id == competition_id,
                Objection.state.in_([each.value for each in OPEN]),
            )
        ).all()
    )


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Cases to take up and to decide, the most urgent date first; and those that nobody on the committee may handle."""
    rows = db.session.scalars(
        select(Objection)
        .where(Objection.event_id == event.id, Objection.state.in_([each.value for each in OPEN]))
        .order_by(Objection.id)
    ).all()
    if not rows:
        return ()
    members = people.committee(event.competition_id)
    stranded = [row for row in rows if not free_handlers(members, people.standing_of(row))]
    found = []
    if stranded:
        found.append(
            Waiting(
                T(
                    "异议 %(number)s 没有可以办理的组委会成员（都已回避），请增加一名",
                    number="、".join(row.number for row in stranded),
                ),
                T("去增加成员"),
                "competitions.people",
                (Role.ORGANISER,),
            )
        )
    ready = [row for row in rows if row.state != CaseState.INCOMPLETE]
    if ready:
        found.append(_to_do(ready, now))
    if len(rows) > len(ready):
        found.append(
            Waiting(
                T("%(count)s 件异议等提交人补齐", count=len(rows) - len(ready)),
                T("看异议"),
                "objections.staff_queue",
                (Role.COMMITTEE,),
                Urgency.RUNS,
            )
        )
    return tuple(found)


def _to_do(ready: Collection[Objection], now: datetime) -> Waiting:
    due = min((row.due_at for row in ready if row.due_at is not None), default=None)
    oldest = age(now - min(row.received_at for row in ready))
    today = due is not None and (due <= now or last_day_of(due) == beijing_date(now))
    return Waiting(
        T("%(count)s 件异议等待办理（最早：%(age)s前）", count=len(ready), age=oldest),
        T("去办理异议"),
        "objections.staff_queue",
        (Role.COMMITTEE,),
        Urgency.TODAY if today else Urgency.ACT,
    )

"""The desks of clerks and of the arbitration committee, and what waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.actors import Role
from app.appeals.models import Appeal
from app.appeals.queries import ledger, people
from app.appeals.queries.cases import Heading, heading
from app.appeals.rules.clocks import terms_of
from app.appeals.rules.handling import CLERKS, Interest, free_arbiters, interest_of
from app.appeals.rules.refusals import NoAppealsError
from app.appeals.rules.states import OPEN, AppealState
from app.competitions.queries import EventView
from app.extensions import db
from app.text import T
from app.waiting import Urgency, Waiting


@dataclass(frozen=True, slots=True)
class DeskRow:
    """An appeal at a desk. For a member of the committee who is concerned (``interest``) it leads nowhere."""

    head: Heading
    interest: Interest | None
    nobody: bool


def desk(competition_id: int, user_id: int | None) -> tuple[DeskRow, ...]:
    """Every appeal: the open ones first, the oldest first, then the closed ones, the newest first."""
    rows = db.session.scalars(
        select(Appeal).where(Appeal.competition_id == competition_id).order_by(Appeal.id)
    ).all()
    members = people.committee(competition_id)
    found = []
    for row in rows:
        standing = people.standing_of(row)
        found.append(
            DeskRow(heading(row), interest_of(user_id, standing), not free_arbiters(members, standing))
        )
    return (
        *(each for each in found if each.head.open),
        *(each for each in reversed(found) if not each.head.open),
    )


def open_count(competition_id: int) -> int:
    """How many appeals of a competition are open: a reason to hold its purge."""
    return len(
        db.session.scalars(
            select(Appeal.id).where(
                Appeal.competition_id == competition_id, Appeal.state.in_([each.value for each in OPEN])
            )
        ).all()
    )


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Appeals to hear and to decide, written ones that are due within minutes, fees to pay back, and cases nobody may hear."""
    try:
        terms_of(event.regulation)
    except NoAppealsError:
        return ()
    rows = db.session.scalars(
        select(Appeal)
        .where(Appeal.event_id == event.id, Appeal.state.in_([each.value for each in OPEN]))
        .order_by(Appeal.id)
    ).all()
    members = people.committee(event.competition_id)
    found = []
    said = [row for row in rows if row.state == AppealState.ORAL]
    to_hear = [row for row in rows if row.state != AppealState.ORAL]
    stranded = [row for row in to_hear if not free_arbiters(members, people.standing_of(row))]
    if stranded:
        found.append(
            Waiting(
                T(
                    "申诉 %(number)s 没有可以办理的仲裁委员会成员，请增加一名",
                    number="、".join(row.number for row in stranded),
                ),
                T("去增加成员"),
                "competitions.people",
                (Role.ORGANISER,),
                Urgency.TODAY,
            )
        )
    if to_hear:
        found.append(
            Waiting(
                T("%(count)s 件申诉等待听证或裁定", count=len(to_hear)),
                T("去办理申诉"),
                "appeals.staff_desk",
                (Role.ARBITRATION,),
                Urgency.TODAY,
            )
        )
    if said:
        found.append(
            Waiting(
                T("%(count)s 件口头申诉等待书面申诉", count=len(said)),
                T("看申诉登记"),
                "appeals.staff_desk",
                CLERKS,
                Urgency.RUNS,
            )
        )
    back = ledger.ledger(event.competition_id).due
    if back:
        found.append(
            Waiting(
                T("%(count)s 笔申诉费等待退还或转为不退", count=len(back)),
                T("看申诉费台账"),
                "appeals.staff_ledger",
                (Role.COMMITTEE, Role.CHIEF_REFEREE),
            )
        )
    return tuple(found)

"""What every phone in the hall asks for again and again: announcements and the clock. Few rows, whatever the event's size."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from app.actors import Role
from app.competitions.models import Competition, Event
from app.competitions.queries import EventView
from app.competitions.rules import UnknownCompetitionError
from app.draws.models import STANDS, Round
from app.extensions import db
from app.floor.models import RefereeCall, RoundRun
from app.floor.queries.hall import NoticeView, notices
from app.floor.queries.rounds import RunView, run
from app.text import T
from app.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Strip:
    """Announcements, the newest first, and the round whose clock runs; None where none does."""

    notices: tuple[NoticeView, ...]
    running: RunView | None


def strip(slug: str, now: datetime) -> Strip:
    """What the phones of a competition show at ``now``. Raises ``UnknownCompetitionError``."""
    event_id = db.session.scalar(
        select(Event.id).join(Competition).where(Competition.slug == slug).order_by(Event.id).limit(1)
    )
    if event_id is None:
        raise UnknownCompetitionError
    running = db.session.scalar(
        select(RoundRun.round_id)
        .join(Round, Round.id == RoundRun.round_id)
        .where(
            RoundRun.event_id == event_id,
            STANDS,
            RoundRun.started_at.is_not(None),
            RoundRun.ended_at.is_(None),
        )
        .order_by(RoundRun.round_id.desc())
        .limit(1)
    )
    return Strip(notices(event_id, now), None if running is None else run(running))


def waiting(event: EventView, _now: datetime) -> tuple[Waiting, ...]:
    """Calls that nobody has taken yet."""
    count = db.session.scalar(
        select(func.count())
        .select_from(RefereeCall)
        .where(
            RefereeCall.event_id == event.id,
            RefereeCall.closed_at.is_(None),
            RefereeCall.taken_at.is_(None),
        )
    )
    if not count:
        return ()
    text = T("%(count)s 个呼叫没有人接", count=count)
    roles = (Role.COMMITTEE, Role.CHIEF_REFEREE, Role.REFEREE)
    return (Waiting(text, T("去接单"), "floor.calls", roles),)

"""Appeals at each point of their way, on a round whose end is recorded. Everything needs an application context."""

from __future__ import annotations

import itertools
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.actors import SYSTEM, Actor, Role
from app.appeals import service
from app.appeals.models import Appeal
from app.appeals.rules import FeeWay, Subject
from app.appeals.service import HandedIn, Matter
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView, TableView
from app.extensions import db
from app.floor.models import PlayerKey, RoundRun
from tests.factories import accounts, results
from tests.factories import objections as uploads

ARBITER = 9400
"""Phone serial of the first member of the arbitration committee; others follow."""

FEE = 50_000
"""500 yuan, in fen."""

_numbers = itertools.count(1)


def arbiter(number: int = 0, slug: str = "beach") -> Actor:
    """A member of the arbitration committee who is nothing else."""
    return accounts.user(ARBITER + number, Role.ARBITRATION, competition_id=competitions.competition_id(slug))


def ended(round_: RoundView, at: datetime) -> datetime:
    """Record when the round ended, in place of what was recorded."""
    with command(SYSTEM) as ctx:
        run = ctx.session.scalar(select(RoundRun).where(RoundRun.round_id == round_.id))
        if run is None:
            run = RoundRun(event_id=round_.event_id, round_id=round_.id)
            ctx.session.add(run)
        run.ended_at = at
        ctx.session.flush()
        ctx.record(AuditAction.SHEET_HANDED_IN, run)
    return at


def card(entry_id: int) -> str:
    """The token of the player's card."""
    with command(SYSTEM) as ctx:
        row = ctx.session.scalar(select(PlayerKey).where(PlayerKey.entry_id == entry_id))
        if row is None:
            row = PlayerKey(entry_id=entry_id, token=f"card-{entry_id}-token", pin="123456", made_at=ctx.now)
            ctx.session.add(row)
            ctx.session.flush()
            ctx.record(AuditAction.SHEET_HANDED_IN, row)
        return str(row.token)


def key() -> str:
    return f"appeal-form-{next(_numbers):05d}"


def matter(table: TableView, seat: int = 0, subject: Subject = Subject.SCORE, **changes: Any) -> Matter:
    """The entrant of this seat appeals against what happened at his table."""
    values: dict[str, Any] = {
        "stage": table.stage,
        "round_number": table.round_number,
        "entry_id": table.seats[seat].entry_id,
        "subject": subject,
    }
    return Matter(**(values | changes))


def said(
    table: TableView,
    at: datetime,
    *,
    seat: int = 0,
    by: Actor | None = None,
    slug: str = "beach",
    **more: Any,
) -> str:
    """An oral appeal, said at ``at`` and logged now; its number."""
    values = {"matter": matter(table, seat), "text": "第 3 副的胜方记反了。", "idempotency_key": key()}
    with command(by or results.referee(slug)) as ctx:
        appeal_id = service.log_oral(ctx, slug=slug, said_at=at, **(values | more))
    return number_of(appeal_id)


def handed_in(table: TableView, by: Actor, *, seat: int = 0, slug: str = "beach", **more: Any) -> HandedIn:
    """A written appeal of this leader, with one picture."""
    values: dict[str, Any] = {
        "matter": matter(table, seat),
        "text": "第 3 副是防守方胜，记成了庄家胜，见所附照片。",
        "evidence": [uploads.upload(by, "evidence", slug)] if by.user_id is not None else [],
        "idempotency_key": key(),
        "language": "zh",
    }
    with command(by) as ctx:
        return service.hand_in(ctx, slug=slug, **(values | more))


def paid(number: str, *, by: Actor | None = None, slug: str = "beach", **more: Any) -> str:
    """The fee, registered in cash; the number of the receipt."""
    values: dict[str, Any] = {"amount": FEE, "way": FeeWay.CASH, "idempotency_key": key()}
    with command(by or results.referee(slug)) as ctx:
        return service.receive(ctx, slug=slug, number=number, **(values | more))


def received(table: TableView, end: datetime, leader: Actor, *, seat: int = 0, slug: str = "beach") -> str:
    """Said at the end, handed in now, and paid for; its number."""
    number = said(table, end, seat=seat, slug=slug)
    handed_in(table, leader, seat=seat, slug=slug)
    paid(number, slug=slug)
    return number


def heard(number: str, by: Actor, slug: str = "beach") -> str:
    """Its minutes are entered."""
    with command(by) as ctx:
        service.hear(
            ctx, slug=slug, number=number, revision=None, minutes="双方到场，记分裁判说明了记录经过。"
        )
    return number


def row(number: str) -> Appeal:
    db.session.expire_all()
    return db.session.scalars(select(Appeal).where(Appeal.number == number)).one()


def number_of(appeal_id: int) -> str:
    return db.session.get_one(Appeal, appeal_id).number

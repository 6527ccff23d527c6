from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, or_, select

from app.accounts import queries as accounts
from app.actors import Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.competitions.queries import EventView
from app.draws import rules
from app.draws.models import Division, DrawCommitment, DrawRepair, DrawRuling, Round, VoidRound
from app.draws.rules import UnknownRoundError
from app.draws.rules.repairs import change_text
from app.extensions import db
from app.registrations import queries as registrations
from app.text import T


@dataclass(frozen=True, slots=True)
class Deed:
    """One act on a round: what, when, why, and by whom, for the staff. ``phone`` is masked; both are None for the system."""

    at: datetime
    action: AuditAction
    text: T
    reason: str | None
    role: Role | None
    phone: str | None


def history(event: EventView, stage: str, number: int) -> tuple[Deed, ...]:
    """Everything done with a round (这一轮的记录), oldest first: commitments, rulings, draws, changes by hand whether they were
    confirmed or cancelled, and whether it was taken back; also of draws taken back before. ``number`` 0 is the division into groups.

    It is read from the audit, which nobody can change. Raises ``UnknownRoundError``.
    """
    ids = _subjects(event.id, stage, number)
    if not any(ids.values()):
        raise UnknownRoundError
    entries = db.session.scalars(
        select(AuditEntry)
        .where(
            or_(
                *(
                    and_(
                        AuditEntry.subject_type == kind,
                        AuditEntry.subject_id.in_([str(each) for each in found]),
                    )
                    for kind, found in ids.items()
                    if found
                )
            ),
            AuditEntry.action.in_([each.value for each in _TEXTS]),
        )
        .order_by(AuditEntry.id)
    ).all()
    names = {
        str(rules.entrant_of(entry_id)): each.name
        for entry_id, each in registrations.entrants(event.id).items()
    }
    people: dict[int, tuple[Role | None, str | None]] = {}
    return tuple(_deed(entry, event.competition_id, names, people) for entry in entries)


def _subjects(event_id: int, stage: str, number: int) -> dict[str, list[int]]:
    """The ids of everything that belongs to a round, by the names the audit has for them."""
    void = select(VoidRound.round_id).where(VoidRound.number == number)
    rounds = list(
        db.session.scalars(
            select(Round.id).where(
                Round.event_id == event_id,
                Round.stage == stage,
                or_(Round.number == number, Round.id.in_(void)),
            )
        )
    )
    repairs = select(DrawRepair.id).where(DrawRepair.round_id.in_(rounds))
    rulings = select(DrawRuling.id).where(DrawRuling.round_id.in_(rounds))
    commitments = select(DrawCommitment.id).where(
        DrawCommitment.event_id == event_id, DrawCommitment.stage == stage, DrawCommitment.number == number
    )
    divisions = select(Division.id).where(Division.event_id == event_id, Division.stage == stage)
    return {
        Round.__name__: rounds,
        DrawRepair.__name__: list(db.session.scalars(repairs)),
        DrawRuling.__name__: list(db.session.scalars(rulings)),
        DrawCommitment.__name__: list(db.session.scalars(commitments)),
        Division.__name__: list(db.session.scalars(divisions)) if number == 0 else [],
    }


def _deed(
    entry: AuditEntry,
    competition_id: int,
    names: Mapping[str, str],
    people: dict[int, tuple[Role | None, str | None]],
) -> Deed:
    action = AuditAction(entry.action)
    role, phone = _person(entry.user_id, competition_id, people)
    return Deed(
        at=entry.at,
        action=action,
        text=_TEXTS[action](entry.details, names),
        reason=entry.details.get("reason"),
        role=role,
        phone=phone,
    )


def _person(
    user_id: int | None, competition_id: int, people: dict[int, tuple[Role | None, str | None]]
) -> tuple[Role | None, str | None]:
    """The role somebody holds now, and the masked number; each person is looked up once."""
    if user_id is None:
        return None, None
    if user_id not in people:
        user = accounts.session_user(user_id)
        held = (role for role in rules.DRAWERS if user and user.actor.has(competition_id, role))
        people[user_id] = next(held, None), user.phone_masked if user else None
    return people[user_id]


def _withdrawn(details: Mapping[str, Any], _: Mapping[str, str]) -> T:
    if not details.get("fell_with"):
        return T("撤销种子承诺，种子公开")
    stage, _dash, number = details["fell_with"].rpartition("-")
    return T("随%(round)s作废撤销种子承诺，种子公开", round=rules.round_name(stage, int(number)))


def _voided(details: Mapping[str, Any], _: Mapping[str, str]) -> T:
    if not details.get("tables"):
        return T("作废，当时没有录入成绩")
    return T(
        "作废，当时已录入 %(tables)s 桌 %(deals)s 项成绩", tables=details["tables"], deals=details["deals"]
    )


_TEXTS: Mapping[AuditAction, Callable[[Mapping[str, Any], Mapping[str, str]], T]] = {
    AuditAction.DRAW_COMMITTED: lambda details, _: T("公布种子承诺"),
    AuditAction.DRAW_CONTRIBUTED: lambda details, _: T(
        "写入公众数据：%(words)s", words=details["contribution"]
    ),
    AuditAction.DRAW_COMMITMENT_WITHDRAWN: _withdrawn,
    AuditAction.ROUND_DRAWN: lambda details, _: T("抽签，共 %(tables)s 桌", tables=details["tables"]),
    AuditAction.RULING_ACCEPTED: lambda details, _: T(
        "裁判长裁决：接受违反最少的编排，%(count)s 处违反规则", count=len(details["broken"])
    ),
    AuditAction.RULING_REFUSED: lambda details, _: T("裁判长裁决：不接受违反最少的编排"),
    AuditAction.ROUND_VOIDED: _voided,
    AuditAction.ENTRANTS_DIVIDED: lambda details, _: T(
        "分组抽签，分成 %(count)s 组：%(sizes)s 人",
        count=len(details["groups"]),
        sizes="、".join(map(str, details["groups"])),
    ),
    AuditAction.DIVISION_VOIDED: lambda details, _: T("作废这次分组"),
    AuditAction.REPAIR_OPENED: lambda details, _: T("开始人工调整"),
    AuditAction.REPAIR_CHANGED: lambda details, names: T(
        "第 %(number)s 项改动：%(text)s",
        number=details["revision"],
        text=change_text(details["change"], names),
    ),
    AuditAction.REPAIR_CONFIRMED: lambda details, _: T("确认调整，公布新座位"),
    AuditAction.REPAIR_CANCELLED: lambda details, _: T(
        "取消调整，座位不变，%(count)s 项改动没有生效", count=details["revision"]
    ),
}

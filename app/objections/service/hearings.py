"""The other side is heard (听取对方意见): asked by the committee, answered by the unit's leader. It never learns who objected."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from app.commands import CommandContext
from app.competitions import queries as competitions
from app.objections.models import ObjectionHearing
from app.objections.queries import people
from app.objections.rules.handling import (
    LONGEST_REASONS,
    require_hearing_due,
    text_problem,
)
from app.objections.rules.refusals import (
    CaseStateError,
    HearingClosedError,
    ObjectionRefusedError,
    UnknownHearingError,
)
from app.objections.rules.states import PURPOSES, CaseState, FileRole, HearingId, StepKind
from app.objections.service import letters
from app.objections.service.cases import handled, note, relocked
from app.objections.service.lodging import attach
from app.registrations import queries as registrations
from app.registrations.models import Unit
from app.registrations.rules.entries import MAX_ID
from app.text import T
from app.uploads import service as uploads


def ask(
    ctx: CommandContext,
    *,
    slug: str,
    number: str,
    revision: int | None,
    unit_id: int,
    question: str,
    due_at: datetime,
) -> HearingId:
    """Ask a unit objected to for its answer until ``due_at``. What gives the reporter away is refused beside the field."""
    row, standing, event = handled(ctx, slug, number, revision)
    clause = event.regulation.objections.clause
    if standing.state is not CaseState.ACCEPTED:
        raise CaseStateError(standing.state, clause)
    concerned = {each.unit_id: each for each in people.concerned(row.id)}
    if unit_id not in concerned:
        raise ObjectionRefusedError({"unit_id": T("请选择被提出异议的单位。")})
    entries = registrations.named(people.entry_ids_of(row.id)).values()
    public = [name for each in entries for name in (*each.players, each.unit_name)]
    public.append(concerned[unit_id].name)
    problem = text_problem(question, LONGEST_REASONS, people.identity_of(row), public)
    if problem is not None:
        raise ObjectionRefusedError({"question": problem})
    require_hearing_due(due_at, ctx.now)
    asked = ctx.session.scalar(
        select(ObjectionHearing.id).where(
            ObjectionHearing.objection_id == row.id, ObjectionHearing.unit_id == unit_id
        )
    )
    if asked is not None:
        raise ObjectionRefusedError({"unit_id": T("已经向这个单位征求过意见。")})
    hearing = ObjectionHearing(
        objection_id=row.id, unit_id=unit_id, question=question.strip(), asked_at=ctx.now, due_at=due_at
    )
    ctx.session.add(hearing)
    ctx.session.flush()
    note(
        ctx,
        row,
        StepKind.HEARING_ASKED,
        text=question.strip(),
        details={"hearing": hearing.id, "due_at": due_at.isoformat()},
        said={"hearing": hearing.id},
    )
    letters.hearing_asked(ctx, row, event, hearing)
    return HearingId(hearing.id)


def answer(
    ctx: CommandContext, *, slug: str, hearing_id: int, text: str, evidence: Sequence[str] = ()
) -> None:
    """The unit's leader answers, once, while the case is open; also after the date, as long as nothing was decided."""
    hearing = own_hearing(ctx, slug, hearing_id)
    row = relocked(ctx, hearing.objection_id)
    ctx.session.refresh(hearing)
    if hearing.answered_at is not None or row.state != CaseState.ACCEPTED:
        raise HearingClosedError(answered=hearing.answered_at is not None)
    if not text.strip() or len(text) > LONGEST_REASONS:
        raise ObjectionRefusedError(
            {
                "text": T("请写明您单位的意见。")
                if not text.strip()
                else T("最多 %(high)s 个字。", high=LONGEST_REASONS)
            }
        )
    if evidence:
        claimed = uploads.claim(
            ctx,
            tokens=evidence,
            user_id=ctx.actor.require_signed_in(),
            competition_id=row.competition_id,
            purpose=PURPOSES[FileRole.ANSWER],
        )
        attach(ctx, row, claimed, FileRole.ANSWER, hearing.id)
    hearing.answer, hearing.answered_at = text.strip(), ctx.now
    note(
        ctx,
        row,
        StepKind.HEARING_ANSWERED,
        details={"hearing": hearing.id, "late": ctx.now >= hearing.due_at},
        said={"hearing": hearing.id},
    )
    letters.to_committee(ctx, row, competitions.event(row.event_id))


def own_hearing(ctx: CommandContext, slug: str, hearing_id: int) -> ObjectionHearing:
    """The hearing of the unit that this person leads. For others there is none."""
    user_id = ctx.actor.require_signed_in()
    hearing = ctx.session.get(ObjectionHearing, min(hearing_id, MAX_ID))
    if hearing is None:
        raise UnknownHearingError
    unit = ctx.session.get_one(Unit, hearing.unit_id)
    if unit.leader_user_id != user_id or unit.competition_id != competitions.competition_id(slug):
        raise UnknownHearingError
    return hearing

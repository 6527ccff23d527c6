"""The arbitration committee's acts on an appeal before it decides: read it, set and hold its hearing, refuse it, recuse oneself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select

from app.actors import Role
from app.appeals.models import Appeal, AppealFile, AppealRecusal
from app.appeals.queries import ledger, people
from app.appeals.rules.handling import (
    LONGEST_MINUTES,
    LONGEST_NOTE,
    LONGEST_PLACE,
    SAME_LOOK,
    Interest,
    interest_of,
    require_arbiter,
    require_hearable,
    require_open,
    require_texts,
    require_way,
)
from app.appeals.rules.ledger import totals
from app.appeals.rules.refusals import (
    AppealConflictError,
    AppealInvalidError,
    AppealStateError,
    UnknownAppealError,
)
from app.appeals.rules.states import AppealId, AppealState, StepKind
from app.appeals.service import fees, letters
from app.appeals.service.cases import arbitrated, found, locked, note
from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.registrations.rules.entries import MAX_ID
from app.text import T

FURTHEST_HEARING = timedelta(days=60)


def read(ctx: CommandContext, *, slug: str, number: str) -> AppealId:
    """Open an appeal, for a member of the arbitration committee who is not concerned; who read it is on record.

    The same reader within ``SAME_LOOK`` is one entry. Raises ``AppealConflictError``.
    """
    ctx.actor.require(competitions.competition_id(slug), Role.ARBITRATION)
    row = found(ctx, slug, number)
    require_arbiter(ctx.actor, row.competition_id, people.standing_of(row))
    _log_look(ctx, row, AuditAction.APPEAL_READ, {})
    return AppealId(row.id)


def look(ctx: CommandContext, *, slug: str, file_id: int, page: int, what: str) -> int:
    """Let somebody look at one page of a file of an appeal; who looked is on record. The upload that holds it.

    The committee's free members see every file, and who appeals his own. For everybody else there is no such file.
    """
    user_id = ctx.actor.require_signed_in()
    found_ = ctx.session.execute(
        select(Appeal, AppealFile)
        .join(AppealFile, AppealFile.appeal_id == Appeal.id)
        .where(
            AppealFile.id == min(file_id, MAX_ID),
            Appeal.competition_id == competitions.competition_id(slug),
        )
    ).one_or_none()
    if found_ is None:
        raise UnknownAppealError
    row, file = found_
    arbiter = user_id in people.committee(row.competition_id)
    free = arbiter and interest_of(user_id, people.standing_of(row)) is None
    if not free and not people.is_appellant(user_id, row):
        raise UnknownAppealError
    _log_look(ctx, row, AuditAction.APPEAL_FILE_READ, {"file": file.id, "page": page, "what": what})
    return int(file.upload_id)


def recuse(ctx: CommandContext, *, slug: str, number: str, reason: str) -> None:
    """Leave an appeal to the others (回避); from now on one no longer sees it.

    Where nobody is left, the organiser is told to add a member. Again: nothing more happens.
    """
    ctx.actor.require(competitions.competition_id(slug), Role.ARBITRATION)
    user_id = ctx.actor.require_signed_in()
    case = locked(ctx, found(ctx, slug, number))
    interest = interest_of(user_id, case.standing)
    if interest is Interest.RECUSED:
        return
    if interest is not None:
        raise AppealConflictError(recused=False)
    require_open(case.standing, case.terms.clause)
    require_texts(reason=(reason, LONGEST_NOTE))
    ctx.session.add(AppealRecusal(appeal_id=case.row.id, user_id=user_id, reason=reason.strip(), at=ctx.now))
    ctx.session.flush()
    note(ctx, case.row, StepKind.RECUSED, details={"user_id": user_id})
    if not people.arbiters(case.row):
        letters.nobody_left(ctx, case.row)


def set_hearing(
    ctx: CommandContext, *, slug: str, number: str, revision: int | None, at: datetime, place: str
) -> None:
    """Say when and where both sides are heard (听证); again moves it. Both sides are told."""
    case = arbitrated(ctx, slug, number, revision)
    if case.standing.state is not AppealState.RECEIVED:
        raise AppealStateError(case.standing.state, case.terms.clause)
    require_texts(place=(place, LONGEST_PLACE))
    if not ctx.now - timedelta(minutes=1) <= at <= ctx.now + FURTHEST_HEARING:
        raise AppealInvalidError({"at": T("听证时间应在今后 60 天之内。")})
    case.row.hearing_at, case.row.hearing_place = at, place.strip()
    details = {"at": at.isoformat(), "place": place.strip()}
    note(ctx, case.row, StepKind.HEARING_SET, details=details, said={"at": at.isoformat()})
    letters.hearing_set(ctx, case.row)


def hear(ctx: CommandContext, *, slug: str, number: str, revision: int | None, minutes: str) -> None:
    """Enter the minutes of the hearing (听证笔录): who came, what each side said.

    Raises ``OralUnconfirmedError``, ``FeeMissingError`` where the text's conditions are not met yet.
    """
    case = arbitrated(ctx, slug, number, revision)
    require_way(case.standing, AppealState.HEARD, case.terms.clause)
    held = totals(ledger.entries(case.row.id)).held
    require_hearable(case.terms, oral_at=case.row.oral_at, held=held)
    require_texts(minutes=(minutes, LONGEST_MINUTES))
    case.row.minutes = minutes.strip()
    note(ctx, case.row, StepKind.HEARD, to=AppealState.HEARD)


def refuse(ctx: CommandContext, *, slug: str, number: str, revision: int | None, reason: str) -> None:
    """Refuse an appeal (不予受理) that lacks what the text asks, with the clause and a reason; who appeals is told."""
    case = arbitrated(ctx, slug, number, revision, with_event=True)
    require_way(case.standing, AppealState.REFUSED, case.terms.clause)
    require_texts(case.terms.clause, reason=(reason, LONGEST_NOTE))
    case.row.clause = case.terms.clause
    note(
        ctx,
        case.row,
        StepKind.REFUSED,
        to=AppealState.REFUSED,
        text=reason.strip(),
        said={"clause": case.terms.clause},
    )
    fees.settle(ctx, case)
    letters.ended(ctx, case.row, case.event, reason=reason.strip())


def _log_look(ctx: CommandContext, row: Appeal, action: AuditAction, details: Mapping[str, Any]) -> None:
    recent = audit.of_subject(
        "Appeal", row.id, [action], user_id=ctx.actor.user_id, since=ctx.now - SAME_LOOK
    )
    if not any(entry.details == details for entry in recent):
        ctx.record(action, row, **details)

"""The committee's acts on a case before it decides: read it, accept or refuse it, ask for what it lacks, assign it, recuse oneself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.objections.models import Objection, ObjectionFile, ObjectionHearing, ObjectionRecusal
from app.objections.queries import people
from app.objections.rules.handling import (
    LONGEST_NOTE,
    SAME_LOOK,
    Interest,
    interest_of,
    require_acceptable,
    require_committee,
    require_handler,
    require_open,
    require_way,
    text_problem,
)
from app.objections.rules.refusals import (
    ConflictOfInterestError,
    ObjectionRefusedError,
    UnknownObjectionError,
)
from app.objections.rules.secrecy import Identity
from app.objections.rules.states import (
    TO_COMPLETE,
    CaseState,
    ObjectionId,
    Requirement,
    StepKind,
)
from app.objections.service import letters
from app.objections.service.cases import found, handled, locked, note
from app.objections.service.lodging import require_in_time
from app.registrations.models import Unit
from app.registrations.rules.entries import MAX_ID
from app.text import T

NOBODY = Identity(None, None, None, None)


def read(ctx: CommandContext, *, slug: str, number: str) -> ObjectionId:
    """Open a case, for a member of the committee who is not concerned; who read it is on record.

    The same reader within ``SAME_LOOK`` is one entry. Raises ``ConflictOfInterestError``.
    """
    require_committee(ctx.actor, competitions.competition_id(slug))
    row = found(ctx, slug, number)
    require_handler(ctx.actor, row.competition_id, people.standing_of(row))
    _log_look(ctx, row, AuditAction.OBJECTION_READ, {})
    return ObjectionId(row.id)


def look(ctx: CommandContext, *, slug: str, file_id: int, page: int, what: str) -> int:
    """Let somebody look at one page of a file of a case; who looked is on record. The upload that holds it.

    The committee's free members see every file, whoever lodged the case its own, the unit objected to what it sent itself. For
    everybody else there is no such file.
    """
    user_id = ctx.actor.require_signed_in()
    row, file = _file(ctx, slug, file_id)
    if not _may_look(ctx, user_id, row, file):
        raise UnknownObjectionError
    _log_look(ctx, row, AuditAction.OBJECTION_FILE_READ, {"file": file.id, "page": page, "what": what})
    return file.upload_id


def accept(ctx: CommandContext, *, slug: str, number: str, revision: int | None) -> None:
    """Take the case up (受理). Raises ``StillLackingError`` while something is lacking."""
    row, standing, event = handled(ctx, slug, number, revision)
    require_acceptable(standing, event.regulation.objections.clause)
    if row.assigned_to_id is None:
        row.assigned_to_id = ctx.actor.user_id
    note(ctx, row, StepKind.ACCEPTED, to=CaseState.ACCEPTED)
    letters.accepted(ctx, row, event)


def refuse(
    ctx: CommandContext,
    *,
    slug: str,
    number: str,
    revision: int | None,
    requirements: Sequence[Requirement],
    reason: str,
) -> None:
    """Refuse a case (不予受理) for what the text asks and it lacks, with the clause and a reason; the reporter is told."""
    row, standing, event = handled(ctx, slug, number, revision)
    clause = event.regulation.objections.clause
    require_way(standing, CaseState.REFUSED, clause)
    problems: dict[str, T] = {}
    if not requirements:
        problems["requirements"] = T("请选择不符合规程的哪一项要求。")
    if (problem := text_problem(reason, LONGEST_NOTE, NOBODY)) is not None:
        problems["reason"] = problem
    if problems:
        raise ObjectionRefusedError(problems, clause)
    row.clause = clause
    codes = [each.value for each in dict.fromkeys(requirements)]
    note(
        ctx,
        row,
        StepKind.REFUSED,
        to=CaseState.REFUSED,
        text=reason.strip(),
        details={"requirements": codes},
        said={"clause": clause, "requirements": codes},
    )
    letters.refused(ctx, row, event, reason=reason.strip(), requirements=requirements)


def ask_to_complete(
    ctx: CommandContext,
    *,
    slug: str,
    number: str,
    revision: int | None,
    requirements: Sequence[Requirement],
    reason: str,
) -> None:
    """Say what is lacking, such as a seal that cannot be read (要求补齐); while the window of the list runs.

    Raises ``WindowClosedError``: then it is refused or accepted.
    """
    row, standing, event = handled(ctx, slug, number, revision)
    clause = event.regulation.objections.clause
    require_way(standing, CaseState.INCOMPLETE, clause)
    require_in_time(ctx, row, event)
    problems: dict[str, T] = {}
    if not requirements or any(each not in TO_COMPLETE for each in requirements):
        problems["requirements"] = T("请选择缺少的内容。")
    if (problem := text_problem(reason, LONGEST_NOTE, NOBODY)) is not None:
        problems["reason"] = problem
    if problems:
        raise ObjectionRefusedError(problems, clause)
    row.lacking = [each.value for each in dict.fromkeys(requirements)]
    note(
        ctx,
        row,
        StepKind.ASKED_TO_COMPLETE,
        to=CaseState.INCOMPLETE,
        text=reason.strip(),
        details={"lacking": row.lacking},
        said={"lacking": row.lacking},
    )
    letters.received(ctx, row, event, again=True, reason=reason.strip())


def assign(ctx: CommandContext, *, slug: str, number: str, revision: int | None, user_id: int) -> None:
    """Give the case to a member of the committee who is free to handle it (指定承办人)."""
    row, standing, event = handled(ctx, slug, number, revision)
    require_open(standing, event.regulation.objections.clause)
    if user_id not in people.handlers(row):
        raise ObjectionRefusedError({"user_id": T("请选择组委会中没有回避的成员。")})
    row.assigned_to_id = user_id
    note(ctx, row, StepKind.ASSIGNED, details={"user_id": user_id}, said={"to": user_id})
    letters.to_committee(ctx, row, event, only=user_id)


def identify(ctx: CommandContext, *, slug: str, number: str, revision: int | None, unit_id: int) -> None:
    """Say which unit wrote a letter (核实提出单位), once its seal was looked at. The unit takes part, and is not objected to."""
    row, standing, event = handled(ctx, slug, number, revision)
    require_open(standing, event.regulation.objections.clause)
    unit = ctx.session.get(Unit, min(unit_id, MAX_ID))
    if unit is None or unit.competition_id != row.competition_id:
        raise ObjectionRefusedError({"unit_id": T("本赛事没有这个单位。")})
    if unit.id in {each.unit_id for each in people.concerned(row.id)}:
        raise ObjectionRefusedError({"unit_id": T("这是被提出异议的单位自己。")})
    row.unit_id, row.unit_name = unit.id, unit.name
    row.lacking = [each for each in row.lacking if each != Requirement.STANDING.value]
    to = CaseState.RECEIVED if row.state == CaseState.INCOMPLETE and not row.lacking else None
    note(ctx, row, StepKind.IDENTIFIED, to=to)


def recuse(ctx: CommandContext, *, slug: str, number: str, reason: str) -> None:
    """Leave a case to the others (回避); from now on one no longer sees it. Also where one is concerned already.

    Where nobody is left, the organiser is told to add a member. Again: nothing more happens.
    """
    competition_id = competitions.competition_id(slug)
    require_committee(ctx.actor, competition_id)
    user_id = ctx.actor.require_signed_in()
    row = locked(ctx, slug, number)
    standing = people.standing_of(row)
    interest = interest_of(user_id, standing)
    if interest is Interest.RECUSED:
        return
    if interest is not None:
        raise ConflictOfInterestError(recused=False)
    event = competitions.event(row.event_id)
    require_open(standing, event.regulation.objections.clause)
    if (problem := text_problem(reason, LONGEST_NOTE, people.identity_of(row))) is not None:
        raise ObjectionRefusedError({"reason": problem})
    ctx.session.add(ObjectionRecusal(objection_id=row.id, user_id=user_id, reason=reason.strip(), at=ctx.now))
    if row.assigned_to_id == user_id:
        row.assigned_to_id = None
    ctx.session.flush()
    note(ctx, row, StepKind.RECUSED, details={"user_id": user_id})
    if not people.handlers(row):
        letters.nobody_left(ctx, row, event)


def _file(ctx: CommandContext, slug: str, file_id: int) -> tuple[Objection, ObjectionFile]:
    found = ctx.session.execute(
        select(Objection, ObjectionFile)
        .join(ObjectionFile, ObjectionFile.objection_id == Objection.id)
        .where(
            ObjectionFile.id == min(file_id, MAX_ID),
            Objection.competition_id == competitions.competition_id(slug),
        )
    ).one_or_none()
    if found is None:
        raise UnknownObjectionError
    row, file = found
    return row, file


def _may_look(ctx: CommandContext, user_id: int, row: Objection, file: ObjectionFile) -> bool:
    if file.hearing_id is None and row.user_id == user_id:
        return True  # of a letter only its text says who wrote it
    if file.hearing_id is not None:
        hearing = ctx.session.get_one(ObjectionHearing, file.hearing_id)
        if ctx.session.get_one(Unit, hearing.unit_id).leader_user_id == user_id:
            return True
    standing = people.standing_of(row)
    return user_id in people.committee(row.competition_id) and interest_of(user_id, standing) is None


def _log_look(ctx: CommandContext, row: Objection, action: AuditAction, details: Mapping[str, Any]) -> None:
    recent = audit.of_subject(
        "Objection", row.id, [action], user_id=ctx.actor.user_id, since=ctx.now - SAME_LOOK
    )
    if not any(entry.details == details for entry in recent):
        ctx.record(action, row, **details)

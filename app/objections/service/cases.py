"""A case as a row: found, locked, and every step of it written down with its audit entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.objections.models import Objection, ObjectionStep
from app.objections.queries import people
from app.objections.rules.handling import Standing, require_committee, require_handler, require_seen
from app.objections.rules.refusals import UnknownObjectionError
from app.objections.rules.states import CaseState, StepKind

ACTIONS: Mapping[StepKind, AuditAction] = {
    StepKind.LODGED: AuditAction.OBJECTION_LODGED,
    StepKind.ADDED: AuditAction.OBJECTION_ADDED_TO,
    StepKind.ASKED_TO_COMPLETE: AuditAction.OBJECTION_SENT_BACK,
    StepKind.ASSIGNED: AuditAction.OBJECTION_ASSIGNED,
    StepKind.IDENTIFIED: AuditAction.OBJECTION_IDENTIFIED,
    StepKind.ACCEPTED: AuditAction.OBJECTION_ACCEPTED,
    StepKind.REFUSED: AuditAction.OBJECTION_REFUSED,
    StepKind.EXPIRED: AuditAction.OBJECTION_EXPIRED,
    StepKind.RECUSED: AuditAction.OBJECTION_RECUSED,
    StepKind.HEARING_ASKED: AuditAction.OBJECTION_HEARING_ASKED,
    StepKind.HEARING_ANSWERED: AuditAction.OBJECTION_HEARING_ANSWERED,
    StepKind.UPHELD: AuditAction.OBJECTION_UPHELD,
    StepKind.DISMISSED: AuditAction.OBJECTION_DISMISSED,
    StepKind.WITHDRAWN: AuditAction.OBJECTION_WITHDRAWN,
    StepKind.PURGED: AuditAction.OBJECTIONS_PURGED,
}
"""The audit entry of each step: what was done to which case; never a name, a text or a unit of either side."""


def found(ctx: CommandContext, slug: str, number: str) -> Objection:
    """The case, not locked. Raises ``UnknownObjectionError``."""
    row: Objection | None = ctx.session.scalar(
        select(Objection).where(
            Objection.number == number, Objection.competition_id == competitions.competition_id(slug)
        )
    )
    if row is None:
        raise UnknownObjectionError
    return row


def locked(ctx: CommandContext, slug: str, number: str, *, with_event: bool = False) -> Objection:
    """The case as it is now; whoever else acts on it waits until this command ends.

    ``with_event``: the event too, first, as lists and decisions on entries take it.
    """
    row = found(ctx, slug, number)
    if with_event:
        competitions_service.lock_event(ctx, row.event_id)
    return relocked(ctx, row.id)


def relocked(ctx: CommandContext, objection_id: int) -> Objection:
    return ctx.session.get_one(
        Objection, objection_id, with_for_update={"key_share": True}, populate_existing=True
    )


def handled(
    ctx: CommandContext, slug: str, number: str, seen: int | None, *, with_event: bool = False
) -> tuple[Objection, Standing, EventView]:
    """The case in the hands of a member of the committee who is not concerned, at the revision he looked at.

    Raises ``ConflictOfInterestError`` and ``CaseChangedError``.
    """
    require_committee(ctx.actor, competitions.competition_id(slug))  # before a stranger learns what exists
    row = locked(ctx, slug, number, with_event=with_event)
    standing = people.standing_of(row)
    require_handler(ctx.actor, row.competition_id, standing)
    require_seen(standing, seen)
    return row, standing, competitions.event(row.event_id)


def note(
    ctx: CommandContext,
    row: Objection,
    kind: StepKind,
    *,
    to: CaseState | None = None,
    text: str | None = None,
    details: Mapping[str, Any] | None = None,
    incoming_id: int | None = None,
    said: Mapping[str, Any] | None = None,
) -> None:
    """Write a step down: one row of the record, one audit entry (``said`` are its details), one revision more."""
    if to is not None:
        row.state = to.value
    if kind is not StepKind.LODGED:
        row.revision += 1
    ctx.session.add(
        ObjectionStep(
            objection_id=row.id,
            at=ctx.now,
            user_id=ctx.actor.user_id,
            kind=kind.value,
            details=dict(details) if details else None,
            text=text or None,
            incoming_id=incoming_id,
        )
    )
    ctx.session.flush()
    ctx.record(ACTIONS[kind], row, revision=row.revision, state=row.state, **(said or {}))

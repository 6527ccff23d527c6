"""An appeal as a row: found, locked, and every step of it written down with its audit entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from app.actors import Role
from app.appeals.models import Appeal, AppealStep
from app.appeals.queries import people, rounds
from app.appeals.rules.clocks import Clocks, Terms, terms_of
from app.appeals.rules.handling import Standing, require_arbiter, require_clerk, require_seen
from app.appeals.rules.refusals import UnknownAppealError
from app.appeals.rules.states import AppealState, StepKind
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView

ACTIONS: Mapping[StepKind, AuditAction] = {
    StepKind.ORAL_LOGGED: AuditAction.APPEAL_LOGGED,
    StepKind.WRITTEN: AuditAction.APPEAL_HANDED_IN,
    StepKind.ADDED: AuditAction.APPEAL_ADDED_TO,
    StepKind.FEE_RECEIVED: AuditAction.APPEAL_FEE_RECEIVED,
    StepKind.FEE_REFUNDED: AuditAction.APPEAL_FEE_REFUNDED,
    StepKind.FEE_KEPT: AuditAction.APPEAL_FEE_KEPT,
    StepKind.FEE_REVERSED: AuditAction.APPEAL_FEE_REVERSED,
    StepKind.RECUSED: AuditAction.APPEAL_RECUSED,
    StepKind.HEARING_SET: AuditAction.APPEAL_HEARING_SET,
    StepKind.HEARD: AuditAction.APPEAL_HEARD,
    StepKind.UPHELD: AuditAction.APPEAL_UPHELD,
    StepKind.DISMISSED: AuditAction.APPEAL_DISMISSED,
    StepKind.REFUSED: AuditAction.APPEAL_REFUSED,
    StepKind.LAPSED: AuditAction.APPEAL_LAPSED,
    StepKind.WITHDRAWN: AuditAction.APPEAL_WITHDRAWN,
    StepKind.PURGED: AuditAction.APPEALS_PURGED,
}
"""The audit entry of each step: what was done to which appeal; never a name or a text."""


@dataclass(frozen=True, slots=True)
class Case:
    """An appeal in the hands of a command: its row, how it stands, and the terms it runs by."""

    row: Appeal
    standing: Standing
    event: EventView
    terms: Terms

    @property
    def clocks(self) -> Clocks:
        return rounds.clocks_of(self.terms, self.row.round_id)


def found(ctx: CommandContext, slug: str, number: str) -> Appeal:
    """The appeal, not locked. Raises ``UnknownAppealError``."""
    row: Appeal | None = ctx.session.scalar(
        select(Appeal).where(
            Appeal.number == number, Appeal.competition_id == competitions.competition_id(slug)
        )
    )
    if row is None:
        raise UnknownAppealError
    return row


def locked(ctx: CommandContext, row: Appeal, *, with_event: bool = False) -> Case:
    """The appeal as it is now; whoever else acts on it waits until this command ends.

    ``with_event``: the event too, first, as acts on results take it.
    """
    if with_event:
        competitions_service.lock_event(ctx, row.event_id)
    fresh = ctx.session.get_one(Appeal, row.id, with_for_update={"key_share": True}, populate_existing=True)
    event = competitions.event(fresh.event_id)
    return Case(fresh, people.standing_of(fresh), event, terms_of(event.regulation))


def arbitrated(
    ctx: CommandContext, slug: str, number: str, seen: int | None, *, with_event: bool = False
) -> Case:
    """The appeal in the hands of a member of the arbitration committee who is not concerned, at the revision he looked at.

    Raises ``AppealConflictError`` and ``AppealChangedError``.
    """
    ctx.actor.require(
        competitions.competition_id(slug), Role.ARBITRATION
    )  # before a stranger learns what exists
    case = locked(ctx, found(ctx, slug, number), with_event=with_event)
    require_arbiter(ctx.actor, case.row.competition_id, case.standing)
    require_seen(case.standing, seen)
    return case


def clerked(ctx: CommandContext, slug: str, number: str, *, with_event: bool = False) -> Case:
    """The appeal in the hands of a clerk: any referee, the chief referee, or the organising committee."""
    require_clerk(ctx.actor, competitions.competition_id(slug))
    return locked(ctx, found(ctx, slug, number), with_event=with_event)


def note(
    ctx: CommandContext,
    row: Appeal,
    kind: StepKind,
    *,
    to: AppealState | None = None,
    text: str | None = None,
    details: Mapping[str, Any] | None = None,
    said: Mapping[str, Any] | None = None,
    first: bool = False,
) -> None:
    """Write a step down: one row of the record, one audit entry (``said`` are its details), one revision more."""
    if to is not None:
        row.state = to.value
    if not first:
        row.revision += 1
    ctx.session.add(
        AppealStep(
            appeal_id=row.id,
            at=ctx.now,
            user_id=ctx.actor.user_id,
            kind=kind.value,
            details=dict(details) if details else None,
            text=text or None,
        )
    )
    ctx.session.flush()
    ctx.record(ACTIONS[kind], row, revision=row.revision, state=row.state, **(said or {}))

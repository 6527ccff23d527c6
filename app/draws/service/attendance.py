from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.draws.models import AttendanceAct
from app.draws.queries import attendance as queries
from app.draws.queries.attendance import Attendance
from app.draws.rules import entry_of, known_entrant
from app.draws.rules.attendance import (
    Act,
    ActKind,
    AlreadyInError,
    NotInError,
    NotStandingOutError,
    NotWithdrawnError,
    OtherActsStandError,
    Presence,
    ReturnStandsError,
    UnknownActError,
    WithdrawnError,
    parse_act_reason,
    presences,
    require_in_time,
    require_list_kept,
    require_may_mark,
    require_may_reinstate,
    require_round,
    require_undrawn,
    swiss_stage,
)
from app.draws.rules.repairs import made_as
from app.registrations.queries import EntrantView
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class _Marking:
    """One act that is asked for, with everything it is judged by."""

    event: EventView
    act: Act
    person: EntrantView
    attendance: Attendance
    clause: str | None

    @property
    def before(self) -> Presence:
        return self.attendance.presences.get(self.act.entrant, Presence())

    @property
    def standing(self) -> int | None:
        """The id of the same act, said before."""
        return next((each.id for each in self.attendance.acts if each.act == self.act), None)


def mark(
    ctx: CommandContext,
    event_id: int,
    *,
    entrant: str,
    kind: ActKind,
    number: int,
    reason: str | None = None,
    standing_out: Collection[EntrantId] = (),
) -> int:
    """Say of one entrant that he is absent in a round, or withdraws, comes back, enters late, is reinstated from it on.

    The id of the act; of the one that stands, where the same was said before. ``standing_out``: whom the engine does not
    pair in this round because of forfeits running, asked by ``app.standings.service`` where somebody is reinstated.
    Raises ``NotByPointsError``, ``NoSuchRoundError``, ``RoundIsDrawnError``, ``UnknownPersonError``,
    ``CommittedListError``, and of each kind what stands against it.
    """
    marking = _marking(ctx, event_id, entrant, kind, number)
    if marking.standing is not None:
        return marking.standing
    why = parse_act_reason(kind, reason)
    _require_possible(ctx, marking, standing_out)
    if kind is ActKind.RETURNED:
        undrawn = next(
            (
                each.id
                for each in marking.attendance.of(marking.act.entrant)
                if each.kind is ActKind.WITHDRAWN
                and each.number >= max(number, marking.attendance.last_drawn + 1)
            ),
            None,
        )
        if undrawn is not None:  # no round was drawn without him: the withdrawal is taken back
            take_back(ctx, event_id, undrawn)
            return undrawn
    return _store(ctx, marking, why)


def take_back(ctx: CommandContext, event_id: int, act_id: int) -> None:
    """Take one act back before its round is drawn. Raises ``UnknownActError``, ``RoundIsDrawnError``,
    ``OtherActsStandError``, ``CommittedListError``."""
    event = competitions.event(event_id)
    require_may_mark(ctx.actor, event.competition_id)
    stage = swiss_stage(event.regulation)
    competitions_service.lock_event(ctx, event_id)
    attendance = queries.attendance(event_id)
    view = next((each for each in attendance.acts if each.id == act_id), None)
    if view is None:
        raise UnknownActError
    if view.kind is ActKind.REINSTATED:
        require_may_reinstate(ctx.actor, event.competition_id)
    require_undrawn(view.number, attendance.last_drawn, stage.clause)
    person = queries.person_of(event, view.entrant)
    if view.kind is ActKind.ENTERS and len(attendance.of(view.entrant)) > 1:
        raise OtherActsStandError(person.name)
    rest = replace(attendance, acts=tuple(each for each in attendance.acts if each.id != act_id))
    _require_list_kept(event, attendance, rest, view.entrant)
    _end(ctx, act_id)
    competitions_service.raise_results_version(ctx, event_id)


def _marking(ctx: CommandContext, event_id: int, entrant: str, kind: ActKind, number: int) -> _Marking:
    """What every act is asked first; no round is drawn until this command ends."""
    event = competitions.event(event_id)
    require_may_mark(ctx.actor, event.competition_id)
    stage = swiss_stage(event.regulation)
    require_round(number, stage)
    competitions_service.lock_event(ctx, event_id)
    attendance = queries.attendance(event_id)
    require_undrawn(number, attendance.last_drawn, stage.clause)
    person = queries.person_of(event, known_entrant(entrant))
    return _Marking(event, Act(EntrantId(entrant), kind, number), person, attendance, stage.clause)


def _require_possible(ctx: CommandContext, marking: _Marking, standing_out: Collection[EntrantId]) -> None:
    act, name, before = marking.act, marking.person.name, marking.before
    if act.kind is ActKind.ENTERS:
        played = marking.attendance.drawn.get(act.entrant)
        if played is not None:
            raise AlreadyInError(name, played)
        require_in_time(marking.event.regulation, act.number)
        return
    if not marking.attendance.in_field(act.entrant):
        raise NotInError(name)
    if act.kind is ActKind.REINSTATED:
        require_may_reinstate(ctx.actor, marking.event.competition_id)
        if act.entrant not in standing_out:
            raise NotStandingOutError(name, act.number, marking.clause)
    out = before.withdrawn_from
    if act.kind is ActKind.RETURNED:
        if out is None:
            raise NotWithdrawnError(name)
    elif out is not None and (act.kind is ActKind.WITHDRAWN or act.number >= out):
        raise WithdrawnError(name, out)
    if act.kind is ActKind.WITHDRAWN and (gap := before.gap_at(act.number)):
        raise ReturnStandsError(name, gap)


def _store(ctx: CommandContext, marking: _Marking, reason: str | None) -> int:
    act, event, attendance = marking.act, marking.event, marking.attendance
    if act.kind is ActKind.ENTERS:
        # one first round: what was said before is said anew
        for earlier in attendance.of(act.entrant):
            if earlier.kind is ActKind.ENTERS:
                _end(ctx, earlier.id)
        kept = tuple(
            each for each in attendance.acts if each.entrant != act.entrant or each.kind is not ActKind.ENTERS
        )
        before, attendance = attendance, replace(attendance, acts=kept)
    else:
        before = attendance
    made = AttendanceAct(
        event_id=event.id,
        entry_id=entry_of(act.entrant),
        kind=act.kind.value,
        number=act.number,
        reason=reason,
        made_as=made_as(ctx.actor, event.competition_id).value,
        made_by_id=ctx.actor.user_id,
        made_at=ctx.now,
    )
    _require_list_kept(event, before, attendance, act.entrant, act)
    ctx.session.add(made)
    ctx.session.flush()
    ctx.record(
        AuditAction.ATTENDANCE_MARKED, made, kind=made.kind, entry_id=made.entry_id, number=made.number
    )
    competitions_service.raise_results_version(ctx, event.id)  # the event file says who takes part when
    return made.id


def _end(ctx: CommandContext, act_id: int) -> None:
    row = ctx.session.get_one(AttendanceAct, act_id)
    row.taken_back_at, row.taken_back_by_id = ctx.now, ctx.actor.user_id
    ctx.session.flush()
    ctx.record(
        AuditAction.ATTENDANCE_TAKEN_BACK, row, kind=row.kind, entry_id=row.entry_id, number=row.number
    )


def _require_list_kept(
    event: EventView, before: Attendance, after: Attendance, entrant: EntrantId, *more: Act
) -> None:
    acts = [each.act for each in after.of(entrant)] + list(more)
    was = before.presences.get(entrant, Presence()) if before.in_field(entrant) else None
    now = presences(acts).get(entrant, Presence())
    listed = bool(acts) or entrant in after.drawn or not after.last_drawn
    require_list_kept(was, now if listed else None, queries.committed_rounds(event.id))

"""The hall: referees to tables, calls, arrivals, announcements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.draws import queries as draws
from app.draws.models import Table
from app.draws.queries import RoundView, TableView
from app.draws.queries.repairs import standing_round
from app.draws.rules import UnknownTableError
from app.floor import queries
from app.floor.models import Arrival, FloorNotice, RefereeCall, TableReferee
from app.floor.rules.hall import (
    ArrivalAheadError,
    ArrivalWay,
    CallClosedError,
    CallKind,
    CallTakenError,
    NoRefereesError,
    NotARefereeError,
    NotArrivedError,
    NotAssignedError,
    NotAtTableError,
    NotInRoundError,
    UnknownCallError,
    UnknownNoticeError,
    parse_note,
    parse_notice,
    parse_outcome,
    require_hall_staff,
    require_may_place,
    require_may_take,
    spread,
)


def assign_referees(
    ctx: CommandContext, event_id: int, stage: str, number: int, *, placed: Mapping[int, Sequence[int]]
) -> None:
    """Put referees at tables of a round (执裁安排): ``placed`` says by table number who is there from now on, in place of whoever
    was; tables it does not name stay as they are. Raises ``UnknownRoundError``, ``UnknownTableError``, ``NotARefereeError``.
    """
    round_ = _round_to_place(ctx, event_id, stage, number)
    _place(ctx, round_, placed)


def add_referee(
    ctx: CommandContext, event_id: int, stage: str, number: int, *, table: int, user_id: int
) -> None:
    """Put one more referee at a table of a round, beside whoever is there; again: nothing. Raises as ``assign_referees``."""
    round_ = _round_to_place(ctx, event_id, stage, number)
    ids = [each.id for each in round_.tables if each.number == table]
    there = queries.referees(ids)
    _place(ctx, round_, {table: tuple(dict.fromkeys((*(there.get(ids[0], ()) if ids else ()), user_id)))})


def spread_referees(ctx: CommandContext, event_id: int, stage: str, number: int) -> None:
    """Put all referees of the competition at the tables of a round, as evenly as it goes. Raises ``NoRefereesError``."""
    round_ = _round_to_place(ctx, event_id, stage, number)
    competition_id = competitions.event(event_id).competition_id
    ids = queries.ordinary_referees(competition_id)
    if not ids:
        raise NoRefereesError
    _place(ctx, round_, spread(ids, [table.number for table in round_.tables]))


def release_referee(ctx: CommandContext, event_id: int, table_id: int, user_id: int) -> None:
    """Take a referee away from a table. Raises ``NotAssignedError``."""
    require_may_place(ctx.actor, competitions.event(event_id).competition_id)
    table = draws.table(table_id)
    row = ctx.session.scalar(
        select(TableReferee)
        .where(
            TableReferee.table_id == table_id,
            TableReferee.user_id == user_id,
            TableReferee.released_at.is_(None),
        )
        .with_for_update(key_share=True)
    )
    if row is None or table.event_id != event_id:
        raise NotAssignedError
    row.released_at = ctx.now
    ctx.record(AuditAction.REFEREE_RELEASED, ("Table", table_id), user_id=user_id)


def _round_to_place(ctx: CommandContext, event_id: int, stage: str, number: int) -> RoundView:
    require_may_place(ctx.actor, competitions.event(event_id).competition_id)
    competitions_service.lock_event(ctx, event_id)
    return standing_round(event_id, stage, number)


def _place(ctx: CommandContext, round_: RoundView, placed: Mapping[int, Sequence[int]]) -> None:
    tables = {table.number: table for table in round_.tables}
    known = {each.user_id for each in queries.referees_of(competitions.event(round_.event_id).competition_id)}
    if not set(placed) <= set(tables):
        raise UnknownTableError
    if any(user_id not in known for each in placed.values() for user_id in each):
        raise NotARefereeError
    rows = ctx.session.scalars(
        select(TableReferee).where(
            TableReferee.table_id.in_([tables[number].id for number in placed]),
            TableReferee.released_at.is_(None),
        )
    ).all()
    there = {(row.table_id, row.user_id): row for row in rows}
    wanted = {(tables[number].id, user_id): None for number, each in placed.items() for user_id in each}
    for pair, row in there.items():
        if pair not in wanted:
            row.released_at = ctx.now
    new = [pair for pair in wanted if pair not in there]
    ctx.session.add_all(
        TableReferee(
            table_id=table_id, user_id=user_id, assigned_at=ctx.now, assigned_by_id=ctx.actor.user_id
        )
        for table_id, user_id in new
    )
    if new or any(pair not in wanted for pair in there):
        ctx.session.flush()
        ctx.record(
            AuditAction.REFEREES_ASSIGNED,
            ("Round", round_.id),
            placed={str(number): list(each) for number, each in sorted(placed.items())},
        )


def call_referee(
    ctx: CommandContext,
    table_id: int,
    *,
    kind: CallKind,
    key: str,
    note: str | None = None,
    caller_entry_id: int | None = None,
) -> int:
    """Call to a table (呼叫裁判). Returns the id of the call; while one of this kind is open there, that one.

    ``caller_entry_id`` is the player who calls, shown by his card; without it a member of the staff calls. Raises
    ``UnknownTableError``, ``NotAtTableError``, ``InvalidError``.
    """
    table = draws.table(table_id)
    _require_at_table(ctx, table, caller_entry_id)
    said = parse_note(note)
    # two of a table who call at once make one call
    ctx.session.execute(select(Table.id).where(Table.id == table_id).with_for_update(key_share=True))
    before = ctx.session.scalar(
        select(RefereeCall.id)
        .where(
            RefereeCall.table_id == table_id,
            (RefereeCall.idempotency_key == key)
            | (RefereeCall.closed_at.is_(None) & (RefereeCall.kind == kind.value)),
        )
        .order_by(RefereeCall.id.desc())
        .limit(1)
    )
    if before is not None:
        return before
    row = RefereeCall(
        event_id=table.event_id,
        table_id=table_id,
        kind=kind.value,
        note=said,
        called_at=ctx.now,
        caller_id=ctx.actor.user_id,
        caller_entry_id=caller_entry_id,
        idempotency_key=key,
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(row)
    except IntegrityError:
        # the same tap came twice at once: the other transaction made the row first
        return ctx.session.scalars(
            select(RefereeCall.id).where(RefereeCall.table_id == table_id, RefereeCall.idempotency_key == key)
        ).one()
    ctx.record(AuditAction.REFEREE_CALLED, row, table_id=table_id, kind=kind.value)
    call_id: int = row.id
    return call_id


def _require_at_table(ctx: CommandContext, table: TableView, entry_id: int | None) -> None:
    if entry_id is None:
        require_hall_staff(ctx.actor, competitions.event(table.event_id).competition_id)
    elif entry_id not in {seat.entry_id for seat in table.seats}:
        raise NotAtTableError


def take_call(ctx: CommandContext, call_id: int, *, event_id: int | None = None) -> None:
    """Say that one goes to the table that called (接单); again: nothing. Raises ``CallTakenError``, ``CallClosedError``."""
    row = _call_row(ctx, call_id, event_id)
    require_may_take(ctx.actor, competitions.event(row.event_id).competition_id, CallKind(row.kind))
    if row.closed_at is not None:
        raise CallClosedError(row.closed_at)
    if row.taken_at is not None and row.taken_by_id != ctx.actor.user_id:
        raise CallTakenError(row.taken_at)
    if row.taken_at is not None:
        return
    row.taken_at, row.taken_by_id = ctx.now, ctx.actor.user_id
    ctx.record(AuditAction.CALL_TAKEN, row, table_id=row.table_id)


def close_call(
    ctx: CommandContext, call_id: int, *, outcome: str | None = None, event_id: int | None = None
) -> None:
    """Say that a call is dealt with (办结), and what came of it; again: nothing. Raises ``UnknownCallError``."""
    row = _call_row(ctx, call_id, event_id)
    require_may_take(ctx.actor, competitions.event(row.event_id).competition_id, CallKind(row.kind))
    _close(ctx, row, parse_outcome(outcome))


def withdraw_call(ctx: CommandContext, call_id: int, *, caller_entry_id: int) -> None:
    """A player takes his own call back (不用了); once it is closed: nothing. Raises ``UnknownCallError``."""
    row = _call_row(ctx, call_id)
    if row.caller_entry_id != caller_entry_id:
        raise UnknownCallError
    _close(ctx, row, None)


def close_disputes(ctx: CommandContext, table_id: int, *, outcome: str | None = None) -> None:
    """A dispute at a table was decided (`app.results`, which has asked for the permission): its calls are over."""
    for row in ctx.session.scalars(
        select(RefereeCall)
        .where(
            RefereeCall.table_id == table_id,
            RefereeCall.kind == CallKind.DISPUTE.value,
            RefereeCall.closed_at.is_(None),
        )
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).all():
        _close(ctx, row, outcome)


def _close(ctx: CommandContext, row: RefereeCall, outcome: str | None) -> None:
    if row.closed_at is not None:
        return
    row.closed_at, row.closed_by_id, row.outcome = ctx.now, ctx.actor.user_id, outcome
    ctx.record(AuditAction.CALL_CLOSED, row, table_id=row.table_id)


def _call_row(ctx: CommandContext, call_id: int, event_id: int | None = None) -> RefereeCall:
    """``event_id``: the one of the address that was asked, where there is one."""
    row = ctx.session.get(RefereeCall, call_id, with_for_update={"key_share": True}, populate_existing=True)
    if row is None or event_id not in (None, row.event_id):
        raise UnknownCallError
    return row


def record_arrival(
    ctx: CommandContext,
    round_id: int,
    entry_id: int,
    *,
    way: ArrivalWay,
    at: datetime | None = None,
    own: bool = False,
) -> datetime:
    """Note that an entrant has come to a round (到场), now or at an earlier moment that a referee saw; returns when.

    Who has arrived already stays arrived at that moment. ``own``: the player himself says so, shown by his card. Raises
    ``NotInRoundError``, ``ArrivalAheadError``.
    """
    run = queries.run(round_id)
    if not own:
        require_hall_staff(ctx.actor, run.event.competition_id)
    if run.number < 0 or queries.table_of(round_id, entry_id) is None:
        raise NotInRoundError
    moment = ctx.now if at is None or own else at
    if moment > ctx.now:
        raise ArrivalAheadError
    standing = select(Arrival.at).where(
        Arrival.round_id == round_id, Arrival.entry_id == entry_id, Arrival.taken_back_at.is_(None)
    )
    before = ctx.session.scalar(standing)
    if before is not None:
        return before
    row = Arrival(
        round_id=round_id,
        entry_id=entry_id,
        at=moment,
        way=(ArrivalWay.OWN if own else way).value,
        recorded_by_id=ctx.actor.user_id,
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(row)
    except IntegrityError:
        # two referees saw him at once: the other transaction noted it first
        return ctx.session.scalars(standing).one()
    ctx.record(
        AuditAction.ARRIVAL_RECORDED,
        row,
        round_id=round_id,
        entry_id=entry_id,
        at=moment.isoformat(),
        way=row.way,
    )
    return moment


def take_back_arrival(ctx: CommandContext, round_id: int, entry_id: int) -> None:
    """Take an arrival back that was noted by mistake, so that it can be noted anew. Raises ``NotArrivedError``."""
    require_hall_staff(ctx.actor, queries.run(round_id).event.competition_id)
    row = ctx.session.scalar(
        select(Arrival)
        .where(Arrival.round_id == round_id, Arrival.entry_id == entry_id, Arrival.taken_back_at.is_(None))
        .with_for_update(key_share=True)
    )
    if row is None:
        raise NotArrivedError
    row.taken_back_at, row.taken_back_by_id = ctx.now, ctx.actor.user_id
    ctx.record(AuditAction.ARRIVAL_TAKEN_BACK, row, round_id=round_id, entry_id=entry_id)


def announce(ctx: CommandContext, event_id: int, *, text: str, key: str, text_en: str | None = None) -> int:
    """Say something to every phone of an event (赛场广播). Returns its id; the same key again: the same one.

    Raises ``InvalidError`` for a text that is too long or holds the number of a person.
    """
    require_may_place(ctx.actor, competitions.event(event_id).competition_id)
    said, said_en = parse_notice(text, text_en)
    competitions_service.lock_event(ctx, event_id)  # two taps at once make one
    before = ctx.session.scalar(
        select(FloorNotice.id).where(FloorNotice.event_id == event_id, FloorNotice.idempotency_key == key)
    )
    if before is not None:
        return before
    row = FloorNotice(
        event_id=event_id,
        text=said,
        text_en=said_en,
        made_at=ctx.now,
        made_by_id=ctx.actor.user_id,
        idempotency_key=key,
    )
    ctx.session.add(row)
    ctx.session.flush()
    ctx.record(AuditAction.NOTICE_MADE, row, event_id=event_id, text=said)
    notice_id: int = row.id
    return notice_id


def withdraw_notice(ctx: CommandContext, event_id: int, notice_id: int) -> None:
    """Take an announcement off every phone; again: nothing. Raises ``UnknownNoticeError``."""
    require_may_place(ctx.actor, competitions.event(event_id).competition_id)
    row = ctx.session.get(FloorNotice, notice_id, with_for_update={"key_share": True}, populate_existing=True)
    if row is None or row.event_id != event_id:
        raise UnknownNoticeError
    if row.withdrawn_at is None:
        row.withdrawn_at = ctx.now
        ctx.record(AuditAction.NOTICE_WITHDRAWN, row, event_id=event_id)

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sqlalchemy import select

from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions_queries
from app.competitions import service as competitions
from app.draws import queries as draws
from app.draws.rules import entrant_of, entry_of
from app.floor import queries as floor
from app.registrations.rules import EntryId
from app.results import queries as results
from app.results import service as results_service
from app.results.queries import SheetView
from app.results.rules import Content, SheetState
from app.results.service import Sent
from app.rulings import queries
from app.rulings.models import Ruling
from app.rulings.queries.preview import Preview, preview
from app.rulings.queries.undoing import sheet_key, undone
from app.rulings.rules import (
    IN_FORCE,
    AlreadyExpelledError,
    AlreadyWithdrawnError,
    CostChangedError,
    RulingKind,
    RulingVoidError,
    SheetWaitsError,
    Wanted,
    parse_reason,
    require_may_give,
    require_may_withdraw,
)
from app.rulings.rules.choices import chief_only_for, choice
from app.rulings.rules.contents import minutes_json
from app.rulings.service.expelling import expel, take_expulsion_back


def rule(
    ctx: CommandContext,
    token: str,
    *,
    code: str,
    entry_ids: Sequence[int],
    reason: str,
    idempotency_key: str,
    rule: str | None = None,
    deal: int | None = None,
    count: int = 1,
    points: int | None = None,
    outcome: str | None = None,
    insisted: bool = False,
    minutes: Fraction | None = None,
    previewed: str | None = None,
) -> tuple[int, ...]:
    """Give a ruling (判罚) about entrants of a table: a penalty or a warning, lateness, a forfeit, expulsion. Their ids.

    What stands on the sheet is written there: while it is open as any other entry, once it is confirmed as a revision in force at once.
    ``previewed`` is the cost that was shown; where it would be another one now, nothing is given. The same ``idempotency_key`` does it once.

    Raises ``ChiefOnlyError``, ``OtherTableError``, ``UnknownChoiceError``, ``ParameterError``, ``NotAtThisTableError``,
    ``RulingReasonError``, ``CostChangedError``, ``SheetWaitsError``, ``AlreadyExpelledError``, and what recording on the sheet raises.
    """
    event_id = draws.table_by_token(token).event_id
    competitions.lock_event(ctx, event_id)
    wanted = Wanted(code, rule, deal, count, points, outcome, insisted, minutes)
    view = results.sheet(token)
    made_as = require_may_rule(ctx.actor, view, wanted)
    before = _given_before(ctx, event_id, idempotency_key)
    if before:
        return before
    why = parse_reason(reason)
    entrants = [entrant_of(EntryId(each)) for each in dict.fromkeys(entry_ids)]
    shown = preview(view, entrants, wanted, compare=False)
    if previewed is not None and previewed != shown.cost:
        raise CostChangedError(previewed, shown.cost)
    if shown.content is not None:
        _write(
            ctx,
            view,
            shown.content,
            reason=why,
            key=sheet_key(idempotency_key),
            judged=wanted.kind is RulingKind.FORFEIT,
        )
    version = _counted(ctx, view, shown)
    found = []
    for place, entrant in enumerate(entrants, start=1):
        row = Ruling(
            event_id=event_id,
            round_id=view.table.round_id,
            table_id=view.table.id,
            entry_id=entry_of(entrant),
            kind=wanted.kind.value,
            rule=wanted.rule if wanted.kind is RulingKind.EXPULSION else wanted.code,
            clause=_clause(view, shown, wanted),
            deal=wanted.deal,
            count=wanted.count,
            points=wanted.points,
            outcome=wanted.outcome,
            insisted=wanted.insisted,
            minutes=None if wanted.minutes is None else str(minutes_json(wanted.minutes)),
            on_sheet=shown.content is not None,
            given_version=version,
            reason=why,
            made_as=made_as.value,
            made_by_id=ctx.actor.user_id,
            made_at=ctx.now,
            idempotency_key=idempotency_key if place == 1 else f"{idempotency_key}-{place}",
        )
        if wanted.kind is RulingKind.EXPULSION and entrant in queries.expelled(event_id):
            raise AlreadyExpelledError(view.names[entrant])
        ctx.session.add(row)
        ctx.session.flush()
        if wanted.kind is RulingKind.EXPULSION:
            expel(ctx, queries.ruling(event_id, row.id))
        ctx.record(
            AuditAction.RULING_GIVEN,
            row,
            table_id=row.table_id,
            kind=row.kind,
            rule=row.rule,
            clause=row.clause,
            made_as=row.made_as,
        )
        found.append(row.id)
    return tuple(found)


def require_may_rule(actor: Actor, view: SheetView, wanted: Wanted) -> Role:
    """The role in which this is given. Raises ``ChiefOnlyError``, ``OtherTableError``, ``UnknownChoiceError``."""
    chosen = choice(view.event.regulation, wanted.code)
    chief_only = IN_FORCE if _in_force(view) else chief_only_for(wanted, chosen)
    return require_may_give(
        actor,
        view.event.competition_id,
        chief_only=chief_only,
        clause=chosen.clause,
        referees=frozenset(floor.referees([view.table.id]).get(view.table.id, ())),
    )


def withdraw(ctx: CommandContext, event_id: int, ruling_id: int, *, reason: str) -> None:
    """Withdraw a ruling (撤销判罚) with a reason; the standings follow at the next computation.

    Raises ``ChiefOnlyError``, and what ``lift`` raises.
    """
    competitions.lock_event(ctx, event_id)
    given = queries.ruling(event_id, ruling_id)
    view = queries.sheet_of(given)
    require_may_withdraw(
        ctx.actor,
        competitions_queries.event(event_id).competition_id,
        made_by_id=given.made_by_id,
        in_force=given.kind is RulingKind.EXPULSION or (view is not None and _in_force(view)),
        clause=given.clause,
    )
    lift(ctx, event_id, ruling_id, reason=reason)


def lift(ctx: CommandContext, event_id: int, ruling_id: int, *, reason: str) -> None:
    """Withdraw a ruling; the caller has judged that it falls, and asked who may: the chief referee, or an appeal.

    What it wrote on the sheet is taken out again. Raises ``UnknownRulingError``, ``AlreadyWithdrawnError``, ``RulingVoidError``,
    ``RulingReasonError``, ``SheetMovedError``, ``NothingPlayedError``, ``SheetWaitsError``.
    """
    competitions.lock_event(ctx, event_id)
    given = queries.ruling(event_id, ruling_id)
    row = ctx.session.get_one(Ruling, ruling_id, populate_existing=True)
    if row.withdrawn_at is not None:
        raise AlreadyWithdrawnError
    if given.void:
        raise RulingVoidError
    why = parse_reason(reason)
    view = queries.sheet_of(given)
    if given.on_sheet:
        assert view is not None
        content = undone(view, given)
        if content != view.content:
            _write(ctx, view, content, reason=why, key=f"lift-{row.id}", judged=False)
    row.withdrawn_at, row.withdrawn_by_id, row.withdrawn_reason = ctx.now, ctx.actor.user_id, why
    ctx.session.flush()
    if given.kind is RulingKind.EXPULSION:
        take_expulsion_back(ctx, given)
    elif not given.on_sheet:
        counts = view is not None and _in_force(view)
        row.lifted_version = _version(ctx, event_id, raised=counts)
    ctx.record(AuditAction.RULING_WITHDRAWN, row, kind=row.kind, rule=row.rule, clause=row.clause)


def _given_before(ctx: CommandContext, event_id: int, key: str) -> tuple[int, ...]:
    """The rulings that this very request has made already."""
    rows = ctx.session.execute(
        select(Ruling.id, Ruling.idempotency_key)
        .where(
            Ruling.event_id == event_id,
            Ruling.idempotency_key.in_([key, *(f"{key}-{place}" for place in range(2, 5))]),
        )
        .order_by(Ruling.id)
    ).all()
    return tuple(row.id for row in rows) if any(row.idempotency_key == key for row in rows) else ()


def _write(
    ctx: CommandContext, view: SheetView, content: Content, *, reason: str, key: str, judged: bool
) -> None:
    """Put a content on the sheet: on an open one as an entry, on a confirmed one, or where it was ``judged``, in force at once."""
    if view.state not in (SheetState.OPEN, SheetState.CONFIRMED):
        raise SheetWaitsError(view.stage.clause)
    if view.state is SheetState.OPEN and not judged:
        sent = Sent(view.revision, key)
        results_service.record_sheet(
            ctx,
            view.table.token,
            handed_in=False,
            sent=sent,
            deals=content.deals,
            outcome=content.outcome or {},
        )
        return
    results_service.correct(
        ctx,
        view.table.token,
        deals=content.deals,
        outcome=content.outcome,
        reason=reason,
        act=AuditAction.RULING_GIVEN,
        key=key,
        base_revision=view.revision,
    )


def _counted(ctx: CommandContext, view: SheetView, shown: Preview) -> int:
    """The results version from which on a ruling counts. What was written on a sheet raised it with the sheet."""
    return _version(ctx, view.event.id, raised=bool(shown.adjustments) and _in_force(view))


def _version(ctx: CommandContext, event_id: int, *, raised: bool) -> int:
    if raised:
        return competitions.raise_results_version(ctx, event_id)
    return competitions.lock_event(ctx, event_id).results_version


def _clause(view: SheetView, shown: Preview, wanted: Wanted) -> str:
    """Of an expulsion the clause of what it rests on."""
    if wanted.kind is RulingKind.EXPULSION and wanted.rule is not None:
        return choice(view.event.regulation, wanted.rule).clause
    return shown.choice.clause


def _in_force(view: SheetView) -> bool:
    """Whether the sheet counts, or has been confirmed and will."""
    return view.published_revision is not None or view.state is SheetState.CONFIRMED

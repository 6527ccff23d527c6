from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.orm import contains_eager

from app.competitions.queries import EventView
from app.draws import rules
from app.draws.models import STANDS, UNDECIDED, DrawRepair, Round, Table, VoidRound
from app.draws.queries.attendance import of_rounds as of_rounds
from app.draws.queries.attendance import standing_presences as standing_presences
from app.draws.queries.heads import heads as heads
from app.draws.queries.heads import repairs_of, tables_of
from app.draws.queries.heads import standing_table as standing_table
from app.draws.queries.heads import void_heads as void_heads
from app.draws.queries.people import Found as Found
from app.draws.queries.people import PersonView as PersonView
from app.draws.queries.people import person as person
from app.draws.queries.people import search as search
from app.draws.queries.reasons import Explained as Explained
from app.draws.queries.reasons import cards as cards
from app.draws.queries.rulings import RulingView as RulingView
from app.draws.queries.rulings import rulings
from app.draws.queries.seeds import CommitmentView as CommitmentView
from app.draws.queries.seeds import commitment_rows, commitment_view
from app.draws.queries.seeds import commitments as commitments
from app.draws.queries.seeds import last_commitment as last_commitment
from app.draws.queries.seeds import open_commitment as open_commitment
from app.draws.queries.views import ChangeView as ChangeView
from app.draws.queries.views import RoundHead as RoundHead
from app.draws.queries.views import RoundView as RoundView
from app.draws.queries.views import TableView as TableView
from app.draws.queries.views import VoidView as VoidView
from app.draws.queries.views import change_views as change_views
from app.draws.rules import (
    UnknownRoundError,
    UnknownTableError,
    entrant_of,
    entry_of,
)
from app.draws.rules.repairs import (
    RepairingError,
    VoidTableError,
    placed_from,
)
from app.errors import RefusedError, SaishiError
from app.extensions import db
from app.publications import queries as publications
from app.publications.queries import PublicationView
from app.publications.rules import PublicationState
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId, EntryState
from app.text import T
from app.waiting import Waiting
from scoring_engine.event_file.swiss_draws.history import Away
from scoring_engine.rules import StageRule
from scoring_engine.values import EntrantId


def rounds(event_id: int) -> tuple[RoundView, ...]:
    """Every drawn round of an event that stands, in the order drawn."""
    return _rounds(event_id, STANDS)


def void_rounds(event_id: int) -> tuple[RoundView, ...]:
    """Every round of an event that was taken back (作废), in the order drawn."""
    return _rounds(event_id, ~STANDS)


def void_round(event_id: int, round_id: int) -> RoundView:
    """One round that was taken back. Raises ``UnknownRoundError``."""
    found = _rounds(event_id, ~STANDS, Round.id == round_id)
    if not found:
        raise UnknownRoundError
    return found[0]


def _rounds(event_id: int, *conditions: ColumnElement[bool]) -> tuple[RoundView, ...]:
    rows = db.session.scalars(
        select(Round).where(Round.event_id == event_id, *conditions).order_by(Round.id)
    ).all()
    if not rows:
        return ()
    people = registrations.entrants(event_id)
    committed = {row.round_id: commitment_view(row) for row in commitment_rows(event_id) if row.round_id}
    ids = [row.id for row in rows]
    repairs = repairs_of(ids)
    seated = tables_of(people, Table.round_id.in_(ids))
    voids = {
        void.round_id: void
        for void in db.session.scalars(select(VoidRound).where(VoidRound.round_id.in_(ids)))
    }
    ruled = rulings(ids, people)
    return tuple(
        _round(
            row,
            people,
            committed.get(row.id),
            tables=seated.get(row.id, ()),
            repairs=repairs.get(row.id, ()),
            void=voids.get(row.id),
            ruling=ruled.get(row.id),
        )
        for row in rows
    )


def round_of(event_id: int, stage: str, number: int) -> RoundView | None:
    """One drawn round, or None."""
    found = _rounds(event_id, STANDS, Round.stage == stage, Round.number == number)
    return found[0] if found else None


def tables(event_id: int) -> tuple[TableView, ...]:
    """Every table of an event, in the order of rounds and tables."""
    return tuple(table for each in rounds(event_id) for table in each.tables)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a QR code leads (桌位), as numbers that never change; how its round stands is another question."""

    table_id: int
    round_id: int
    event_id: int


def spot(token: str) -> Spot:
    """What has to be locked before the table may be read. Raises ``UnknownTableError``."""
    found = db.session.execute(
        select(Table.id, Table.round_id, Round.event_id).join(Table.round).where(Table.token == token)
    ).one_or_none()
    if found is None:
        raise UnknownTableError
    return Spot(*found)


def table_by_token(token: str) -> TableView:
    """The table a QR code leads to. Raises ``UnknownTableError``, ``VoidTableError``, ``RepairingError``.

    How its round stands is read anew each time, also where a lock was waited for.
    """
    found = db.session.execute(
        select(Table, Round.number, exists().where(DrawRepair.round_id == Round.id, UNDECIDED))
        .join(Table.round)
        .options(contains_eager(Table.round))
        .where(Table.token == token)
    ).one_or_none()
    if found is None:
        raise UnknownTableError
    row, number, repairing = found
    if number < 0:
        void = db.session.scalars(select(VoidRound).where(VoidRound.round_id == row.round_id)).one()
        raise VoidTableError(row.round.stage, void.number)
    if repairing:
        raise RepairingError(row.round.stage, number)
    return _table(row, registrations.named(seat.entry_id for seat in row.seats))


def table(table_id: int) -> TableView:
    """Raises ``UnknownTableError``."""
    row = db.session.get(Table, table_id)
    if row is None:
        raise UnknownTableError
    return _table(row, registrations.named(seat.entry_id for seat in row.seats))


@dataclass(frozen=True, slots=True)
class Readiness:
    """How many would be drawn now, and what a draw would answer now; None where it would succeed."""

    entrants: int
    refusal: SaishiError | None


def final_list(event: EventView, now: datetime) -> tuple[PublicationView | None, tuple[EntrantId, ...]]:
    """The newest list to draw from, and who of all in force is in the draw. Raises ``NotPublishedError``,
    ``PublicationRunningError``, ``ObjectionsOpenError``, ``MailUnreadError``, ``ListStaleError``, ``UnlistedError``.

    The published lists say who may play; whoever lost the entry since, because an objection was upheld, does not, and whoever was added
    under a text that does not publish again does. Where the regulation has no published list, the approved entries are it, once entries have ended and all are decided.
    Raises ``EntriesOpenError``, ``EntriesPendingError``, ``NobodyApprovedError``.
    """
    publication, listed = _whole_list(event, now)
    said = standing_presences(event.id)
    return publication, tuple(each for each in listed if each not in said or said[each].away_in(1) is None)


def list_from_round_one(
    event: EventView, now: datetime
) -> tuple[PublicationView | None, tuple[EntrantId, ...]]:
    """The list to divide into groups: of ``final_list`` also those who are only absent in round 1. Raises as it does."""
    publication, listed = _whole_list(event, now)
    said = standing_presences(event.id)
    return publication, tuple(
        each for each in listed if each not in said or said[each].away_in(1) in (None, Away.ABSENT)
    )


def _whole_list(event: EventView, now: datetime) -> tuple[PublicationView | None, tuple[EntrantId, ...]]:
    """Everybody of the list, whatever was said of them since."""
    if not event.regulation.has("publication"):
        return None, _approved_list(event, now)
    clause = rules.eligible_clause(event.regulation)
    lists = publications.in_force(event.id)
    if not lists:
        raise rules.NotPublishedError(clause)
    running = [each.ends_at for each in lists if each.status(now).running]
    if running:
        raise rules.PublicationRunningError(max(running), clause)
    for each in lists:
        if each.status(now).state is PublicationState.OBJECTED:
            raise rules.ObjectionsOpenError(each.number, clause)
        if each.status(now).state is PublicationState.AWAITING_MAIL:
            raise rules.MailUnreadError(each.number, clause)
    if not event.entries_closed:  # a list no longer changes once it was drawn from
        _require_right_lists(event, clause)
    approved = {each.entry_id for each in registrations.approved_entries(event.id)}
    listed = tuple(
        entrant_of(line.entry_id) for each in lists for line in each.entries if line.entry_id in approved
    )
    late = (entrant_of(each.entry_id) for each in publications.added(event))
    return lists[-1], (*listed, *late)


def _require_right_lists(event: EventView, clause: str) -> None:
    """What plays is what was published: nobody under a name that no list has, where changes are published again, and nobody passed
    over. Whoever left is only left out of the draw. Raises ``ListStaleError``, ``UnlistedError``."""
    planned = publications.plan(event)
    if event.regulation.registration.changes_published:
        for each, stale in planned.stale:
            if stale.changed:
                raise rules.ListStaleError(each.number, len(stale.changed), clause)
    if planned.unlisted:
        raise rules.UnlistedError(len(planned.unlisted), clause)


def _approved_list(event: EventView, now: datetime) -> tuple[EntrantId, ...]:
    deadline, clause = event.regulation.calendar.registration_deadline, event.regulation.registration.clause
    if deadline.accepts(now):
        raise rules.EntriesOpenError(deadline.at, deadline.clause)
    waiting = registrations.counts(event.id)[EntryState.SUBMITTED]
    if waiting:
        raise rules.EntriesPendingError(waiting, clause)
    entrants = tuple(sorted(entrant_of(each.entry_id) for each in registrations.approved_entries(event.id)))
    if not entrants:
        raise rules.NobodyApprovedError(clause)
    return entrants


def readiness(event: EventView, stage: StageRule, now: datetime) -> Readiness:
    """Whether the first stage could be drawn at ``now``."""
    entrants: tuple[EntrantId, ...] = ()
    try:
        _, entrants = final_list(event, now)
        rules.require_enough(len(entrants), event.regulation.scoring_rules())
    except RefusedError as refusal:
        return Readiness(len(entrants), refusal)
    return Readiness(len(entrants), None)


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """A repair that a second person has to confirm; then what can be drawn."""
    return (*_waiting_repairs(event), *_waiting_draw(event, now))


def _waiting_repairs(event: EventView) -> tuple[Waiting, ...]:
    """Rounds being changed by hand: nobody can start a sheet there until a second person confirms, or the repair is cancelled."""
    rows = db.session.execute(
        select(Round.stage, Round.number, DrawRepair.revision)
        .join(DrawRepair, DrawRepair.round_id == Round.id)
        .where(Round.event_id == event.id, STANDS, UNDECIDED)
        .order_by(Round.id)
    )
    return tuple(
        Waiting(
            T(
                "%(round)s正在人工调整，已有 %(count)s 项改动，等第二人确认",
                round=rules.round_name(stage, number),
                count=changes,
            )
            if changes
            else T("%(round)s已开始人工调整，还没有改动", round=rules.round_name(stage, number)),
            T("看改动并确认") if changes else T("继续或取消调整"),
            "draw_repairs.show",
            rules.DRAWERS,
            values={"stage": stage, "number": number},
        )
        for stage, number, changes in rows
    )


def _waiting_draw(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """That the first stage can be drawn now, or why not where only a ruling can help."""
    first = next((stage for stage in event.regulation.stages if stage.kind == rules.DRAWN), None)
    if first is None or db.session.scalar(
        select(Round.id).where(Round.event_id == event.id, STANDS).limit(1)
    ):
        return ()
    ready = readiness(event, first, now)
    if ready.refusal is None:
        text: T = T("名单公示期满，%(count)s 人可以抽签", count=ready.entrants)
    elif isinstance(ready.refusal, rules.RulingNeededError):
        text = ready.refusal.text
    else:
        return ()
    return (Waiting(text, T("去抽签"), "draws.staff_draws", rules.DRAWERS),)


def _round(
    row: Round,
    people: Mapping[EntryId, EntrantView],
    commitment: CommitmentView | None,
    *,
    tables: Sequence[TableView],
    repairs: Sequence[DrawRepair],
    void: VoidRound | None,
    ruling: RulingView | None,
) -> RoundView:
    number = void.number if void else row.number
    if void:
        tables = [replace(each, round_number=number) for each in tables]
    confirmed = [each for each in repairs if each.confirmed_at is not None]
    names = {str(entrant_of(entry_id)): each.name for entry_id, each in people.items()}
    played = {
        "tables": [[entrant_of(seat.entry_id) for seat in each.seats] for each in tables],
        "byes": row.direct,
    }
    return RoundView(
        id=row.id,
        event_id=row.event_id,
        stage=row.stage,
        number=number,
        seed=row.seed,
        drawn_at=row.drawn_at,
        entrants=tuple(row.entrants),
        direct=tuple(people[entry_of(each)] for each in row.direct),
        tables=tuple(tables),
        publication_numbers=publications.in_force_at(row.event_id, row.drawn_at)
        if row.publication_id is not None
        else (),
        commitment=commitment,
        started_at=row.started_at,
        drawn=placed_from(confirmed[0].before if confirmed else played),
        changes=tuple(view for each in confirmed for view in change_views(each, names)),
        repairing=any(each.confirmed_at is None and each.cancelled_at is None for each in repairs),
        void=VoidView(row.id, void.voided_at, void.reason, void.tables, void.deals) if void else None,
        ruling=ruling,
        regulation_version_id=row.regulation_version_id,
        results_version=row.results_version,
    )


def _table(row: Table, people: Mapping[EntryId, EntrantView]) -> TableView:
    return TableView(
        id=row.id,
        event_id=row.round.event_id,
        round_id=row.round_id,
        stage=row.round.stage,
        round_number=row.round.number,
        number=row.number,
        token=row.token,
        seats=tuple(people[EntryId(seat.entry_id)] for seat in row.seats),
    )

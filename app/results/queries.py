from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from app.accounts import queries as accounts
from app.actors import Role
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries as draws
from app.draws.models import STANDS, Round, Table
from app.draws.queries import CommitmentView, RoundView, TableView
from app.draws.queries.repairs import standing_round
from app.draws.rules import entrant_of
from app.extensions import db
from app.registrations.queries import EntrantView
from app.results.models import Sheet, SheetRevision
from app.results.rules import (
    RECORDERS,
    Content,
    DealRecord,
    Game,
    Kind,
    MatchSheet,
    Outcome,
    SheetState,
    game_of,
    match_sheet,
    score,
    stage_rule,
)
from app.text import T
from app.waiting import Waiting
from scoring_engine.landlord.deals import first_bidder
from scoring_engine.rules import ScoringRules, StageRule
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class RevisionView:
    """One revision of a sheet: what it said and who recorded it."""

    number: int
    deals: tuple[DealRecord, ...]
    outcome: Outcome | None
    handed_in: bool
    recorded_by_id: int | None
    recorded_at: datetime
    device: str | None
    client_time: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Recording:
    """Who recorded something at a table, by role and masked number (谁在何时录入), and when."""

    role: Role | None
    phone_masked: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet of one table as it stands; ``revision`` is 0 before the first deal."""

    table: TableView
    event: EventView
    stage: StageRule
    deals_wanted: int
    state: SheetState
    revision: int
    deals: tuple[DealRecord, ...]
    outcome: Outcome | None
    confirmed_revision: int | None
    published_at: datetime | None

    @property
    def rules(self) -> ScoringRules:
        return self.event.regulation.scoring_rules()

    @property
    def game(self) -> Game:
        return game_of(self.rules)

    @property
    def content(self) -> Content:
        return Content(self.deals, self.outcome)

    @property
    def seats(self) -> dict[EntrantId, EntrantView]:
        """Who sits at the table, in seat order, by the event file's ids."""
        return seats_of(self.table)

    @property
    def names(self) -> dict[EntrantId, str]:
        return {entrant: seat.name for entrant, seat in self.seats.items()}

    @property
    def scores(self) -> tuple[dict[EntrantId, int], ...]:
        """Points of the three players in each recorded deal; of a match none."""
        if not self.game.counts_deals:
            return ()
        return tuple(dict(score(deal, tuple(self.seats), self.rules).points) for deal in self.deals)

    @property
    def totals(self) -> dict[EntrantId, int]:
        return {entrant: sum(deal[entrant] for deal in self.scores) for entrant in self.seats}

    @property
    def match(self) -> MatchSheet | None:
        """The match of 升级, scored as far as it is possible; None of another game."""
        if self.game.kind is not Kind.MATCH:
            return None
        return match_sheet(self.content, self.names, self.rules)

    @property
    def complete(self) -> bool:
        return self.game.complete(self.content, self.deals_wanted, self.rules)

    @property
    def strip(self) -> int:
        """How many deals the strip shows: the stage's number, more where passed-out deals are replayed (I-A-2); of a
        match one more than were played."""
        if self.game.kind is Kind.MATCH:
            return len(self.deals) + 1
        if self.complete:
            return len(self.deals)
        return max(self.deals_wanted, len(self.deals) + 1)

    @property
    def shown_state(self) -> str:
        """未开赛 (open) before the first deal, then 进行中 (running), then the state."""
        if self.state is SheetState.OPEN and not self.content.empty:
            return "running"
        return self.state.value

    @property
    def correcting(self) -> bool:
        """Whether a confirmed sheet was re-opened and its correction is not handed in yet."""
        return self.state is SheetState.OPEN and self.confirmed_revision is not None

    def first_bidder(self, deal_number: int) -> EntrantView:
        """Who bids first in a deal: the drawn first seat in deal 1, then counter-clockwise."""
        return tuple(self.seats.values())[first_bidder(deal_number)]


@dataclass(frozen=True, slots=True)
class ConfirmedTable:
    """One drawn table with what its confirmed revision says, or None while none is confirmed."""

    table: TableView
    content: Content | None

    @property
    def deals(self) -> tuple[DealRecord, ...] | None:
        return None if self.content is None else self.content.deals


@dataclass(frozen=True, slots=True)
class TableState:
    """One row of the staff board."""

    table: TableView
    shown_state: str
    recorded: int
    deals_wanted: int
    """0 where a table has no number of deals."""

    @property
    def confirmed(self) -> bool:
        return self.shown_state == SheetState.CONFIRMED.value


@dataclass(frozen=True, slots=True)
class Progress:
    """How many tables of an event are confirmed (11 桌中已确认 7 桌)."""

    confirmed: int
    tables: int

    @property
    def provisional(self) -> bool:
        return self.confirmed < self.tables


def seats_of(table: TableView) -> dict[EntrantId, EntrantView]:
    return {entrant_of(seat.entry_id): seat for seat in table.seats}


def sheet(token: str) -> SheetView:
    """The sheet of the table with this token. Raises ``draws.rules.UnknownTableError``."""
    table = draws.table_by_token(token)
    row = db.session.scalar(select(Sheet).where(Sheet.table_id == table.id))
    return _sheet(table, competitions.event(table.event_id), row)


def revisions(token: str) -> tuple[RevisionView, ...]:
    """Every revision of a table's sheet, the oldest first."""
    table = draws.table_by_token(token)
    rows = db.session.scalars(
        select(SheetRevision)
        .join(Sheet, Sheet.id == SheetRevision.sheet_id)
        .where(Sheet.table_id == table.id)
        .order_by(SheetRevision.number)
    )
    return tuple(_revision(row) for row in rows)


def recordings(view: SheetView) -> tuple[Recording, ...]:
    """Of each deal of the newest revision: who wrote it as it now stands."""
    told = [each for each in revisions(view.table.token) if each.number <= view.revision]
    people = _Recorders(view.event.competition_id)
    found = []
    for place, deal in enumerate(view.deals):
        others = (each.number for each in told if each.deals[place : place + 1] != (deal,))
        last_other = max(others, default=0)
        found.append(people.recording(next(each for each in told if each.number > last_other)))
    return tuple(found)


def newest_recording(view: SheetView) -> Recording | None:
    """Who changed the sheet last; None before the first deal."""
    told = revisions(view.table.token)
    return _Recorders(view.event.competition_id).recording(told[-1]) if told else None


class _Recorders:
    """The people behind the revisions of one competition's sheets, each looked up once."""

    def __init__(self, competition_id: int) -> None:
        self.competition_id = competition_id
        self.known: dict[int, tuple[Role | None, str | None]] = {}

    def recording(self, revision: RevisionView) -> Recording:
        return Recording(*self._person(revision.recorded_by_id), revision.recorded_at)

    def _person(self, user_id: int | None) -> tuple[Role | None, str | None]:
        if user_id is None:
            return None, None
        if user_id not in self.known:
            user = accounts.session_user(user_id)
            held = (role for role in RECORDERS if user and user.actor.has(self.competition_id, role))
            self.known[user_id] = (next(held, None), user.phone_masked if user else None)
        return self.known[user_id]


@dataclass(frozen=True, slots=True)
class EnteredTable:
    """A table at which something was entered: its newest revision, confirmed or not."""

    table: TableView
    state: SheetState
    deals: tuple[DealRecord, ...]
    outcome: Outcome | None

    @property
    def scores(self) -> int:
        """How many scores were entered: the deals, and the result of a board or who forfeited as one."""
        return len(self.deals) + bool(self.outcome)


@dataclass(frozen=True, slots=True)
class Loss:
    """What would no longer count if a round were taken back (作废), and the later rounds that must be taken back first."""

    round: RoundView
    entered: tuple[EnteredTable, ...]
    later: tuple[RoundView, ...]
    commitments: tuple[CommitmentView, ...]
    """Open ones of later rounds, which fall with this one."""

    @property
    def confirmed(self) -> int:
        """How many of the tables have a confirmed sheet."""
        return sum(each.state is SheetState.CONFIRMED for each in self.entered)

    @property
    def deals(self) -> int:
        return sum(each.scores for each in self.entered)

    @property
    def started(self) -> bool:
        return bool(self.entered)


def loss(event_id: int, stage: str, number: int) -> Loss:
    """What taking a round back would lose. Raises ``draws.rules.UnknownRoundError``."""
    round_ = standing_round(event_id, stage, number)
    later = tuple(each for each in draws.rounds(event_id) if each.id > round_.id)
    hanging = tuple(each for each in draws.commitments(event_id) if each.open)
    return Loss(round_, entered(round_), later, hanging)


def entered(round_: RoundView) -> tuple[EnteredTable, ...]:
    """Every table of a round at which something was entered, also of a void round."""
    tables = {table.id: table for table in round_.tables}
    rows = db.session.execute(
        select(Sheet.table_id, Sheet.state, SheetRevision.deals, SheetRevision.outcome)
        .join(SheetRevision, (SheetRevision.sheet_id == Sheet.id) & (SheetRevision.number == Sheet.revision))
        .where(Sheet.table_id.in_(tables))
    )
    found = [
        EnteredTable(tables[table], SheetState(state), as_deals(deals), outcome)
        for table, state, deals, outcome in rows
    ]
    return tuple(sorted(found, key=lambda each: each.table.number))


def confirmed(event_id: int) -> dict[int, Content]:
    """What every confirmed revision says, by table id; nothing else ever reaches standings or public pages."""
    rows = db.session.execute(
        select(Sheet.table_id, SheetRevision.deals, SheetRevision.outcome)
        .join(
            SheetRevision,
            (SheetRevision.sheet_id == Sheet.id) & (SheetRevision.number == Sheet.confirmed_revision),
        )
        .where(Sheet.event_id == event_id)
    )
    return {table_id: Content(as_deals(deals), outcome) for table_id, deals, outcome in rows}


def confirmed_tables(event_id: int) -> tuple[ConfirmedTable, ...]:
    """Every drawn table, with what its sheet says where it is confirmed."""
    contents = confirmed(event_id)
    return tuple(ConfirmedTable(table, contents.get(table.id)) for table in draws.tables(event_id))


def table_states(event_id: int) -> tuple[TableState, ...]:
    """Every table of the event with the state of its sheet, in playing order."""
    event = competitions.event(event_id)
    rows = {
        row.table_id: (row, Content(as_deals(deals), outcome))
        for row, deals, outcome in db.session.execute(
            select(Sheet, SheetRevision.deals, SheetRevision.outcome)
            .join(
                SheetRevision, (SheetRevision.sheet_id == Sheet.id) & (SheetRevision.number == Sheet.revision)
            )
            .where(Sheet.event_id == event_id)
        )
    }
    return tuple(_table_state(table, event, rows.get(table.id)) for table in draws.tables(event_id))


def progress(event_id: int) -> Progress:
    """A sheet under correction counts as not confirmed, so that the page says 暂定."""
    standing = select(Table.id).join(Table.round).where(Round.event_id == event_id, STANDS)
    confirmed = select(func.count()).where(
        Sheet.table_id.in_(standing), Sheet.state == SheetState.CONFIRMED.value
    )
    tables = select(func.count()).select_from(standing.subquery())
    row = db.session.execute(select(confirmed.scalar_subquery(), tables.scalar_subquery())).one()
    return Progress(*row)


def waiting(event: EventView, _now: datetime) -> tuple[Waiting, ...]:
    """Tables without a confirmed sheet."""
    found = progress(event.id)
    if not found.provisional:
        return ()
    text = T(
        "%(open)s 桌成绩未确认（共 %(tables)s 桌）", open=found.tables - found.confirmed, tables=found.tables
    )
    roles = (Role.COMMITTEE, Role.CHIEF_REFEREE, Role.REFEREE)
    return (Waiting(text, T("看各桌成绩"), "results.staff_tables", roles),)


def as_deals(rows: Iterable[Mapping[str, Any]]) -> tuple[DealRecord, ...]:
    return tuple(dict(row) for row in rows)


def _table_state(table: TableView, event: EventView, found: tuple[Sheet, Content] | None) -> TableState:
    rules = event.regulation.scoring_rules()
    wanted = stage_rule(rules, table.stage)[1] if game_of(rules).counts_deals else 0
    if found is None:
        return TableState(table, SheetState.OPEN.value, 0, wanted)
    row, content = found
    shown = "running" if row.state == SheetState.OPEN.value and not content.empty else row.state
    return TableState(table, shown, len(content.deals), wanted)


def _sheet(table: TableView, event: EventView, row: Sheet | None) -> SheetView:
    stage, deals_wanted = stage_rule(event.regulation.scoring_rules(), table.stage)
    content = Content()
    if row is not None and row.revision:
        deals, outcome = db.session.execute(
            select(SheetRevision.deals, SheetRevision.outcome).where(
                SheetRevision.sheet_id == row.id, SheetRevision.number == row.revision
            )
        ).one()
        content = Content(as_deals(deals), outcome)
    return SheetView(
        table=table,
        event=event,
        stage=stage,
        deals_wanted=deals_wanted,
        state=SheetState(row.state) if row else SheetState.OPEN,
        revision=row.revision if row else 0,
        deals=content.deals,
        outcome=content.outcome,
        confirmed_revision=row.confirmed_revision if row else None,
        published_at=row.published_at if row else None,
    )


def _revision(row: SheetRevision) -> RevisionView:
    return RevisionView(
        number=row.number,
        deals=as_deals(row.deals),
        outcome=row.outcome,
        handed_in=row.handed_in,
        recorded_by_id=row.recorded_by_id,
        recorded_at=row.recorded_at,
        device=row.device,
        client_time=row.client_time,
        reason=row.reason,
    )

"""What is read of the sheets, as frozen views."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.actors import Role
from app.competitions.queries import EventView
from app.draws.queries import CommitmentView, RoundView, TableView
from app.draws.rules import entrant_of
from app.floor.queries import RunView
from app.floor.rules import Confirmation, RunState, Terms
from app.registrations.queries import EntrantView
from app.results.rules import (
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
)
from app.results.rules.confirming import Said, Way, missing_sides
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
class Holder:
    """Who writes on a sheet (记分中): the person, and the device where it named itself."""

    user_id: int | None
    device: str | None
    since: datetime


@dataclass(frozen=True, slots=True)
class Word:
    """What one side said of a handed-in revision, or the chief referee for it; ``entry_id`` is None for his decision on the whole."""

    revision: int
    entry_id: int | None
    said: Said
    way: Way
    note: str | None
    signature: str | None
    at: datetime
    recorded_by_id: int | None


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet of one table as it stands; ``revision`` is 0 before the first deal.

    ``published`` is what is in force: what the published revision says, None while none is public. ``words`` are what was said of the newest
    revision, the oldest first.
    """

    table: TableView
    event: EventView
    stage: StageRule
    deals_wanted: int
    state: SheetState
    revision: int
    deals: tuple[DealRecord, ...]
    outcome: Outcome | None
    confirmed_revision: int | None
    published_revision: int | None
    published_at: datetime | None
    published: Content | None
    words: tuple[Word, ...]
    holder: Holder | None
    terms: Terms
    run: RunView

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

    @property
    def in_force(self) -> bool:
        """Whether what the sheet says is confirmed and public: nothing of it is being written, confirmed or held back."""
        return self.state is SheetState.CONFIRMED and self.published_revision == self.revision

    @property
    def forfeited(self) -> tuple[int, ...]:
        """Which sides forfeited, by entry."""
        return tuple(
            seat.entry_id for entrant, seat in self.seats.items() if str(entrant) in self.content.forfeits
        )

    @property
    def confirmations(self) -> tuple[Word, ...]:
        """Which sides said that the newest revision is right."""
        return tuple(each for each in self.words if each.said is Said.CONFIRMED)

    @property
    def waiting_for(self) -> tuple[EntrantView, ...]:
        """The sides that have not said that the handed-in sheet is right."""
        missing = missing_sides(
            self.state,
            self.terms.confirmation,
            [seat.entry_id for seat in self.table.seats],
            self.forfeited,
            [each.entry_id for each in self.confirmations if each.entry_id is not None],
        )
        return tuple(seat for seat in self.table.seats if seat.entry_id in missing)

    @property
    def awaits_second(self) -> bool:
        """Whether a second referee has to enter it without seeing the first (盲录复核)."""
        return self.state is SheetState.ENTERED and self.terms.confirmation is Confirmation.BLIND

    @property
    def dispute(self) -> Word | None:
        """The newest dispute (争议) that the chief referee has not decided."""
        if self.state is not SheetState.DISPUTED:
            return None
        disputes = [each for each in self.words if each.said is Said.DISPUTED]
        return disputes[-1] if disputes else None

    def locked(self, now: datetime) -> bool:
        """Whether its round is locked (已锁定)."""
        window = self.event.regulation.windows.get("correction")
        return self.run.moments.state(now, window) is RunState.LOCKED

    def first_bidder(self, deal_number: int) -> EntrantView:
        """Who bids first in a deal: the drawn first seat in deal 1, then counter-clockwise."""
        return tuple(self.seats.values())[first_bidder(deal_number)]


@dataclass(frozen=True, slots=True)
class TableInForce:
    """One drawn table with what is in force of it, or None while nothing is public."""

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
    in_force: bool
    """Whether what the sheet says is confirmed and public."""

    @property
    def confirmed(self) -> bool:
        return self.shown_state == SheetState.CONFIRMED.value


@dataclass(frozen=True, slots=True)
class Progress:
    """How many tables of an event are confirmed and in force (11 桌中已确认 7 桌), and how many wait to be made public."""

    confirmed: int
    tables: int
    unpublished: int = 0

    @property
    def provisional(self) -> bool:
        return self.confirmed < self.tables


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


def seats_of(table: TableView) -> dict[EntrantId, EntrantView]:
    return {entrant_of(seat.entry_id): seat for seat in table.seats}

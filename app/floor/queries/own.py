"""A player's own round: where he sits now, whether he has arrived, whom he called."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.draws import queries as draws
from app.draws.queries import RoundHead, TableView
from app.draws.rules import UnknownEntrantError, entrant_of
from app.floor.queries.hall import CallView, arrivals, calls_of_table
from app.floor.queries.keys import PlayerView
from app.floor.queries.rounds import RunView, current


@dataclass(frozen=True, slots=True)
class OwnRound:
    """The newest round as one player has it. ``table`` is None for a bye, or where he does not sit in it (``placed``)."""

    run: RunView
    head: RoundHead | None
    table: TableView | None
    arrived_at: datetime | None
    calls: tuple[CallView, ...]
    earlier: tuple[tuple[RoundHead, TableView | None], ...]

    @property
    def placed(self) -> bool:
        """Whether he is in the newest round, at a table or with a bye."""
        return self.head is not None

    @property
    def repairing(self) -> bool:
        """Whether the seats of the round are being changed by hand: nobody can say yet where he sits."""
        return self.head is not None and self.head.repairing


def own_round(player: PlayerView) -> OwnRound | None:
    """What a player's page shows of the newest round; None before the first draw."""
    run = current(player.event_id)
    if run is None:
        return None
    try:
        way = draws.person(player.event_id, entrant_of(player.entry_id)).rounds
    except UnknownEntrantError:
        way = ()
    newest = next(((head, table) for head, table in way if head.id == run.round_id), None)
    head, table = newest or (None, None)
    if head is not None and head.repairing:
        table = None
    calls = calls_of_table(table.id) if table else ()
    return OwnRound(
        run=run,
        head=head,
        table=table,
        arrived_at=arrivals(run.round_id).get(player.entry_id) if table else None,
        calls=tuple(each for each in calls if each.open and each.caller_entry_id == player.entry_id),
        earlier=tuple((each, seat) for each, seat in way if each.id != run.round_id),
    )

"""The games of a Swiss event (积分编排): one explicit table, each row says how a round is read, scored and shown.

| game | round read by | scored by | shown by | paired by (`swiss_draws`) |
|---|---|---|---|---|
| `go`, `xiangqi` | `board_tables` | `stages.board_rounds` | `board_shown` | `two_players` |
| `landlord` | `landlord_rounds` | `stages.landlord_rounds` | `landlord_shown` | `three_players` |
| `tractor` | `match_tables` | `stages.match_rounds` | `match_shown` | `cards`, then `two_players` |
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.event_file import (
    board_shown,
    board_tables,
    landlord_rounds,
    landlord_shown,
    match_shown,
    match_tables,
)
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.swiss_draws import cards, three_players, two_players
from scoring_engine.event_file.swiss_draws.history import Forfeited
from scoring_engine.event_file.swiss_draws.kept import (
    KeptRules,
    kept_at_threes,
    kept_in_tractor,
    kept_on_boards,
)
from scoring_engine.event_file.swiss_draws.rounds import DrawGroup
from scoring_engine.records import EventRecord, RoundRecord
from scoring_engine.rules import StageRule
from scoring_engine.rules.pairing_parts import PairingRules
from scoring_engine.stages.board_rounds import board_forfeits, board_games, board_results, board_scale
from scoring_engine.stages.landlord_rounds import (
    landlord_forfeits,
    landlord_results,
    landlord_scale,
    scored_landlord,
)
from scoring_engine.stages.match_rounds import (
    match_forfeits,
    match_round_results,
    match_scale,
    scored_matches,
)
from scoring_engine.stages.swiss import RoundResults, SwissOutcome, SwissScoring, swiss
from scoring_engine.tie_breaks.records import RoundResult


@dataclass(frozen=True, slots=True)
class SwissGame:
    """One game of a Swiss event.

    read_round: a round of an event file. scoring: what its tables give their entrants. tables_json: the scored tables of a
    round in a score document, by number, without `stage` and `round`. round_json: what a placing says of one round,
    besides `round`, `played` and `match_points`. forfeited: who gave up in a round. draw: one group of a round, paired.
    kept: the rules a round is held to. adjustments_json: the penalties, from all scored tables, where they cost something else than points of their
    offender. ordered_seats: whether the order at a table says anything.
    """

    read_round: Callable[[Node, int, StageRule, Ids], RoundRecord]
    scoring: SwissScoring
    tables_json: Callable[[Sequence[Any], RoundResults, EventRecord], Sequence[dict[str, Any]]]
    round_json: Callable[[RoundResult], dict[str, Any]]
    forfeited: Forfeited
    draw: DrawGroup
    kept: Callable[[PairingRules, int], KeptRules]
    adjustments_json: Callable[[EventRecord, Sequence[Any]], Sequence[dict[str, Any]]] | None = None
    ordered_seats: bool = True


_BOARD = SwissGame(
    board_tables.read_round,
    SwissScoring(board_games, board_results, board_scale),
    board_shown.tables_json,
    board_shown.round_json,
    board_forfeits,
    two_players.draw_board,
    kept_on_boards,
)

_MATCHES = SwissGame(
    match_tables.read_round,
    SwissScoring(scored_matches, match_round_results, match_scale),
    match_shown.tables_json,
    match_shown.round_json,
    match_forfeits,
    cards.draw_tractor,
    kept_in_tractor,
    match_shown.adjustments_json,
    ordered_seats=False,
)

SWISS_GAMES: Mapping[str, SwissGame] = {
    "go": _BOARD,
    "xiangqi": _BOARD,
    "landlord": SwissGame(
        landlord_rounds.read_round,
        SwissScoring(scored_landlord, landlord_results, landlord_scale),
        landlord_shown.tables_json,
        landlord_shown.round_json,
        landlord_forfeits,
        three_players.draw_threes,
        kept_at_threes,
    ),
    "tractor": _MATCHES,
}


def outcome_of(event: EventRecord) -> SwissOutcome:
    """The Swiss stage of an event that has been read, as it stands."""
    return swiss(event, SWISS_GAMES[event.rules.game].scoring)

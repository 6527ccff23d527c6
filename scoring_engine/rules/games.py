"""The games (项目): one explicit table, code and format -> how its `scoring` is read, and what its events may have.

| game | format | scoring | penalties |
|---|---|---|---|
| `landlord` | knock-out | bids, doublings | points, zeroed deals and rounds, warnings, on record |
| `landlord` | Swiss | bids, doublings, what a round is worth | points, counted violations, on record |
| `go`, `xiangqi` | Swiss | points of a win, a draw, a loss, a forfeit, a bye | violations (违例, 犯规), on record |
| `tractor` (拖拉机) | Swiss | level table, bottom, match (`tractor.matches`) | those of `tractor.penalties` |
| `eighty` (八十分) | bracket | level table, bottom, match (`tractor.matches`) | those of `tractor.penalties` |
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring_engine.documents import Node
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules.model import BoardRules, LandlordRules
from scoring_engine.rules.options import OptionValue
from scoring_engine.rules.scoring_parts import (
    read_board,
    read_landlord,
    read_landlord_rounds,
    read_match_rounds,
    read_matches,
)
from scoring_engine.rules.stage_kinds import Format
from scoring_engine.tractor.matches.formats import MatchFormat

PartReader = Callable[[Node, Mapping[str, OptionValue]], LandlordRules | BoardRules | MatchFormat | None]


@dataclass(frozen=True, slots=True)
class GameKind:
    """One game in one format: how its `scoring` is read, and the effects its penalties may have.

    reads_document: `read_scoring` is given the whole regulation, whose penalties and lateness are part of how a table is
    scored; `effects` is then empty.
    """

    read_scoring: PartReader
    effects: tuple[Effect, ...]
    reads_document: bool = False


_BOARD = {Format.SWISS: GameKind(read_board, (Effect.VIOLATION, Effect.NONE))}

GAMES: Mapping[str, Mapping[Format, GameKind]] = {
    "landlord": {
        Format.KNOCK_OUT: GameKind(
            read_landlord, tuple(effect for effect in Effect if effect is not Effect.VIOLATION)
        ),
        Format.SWISS: GameKind(read_landlord_rounds, (Effect.POINTS, Effect.VIOLATION, Effect.NONE)),
    },
    "go": _BOARD,
    "xiangqi": _BOARD,
    "tractor": {Format.SWISS: GameKind(read_match_rounds, (), reads_document=True)},
    "eighty": {Format.BRACKET: GameKind(read_matches, (), reads_document=True)},
}

"""The games (项目): one explicit table, code and format -> how its `scoring` is read, and what its events may have.

| game | format | scoring | penalties |
|---|---|---|---|
| `landlord` | knock-out | bids, doublings | points, zeroed deals and rounds, warnings, on record |
| `go`, `xiangqi` | Swiss | points of a win, a draw, a loss, a forfeit, a bye | violations (违例, 犯规), on record |
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring_engine.documents import Node
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules.model import BoardRules, LandlordRules
from scoring_engine.rules.options import OptionValue
from scoring_engine.rules.scoring_parts import read_board, read_landlord
from scoring_engine.rules.stage_kinds import Format

PartReader = Callable[[Node, Mapping[str, OptionValue]], LandlordRules | BoardRules | None]


@dataclass(frozen=True, slots=True)
class GameKind:
    """One game in one format: how its `scoring` is read, and the effects its penalties may have."""

    read_scoring: PartReader
    effects: tuple[Effect, ...]


_BOARD = {Format.SWISS: GameKind(read_board, (Effect.VIOLATION, Effect.NONE))}

GAMES: Mapping[str, Mapping[Format, GameKind]] = {
    "landlord": {
        Format.KNOCK_OUT: GameKind(
            read_landlord, tuple(effect for effect in Effect if effect is not Effect.VIOLATION)
        ),
    },
    "go": _BOARD,
    "xiangqi": _BOARD,
}

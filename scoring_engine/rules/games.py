"""The games (项目): one explicit table, code -> how its `scoring` table is read, and what its events may have.

| game | scoring | stages | penalties |
|---|---|---|---|
| `landlord` | bids, doublings | knock-out | points, zeroed deals and rounds, warnings, on record |
| `go`, `xiangqi` | points of a win, a draw, a loss, a forfeit, a bye | Swiss | violations (违例, 犯规), on record |
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
    """One game: how its `scoring` is read, the format of its events, the effects its penalties may have."""

    read_scoring: PartReader
    format: Format
    effects: tuple[Effect, ...]


_BOARD = GameKind(read_board, Format.SWISS, (Effect.VIOLATION, Effect.NONE))

GAMES: Mapping[str, GameKind] = {
    "landlord": GameKind(
        read_landlord,
        Format.KNOCK_OUT,
        tuple(effect for effect in Effect if effect is not Effect.VIOLATION),
    ),
    "go": _BOARD,
    "xiangqi": _BOARD,
}

"""Three-player Swiss (积分编排, tables of three): 快乐二打一. Pure: people and a seed in, one round out.

| rule | here |
|---|---|
| round 1 by one draw (B3 五) | lots from the seed; units apart also here |
| same unit never meets (B3 五) | hard: kept wherever no unit has more people than there are tables |
| high meets high (B3 五) | least total spread of match points; game points by squares of places |
| rematch avoided next (I-B-18) | `Rematch`: after match points, last, or never |
| byes of N mod 3 (I-B-2) | the lowest of those who have had fewest, never twice while another has had none |
| seats W, S, E | each table in the order its three have sat least often; lots among equals |
| a hard rule that cannot be kept | `TrioDraw.needs_ruling`, with the draw that breaks least |

What a table costs, exactly: `costs`. How the tables are found: `search`. Not here: who stands out after two forfeits
running (`pairing.attendance`), points for byes, results and standings, reading an event file.
"""

from scoring_engine.pairing.three_player_swiss.drawing import draw_round
from scoring_engine.pairing.three_player_swiss.model import SEATS, Rematch, TrioOptions, TrioPlayer
from scoring_engine.pairing.three_player_swiss.result import (
    Met,
    TrioAvoided,
    TrioBroken,
    TrioBye,
    TrioDraw,
    TrioReport,
    TrioRule,
    TrioTable,
)

__all__ = [
    "SEATS",
    "Met",
    "Rematch",
    "TrioAvoided",
    "TrioBroken",
    "TrioBye",
    "TrioDraw",
    "TrioOptions",
    "TrioPlayer",
    "TrioReport",
    "TrioRule",
    "TrioTable",
    "draw_round",
]

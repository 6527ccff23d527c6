"""Two-player Swiss (积分编排): Go, Xiangqi, and 升级 after round 1. Pure: people and a seed in, one round out.

| rule | here |
|---|---|
| nobody meets the same opponent twice (I-B-18), one bye each at most, to the lowest points | hard |
| one unit apart | hard, soft or off, in all rounds or the first k (`SwissOptions.unit`, `unit_rounds`) |
| no third same side running | hard as far as a draw exists, else reported (`SwissDraw.broken`) |
| high meets high | least total difference of points, then least squares, then floats spread over people |
| who has moved first less often moves first | `Field.first_moves`; the pairs are chosen for balance after points and floats |
| round 1 by draw, half-split or accelerated | `SwissOptions.first_round` |
| what equal points leave open | lots from the seed: neighbours in drawn order meet |
| no draw keeps every hard rule | `SwissDraw.needs_ruling`, with the draw that breaks least |

The aims in exact order, and what a pair costs: `costs`. Not here: who stands out after two forfeits running
(`pairing.attendance`), groups of 20–32 (`pairing.division`), results and standings, reading an event file.
"""

from scoring_engine.pairing.two_player_swiss.drawing import draw_round
from scoring_engine.pairing.two_player_swiss.model import (
    Drift,
    FirstRound,
    Order,
    Side,
    SwissOptions,
    SwissPlayer,
    UnitRule,
)
from scoring_engine.pairing.two_player_swiss.proof import Proof
from scoring_engine.pairing.two_player_swiss.result import (
    Avoided,
    Broken,
    Bye,
    Pairing,
    Rule,
    SideReason,
    SwissDraw,
    SwissReport,
)

__all__ = [
    "Avoided",
    "Broken",
    "Bye",
    "Drift",
    "FirstRound",
    "Order",
    "Pairing",
    "Proof",
    "Rule",
    "Side",
    "SideReason",
    "SwissDraw",
    "SwissOptions",
    "SwissPlayer",
    "SwissReport",
    "UnitRule",
    "draw_round",
]

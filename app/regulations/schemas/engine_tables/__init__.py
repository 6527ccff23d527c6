"""The tables that the engine reads, declared for whoever writes or edits them: keys, kinds, what is allowed.

The values are checked by `scoring_engine` (`rules.reading`), which reports all that is wrong with them; here only the
keys of the outermost table are checked. What a key may hold is taken from the engine's own tables, so that the two cannot
differ; `tests/app/regulations/test_describe.py` holds the keys themselves to what the engine reads.
"""

from app.regulations.schemas.engine_tables.formats import FORMATS, format_of
from app.regulations.schemas.engine_tables.rows import (
    LatenessTable,
    PairingTable,
    PenaltyRow,
    PrizeRow,
    RankingRow,
    RewardedTable,
    ScoringTable,
    StageRow,
    TeamsTable,
)

__all__ = [
    "FORMATS",
    "LatenessTable",
    "PairingTable",
    "PenaltyRow",
    "PrizeRow",
    "RankingRow",
    "RewardedTable",
    "ScoringTable",
    "StageRow",
    "TeamsTable",
    "format_of",
]

"""What a score document shows of a board game: its tables, and the rounds of an entrant."""

from collections.abc import Sequence
from typing import Any

from scoring_engine.records import EventRecord, GameRecord
from scoring_engine.stages.swiss import RoundResults
from scoring_engine.tie_breaks.records import RoundResult
from scoring_engine.values import decimal_text


def tables_json(
    games: Sequence[GameRecord], results: RoundResults, _event: EventRecord
) -> Sequence[dict[str, Any]]:
    """Each game with the points of its players; without them while it has no result."""
    return [
        {
            "number": game.number,
            "deals": [],
            "entrants": {
                seat: {"match_points": decimal_text(result.points)}
                for seat in game.seats
                if (result := results[seat]) is not None
            },
            "complete": game.ended,
        }
        for game in games
    ]


def round_json(part: RoundResult) -> dict[str, Any]:
    """The opponent of a round, and whether the entrant moved second; both null without a game."""
    (opponent,) = part.opponents or (None,)
    return {"opponent": opponent, "second": None if opponent is None else part.second}

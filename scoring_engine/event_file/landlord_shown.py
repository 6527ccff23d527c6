"""What a score document shows of rounds of 二打一: tables of three, and the rounds of an entrant.

Besides `game_points` and `match_points` an entrant of a table has `played` (小分 of the deals), `late` and `penalties`
(signed 小分) where they differ from it. While a table is played there are no `match_points`.
"""

from collections.abc import Sequence
from typing import Any

from scoring_engine.landlord.deals import SEATS, first_bidder
from scoring_engine.records import EventRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.landlord_rounds import TableRound
from scoring_engine.stages.swiss import RoundResults
from scoring_engine.tie_breaks.records import RoundResult
from scoring_engine.values import EntrantId, NeedsRuling, Text, decimal_text, points_text


def tables_json(
    tables: Sequence[TableRound], _results: RoundResults, event: EventRecord
) -> Sequence[dict[str, Any]]:
    """Each table with its deals and who bids first in each, and the points of its players."""
    shown = []
    for scored in tables:
        table = scored.table
        first_seat = event.rules.landlord.first_seat or 0
        each: dict[str, Any] = {
            "number": table.number,
            "deals": [
                {
                    "scores": {seat: decimal_text(deal.points[seat]) for seat in table.seats},
                    "first_bidder": table.seats[first_bidder(number, first_seat)],
                }
                for number, deal in enumerate(scored.deals or (), start=1)
            ],
            "entrants": {seat: _points(scored, seat) for seat in table.seats if seat in scored.game_points},
            "complete": scored.ended,
        }
        if scored.forfeits:
            each["forfeits"] = [seat for seat in table.seats if seat in scored.forfeits]
        if notes := _notes(scored, event.rules):
            each["notes"] = [note.to_json() for note in notes]
        shown.append(each)
    return shown


def _points(scored: TableRound, seat: EntrantId) -> dict[str, str]:
    shown = {"game_points": decimal_text(scored.game_points[seat])}
    if seat in scored.match_points:
        shown["match_points"] = points_text(scored.match_points[seat])
    late, penalties = scored.late.get(seat), scored.penalties.get(seat)
    if scored.played is not None and not scored.forfeits and (late or penalties):
        shown["played"] = decimal_text(scored.played[seat])
    if late:
        shown["late"] = decimal_text(late)
    if penalties:
        shown["penalties"] = decimal_text(penalties)
    return shown


def _notes(scored: TableRound, rules: ScoringRules) -> list[NeedsRuling]:
    """What the committee should look at: points that do not count, and totals that no deals can give."""
    notes: list[NeedsRuling] = []
    if scored.forfeits and scored.played is not None:
        notes.append(
            NeedsRuling(
                Text(
                    "本桌有人弃权，按弃权记场分和小分，已记的小分不计。",
                    "Somebody forfeited at this table: the points of a forfeit count, those recorded do not.",
                ),
                rules.rounds.forfeits.clause,
            )
        )
    # In each deal the landlord has -2d and the others d: the same remainder by 3, and so have the sums of deals.
    if scored.played is not None and len({total % SEATS for total in scored.played.values()}) > 1:
        notes.append(
            NeedsRuling(
                Text(
                    "三人总分除以3的余数不同，任何几副牌都得不出这样的总分，请核对记分表。",
                    "The three totals leave different remainders by 3: no deals give them. Check the score sheet.",
                ),
                rules.scoring_clause,
            )
        )
    return notes


def round_json(part: RoundResult) -> dict[str, Any]:
    """The opponents of a round, its game points, and the rank at the table; null where there was none."""
    return {
        "opponents": list(part.opponents),
        "game_points": None if part.game_points is None else decimal_text(part.game_points),
        "table_rank": part.table_rank,
    }

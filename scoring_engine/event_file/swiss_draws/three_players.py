"""Three at a table (快乐二打一): from an event to `pairing.three_player_swiss` and back."""

from collections import Counter
from typing import Any

from scoring_engine.event_file.swiss_draws.drawn import GroupDraw, broken_json, figure, said_json
from scoring_engine.event_file.swiss_draws.history import Past, RoundToDraw
from scoring_engine.pairing.three_player_swiss import (
    SEATS,
    Rematch,
    TrioDraw,
    TrioOptions,
    TrioPlayer,
    TrioReport,
    TrioTable,
    draw_round,
)


def draw_threes(drawing: RoundToDraw, seed: bytes) -> GroupDraw:
    """A round at tables of three; each table in the order W, S, E."""
    pairing = drawing.pairing
    options = TrioOptions(Rematch(pairing.word("rematch")), pairing.clause)
    players = [_player(past, drawing) for past in drawing.past.values()]
    drawn = draw_round(players, options, drawing.number, seed)
    return GroupDraw(
        method="draw" if drawing.number == 1 else "points",
        tables=tuple(table.seats for table in drawn.tables),
        byes=tuple(bye.entrant for bye in drawn.byes),
        rulings=drawn.needs_ruling,
        reasons=[_reason(table) for table in drawn.tables],
        bye_reasons=_bye_reasons(drawn),
        totals=_totals(drawn.report),
        broken=[broken_json(each.rule.value, each.entrants, each.text) for each in drawn.broken],
    )


def _player(past: Past, drawing: RoundToDraw) -> TrioPlayer:
    entrant = past.entrant
    seats = Counter(
        meeting.seats.index(entrant.id) for meeting in past.meetings if len(meeting.seats) == len(SEATS)
    )
    return TrioPlayer(
        id=entrant.id,
        unit=entrant.unit,
        match_points=past.points,
        game_points=past.game_points,
        met=dict(past.opponents),
        seats=(seats[0], seats[1], seats[2]),
        byes=past.byes,
        available=entrant.id in drawing.available,
    )


def _reason(table: TrioTable) -> dict[str, Any]:
    return {
        "by_score": list(table.by_score),
        "match_points": [figure(points) for points in table.match_points],
        "places": list(table.places),
        "spread": figure(table.spread),
        "rematches": [{"entrants": list(met.entrants), "times": met.times} for met in table.rematches],
        "avoided": [
            {"entrant": one.entrant, "other": one.other, "rule": one.rule.value} for one in table.avoided
        ],
        "seats_had": list(table.seats_had),
        "broken": [broken_json(one.rule.value, one.entrants, one.text) for one in table.broken],
        **said_json(table.said),
    }


def _bye_reasons(drawn: TrioDraw) -> list[dict[str, Any]]:
    return [
        {
            "entrant": bye.entrant,
            "points": figure(bye.match_points),
            "byes_had": bye.byes_had,
            "broken": [one.rule.value for one in bye.broken],
            **said_json(bye.said),
        }
        for bye in drawn.byes
    ]


def _totals(report: TrioReport) -> dict[str, Any]:
    return {
        "spread": figure(report.spread),
        "least_spread": figure(report.least_spread),
        "rematches": report.rematches,
        "place_squares": report.place_squares,
        "unit_meetings": report.unit_meetings,
        "seat_imbalance": report.seat_imbalance,
        "greatest_seat_imbalance": report.greatest_seat_imbalance,
        "units_avoided": report.units_avoided,
        "rematches_avoided": report.rematches_avoided,
        "every_draw": report.every_draw,
    }

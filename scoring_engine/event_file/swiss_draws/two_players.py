"""Two at a table by points (围棋, 象棋, 拖拉机 after round 1): from an event to `pairing.two_player_swiss` and back."""

from scoring_engine.event_file.swiss_draws.drawn import GroupDraw, broken_json, figure, said_json
from scoring_engine.event_file.swiss_draws.history import Past, RoundToDraw
from scoring_engine.pairing.two_player_swiss import (
    Drift,
    FirstRound,
    Order,
    Side,
    SwissDraw,
    SwissOptions,
    SwissPlayer,
    UnitRule,
    draw_round,
)
from scoring_engine.tie_breaks.records import Played


def draw_board(drawing: RoundToDraw, seed: bytes) -> GroupDraw:
    """A round of a board game; each table has its first mover first."""
    pairing = drawing.pairing
    first_numbers = drawing.first_numbers
    options = SwissOptions(
        unit=UnitRule(pairing.word("unit")),
        unit_rounds=pairing.number("unit_rounds") or None,
        longest_run=pairing.number("longest_run"),
        forfeit_win_is_bye=pairing.word("forfeit_win_bye") == "counted",
        first_round=FirstRound(pairing.word("first_round")),
        later_rounds=Order(pairing.word("equal_points")),
        accelerated_rounds=pairing.number("accelerated_rounds"),
        accelerated_points=pairing.number("accelerated_points"),
        # Of those who were in from round 1: a late entrant must not move the middle of rounds already drawn.
        upper_half=first_numbers[(len(first_numbers) - 1) // 2] if first_numbers else None,
        clause=pairing.clause,
    )
    method = options.first_round.value if drawing.number == 1 else "points"
    return draw_two(drawing, options, seed, method)


def draw_matches(drawing: RoundToDraw, seed: bytes) -> GroupDraw:
    """A later round of 拖拉机 by points, in which nobody moves first."""
    pairing = drawing.pairing
    options = SwissOptions(
        unit=UnitRule(pairing.word("unit")),
        unit_rounds=pairing.number("unit_rounds") or None,
        sides=False,
        forfeit_win_is_bye=pairing.word("forfeit_win_bye") == "counted",
        later_rounds=Order(pairing.word("equal_points")),
        clause=pairing.clause,
    )
    return draw_two(drawing, options, seed, "points")


def draw_two(drawing: RoundToDraw, options: SwissOptions, seed: bytes, method: str) -> GroupDraw:
    """The round by these options."""
    players = [_player(past, drawing, options) for past in drawing.past.values()]
    drawn = draw_round(players, options, drawing.number, seed)
    return GroupDraw(
        method=method,
        tables=drawn.tables,
        byes=() if drawn.bye is None else (drawn.bye.entrant,),
        rulings=drawn.needs_ruling,
        reasons=_reasons(drawn, options),
        bye_reasons=()
        if drawn.bye is None
        else (
            {
                "entrant": drawn.bye.entrant,
                "points": figure(drawn.bye.points),
                "passed_over": list(drawn.bye.passed_over),
                "had": list(drawn.bye.had),
                "broken": [rule.value for rule in drawn.bye.broken],
                **said_json(drawn.bye.said),
            },
        ),
        totals=_totals(drawn),
        broken=[broken_json(each.rule.value, each.entrants, each.text) for each in drawn.broken],
    )


def _player(past: Past, drawing: RoundToDraw, options: SwissOptions) -> SwissPlayer:
    entrant = past.entrant
    return SwissPlayer(
        id=entrant.id,
        unit=entrant.unit,
        points=past.points,
        number=entrant.number,
        opponents=tuple(sorted(past.opponents)),
        sides=_sides(past) if options.sides else (),
        byes=past.byes,
        forfeit_wins=past.forfeit_wins,
        floats=tuple(_float(past, index, drawing) for index in range(len(past.rounds))),
        available=entrant.id in drawing.available,
    )


def _sides(past: Past) -> tuple[Side, ...]:
    """The sides of the games that were played."""
    return tuple(
        Side.SECOND if each.second else Side.FIRST for each in past.rounds if each.played is Played.GAME
    )


def _float(past: Past, index: int, drawing: RoundToDraw) -> Drift | None:
    """Whether he met fewer points or more in his round at this place."""
    part = past.rounds[index]
    if not part.opponents:
        return None
    (opponent,) = part.opponents
    other = drawing.past[opponent]
    theirs = other.before[index]  # everybody has a result of every round before
    if past.before[index] == theirs:
        return None
    return Drift.DOWN if past.before[index] > theirs else Drift.UP


def _reasons(drawn: SwissDraw, options: SwissOptions) -> list[dict[str, object]]:
    return [
        {
            "points": [figure(each.first_points), figure(each.second_points)],
            "difference": figure(each.difference),
            "places": list(each.places),
            "equals": each.equals,
            "down": each.down,
            "up": each.up,
            **({"first": each.side_reason.value} if options.sides else {}),
            "avoided": [
                {"entrant": one.entrant, "other": one.other, "rule": one.rule.value} for one in each.avoided
            ],
            "broken": [rule.value for rule in each.broken],
            **said_json(each.said),
        }
        for each in drawn.pairings
    ]


def _totals(drawn: SwissDraw) -> dict[str, object]:
    report = drawn.report
    return {
        "difference": figure(report.total_difference),
        "squares": report.squares,
        "floats": report.floats,
        "repeated_floats": report.repeated_floats,
        "unit_meetings": report.unit_meetings,
        "runs": report.runs,
        "imbalance": report.imbalance,
        "greatest_imbalance": report.greatest_imbalance,
        "again": report.again,
        "rematches_avoided": report.rematches_avoided,
        "units_avoided": report.units_avoided,
        "runs_avoided": report.runs_avoided,
        "proof": report.proof.value,
        "left_out": list(report.left_out),
    }

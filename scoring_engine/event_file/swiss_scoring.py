"""The score document of a Swiss event.

A table's `entrants` have their `match_points`. A placing of the stage has `rounds` besides: every round with who was met,
or the bye, what it was worth, and what it adds to 对手分; of several groups (组别) a placing has its `group`, and each
group has ranks from 1. `complete` is false, and the placings provisional, until every round of the regulation has been
played; `next` then says what is waited for: `first_draw`, `sheets`, `round` (the next one), `ruling` or `over`.
"""

from collections.abc import Sequence
from typing import Any

from scoring_engine.event_file.shown import head_json, placing_json, prize_json, team_json
from scoring_engine.event_file.swiss_games import SWISS_GAMES, SwissGame, outcome_of
from scoring_engine.penalties.effects import Effect
from scoring_engine.prizes import award
from scoring_engine.prizes.points import points_json
from scoring_engine.ranking import Placing
from scoring_engine.records import Adjustment, EventRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.swiss import SwissGroup, SwissOutcome
from scoring_engine.stages.teams import TeamPlacing, rank_teams
from scoring_engine.tie_breaks import options_of
from scoring_engine.tie_breaks.opponents import Contribution, OpponentScores
from scoring_engine.values import EntrantId, NeedsRuling, Text, names_of, points_text


def score_swiss(event: EventRecord) -> dict[str, Any]:
    """The score document of a Swiss event that has been read."""
    outcome, rules = outcome_of(event), event.rules
    game = SWISS_GAMES[rules.game]
    placings = [placing for group in outcome.groups for placing in group.placings]
    teams = rank_teams(event, placings)
    ruling = None if outcome.needs_ruling is None else outcome.needs_ruling.to_json()
    return {
        **head_json(rules, complete=outcome.complete),
        "next": _next_json(outcome),
        "tables": [
            {"stage": outcome.rule.code, "round": part.number, **table}
            for part, tables, results in zip(outcome.rounds, outcome.tables, outcome.results, strict=True)
            for table in game.tables_json(tables, results, event)
        ],
        "stages": [
            {
                "code": outcome.rule.code,
                "placings": [
                    shown for group in outcome.groups for shown in _stage_placings(group, rules, game)
                ],
                "direct": [],
                "advance": [],
                "needs_ruling": ruling,
                "playoffs": [],
                "complete": outcome.complete,
                "notes": [note.to_json() for note in _lots_to_draw(event, outcome, placings, teams)],
            }
        ],
        "placings": [
            {**_in_group(group, placing), "stage": outcome.rule.code}
            for group in outcome.groups
            for placing in group.placings
        ],
        "unplaced": list(outcome.unplaced),
        "adjustments": _adjustments_json(event, outcome, game),
        "teams": [team_json(team) for team in teams],
        "prizes": [
            prize_json(prize) for prize in award(rules.prizes, placings, teams, decided=outcome.complete)
        ],
        **points_json(rules.points, placings, decided=outcome.complete),
    }


def _lots_to_draw(
    event: EventRecord, outcome: SwissOutcome, placings: Sequence[Placing], teams: Sequence[TeamPlacing]
) -> list[NeedsRuling]:
    """Who is equal in everything once all is played, where the text has lots (抽签) decide and none were drawn."""
    link = next((link for link in event.rules.ranking if link.code == "lots"), None)
    if link is None or event.lots is not None or not outcome.complete:
        return []
    by_lot = event.rules.teams is not None and event.rules.teams.ties == "chain"
    equal = [placing.entrant for placing in placings if placing.shared]
    equal += [EntrantId(team.team) for team in teams if team.shared and by_lot]
    if not equal:
        return []
    names = names_of(equal)
    return [
        NeedsRuling(
            Text(
                f"{names.zh}名次相同，须抽签决定；抽签的种子写在 lots.seed。",
                f"{names.en} are equal; lots decide. Their seed stands at lots.seed.",
            ),
            link.clause,
        )
    ]


def _next_json(outcome: SwissOutcome) -> dict[str, Any]:
    ruling = None
    if outcome.complete:
        step = "over"
    elif outcome.waiting:
        step = "sheets"
    elif outcome.rounds:
        step = "round"
    elif outcome.needs_ruling is not None:
        step, ruling = "ruling", outcome.needs_ruling.to_json()
    else:
        step = "first_draw"
    return {"step": step, "stage": outcome.rule.code, "entrants": [], "needs_ruling": ruling}


def _in_group(group: SwissGroup, placing: Placing) -> dict[str, Any]:
    shown = placing_json(placing)
    return shown if group.name is None else {**shown, "group": group.name}


def _stage_placings(group: SwissGroup, rules: ScoringRules, game: SwissGame) -> list[dict[str, Any]]:
    """The placings of a group, each with its rounds."""
    counts = "opponent_score" in rules.chain
    options = options_of("opponent_score", group.field.options.get("opponent_score", {}))
    scores = OpponentScores(group.field, options)
    return [
        {
            **_in_group(group, placing),
            "rounds": [
                _round_json(each, game, counts=counts)
                for each in scores.of(group.field.records[placing.entrant])
            ],
        }
        for placing in group.placings
    ]


def _round_json(each: Contribution, game: SwissGame, *, counts: bool) -> dict[str, Any]:
    part = each.part
    shown: dict[str, Any] = {
        "round": part.round,
        "played": part.played.value,
        **game.round_json(part),
        "match_points": points_text(part.points),
    }
    if counts:
        shown["opponent_score"] = "0" if each.cut else points_text(each.points)
    if each.cut:
        shown["cut"] = True
    return shown


def _adjustments_json(event: EventRecord, outcome: SwissOutcome, game: SwissGame) -> list[dict[str, Any]]:
    if game.adjustments_json is not None:
        return list(game.adjustments_json(event, [table for tables in outcome.tables for table in tables]))
    return [_adjustment_json(given, event.rules) for given in event.adjustments]


def _adjustment_json(given: Adjustment, rules: ScoringRules) -> dict[str, Any]:
    rule = rules.penalties[given.rule]
    points = rule.points * given.count if rule.effect is Effect.POINTS else 0
    return {
        "id": given.id,
        "rule": rule.id,
        "name": rule.name.zh,
        "name_en": rule.name.en,
        "entrant": given.entrant,
        "stage": given.stage,
        "round": given.round,
        "count": given.count,
        "points": points_text(points),
        "clause": rule.clause,
    }

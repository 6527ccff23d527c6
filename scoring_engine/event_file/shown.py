"""What the score documents of every format have in common, as JSON."""

from typing import Any

from scoring_engine.prizes import Award
from scoring_engine.ranking import CriterionValue, Placing
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.teams import TeamPlacing
from scoring_engine.values import Figure, decimal_text, points_text

FORMAT = "saishi-score"
VERSION = 1


def head_json(rules: ScoringRules, *, complete: bool) -> dict[str, Any]:
    """What a score document begins with; `complete` is false while its placings are provisional."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "regulation": rules.id,
        "options": dict(rules.options),
        "complete": complete,
    }


def no_round_json() -> dict[str, Any]:
    """What `pair` answers where no round is drawn: its keys with nothing in them."""
    return {"stage": None, "round": None, "tables": [], "byes": [], "seed": None, "proof": None}


def placing_json(placing: Placing) -> dict[str, Any]:
    """A placing: its rank, its values in the order of the chain, what decided it, whether it is shared."""
    return {
        "rank": placing.rank,
        "entrant": placing.entrant,
        "values": [value_json(value) for value in placing.values],
        "decided_by": placing.decided_by,
        "shared": placing.shared,
    }


def value_json(value: CriterionValue) -> dict[str, Any]:
    """A value of one criterion; `"counted": false` where it was passed over."""
    shown: dict[str, Any] = {"criterion": value.criterion, "value": figure_json(value.value)}
    if not value.counted:
        shown["counted"] = False
    return shown


def figure_json(value: Figure | None) -> str | list[str] | None:
    """A value as decimal string, or a list of them where they are compared one after the other; None is unknown."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return [points_text(part) for part in value]
    return points_text(value)


def prize_json(prize: Award) -> dict[str, Any]:
    """A prize and who gets it."""
    rule = prize.rule
    shown: dict[str, Any] = {
        "prize": rule.prize,
        "label": rule.label.zh,
        "label_en": rule.label.en,
        "entrants": list(prize.entrants),
        "amount": None if rule.amount is None else decimal_text(rule.amount),
        "clause": rule.clause,
    }
    if rule.goods:
        shown["goods"] = True
    if rule.chosen is not None:
        shown["chosen"] = rule.chosen
    if prize.candidates:
        shown |= {"candidates": list(prize.candidates), "places": prize.places}
    if rule.of_teams:
        shown["teams"] = list(prize.teams)
    return shown


def team_json(team: TeamPlacing) -> dict[str, Any]:
    """A team: its rank, its members, the sums that were compared, what decided it."""
    return {
        "rank": team.rank,
        "team": team.team,
        "members": list(team.members),
        "values": [value_json(value) for value in team.values],
        "decided_by": team.decided_by,
        "shared": team.shared,
    }

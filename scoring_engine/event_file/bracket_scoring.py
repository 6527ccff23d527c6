"""The score document of a bracket (单场淘汰) of 升级.

A stage has its `rounds` besides: `number`, `entrants`, `byes`, `advance`, `out` and `complete`. Placings follow `round_reached` –
the round an entrant came to, one more than the last for who passed it –, and who left in one round shares a rank; they are
provisional until `complete`. `next` is `first_draw`, `sheets`, `round` (the next one), `ruling` or `over`; its `entrants` are one
group, those who are drawn. A prize that no order decides has `candidates` for its `places` beside the `entrants` who are
certain. `rewarded` compares all prizes with the share of the field that the text rewards.
"""

from typing import Any

from scoring_engine.event_file.match_shown import adjustments_json, match_json
from scoring_engine.event_file.shown import head_json, placing_json, prize_json
from scoring_engine.prizes.points import points_json
from scoring_engine.prizes.rounds import award_rounds, rewarded
from scoring_engine.records import EventRecord
from scoring_engine.stages.bracket import BracketOutcome, BracketRound, bracket
from scoring_engine.stages.expulsion import expelled_json, note


def score_bracket(event: EventRecord) -> dict[str, Any]:
    """The score document of a bracket that has been read."""
    outcome, rules = bracket(event), event.rules
    results = [result for part in outcome.rounds for result in part.results]
    placings = [placing_json(placing) for placing in outcome.placings]
    last = outcome.rounds[-1] if outcome.rounds else None
    awards = award_rounds(rules.prizes, outcome.placings, outcome.passed, decided=outcome.complete)
    shown: dict[str, Any] = {
        **head_json(rules, complete=outcome.complete),
        "next": _next_json(outcome),
        "tables": [match_json(result, rules) for result in results],
        "stages": [
            {
                "code": outcome.rule.code,
                "placings": placings,
                "direct": [],
                "advance": list(last.advance) if last is not None and last.ended else [],
                "needs_ruling": None if outcome.needs_ruling is None else outcome.needs_ruling.to_json(),
                "playoffs": [],
                "complete": outcome.complete,
                "notes": _notes_json(event, outcome),
                "rounds": [_round_json(part) for part in outcome.rounds],
            }
        ],
        "placings": [{**placing, "stage": outcome.rule.code} for placing in placings],
        "unplaced": list(outcome.unplaced),
        "expelled": expelled_json(event),
        "adjustments": adjustments_json(event, results),
        "teams": [],
        "prizes": [prize_json(award) for award in awards],
        **points_json(rules.points, outcome.placings, decided=outcome.complete),
    }
    if rules.rewarded is not None:
        share = rewarded(rules.rewarded, awards, len(event.entrants), decided=outcome.complete)
        shown["rewarded"] = share.to_json()
    return shown


def _notes_json(event: EventRecord, outcome: BracketOutcome) -> list[dict[str, str]]:
    """Of each round, who would have gone on and was expelled, and who went on in his stead."""
    found = []
    for part in outcome.rounds:
        if not part.expelled:
            continue
        won = {result.winner for result in part.results}
        up = [entrant for entrant in part.by_table.values() if entrant not in won]
        found.append(note(event, list(part.expelled), up, outcome.rule.clause).to_json())
    return found


def _round_json(part: BracketRound) -> dict[str, Any]:
    return {
        "number": part.number,
        "entrants": list(part.entrants),
        "byes": list(part.byes),
        "advance": list(part.advance),
        "out": list(part.out),
        "complete": part.ended,
    }


def _next_json(outcome: BracketOutcome) -> dict[str, Any]:
    ruling = None if outcome.needs_ruling is None else outcome.needs_ruling.to_json()
    group: list[list[str]] = []
    if outcome.complete:
        step = "over"
    elif not outcome.rounds:
        step, group = "first_draw", [list(outcome.remaining)]
    elif outcome.rounds[-1].open:
        step = "sheets"
    elif ruling is not None:
        step = "ruling"
    else:
        step, group = "round", [list(outcome.remaining)]
    return {
        "step": step,
        "stage": outcome.rule.code,
        "entrants": group,
        "needs_ruling": ruling if step == "ruling" else None,
    }

"""The score document of a knock-out event.

Besides the keys every format has, it says: `complete` (nothing is open any more; before, placings are
provisional), `next` (what the event waits for: a `step`, its `stage`, and who sits down, in groups that share a rank),
`unplaced` (entrants without any score), `expelled` (取消参赛资格: who, after which round, and whether he is ranked), `adjustments` (each penalty with its points and clause), and
for a stage `complete` and `notes`. A stage's `advance` are those who are sure to go on: none before its last sheet, and while
a tie across the last place is open (`playoffs` without winners, or `needs_ruling`) those clear of it; it is everybody, besides
`direct`, only where the stage is `complete`. A value that is not known is null; one that was passed over because a tied entrant
has none carries `"counted": false`. Table `game_points` include the penalties given at that table; `deals` do not.
"""

from typing import Any

from scoring_engine.event_file.shown import head_json, placing_json, prize_json
from scoring_engine.prizes import award
from scoring_engine.prizes.points import points_json
from scoring_engine.ranking import rank
from scoring_engine.records import EventRecord
from scoring_engine.rules import PLAYOFF, ScoringRules
from scoring_engine.stages.expulsion import expelled_json
from scoring_engine.stages.next_step import next_step
from scoring_engine.stages.progression import EventOutcome, Playoff, StageOutcome, progress
from scoring_engine.stages.questions import of_needless_playoff
from scoring_engine.stages.results import TableResult
from scoring_engine.values import decimal_text


def score_knock_out(event: EventRecord) -> dict[str, Any]:
    """The score document of a knock-out event."""
    outcome = progress(event)
    tables = [table for stage in outcome.stages for table in stage.tables] + list(outcome.playoff_tables)
    stages = [_stage_json(stage) for stage in outcome.stages]
    if outcome.playoff_tables:
        stages.append(_playoff_stage_json(outcome, event.rules))
    placings = [item.placing for item in outcome.placings]
    prizes = award(event.rules.prizes, placings, decided=outcome.complete)
    return {
        **head_json(event.rules, complete=outcome.complete),
        "next": next_step(outcome, event.rules).to_json(),
        "tables": [_table_json(table) for table in tables],
        "stages": stages,
        "placings": [{**placing_json(item.placing), "stage": item.stage} for item in outcome.placings],
        "unplaced": list(outcome.unplaced),
        "expelled": expelled_json(event),
        "adjustments": [item for table in tables for item in _adjustments_json(table)],
        "teams": [],
        "prizes": [prize_json(prize) for prize in prizes],
        **points_json(event.rules.points, placings, decided=outcome.complete),
    }


def _table_json(result: TableResult) -> dict[str, Any]:
    table = result.score.table
    deals = [
        {"scores": {seat: decimal_text(deal.points[seat]) for seat in table.seats}}
        for deal in result.score.deals or ()
    ]
    entrants: dict[str, dict[str, str]] = {}
    for seat in table.seats:
        record = result.records.get(seat)
        if record is not None:
            entrants[seat] = {"game_points": decimal_text(record.points)}
            if record.deals_won is not None:
                entrants[seat]["deals_won"] = decimal_text(record.deals_won)
    return {
        "stage": result.stage,
        "round": result.round,
        "number": table.number,
        "deals": deals,
        "entrants": entrants,
        "complete": result.score.ended,
    }


def _adjustments_json(result: TableResult) -> list[dict[str, Any]]:
    return [
        {
            "id": item.adjustment.id,
            "rule": item.rule.id,
            "name": item.rule.name.zh,
            "name_en": item.rule.name.en,
            "entrant": item.adjustment.entrant,
            "stage": result.stage,
            "round": result.round,
            "deal": item.adjustment.deal,
            "points": decimal_text(item.points),
            "clause": item.rule.clause,
        }
        for item in result.assessed
    ]


def _stage_json(stage: StageOutcome) -> dict[str, Any]:
    return {
        "code": stage.rule.code,
        "placings": [placing_json(placing) for placing in stage.placings],
        "direct": list(stage.direct),
        "advance": list(stage.advance),
        "needs_ruling": None if stage.needs_ruling is None else stage.needs_ruling.to_json(),
        "playoffs": [_playoff_json(playoff) for playoff in stage.playoffs],
        "complete": stage.decided,
        "notes": [note.to_json() for note in stage.notes],
    }


def _playoff_json(playoff: Playoff) -> dict[str, Any]:
    shown: dict[str, Any] = {"entrants": list(playoff.entrants), "places": playoff.places}
    if playoff.winners is not None:
        shown["winners"] = list(playoff.winners)
    return shown


def _playoff_stage_json(outcome: EventOutcome, rules: ScoringRules) -> dict[str, Any]:
    """The play-off tables: each with its own placings; `stage` is the stage whose tie it was played for."""
    owners = {
        id(table): playoff
        for stage in outcome.stages
        for playoff in stage.playoffs
        if playoff.played
        for table in playoff.played.tables
    }
    shown: list[dict[str, Any]] = []
    for table in outcome.playoff_tables:
        owner = owners.get(id(table))
        shown.append(
            {
                "entrants": list(table.score.table.seats),
                "places": owner.places if owner else 0,
                "stage": owner.stage if owner else None,
                "round": table.round,
                "number": table.score.table.number,
                "placings": [placing_json(placing) for placing in rank(table.records.values(), rules.chain)],
            }
        )
    return {
        "code": PLAYOFF,
        "placings": [],
        "direct": [],
        "advance": [],
        "needs_ruling": None,
        "playoffs": shown,
        "complete": all(table.score.ended for table in outcome.playoff_tables),
        "notes": [
            of_needless_playoff(table, rules).to_json()
            for table in outcome.playoff_tables
            if id(table) not in owners
        ],
    }

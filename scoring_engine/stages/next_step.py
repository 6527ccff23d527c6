"""What an event waits for (下一步): a draw, sheets, a ruling, a play-off, the next stage, or nothing any more."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring_engine.pairing.groups_of_three import Group
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.progression import EventOutcome, StageOutcome
from scoring_engine.stages.results import TableResult
from scoring_engine.stages.seeding import seeding_groups
from scoring_engine.values import NeedsRuling, StageCode


class Step(StrEnum):
    """What has to be done next."""

    FIRST_DRAW = "first_draw"
    SHEETS = "sheets"
    RULING = "ruling"
    PLAYOFF = "playoff"
    STAGE = "stage"
    ROUND = "round"  # the next round of a stage paired by points
    OVER = "over"


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next thing to do, and for which stage; of a play-off, the stage whose tie it breaks.

    groups: who sits down, best first; several in one group share a rank, and the draw puts them in order. waiting: the
    tables that have not ended. ruling: what the text leaves open.
    """

    step: Step
    stage: StageCode
    groups: tuple[Group, ...] = ()
    waiting: tuple[TableResult, ...] = ()
    ruling: NeedsRuling | None = None

    def to_json(self) -> dict[str, Any]:
        """`{"step", "stage", "entrants", "needs_ruling"}` of the score document; `entrants` is a list of groups."""
        return {
            "step": self.step.value,
            "stage": self.stage,
            "entrants": [list(group) for group in self.groups],
            "needs_ruling": None if self.ruling is None else self.ruling.to_json(),
        }


def next_step(outcome: EventOutcome, rules: ScoringRules) -> NextStep:
    """What an event waits for. What the committee has let play stands, also where it took a ruling to get there."""
    started = [index for index, stage in enumerate(outcome.stages) if stage.tables]
    current = started[-1] if started else 0
    stage = outcome.stages[current]
    if (open_part := _open_part(stage)) is not None:
        return open_part
    if not stage.tables:
        return NextStep(Step.FIRST_DRAW, stage.rule.code)
    if stage is not outcome.stages[-1]:
        following = outcome.stages[current + 1].rule.code
        return NextStep(Step.STAGE, following, seeding_groups(stage, rules))
    if outcome.complete:
        return NextStep(Step.OVER, stage.rule.code)
    return _left_open(outcome)


def _open_part(stage: StageOutcome) -> NextStep | None:
    """What one stage waits for before the next can be seated."""
    code = stage.rule.code
    waiting = tuple(result for result in stage.tables if not result.score.ended)
    if waiting:
        return NextStep(Step.SHEETS, code, waiting=waiting)
    if stage.needs_ruling is not None:
        return NextStep(Step.RULING, code, ruling=stage.needs_ruling)
    if stage.tables and not stage.ended:
        return NextStep(Step.SHEETS, code)
    if stage.due is None:
        return None
    if stage.due.played is not None and stage.due.played.running:
        running = tuple(table for table in stage.due.played.tables if not table.score.ended)
        return NextStep(Step.SHEETS, code, waiting=running)
    return NextStep(Step.PLAYOFF, code, tuple((entrant,) for entrant in sorted(stage.due.entrants)))


def _left_open(outcome: EventOutcome) -> NextStep:
    """The last stage is decided, but something before it was passed over."""
    for stage in outcome.stages[:-1]:
        if stage.ended and stage.due is None:
            continue  # what was open here was answered by seating the next stage
        return _open_part(stage) or NextStep(Step.SHEETS, stage.rule.code)
    return NextStep(Step.SHEETS, outcome.stages[-1].rule.code)

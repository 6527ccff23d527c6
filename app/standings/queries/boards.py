"""What the committee sees before it draws the next stage, and what waits for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries as draws
from app.draws.queries import division as divisions
from app.draws.rules import (
    IN_ROUNDS,
    ROUNDS_OF,
    stage_name,
)
from app.errors import RefusedError
from app.regulations.rules import Bilingual
from app.results import queries as results
from app.results.queries import TableState
from app.standings.queries.names import naming
from app.standings.queries.snapshots import SnapshotView, latest
from app.standings.rules import DRAWERS, NextStep, WaitingTable, next_step
from app.text import T
from app.waiting import Urgency, Waiting
from scoring_engine.stages.next_step import Step
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class DueRound:
    """A later round that can be drawn now, and its entrants by the event file's ids, sorted as text."""

    stage: str
    number: int
    entrants: tuple[EntrantId, ...]
    """Empty for a first round, which is drawn from the list, and for one paired by points: the engine says who is in it."""

    @property
    def in_rounds(self) -> bool:
        """Whether it is a round of a stage of several, with byes (轮空)."""
        return self.stage in ROUNDS_OF


@dataclass(frozen=True, slots=True)
class StageBoard:
    """What the committee sees before it draws the next stage. ``behind``: the newest results are not computed yet."""

    snapshot: SnapshotView | None
    drawn: tuple[str, ...]
    waiting: tuple[TableState, ...]
    next_step: NextStep
    clause: str
    behind: bool
    rounds: int = 1
    """How many rounds the stage has that is played or comes next."""

    @property
    def in_rounds(self) -> bool:
        """Whether the event is rounds of one stage."""
        return self.next_step.stage in ROUNDS_OF

    @property
    def due(self) -> DueRound | None:
        """What can be drawn from the standings; None for the first stage, which is drawn from the list."""
        stage = self.next_step.to_draw
        if stage is None or self.next_step.step is Step.FIRST_DRAW:
            return None
        entrants = tuple(sorted(EntrantId(each) for each in self.next_step.entrants))
        return DueRound(stage, self.drawn.count(stage) + 1, entrants)

    @property
    def waiting_tables(self) -> tuple[WaitingTable, ...]:
        return tuple(
            WaitingTable(each.table.stage, each.table.number, tuple(seat.name for seat in each.table.seats))
            for each in self.waiting
        )


def stage_board(event_id: int) -> StageBoard:
    """The stages as the newest snapshot has them, and what the event waits for."""
    event = competitions.event(event_id)
    rules = event.regulation.scoring_rules()
    snapshot = latest(event_id)
    drawn = tuple(each.stage for each in draws.rounds(event_id))
    waiting = tuple(each for each in results.table_states(event_id) if not each.in_force)
    behind = (snapshot.results_version if snapshot else 0) < event.results_version
    first = rules.stages[0]
    if not drawn:
        upcoming = NextStep(Step.ROUND if first.kind in IN_ROUNDS else Step.FIRST_DRAW, first.code)
    elif waiting:
        # also a confirmed sheet that was given back for correction, whose old deals the engine still counts
        upcoming = NextStep(Step.SHEETS, waiting[0].table.stage)
    elif snapshot is None or behind:
        upcoming = NextStep(Step.SHEETS, drawn[-1])
    else:
        upcoming = next_step(snapshot.result["next"])
    if upcoming.ruling is not None:
        said = naming(event_id)(Bilingual(upcoming.ruling["reason"], upcoming.ruling["reason_en"]))
        upcoming = replace(upcoming, ruling={**upcoming.ruling, "reason": said.zh, "reason_en": said.en})
    rule = rules.stage(upcoming.stage) or rules.stages[0]
    return StageBoard(snapshot, drawn, waiting, upcoming, rule.clause, behind, rule.rounds)


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Once every table is confirmed: the stage, round or play-off that can be drawn, or the ruling it needs."""
    progress = results.progress(event.id)
    if not progress.tables:
        return _first_round(event, now)
    if progress.provisional:
        return ()
    board = stage_board(event.id)
    upcoming, stage = board.next_step, stage_name(board.next_step.stage)
    text: T
    if board.behind:
        text, urgency = T("成绩已全部确认，正在计算名次"), Urgency.RUNS
    elif upcoming.step is Step.STAGE:
        text, urgency = (
            T("可以编排%(stage)s：%(count)s 人", stage=stage, count=len(upcoming.entrants)),
            Urgency.ACT,
        )
    elif upcoming.step is Step.ROUND and board.due is not None:
        text, urgency = T("可以编排第 %(number)s 轮", number=board.due.number), Urgency.ACT
    elif upcoming.step is Step.PLAYOFF:
        text, urgency = (
            T("%(stage)s名次并列，%(count)s 人需要加赛", stage=stage, count=len(upcoming.entrants)),
            Urgency.ACT,
        )
    elif upcoming.step is Step.RULING:
        text, urgency = T("%(stage)s需要组委会裁定", stage=stage), Urgency.ACT
    else:
        return ()
    return (Waiting(text, T("看晋级与下一阶段"), "standings.staff_stages", DRAWERS, urgency),)


def _first_round(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """That the first round of a stage of several can be drawn."""
    if event.regulation.stages[0].kind not in IN_ROUNDS:
        return ()
    try:
        _, entrants = draws.final_list(event, now)
    except RefusedError:
        return ()
    if counts := divisions.groups_due(event, len(entrants)):
        text = T(
            "可以分组抽签：%(count)s 人，分成 %(groups)s 组",
            count=len(entrants),
            groups="、".join(map(str, counts)),
        )
        return (Waiting(text, T("去抽签"), "draws.staff_draws", DRAWERS),)
    count = len(entrants)
    text = (
        T("可以编排第 1 轮：%(count)s 对", count=count)
        if event.regulation.in_pairs
        else T("可以编排第 1 轮：%(count)s 人", count=count)
    )
    return (Waiting(text, T("看晋级与下一阶段"), "standings.staff_stages", DRAWERS),)

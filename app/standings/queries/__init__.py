from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, select

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries as draws
from app.draws.queries import RoundView
from app.draws.queries import division as divisions
from app.draws.queries.division import DivisionView
from app.draws.rules import (
    IN_ROUNDS,
    ROUNDS_OF,
    SWISS,
    UnknownRoundError,
    entrant_of,
    stage_name,
    with_names,
)
from app.draws.rules.attendance import Presence, round_json
from app.errors import RefusedError
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId
from app.regulations import queries as regulations
from app.regulations.rules import Bilingual, Regulation
from app.results import queries as results
from app.results.queries import TableState
from app.results.rules import Content, game_of
from app.standings.models import StandingsSnapshot
from app.standings.queries.drawn import division_json, drawn_json, earlier_json
from app.standings.queries.lots import lots_of_file
from app.standings.rules import DRAWERS, NextStep, WaitingTable, canonical_bytes, next_step
from app.standings.rules.given import Adjustment, given_rulings, known_to
from app.standings.rules.impact import AS_IT_IS, Supposed
from app.text import T
from app.waiting import Urgency, Waiting
from scoring_engine import event_file as engine
from scoring_engine.event_file import Difference
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.next_step import Step
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class SnapshotView:
    """One stored computation; ``result`` is the ``saishi-score`` document."""

    id: int
    event_id: int
    results_version: int
    input_sha256: str
    regulation_version_id: int
    result: Mapping[str, Any]
    computed_at: datetime

    @property
    def regulation_number(self) -> int:
        """The version (第 n 版) of the event's regulation it was computed by."""
        return regulations.edition_number(self.event_id, self.regulation_version_id, self.computed_at)

    def stage(self, code: str) -> Mapping[str, Any] | None:
        return next((stage for stage in self.result["stages"] if stage["code"] == code), None)


@dataclass(frozen=True, slots=True)
class EventFile:
    """The public event file as it is sent, and its SHA-256 (hex)."""

    content: bytes
    sha256: str


def latest(event_id: int) -> SnapshotView | None:
    """The newest snapshot of an event."""
    return _snapshot(event_id)


def at_version(event_id: int, results_version: int) -> SnapshotView | None:
    """What was computed of one results version."""
    return _snapshot(event_id, StandingsSnapshot.results_version == results_version)


def _snapshot(event_id: int, *conditions: ColumnElement[bool]) -> SnapshotView | None:
    row = db.session.scalar(
        select(StandingsSnapshot)
        .where(StandingsSnapshot.event_id == event_id, *conditions)
        .order_by(StandingsSnapshot.results_version.desc())
        .limit(1)
    )
    if row is None:
        return None
    return SnapshotView(
        id=row.id,
        event_id=row.event_id,
        results_version=row.results_version,
        input_sha256=row.input_sha256,
        regulation_version_id=row.regulation_version_id,
        result=row.result,
        computed_at=row.computed_at,
    )


def latest_version(event_id: int) -> int:
    """The results version of the newest snapshot, without reading it; 0 where there is none."""
    return (
        db.session.scalar(
            select(StandingsSnapshot.results_version)
            .where(StandingsSnapshot.event_id == event_id)
            .order_by(StandingsSnapshot.results_version.desc())
            .limit(1)
        )
        or 0
    )


def state_tag(event_id: int) -> str:
    """Changes whenever the standings or the count of confirmed tables do; costs two small reads."""
    progress = results.progress(event_id)
    return f"{event_id}-{latest_version(event_id)}-{progress.confirmed}-{progress.tables}"


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
    waiting = tuple(each for each in results.table_states(event_id) if not each.confirmed)
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


def notes(event_id: int, stage: Mapping[str, Any]) -> tuple[Bilingual, ...]:
    """What the committee should see of a stage although it changes no score, with names."""
    name = naming(event_id)
    return tuple(name(Bilingual(note["reason"], note["reason_en"])) for note in stage["notes"])


def naming(event_id: int) -> Callable[[Bilingual], Bilingual]:
    """What puts people's names into sentences of the engine, where it has ids of the event file. Everybody is read once, and
    only where there is a sentence."""

    @cache
    def known() -> tuple[dict[EntryId, str], dict[int, str]]:
        everybody = registrations.entrants(event_id)
        return (
            {entry_id: each.name for entry_id, each in everybody.items()},
            {each.unit_id: each.unit_name for each in everybody.values()},
        )

    return lambda sentence: with_names(sentence, *known())


def people(event_id: int) -> dict[str, EntrantView]:
    """Everyone of the event by the event file's id, for names and units."""
    return {entrant_of(entry_id): each for entry_id, each in registrations.entrants(event_id).items()}


def event_file(event_id: int, by: Regulation | None = None, supposed: Supposed = AS_IT_IS) -> dict[str, Any]:
    """The public event file (``saishi-event``): confirmed results only, no personal data but names and units.

    The same state of the database always gives the same document, whatever order rows come in. It is of the version of the
    regulation in force; a round drawn by an earlier one names it, and the file holds it. With ``by`` everything is written
    for that version, as if every round had been drawn by it; with ``supposed`` as it would be if that were so.
    """
    event = competitions.event(event_id)
    terms = by or event.regulation
    regulation, rules = terms.document, terms.scoring_rules()
    rounds = draws.rounds(event_id)
    contents = _supposed_contents(event_id, supposed)
    given = (*given_rulings(event_id), *supposed.given)
    presences = draws.standing_presences(event_id)
    everyone = _entrants(event_id, rounds, presences)
    division = divisions.division(event_id)
    groups = divisions.groups(event_id)
    units = {each.unit_id: each.unit_name for each in everyone}
    lots = lots_of_file(event_id, {entrant for each in rounds for entrant in each.entrants})
    adjustments = _adjustments(rounds, contents, rules, given, supposed.lifted)
    earlier = {} if by else _earlier_versions(event, rounds)
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": regulation,
        "options": dict(regulation.get("options", {})),
        **(
            {
                "earlier_regulations": [
                    earlier_json(
                        each,
                        _earlier_adjustments(rounds, contents, each, given, supposed.lifted),
                        adjustments,
                    )
                    for each in dict.fromkeys(earlier.values())
                ]
            }
            if earlier
            else {}
        ),
        "units": [{"id": f"u{unit_id}", "name": units[unit_id]} for unit_id in sorted(units)],
        "entrants": [
            {
                "id": entrant_of(each.entry_id),
                "name": each.name,
                **({"players": list(each.players)} if len(each.players) > 1 else {}),
                "unit": f"u{each.unit_id}",
                **({"team": f"u{each.unit_id}"} if each.in_team else {}),
                **({"group": groups[entrant_of(each.entry_id)]} if groups else {}),
                **presences.get(entrant_of(each.entry_id), Presence()).entrant_json(),
            }
            for each in everyone
        ],
        "stages": _stages(rounds, contents, rules, presences),
        "adjustments": adjustments,
        **({} if division is None else {"division": division_json(division)}),
        "draws": [drawn_json(each, earlier.get(each.id)) for each in rounds],
        **({} if lots is None else {"lots": lots.file_json()}),
    }


def event_file_download(event_id: int) -> EventFile:
    """The event file as bytes; the same bytes are hashed for the snapshot, so a reader can compare."""
    content = canonical_bytes(event_file(event_id))
    return EventFile(content, hashlib.sha256(content).hexdigest())


def replayed(
    event: EventView, stage: str, number: int
) -> tuple[RoundView | DivisionView, Sequence[Difference]]:
    """One drawn round, or the division into groups for ``number`` 0, and every difference between it and what its seed gives
    again, from the public event file: as `saishi verify` finds them.

    It is replayed by the version of the regulation it was drawn by. Raises ``UnknownRoundError``.
    """
    drawn = draws.round_of(event.id, stage, number) if number else divisions.division(event.id)
    if drawn is None:
        raise UnknownRoundError
    document, rules = event_file(event.id), event.regulation.scoring_rules()
    return drawn, engine.verify_draw(document, rules, stage, number, earlier_rules(event))


def earlier_rules(event: EventView) -> dict[str, ScoringRules]:
    """The scoring rules of the earlier versions that rounds were drawn by, by the SHA-256 of their regulations."""
    return {
        each.sha256: each.scoring_rules()
        for each in _earlier_versions(event, draws.rounds(event.id)).values()
    }


def _earlier_versions(event: EventView, rounds: tuple[RoundView, ...]) -> dict[int, Regulation]:
    """The version of each round that was drawn by another than the one in force, by the round's id."""
    return {
        each.id: regulations.version(each.regulation_version_id)
        for each in rounds
        if each.regulation_version_id not in (None, event.regulation_version_id)
    }


def _supposed_contents(event_id: int, supposed: Supposed) -> dict[int, Content]:
    contents = {**results.confirmed(event_id), **supposed.contents}
    return {table_id: content for table_id, content in contents.items() if content is not None}


def _adjustments(
    rounds: tuple[RoundView, ...],
    contents: Mapping[int, Content],
    rules: ScoringRules,
    given: Sequence[Adjustment],
    lifted: Collection[str],
) -> list[dict[str, Any]]:
    """The penalties of every sheet in force, as a version of the regulation names them, then the rulings about who sat there."""
    found: list[dict[str, Any]] = []
    seated: set[tuple[str, int, str]] = set()
    game = game_of(rules)
    for each in rounds:
        for table in each.tables:
            if table.id not in contents:
                continue
            found += game.adjustments(each.stage, each.number, table.number, contents[table.id], rules)
            seated |= {(each.stage, each.number, entrant_of(seat.entry_id)) for seat in table.seats}
    found += [dict(each) for each in given if (each["stage"], each["round"], each["entrant"]) in seated]
    return [each for each in found if each["id"] not in lifted]


def _earlier_adjustments(
    rounds: tuple[RoundView, ...],
    contents: Mapping[int, Content],
    version: Regulation,
    given: Sequence[Adjustment],
    lifted: Collection[str],
) -> list[dict[str, Any]]:
    """A ruling by a rule that an earlier version does not have came after it, and says nothing of what was drawn by it."""
    rules = version.scoring_rules()
    return _adjustments(rounds, contents, rules, known_to(rules, given), lifted)


def _entrants(
    event_id: int, rounds: tuple[RoundView, ...], presences: Mapping[EntrantId, Presence]
) -> list[EntrantView]:
    """Who was drawn, and of the approved who is absent so far or enters later; before the first draw, who is approved."""
    found = {each.entry_id: each for drawn in rounds for _, each in drawn.people}
    if presences or not rounds:
        found |= {
            each.entry_id: each
            for each in registrations.approved_entries(event_id)
            if not rounds or entrant_of(each.entry_id) in presences
        }
    return [found[entry_id] for entry_id in sorted(found)]


def _stages(
    rounds: tuple[RoundView, ...],
    contents: Mapping[int, Content],
    rules: ScoringRules,
    presences: Mapping[EntrantId, Presence],
) -> list[dict[str, Any]]:
    """The stages with their rounds; of one paired by points also what is known of the round to be drawn next."""
    game = game_of(rules)
    stages: dict[str, dict[str, Any]] = {}
    for each in rounds:
        stage = stages.setdefault(each.stage, {"code": each.stage, "rounds": []})
        stage["rounds"].append(
            {
                "number": each.number,
                "tables": [
                    game.table_json(
                        table.number,
                        [entrant_of(seat.entry_id) for seat in table.seats],
                        contents.get(table.id),
                    )
                    for table in each.tables
                ],
                "byes": [entrant_of(entrant.entry_id) for entrant in each.direct],
                **(round_json(presences, each.number) if each.stage == SWISS else {}),
            }
        )
    first = rules.stages[0]
    upcoming = len(rounds) + 1
    if first.kind == SWISS and upcoming <= first.rounds and (known := round_json(presences, upcoming)):
        stage = stages.setdefault(first.code, {"code": first.code, "rounds": []})
        stage["rounds"].append({"number": upcoming, **known})
    return list(stages.values())

"""The next round of an event (`saishi pair`)."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring_engine.documents import Problem
from scoring_engine.event_file.bracket_draws import pair_bracket
from scoring_engine.event_file.reading import EventFileError, read
from scoring_engine.event_file.shown import no_round_json
from scoring_engine.event_file.swiss_draws.answers import not_paired as swiss_not_paired
from scoring_engine.event_file.swiss_draws.answers import pair_swiss
from scoring_engine.event_file.swiss_draws.history import Away
from scoring_engine.pairing.groups_of_three import Group, draw_groups, proof_of
from scoring_engine.records import EventRecord
from scoring_engine.rules import PLAYOFF, Format, ScoringRules
from scoring_engine.stages.names import stage_words
from scoring_engine.stages.next_step import NextStep, Step, next_step
from scoring_engine.stages.progression import EventOutcome, StageOutcome, progress
from scoring_engine.stages.seeding import draw_next_stage
from scoring_engine.values import EntrantId, StageCode


@dataclass(frozen=True, slots=True)
class _NextRound:
    stage: StageCode
    number: int
    entrants: tuple[EntrantId, ...]
    tables: tuple[Group, ...]
    first_bidders: tuple[EntrantId, ...]
    byes: tuple[EntrantId, ...]
    method: str


def pair(document: Mapping[str, Any], rules: ScoringRules, seed: bytes | None = None) -> dict[str, Any]:
    """The next round: `{"stage", "round", "tables", "byes", "seed", "proof", "needs_ruling", "report"}`.

    Each table is `{"number", "entrants", "first_bidder"}`: seats in order, and who bids first in deal 1 (抽签决定首叫). The
    next round is the prelim, a play-off that is due, or the next stage; in a bracket (单场淘汰) or a Swiss event the next round,
    whose tables have no first bidder: of board games the first mover stands first, of 快乐二打一 the seats are W, S, E. Where a ruling is needed first, or the event is over,
    `tables` is empty and `needs_ruling`, or `report.complete`, says so. `seed` and `proof` are then null. Where no draw of
    a Swiss round keeps every hard rule, `report.least_bad` is the one that breaks least (`swiss_draws.answers`).

    Without a seed one is derived from the file, SHA-256 of its canonical JSON (`report.seed_source` is `derived`): good
    for a rehearsal; a public draw gives its own. Raises EventFileError also where a table of the running stage has not
    ended.
    """
    event = read(document, rules)
    source = "given" if seed is not None else "derived"
    return PAIRERS[event.rules.format](event, _derived_seed(document) if seed is None else seed, source)


def not_paired(
    document: Mapping[str, Any], rules: ScoringRules
) -> tuple[int | None, Mapping[EntrantId, Away]]:
    """The round of a Swiss event that is drawn next, None where there is none, and who is not paired in it, and why: not
    entered, withdrawn, absent, a bye asked for, or forfeits running. Raises EventFileError."""
    return swiss_not_paired(read(document, rules))


def _pair_knock_out(event: EventRecord, seed: bytes, source: str) -> dict[str, Any]:
    outcome = progress(event)
    step = next_step(outcome, event.rules)
    ruling = None if step.ruling is None else step.ruling.to_json()
    report: dict[str, Any] = {"complete": outcome.complete, "needs_ruling": ruling}
    if step.step is Step.SHEETS:
        raise _running(step)
    if step.step in (Step.RULING, Step.OVER):
        return {**no_round_json(), "needs_ruling": ruling, "report": report}
    upcoming = _next_round(event, outcome, step, seed)
    report |= {
        "seed_source": source,
        "method": upcoming.method,
        "entrants": len(upcoming.entrants),
        "tables": len(upcoming.tables),
        "direct": len(upcoming.byes),
    }
    return {
        "stage": upcoming.stage,
        "round": upcoming.number,
        "tables": [
            {"number": index + 1, "entrants": list(table), "first_bidder": first}
            for index, (table, first) in enumerate(zip(upcoming.tables, upcoming.first_bidders, strict=True))
        ],
        "byes": list(upcoming.byes),
        "seed": seed.hex(),
        "proof": proof_of(seed, upcoming.entrants, upcoming.tables, upcoming.byes),
        "needs_ruling": None,
        "report": report,
    }


def _next_round(event: EventRecord, outcome: EventOutcome, upcoming: NextStep, seed: bytes) -> _NextRound:
    if upcoming.step is not Step.PLAYOFF:
        return _draw(event, outcome, outcome.stage(upcoming.stage), seed)
    entrants = tuple(entrant for group in upcoming.groups for entrant in group)
    drawn = draw_next_stage(event, outcome, PLAYOFF, seed, entrants)
    number = max((table.round for table in outcome.playoff_tables), default=0) + 1
    return _NextRound(PLAYOFF, number, entrants, drawn.tables, drawn.first_bidders, (), "playoff")


def _draw(event: EventRecord, outcome: EventOutcome, stage: StageOutcome, seed: bytes) -> _NextRound:
    code = stage.rule.code
    if stage.rule.kind == "drawn":
        everyone = tuple(sorted(entrant.id for entrant in event.entrants))
        groups = draw_groups(everyone, seed)
        # The seats are drawn already, so the first one bids first.
        first = tuple(table[0] for table in groups.tables)
        return _NextRound(code, 1, everyone, groups.tables, first, groups.direct, "groups_of_three")
    before = outcome.stages[outcome.stages.index(stage) - 1]
    entrants: Sequence[EntrantId] = sorted((*before.advance, *before.direct))
    drawn = draw_next_stage(event, outcome, code, seed, entrants)
    method = event.rules.option("semifinal_grouping") if stage.rule.kind == "seeded" else "final"
    return _NextRound(code, 1, tuple(entrants), drawn.tables, drawn.first_bidders, (), method)


def _running(upcoming: NextStep) -> EventFileError:
    tables = [
        Problem(
            result.score.table.path,
            "本桌还没有打完，不能编排下一轮。",
            "This table has not ended; no next round yet.",
        )
        for result in upcoming.waiting
    ]
    seats = Problem(
        "$.stages",
        f"{stage_words(upcoming.stage)}还没有打完：还有参赛者没有座位，也没有直接晋级。",
        f"Stage {upcoming.stage} has not ended: it has entrants with neither a seat nor a bye.",
    )
    return EventFileError(tables or [seats])


def _derived_seed(document: Mapping[str, Any]) -> bytes:
    text = json.dumps(document, ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("ascii")).digest()


PAIRERS: Mapping[Format, Callable[[EventRecord, bytes, str], dict[str, Any]]] = {
    Format.KNOCK_OUT: _pair_knock_out,
    Format.BRACKET: pair_bracket,
    Format.SWISS: pair_swiss,
}
"""How the next round is made of an event, a seed and where the seed comes from, by the format of the regulation."""

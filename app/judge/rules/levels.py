"""How many levels a deal of 升级 brings (升降级): the engine plays one deal from the levels both sides stand at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.errors import InvalidError
from app.judge.rules.deal_words import held_back, level_words, next_banker_words, points_words
from app.regulations.rules import Bilingual
from app.text import T
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.bottom import Bottom
from scoring_engine.tractor.levels import level_name
from scoring_engine.tractor.matches import Deal, DealScore
from scoring_engine.tractor.matches.faults import points_faults
from scoring_engine.tractor.matches.notes import points_notes
from scoring_engine.tractor.matches.playing import State, play_deal
from scoring_engine.tractor.units import Shape, UnitKind
from scoring_engine.values import EntrantId

BANKER, DEFENDERS = EntrantId("banker"), EntrantId("defenders")
NO_BOTTOM = "none"
RUNS = (UnitKind.PAIR_RUN, UnitKind.TRIPLE_RUN)

_FIELDS = {"points": "points", "bottom.points": "bottom_points", "bottom.unit": "unit", "bottom.size": "size"}
"""What the engine calls a part of a deal -> the field of the question."""


@dataclass(frozen=True, slots=True)
class DealAsked:
    """A deal that was played out. Levels are 0…12; points: the defenders' before the bottom; bottom: None where it was kept."""

    banker_level: int
    defenders_level: int
    points: int
    bottom: Bottom | None


@dataclass(frozen=True, slots=True)
class DealJudged:
    """The deal, scored; past_a: the side that goes up passed A. notes: what the committee should look at."""

    score: DealScore
    past_a: bool
    notes: tuple[tuple[Bilingual, str], ...]

    @property
    def kept(self) -> bool:
        """Whether the banker's side banks again."""
        return self.score.bank == BANKER

    def to_json(self) -> dict[str, Any]:
        """For a program: who went up, who banks, where both sides stand."""
        score = self.score
        return {
            "question": "levels",
            **score.to_json(),
            "dug": score.dug,
            "standing": {side: level_name(level) for side, level in score.standing.items()},
            "past_a": self.past_a,
            "clause": score.clause,
        }


def judge_deal(asked: DealAsked, rules: ScoringRules) -> DealJudged:
    """What the deal brings. Raises InvalidError for points or a bottom that cannot be."""
    deal = Deal(BANKER, asked.points, asked.bottom)
    faults = list(points_faults("deal", deal, rules.match))
    if faults:
        found = {
            _FIELDS[fault.path.removeprefix("deal.")]: Bilingual(fault.text.zh, fault.text.en)
            for fault in faults
        }
        raise InvalidError(next(iter(found.values())), fields=found)
    before = State({BANKER: asked.banker_level, DEFENDERS: asked.defenders_level}, BANKER)
    after, score = play_deal(before, 1, deal, rules.match)
    notes = tuple(
        (Bilingual(note.reason.zh, note.reason.en), note.clause)
        for note in points_notes(1, deal, rules.match)
    )
    return DealJudged(score, after.past_a is not None, notes)


def headline(judged: DealJudged, rules: ScoringRules, defenders: T) -> T:
    """Who went up, or took the bank."""
    return level_words(judged.score, {BANKER: "", DEFENDERS: defenders}, rules)


def told(judged: DealJudged, rules: ScoringRules, defenders: T) -> list[tuple[T, str]]:
    """What else is to be said, each with its clause: who banks next, or that A was passed; what should be looked at."""
    match = rules.match
    if judged.past_a:
        found: list[tuple[T, str]] = [(T("打过 A，比赛结束。"), match.clause_of("past_a"))]
    else:
        name = T("庄家一方") if judged.kept else defenders
        clause = match.clause_of("banker_rotation" if judged.kept else "bank")
        found = [(next_banker_words(name, kept=judged.kept, rules=rules), clause)]
    return found + list(judged.notes)


def clauses(judged: DealJudged, rules: ScoringRules) -> tuple[str, ...]:
    """The row of the level table, the multiplier of the bottom, the 必打 level that held something back."""
    found = [judged.score.clause]
    if judged.score.dug:
        found.append(rules.match.bottom.clause)
    if judged.score.up is None and not judged.kept and held_back(judged.score, rules):
        found.append(rules.match.clause_of("must_play"))
    return tuple(dict.fromkeys(found))


def points_told(judged: DealJudged, rules: ScoringRules) -> T | None:
    """The defenders' points with what the bottom brought."""
    return points_words(judged.score, rules)


def bottom_of(unit: str, points: int | None, size: int | None) -> Bottom | None:
    """The bottom as it was asked about; None where the banker's side kept it. Raises InvalidError for what is missing."""
    if unit == NO_BOTTOM:
        return None
    kind = UnitKind(unit)
    missing: dict[str, T] = {}
    if points is None:
        missing["bottom_points"] = T("请填底牌分。")
    if kind in RUNS and size is None:
        missing["size"] = T("请填几连。")
    if missing:
        raise InvalidError(next(iter(missing.values())), fields=missing)
    return Bottom(points or 0, Shape(kind, size or 1 if kind in RUNS else 1))

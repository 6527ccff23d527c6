"""Which parts of a regulation two versions differ in, and which of them make results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.regulations.rules import Bilingual, Regulation
from app.text import T


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a regulation: its name, what of it is compared, and whether results follow from it."""

    name: T
    value: Callable[[Regulation], Any]
    makes_results: bool = False


def _optional(table: str) -> Callable[[Regulation], Any]:
    return lambda regulation: getattr(regulation, table) if regulation.has(table) else None


def _engine(key: str) -> Callable[[Regulation], Any]:
    return lambda regulation: getattr(regulation.scoring_rules(), key)


def _penalties(regulation: Regulation) -> Any:
    """Those of the score sheet, or of 升级, which keeps its own with the scoring."""
    rules = regulation.scoring_rules()
    return rules.penalties, getattr(rules.scoring, "penalties", None)


PARTS: Mapping[str, Part] = {
    "name": Part(T("名称和项目"), lambda each: (each.title, each.event, each.clause_of("event"))),
    "calendar": Part(T("日程"), lambda each: each.calendar),
    "eligibility": Part(T("参赛资格"), lambda each: each.eligibility),
    "documents": Part(T("参赛材料"), lambda each: each.document_rules),
    "registration": Part(T("报名"), lambda each: (each.registration, each.entry)),
    "publication": Part(T("公示"), _optional("publication")),
    "objections": Part(T("异议"), _optional("objections")),
    "windows": Part(T("更正与申诉"), lambda each: (each.windows, each.fees)),
    "stages": Part(T("赛制"), _engine("stages"), makes_results=True),
    "pairing": Part(T("编排"), _engine("pairing"), makes_results=True),
    "scoring": Part(
        T("计分"),
        lambda each: (each.scoring_rules().scoring, each.scoring_rules().scoring_clause),
        makes_results=True,
    ),
    "ranking": Part(T("名次"), _engine("ranking"), makes_results=True),
    "teams": Part(Bilingual("团体名次", "Team result"), _engine("teams"), makes_results=True),
    "penalties": Part(T("判罚"), _penalties, makes_results=True),
    "prizes": Part(T("奖励"), lambda each: (each.scoring_rules().prizes, each.scoring_rules().rewarded)),
    "points": Part(Bilingual("积分与等级", "Points and grades"), lambda each: each.award_points),
    "interpretations": Part(T("条文解释"), lambda each: each.interpretations),
    "notices": Part(T("其他条文"), lambda each: each.notices),
}


def changed_parts(before: Regulation, after: Regulation) -> tuple[str, ...]:
    """The codes of the parts that differ, options resolved, in the order of ``PARTS``."""
    return tuple(code for code, part in PARTS.items() if part.value(before) != part.value(after))


def makes_results(codes: tuple[str, ...]) -> bool:
    """Whether one of these parts decides points, placings or penalties."""
    return any(PARTS[code].makes_results for code in codes)

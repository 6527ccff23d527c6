"""What the sheet of a match of 升级 (拖拉机, 八十分) may hold: everything impossible beside its field, by the engine's rules.

| rule | here |
|---|---|
| deals one by one: banker, defenders' points, bottom (C 八(七), 八(十八); D 五13, 五15) | `checked_deal` |
| who must bank, what a penalty does, how many deals after time (C 八(四), 八(十); D 五3) | the whole match at once: `match_faults` |
| only the end: both levels, and who banks (D 五3) | `levels`, `bank`, `past_a` |
| 16 to 20 minutes late: the first deal is given up (C 十(二)) | `with_match_outcome` writes it down, so that deals keep their numbers |

A match has no number of deals: it can be handed in whenever it has a result. While it is written a correction of one
deal may leave a later one impossible (another side banks); that is shown, and has to be mended before handing in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.draws.rules import entry_of, with_names
from app.regulations.rules import Bilingual
from app.results.rules.content import Content, Faults, InvalidOutcomeError, Names, Outcome, ResultMissingError
from app.results.rules.sheets import DealRecord, InvalidDealError
from app.text import T
from scoring_engine.documents import Node, Problem, Problems, exact_number
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.matches import (
    Ended,
    ImpossibleMatchError,
    Match,
    MatchScore,
    faults_of,
    read_match,
    score_match,
)
from scoring_engine.tractor.penalties import Effect, Infringement
from scoring_engine.tractor.units import UnitKind
from scoring_engine.values import EntrantId, Text, decimal_text

DEAL_KEYS = ("banker", "points", "bottom", "ended", "by", "seat")
END_KEYS = ("levels", "bank", "past_a")
MATCH_KEYS = (*END_KEYS, "forfeits", "late", "announced_in", "penalties")
RUNS = (UnitKind.PAIR_RUN.value, UnitKind.TRIPLE_RUN.value)
_INDEX = re.compile(r"\[(?:'([^']*)'|(\d+))\]")


class MatchResultMissingError(ResultMissingError):
    """Handing in a match of which nothing is known."""

    sentence = T("还没有成绩：请录入各副，或只录最后的级数，或写明弃权的一方。")
    field = "deals"


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """A match as its sheet has it. ``score`` goes as far as the deals are possible; None before anything is known."""

    score: MatchScore | None
    faults: Faults


def checked_deal(sent: Mapping[str, Any], names: Names, rules: ScoringRules, prefix: str = "") -> DealRecord:
    """One deal as it is stored, its keys in the order of the event file. Raises ``InvalidDealError``.

    What it means among the other deals is for ``match_faults``.
    """
    given = {key: value for key, value in sent.items() if value is not None}
    record: DealRecord = {key: given.pop(key) for key in DEAL_KEYS if key in given}
    if record.get("ended") == Ended.PLAYED.value:
        del record["ended"]
    bottom = record.get("bottom")
    if bottom is not None:
        record["bottom"] = {key: value for key, value in bottom.items() if value is not None}
        if record["bottom"].get("unit") not in RUNS:
            record["bottom"].pop("size", None)
    faults = {key: T("这个项目的记分表没有这一项。") for key in given}
    if not faults:
        faults = {key.removeprefix("deals.0."): text for key, text in _misread([record], {}, names).items()}
    if faults:
        raise InvalidDealError(faults, clause=rules.scoring_clause, prefix=prefix)
    return record


def checked_outcome(sent: Outcome, names: Names, rules: ScoringRules) -> dict[str, Any]:
    """What a match says besides its deals, as it is stored. Raises ``InvalidOutcomeError``."""
    found: dict[str, Any] = {}
    for key in MATCH_KEYS:
        value = sent.get(key)
        if value is None or value in ("", [], {}):
            continue
        found[key] = value
    if "forfeits" in found:
        found["forfeits"] = [
            *(side for side in names if side in found["forfeits"]),
            *(side for side in found["forfeits"] if side not in names),
        ]
    if "late" in found:
        found["late"] = {
            side: _minutes(value) for side, value in found["late"].items() if value not in (0, "0")
        }
        if not found["late"]:
            del found["late"]
    if "penalties" in found:
        found["penalties"] = [
            {key: value for key, value in one.items() if value is not None and value is not False}
            for one in found["penalties"]
        ]
    faults = _misread([], found, names)
    if faults:
        raise InvalidOutcomeError(faults, clause=rules.scoring_clause)
    return found


def match_sheet(content: Content, names: Names, rules: ScoringRules) -> MatchSheet:
    """The match, scored, with everything in it that cannot be."""
    faults = match_faults(content, names, rules)
    if content.empty:
        return MatchSheet(None, faults)
    for known in range(len(content.deals), -1, -1):
        part = content if known == len(content.deals) and not faults else _part(content, known)
        try:
            return MatchSheet(score_match(*_engine(part, names, rules)), faults)
        except ImpossibleMatchError:
            continue
    return MatchSheet(None, faults)


def match_faults(content: Content, names: Names, rules: ScoringRules) -> Faults:
    """Everything that makes this match impossible, by field of the sheet; empty where it can have happened."""
    clause = rules.scoring_clause
    misread = _misread(content.deals, content.outcome or {}, names)
    if misread:
        return {key: (text, clause) for key, text in misread.items()}
    return {
        field_of(fault.path): (_named(fault.text, names), fault.clause)
        for fault in faults_of(*_engine(content, names, rules))
    }


def complete_match(content: Content, _deals: int, rules: ScoringRules) -> bool:
    """Whether there is something to hand in: a deal, the end, or a forfeit."""
    if content.deals or content.forfeits or "levels" in (content.outcome or {}):
        return True
    return any(effect is Effect.ROUND_LOST for _, effect in _late_effects(content.outcome or {}, rules))


def with_match_outcome(before: Content, outcome: Outcome | None, rules: ScoringRules) -> Content:
    """A match that says something else besides its deals. The deal that lateness gives up (C 十(二)) is written down as
    the first one, or taken out again."""
    late = _late_effects(before.outcome or {}, rules)
    deals = before.deals
    if deals and dict(deals[0]) in [_given_up(side) for side, effect in late if effect is Effect.DEAL_LOST]:
        deals = deals[1:]
    said = outcome or {}
    late = _late_effects(said, rules)
    giving_up = [side for side, effect in late if effect is Effect.DEAL_LOST]
    lost = bool(said.get("forfeits")) or any(effect is Effect.ROUND_LOST for _, effect in late)
    # where both gave it up neither goes up; where only the end is known it is in the levels
    if len(giving_up) != 1 or lost or ("levels" in said and not deals):
        return Content(deals, outcome)
    first = _given_up(giving_up[0])
    return Content(deals if deals and dict(deals[0]) == first else (first, *deals), outcome)


def penalties_json(
    stage: str, round_number: int, table: int, content: Content, _rules: ScoringRules
) -> list[dict[str, Any]]:
    """The penalties of a table as adjustments of the event file."""
    return [
        {
            "id": f"{stage}-{round_number}-{table}-{number}",
            "rule": one["rule"],
            "entrant": one["entrant"],
            "stage": stage,
            "round": round_number,
            **{key: value for key, value in one.items() if key not in ("rule", "entrant")},
        }
        for number, one in enumerate((content.outcome or {}).get("penalties", ()), start=1)
    ]


def field_of(path: str) -> str:
    """A path of the engine (``$.deals[2].bottom.points``) as a field of the sheet (``deals.2.bottom.points``)."""
    return _INDEX.sub(lambda found: f".{found[1] or found[2]}", path.removeprefix("$.")).removeprefix(".")


def _engine(
    content: Content, names: Names, rules: ScoringRules
) -> tuple[Match, Any, tuple[Infringement, ...]]:
    match = _read(content.deals, content.outcome or {}, names, Problems())
    assert match is not None  # everything stored was read before
    given = tuple(
        Infringement(
            str(number),
            one["rule"],
            EntrantId(one["entrant"]),
            one.get("deal"),
            one.get("count", 1),
            one.get("points"),
            Effect(one["outcome"]) if "outcome" in one else None,
            bool(one.get("insisted")),
        )
        for number, one in enumerate((content.outcome or {}).get("penalties", ()))
    )
    return match, rules.match, given


def _read(
    deals: Sequence[Mapping[str, Any]], outcome: Outcome, names: Names, problems: Problems
) -> Match | None:
    one, other = names
    said: dict[str, Any] = {key: value for key, value in outcome.items() if key != "penalties"}
    if deals or "levels" not in said:
        said["deals"] = list(deals)
    return read_match(Node(said, "$", problems), (one, other))


def _misread(deals: Sequence[Mapping[str, Any]], outcome: Outcome, names: Names) -> dict[str, T]:
    """What has the wrong shape, by field of the sheet."""
    problems = Problems()
    _read(deals, outcome, names, problems)
    return {field_of(problem.path): _named(_text(problem), names) for problem in problems.found}


def _text(problem: Problem) -> Text:
    return Text(problem.zh, problem.en)


def _named(text: Text, names: Names) -> Bilingual:
    """A sentence of the engine with the names of the table's entrants."""
    return with_names(Bilingual(text.zh, text.en), {entry_of(side): name for side, name in names.items()})


def _part(content: Content, known: int) -> Content:
    """The first deals with their penalties alone, for a match whose later deals, or whose end, cannot be."""
    outcome = dict(content.outcome or {})
    for key in (*END_KEYS, "announced_in"):
        outcome.pop(key, None)
    if "penalties" in outcome:
        outcome["penalties"] = [one for one in outcome["penalties"] if one.get("deal", 1) <= known]
    return replace(content, deals=content.deals[:known], outcome=outcome)


def _late_effects(outcome: Outcome, rules: ScoringRules) -> list[tuple[str, Effect]]:
    lateness = rules.match.lateness
    if lateness is None:
        return []
    found = []
    for side, written in outcome.get("late", {}).items():
        minutes = exact_number(written)
        tier = lateness.tier(minutes) if minutes is not None and minutes >= 0 else None
        if tier is not None:
            found.append((side, tier.effect))
    return found


def _given_up(side: str) -> DealRecord:
    return {"ended": Ended.GIVEN_UP.value, "by": side}


def _minutes(written: Any) -> Any:
    """Minutes late as they are stored: a whole number, or a decimal string; what is neither stays and is refused."""
    minutes = exact_number(written)
    if minutes is None:
        return written
    return int(minutes) if minutes.denominator == 1 else decimal_text(minutes)

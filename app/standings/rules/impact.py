"""What separates two computations of one event (影响), as a document of ids and numbers. No names, no personal data.

| key | holds |
|---|---|
| `tables` | tables whose points change: `stage`, `round`, `number` |
| `draws` | later rounds whose draw would come out otherwise: `stage`, `round`; what else stands there says who computed it |
| `placings` | rank changes of each ranking (`overall`, or a stage): `entrant`, `before`, `after` |
| `teams` | rank changes of teams |
| `members` | teams that have a result both times, and whose counting members change: `team`, `before`, `after` |
| `points` | 积分 and grades of final placings that change: `entrant`, `before`, `after`, each `points`, `grade`, `grade_en` or null |
| `advance` | who goes on from a stage: `in`, `out` |
| `prizes` | prizes whose winners or amounts change |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.errors import InvalidError
from app.regulations.rules import Bilingual
from app.results.rules import Content
from app.standings.rules import OVERALL
from app.standings.rules.given import Adjustment
from scoring_engine.documents import Problem
from scoring_engine.event_file import Difference
from scoring_engine.values import EntrantId

Json = dict[str, Any]

Named = Callable[[Bilingual], Bilingual]
"""Puts people's names into a sentence that has ids of the event file."""

_ADJUSTMENT = re.compile(r"\$\.adjustments\[(\d+)\](?:\.(\w+))?")

SCORE_KEYS = ("tables", "draws", "placings", "teams", "members", "advance", "prizes", "points")
"""What of an impact is about results; one that was stored before `members` and `points` were compared has neither."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """What is supposed to be otherwise than it is. ``contents``: what tables (ids) say, None for a sheet that does not count;
    ``given``: rulings besides those there are; ``lifted``: the ids of adjustments that are taken away; ``expelled`` and ``let_in``: whose
    expulsion (取消参赛资格) is given or withdrawn."""

    contents: Mapping[int, Content | None] = field(default_factory=dict)
    given: Sequence[Adjustment] = ()
    lifted: Collection[str] = ()
    expelled: Collection[EntrantId] = ()
    let_in: Collection[EntrantId] = ()


class CannotBeScoredError(InvalidError):
    """The results would be impossible; ``fields`` has the key of the adjustment, or ``results``.

    ``adjustment`` is the id of the first adjustment that cannot be, None where it is a sheet.
    """

    def __init__(self, problems: Sequence[Problem], adjustments: Sequence[str], named: Named) -> None:
        fields: dict[str, Bilingual] = {}
        self.adjustment: str | None = None
        for each in problems:
            found = _ADJUSTMENT.match(each.path)
            if found and self.adjustment is None:
                self.adjustment = adjustments[int(found[1])]
            key = (found[2] or "rule") if found else "results"
            fields.setdefault(key, named(Bilingual(each.zh, each.en)))
        super().__init__(next(iter(fields.values())), fields=fields)


def scores_compared(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """What differs between two ``saishi-score`` documents of the same results."""
    rankings = [(OVERALL, before["placings"], after["placings"])]
    stages = {stage["code"]: stage for stage in after["stages"]}
    if len(before["stages"]) > 1:
        rankings += [
            (stage["code"], stage["placings"], stages[stage["code"]]["placings"])
            for stage in before["stages"]
            if stage["code"] in stages
        ]
    return {
        "tables": _changed_tables(before["tables"], after["tables"]),
        "placings": [
            {"ranking": code} | change
            for code, old, new in rankings
            for change in _rank_changes(old, new, "entrant")
        ],
        "teams": _rank_changes(before["teams"], after["teams"], "team"),
        "members": _changed_members(before["teams"], after["teams"]),
        "advance": [
            change
            for stage in before["stages"]
            if (change := _advance_change(stage, stages.get(stage["code"]))) is not None
        ],
        "prizes": _changed_prizes(before["prizes"], after["prizes"]),
        "points": _changed_points(before, after),
    }


def _changed_tables(before: Iterable[Json], after: Iterable[Json]) -> list[Json]:
    def place(table: Json) -> tuple[Any, ...]:
        return table["stage"], table["round"], table["number"]

    points = {place(table): (table["entrants"], table.get("levels")) for table in after}
    return [
        {"stage": table["stage"], "round": table["round"], "number": table["number"]}
        for table in before
        if points.get(place(table)) != (table["entrants"], table.get("levels"))
    ]


def _rank_changes(before: Iterable[Json], after: Iterable[Json], key: str) -> list[Json]:
    new = {placing[key]: placing["rank"] for placing in after}
    old = {placing[key]: placing["rank"] for placing in before}
    everyone = [*old, *(each for each in new if each not in old)]
    return [
        {key: each, "before": old.get(each), "after": new.get(each)}
        for each in everyone
        if old.get(each) != new.get(each)
    ]


def _changed_members(before: Iterable[Json], after: Iterable[Json]) -> list[Json]:
    new = {each["team"]: each["members"] for each in after}
    return [
        {"team": each["team"], "before": each["members"], "after": new[each["team"]]}
        for each in before
        if each["team"] in new and sorted(each["members"]) != sorted(new[each["team"]])
    ]


def _changed_points(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Json]:
    def worth(score: Mapping[str, Any]) -> dict[str, Json]:
        return {
            each["entrant"]: {
                "points": each["points"],
                "grade": each.get("grade"),
                "grade_en": each.get("grade_en"),
            }
            for each in score.get("points", {}).get("entrants", ())
        }

    old, new = worth(before), worth(after)
    return [
        {"entrant": who, "before": old.get(who), "after": new.get(who)}
        for who in [*old, *(each for each in new if each not in old)]
        if old.get(who) != new.get(who)
    ]


def _advance_change(before: Json, after: Json | None) -> Json | None:
    old = {*before["advance"], *before["direct"]}
    new = {*after["advance"], *after["direct"]} if after else set()
    if old == new:
        return None
    return {"stage": before["code"], "in": sorted(new - old), "out": sorted(old - new)}


def _changed_prizes(before: Iterable[Json], after: Iterable[Json]) -> list[Json]:
    def won(prizes: Iterable[Json]) -> dict[str, Json]:
        return {
            prize["prize"]: {
                "label": prize["label"],
                "label_en": prize["label_en"],
                "entrants": prize["entrants"],
                "amount": prize["amount"],
            }
            for prize in prizes
        }

    old, new = won(before), won(after)
    return [
        {"prize": code, "before": old.get(code), "after": new.get(code)}
        for code in [*old, *(each for each in new if each not in old)]
        if old.get(code) != new.get(code)
    ]


def touched_rounds(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[tuple[str, int]]:
    """The rounds, as stage and number, in which two event files of one event say something else."""

    def parts(document: Mapping[str, Any]) -> dict[tuple[str, int], Any]:
        found: dict[tuple[str, int], Any] = {
            (stage["code"], part["number"]): [part]
            for stage in document["stages"]
            for part in stage["rounds"]
        }
        for each in document["adjustments"]:
            found[each["stage"], each["round"]].append(each)
        return found

    old, new = parts(before), parts(after)
    return {place for place in old if old[place] != new.get(place)}


def redrawn_tables(differences: Sequence[Difference]) -> list[list[str]] | None:
    """The tables that a draw made again has, from its differences; None where they are those that were drawn."""
    for each in differences:
        # the tables of the draw itself, not those of its round as it is played, nor after repairs
        if each.path.startswith("$.draws[") and each.path.endswith("].tables"):
            return [list(table) for table in each.expected]
    return None

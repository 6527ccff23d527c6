"""What a version affects (影响), as a document of ids and numbers that is stored with it. No names, no personal data.

| key | holds |
|---|---|
| `changed` | the parts of the regulation that differ (`parts.PARTS`) |
| `windows` | dates and windows that move: `key`, `before`, `after` (ISO 8601, or minutes) |
| `entries` | `ineligible`: entries in the field that a rule would now refuse, with its clause; `unjudged`: how many nobody can judge any more; `over_quota`: units with more entries than allowed; `over_limit`: how many entries, where more are in the field than the event takes in all, else null |
| `tables` | tables whose points change: `stage`, `round`, `number` |
| `draws` | rounds whose draw would come out otherwise; they stay as drawn, and are replayed by their own version |
| `placings` | rank changes of each ranking (`overall`, or a stage): `entrant`, `before`, `after` |
| `teams` | rank changes of teams |
| `advance` | who goes on from a stage: `in`, `out` |
| `prizes` | prizes whose winners or amounts change |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.regulations.rules import CALENDAR_KEYS, Bilingual, CalendarKey, Regulation
from app.regulations.rules.terms import FEE_CODES, WINDOW_CODES
from app.text import T
from app.workdays.rules import Window

OVERALL = "overall"

Json = dict[str, Any]


def moved_windows(
    before: Regulation, after: Regulation, lists: tuple[Window | None, Window | None]
) -> list[Json]:
    """Every date, window and fee that changes. ``lists`` are the days of the publication under both, None where unknown."""
    moved: list[Json] = []

    def note(key: str, old: Any, new: Any) -> None:
        if old != new:
            moved.append({"key": key, "before": old, "after": new})

    for key in CalendarKey:
        old, new = (
            None if key not in each.calendar.dates else each.calendar[key].isoformat()
            for each in (before, after)
        )
        note(f"calendar.{key.value}", old, new)
    first, second = lists
    note("publication", first and first.ends_at.isoformat(), second and second.ends_at.isoformat())
    for code in [*before.windows, *(each for each in after.windows if each not in before.windows)]:
        minutes = tuple(
            each.windows[code].minutes if code in each.windows else None for each in (before, after)
        )
        note(f"windows.{code}", *minutes)
    for code in [*before.fees, *(each for each in after.fees if each not in before.fees)]:
        amounts = tuple(each.fees[code].amount if code in each.fees else None for each in (before, after))
        note(f"fees.{code}", *amounts)
    return moved


def window_name(key: str) -> T:
    """What a moved window is called."""
    table, _, code = key.partition(".")
    if table == "calendar":
        return CALENDAR_KEYS[CalendarKey(code)]
    if table == "windows":
        return WINDOW_CODES.get(code, Bilingual(code, code))
    if table == "fees":
        return FEE_CODES.get(code, Bilingual(code, code))
    return T("公示结束")


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
        "advance": [
            change
            for stage in before["stages"]
            if (change := _advance_change(stage, stages.get(stage["code"]))) is not None
        ],
        "prizes": _changed_prizes(before["prizes"], after["prizes"]),
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


def affects_nobody(impact: Mapping[str, Any]) -> bool:
    """Whether nothing that exists comes out otherwise."""
    entries = impact["entries"]
    return not any(
        [
            entries["ineligible"],
            entries["over_quota"],
            entries.get("over_limit"),  # not in what was stored before the limit was looked at
            *(
                impact[key]
                for key in ("windows", "tables", "draws", "placings", "teams", "advance", "prizes")
            ),
        ]
    )


def public_impact(impact: Mapping[str, Any]) -> Json:
    """The impact as everybody may read it: of entries only how many, never which."""
    entries = impact["entries"]
    return dict(impact) | {
        "entries": {
            "ineligible": len(entries["ineligible"]),
            "unjudged": entries["unjudged"],
            "over_quota": len(entries["over_quota"]),
            "over_limit": entries.get("over_limit"),
        }
    }

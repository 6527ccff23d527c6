"""What a version affects (影响), as a document of ids and numbers that is stored with it. No names, no personal data.

| key | holds |
|---|---|
| `changed` | the parts of the regulation that differ (`parts.PARTS`) |
| `windows` | dates and windows that move: `key`, `before`, `after` (ISO 8601, or minutes) |
| `entries` | `ineligible`: entries in the field that a rule would now refuse, with its clause; `unjudged`: how many nobody can judge any more; `over_quota`: units with more entries than allowed; `over_limit`: how many entries, where more are in the field than the event takes in all, else null |
| `tables`, `placings`, `teams`, `members`, `advance`, `prizes`, `points` | as `app.standings.rules.impact` has them |
| `draws` | rounds whose draw would come out otherwise; they stay as drawn, and are replayed by their own version |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.regulations.rules import CALENDAR_KEYS, Bilingual, CalendarKey, Regulation
from app.regulations.rules.terms import FEE_CODES, WINDOW_CODES
from app.standings.rules.impact import SCORE_KEYS
from app.text import T
from app.workdays.rules import Window

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


def affects_nobody(impact: Mapping[str, Any]) -> bool:
    """Whether nothing that exists comes out otherwise."""
    entries = impact["entries"]
    return not any(
        [
            entries["ineligible"],
            entries["over_quota"],
            entries.get("over_limit"),  # not in what was stored before the limit was looked at
            impact["windows"],
            *(impact.get(key) for key in SCORE_KEYS),  # of what was stored earlier not all of them
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

"""A corrected score as a form of the committee writes it: an earlier revision, or the sheet of its game typed anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import request

from app.appeals.queries.effects import History
from app.results.queries import SheetView
from app.results.rules import PASSED_OUT, Kind, board_outcome, board_result
from scoring_engine.tractor.levels import ACE, level_name

TYPED = "typed"
NUMBERS = ("bid", "bombs", "rockets")
FLAGS = ("spring", "anti_spring")


def sent_correction(history: History | None) -> dict[str, Any] | None:
    """What the form says of the sheet, as ``AppealCorrectionSchema`` takes it; None where it stays."""
    chosen = request.form.get("correction", "")
    if chosen.startswith("revision-") and chosen[9:].isdecimal():
        return {"revision": int(chosen[9:])}
    if chosen != TYPED or history is None:
        return None
    view = _in_force(history)
    kept = dict(view["outcome"] or {})
    match history.sheet.game.kind:
        case Kind.DEALS:
            return {"deals": [_deal(number) for number in range(1, _count() + 1)], "outcome": kept or None}
        case Kind.BOARD:
            seats = tuple(history.sheet.seats)
            result = request.form.get("result", "")
            said = board_outcome(result, seats, (0,) * len(seats)) if result else {}
            if "violations" in kept:
                said["violations"] = kept["violations"]
            return {"outcome": said}
        case Kind.MATCH:
            return {"outcome": _ends(history.sheet, kept)}
    return None


def form_values(history: History | None, case_withdrawn: Mapping[str, str]) -> dict[str, Any]:
    """What the fields of the sheet are filled with first: the score in force."""
    if history is None:
        return {}
    view = _in_force(history)
    outcome = view["outcome"] or {}
    values: dict[str, Any] = dict(case_withdrawn)
    for number, deal in enumerate(view["deals"], start=1):
        passed = deal.get("passed_out")
        values[f"deal-{number}-landlord"] = "passed_out" if passed else deal.get("landlord", "")
        for name in (*NUMBERS, "winner", *FLAGS):
            value = deal.get(name)
            values[f"deal-{number}-{name}"] = "" if value is None else ("1" if value is True else value or "")
    values["result"] = board_result(outcome, tuple(history.sheet.seats)) if history.sheet.seats else ""
    for entrant, level in (outcome.get("levels") or {}).items():
        values[f"level-{entrant}"] = level
    values["bank"] = outcome.get("bank") or ""
    return values


def level_names(view: SheetView) -> list[tuple[str, str]]:
    """The levels of a match, to choose from; of another game none."""
    if view.game.kind is not Kind.MATCH:
        return []
    return [(level_name(each), level_name(each)) for each in range(view.rules.match.start, ACE + 1)]


def _in_force(history: History) -> dict[str, Any]:
    found = next((each for each in history.revisions if each.number == history.in_force), None)
    newest = found or (history.revisions[-1] if history.revisions else None)
    if newest is None:
        return {"deals": (), "outcome": None}
    return {"deals": newest.deals, "outcome": newest.outcome}


def _count() -> int:
    count = request.form.get("deals", "0")
    return min(int(count), 200) if count.isdecimal() else 0


def _deal(number: int) -> dict[str, Any]:
    def said(name: str) -> str:
        return request.form.get(f"deal-{number}-{name}", "").strip()

    if said("landlord") == "passed_out":
        return dict(PASSED_OUT)
    deal: dict[str, Any] = {"landlord": said("landlord") or None, "winner": said("winner") or None}
    deal |= {name: int(said(name)) if said(name).isdecimal() else 0 for name in NUMBERS}
    return deal | {name: bool(said(name)) for name in FLAGS}


def _ends(view: SheetView, kept: dict[str, Any]) -> dict[str, Any]:
    levels = {
        entrant: request.form.get(f"level-{entrant}", "")
        for entrant in view.seats
        if request.form.get(f"level-{entrant}")
    }
    ends = {"levels": levels, "bank": request.form.get("bank") or None}
    return {key: value for key, value in kept.items() if key not in {"levels", "bank", "past_a"}} | ends

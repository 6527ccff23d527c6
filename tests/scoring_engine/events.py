"""Short forms of the golden files made into event files (made-up entrants e1, e2, …)."""

import json
import re
from pathlib import Path
from typing import Any

from scoring_engine.rules import ScoringRules

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> Any:
    """A golden data file."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


REGULATION = golden("regulation_a")
RULES = ScoringRules.from_mapping(REGULATION)


def deal(short: str, seats: list[str]) -> dict[str, Any]:
    """`0L3b1rs`: seat 0 is landlord and wins, bid 3, one bomb, a rocket, spring; `-` is passed out."""
    if short == "-":
        return {"passed_out": True}
    found = re.fullmatch(r"([012])([LD])(\d)(?:b(\d+))?(r?)(s?)(a?)", short)
    assert found, short
    seat, side, bid, bombs, rocket, spring, anti_spring = found.groups()
    return {
        "landlord": seats[int(seat)],
        "bid": int(bid),
        "winner": "landlord" if side == "L" else "defenders",
        "rockets": len(rocket),
        "bombs": int(bombs or 0),
        "spring": bool(spring),
        "anti_spring": bool(anti_spring),
    }


def table(number: int, short: dict[str, Any]) -> dict[str, Any]:
    """A table of `seats` with `deals` in short form, or `totals` in seat order; other keys as they are."""
    made = {key: value for key, value in short.items() if key not in ("deals", "totals")}
    made["number"] = number
    if "deals" in short:
        made["deals"] = [deal(one, short["seats"]) for one in short["deals"]]
    if "totals" in short:
        made["game_points"] = dict(zip(short["seats"], short["totals"], strict=True))
    return made


def stage(code: str, short: dict[str, Any]) -> dict[str, Any]:
    """A stage; every table of a play-off is a round of its own."""
    if "totals" in short:
        totals = golden("events")["prelims"][short["totals"]]
        shorts = [
            {"seats": [f"e{3 * index + seat}" for seat in (1, 2, 3)], "totals": three}
            for index, three in enumerate(totals)
        ]
    else:
        shorts = short["tables"]
    tables = [table(index + 1, one) for index, one in enumerate(shorts)]
    if code == "playoff":
        rounds = [{"number": index + 1, "tables": [one]} for index, one in enumerate(tables)]
    else:
        rounds = [{"number": 1, "tables": tables, "byes": short.get("byes", [])}]
    return {"code": code, "rounds": rounds}


def event(entrants: int, stages: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """An event file of regulation A with entrants e1…eN."""
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": RULES.id,
        "entrants": [{"id": f"e{number}", "name": f"选手{number}"} for number in range(1, entrants + 1)],
        "stages": stages or [],
        **more,
    }


def made(case: dict[str, Any]) -> dict[str, Any]:
    """The event file of a case of `events.json`."""
    stages = [stage(code, short) for code, short in case["stages"].items()]
    found = event(case["entrants"], stages, options=case.get("options", {}))
    return with_expelled(found, case)


def with_expelled(document: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """The event file with who was expelled, and after what, where a case says so."""
    for each in document["entrants"]:
        if each["id"] in case.get("expelled", {}):
            each["expelled_after"] = case["expelled"][each["id"]]
    return document


def penalised(case: dict[str, Any]) -> dict[str, Any]:
    """The event file of a case of `penalties.json`: e1 sits with e2 and e3 and gets the penalties."""
    adjustments = [
        {"id": f"p{index}", "entrant": "e1", "stage": "prelim", "round": 1, **short}
        for index, short in enumerate(case["adjustments"])
    ]
    tables = [{"seats": ["e1", "e2", "e3"], "deals": case["deals"]}]
    options = case.get("options", {})
    return event(9, [stage("prelim", {"tables": tables})], options=options, adjustments=adjustments)


def at(document: Any, path: str) -> Any:
    """`stages.0.advance` of a document."""
    for key in path.split("."):
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document

"""The published tournaments of `real/` as event files (sources in `real/README.md`)."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

REAL = Path(__file__).parent / "real"


def load(name: str) -> dict[str, Any]:
    (path,) = REAL.glob(f"{name}_*.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    return found


def scoring(real: dict[str, Any]) -> dict[str, Any]:
    given = real["scoring"]
    names = {"pab": "bye", "half": "half", "zero": "zero", "absent": "absent"}
    byes = {names[kind]: worth for kind, worth in given.get("bye", {}).items()}
    return {
        "win": given["win"],
        "draw": given["draw"],
        "loss": given["loss"],
        "forfeit_win": given.get("forfeit_win", given["win"]),
        "forfeit_loss": given.get("forfeit_loss", given["loss"]),
        "byes": {"bye": 1, "absent": 0, **byes},
        "whole_byes": real["check"] == "go_mcmahon",
    }


def table(number: int, played: dict[str, Any]) -> dict[str, Any]:
    order = ("a", "b") if played.get("first", "a") == "a" else ("b", "a")
    made: dict[str, Any] = {"number": number}
    made["first"], made["second"] = (f"e{played[side]}" for side in order)
    match played["result"]:
        case "a" | "b":
            made["winner"] = f"e{played[played['result']]}"
        case "draw":
            made["winner"] = None
        case forfeit:
            made["forfeits"] = [f"e{played[forfeit[0]]}"]
    if "handicap" in played:
        made["handicap"] = played["handicap"]
    return made


def document(real: dict[str, Any]) -> dict[str, Any]:
    names = {"pab": "bye", "half": "half", "zero": "zero", "absent": "absent"}
    starts = {each["player"]: each.get("mm0", 0) for each in real.get("players", [])}
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": "inline",
        "entrants": [
            {"id": f"e{each['player']}", "start": starts.get(each["player"], 0)} for each in real["published"]
        ],
        "stages": [
            {
                "code": "swiss",
                "rounds": [
                    {
                        "number": number,
                        "tables": [table(index, each) for index, each in enumerate(played, start=1)],
                        "byes": [
                            {"entrant": f"e{each['player']}", "kind": names[each["type"]]}
                            for each in real["byes"].get(str(number), [])
                        ],
                    }
                    for number, played in enumerate(real["rounds"], start=1)
                ],
            }
        ],
    }

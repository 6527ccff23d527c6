"""Board regulations and event files in short form (made-up entrants e1, e2, …)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring_engine.rules import ScoringRules

GO = ("match_points", "opponent_score", "violations", "head_to_head", "progressive_cut")
XIANGQI = (
    "match_points",
    "opponent_score",
    "wins",
    "violations",
    "games_moving_second",
    "wins_moving_second",
    "previous_round_rank",
    "lots",
)
CHAINS = {"go": GO, "xiangqi": XIANGQI}
SCORING = {
    "win": 2,
    "draw": 1,
    "loss": 0,
    "forfeit_win": 2,
    "forfeit_loss": 0,
    "byes": {"bye": 2, "absent": 0},
    "clause": "附件2二",
}


def regulation(
    chain: Sequence[str],
    options: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    rounds: int = 5,
    game: str = "go",
    scoring: Mapping[str, Any] | None = None,
    group: list[int] | None = None,
) -> dict[str, Any]:
    """An inline regulation: the chain, and the options of its criteria by code."""
    stage: dict[str, Any] = {"code": "swiss", "kind": "swiss", "rounds": rounds, "clause": "附件2一3"}
    if group is not None:
        stage["group"] = group
    return {
        "id": "inline",
        "game": game,
        "scoring": {**SCORING, **(scoring or {})},
        "ranking": [
            {"criterion": code, "options": dict((options or {}).get(code, {})), "clause": "附件2二"}
            for code in chain
        ],
        "stages": [stage],
        "penalties": [
            {
                "id": "violation",
                "effect": "violation",
                "name": {"zh": "违例", "en": "Violation"},
                "clause": "附件2二",
            }
        ],
        "prizes": [{"prize": "certificate", "label": "证书", "ranks": [1, 6], "clause": "总规程六1"}],
        "interpretations": [],
    }


def rules(
    chain: Sequence[str], options: Mapping[str, Mapping[str, Any]] | None = None, **more: Any
) -> ScoringRules:
    """The rules of an inline regulation."""
    return ScoringRules.from_mapping(regulation(chain, options, **more))


def game(number: int, short: str) -> dict[str, Any]:
    """`1+5`: e1 moves first and wins; `-` he loses, `=` a draw, `?` no result yet, `F` e1 forfeits, `f` e5, `X` both."""
    found = re.fullmatch(r"(\d+)([-+=?FfX])(\d+)", short)
    assert found, short
    first, second = f"e{found[1]}", f"e{found[3]}"
    made: dict[str, Any] = {"number": number, "first": first, "second": second}
    match found[2]:
        case "+" | "-":
            made["winner"] = first if found[2] == "+" else second
        case "=":
            made["winner"] = None
        case "F" | "f" | "X":
            made["forfeits"] = {"F": [first], "f": [second], "X": [first, second]}[found[2]]
    return made


def event(
    entrants: int | Sequence[Mapping[str, Any]],
    rounds: Sequence[str],
    byes: Mapping[int, Sequence[Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """An event file; each round is `1+5 2-6 …`, `byes` by the number of the round."""
    listed = (
        [{"id": f"e{number}"} for number in range(1, entrants + 1)]
        if isinstance(entrants, int)
        else list(entrants)
    )
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": "inline",
        "entrants": listed,
        "stages": [
            {
                "code": "swiss",
                "rounds": [
                    {
                        "number": number,
                        "tables": [game(index, short) for index, short in enumerate(each.split(), start=1)],
                        "byes": list((byes or {}).get(number, ())),
                    }
                    for number, each in enumerate(rounds, start=1)
                ],
            }
        ],
        **more,
    }


def violation(entrant: str, number: int, count: int = 1, name: str = "v") -> dict[str, Any]:
    """An adjustment that names a violation."""
    return {
        "id": name,
        "rule": "violation",
        "entrant": entrant,
        "stage": "swiss",
        "round": number,
        "count": count,
    }


def made(case: Mapping[str, Any]) -> tuple[dict[str, Any], ScoringRules]:
    """The event file of a case of `board.json`, and its rules."""
    chain = CHAINS[case["chain"]] if isinstance(case["chain"], str) else case["chain"]
    more: dict[str, Any] = {
        "adjustments": [
            violation(entrant, number, count, f"v{index}")
            for index, (entrant, number, count) in enumerate(case.get("violations", []))
        ]
    }
    if "lots" in case:
        more["lots"] = {"seed": case["lots"]}
    byes = {int(number): each for number, each in case.get("byes", {}).items()}
    document = event(case["entrants"], case["rounds"], byes, **more)
    return document, rules(chain, case.get("options"), rounds=len(case["rounds"]))


def value(placing: Mapping[str, Any], code: str) -> Any:
    """The value of one criterion of a placing."""
    return next(each["value"] for each in placing["values"] if each["criterion"] == code)

"""Event files of 升级 in short form, and the shipped regulations they are played under (made-up entrants e1, e2, …)."""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from scoring_engine.rules import ScoringRules
from tests.scoring_engine.events import with_expelled

LIBRARY = Path(__file__).parents[2] / "app" / "regulations" / "library"
FILES = {
    "siming-eighty-2023": LIBRARY / "2023" / "siming-eighty.toml",
    "baiyun-tractor-2016": LIBRARY / "2016" / "baiyun-tractor.toml",
}
EIGHTY, TRACTOR = "siming-eighty-2023", "baiyun-tractor-2016"


@cache
def rules(regulation: str) -> ScoringRules:
    """The rules of a shipped regulation, from its file alone."""
    return ScoringRules.from_mapping(tomllib.loads(FILES[regulation].read_text(encoding="utf-8")))


def table(number: int, short: str) -> dict[str, Any]:
    """`1>2`: e1 beats e2 (9 to 7, `1>2:K-3` at other levels); `1=2` equal levels, e1 in the bank; `1?2` still to play;
    `1f2` e2 forfeits, `1x2` both do."""
    found = re.fullmatch(r"(\d+)([>=?fx])(\d+)(?::(\w+)-(\w+))?", short)
    assert found, short
    one, other = f"e{found[1]}", f"e{found[3]}"
    made: dict[str, Any] = {"number": number, "sides": [one, other]}
    match found[2]:
        case ">":
            made |= {"levels": {one: found[4] or "9", other: found[5] or "7"}, "bank": one}
        case "=":
            made |= {"levels": {one: found[4] or "8", other: found[4] or "8"}, "bank": one}
        case "f":
            made["forfeits"] = [other]
        case "x":
            made["forfeits"] = [one, other]
    return made


def event(
    regulation: str,
    entrants: int,
    rounds: Sequence[str | Sequence[Mapping[str, Any]]],
    byes: Mapping[str, Sequence[int]] | None = None,
    *,
    stage: str = "knockout",
    **more: Any,
) -> dict[str, Any]:
    """An event file; each round is `1>2 3>4 …` or a list of tables, `byes` by the number of the round."""
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": regulation,
        "entrants": [{"id": f"e{number}"} for number in range(1, entrants + 1)],
        "stages": [
            {
                "code": stage,
                "rounds": [
                    {
                        "number": number,
                        "tables": _tables(each),
                        "byes": [f"e{bye}" for bye in (byes or {}).get(str(number), ())],
                    }
                    for number, each in enumerate(rounds, start=1)
                ],
            }
        ],
        **more,
    }


def _tables(part: str | Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    shorts = part.split() if isinstance(part, str) else part
    return [
        table(index, each) if isinstance(each, str) else {"number": index, **each}
        for index, each in enumerate(shorts, start=1)
    ]


def made(case: Mapping[str, Any], regulation: str, stage: str) -> dict[str, Any]:
    """The event file of a golden case."""
    more = {key: case[key] for key in ("options", "lots", "published", "draws") if key in case}
    adjustments = [
        {"id": f"p{index}", "stage": stage, **short}
        for index, short in enumerate(case.get("adjustments", ()), start=1)
    ]
    document = event(
        regulation,
        case["entrants"],
        case["rounds"],
        case.get("byes"),
        stage=stage,
        adjustments=adjustments,
        **more,
    )
    return with_expelled(document, case)


def played_bracket(entrants: int, chance: random.Random, rounds: int = 3) -> dict[str, Any]:
    """A whole bracket: everybody drawn anew in each round, an odd one out has the bye, winners by chance."""
    field = list(range(1, entrants + 1))
    shorts, byes = [], {}
    for number in range(1, rounds + 1):
        chance.shuffle(field)
        if len(field) % 2:
            byes[str(number)] = [field[-1]]
        pairs = [(field[index], field[index + 1]) for index in range(0, len(field) - 1, 2)]
        pairs = [(one, other) if chance.random() < 0.5 else (other, one) for one, other in pairs]
        shorts.append(" ".join(f"{one}{chance.choice('>=f')}{other}" for one, other in pairs))
        field = [one for one, _ in pairs] + byes.get(str(number), [])
        if len(field) == 1 and number < rounds:
            break
    return event(EIGHTY, entrants, shorts, byes)

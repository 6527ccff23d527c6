"""Swiss events of the four shipped regulations: in short form for golden draws, and paired and played by chance."""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from app.regulations import library
from scoring_engine import event_file
from scoring_engine.rules import ScoringRules
from tests.scoring_engine import board_events, landlord_round_events, match_events

GO, XIANGQI, LANDLORD, TRACTOR = (
    "dongcheng-go-2021",
    "dongcheng-xiangqi-2021",
    "dongcheng-landlord-2021",
    "baiyun-tractor-2016",
)
REGULATIONS = (GO, XIANGQI, LANDLORD, TRACTOR)


@cache
def rules(regulation: str) -> ScoringRules:
    """The rules of a shipped regulation."""
    return library.load(regulation).scoring_rules()


def entrant(short: str) -> dict[str, Any]:
    """`e1 u1 7`: id, unit (`-` for none) and starting number; the last two may be missing."""
    name, unit, number, *_ = [*short.split(), "-", "-"]
    found: dict[str, Any] = {"id": name}
    if unit != "-":
        found["unit"] = unit
    return found if number == "-" else {**found, "number": int(number)}


def board_tables(short: str) -> list[dict[str, Any]]:
    """`1+5 2-6`, as `board_events.game` reads it."""
    return [board_events.game(index, each) for index, each in enumerate(short.split(), start=1)]


def match_tables(short: str) -> list[dict[str, Any]]:
    """`1>2 3=4`, as `match_events.table` reads it."""
    return [match_events.table(index, each) for index, each in enumerate(short.split(), start=1)]


def landlord_tables(short: str) -> list[dict[str, Any]]:
    """`e1+20 e3-4 e5-16 | …`, as `landlord_round_events.table` reads it."""
    return [landlord_round_events.table(index, each) for index, each in enumerate(short.split("|"), start=1)]


TABLES = {GO: board_tables, XIANGQI: board_tables, LANDLORD: landlord_tables, TRACTOR: match_tables}


def made(case: Mapping[str, Any]) -> dict[str, Any]:
    """The event file of a golden case: played rounds, and what is known of the next one."""
    regulation, byes = case["regulation"], case.get("byes", {})
    rounds = [
        {"number": number, "tables": TABLES[regulation](short), "byes": byes.get(str(number), [])}
        for number, short in enumerate(case.get("rounds", ()), start=1)
    ]
    if "next" in case:
        rounds.append({"number": len(rounds) + 1, **case["next"]})
    people = case.get("people", {})
    listed = [entrant(each) for each in case["entrants"]]
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": regulation,
        "options": case.get("options", {}),
        "entrants": [{**each, **people.get(each["id"], {})} for each in listed],
        "stages": [{"code": "swiss", "rounds": rounds}],
    }


def start(
    regulation: str, size: int, chance: random.Random, *, units: int = 6, **options: Any
) -> dict[str, Any]:
    """An event before its first round: some entrants late, some without a unit."""
    entrants: list[dict[str, Any]] = []
    for number in range(1, size + 1):
        one: dict[str, Any] = {"id": f"e{number}", "number": number}
        if chance.random() < 0.8:
            one["unit"] = f"u{chance.randrange(units)}"
        if chance.random() < 0.06:
            one["enters_in"] = 2
        entrants.append(one)
    chance.shuffle(entrants)
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": regulation,
        "options": options,
        "entrants": entrants,
        "stages": [{"code": "swiss", "rounds": []}],
        "draws": [],
    }


def _board(seats: list[str], chance: random.Random) -> dict[str, Any]:
    played: dict[str, Any] = {"first": seats[0], "second": seats[1]}
    if chance.random() < 0.1:
        return {**played, "forfeits": [chance.choice(seats)]}
    return {**played, "winner": chance.choice([*seats, None])}


def _threes(seats: list[str], chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.1:
        return {"seats": seats, "forfeits": [chance.choice(seats)]}
    one, other = chance.randrange(-20, 21), chance.randrange(-20, 21)
    return {"seats": seats, "game_points": dict(zip(seats, (one, other, -one - other), strict=True))}


def _match(seats: list[str], chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.1:
        return {"sides": seats, "forfeits": [chance.choice(seats)]}
    winner = chance.choice(seats)
    sides = chance.sample(seats, 2)  # which side is written first says nothing
    return {"sides": sides, "levels": {one: "9" if one == winner else "7" for one in seats}, "bank": winner}


PLAY = {GO: _board, XIANGQI: _board, LANDLORD: _threes, TRACTOR: _match}


def drawn_round(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tables of an answer of `pair`; where the committee has to rule, it takes the least bad draw."""
    return answer if answer["needs_ruling"] is None else answer["report"]["least_bad"]


def add_round(document: dict[str, Any], seed: bytes, chance: random.Random) -> Mapping[str, Any]:
    """The next round drawn by the engine, played by chance and published; the answer of the draw."""
    regulation = document["regulation"]
    answer = event_file.pair(document, rules(regulation), seed)
    drawn = drawn_round(answer)
    rounds = document["stages"][0]["rounds"]
    announced = rounds.pop() if rounds and "tables" not in rounds[-1] else {}
    tables = [
        {"number": each["number"], **PLAY[regulation](each["entrants"], chance)} for each in drawn["tables"]
    ]
    chance.shuffle(tables)
    rounds.append({**announced, "number": answer["round"], "tables": tables, "byes": drawn["byes"]})
    paired = [one for each in drawn["tables"] for one in each["entrants"]] + drawn["byes"]
    document["draws"].append(
        {
            "stage": answer["stage"],
            "round": answer["round"],
            "entrants": chance.sample(paired, len(paired)),
            **{key: drawn[key] for key in ("seed", "tables", "byes", "proof")},
        }
    )
    return answer


def played_out(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The event to its end, with absences, withdrawals and reinstatements on the way."""
    regulation = document["regulation"]
    for number in range(1, rules(regulation).with_options(document["options"]).stages[0].rounds + 1):
        there = [
            one
            for one in document["entrants"]
            if "withdrawn_after" not in one and one.get("enters_in", 1) < number
        ]
        if number > 1 and len(there) > 6 and chance.random() < 0.3:
            chance.choice(there)["withdrawn_after"] = number - 1
        if number > 1 and chance.random() < 0.4:
            absent, back = (one["id"] for one in chance.sample(document["entrants"], 2))
            document["stages"][0]["rounds"].append(
                {"number": number, "absent": [absent], "reinstated": [back]}
            )
        add_round(document, chance.randbytes(16), chance)
    return document

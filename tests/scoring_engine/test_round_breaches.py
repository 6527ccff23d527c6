"""What a round breaks of its rules of pairing: the same whether it is still changed by hand or was played already."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.regulations import library
from scoring_engine import event_file
from scoring_engine.event_file import Breach
from scoring_engine.pairing.repairs import Placed
from scoring_engine.values import EntrantId
from tests.scoring_engine.swiss_events import LANDLORD, REGULATIONS, XIANGQI, made, played_out, rules, start

NOWHERE = Placed((), ())


def placed(tables: str, byes: str = "") -> Placed:
    """``"e1 e2 | e3 e4"`` as a round."""
    seats = tuple(tuple(map(EntrantId, table.split())) for table in tables.split("|"))
    return Placed(seats, tuple(map(EntrantId, byes.split())))


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6), regulation=st.sampled_from(REGULATIONS))
def test_a_round_about_to_be_played_is_told_what_it_is_told_once_it_is_played(
    seed: int, regulation: str
) -> None:
    """Rounds seated anyhow, so that many rules break: what a repair warns of is what ``notes`` finds afterwards."""
    chance = random.Random(seed)
    document = played_out(start(regulation, chance.randrange(7, 16), chance), chance)
    for part in document["stages"][0]["rounds"]:
        people = [
            seat
            for table in event_file.read(document, rules(regulation))
            .stages[0]
            .rounds[part["number"] - 1]
            .tables
            for seat in table.seats
        ]
        others = people.copy()
        chance.shuffle(others)
        moved = dict(zip(people, others, strict=True))
        for table in part["tables"]:
            text = copy.deepcopy(table)
            table.clear()
            table.update(_renamed(text, moved))
    own, announced = rules(regulation), document["stages"][0]["rounds"]
    notes = [each for each in event_file.notes(document, own) if each.more["rule"] != "repaired"]
    for index, part in enumerate(event_file.read(document, own).stages[0].rounds):
        before = copy.deepcopy(document)
        del before["stages"][0]["rounds"][index:]
        before["draws"] = []
        if upcoming := {
            key: announced[index][key] for key in ("absent", "reinstated") if key in announced[index]
        }:
            before["stages"][0]["rounds"].append({"number": index + 1, **upcoming})
        before["adjustments"] = [each for each in before.get("adjustments", []) if each["round"] <= index]
        now = Placed(tuple(table.seats for table in part.seated_tables), part.byes)
        found = event_file.round_breaches(before, own, index + 1, now, now)
        noted = [each for each in notes if each.path.startswith(f"$.stages[0].rounds[{index}].")]
        assert [(each.rule, list(each.entrants), each.text) for each in found] == [
            (each.more["rule"], each.more["entrants"], each.text) for each in noted
        ]


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


TWO = {
    "regulation": XIANGQI,
    "entrants": ["e1 u1", "e2 u1", "e3", "e4", "e5"],
    "rounds": ["1+3 2+4", "1+4 3+5"],
    "byes": {"1": ["e5"], "2": ["e2"]},
}
THREE = {
    "regulation": LANDLORD,
    "entrants": [f"e{number} u{number}" for number in range(1, 7)],
    "rounds": ["e1+9 e2+1 e3-10 | e4+9 e5+1 e6-10", "e1+9 e5+1 e3-10 | e4+9 e2+1 e6-10"],
}


def told(found: list[Breach]) -> list[tuple[str, int | None, str]]:
    return [(each.rule, each.table, " ".join(each.entrants)) for each in found]


@pytest.mark.parametrize(
    ("case", "number", "now", "drawn", "expected"),
    [
        # rules: whatever breaks them, drawn or not
        (TWO, 3, placed("e1 e2 | e4 e3", "e5"), None, [("same_unit", 0, "e1 e2"), ("same_side", 0, "e1"), ("second_bye", None, "e5")]),
        (TWO, 3, placed("e3 e1 | e4 e5", "e2"), None, [("rematch", 0, "e3 e1"), ("second_bye", None, "e2")]),
        (TWO, 2, placed("e4 e1 | e3 e2", "e5"), None, [("second_bye", None, "e5")]),
        # aims: only of tables that were not drawn; with the byes e1 and e2 have 4, e3 and e5 2, e4 0
        (TWO, 3, placed("e4 e1 | e5 e2", "e3"), NOWHERE, [("rematch", 0, "e4 e1"), ("float", 0, "e1 e4"), ("float", 1, "e2 e5")]),
        (TWO, 3, placed("e5 e1 | e2 e3", "e4"), placed("e5 e1 | e4 e3", "e2"), [("float", 1, "e2 e3"), ("balance", 1, "e2")]),
        (
            THREE,
            3,
            placed("e1 e4 e2 | e3 e5 e6"),
            placed("e1 e4 e6 | e3 e5 e6"),
            [("rematch", 0, "e1 e2"), ("rematch", 0, "e4 e2"), ("rematch", 1, "e3 e5"), ("rematch", 1, "e5 e6"),
             ("spread", 0, "e1 e4 e2"), ("seats", 0, "e1")],
        ),
    ],
)  # fmt: skip
def test_rules_and_aims_a_changed_round_breaks(
    case: dict[str, Any], number: int, now: Placed, drawn: Placed | None, expected: list[Any]
) -> None:
    found = event_file.round_breaches(made(case), rules(case["regulation"]), number, now, drawn or now)
    assert told(found) == expected


@pytest.mark.parametrize(("reading", "kept"), [("soft", False), ("last", False), ("hard", True)])
def test_a_rematch_at_three_breaks_a_rule_only_where_points_give_way_to_it(reading: str, kept: bool) -> None:
    """I-B-18: the engine's own draws have rematches where equal points come first, so that no rule of theirs is broken."""
    now = placed("e1 e4 e2 | e3 e5 e6")
    case = {**THREE, "options": {"rematch": reading}}
    found = event_file.round_breaches(made(case), rules(LANDLORD), 3, now, now)
    assert {each.kept for each in found if each.rule == "rematch"} == {kept}


def test_a_knock_out_has_no_rules_of_pairing() -> None:
    document = {
        "format": "saishi-event",
        "version": 1,
        "regulation": "beach-games-landlord-2021",
        "entrants": [],
    }
    own = library.load("beach-games-landlord-2021").scoring_rules()
    assert event_file.round_breaches(document, own, 1, placed("e1 e2 e3"), NOWHERE) == []

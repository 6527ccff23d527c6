"""The draws of 八十分 (D 五3) from the event file: paired round by round, replayed, and refused where it is too early."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from scoring_engine.pairing.commitments import commitment_of
from tests.scoring_engine.match_events import EIGHTY, event, rules

RULES = rules(EIGHTY)
SEED = bytes(range(16))


def add_round(document: dict[str, Any], seed: bytes, chance: random.Random) -> dict[str, Any]:
    """The next round drawn by the engine and played by chance; the answer of the draw."""
    drawn = event_file.pair(document, RULES, seed)
    tables = []
    for each in drawn["tables"]:
        sides = list(each["entrants"])
        if chance.random() < 0.5:
            sides.reverse()  # which side is written first at a table says nothing
        winner = chance.choice(sides)
        levels = {side: "9" if side == winner else "7" for side in sides}
        tables.append({"number": each["number"], "sides": sides, "levels": levels, "bank": winner})
    chance.shuffle(tables)
    entrants = [side for each in drawn["tables"] for side in each["entrants"]] + drawn["byes"]
    document["stages"][0]["rounds"].append(
        {"number": drawn["round"], "tables": tables, "byes": drawn["byes"]}
    )
    document["draws"].append(
        {
            "entrants": chance.sample(entrants, len(entrants)),
            **{key: drawn[key] for key in ("stage", "round", "seed", "tables", "byes", "proof")},
        }
    )
    return drawn


def whole(entrants: int, chance: random.Random, **options: str) -> dict[str, Any]:
    """An event drawn and played to its end."""
    document = event(EIGHTY, entrants, [], options=options, draws=[])
    while not event_file.pair(document, RULES, SEED)["report"]["complete"]:
        add_round(document, chance.randbytes(16), chance)
    return document


@settings(deadline=None, max_examples=60)
@given(
    entrants=st.integers(2, 40),
    seed=st.integers(0, 10**6),
    later=st.sampled_from(["table_order", "drawn"]),
    reading=st.sampled_from(["spread", "any"]),
)
def test_any_field_is_drawn_to_the_end_and_verifies(
    entrants: int, seed: int, later: str, reading: str
) -> None:
    document = whole(entrants, random.Random(seed), later_rounds=later, bye_reading=reading)
    left, sizes = entrants, []
    while left > 1 and len(sizes) < 3:
        sizes.append(divmod(left, 2))
        left = (left + 1) // 2
    rounds = document["stages"][0]["rounds"]
    assert [(len(part["tables"]), len(part["byes"])) for part in rounds] == sizes
    byes = [bye for part in rounds for bye in part["byes"]]
    # a field of three or more cannot have had a bye each after two rounds at most
    assert reading == "any" or len(set(byes)) == len(byes)
    assert event_file.verify(document, RULES) == []
    over = event_file.pair(document, RULES, SEED)
    assert (over["tables"], over["seed"]) == ([], None)


def test_by_table_order_the_winner_of_table_one_meets_that_of_table_two() -> None:
    document = event(EIGHTY, 8, ["1>2 3>4 5f6 8>7"])
    drawn = event_file.pair(document, RULES, SEED)
    assert [each["entrants"] for each in drawn["tables"]] == [["e1", "e3"], ["e5", "e8"]]
    assert (drawn["stage"], drawn["round"], drawn["byes"]) == ("knockout", 2, [])
    assert drawn["report"]["method"] == "table_order"
    again = event_file.pair({**document, "options": {"later_rounds": "drawn"}}, RULES, SEED)
    assert again["report"]["method"] == "drawn"


def test_who_had_the_bye_stands_last_and_has_no_second_one() -> None:
    document = event(EIGHTY, 5, ["1>2 3>4"], {"1": [5]})
    seen = {tuple(event_file.pair(document, RULES, bytes([seed]))["byes"]) for seed in range(30)}
    assert seen == {("e1",), ("e3",)}
    free = {**document, "options": {"bye_reading": "any"}}
    assert {tuple(event_file.pair(free, RULES, bytes([seed]))["byes"]) for seed in range(40)} == {
        ("e1",),
        ("e3",),
        ("e5",),
    }


def test_the_first_round_is_drawn_from_the_seed_alone() -> None:
    one = event_file.pair(event(EIGHTY, 9, []), RULES, SEED)
    assert (one["round"], len(one["tables"]), len(one["byes"])) == (1, 4, 1)
    assert one["seed"] == SEED.hex()
    assert event_file.pair(event(EIGHTY, 9, []), RULES, SEED) == one
    assert event_file.pair(event(EIGHTY, 9, []), RULES)["report"]["seed_source"] == "derived"


def test_a_table_still_playing_stops_the_next_round_at_its_path() -> None:
    with pytest.raises(EventFileError) as refused:
        event_file.pair(event(EIGHTY, 4, ["1>2 3?4"]), RULES, SEED)
    assert refused.value.path == "$.stages[0].rounds[0].tables[1]"
    with pytest.raises(EventFileError, match="既没有座位也没有轮空"):
        event_file.pair(event(EIGHTY, 4, ["1>2"]), RULES, SEED)


def test_a_match_without_a_winner_waits_for_the_ruling_and_its_answer_replays() -> None:
    document = event(EIGHTY, 4, ["1>2 3x4"])
    asked = event_file.pair(document, RULES, SEED)
    assert asked["tables"] == []
    assert asked["needs_ruling"]["clause"]
    ruled = event(EIGHTY, 4, ["1>2 3x4", "1>4"])
    draw = {"stage": "knockout", "round": 2, "seed": "01", "entrants": ["e4", "e1"], "tables": [["e1", "e4"]]}
    assert event_file.verify({**ruled, "draws": [draw]}, RULES) == []


def drawn_twice() -> dict[str, Any]:
    document = event(EIGHTY, 9, [], draws=[])
    chance = random.Random(5)
    add_round(document, b"\x01\x02", chance)
    add_round(document, b"\x03\x04", chance)
    return document


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (["draws", 0, "seed"], "0002", "$.draws[0].tables"),
        (["draws", 0, "entrants"], ["e1", "e2"], "$.draws[0].entrants"),
        (["draws", 0, "byes"], [], "$.draws[0].byes"),
        (["draws", 0, "proof"], "00", "$.draws[0].proof"),
        (["draws", 1, "round"], 4, "$.draws[1].round"),
        (["draws", 1, "tables"], [["e1", "e2"]], "$.draws[1].tables"),
        (["draws", 1, "commitment"], commitment_of(b"\x09"), "$.draws[1].commitment"),
    ],
)
def test_a_draw_that_does_not_replay_is_a_difference(path: list[Any], value: Any, expected: str) -> None:
    document = drawn_twice()
    assert event_file.verify(document, RULES) == []
    inside: Any = document
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    if path[-1] == "commitment":
        inside["committed_at"] = "2023-10-29T08:00:00+08:00"
    assert expected in [each.path for each in event_file.verify(document, RULES)]


def test_other_tables_than_were_drawn_are_a_difference() -> None:
    document = drawn_twice()
    tables = document["stages"][0]["rounds"][0]["tables"]
    swapped = copy.deepcopy(document)
    first, second = swapped["stages"][0]["rounds"][0]["tables"][:2]
    first["number"], second["number"] = second["number"], first["number"]
    paths = [each.path for each in event_file.verify(swapped, RULES)]
    assert "$.stages[0].rounds[0].tables" in paths
    assert len(tables) == 4
    assert event_file.verify_draw(document, RULES, "knockout", 1) == []


def test_a_round_changed_by_hand_verifies_with_who_changed_it_and_why() -> None:
    document = event(EIGHTY, 5, [], draws=[])
    drawn = event_file.pair(document, RULES, SEED)
    tables = [each["entrants"] for each in drawn["tables"]]
    moved, rested = tables[0][0], drawn["byes"][0]
    played = [[rested, tables[0][1]], tables[1]]
    part = [
        {
            "number": number,
            "sides": sides,
            "levels": dict(zip(sides, ("9", "7"), strict=True)),
            "bank": sides[0],
        }
        for number, sides in enumerate(played, start=1)
    ]
    document["stages"][0]["rounds"].append({"number": 1, "tables": part, "byes": [moved]})
    draw = {key: drawn[key] for key in ("stage", "round", "seed", "tables", "byes", "proof")}
    draw["entrants"] = [one["id"] for one in document["entrants"]]
    document["draws"] = [draw]
    assert "$.stages[0].rounds[0].tables" in [each.path for each in event_file.verify(document, RULES)]
    change = {"by": "裁判长", "reason": "迟到", "change": {"bye": moved, "instead_of": rested}}
    document["draws"] = [{**draw, "repairs": [change], "repaired": {"tables": played, "byes": [moved]}}]
    assert event_file.verify(document, RULES) == []
    (note,) = [each.to_json() for each in event_file.notes(document, RULES)]
    assert note["repairs"] == [{"by": "裁判长", "at": None, "reason": "迟到", "change": "bye"}]


def test_every_table_says_from_where_its_two_sides_came_and_the_bye_how_it_was_drawn() -> None:
    first = event_file.pair(event(EIGHTY, 5, []), RULES, SEED)
    assert [[said["about"] for said in each["said"]] for each in first["report"]["reasons"]] == [
        ["meeting", "number"]
    ] * 2
    one, other = first["tables"][1]["entrants"]
    assert f"{one}抽在第3位，{other}抽在第4位" in first["report"]["reasons"][1]["why"]
    assert "最后抽到的" in first["report"]["bye_reasons"][0]["why"]
    second = event_file.pair(event(EIGHTY, 5, ["1>2 3>4"], {"1": [5]}), RULES, bytes([1]))
    report = second["report"]
    met = {"e1": "在上一轮第1桌胜出", "e3": "在上一轮第2桌胜出", "e5": "上一轮轮空"}
    assert all(
        f"{side}{met[side]}" in report["reasons"][0]["why"] for side in second["tables"][0]["entrants"]
    )
    assert "e5 had the bye before" in report["reasons"][0]["why_en"]
    assert "从轮空最少的各对中抽出" in report["bye_reasons"][0]["why"]

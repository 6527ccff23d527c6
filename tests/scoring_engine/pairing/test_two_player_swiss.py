"""Two-player Swiss: each rule by a case of its own, draws that are exactly these, and what holds of any input."""

from __future__ import annotations

import dataclasses
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine.pairing.seeds import SeedError
from scoring_engine.pairing.two_player_swiss import (
    Drift,
    FirstRound,
    Order,
    Proof,
    Side,
    SwissDraw,
    SwissOptions,
    SwissPlayer,
    UnitRule,
    draw_round,
)
from scoring_engine.values import EntrantId, UnitId
from tests.scoring_engine.events import golden
from tests.scoring_engine.pairing.two_player_tournaments import tournament

GOLDEN = golden("two_player_swiss")
WORDS = {"unit": UnitRule, "first_round": FirstRound, "later_rounds": Order}


def player(short: dict[str, Any]) -> SwissPlayer:
    points = Fraction(short.get("points", 0))
    return SwissPlayer(
        id=EntrantId(short["id"]),
        unit=UnitId(short["unit"]) if "unit" in short else None,
        points=points.numerator if points.denominator == 1 else points,
        number=short.get("number"),
        opponents=tuple(map(EntrantId, short.get("opponents", ()))),
        sides=tuple(map(Side, short.get("sides", ()))),
        byes=short.get("byes", 0),
        forfeit_wins=short.get("forfeit_wins", 0),
        floats=tuple(word and Drift(word) for word in short.get("floats", ())),
        available=short.get("available", True),
    )


def drawn(case: dict[str, Any], players: list[SwissPlayer] | None = None) -> SwissDraw:
    options = {key: WORDS[key](word) if key in WORDS else word for key, word in case["options"].items()}
    people = [player(each) for each in case["players"]] if players is None else players
    return draw_round(people, SwissOptions(**options), case["round"], bytes.fromhex(case["seed"]))


def holds(draw: SwissDraw, key: str, wanted: Any) -> bool:
    """One thing a golden case says of its draw."""
    pairs = [sorted(table) for table in draw.tables]
    report = draw.report
    match key:
        case "tables":
            return [list(table) for table in draw.tables] == wanted
        case "pairs":
            return sorted(pairs) == sorted(wanted)
        case "pairs_by_table":
            return pairs == wanted
        case "pairs_within":
            return all(any(set(pair) <= set(group) for group in wanted) for pair in pairs)
        case "not_pairs":
            return not any(pair in wanted for pair in pairs)
        case "first":
            return sorted(table[0] for table in draw.tables) == sorted(wanted)
        case "bye":
            return draw.bye is not None and draw.bye.entrant == wanted
        case "bye_of":
            return draw.bye is not None and draw.bye.entrant in wanted
        case "absent":
            return list(draw.absent) == wanted
        case "broken":
            return [[each.rule, *sorted(each.entrants)] for each in draw.broken] == wanted
        case "broken_rules":
            return [each.rule for each in draw.broken] == wanted
        case "rulings":
            return len(draw.needs_ruling) == wanted
        case "difference":
            return report.total_difference == Fraction(wanted)
        case "squares":
            return report.squares == Fraction(wanted)
        case "side_reasons":
            return [pairing.side_reason for pairing in draw.pairings] == wanted
    return bool(getattr(report, key) == wanted)


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_a_rule_is_followed(case: dict[str, Any]) -> None:
    for seed in (case["seed"], "00", "ff01", "5a5a5a") if case.get("any_seed") else (case["seed"],):
        draw = drawn({**case, "seed": seed})
        for key, wanted in case["expect"].items():
            assert holds(draw, key, wanted), (key, wanted, draw.tables, draw.bye, draw.broken, draw.report)


@pytest.mark.parametrize("case", GOLDEN["pinned"], ids=lambda case: case["name"])
def test_a_seed_gives_exactly_this_draw(case: dict[str, Any]) -> None:
    draw = drawn(case)
    assert [list(table) for table in draw.tables] == case["tables"]
    assert (draw.bye and draw.bye.entrant) == case["bye"]
    shuffled = [player(each) for each in case["players"]]
    random.Random(1).shuffle(shuffled)
    assert drawn(case, shuffled) == draw


IDS = st.lists(st.text("abcd0", min_size=1, max_size=3), unique=True, max_size=14)


@st.composite
def fields(draw: st.DrawFn) -> list[SwissPlayer]:
    """Any people at all, also with histories no tournament has."""
    ids = draw(IDS)
    numbers = draw(st.permutations(range(1, len(ids) + 1)))
    people = []
    for entrant, number in zip(ids, numbers, strict=True):
        others = [other for other in ids if other != entrant]
        met = draw(st.sets(st.sampled_from(others), max_size=4)) if others else set()
        people.append(
            SwissPlayer(
                EntrantId(entrant),
                draw(st.sampled_from([None, UnitId("u"), UnitId("v"), UnitId("w")])),
                draw(st.sampled_from([0, 1, 2, 4, -3, Fraction(1, 2), Fraction(10, 3)])),
                draw(st.sampled_from([None, number])),
                tuple(map(EntrantId, sorted(met))),
                tuple(draw(st.lists(st.sampled_from(Side), max_size=4))),
                draw(st.integers(0, 2)),
                draw(st.integers(0, 1)),
                tuple(draw(st.lists(st.sampled_from([None, *Drift]), max_size=4))),
                draw(st.sampled_from([True, True, True, False])),
            )
        )
    return people


OPTIONS = st.builds(
    SwissOptions,
    unit=st.sampled_from(UnitRule),
    unit_rounds=st.sampled_from([None, 1, 2]),
    sides=st.booleans(),
    forfeit_win_is_bye=st.booleans(),
    first_round=st.sampled_from(FirstRound),
    later_rounds=st.sampled_from(Order),
    upper_half=st.sampled_from([None, 0, 3]),
)


@settings(deadline=None)
@given(
    people=fields(),
    options=OPTIONS,
    number=st.integers(1, 4),
    seed=st.binary(min_size=1, max_size=8),
    data=st.data(),
)
def test_everybody_there_is_seated_once_whatever_the_order_of_the_input(
    people: list[SwissPlayer], options: SwissOptions, number: int, seed: bytes, data: st.DataObject
) -> None:
    draw = draw_round(people, options, number, seed)
    seated = [entrant for table in draw.tables for entrant in table]
    seated += [draw.bye.entrant] if draw.bye else []
    assert sorted(seated) == sorted(each.id for each in people if each.available)
    assert sorted(draw.absent) == sorted(each.id for each in people if not each.available)
    again = [dataclasses.replace(each, opponents=each.opponents[::-1]) for each in people]
    assert draw_round(data.draw(st.permutations(again)), options, number, seed) == draw
    for pairing in draw.pairings:
        assert pairing.first in pairing.why.zh
        assert pairing.second in pairing.why.en


@settings(deadline=None)
@given(people=fields(), options=OPTIONS, seed=st.binary(min_size=1, max_size=8))
def test_points_count_only_by_their_differences(
    people: list[SwissPlayer], options: SwissOptions, seed: bytes
) -> None:
    draw = draw_round(people, options, 3, seed)
    moved = [dataclasses.replace(each, points=each.points * 6 - 20) for each in people]
    again = draw_round(moved, options, 3, seed)
    assert [set(table) for table in again.tables] == [set(table) for table in draw.tables]
    assert again.report.total_difference == 6 * draw.report.total_difference
    assert again.report.squares == 36 * draw.report.squares


def test_another_seed_draws_other_opponents() -> None:
    people = [SwissPlayer(EntrantId(f"e{number}")) for number in range(12)]
    draws = {draw_round(people, SwissOptions(), 1, bytes([seed])).tables for seed in range(1, 30)}
    assert len(draws) == 29


def test_by_lot_any_two_equals_meet_about_as_often() -> None:
    people = [SwissPlayer(EntrantId(f"e{number}")) for number in range(6)]
    met = {frozenset((f"e{one}", f"e{two}")): 0 for one in range(6) for two in range(one)}
    first = dict.fromkeys((f"e{number}" for number in range(6)), 0)
    for seed in range(1500):
        for table in draw_round(people, SwissOptions(), 1, seed.to_bytes(2, "big")).tables:
            met[frozenset(table)] += 1
            first[table[0]] += 1
    # 1500 draws: each pair 300 times on average, standard deviation 15.5; each first 750 times, 19.4.
    assert all(230 < times < 370 for times in met.values()), met
    assert all(660 < times < 840 for times in first.values()), first


def test_a_large_draw_among_neighbours_is_as_good_as_one_of_every_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from scoring_engine.pairing.two_player_swiss import matching

    compared = 0
    for seed in range(6):
        played = tournament(400_000 + seed, 180, 5)
        for number, draw in played.play():
            people = [person.as_player(number) for person in played.people]
            with monkeypatch.context() as whole:
                whole.setattr(matching, "WHOLE", 1000)
                every = draw_round(people, played.options, number, f"{played.seed}/{number}".encode())
            assert every.report.proof is Proof.WHOLE
            compared += draw.report.proof is not Proof.WHOLE
            assert draw.report.total_difference == every.report.total_difference
            assert draw.report.squares == every.report.squares
    assert compared > 10


def test_ranks_are_widened_until_the_draw_is_as_good_as_one_of_every_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With two, then five ranks linked the first draw is often poor, or there is none."""
    from scoring_engine.pairing.two_player_swiss import matching

    linked = set()
    for seed in range(30):
        played = tournament(600_000 + seed, 24, 6)
        for number, every in played.play():
            people = [person.as_player(number) for person in played.people]
            with monkeypatch.context() as narrow:
                narrow.setattr(matching, "WHOLE", 4)
                narrow.setattr(matching, "NEIGHBOURS", (2, 5))
                draw = draw_round(people, played.options, number, f"{played.seed}/{number}".encode())
            linked.add(min(draw.report.neighbours, 6))
            assert draw.report.total_difference == every.report.total_difference
            assert draw.report.squares == every.report.squares
            assert bool(draw.broken) == bool(every.broken)
    assert linked == {2, 5, 6}


def test_ranks_are_widened_for_squares_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among three ranks a has to float over two groups; among more, b2 floats to c4 and a only to b1."""
    from scoring_engine.pairing.two_player_swiss import matching
    from scoring_engine.pairing.two_player_swiss.field import field_of

    points = (4, 2, 2, 0, 0, 0, 0, 0)
    people = [SwissPlayer(EntrantId(f"e{place}"), points=each) for place, each in enumerate(points)]
    order = field_of(people, SwissOptions(), 3, b"seed").players
    c1, c2, c3 = (order[place].id for place in (3, 4, 5))
    met = {1: (c1, c2), 2: (c1, c2, c3)}
    people = [dataclasses.replace(each, opponents=met.get(place, ())) for place, each in enumerate(order)]
    monkeypatch.setattr(matching, "WHOLE", 4)
    monkeypatch.setattr(matching, "NEIGHBOURS", (3, 5))
    draw = draw_round(people, SwissOptions(), 3, b"seed")
    assert (draw.report.total_difference, draw.report.squares, draw.report.neighbours) == (4, 8, 5)
    monkeypatch.setattr(matching, "TOLERABLE", 4)
    draw = draw_round(people, SwissOptions(), 3, b"seed")
    assert (draw.report.total_difference, draw.report.squares, draw.report.neighbours) == (4, 16, 3)
    assert draw.report.proof is Proof.DIFFERENCE


@pytest.mark.parametrize(
    ("most", "left_out"),
    [(10**6, ()), (10**10, ("mark",)), (10**15, ("squares", "balance", "distance", "mark"))],
)
def test_points_too_far_apart_for_the_numbers_leave_out_the_last_aims_only(
    most: int, left_out: tuple[str, ...]
) -> None:
    points = [most, most - 3, most // 7, most // 7 - 4, 5, 2, 1, 0]
    people = [SwissPlayer(EntrantId(f"e{place}"), points=each) for place, each in enumerate(points)]
    draw = draw_round(people, SwissOptions(), 4, b"seed")
    assert draw.report.left_out == left_out
    assert draw.report.total_difference == 3 + 4 + 3 + 1
    assert sorted(map(sorted, draw.tables)) == [["e0", "e1"], ["e2", "e3"], ["e4", "e5"], ["e6", "e7"]]


@pytest.mark.parametrize(("size", "proof"), [(150, Proof.WHOLE), (1250, Proof.NONE)])
def test_a_large_field_that_cannot_keep_the_rules_is_still_drawn(size: int, proof: Proof) -> None:
    """Two thirds are of one unit: as few meet each other as can be, and each such table is a question."""
    united = size * 2 // 3
    people = [
        SwissPlayer(EntrantId(f"e{number}"), UnitId("u") if number < united else None)
        for number in range(size)
    ]
    draw = draw_round(people, SwissOptions(clause="四(二)"), 1, b"seed")
    assert draw.report.proof is proof
    assert len(draw.needs_ruling) == draw.report.unit_meetings == (2 * united - size + 1) // 2
    assert draw.needs_ruling[0].clause == "四(二)"
    assert ("相近名次" in draw.needs_ruling[0].reason.zh) == (proof is Proof.NONE)


def test_who_has_no_opponent_left_is_named() -> None:
    people = [
        SwissPlayer(EntrantId("a"), opponents=(EntrantId("b"), EntrantId("c"), EntrantId("d"))),
        *(SwissPlayer(EntrantId(other)) for other in "bcd"),
    ]
    draw = draw_round(people, SwissOptions(), 4, b"seed")
    (ruling,) = draw.needs_ruling
    assert "没有合规对手的人：a" in ruling.reason.zh
    assert "再次相遇" in ruling.reason.zh
    assert "Without any opponent the rules allow: a" in ruling.reason.en
    assert ruling.suggestion is not None


def test_a_pairing_says_why_these_two() -> None:
    people = [
        SwissPlayer(EntrantId("a"), points=4, sides=(Side.FIRST, Side.SECOND), floats=(None, Drift.DOWN)),
        SwissPlayer(EntrantId("b"), points=2, sides=(Side.FIRST, Side.FIRST)),
        SwissPlayer(EntrantId("c"), points=0, sides=(Side.SECOND,), byes=1),
        SwissPlayer(EntrantId("d"), points=0, sides=(Side.SECOND,)),
    ]
    draw = draw_round(people, SwissOptions(), 3, b"seed")
    top = draw.pairings[0]
    assert (top.first, top.second, top.down, top.up) == ("a", "b", "a", "b")
    assert {each.topic.value: each.text.zh for each in top.said} == {
        "meeting": "a（4分，第1）与b（2分，第2）相遇，相差2分。",
        "float": "没有与a同分的人：a下浮（遇低分），b上浮（遇高分）。两人中有人曾同向浮动，未能避免。",
        "side": "a先手：否则有人连续超过2次同一先后手。",
        "number": "桌号从高分排起，没有分数更高的桌。",
    }
    assert top.why.zh == "".join(each.text.zh for each in top.said)
    assert top.why.en == (
        "a (4, place 1) meets b (2, place 2), 2 apart. "
        "a floats down and b floats up, because nobody else has the points of a. "
        "One of the two has floated that way before; unavoidable. "
        "a moves first: else one would have the same side more than 2 times running. "
        "Tables are numbered from the highest points, none is higher."
    )
    assert (top.places, top.equals, draw.pairings[1].places) == ((1, 2), 1, (3, 3))
    assert "c与d同为0分" in draw.pairings[1].why.zh or "d与c同为0分" in draw.pairings[1].why.zh


def test_equals_meet_in_the_order_of_lots_and_tables_of_equals_are_numbered_by_them() -> None:
    people = [SwissPlayer(EntrantId(each), number=at) for at, each in enumerate("abcdef", start=1)]
    draw = draw_round(people, SwissOptions(), 1, b"seed")
    one, other = draw.lots[2:4]
    middle = draw.pairings[1]
    said = {each.topic.value: each.text.zh for each in middle.said}
    assert said["meeting"] == (
        f"{one}与{other}同为0分，在同分中相遇。"
        f"同分的6人按抽签先后排队，{one}第3，{other}第4，相邻的两人相遇。"
    )
    assert said["number"] == "桌号从高分排起，没有分数更高的桌；分数相同的3桌按抽签先后，本桌第2。"
    assert said["side"].endswith("先手：抽签决定。")
    split = draw_round(people, SwissOptions(first_round=FirstRound.HALF_SPLIT), 1, b"seed")
    assert "同分的6人按序号分上下两半，依次一一对应。" in split.pairings[0].why.zh
    assert "按序号先后，本桌第1" in split.pairings[0].why.zh


def test_an_odd_number_of_equals_is_the_reason_of_a_float() -> None:
    points = {"a": 4, "b": 4, "c": 4, "d": 2, "e": 2, "f": 2}
    people = [SwissPlayer(EntrantId(each), points=value) for each, value in points.items()]
    draw = draw_round(people, SwissOptions(), 3, b"seed")
    (floated,) = (each for each in draw.pairings if each.difference)
    said = {each.topic.value: each.text.zh for each in floated.said}
    assert f"与{floated.down}同分者共3人，是单数，总有一人要遇到别的分数" in said["float"]
    assert "桌号从高分排起，分数更高的1桌在前。" in said["number"]


def test_what_was_avoided_is_named_and_counted() -> None:
    """Six equals in drawn order; the first has met his neighbour, the third shares a unit with his."""
    ids = draw_round([SwissPlayer(EntrantId(each)) for each in "abcdef"], SwissOptions(), 1, b"seed").lots
    met = {ids[0]: (ids[1],)}
    unit = {ids[2]: UnitId("u"), ids[3]: UnitId("u")}
    people = [SwissPlayer(each, unit.get(each), opponents=met.get(each, ())) for each in ids]
    draw = draw_round(people, SwissOptions(), 2, b"seed")
    assert {frozenset(table) for table in draw.tables} == {
        frozenset({ids[0], ids[2]}),
        frozenset({ids[1], ids[3]}),
        frozenset({ids[4], ids[5]}),
    }
    assert (draw.report.rematches_avoided, draw.report.units_avoided) == (2, 2)
    said = "".join(pairing.why.zh for pairing in draw.pairings)
    assert f"{ids[0]}不与{ids[1]}（已相遇过）" in said
    assert f"{ids[2]}不与{ids[3]}（同单位）" in said


def test_the_bye_says_who_was_passed_over() -> None:
    people = [
        SwissPlayer(EntrantId("a"), points=2),
        SwissPlayer(EntrantId("b"), byes=1),
        SwissPlayer(EntrantId("c"), byes=1),
    ]
    draw = draw_round(people, SwissOptions(), 2, b"seed")
    assert draw.bye is not None
    assert draw.bye.entrant == "a"
    assert sorted(draw.bye.passed_over) == ["b", "c"]
    assert sorted(draw.bye.had) == ["b", "c"]
    assert "已经轮空过，不再轮空" in draw.bye.why.zh
    low = draw_round([*people[1:], SwissPlayer(EntrantId("d"))], SwissOptions(), 2, b"seed")
    assert low.bye is not None
    assert low.bye.why.zh == "d轮空：在可以轮空的人中积分最低（0分）。"


@pytest.mark.parametrize(
    ("people", "words"),
    [
        ([SwissPlayer(EntrantId("a")), SwissPlayer(EntrantId("a"))], "stands twice"),
        (
            [SwissPlayer(EntrantId("a"), number=1), SwissPlayer(EntrantId("b"), number=1)],
            "number stands twice",
        ),
        ([SwissPlayer(EntrantId("a"), opponents=(EntrantId("a"),))], "among the opponents of a"),
        ([SwissPlayer(EntrantId("a"), byes=-1)], "negative"),
    ],
)
def test_people_no_tournament_has_are_refused(people: list[SwissPlayer], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        draw_round(people, SwissOptions(), 1, b"seed")


def test_points_are_exact_and_a_seed_is_needed() -> None:
    with pytest.raises(TypeError, match="neither int nor Fraction"):
        draw_round([SwissPlayer(EntrantId("a"), points=0.5)], SwissOptions(), 1, b"seed")  # type: ignore[arg-type]
    with pytest.raises(SeedError):
        draw_round([], SwissOptions(), 1, b"")


def test_options_that_say_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="0 times running"):
        SwissOptions(longest_run=0)
    for rounds in ({"accelerated_rounds": -1}, {"unit_rounds": -1}):
        with pytest.raises(ValueError, match="negative"):
            SwissOptions(**rounds)

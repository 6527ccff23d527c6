"""Each ranking criterion alone, from golden fields whose values are counted by hand (each case names its clause)."""

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from scoring_engine.ranking import rank
from scoring_engine.tie_breaks import CRITERIA, each, each_with, options_of
from scoring_engine.tie_breaks.columns import BLOCK
from scoring_engine.tie_breaks.meetings import meetings_of
from scoring_engine.tie_breaks.records import Field, Played, RoundResult, StandingRecord
from scoring_engine.values import EntrantId
from tests.scoring_engine.events import golden

GOLDEN = golden("criteria")


def round_result(number: int, short: Mapping[str, Any]) -> RoundResult:
    opponents = tuple(short.get("opponents", ()))
    return RoundResult(
        number, **{**short, "opponents": opponents, "played": Played(short.get("played", "game"))}
    )


def record(entrant: str, short: Mapping[str, Any]) -> StandingRecord:
    lists = {key: tuple(short[key]) for key in ("deal_scores", "playoff_ranks") if short.get(key) is not None}
    parts = short["rounds"]
    rounds = (
        None if parts is None else tuple(round_result(number, part) for number, part in enumerate(parts, 1))
    )
    return StandingRecord(EntrantId(entrant), **{**short, **lists, "rounds": rounds})


def field_of(case: Mapping[str, Any]) -> Field:
    short = GOLDEN["fields"][case["field"]]
    return Field(
        {EntrantId(entrant): record(entrant, one) for entrant, one in short["records"].items()},
        case.get("chain_options", {}),
        short.get("win", 0),
        short.get("draw", 0),
        tuple(short.get("values", ())),
        tuple(short.get("earlier", ())),
        tuple(short.get("earlier_points", ())),
        short.get("lots"),
    )


def figure(value: Any) -> Any:
    """A golden value as the engine has it: a list is a tuple, `"5/2"` a fraction."""
    if isinstance(value, list):
        return tuple(value)
    return Fraction(value) if isinstance(value, str) else value


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_a_criterion_gives_everybody_the_value_of_the_text(case: dict[str, Any]) -> None:
    field, code = field_of(case), case["criterion"]
    asked = [field.records[EntrantId(entrant)] for entrant in case.get("tied", field.records)]
    found = CRITERIA[code].compute(asked, field, options_of(code, case.get("options", {})))
    assert list(found) == [figure(value) for value in case["values"]]


def test_what_is_kept_for_one_choice_of_options_is_not_used_for_another() -> None:
    field = field_of({"field": "five"})
    records = list(field.records.values())
    for options, expected in (({}, 15), ({"cut": 1}, 12), ({"cut": 2}, 9), ({}, 15)):
        values = CRITERIA["opponent_score"].compute(records, field, options_of("opponent_score", options))
        assert values[0] == expected


def test_a_criterion_of_one_record_is_asked_for_each_in_order() -> None:
    records = [StandingRecord(EntrantId(name), points) for name, points in (("a", 3), ("b", 1))]
    field = Field({one.entrant: one for one in records})
    assert list(each(lambda one: one.points)(records, field, {})) == [3, 1]
    plus = each_with(lambda one, options: one.points + int(options["more"]))
    assert list(plus(records, field, {"more": 10})) == [13, 11]


def test_every_criterion_and_every_value_of_its_options_has_a_case() -> None:
    asked = {
        (case["criterion"], name, value)
        for case in GOLDEN["cases"]
        for name, value in options_of(case["criterion"], case.get("options", {})).items()
    }
    assert {case["criterion"] for case in GOLDEN["cases"]} == set(CRITERIA)
    for code, kind in CRITERIA.items():
        if code == "beaten_score":  # counts what opponent_score gives, but for its own option
            continue
        for name, values in kind.options.items():
            missing = {value for value in values if (code, name, value) not in asked}
            assert not missing or isinstance(values, range), (code, name, missing)


@pytest.mark.parametrize("code", ["opponent_score", "opponents_opponent_score", "progressive_cut"])
def test_each_is_given_his_own_value_whoever_is_asked_for_and_in_whatever_order(code: str) -> None:
    field = field_of({"field": "five"})
    everybody = list(field.records.values())
    options = options_of(code, {})
    known = dict(zip(field.records, CRITERIA[code].compute(everybody, field, options), strict=True))
    for asked in (everybody[::-1], everybody[1:], everybody[2:] + everybody[:2]):
        found = CRITERIA[code].compute(asked, field_of({"field": "five"}), options)
        assert list(found) == [known[one.entrant] for one in asked]


def test_two_who_met_are_found_beside_opponents_who_are_not_ranked_with_them() -> None:
    def met(*opponents: str) -> tuple[RoundResult, ...]:
        return tuple(
            RoundResult(number, Played.GAME, number, (EntrantId(each),))
            for number, each in enumerate(opponents)
        )

    records = [
        StandingRecord(EntrantId(own), 1, rounds=met(*opponents))
        for own, opponents in (("a", ("x", "b")), ("b", ("y", "a")))
    ]
    field = Field({record.entrant: record for record in records})
    options = options_of("head_to_head", {})
    assert list(CRITERIA["head_to_head"].compute(records, field, options)) == [1, 1]


@pytest.mark.parametrize("scope", ["two", "group", "certain"])
def test_a_tie_is_passed_over_unasked_only_where_it_has_no_values(scope: str) -> None:
    """Some of a large field, in its order and in others, with a bye and with two opponents in a round."""
    rounds = {
        "a": ("b", "c", ""),
        "b": ("a", "", "cd"),
        "c": ("", "a", "bd"),
        "d": ("", "", "bc"),
        "e": ("",),
    }
    everybody = [StandingRecord(EntrantId(f"e{number}"), 1, rounds=()) for number in range(BLOCK - 2)]
    everybody += [
        StandingRecord(
            EntrantId(own),
            1,
            rounds=tuple(
                RoundResult(number, Played.GAME if met else Played.BYE, number, tuple(map(EntrantId, met)))
                for number, met in enumerate(parts)
            ),
        )
        for own, parts in rounds.items()
    ]
    everybody.append(StandingRecord(EntrantId("f"), 1))
    field = Field({record.entrant: record for record in everybody}, win=2, draw=1)
    kind, options = CRITERIA["head_to_head"], options_of("head_to_head", {"scope": scope})
    for records in (everybody, everybody[::-1], everybody[-5:-2]):
        may_part = kind.may_part(records, field, options)
        some = [row for row, record in enumerate(records) if record.entrant in (*rounds, "f", "e1")]
        for size in (2, 3):
            for tied in permutations(some, size):
                has_values = None not in kind.compute([records[row] for row in tied], field, options)
                assert may_part(tied) >= has_values, [records[row].entrant for row in tied]
                if scope == "two" or size == 2:  # of three, one of them is asked
                    assert may_part(tied) == has_values, [records[row].entrant for row in tied]


def test_whom_the_entrants_of_a_field_met_is_put_together_once() -> None:
    records = [StandingRecord(EntrantId(own), 1, rounds=()) for own in "ab"]
    field = Field({record.entrant: record for record in records})
    assert meetings_of(records, field) is meetings_of(records, field)
    assert meetings_of(records[::-1], field).entrants == ("b", "a")


@pytest.mark.parametrize("at_a_table", [1, 2, "both"])
def test_a_large_field_counts_as_its_definition_says(at_a_table: int | str) -> None:
    """More people than are walked in one go, with byes, and with one or two opponents in a round."""
    chance = random.Random(5)
    size, rounds = 2 * BLOCK + 8, 4
    met: list[list[list[int]]] = [[[] for _ in range(rounds)] for _ in range(size)]
    for number in range(rounds):
        order = chance.sample(range(size), size)
        while order:
            seats = at_a_table + 1 if isinstance(at_a_table, int) else chance.choice((2, 3))
            table = [order.pop() for _ in range(min(seats, len(order)))]
            for one in table:
                met[one][number] = [other for other in table if other != one]
    points = [[chance.choice((0, 1, 2)) for _ in range(rounds)] for _ in range(size)]
    records = [
        StandingRecord(
            EntrantId(f"e{own}"),
            sum(points[own]),
            rounds=tuple(
                RoundResult(
                    number + 1,
                    Played.GAME if met[own][number] else Played.BYE,
                    points[own][number],
                    tuple(EntrantId(f"e{other}") for other in met[own][number]),
                )
                for number in range(rounds)
            ),
        )
        for own in range(size)
    ]
    field = Field({record.entrant: record for record in records}, win=2, draw=1)
    total = [sum(own) for own in points]
    given = [[sum(total[other] for other in part) for part in own] for own in met]

    def values(code: str, **options: str) -> list[Any]:
        return list(CRITERIA[code].compute(records, field, options_of(code, options)))

    assert values("opponent_score") == [sum(own) for own in given]
    assert values("progressive_cut", variant="opponents") == [
        tuple(sum(own[:-cut]) for cut in range(1, rounds + 1)) for own in given
    ]
    assert values("opponents_opponent_score") == [
        sum(sum(given[other]) for part in own for other in part) for own in met
    ]
    for some in (slice(3), slice(2, None, -1), slice(5, 9)):  # asked for by themselves, they have the same
        asked = CRITERIA["opponent_score"].compute(records[some], field, options_of("opponent_score", {}))
        assert list(asked) == [sum(own) for own in given][some]
    assert values("progressive_cut", variant="own_first") == [
        tuple(sum(sum(own[: last + 1]) for last in range(cut, rounds)) for cut in range(1, rounds + 1))
        for own in points
    ]
    assert [len(placing.values) for placing in rank(records, ("match_points", "progressive_cut"), field)] == [
        2
    ] * size

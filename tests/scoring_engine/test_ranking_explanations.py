"""What a ranking says of itself: the values that were compared, passed over or never asked for, and what decided."""

from typing import Any

import pytest

from scoring_engine.ranking import CriterionValue, Placing, compare, rank, ranks
from scoring_engine.tie_breaks.records import Field, Played, RoundResult, StandingRecord
from scoring_engine.values import EntrantId

CHAIN = ("total_points", "deals_won", "best_deals")


def record(entrant: str, points: int, won: int | None = None, deals: Any = None) -> StandingRecord:
    return StandingRecord(EntrantId(entrant), points, won, deals)


def game(number: int, opponent: str, points: int) -> RoundResult:
    return RoundResult(number, Played.GAME, points, (EntrantId(opponent),))


def told(placing: Placing) -> list[tuple[Any, bool]]:
    return [(each.value, each.counted) for each in placing.values]


def test_a_value_is_passed_over_only_among_those_of_whom_one_has_none() -> None:
    records = [
        record("a", 24, None, (20, 4)),
        record("b", 24, 5, (12, 12)),
        record("c", 20, 5, (12, 8)),
        record("d", 20, 5, (16, 4)),
        record("e", 10, None),
    ]
    placings = {placing.entrant: placing for placing in rank(records, CHAIN)}
    assert told(placings[EntrantId("a")]) == [(24, True), (None, False), ((20, 4), True)]
    assert told(placings[EntrantId("b")]) == [(24, True), (5, False), ((12, 12), True)]
    assert told(placings[EntrantId("c")]) == [(20, True), (5, True), ((12, 8), True)]
    assert told(placings[EntrantId("e")]) == [(10, True), (None, False), (None, False)]
    assert [each.criterion for each in placings[EntrantId("e")].values] == list(CHAIN)
    assert [(one.entrant, one.rank, one.decided_by) for one in placings.values()] == [
        ("a", 1, None),
        ("b", 2, "best_deals"),
        ("d", 3, "total_points"),
        ("c", 4, "best_deals"),
        ("e", 5, "total_points"),
    ]


def test_a_value_is_passed_over_among_those_who_share_a_rank_in_the_end() -> None:
    records = [record("a", 24, None, (20, 4)), record("b", 24, 5, (20, 4)), record("c", 24, 6, (12, 12))]
    placings = rank(records, CHAIN)
    assert [(one.entrant, one.rank, one.shared) for one in placings] == [
        ("a", 1, True),
        ("b", 1, True),
        ("c", 3, False),
    ]
    assert [told(one)[1] for one in placings] == [(None, False), (5, False), (6, False)]


def test_every_criterion_after_a_list_is_asked() -> None:
    records = [record("a", 24, 5, (20, 4)), record("b", 24, 6, (20, 4)), record("c", 24, 9, (12, 12))]
    placings = rank(records, ("best_deals", "deals_won", "total_points"))
    assert [(one.entrant, one.decided_by) for one in placings] == [
        ("b", None),
        ("a", "deals_won"),
        ("c", "best_deals"),
    ]


def test_a_comparison_tells_what_was_equal_passed_over_and_decided() -> None:
    records = [record("a", 24, None, (20, 4)), record("b", 24, 5, (20, 3)), record("c", 9)]
    first, second, third = rank(records, CHAIN)
    for one, other, values in ((first, second, ((20, 4), (20, 3))), (second, first, ((20, 3), (20, 4)))):
        comparison = compare(one, other)
        assert (comparison.first, comparison.second) == (one.entrant, other.entrant)
        assert comparison.equal == (("total_points", 24),)
        assert comparison.unknown == ("deals_won",)
        assert (comparison.decided_by, comparison.values) == ("best_deals", values)
        assert comparison.ahead == "a"
        assert (comparison.place, set(comparison.numbers)) == (2, {3, 4})
    across = compare(third, first)
    assert (across.equal, across.unknown, across.ahead) == ((), (), "a")
    assert (across.place, across.numbers) == (None, (9, 24))


def test_a_list_that_ends_has_no_further_number() -> None:
    first, second = rank([record("a", 24, 5, (20, 4)), record("b", 24, 5, (20,))], CHAIN)
    comparison = compare(first, second)
    assert (comparison.place, comparison.numbers, comparison.ahead) == (2, (4, None), "a")


def test_a_shared_rank_tells_both_entrants_and_nothing_else() -> None:
    first, second = rank([record("b", 24, 5, (20,)), record("a", 24, 5, (20,))], CHAIN)
    assert (first.entrant, second.entrant) == ("a", "b")
    comparison = compare(first, second)
    assert (comparison.first, comparison.second) == ("a", "b")
    assert comparison.equal == (("total_points", 24), ("deals_won", 5), ("best_deals", (20,)))
    assert (comparison.unknown, comparison.decided_by, comparison.values) == ((), None, (None, None))
    assert (comparison.ahead, comparison.place, comparison.numbers) == (None, None, (None, None))


def test_where_the_lower_value_stands_ahead_the_comparison_says_so() -> None:
    records = [
        StandingRecord(EntrantId("a"), 4, rounds=(), violations=1),
        StandingRecord(EntrantId("b"), 4, rounds=(), violations=0),
    ]
    first, second = rank(records, ("match_points", "violations"))
    assert (first.entrant, second.decided_by) == ("b", "violations")
    for one, other in ((first, second), (second, first)):
        assert compare(one, other).ahead == "b"


def test_of_three_tied_only_those_still_tied_are_compared_among_each_other() -> None:
    a, b, c = (EntrantId(each) for each in "abc")
    records = [
        StandingRecord(a, 2, rounds=(game(1, "b", 0), game(2, "c", 2)), violations=0),
        StandingRecord(b, 2, rounds=(game(1, "a", 2), game(2, "c", 0)), violations=0),
        StandingRecord(c, 2, rounds=(game(1, "b", 2), game(2, "a", 0)), violations=1),
    ]
    field = Field({each.entrant: each for each in records}, {"head_to_head": {"scope": "two"}})
    placings = rank(records, ("match_points", "violations", "head_to_head"), field)
    assert [(one.entrant, one.rank, one.decided_by) for one in placings] == [
        ("b", 1, None),
        ("a", 2, "head_to_head"),
        ("c", 3, "violations"),
    ]
    assert [told(one)[2] for one in placings] == [(2, True), (0, True), (None, False)]
    assert ranks(records, ("match_points", "violations", "head_to_head"), field) == {b: 1, a: 2, c: 3}


def test_games_that_settle_nothing_leave_the_rank_shared() -> None:
    records = [
        StandingRecord(EntrantId(each), 2, rounds=(game(1, "x", 2),), violations=0) for each in ("e10", "e2")
    ]
    chain = ("match_points", "head_to_head", "violations")
    first, second = rank(records, chain, Field({each.entrant: each for each in records}))
    assert [(one.entrant, one.rank, one.shared) for one in (first, second)] == [
        ("e2", 1, True),
        ("e10", 1, True),
    ]
    assert told(first) == [(2, True), (None, False), (0, True)]


def test_without_criteria_everybody_shares_the_first_rank() -> None:
    placings = rank([record("b", 1), record("a", 2)], ())
    assert [(one.entrant, one.rank, one.values) for one in placings] == [("a", 1, ()), ("b", 1, ())]
    assert rank([], CHAIN) == ()


def test_without_a_field_those_ranked_are_the_field() -> None:
    a, b = (
        StandingRecord(EntrantId(each), points, rounds=(game(1, other, points),))
        for each, other, points in (("a", "b", 2), ("b", "a", 0))
    )
    assert [(one.entrant, told(one)) for one in rank([a, b], ("opponent_score",))] == [
        ("b", [(2, True)]),
        ("a", [(0, True)]),
    ]


def test_one_alone_is_compared_with_nobody() -> None:
    one = StandingRecord(EntrantId("a"), 2, rounds=(), violations=0)
    field = Field({one.entrant: one}, lots={one.entrant: 1})
    (placing,) = rank([one], ("match_points", "lots"), field)
    assert told(placing) == [(2, True), (None, False)]


def test_ranks_after_a_shared_one_move_on() -> None:
    records = [record(each, points) for each, points in zip("abcd", (9, 7, 7, 5), strict=True)]
    field = Field({each.entrant: each for each in records})
    assert list(ranks(records, ("total_points",), field).values()) == [1, 2, 2, 4]
    assert [one.rank for one in rank(records, ("total_points",))] == [1, 2, 2, 4]


def test_options_of_the_chain_are_those_of_the_field() -> None:
    a, b = (
        StandingRecord(EntrantId(each), 0, rounds=(RoundResult(1, Played.FORFEIT, 0, won=won),))
        for each, won in (("a", False), ("b", True))
    )
    records = {each.entrant: each for each in (a, b)}
    assert [one.rank for one in rank([a, b], ("wins",))] == [1, 2]
    plain = rank([a, b], ("wins",), Field(records, {"wins": {"forfeits": "not_counted"}}))
    assert [one.rank for one in plain] == [1, 1]
    field = Field(records, {"wins": {"forfeits": "not_counted"}})
    assert ranks([a, b], ("wins",), field) == {a.entrant: 1, b.entrant: 1}


def test_placings_of_two_chains_are_not_compared() -> None:
    (one,) = rank([record("a", 1)], CHAIN)
    (other,) = rank([record("b", 1)], CHAIN[:2])
    with pytest.raises(ValueError, match="zip"):
        compare(one, other)


def test_a_value_that_only_one_of_the_two_has_is_passed_over() -> None:
    one, other = (
        Placing(
            1,
            EntrantId(each),
            (CriterionValue("total_points", 5, counted=True), CriterionValue("deals_won", won, counted)),
            None,
            False,
        )
        for each, won, counted in (("a", 3, True), ("b", None, False))
    )
    for first, second in ((one, other), (other, one)):
        comparison = compare(first, second)
        assert (comparison.unknown, comparison.decided_by) == (("deals_won",), None)


def test_an_unknown_value_that_is_said_to_count_has_no_place_in_an_order() -> None:
    one, other = (
        Placing(1, EntrantId(each), (CriterionValue("total_points", value, counted=True),), None, False)
        for each, value in (("a", None), ("b", 1))
    )
    with pytest.raises(ValueError, match=r"^an unknown value"):
        compare(one, other)

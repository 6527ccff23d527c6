"""Penalties and lateness of C and D (C 八(十九)—(二十五), 十(二); D 五11—五26; I-C-7, I-C-8, I-D-10, I-D-11)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.documents import DocumentError, Node, Problems
from scoring_engine.tractor.lateness import Lateness
from scoring_engine.tractor.penalties import (
    Effect,
    Infringement,
    PenaltyBook,
    PlayedDeal,
    apply,
    infringement_faults,
    record,
    signed,
)
from scoring_engine.values import EntrantId
from tests.scoring_engine.tractor.regulations import (
    FORMATS,
    MATCHES,
    SIDES,
    infringement,
    match_format,
    regulation,
)

BANKER, DEFENDER = SIDES


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def deal(points: int, number: int = 1) -> PlayedDeal:
    return PlayedDeal(number, BANKER, points)


@pytest.mark.parametrize("case", MATCHES["penalties"], ids=named)
def test_a_penalty_changes_the_points_of_the_defenders_by_its_sign(case: dict[str, Any]) -> None:
    book = FORMATS[case["text"]].penalties
    offender = BANKER if case["by"] == "banker" else DEFENDER
    one = infringement(case["given"], offender=offender, deal=1)
    adjusted = apply([one], deal(100), book)
    assert adjusted.defenders_points == 100 + case["change"]
    (line,) = adjusted.lines
    assert (line.defenders, line.offender, line.clause) == (case["change"], offender, case["clause"])
    if case["change"]:
        assert f"防家{case['change']:+d}分" in line.text.zh
        assert f"defenders {case['change']:+d}" in line.text.en
    assert apply([one], deal(100), book) == adjusted


@pytest.mark.parametrize("case", MATCHES["refused_penalties"], ids=named)
def test_a_penalty_that_cannot_be_given_names_its_key(case: dict[str, Any]) -> None:
    book = FORMATS[case["text"]].penalties
    one = infringement(case["given"], deal=1)
    faults = infringement_faults(one, book)
    assert [key for key, _ in faults] == [case["key"]]
    assert all(text.zh and text.en for _, text in faults)


def test_apply_refuses_a_penalty_with_a_fault() -> None:
    with pytest.raises(ValueError, match="次数"):
        apply([Infringement("p", "revoke", BANKER, 1, count=0)], deal(60), FORMATS["C"].penalties)


def test_apply_refuses_what_only_the_other_side_can_commit() -> None:
    with pytest.raises(ValueError, match="庄家一方"):
        apply([Infringement("p", "bottom_viewed", DEFENDER, 1)], deal(60), FORMATS["D"].penalties)


def test_lines_stand_in_the_order_given_and_say_how_many() -> None:
    given_ = [
        Infringement("p1", "wrong_throw", DEFENDER, 1, count=3),
        Infringement("p2", "exposed_card", BANKER, 2),
        Infringement("p3", "revoke", BANKER, 1),
    ]
    lines = apply(given_, deal(60), FORMATS["D"].penalties).lines
    assert [(line.rule, line.text.zh) for line in lines] == [
        ("wrong_throw", "甩错牌，3张：防家-30分"),
        ("revoke", "跟牌错误过轮：防家+80分"),
    ]


def test_a_warning_says_so() -> None:
    lines = apply([Infringement("p", "slow_play", BANKER, 1)], deal(60), FORMATS["C"].penalties).lines
    assert lines[0].text.zh == "超过出牌时间：第一次，警告"
    assert lines[0].text.en == "Slow play: the first time, a warning"


def test_a_deal_without_points_keeps_its_penalties_on_record() -> None:
    given_ = [
        Infringement("p1", "bottom_drawn", BANKER, 2),
        Infringement("p2", "exposed_card", DEFENDER, 2),
        Infringement("p3", "exposed_card", DEFENDER, 1),
    ]
    lines = record(given_, 2, FORMATS["D"].penalties)
    assert [(line.rule, line.defenders) for line in lines] == [("bottom_drawn", 0), ("exposed_card", 0)]
    assert [line.text.zh for line in lines] == ["底牌被他人抓两张或更多：庄家自动下庄", "暴露牌张：不扣分"]


def test_warnings_count_in_the_order_of_the_deals_even_on_record() -> None:
    given_ = [Infringement("p2", "slow_play", BANKER, 2), Infringement("p1", "slow_play", BANKER, 1)]
    book = FORMATS["C"].penalties
    assert [line.text.zh for line in record(given_, 1, book)] == ["超过出牌时间：第一次，警告"]
    assert [line.text.zh for line in record(given_, 2, book)] == ["超过出牌时间：不扣分"]
    assert apply(given_, deal(60, 2), book).defenders_points == 80


def test_a_penalty_of_the_whole_match_stands_before_those_of_its_deals() -> None:
    given_ = [
        Infringement("p1", "exposed_card", BANKER, 1),
        Infringement("p2", "illegal_information", BANKER, outcome=Effect.WARNING),
    ]
    assert apply(given_, deal(60), FORMATS["C"].penalties).defenders_points == 70


@pytest.mark.parametrize("case", MATCHES["refused_rows"], ids=named)
def test_penalty_rows_that_cannot_be_used_are_named(case: dict[str, Any]) -> None:
    with pytest.raises(DocumentError) as refused:
        PenaltyBook.from_rows(case["rows"])
    assert [problem.path for problem in refused.value.problems] == [case["path"]]


def test_penalties_of_both_texts_are_read_whole() -> None:
    for text, count in (("C", 9), ("D", 18)):
        rows = regulation(text)["penalties"]
        book = PenaltyBook.from_rows(rows)
        assert list(book.rules) == [row["id"] for row in rows]
        assert len(book.rules) == count


def tables_of(text: str) -> Sequence[str]:
    return [
        rule.id
        for rule in FORMATS[text].penalties.rules.values()
        if rule.effect in (Effect.POINTS, Effect.AFTER_WARNING) or rule.insisted
    ]


@given(st.data(), st.sampled_from("CD"), st.integers(-100, 200), st.booleans())
def test_a_penalty_never_helps_its_offender(data: st.DataObject, text: str, fives: int, banks: bool) -> None:
    format_ = FORMATS[text]
    rule = format_.penalties.rules[data.draw(st.sampled_from(tables_of(text)))]
    offender = BANKER if banks else DEFENDER
    if rule.by is not None and (rule.by == "banker") != banks:
        return
    count = data.draw(st.integers(1, min(rule.most, 20)))
    one = Infringement("p", rule.id, offender, 1, count=count, insisted=rule.effect is Effect.BANK_LOST)
    before, after = 5 * fives, apply([one], deal(5 * fives), format_.penalties).defenders_points
    assert after >= before if banks else after <= before
    worth = []
    for points in (before, after):
        result = format_.levels.result(points)
        takes = result.defenders_take_bank
        worth.append((takes, result.levels if takes else -result.levels))
    assert worth[1] >= worth[0] if banks else worth[1] <= worth[0]


@given(
    st.lists(st.tuples(st.sampled_from(["revoke", "exposed_card", "wrong_throw"]), st.sampled_from(SIDES))),
    st.randoms(use_true_random=False),
)
def test_the_order_of_penalties_does_not_change_the_points(
    given_: list[tuple[str, EntrantId]], shuffler: Any
) -> None:
    listed = [Infringement(f"p{index}", rule, offender, 1) for index, (rule, offender) in enumerate(given_)]
    shuffled = list(listed)
    shuffler.shuffle(shuffled)
    book = FORMATS["C"].penalties
    assert apply(listed, deal(60), book).defenders_points == apply(shuffled, deal(60), book).defenders_points


@pytest.mark.parametrize(("banks", "change"), [(True, 20), (False, -20)])
def test_the_sign_follows_the_side(banks: bool, change: int) -> None:
    assert signed(20, offender_banks=banks) == change


# Lateness ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", MATCHES["tiers"], ids=named)
def test_minutes_late_fall_into_their_tier(case: dict[str, Any]) -> None:
    options = {"late_minutes": case["late_minutes"]} if "late_minutes" in case else {}
    lateness = match_format("C", options).lateness
    assert lateness is not None
    tier = lateness.tier(Fraction(case["minutes"]))
    if case["effect"] is None:
        assert tier is None
    else:
        assert tier is not None
        assert (tier.effect, tier.points, tier.clause) == (case["effect"], case["points"], "十(二)")


def test_minutes_cannot_be_below_zero() -> None:
    lateness = FORMATS["C"].lateness
    assert lateness is not None
    with pytest.raises(ValueError, match="minutes late"):
        lateness.tier(Fraction(-1, 2))


@pytest.mark.parametrize("case", MATCHES["refused_tiers"], ids=named)
def test_tiers_that_cannot_be_used_are_named(case: dict[str, Any]) -> None:
    with pytest.raises(DocumentError) as refused:
        Lateness.from_rows(case["rows"], "十(二)")
    assert [problem.path for problem in refused.value.problems] == [case["path"]]


def test_tiers_are_built_from_rows() -> None:
    rows = regulation("C")["lateness"]["rows"]
    assert Lateness.from_rows(rows, "十(二)") == FORMATS["C"].lateness
    node = Node({"rows": rows, "clause": "十(二)", "late_minutes": "round"}, "$.lateness", Problems())
    assert Lateness.read(node, {}) is None
    assert [problem.path for problem in node.problems.found] == ["$.lateness.late_minutes"]


@given(st.integers(0, 3600), st.integers(0, 3600))
def test_a_longer_delay_never_costs_less(one: int, other: int) -> None:
    lateness = FORMATS["C"].lateness
    assert lateness is not None
    order = [None, Effect.WARNING, Effect.POINTS, Effect.DEAL_LOST, Effect.ROUND_LOST]
    tiers = [lateness.tier(Fraction(seconds, 60)) for seconds in sorted((one, other))]
    costs = [
        (order.index(None if tier is None else tier.effect), -(tier.points if tier else 0)) for tier in tiers
    ]
    assert costs[0] <= costs[1]

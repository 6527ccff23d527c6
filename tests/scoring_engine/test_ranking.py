"""Ranks, shared ranks, what decided, and the properties every ranking has."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.landlord.deals import Deal, Side, most_bombs, score_deal
from scoring_engine.ranking import compare, rank, ranks
from scoring_engine.tie_breaks.columns import BLOCK
from scoring_engine.tie_breaks.records import Field, StandingRecord
from scoring_engine.values import EntrantId, decimal_text, reading_order
from tests.scoring_engine.events import RULES, event, golden, stage

CHAIN = ("total_points", "deals_won", "best_deals")
SEATS = (EntrantId("e1"), EntrantId("e2"), EntrantId("e3"))


def record(entrant: str, short: list[Any]) -> StandingRecord:
    points, won, deals = short
    return StandingRecord(EntrantId(entrant), points, won, None if deals is None else tuple(deals))


@pytest.mark.parametrize("case", golden("ranking")["cases"], ids=lambda case: case["name"])
def test_a_golden_ranking(case: dict[str, Any]) -> None:
    placings = rank([record(entrant, short) for entrant, short in case["records"].items()], CHAIN)
    assert {placing.entrant: placing.rank for placing in placings} == case["ranks"]
    assert {placing.entrant: placing.decided_by for placing in placings} == case["decided_by"]


def test_a_comparison_names_what_was_equal_and_what_decided() -> None:
    first, second = rank([record("a", [24, 5, [20, 4]]), record("b", [24, 5, [12, 12]])], CHAIN)
    comparison = compare(second, first)
    assert comparison.equal == (("total_points", 24), ("deals_won", 5))
    assert comparison.decided_by == "best_deals"
    assert comparison.values == ((12, 12), (20, 4))
    assert comparison.ahead == "a"


def test_a_comparison_of_a_shared_rank_decides_nothing() -> None:
    first, second = rank([record("a", [24, None, None]), record("b", [24, 5, [24]])], CHAIN)
    comparison = compare(first, second)
    assert comparison.decided_by is None
    assert comparison.ahead is None
    assert comparison.equal == (("total_points", 24),)
    assert comparison.unknown == ("deals_won", "best_deals")


def test_fewer_ranks_in_a_play_off_stand_ahead() -> None:
    records = [
        StandingRecord(EntrantId("a"), 0, playoff_ranks=(1, 2)),
        StandingRecord(EntrantId("b"), 0, playoff_ranks=(1, 1)),
    ]
    assert [placing.entrant for placing in rank(records, ("total_points", "playoff"))] == ["b", "a"]


@pytest.mark.parametrize("chain", [CHAIN, ("best_deals",)])
def test_a_large_field_is_ranked_as_a_sort_says(chain: tuple[str, ...]) -> None:
    """More people than are placed in one go, some of them equal in everything."""
    chance = random.Random(11)
    records = [
        record(
            f"e{number}",
            [chance.randrange(60), chance.randrange(5), [chance.randrange(4), chance.randrange(4)]],
        )
        for number in range(3 * BLOCK + 8)
    ]
    of = {
        "total_points": lambda one: one.points,
        "deals_won": lambda one: one.deals_won,
        "best_deals": lambda one: tuple(sorted(one.deal_scores, reverse=True)),
    }
    keys = {one.entrant: tuple(of[code](one) for code in chain) for one in records}
    listed = sorted(keys, key=reading_order)
    listed.sort(key=lambda entrant: keys[entrant], reverse=True)
    falling = [keys[entrant] for entrant in listed]
    expected, above = [], None
    for entrant in listed:
        key = keys[entrant]
        shared = falling.count(key) > 1
        differs = [code for code, own, other in zip(chain, key, above or key, strict=True) if own != other]
        decided_by = differs[0] if differs and not shared else None
        expected.append((1 + falling.index(key), entrant, key, decided_by, shared))
        above = key
    assert [
        (
            placing.rank,
            placing.entrant,
            tuple(each.value for each in placing.values),
            placing.decided_by,
            placing.shared,
        )
        for placing in rank(records, chain)
    ] == expected
    field = Field({one.entrant: one for one in records})
    assert ranks(records, chain, field) == {entrant: place for place, entrant, *_ in expected}


RECORDS = st.lists(
    st.tuples(
        st.integers(-3, 3),
        st.none() | st.integers(0, 2),
        st.none() | st.lists(st.integers(-2, 2), min_size=2, max_size=2),
    ),
    max_size=30,
).map(lambda shorts: [record(f"e{index}", list(short)) for index, short in enumerate(shorts)])


@given(records=RECORDS, data=st.data())
def test_the_order_of_the_records_is_irrelevant(records: list[StandingRecord], data: st.DataObject) -> None:
    assert rank(data.draw(st.permutations(records)), CHAIN) == rank(records, CHAIN)


@given(records=RECORDS)
def test_equal_records_share_a_rank_and_ranks_count_who_stands_ahead(records: list[StandingRecord]) -> None:
    placings = rank(records, CHAIN)
    by_id = {item.entrant: item for item in records}
    ranks = [placing.rank for placing in placings]
    assert ranks == sorted(ranks)
    for placing in placings:
        assert placing.rank == 1 + sum(other < placing.rank for other in ranks)
        assert placing.shared == (ranks.count(placing.rank) > 1)
        if placing.shared or placing.rank == 1:
            assert placing.decided_by is None
        else:
            assert placing.decided_by is not None
        for other in placings:
            mine, its = by_id[placing.entrant], by_id[other.entrant]
            if (mine.points, mine.deals_won) == (its.points, its.deals_won) and (
                sorted(mine.deal_scores or ()) == sorted(its.deal_scores or ())
                and (mine.deal_scores is None) == (its.deal_scores is None)
            ):
                assert placing.rank == other.rank


@given(records=RECORDS)
def test_what_decided_is_what_the_comparison_with_the_entrant_above_says(
    records: list[StandingRecord],
) -> None:
    placings = rank(records, CHAIN)
    for above, placing in pairwise(placings):
        if not placing.shared:
            comparison = compare(above, placing)
            assert comparison.decided_by == placing.decided_by
            assert comparison.ahead == above.entrant


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    winner = draw(st.sampled_from(Side))
    special = draw(st.booleans())
    plain = Deal(
        SEATS,
        draw(st.sampled_from(SEATS)),
        draw(st.integers(1, 3)),
        winner,
        draw(st.integers(0, 1)),
        0,
        special and winner == Side.LANDLORD,
        special and winner == Side.DEFENDERS,
    )
    bombs = draw(st.integers(0, most_bombs(plain)))
    return Deal(
        SEATS, plain.landlord, plain.bid, winner, plain.rockets, bombs, plain.spring, plain.anti_spring
    )


@given(deal=deals())
def test_landlord_and_defenders_add_up_to_zero_and_defenders_score_the_same(deal: Deal) -> None:
    score = score_deal(deal)
    assert sum(score.points.values()) == 0
    defenders = {score.points[seat] for seat in SEATS if seat != deal.landlord}
    assert len(defenders) == 1
    n = deal.rockets + deal.bombs + deal.spring + deal.anti_spring
    assert abs(defenders.pop()) == deal.bid * 2**n
    assert all((score.points[seat] > 0) == (seat in score.winners) for seat in SEATS)


SHORTS = st.sampled_from(["-", "0L1", "1L1", "2L1", "0D1", "1D1", "2D1", "0L3", "1L2b1", "2D3r"])
THREE_TABLES = st.lists(st.lists(SHORTS, min_size=2, max_size=2), min_size=3, max_size=3)


@settings(max_examples=50, deadline=None)
@given(
    tables=THREE_TABLES,
    offender=st.integers(1, 9),
    rule=st.sampled_from(["smoking", "abuse", "timeouts"]),
    earlier=st.sampled_from([None, "phone", "signals"]),
)
def test_a_points_penalty_never_raises_its_offender(
    tables: list[list[str]], offender: int, rule: str, earlier: str | None
) -> None:
    prelim = stage(
        "prelim",
        {
            "tables": [
                {"seats": [f"e{3 * index + seat}" for seat in (1, 2, 3)], "deals": shorts}
                for index, shorts in enumerate(tables)
            ]
        },
    )
    own = {"entrant": f"e{offender}", "stage": "prelim", "round": 1, "deal": 1}
    before = [] if earlier is None else [{**own, "id": "p1", "rule": earlier}]
    after = [*before, {**own, "id": "p2", "rule": rule, "count": 3}]
    ranks = []
    for adjustments in (before, after):
        answer = event_file.score(event(9, [prelim], adjustments=adjustments), RULES)
        ranks.append({item["entrant"]: item["rank"] for item in answer["placings"]})
    assert ranks[1][f"e{offender}"] >= ranks[0][f"e{offender}"]


@settings(max_examples=30, deadline=None)
@given(tables=THREE_TABLES, data=st.data())
def test_the_order_in_a_file_is_irrelevant(tables: list[list[str]], data: st.DataObject) -> None:
    shorts = [
        {"seats": [f"e{3 * index + seat}" for seat in (1, 2, 3)], "deals": deals_of}
        for index, deals_of in enumerate(tables)
    ]
    plain = event(9, [stage("prelim", {"tables": shorts})])
    mixed = {**plain, "entrants": data.draw(st.permutations(plain["entrants"]))}
    rounds = plain["stages"][0]["rounds"][0]
    mixed["stages"] = [
        {"code": "prelim", "rounds": [{**rounds, "tables": data.draw(st.permutations(rounds["tables"]))}]}
    ]
    assert event_file.score(mixed, RULES) == event_file.score(plain, RULES)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (24, "24"),
        (Fraction(7, 2), "3.5"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(6, 2), "3"),
        (0, "0"),
        (Fraction(1, 8), "0.125"),
    ],
)
def test_numbers_are_shown_as_exact_decimals(value: int | Fraction, text: str) -> None:
    assert decimal_text(value) == text


def test_a_third_has_no_decimal_form() -> None:
    with pytest.raises(ValueError, match="decimal"):
        decimal_text(Fraction(1, 3))


def test_ids_are_listed_as_people_read_them() -> None:
    assert sorted(["e10", "e2", "a", "e1", "2"], key=reading_order) == ["2", "a", "e1", "e2", "e10"]

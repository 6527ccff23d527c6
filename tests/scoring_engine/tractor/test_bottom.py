"""What the bottom is multiplied by (C 八(十八), I-C-5, I-C-12; D 五15, I-D-12)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.documents import DocumentError, Node, Problems
from scoring_engine.tractor.bottom import Bottom, BottomMultipliers, Deck, bottom_faults, shape_fault
from scoring_engine.tractor.cards import Suit, parse_cards
from scoring_engine.tractor.tricks import bottom_dug, decide_trick, read_lead
from scoring_engine.tractor.units import Shape, UnitKind
from tests.scoring_engine.events import golden
from tests.scoring_engine.sentences import check_sentences
from tests.scoring_engine.tractor.regulations import FORMATS, multipliers, trick_format

GOLDEN = golden("tractor_levels")


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def shape(case: dict[str, Any]) -> Shape:
    return Shape(UnitKind(case["unit"]), case["size"])


@pytest.mark.parametrize("case", GOLDEN["multipliers"], ids=named)
def test_a_shape_multiplies_the_bottom_as_the_text_says(case: dict[str, Any]) -> None:
    assert multipliers(case["text"]).of(shape(case)) == case["factor"]


@pytest.mark.parametrize("case", GOLDEN["refused_shapes"], ids=named)
def test_a_shape_the_deck_cannot_form_has_no_multiplier(case: dict[str, Any]) -> None:
    fault = shape_fault(shape(case), FORMATS[case["text"]].deck)
    assert fault is not None
    check_sentences(fault.zh, fault.en)
    with pytest.raises(ValueError, match=fault.zh):
        multipliers(case["text"]).of(shape(case))


@pytest.mark.parametrize(("kind", "zh"), [(UnitKind.TRIPLE, "刻子"), (UnitKind.TRIPLE_RUN, "连刻")])
def test_two_packs_have_no_triples(kind: UnitKind, zh: str) -> None:
    fault = shape_fault(Shape(kind, 2), Deck(2, 8))
    assert fault is not None
    assert fault.zh == f"2副牌没有{zh}。"


@pytest.mark.parametrize("case", GOLDEN["throws"], ids=named)
def test_of_a_throw_the_unit_counts_that_the_option_names(case: dict[str, Any]) -> None:
    shapes = [Shape(UnitKind(kind), size) for kind, size in case["units"]]
    option = case.get("throw_digs", "best_unit")
    counts = multipliers(case["text"]).of_throw(shapes, option)
    assert counts == Shape(UnitKind(case["counts"][0]), case["counts"][1])


@pytest.mark.parametrize("arguments", [([], "best_unit"), ([Shape(UnitKind.SINGLE)], "first")])
def test_a_throw_has_units_and_a_known_option(arguments: Any) -> None:
    with pytest.raises(ValueError, match="throw_digs"):
        multipliers("C").of_throw(*arguments)


def test_the_last_trick_takes_its_multiplier_from_here() -> None:
    rules = trick_format("C").rules(Suit.HEARTS, 0)
    lead = read_lead(parse_cards("S7788"), rules)
    follows = [parse_cards(text) for text in ("S99TT", "D3344", "C3344")]
    dug = bottom_dug(decide_trick(lead, follows, rules), 0, rules.format, multipliers("C"))
    assert dug is not None
    assert multipliers("C").won(Bottom(20, dug.shape)) == 100


@pytest.mark.parametrize("case", GOLDEN["bottoms"], ids=named)
def test_a_bottom_is_counted_or_refused(case: dict[str, Any]) -> None:
    deck = FORMATS[case["text"]].deck
    bottom = Bottom(case["points"], shape(case))
    faults = bottom_faults(bottom, deck)
    assert [key for key, _ in faults] == ([case["fault"]] if "fault" in case else [])
    for _, text in faults:
        check_sentences(text.zh, text.en)
    if "total" in case:
        assert case["taken"] + multipliers(case["text"]).won(bottom) == case["total"]


def test_without_the_last_trick_the_bottom_brings_nothing() -> None:
    assert multipliers("C").won(None) == 0


def test_several_faults_of_a_bottom_are_all_found() -> None:
    faults = bottom_faults(Bottom(-3, Shape(UnitKind.TRIPLE_RUN, 2)), FORMATS["D"].deck)
    assert [key for key, _ in faults] == ["points", "unit"]


@pytest.mark.parametrize("case", GOLDEN["refused_multipliers"], ids=named)
def test_multipliers_that_cannot_be_used_name_the_row(case: dict[str, Any]) -> None:
    deck = Deck(case["decks"], 8 if case["decks"] == 2 else 6)
    with pytest.raises(DocumentError) as refused:
        BottomMultipliers.from_rows(case["rows"], deck, "八(十八)")
    assert {problem.path for problem in refused.value.problems} == {case["path"]}
    for problem in refused.value.problems:
        check_sentences(problem.zh, problem.en)
    node = Node({"clause": "八(十八)", "rows": case["rows"]}, "$", Problems())
    assert BottomMultipliers.read(node, deck) is None


def test_multipliers_need_their_clause() -> None:
    rows = [
        {"unit": "single", "factor": 2},
        {"unit": "pair", "factor": 4},
        {"unit": "pair_run", "size": 2, "factor": 8, "times": 2},
    ]
    assert BottomMultipliers.from_rows(rows, Deck(2, 8), "五15").of(Shape(UnitKind.PAIR_RUN, 4)) == 32
    node = Node({"rows": rows}, "$.scoring.bottom", Problems())
    assert BottomMultipliers.read(node, Deck(2, 8)) is None
    assert [problem.path for problem in node.problems.found] == ["$.scoring.bottom.clause"]


def test_multipliers_are_a_list_of_rows() -> None:
    node = Node({"clause": "五15"}, "$", Problems())
    assert BottomMultipliers.read(node, Deck(2, 8)) is None
    assert "这里应为列表。" in [problem.zh for problem in node.problems.found if problem.path == "$.rows"]


def test_a_multiplier_may_be_one_and_a_row_may_say_that_it_does_not_grow() -> None:
    rows = [
        {"unit": "single", "factor": 1},
        {"unit": "pair", "factor": 4},
        {"unit": "pair_run", "size": 2, "factor": 8, "add": 0},
        {"unit": "pair_run", "size": 3, "factor": 16, "times": 1},
        {"unit": "pair_run", "size": 4, "factor": 32, "times": 2},
    ]
    worth = BottomMultipliers.from_rows(rows, Deck(2, 8), "五15").of
    assert worth(Shape(UnitKind.SINGLE)) == 1
    assert [worth(Shape(UnitKind.PAIR_RUN, size)) for size in (2, 3, 4, 5)] == [8, 16, 32, 64]


@pytest.mark.parametrize("case", GOLDEN["decks"], ids=named)
def test_a_deck_gives_every_player_the_same_number_or_is_refused(case: dict[str, Any]) -> None:
    node = Node({key: case[key] for key in ("decks", "bottom_cards")}, "$", Problems())
    deck = Deck.read(node)
    if "path" in case:
        assert deck is None
        (problem,) = node.problems.found
        assert problem.path == case["path"]
        check_sentences(problem.zh, problem.en)
    else:
        assert deck is not None
        assert deck.hand == case["hand"]


def test_a_bottom_alone_cannot_hold_more_than_all_the_points() -> None:
    deck = Deck(2, 24)
    assert bottom_faults(Bottom(200, Shape(UnitKind.SINGLE)), deck) == []
    assert [key for key, _ in bottom_faults(Bottom(205, Shape(UnitKind.SINGLE)), deck)] == ["points"]


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = [
        {"unit": "pair_run", "size": 3, "factor": 16, "times": 2},
        {"unit": "pair", "factor": 4},
        {"unit": "pair_run", "size": 2, "factor": 8},
        {"unit": "single", "factor": 2},
    ]
    assert BottomMultipliers.from_rows(rows, Deck(2, 8), "五15") == multipliers("D")


@given(st.sampled_from("CD"), st.sampled_from(list(UnitKind)), st.integers(2, 15))
def test_a_longer_run_is_never_worth_less(text: str, kind: UnitKind, size: int) -> None:
    deck, worth = FORMATS[text].deck, multipliers(text).of
    if size + 1 <= deck.longest(kind):
        assert worth(Shape(kind, size)) < worth(Shape(kind, size + 1))


@pytest.mark.parametrize(
    ("text", "points", "hand", "bottom", "longest"),
    [("C", 300, 39, 60, (1, 1, 1, 16, 13)), ("D", 200, 25, 80, (1, 1, 0, 12, 0))],
)
def test_decks_are_counted(text: str, points: int, hand: int, bottom: int, longest: tuple[int, ...]) -> None:
    deck = FORMATS[text].deck
    assert (deck.points, deck.hand, deck.most_bottom_points) == (points, hand, bottom)
    assert tuple(deck.longest(kind) for kind in UnitKind) == longest

"""Tricks of 升级 sentence by sentence (C 八(十一)…(二十一); D 五5…8, 12, 15, 18); the cases stand in tractor_tricks.json."""

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.cards import PLAIN_SUITS, RANK_SIGNS, Card, Suit, cards_text, pack, parse_cards
from scoring_engine.tractor.tricks import (
    OPTIONS,
    Duty,
    IllegalPlayError,
    Lead,
    TrickRules,
    bottom_dug,
    decide_trick,
    forced_lead,
    judge_follow,
    judge_throw,
    legal_follows,
    must_follow,
    read_lead,
)
from scoring_engine.tractor.tricks.formats import CLAUSE_KEYS
from scoring_engine.tractor.units import Shape, Unit, UnitKind, packings, structures
from tests.conftest import ROOT
from tests.scoring_engine.events import golden
from tests.scoring_engine.tractor.regulations import shipped, trick_format

GOLDEN = golden("tractor_tricks")
Judge = Callable[[dict[str, Any], TrickRules], None]


def rules_of(case: dict[str, Any], options: dict[str, Any] | None = None) -> TrickRules:
    """The rules of a case: its own options, or these instead."""
    format_ = trick_format(case["text"], case.get("options", {}) if options is None else options)
    rules = format_.rules(Suit.HEARTS, RANK_SIGNS.index(case.get("level", "2")))
    return rules.for_player(0, 0) if case.get("lowered") else rules


def lead_of(units: Sequence[str], rules: TrickRules) -> Lead:
    cards = [parse_cards(unit) for unit in units]
    return read_lead([card for unit in cards for card in unit], rules, declared=cards)


def shown(units: Sequence[Unit]) -> list[tuple[Card, ...]]:
    return [unit.cards for unit in units]


def judge_structures(case: dict[str, Any], rules: TrickRules) -> None:
    cards = parse_cards(case["cards"])
    if case.get("refused"):
        with pytest.raises(ValueError, match="not of one suit"):
            structures(cards, rules.trumps)
        return
    expected = [[parse_cards(unit) for unit in structure.split("+")] for structure in case["is"]]
    assert [shown(units) for units in structures(cards, rules.trumps)] == expected


@pytest.mark.parametrize("case", GOLDEN["structures"], ids=lambda case: case["name"])
def test_cards_have_the_structures_of_the_text(case: dict[str, Any]) -> None:
    judge_structures(case, rules_of(case))


def judge_leads(case: dict[str, Any], rules: TrickRules) -> None:
    given_cards: dict[str, Any] = {}
    if "declared" in case:
        given_cards["declared"] = [parse_cards(unit) for unit in case["declared"]]
    if "hand" in case:
        given_cards["hand"] = parse_cards(case["hand"])
    if "duty" in case:
        with pytest.raises(IllegalPlayError) as refused:
            read_lead(parse_cards(case["cards"]), rules, **given_cards)
        assert refused.value.breach.duty == case["duty"]
        assert refused.value.breach.clause == case["clause"]
        assert refused.value.breach.text.zh.endswith("。")
        assert refused.value.breach.text.en.endswith(".")
        return
    lead = read_lead(parse_cards(case["cards"]), rules, **given_cards)
    assert [[unit.kind, unit.size] for unit in lead.units] == case["units"]
    assert lead.is_throw == (len(case["units"]) > 1)


@pytest.mark.parametrize("case", GOLDEN["leads"], ids=lambda case: case["name"])
def test_a_lead_is_read_or_refused_with_its_duty(case: dict[str, Any]) -> None:
    judge_leads(case, rules_of(case))


def judge_throws(case: dict[str, Any], rules: TrickRules) -> None:
    others = [parse_cards(hand) for hand in case["others"]]
    verdict = judge_throw(
        lead_of(case["units"], rules), others, rules, lowered_player=case.get("lowered_player")
    )
    assert shown(verdict.beaten) == [parse_cards(unit) for unit in case["beaten"]]
    assert shown(verdict.choices) == [parse_cards(unit) for unit in case.get("choices", case["beaten"])]
    forced = case["forced"] and parse_cards(case["forced"])
    assert (verdict.forced.cards if verdict.forced else None) == forced
    assert verdict.blocked_cards == case["blocked"]
    if verdict.forced:
        assert forced_lead(verdict) == Lead((verdict.forced,))
    else:
        with pytest.raises(ValueError, match="stands" if verdict.stands else "chooses"):
            forced_lead(verdict)
    for choice in verdict.choices:
        assert forced_lead(verdict, choice).cards == choice.cards


@pytest.mark.parametrize("case", GOLDEN["throws"], ids=lambda case: case["name"])
def test_a_throw_stands_or_falls_by_its_units(case: dict[str, Any]) -> None:
    judge_throws(case, rules_of(case))


def judge_follows(case: dict[str, Any], rules: TrickRules) -> None:
    lead, hand = lead_of(case["lead"], rules), parse_cards(case["hand"])
    listed = set(legal_follows(hand, lead, rules))
    for play in case["legal"]:
        cards = parse_cards(play)
        assert judge_follow(hand, lead, cards, rules) is None, play
        assert rules.trumps.sorted(cards) in listed, play
    for play, duty in case["illegal"].items():
        cards = parse_cards(play)
        breach = judge_follow(hand, lead, cards, rules)
        assert breach is not None, play
        assert breach.duty == duty, play
        assert breach.text.zh.endswith("。")
        assert breach.text.en.endswith(".")
        assert rules.trumps.sorted(cards) not in listed, play
        for key in ("cards_short", "pairs_short"):
            if key in case:
                assert getattr(breach, key) == case[key], play


@pytest.mark.parametrize("case", GOLDEN["follows"], ids=lambda case: case["name"])
def test_a_follow_is_legal_or_names_the_duty_it_broke(case: dict[str, Any]) -> None:
    judge_follows(case, rules_of(case))


def judge_tricks(case: dict[str, Any], rules: TrickRules) -> None:
    follows = [parse_cards(cards) for cards in case["follows"]]
    result = decide_trick(
        lead_of(case["lead"], rules), follows, rules, lowered_player=case.get("lowered_player")
    )
    assert (result.winner, result.ruffed, result.points) == (case["winner"], case["ruffed"], case["points"])
    assert result.clause == rules.format.trick_clause


@pytest.mark.parametrize("case", GOLDEN["tricks"], ids=lambda case: case["name"])
def test_the_trick_goes_to_whom_the_text_gives_it(case: dict[str, Any]) -> None:
    judge_tricks(case, rules_of(case))


def judge_bottoms(case: dict[str, Any], rules: TrickRules) -> None:
    follows = [parse_cards(cards) for cards in case["follows"]]
    result = decide_trick(lead_of(case["lead"], rules), follows, rules)
    dug = bottom_dug(result, case["banker"], rules.format, shipped(case["text"]).match.bottom)
    assert ([dug.shape.kind, dug.shape.size] if dug else None) == case["dug"]
    if dug:
        assert dug.winner == result.winner
        assert dug.clause == rules.format.bottom_clause


@pytest.mark.parametrize("case", GOLDEN["bottoms"], ids=lambda case: case["name"])
def test_the_bottom_is_dug_with_the_unit_that_won_the_last_trick(case: dict[str, Any]) -> None:
    judge_bottoms(case, rules_of(case))


def test_what_a_hand_owes_is_said_in_both_languages_with_the_clauses() -> None:
    rules = trick_format("C").rules(Suit.HEARTS, 0)
    lead = lead_of(["S667788"], rules)
    owed = must_follow(parse_cards("S3344 S99 SJ D3"), lead, rules)
    assert owed.text.zh == "须跟黑桃6张，其中须有二连对、对子。"
    assert owed.text.en == "6 spades are due, among them a run of 2 pairs and a pair."
    assert owed.clauses == ("八(十九)", "八(十二)")
    assert owed.shapes == (Shape(UnitKind.PAIR_RUN, 2), Shape(UnitKind.PAIR))
    assert must_follow(parse_cards("D3 D4 D5 D6 D7 D8 H3"), lead, rules).text.zh == "无黑桃，可出任意6张。"
    short = must_follow(parse_cards("S33 S9 D4 D5 D6 D7"), lead, rules)
    assert short.text.zh == "须跟黑桃3张，其中须有对子，另3张任意。"
    assert short.text.en == "3 spades are due, among them a pair, and any 3 others."
    twice = must_follow(parse_cards("S33 S55 S77 S99"), lead, rules)
    assert twice.text.zh == "须跟黑桃6张，其中须有对子×3。"


def test_a_pair_owed_to_a_triple_stands_in_the_clause_of_the_triple() -> None:
    rules = trick_format("C").rules(Suit.HEARTS, 0)
    breach = judge_follow(parse_cards("S33 S9 SJ"), lead_of(["S777"], rules), parse_cards("S3 S9 SJ"), rules)
    assert breach is not None
    assert (breach.duty, breach.clause) == (Duty.FOLLOW_PAIR, "八(十四)")


def test_a_hand_too_small_to_follow_is_refused() -> None:
    rules = trick_format("D").rules(Suit.HEARTS, 0)
    with pytest.raises(ValueError, match="1 cards cannot follow 2"):
        must_follow(parse_cards("S3"), lead_of(["S77"], rules), rules)


@pytest.mark.parametrize("follows", [["S3", "S4"], ["S3", "S4", "S55"], ["S3", "S4", "S5", "S6"]], ids=str)
def test_a_trick_has_three_follows_of_as_many_cards(follows: list[str]) -> None:
    rules = trick_format("D").rules(Suit.HEARTS, 0)
    with pytest.raises(ValueError, match="1 cards led"):
        decide_trick(lead_of(["S7"], rules), [parse_cards(cards) for cards in follows], rules)


def test_shapes_are_laid_out_of_cards_in_every_way_once() -> None:
    trumps = trick_format("C").rules(Suit.HEARTS, 0).trumps

    def laid(cards: str, *shapes: Shape) -> list[str]:
        ways = packings(Counter(parse_cards(cards)), shapes, trumps)
        return [" + ".join(cards_text(unit.cards) for unit in units) for units in ways]

    single, pair = Shape(UnitKind.SINGLE), Shape(UnitKind.PAIR)
    assert laid("S3 S3 S4", single, single) == ["♠4 + ♠3", "♠3 + ♠3"]
    assert laid("S33 S44 S66", pair, pair) == ["♠6 ♠6 + ♠4 ♠4", "♠6 ♠6 + ♠3 ♠3", "♠4 ♠4 + ♠3 ♠3"]
    assert laid("S333", pair, single) == ["♠3 ♠3 + ♠3"]
    assert laid("S333", pair, pair) == []


def test_more_copies_than_three_decks_hold_have_no_structure() -> None:
    with pytest.raises(ValueError, match="three decks"):
        structures(parse_cards("S7777"), trick_format("C").rules(Suit.HEARTS, 0).trumps)


JUDGES: dict[str, Judge] = {
    "structures": judge_structures,
    "leads": judge_leads,
    "throws": judge_throws,
    "follows": judge_follows,
    "tricks": judge_tricks,
    "bottoms": judge_bottoms,
}
CHOICES = [
    (text, option, value)
    for text in "CD"
    for option in OPTIONS
    if option in shipped(text).interpretations
    for value in shipped(text).interpretations[option].allowed  # type: ignore[union-attr]  # words, no range
]


def changes(case: dict[str, Any], judge: Judge, option: str) -> bool:
    """Whether the answer of a case is another one where its option is left at the default."""
    options = {name: value for name, value in case["options"].items() if name != option}
    try:
        judge(case, rules_of(case, options))
    except (AssertionError, IllegalPlayError, pytest.fail.Exception):
        return True
    return False


@pytest.mark.parametrize(("text", "option", "value"), CHOICES, ids=str)
def test_every_value_of_every_option_changes_the_answer_of_a_case(text: str, option: str, value: str) -> None:
    if shipped(text).interpretations[option].default == value:
        assert getattr(trick_format(text), option) == value
        return
    cases = [
        (case, judge)
        for listed, judge in JUDGES.items()
        for case in GOLDEN[listed]
        if case["text"] == text and case.get("options", {}).get(option) == value
    ]
    assert any(changes(case, judge, option) for case, judge in cases)


def test_the_options_of_an_event_file_are_those_its_tricks_are_judged_by() -> None:
    example = (ROOT / "docs" / "examples" / "tractor.json").read_text(encoding="utf-8")
    document = {**event_file.parse(example), "options": {"undeclared_throw": "most_significant"}}
    cards = parse_cards("S44433")
    with pytest.raises(IllegalPlayError):
        read_lead(cards, shipped("C").tricks.rules(Suit.HEARTS, 0))
    chosen = event_file.read(document, shipped("C")).rules.tricks
    assert read_lead(cards, chosen.rules(Suit.HEARTS, 0)).shapes == (
        Shape(UnitKind.PAIR_RUN, 2),
        Shape(UnitKind.SINGLE),
    )


@pytest.mark.parametrize("text", ["C", "D"])
def test_the_clauses_of_duties_are_those_of_the_regulation_file(text: str) -> None:
    document = copy.deepcopy(dict(shipped(text).source))
    for row in document["interpretations"]:
        row["clause"] = f"§{row['option']}"
    document["scoring"]["clauses"] = {key: f"§{key}" for key in CLAUSE_KEYS}
    format_ = ScoringRules.from_mapping(document).tricks
    assert {
        duty: format_.clauses[duty] for duty in (Duty.CARD_COUNT, Duty.FOLLOW_PAIR, Duty.THROW_SINGLES)
    } == {
        Duty.CARD_COUNT: "§card_count",
        Duty.FOLLOW_PAIR: "§follow_pair",
        Duty.THROW_SINGLES: "§throw_units",
    }
    assert set(format_.clauses) == set(Duty)
    assert (format_.throw_clause, format_.trick_clause, format_.bottom_clause, format_.lowered_clause) == (
        *("§failed_throw", "§ruff_comparison", "§throw_digs"),
        "§lowered_levels",
    )


def test_a_clause_that_the_regulation_does_not_name_is_that_of_its_scoring() -> None:
    document = copy.deepcopy(dict(shipped("C").source))
    del document["scoring"]["clauses"]
    for row in document["interpretations"]:
        row.pop("clause", None)
    format_ = ScoringRules.from_mapping(document).tricks
    assert set(format_.clauses.values()) == {"八"}
    assert (format_.throw_clause, format_.lowered_clause) == ("八", None)


def test_two_packs_have_no_triples_to_fill_up_with() -> None:
    assert trick_format("D").triple_run_fill is None
    assert trick_format("C").triple_run_fill == "triples"


@st.composite
def deals(draw: st.DrawFn) -> tuple[TrickRules, list[list[Card]]]:
    """Four small hands of a real pack, under any trumps."""
    format_ = trick_format(draw(st.sampled_from("CD")))
    rules = format_.rules(draw(st.sampled_from(PLAIN_SUITS)), draw(st.integers(0, 12)))
    size = draw(st.integers(1, 9))
    # A few ranks only, so that pairs, triples and runs are met.
    ranks = draw(st.lists(st.integers(0, 12), min_size=3, max_size=4, unique=True))
    pool = [card for card in pack(format_.decks) if card.rank in ranks or card.suit is Suit.TRUMP]
    dealt = draw(st.permutations(pool))
    size = min(size, len(pool) // 4)
    return rules, [list(dealt[seat * size : (seat + 1) * size]) for seat in range(4)]


@given(deals(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_whole_deal_of_legal_tricks_plays_out(
    deal: tuple[TrickRules, list[list[Card]]], data: st.DataObject
) -> None:
    rules, hands = deal
    total = sum(card.rank in (8, 11) for hand in hands for card in hand) * 10
    total += sum(card.rank == 3 for hand in hands for card in hand) * 5
    leader, points = 0, 0
    while hands[0]:
        seats = [(leader + turn) % 4 for turn in range(4)]
        hand = hands[leader]
        suit = rules.trumps.suit_of(data.draw(st.sampled_from(sorted(hand))))
        suited = [card for card in hand if rules.trumps.suit_of(card) is suit]
        cards = data.draw(st.lists(st.sampled_from(range(len(suited))), min_size=1, unique=True))
        structure = structures([suited[index] for index in cards], rules.trumps)[-1]
        lead = read_lead([suited[index] for index in cards], rules, hand=hand, declared=shown(structure))
        verdict = judge_throw(lead, [hands[seat] for seat in seats[1:]], rules)
        if not verdict.stands:
            lead = forced_lead(verdict, verdict.choices[-1])
            assert not lead.is_throw
        plays: list[tuple[Card, ...]] = [lead.cards]
        for seat in seats[1:]:
            follow = next(legal_follows(hands[seat], lead, rules))
            assert judge_follow(hands[seat], lead, follow, rules) is None
            plays.append(follow)
        result = decide_trick(lead, plays[1:], rules)
        if lead.is_throw and not result.ruffed:
            assert result.winner == 0  # a throw that stands is beaten by ruffs alone
        if result.ruffed:
            assert all(rules.trumps.suit_of(card) is Suit.TRUMP for card in plays[result.winner])
        assert sorted(card for unit in result.units for card in unit.cards) == sorted(plays[result.winner])
        assert [unit.shape for unit in result.units] == list(lead.shapes)
        points += result.points
        for seat, play in zip(seats, plays, strict=True):
            for card in play:
                hands[seat].remove(card)
        leader = seats[result.winner]
    assert points == total


@given(deals(), st.data())
@settings(max_examples=100, deadline=None)
def test_the_order_of_cards_in_a_hand_changes_nothing(
    deal: tuple[TrickRules, list[list[Card]]], data: st.DataObject
) -> None:
    rules, (leading, hand, *_) = deal
    lead = Lead(structures([leading[0]] * min(2, len(hand)), rules.trumps)[0])
    shuffled = data.draw(st.permutations(hand))
    assert must_follow(hand, lead, rules) == must_follow(shuffled, lead, rules)
    assert list(legal_follows(hand, lead, rules)) == list(legal_follows(shuffled, lead, rules))


def test_a_long_throw_is_judged_without_counting_every_way() -> None:
    rules = trick_format("C").rules(Suit.HEARTS, 0)
    lead = Lead(structures(parse_cards("SAAAKKKQQJJTT9"), rules.trumps)[0])
    hand = parse_cards("S333444 S6677 S999 SJJJ SKQ HAAAKKKQQQJJJTTT D34567")
    owed = must_follow(hand, lead, rules)
    assert [shape.kind for shape in owed.shapes] == ["triple_run", "pair_run", "pair"]
    for follow, _ in zip(legal_follows(hand, lead, rules), range(50), strict=False):
        assert judge_follow(hand, lead, follow, rules) is None
    assert judge_follow(hand, lead, parse_cards("S333444 S6677 S99 SK"), rules) is None
    broken = judge_follow(hand, lead, parse_cards("S333444 S66 S99 SJJ SK"), rules)
    assert broken is not None
    assert broken.duty == Duty.FOLLOW_TRACTOR

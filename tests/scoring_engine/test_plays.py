"""Combinations of 二打一 (A 四(二)比赛通则4 and 5; B 附件4八(四)4): the golden rows, every profile, and properties."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine.landlord.cards import Cards, CardsError, cards, holds, text_of
from scoring_engine.landlord.plays import (
    LITERAL,
    PLAY_OPTIONS,
    RESTRICTED,
    IllegalPlayError,
    Kind,
    PlayRules,
    Plays,
    Reading,
    plays_under,
)
from scoring_engine.landlord.plays.rules import PROFILES as PROFILES_BY_NAME
from scoring_engine.rules import RulesError
from scoring_engine.rules.options import OPTIONAL, PLAY_VALUES
from tests.scoring_engine.events import golden
from tests.scoring_engine.play_definitions import hands, readings

GOLDEN = golden("plays")
A = plays_under(RESTRICTED)
B = plays_under(LITERAL)
PROFILES = [PlayRules.from_options(profile["options"]) for profile in GOLDEN["profiles"]]
EVERY_PROFILE = [*PROFILES, PlayRules.from_options({"chain_rank_wings": "allowed"})]


@pytest.mark.parametrize("case", GOLDEN["legal"], ids=lambda case: case["play"])
def test_a_legal_combination_has_its_kind_and_clause(case: dict[str, Any]) -> None:
    reading = A.classify(case["play"])
    assert (reading.kind, A.clause_of(reading)) == (case["kind"], case["clause"])


@pytest.mark.parametrize("case", GOLDEN["literal"], ids=lambda case: case["play"])
def test_regulation_b_read_literally_bars_nothing_that_is_carried(case: dict[str, Any]) -> None:
    reading = B.classify(case["play"])
    assert (reading.kind, B.clause_of(reading)) == (case["kind"], case["clause"])


@pytest.mark.parametrize("case", GOLDEN["illegal"], ids=lambda case: case["play"])
def test_an_illegal_combination_is_refused_with_its_clause(case: dict[str, Any]) -> None:
    with pytest.raises(IllegalPlayError) as refused:
        A.classify(case["play"])
    refusal = refused.value.refusal
    assert case["says"] in refusal.text.zh
    assert refusal.text.en.endswith(".")
    assert (refusal.clause, refusal.option) == (case["clause"], case.get("option"))


@pytest.mark.parametrize("case", GOLDEN["beats"], ids=lambda case: f"{case['play']} > {case['other']}")
def test_plays_compare_within_a_kind_and_by_bomb_and_rocket(case: dict[str, Any]) -> None:
    found = A.compare(case["play"], case["other"])
    assert (found.beats, found.clause) == (case["beats"], case["clause"])
    assert found.text.zh.endswith("。")
    assert found.text.en.endswith(".")
    assert A.beats(case["play"], case["other"]) == case["beats"]


def test_the_kinds_have_their_counts() -> None:
    own = [A.classify(play) for play in A]
    assert Counter(reading.kind.value for reading in own) == GOLDEN["counts"]
    for kind, name in (
        (Kind.PLANE_WITH_SINGLES, "planes_with_singles"),
        (Kind.PLANE_WITH_PAIRS, "planes_with_pairs"),
    ):
        lengths = Counter(str(reading.length) for reading in own if reading.kind is kind)
        assert lengths == GOLDEN[name]


@pytest.mark.parametrize("profile", GOLDEN["profiles"], ids=lambda profile: profile["name"])
def test_every_profile_has_its_number_of_plays(profile: dict[str, Any]) -> None:
    assert len(plays_under(PlayRules.from_options(profile["options"]))) == profile["plays"]


def test_with_the_defaults_of_a_every_play_has_one_reading() -> None:
    assert all(len(A.readings(play)) == 1 for play in A)


def test_of_several_readings_the_one_that_carries_least_is_the_plays_own() -> None:
    plane = Reading(Kind.PLANE, 4, 3)
    assert B.readings("333444555666") == (
        plane,
        Reading(Kind.PLANE_WITH_SINGLES, 3, 3),
        Reading(Kind.PLANE_WITH_SINGLES, 3, 2),
    )
    assert B.classify("333444555666") == plane


def test_a_play_that_answers_may_be_any_of_its_readings() -> None:
    found = B.compare("666777888999", "333444555+QQQ")
    assert found.beats
    assert found.reading == Reading(Kind.PLANE_WITH_SINGLES, 3, 6)
    assert cards("666777888999") in B.plays_that_beat("666777888999", "333444555+QQQ")
    assert not B.beats("333444555666", "777888999+QQQ")


def test_the_kind_that_comes_nearest_is_named_where_plays_do_not_compare() -> None:
    found = B.compare("333444555666", "777888999+QQQ")
    assert (found.reading.kind, found.text.zh) == (Kind.PLANE_WITH_SINGLES, "主体较小。")


@pytest.mark.parametrize(
    ("options", "play", "option"),
    [
        ({"joker_wings": "none"}, "333444+7B", "joker_wings"),
        ({"joker_wings": "none"}, "5555+3R", "joker_wings"),
        ({"repeated_wings": "barred"}, "333444+55", "repeated_wings"),
        ({"repeated_wings": "barred"}, "333444555666+9999", "repeated_wings"),
        ({"four_with_equal_singles": "barred"}, "5555+33", "four_with_equal_singles"),
        ({"chain_rank_wings": "barred"}, "333444+3+5", "chain_rank_wings"),
        ({}, "444555666777+333+9", "adjacent_triple_wings"),
    ],
)
def test_a_refusal_names_the_option_that_bars_the_play(
    options: dict[str, str], play: str, option: str
) -> None:
    with pytest.raises(IllegalPlayError) as refused:
        plays_under(PlayRules.from_options(options)).classify(play)
    assert refused.value.refusal.option == option


def test_an_unknown_value_of_an_option_is_named_with_the_known_ones() -> None:
    with pytest.raises(RulesError) as wrong:
        PlayRules.from_options({"joker_wings": "many", "play_profile": 1})
    assert [problem.path for problem in wrong.value.problems] == [
        "$.options.play_profile",
        "$.options.joker_wings",
    ]
    assert "rocket_allowed" in wrong.value.problems[1].zh


def test_options_about_other_things_are_not_looked_at() -> None:
    assert PlayRules.from_options({"deals_per_stage": 10, "passed_out": "counts"}) == RESTRICTED


def test_a_regulation_may_use_exactly_the_words_the_plays_know() -> None:
    assert set(PLAY_VALUES) == {*PLAY_OPTIONS, "play_profile"}
    assert set(PLAY_VALUES["play_profile"]) == set(PROFILES_BY_NAME)
    assert set(OPTIONAL) == {"landlord"}


def test_every_option_changes_the_rules() -> None:
    for name, (_, choices) in PLAY_OPTIONS.items():
        assert set(choices) == set(PLAY_VALUES[name])
        assert len({PlayRules.from_options({name: word}) for word in choices}) == len(choices)


@pytest.mark.parametrize("play", ["33333", "3" * 16, "RRRR", "BB", "3" * 300])
def test_cards_no_pack_has_are_no_play(play: str) -> None:
    with pytest.raises(CardsError):
        A.classify(play)


def test_a_rocket_or_a_bomb_is_among_the_answers_to_anything() -> None:
    hand = "34444BR"
    assert {text_of(play) for play in A.plays_that_beat(hand, "99")} == {"4444", "BR"}
    assert {text_of(play) for play in A.plays_that_beat(hand, "3")} == {"4", "B", "R", "4444", "BR"}
    assert A.plays_that_beat(hand, "BR") == []


@pytest.mark.parametrize("rules", EVERY_PROFILE)
@settings(deadline=None)  # the first example makes the table of its profile
@given(play=hands())
def test_every_profile_reads_cards_by_the_definitions(rules: PlayRules, play: list[str]) -> None:
    plays = plays_under(rules)
    text = "".join(play)
    expected = readings(play, rules)
    assert set(plays.readings(text)) == expected
    if expected:
        assert plays.classify(text) in expected
        return
    with pytest.raises(IllegalPlayError) as refused:
        plays.classify(text)
    refusal = refused.value.refusal
    assert refusal.text.zh.endswith("。")
    assert refusal.text.en.endswith(".")
    assert refusal.clause


@pytest.mark.parametrize("rules", EVERY_PROFILE)
@settings(deadline=None)  # the first example makes the table of its profile
@given(hand=hands())
def test_the_leads_of_a_hand_are_the_plays_it_holds(rules: PlayRules, hand: list[str]) -> None:
    plays = plays_under(rules)
    held = cards("".join(hand))
    leads = plays.legal_leads(held)
    assert sorted(leads) == sorted(play for play in plays if holds(held, play))


@given(play=hands(), data=st.data())
def test_the_order_of_the_cards_is_irrelevant(play: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(play))
    assert A.readings("".join(play)) == A.readings("+".join(shuffled))


def of_a_kind(plays: Plays) -> dict[tuple[Kind, int], list[Cards]]:
    """The plays that have one reading, by what compares with what."""
    groups: dict[tuple[Kind, int], list[Cards]] = {}
    for play in plays:
        if len(readings := plays.readings(play)) == 1:
            groups.setdefault((readings[0].kind, readings[0].length), []).append(play)
    return groups


@pytest.mark.parametrize("plays", [A, B], ids=["A", "B"])
@given(data=st.data())
def test_beating_is_a_strict_order_within_a_kind_and_length(plays: Plays, data: st.DataObject) -> None:
    groups = GROUPS[plays]
    group = groups[data.draw(st.sampled_from(sorted(groups)))]
    one, two, three = (data.draw(st.sampled_from(group)) for _ in range(3))
    assert not plays.beats(one, one)
    assert not (plays.beats(one, two) and plays.beats(two, one))
    assert plays.beats(one, two) or plays.beats(two, one) or plays.classify(one) == plays.classify(two)
    if plays.beats(one, two) and plays.beats(two, three):
        assert plays.beats(one, three)


GROUPS = {plays: of_a_kind(plays) for plays in (A, B)}


@given(one=st.sampled_from(sorted(B)), two=st.sampled_from(sorted(B)))
def test_no_two_plays_beat_each_other(one: Cards, two: Cards) -> None:
    for plays in (A, B):
        if plays.readings(one) and plays.readings(two):
            assert one == two or not (plays.beats(one, two) and plays.beats(two, one))


@given(hand=hands(), play=st.sampled_from(sorted(A)))
def test_the_answers_of_a_hand_are_its_leads_that_beat_the_play(hand: list[str], play: Cards) -> None:
    held = cards("".join(hand))
    answers = A.plays_that_beat(held, play)
    assert sorted(answers) == sorted(lead for lead in A.legal_leads(held) if A.compare(lead, play).beats)

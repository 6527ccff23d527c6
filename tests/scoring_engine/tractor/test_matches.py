"""Matches of C and D deal by deal, their end, and everything that cannot have happened."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.documents import DocumentError, Node, Problems
from scoring_engine.tractor.bottom import Bottom
from scoring_engine.tractor.levels import level_name
from scoring_engine.tractor.matches import (
    OPTIONS,
    Deal,
    End,
    ImpossibleMatchError,
    Match,
    MatchFormat,
    decide,
    faults_of,
    next_seat,
    read_match,
    score_match,
)
from scoring_engine.tractor.penalties import Infringement
from scoring_engine.tractor.units import Shape, UnitKind
from scoring_engine.values import EntrantId, NeedsRuling
from tests.scoring_engine.sentences import check_sentences
from tests.scoring_engine.tractor.regulations import (
    FORMATS,
    MATCHES,
    SIDES,
    deal,
    infringement,
    match,
    match_format,
    regulation,
)


def named(case: dict[str, Any]) -> str:
    return f"{case.get('text', '')} {case['name']}"


def of_case(case: dict[str, Any]) -> tuple[Match, MatchFormat, list[Infringement]]:
    penalties = [infringement(one, number) for number, one in enumerate(case.get("penalties", ()))]
    return match(case), match_format(case["text"], case.get("options")), penalties


@pytest.mark.parametrize("case", [one for one in MATCHES["matches"] if "faults" not in one], ids=named)
def test_a_match_is_scored_as_the_text_says(case: dict[str, Any]) -> None:
    played, format_, penalties = of_case(case)
    score = score_match(played, format_, penalties)
    assert score_match(played, format_, penalties) == score
    if "scores" in case:
        wanted = [
            dict(zip(("defenders_points", "up", "levels", "bank"), one, strict=True))
            for one in case["scores"]
        ]
        assert [one.to_json() for one in score.deals] == wanted
    if "levels" in case:
        assert list(score.levels_json().values()) == case["levels"]
    if "seats" in case:
        assert [one.seat for one in score.deals] == case["seats"]
    if "clauses" in case:
        assert [one.clause for one in score.deals] == case["clauses"]
    if "changes" in case:
        assert [[line.defenders for line in one.penalties] for one in score.deals] == case["changes"]
    if "notes" in case:
        for note, (says, clause) in zip(score.notes, case["notes"], strict=True):
            check_sentences(note.reason.zh, note.reason.en)
            assert says in note.reason.zh
            assert note.clause == clause
    if "tiers" in case:
        assert {side: tier.effect for side, tier in score.late.items()} == case["tiers"]
    if case.get("ruling"):
        assert score.ruling is not None
        assert score.ruling.clause == case["clause"]
        assert score.outcome is None
        assert score.points is None
    elif not case.get("begun", True):
        assert (score.outcome, score.points, score.ruling) == (None, None, None)
    else:
        assert score.outcome is not None
        assert score.ruling is None
        if "winner" in case:
            assert score.outcome.winner == case["winner"]
        if "by" in case:
            assert score.outcome.decided_by == case["by"]
        if "points" in case:
            assert score.points is not None
            assert list(score.points.values()) == case["points"]
        if case["text"] == "D":
            assert score.points is None
    difference = [score.level_difference(side) for side in SIDES]
    assert sum(difference) == 0
    assert difference[0] == score.levels[SIDES[0]] - score.levels[SIDES[1]]


@pytest.mark.parametrize("case", [one for one in MATCHES["matches"] if "faults" in one], ids=named)
def test_a_match_that_cannot_have_happened_is_refused_with_its_paths(case: dict[str, Any]) -> None:
    played, format_, penalties = of_case(case)
    faults = faults_of(played, format_, penalties)
    assert [fault.path for fault in faults] == case["faults"]
    for fault in faults:
        check_sentences(fault.text.zh, fault.text.en)
        assert fault.clause
    with pytest.raises(ImpossibleMatchError) as refused:
        score_match(played, format_, penalties)
    assert list(refused.value.faults) == faults
    assert faults[0].text.zh in str(refused.value)


def test_a_table_has_two_sides() -> None:
    with pytest.raises(ValueError, match="two sides"):
        score_match(Match((SIDES[0], SIDES[0])), FORMATS["C"])


def test_the_levels_after_each_deal_are_kept() -> None:
    score = score_match(Match(SIDES, (deal(0), deal(120), deal(60, "e2"))), FORMATS["C"])
    assert [[level_name(one.standing[side]) for side in SIDES] for one in score.deals] == [
        ["5", "2"],
        ["5", "2"],
        ["5", "3"],
    ]


def test_a_deal_says_what_the_bottom_brought_and_by_which_row() -> None:
    dug = Deal(SIDES[0], 110, Bottom(20, Shape(UnitKind.PAIR_RUN, 2)))
    (one,) = score_match(Match(SIDES, (dug,)), FORMATS["C"]).deals
    assert (one.dug, one.defenders_points, one.clause, one.banker) == (100, 210, "八(七)", "e1")


def test_records_built_by_hand_are_checked_as_well() -> None:
    stranger = EntrantId("e9")
    end = End({SIDES[0]: 13, SIDES[1]: 3}, stranger, stranger)
    paths = [fault.path for fault in faults_of(Match(SIDES, None, end), FORMATS["C"])]
    assert paths == ["levels.e1", "past_a", "bank", "past_a"]
    late = Match(SIDES, (), late={stranger: 1, SIDES[0]: -1})  # type: ignore[dict-item]  # whole minutes are exact too
    assert [fault.path for fault in faults_of(late, FORMATS["C"])] == ["late.e9", "late.e1"]
    gone = Match(SIDES, (), forfeits=frozenset({stranger}))
    assert [fault.path for fault in faults_of(gone, FORMATS["C"])] == ["forfeits"]
    seat = Match(SIDES, (Deal(SIDES[0], 60, seat=9),))
    assert [fault.path for fault in faults_of(seat, FORMATS["C"])] == ["deals[0].seat"]
    early = Infringement("p", "revoke", SIDES[0], 0)
    assert [fault.path for fault in faults_of(Match(SIDES, (deal(60),)), FORMATS["C"], [early])] == [
        "penalties[0].deal"
    ]


def test_an_end_that_says_who_passed_a_must_agree_with_the_deals() -> None:
    played = Match(SIDES, tuple(deal(0) for _ in range(4)), End({SIDES[0]: 12, SIDES[1]: 0}, None, SIDES[0]))
    faults = faults_of(played, FORMATS["C"])
    assert [(fault.path, fault.text.zh) for fault in faults] == [("past_a", "按各副应为无。")]


@pytest.mark.parametrize("case", MATCHES["seats"], ids=named)
def test_the_bank_goes_round_as_the_text_says(case: dict[str, Any]) -> None:
    following = next_seat(case["seat"], side_keeps_bank=case["keeps"], rotation=case["rotation"])
    assert following == case["next"]


@pytest.mark.parametrize(("seat", "rotation"), [(4, "partner"), (-1, "partner"), (0, "anyone")])
def test_a_seat_or_rotation_that_does_not_exist_is_refused(seat: int, rotation: str) -> None:
    with pytest.raises(ValueError, match="rotation"):
        next_seat(seat, side_keeps_bank=True, rotation=rotation)


@pytest.mark.parametrize("case", MATCHES["tables"], ids=named)
def test_a_table_of_an_event_file_is_read_or_its_problems_named(case: dict[str, Any]) -> None:
    node = Node(case["node"], "$", Problems())
    found = read_match(node, SIDES)
    if "paths" in case:
        assert found is None
        assert [problem.path for problem in node.problems.found] == case["paths"]
    else:
        assert found is not None
        score = score_match(found, FORMATS["C"])
        assert list(score.levels_json().values()) == case["levels"]


def change(document: dict[str, Any], path: str, value: Any) -> None:
    """Sets `a.b.0.c` of a document, or drops it where the value is Ellipsis."""
    *parents, last = path.split(".")
    part: Any = document
    for key in parents:
        part = part[int(key)] if isinstance(part, list) else part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value


@pytest.mark.parametrize("case", MATCHES["refused_regulations"], ids=named)
def test_a_regulation_that_cannot_be_played_by_names_its_keys(case: dict[str, Any]) -> None:
    document = regulation(case["text"])
    options = {**document.pop("options"), **case.get("options", {})}
    for name in case.get("without", ()):
        del options[name]
    if "drop" in case:
        change(document, case["drop"], ...)
    if "set" in case:
        change(document, *case["set"])
    with pytest.raises(DocumentError) as refused:
        MatchFormat.from_mapping(document, options)
    assert case["path"] in [problem.path for problem in refused.value.problems]


def test_a_rule_without_its_own_clause_has_that_of_the_scoring() -> None:
    assert FORMATS["C"].clause_of("must_play") == "八"
    assert FORMATS["C"].clause_of("further_deals") == "八(四)"
    document = regulation("C")
    options = document.pop("options")
    del document["scoring"]["clauses"]
    assert MatchFormat.from_mapping(document, options).clause_of("further_deals") == "八"


def test_must_play_levels_are_held_where_no_option_frees_them() -> None:
    document = regulation("D")
    options = document.pop("options")
    del options["must_play"]
    assert MatchFormat.from_mapping(document, options) == FORMATS["D"]


def test_match_points_and_the_bye_of_c() -> None:
    points = FORMATS["C"].points
    assert points is not None
    assert (points.win, points.draw, points.loss, points.bye) == (2, 1, 0, 2)
    assert FORMATS["D"].points is None


def test_every_option_has_its_interpretation_and_a_case_for_each_value() -> None:
    for text in ("C", "D"):
        defaults = regulation(text)["options"]
        assert set(defaults) == {name for name, (ids, _) in OPTIONS.items() if text in ids}
        assert all(value in OPTIONS[name][1] for name, value in defaults.items())
    told = {
        (name, value)
        for case in MATCHES["matches"] + MATCHES["tiers"]
        for name, value in {
            **case.get("options", {}),
            **{k: v for k, v in case.items() if k == "late_minutes"},
        }.items()
    }
    others = {
        (name, value)
        for name, (ids, values) in OPTIONS.items()
        if not isinstance(values, range)
        for value in values
        if any(regulation(text)["options"].get(name) != value for text in ids)
    }
    assert others <= told


deals_of_any_match = st.lists(
    st.tuples(st.integers(0, 60), st.one_of(st.none(), st.tuples(st.integers(0, 12), st.integers(1, 5)))),
    max_size=12,
)


def play(format_: MatchFormat, made: list[tuple[int, tuple[int, int] | None]]) -> tuple[Deal, ...]:
    """Deals that follow one another, out of points and bottoms in fives."""
    deck, deals = format_.deck, list[Deal]()
    for fives, bottom_of in made:
        score = score_match(Match(SIDES, tuple(deals)), format_)
        if score.outcome is not None and score.outcome.decided_by == "past_a":
            break
        points = min(5 * fives, deck.points)
        bottom = None
        if bottom_of is not None:
            kind = UnitKind.PAIR_RUN if bottom_of[1] > 1 else UnitKind.SINGLE
            most = min(deck.most_bottom_points, deck.points - points)
            bottom = Bottom(min(5 * bottom_of[0], most), Shape(kind, bottom_of[1]))
        deals.append(Deal(score.bank or SIDES[0], points, bottom))
    return tuple(deals)


@given(st.sampled_from("CD"), deals_of_any_match)
def test_levels_never_fall_one_side_goes_up_and_the_bank_follows_the_table(
    text: str, made: list[tuple[int, tuple[int, int] | None]]
) -> None:
    format_ = FORMATS[text]
    score = score_match(Match(SIDES, play(format_, made)), format_)
    before = dict.fromkeys(SIDES, 0)
    for one in score.deals:
        assert one.defenders_points is not None
        assert one.banker is not None
        result = format_.levels.result(one.defenders_points)
        assert (one.bank != one.banker) == result.defenders_take_bank
        risen = [side for side in SIDES if one.standing[side] != before[side]]
        assert all(one.standing[side] >= before[side] for side in SIDES)
        assert len(risen) <= 1
        before = dict(one.standing)
    assert score.levels == before


@given(st.sampled_from("CD"), deals_of_any_match)
def test_the_names_of_the_sides_do_not_matter(
    text: str, made: list[tuple[int, tuple[int, int] | None]]
) -> None:
    format_ = FORMATS[text]
    deals = play(format_, made)
    score = score_match(Match(SIDES, deals), format_)
    mirror = score_match(Match((SIDES[1], SIDES[0]), deals), format_)
    assert [one.to_json() for one in score.deals] == [one.to_json() for one in mirror.deals]
    assert (score.levels, score.outcome, score.points) == (mirror.levels, mirror.outcome, mirror.points)


@given(st.sampled_from("CD"), st.integers(0, 60), st.sampled_from(SIDES), st.integers(0, 30))
def test_a_penalty_in_the_only_deal_never_turns_the_match_to_its_offender(
    text: str, fives: int, offender: EntrantId, cost: int
) -> None:
    format_ = FORMATS[text]
    only = Match(SIDES, (deal(min(5 * fives, format_.deck.points)),))
    rule = "deliberate_delay" if text == "C" else "unlisted"
    given_ = [Infringement("p", rule, offender, 1, points=5 * cost)] if cost else []
    before, after = score_match(only, format_), score_match(only, format_, given_)
    assert after.level_difference(offender) <= before.level_difference(offender)
    assert before.outcome is not None
    assert after.outcome is not None
    if before.outcome.winner != offender:
        assert after.outcome.winner != offender


def test_equal_levels_without_a_bank_are_for_the_committee() -> None:
    ruling = decide(dict.fromkeys(SIDES, 5), None, FORMATS["D"])
    assert isinstance(ruling, NeedsRuling)
    assert ruling.to_json()["clause"] == "五3"
    assert ruling.suggestion is not None

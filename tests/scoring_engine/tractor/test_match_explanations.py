"""What a scored match says of itself: the number and end of each deal, its clause, penalty lines, rulings."""

from fractions import Fraction
from typing import Any

import pytest

from scoring_engine.tractor.matches import (
    CLAUSE_KEYS,
    Deal,
    End,
    Ended,
    Match,
    MatchFormat,
    MatchScore,
    decide,
    faults_of,
    score_match,
)
from scoring_engine.values import EntrantId, NeedsRuling
from tests.scoring_engine.sentences import check_sentences
from tests.scoring_engine.tractor.regulations import SIDES, deal, infringement, regulation

ONE, OTHER = SIDES


def with_a_clause_for_each_rule(text: str, **changed: Any) -> MatchFormat:
    """Regulation C or D whose every rule has a clause named like its key; `changed` are options."""
    document = regulation(text)
    options = {**document.pop("options"), **changed}
    document["scoring"]["clauses"] = {key: f"§{key}" for key in CLAUSE_KEYS}
    return MatchFormat.from_mapping(document, options)


C, D = with_a_clause_for_each_rule("C"), with_a_clause_for_each_rule("D")
GIVEN_UP = Deal(ONE, ended=Ended.GIVEN_UP, by=ONE)


def test_the_deals_of_a_match_are_numbered_however_they_end() -> None:
    deals = (
        Deal(ONE, ended=Ended.REPLAYED),
        deal(60),
        GIVEN_UP,
        Deal(OTHER, ended=Ended.BANK_LOST),
        deal(65),
        Deal(ONE, ended=Ended.UNFINISHED),
    )
    score = score_match(Match(SIDES, deals), D)
    assert [one.number for one in score.deals] == [1, 2, 3, 4, 5, 6]
    assert [one.ended for one in score.deals] == [one.ended for one in deals]
    assert [one.banker for one in score.deals] == [ONE, ONE, ONE, OTHER, ONE, ONE]
    assert [one.dug for one in score.deals] == [0] * 6
    assert [one.clause for one in score.deals] == ["§bank", "五14", "§given_up", "§bank", "五14", "§time_up"]


@pytest.mark.parametrize(
    ("match", "format_", "key"),
    [
        (Match(SIDES, (deal(0),), forfeits=frozenset({ONE})), C, "forfeit"),
        (Match(SIDES, (deal(0),), forfeits=frozenset(SIDES)), C, "forfeit"),
        (Match(SIDES, tuple(deal(0) for _ in range(5))), C, "past_a"),
        (Match(SIDES, (deal(0),)), C, "equal_levels"),
        (Match(SIDES, (deal(120),)), C, "equal_levels"),
        (Match(SIDES, (deal(80),)), D, "equal_levels"),
    ],
    ids=["one forfeits", "both forfeit", "past A", "levels", "draw", "bank"],
)
def test_a_result_names_the_clause_that_decided_it(match: Match, format_: MatchFormat, key: str) -> None:
    outcome = score_match(match, format_).outcome
    assert outcome is not None
    assert outcome.clause == f"§{key}"


def ruling_of(score: MatchScore) -> NeedsRuling:
    assert score.ruling is not None
    return score.ruling


def test_a_knock_out_match_that_both_forfeit_is_for_the_committee() -> None:
    ruling = ruling_of(score_match(Match(SIDES, (), forfeits=frozenset(SIDES)), D))
    check_sentences(ruling.reason.zh, ruling.reason.en)
    assert ruling.clause == "§forfeit"


def test_equal_levels_without_a_bank_suggest_one_more_deal() -> None:
    ruling = decide(dict.fromkeys(SIDES, 5), None, D)
    assert isinstance(ruling, NeedsRuling)
    check_sentences(ruling.reason.zh, ruling.reason.en)
    assert ruling.clause == "§equal_levels"
    assert ruling.suggestion is not None
    assert (ruling.suggestion.zh, ruling.suggestion.en) == ("加赛一副", "Play one more deal")


@pytest.mark.parametrize(("late", "change"), [(ONE, 20), (OTHER, -20)])
def test_lateness_has_a_line_in_the_first_deal_and_no_other(late: str, change: int) -> None:
    match = Match(SIDES, (deal(60), deal(60)), late={late: Fraction(6)})  # type: ignore[dict-item]  # ids are texts
    first, second = score_match(match, C).deals
    (line,) = first.penalties
    assert second.penalties == ()
    assert (line.rule, line.offender, line.defenders, line.clause) == ("late", late, change, "十(二)")
    assert line.text.zh == f"迟到：防家{change:+d}分"
    assert line.text.en == f"late: defenders {change:+d}"


def test_a_warning_for_lateness_has_no_line() -> None:
    (only,) = score_match(Match(SIDES, (deal(60),), late={ONE: Fraction(5)}), C).deals
    assert only.penalties == ()


def test_lateness_costs_nothing_in_a_deal_that_nobody_banks() -> None:
    score = score_match(Match(SIDES, (GIVEN_UP, deal(60, OTHER)), late={OTHER: Fraction(6)}), C)
    assert [one.penalties for one in score.deals] == [(), ()]


def test_a_penalty_in_a_deal_given_up_is_recorded_there() -> None:
    given = [infringement(["revoke", OTHER, 2])]
    score = score_match(Match(SIDES, (deal(60), GIVEN_UP)), C, given)
    assert [[(line.rule, line.defenders) for line in one.penalties] for one in score.deals] == [
        [],
        [("revoke", 0)],
    ]


def test_where_the_deals_are_known_the_levels_are_theirs_though_the_end_is_written_too() -> None:
    end = End({ONE: 3, OTHER: 0}, None, None)
    score = score_match(Match(SIDES, (deal(0),), end), C)
    assert (score.levels, score.bank) == ({ONE: 3, OTHER: 0}, ONE)


def test_a_banker_leaves_a_must_play_level_where_the_others_give_the_deal_up() -> None:
    score = score_match(Match(SIDES, (Deal(ONE, ended=Ended.GIVEN_UP, by=OTHER),)), D)
    assert score.levels == {ONE: 1, OTHER: 0}


def test_a_stranger_who_forfeits_is_named_with_the_clause_of_forfeits() -> None:
    (fault,) = faults_of(Match(SIDES, (), forfeits=frozenset({EntrantId("e9")})), C)
    assert fault.clause == "§forfeit"
    check_sentences(fault.text.zh, fault.text.en)
    assert "e9" in fault.text.zh


def test_a_first_deal_that_lateness_gave_up_is_counted_after_time_was_called() -> None:
    match = Match(SIDES, (), late={OTHER: Fraction(16)}, announced_in=0)
    none_more = with_a_clause_for_each_rule("C", further_deals=0)
    assert [fault.path for fault in faults_of(match, none_more)] == ["late"]


@pytest.mark.parametrize(
    "match",
    [
        Match(SIDES, None, End({ONE: 3, OTHER: 0}, ONE, None), late={OTHER: Fraction(16)}),
        Match(SIDES, (), forfeits=frozenset({ONE}), late={OTHER: Fraction(16)}),
        Match(SIDES, (), late={ONE: Fraction(16), OTHER: Fraction(16)}),
    ],
    ids=["only the end is known", "the other side forfeits", "both are late"],
)
def test_lateness_adds_no_deal_where(match: Match) -> None:
    assert score_match(match, C).deals == ()


@pytest.mark.parametrize(
    ("format_", "side", "minutes"),
    [(C, "e9", 1), (C, "e1", -1), (D, "e1", 6)],
    ids=["stranger", "early", "no rule"],
)
def test_lateness_that_cannot_be_is_refused_with_its_clause(
    format_: MatchFormat, side: str, minutes: int
) -> None:
    (fault,) = faults_of(Match(SIDES, (), late={EntrantId(side): Fraction(minutes)}), format_)
    assert (fault.path, fault.clause) == (f"late.{side}", format_.clause)
    check_sentences(fault.text.zh, fault.text.en)


def test_after_a_deal_that_cannot_be_any_bank_and_seat_follow() -> None:
    deals = (Deal(ONE, 60, seat=0), Deal(ONE, 62, seat=2), Deal(OTHER, 60, seat=3), deal(60, OTHER))
    assert [fault.path for fault in faults_of(Match(SIDES, deals), C)] == ["deals[1].points"]


def test_a_deal_given_up_without_a_banker_named_has_the_banker_of_the_match() -> None:
    _, second = score_match(Match(SIDES, (deal(60), Deal(None, ended=Ended.GIVEN_UP, by=OTHER))), C).deals
    assert (second.banker, second.bank) == (ONE, ONE)

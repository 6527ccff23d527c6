"""The sheet's state machine, and what counts as a deal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.regulations import library
from app.results.rules import (
    MOVES,
    PASSED_OUT,
    CorrectionClosedError,
    SheetAct,
    SheetClosedError,
    SheetState,
    checked_deal,
    complete,
    counted,
    moved,
    normal_record,
    require_in_correction_window,
    stage_rule,
)
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId

REGULATION = library.load("beach-games-landlord-2021")
RULES = REGULATION.scoring_rules()
SEATS = {EntrantId("e1"): "赵试一", EntrantId("e2"): "钱试一", EntrantId("e3"): "孙试一"}
DEAL = {"landlord": "e1", "bid": 2, "winner": "landlord"}


@pytest.mark.parametrize("state", SheetState)
@pytest.mark.parametrize("act", SheetAct)
def test_every_act_leads_where_the_table_says_or_is_refused(state: SheetState, act: SheetAct) -> None:
    if (state, act) in MOVES:
        assert moved(state, act, clause=None) is MOVES[state, act]
    else:
        with pytest.raises(SheetClosedError):
            moved(state, act, clause=None)


def test_nothing_is_confirmed_that_was_not_handed_in() -> None:
    into_confirmed = [move for move, after in MOVES.items() if after is SheetState.CONFIRMED]
    into_entered = [move for move, after in MOVES.items() if after is SheetState.ENTERED]
    assert into_confirmed == [(SheetState.ENTERED, SheetAct.CONFIRM)]
    handed_in = {(state, act) for state, act in into_entered if act is SheetAct.HAND_IN}
    assert handed_in == {(SheetState.OPEN, SheetAct.HAND_IN)}
    # besides handing in, only the chief referee's decision, and what was confirmed or judged before
    assert {act for _, act in into_entered} == {
        SheetAct.HAND_IN,
        SheetAct.UPHOLD,
        SheetAct.RESTORE,
        SheetAct.CORRECT,
    }


def test_a_stored_deal_has_every_key_and_nothing_else() -> None:
    stored = checked_deal(DEAL | {"scores": {"e1": 4, "e2": -2, "e3": -2}}, SEATS, RULES)
    assert stored == normal_record(DEAL)
    assert set(stored) == {"landlord", "bid", "winner", "rockets", "bombs", "spring", "anti_spring"}
    assert checked_deal({"passed_out": True, "landlord": None}, SEATS, RULES) == PASSED_OUT


def test_a_passed_out_deal_counts_unless_it_is_dealt_again() -> None:
    records = [normal_record(DEAL)] * 9 + [PASSED_OUT]
    assert complete(records, 10, RULES)
    replayed = REGULATION.with_changes(options={"passed_out": "replay"}).scoring_rules()
    assert counted(records, replayed) == 9
    assert complete([*records, normal_record(DEAL)], 10, replayed)


def test_the_number_of_deals_follows_the_option_and_a_play_off_has_three() -> None:
    assert stage_rule(RULES, "prelim")[1] == 10
    shorter = REGULATION.with_changes(options={"deals_per_stage": 4}).scoring_rules()
    assert stage_rule(shorter, "final")[1] == 4
    assert stage_rule(shorter, "playoff")[1] == 3


def test_a_field_of_a_deal_is_refused_with_its_own_clause_where_the_regulation_names_one() -> None:
    assert RULES.clause_of("bid") == "四(二)比赛通则2"
    assert RULES.clause_of("bombs") == RULES.scoring_clause
    document = REGULATION.document
    del document["scoring"]["clauses"]
    assert ScoringRules.from_mapping(document).clause_of("bid") == RULES.scoring_clause


def test_results_published_at_1003_are_corrected_until_10_13_00() -> None:
    published = datetime(2021, 12, 3, 2, 3, tzinfo=UTC)
    window = REGULATION.windows["correction"]
    require_in_correction_window(published + timedelta(minutes=10), published, window)
    with pytest.raises(CorrectionClosedError, match="10 分钟内可以更正"):
        require_in_correction_window(published + timedelta(minutes=10, seconds=1), published, window)

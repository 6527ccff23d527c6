"""Reading the engine's part of a regulation."""

import copy
from typing import Any

import pytest

from scoring_engine.rules import OPTIONS, Format, RulesError, ScoringRules
from scoring_engine.rules.options import PLAY_VALUES
from tests.scoring_engine.board_events import regulation
from tests.scoring_engine.events import REGULATION, RULES


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(REGULATION)
    inside: Any = document
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return document


def test_regulation_a_is_read_with_its_defaults() -> None:
    assert RULES.chain == ("total_points", "deals_won", "best_deals")
    assert [(stage.code, stage.deals, stage.places) for stage in RULES.stages] == [
        ("prelim", 10, 9),
        ("semifinal", 10, 3),
        ("final", 10, None),
    ]
    assert RULES.stage_codes == ("prelim", "semifinal", "final", "playoff")
    assert set(OPTIONS["landlord", Format.KNOCK_OUT]) <= set(RULES.options)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (["id"], None, "$.id"),
        (["game"], "bridge", "$.game"),
        (["game"], ["landlord"], "$.game"),
        (["scoring"], [], "$.scoring"),
        (["scoring", "bids"], [], "$.scoring.bids"),
        (["scoring", "bids"], [3, 2, 1], "$.scoring.bids"),
        (["scoring", "bids"], [0, 1], "$.scoring.bids"),
        (["scoring", "bids"], [True], "$.scoring.bids"),
        (["scoring", "doublings"], ["rockets", "luck"], "$.scoring.doublings"),
        (["scoring", "clause"], "", "$.scoring.clause"),
        (["ranking"], {}, "$.ranking"),
        (["ranking"], [], "$.ranking"),
        (["ranking", 0, "criterion"], "beauty", "$.ranking[0].criterion"),
        (["ranking", 1, "criterion"], "total_points", "$.ranking[1].criterion"),
        (["ranking", 0, "clause"], 8, "$.ranking[0].clause"),
        (["ranking", 0, "direction"], "low", "$.ranking[0].direction"),
        (["ranking", 0], "total_points", "$.ranking[0]"),
        (["stages"], [], "$.stages"),
        (["stages", 1, "kind"], "swiss", "$.stages[1].kind"),
        (["stages", 1, "kind"], "final", "$.stages[1].kind"),
        (["stages", 1, "code"], "prelim", "$.stages[1].code"),
        (["stages", 1, "code"], "playoff", "$.stages[1].code"),
        (["stages", 0, "places"], 8, "$.stages[0].places"),
        (["stages", 0, "places"], 0, "$.stages[0].places"),
        (["stages", 0, "deals"], "many", "$.stages[0].deals"),
        (["stages", 0, "deals"], "passed_out", "$.stages[0].deals"),
        (["stages", 0, "deals"], 0, "$.stages[0].deals"),
        (["stages", 0, "playoff_deals"], -1, "$.stages[0].playoff_deals"),
        (["penalties", 0, "effect"], "shame", "$.penalties[0].effect"),
        (["penalties", 1, "id"], "signals", "$.penalties[1].id"),
        (["penalties", 1, "points"], 3, "$.penalties[1].points"),
        (["penalties", 5, "every"], 0, "$.penalties[5].every"),
        (["penalties", 0, "name"], 5, "$.penalties[0].name"),
        (["prizes", 0, "ranks"], [2, 1], "$.prizes[0].ranks"),
        (["prizes", 0, "ranks"], [True, 1], "$.prizes[0].ranks"),
        (["prizes", 0, "chosen"], 1, "$.prizes[0]"),
        (["prizes", 0, "amount"], "much", "$.prizes[0].amount"),
        (["prizes", 0, "label"], {"en": "Gold"}, "$.prizes[0].label"),
        (["interpretations"], None, "$.interpretations"),
        (["interpretations", 0, "default"], 0, "$.interpretations[0].default"),
        (["interpretations", 0, "default"], True, "$.interpretations[0].default"),
        (["interpretations", 0, "allowed"], {"min": 2, "max": 1}, "$.interpretations[0].allowed"),
        (["interpretations", 0, "allowed"], {"min": 1, "max": 10**30}, "$.interpretations[0].allowed"),
        (["interpretations", 1, "allowed"], {"min": 1, "max": 2}, "$.interpretations[1].allowed"),
        (["interpretations", 1, "allowed"], ["counts", "ignored"], "$.interpretations[1].allowed"),
        (["interpretations", 1, "allowed"], [], "$.interpretations[1].allowed"),
        (["interpretations", 1, "option"], "deals_per_stage", "$.interpretations[1].option"),
        (["options"], [], "$.options"),
        (["options"], {"deals_per_stage": 0}, "$.options.deals_per_stage"),
    ],
)
def test_a_fault_in_a_regulation_is_named_by_its_path(path: list[Any], value: Any, expected: str) -> None:
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping(changed(path, value))
    assert expected in [problem.path for problem in refused.value.problems]
    assert all(problem.zh and problem.en for problem in refused.value.problems)


def test_all_faults_are_reported_at_once() -> None:
    document = changed(["ranking", 0, "criterion"], "beauty")
    document["stages"][0]["deals"] = "many"
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping(document, {"no_such_option": 1})
    assert [problem.path for problem in refused.value.problems] == [
        "$.options.no_such_option",
        "$.ranking[0].criterion",
        "$.stages[0].deals",
    ]
    assert refused.value.path == "$.options.no_such_option"


@pytest.mark.parametrize("option", sorted(OPTIONS["landlord", Format.KNOCK_OUT]))
def test_the_engine_has_no_default_of_its_own(option: str) -> None:
    document = copy.deepcopy(REGULATION)
    document["interpretations"] = [item for item in document["interpretations"] if item["option"] != option]
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping(document)
    assert option in str(refused.value)


def test_an_option_resolves_what_refers_to_it() -> None:
    rules = RULES.with_options({"deals_per_stage": 6})
    assert [stage.deals for stage in rules.stages] == [6, 6, 6]
    assert rules.with_options({"zero_score": "not_above_zero"}).options["deals_per_stage"] == 6
    assert rules.interpretation_of("zero_score") == "I-A-12"


def test_options_of_other_parts_may_be_true_or_false_but_not_one() -> None:
    assert RULES.with_options({"count_deadline_day": True}).options["count_deadline_day"] is True
    with pytest.raises(RulesError):
        RULES.with_options({"count_deadline_day": 1})


@pytest.mark.parametrize("document", [None, [], "landlord", 3])
def test_a_regulation_that_is_no_object_is_refused(document: Any) -> None:
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping(document)
    assert refused.value.path == "$"


def test_a_prize_may_name_an_exact_amount() -> None:
    rules = ScoringRules.from_mapping(changed(["prizes", 0, "amount"], "1000.50"))
    assert rules.prizes[0].amount is not None
    assert rules.prizes[0].amount * 2 == 2001


def with_interpretation(option: str, default: Any, allowed: Any) -> dict[str, Any]:
    row = {"id": "I-A-7", "option": option, "default": default, "allowed": allowed}
    return {**REGULATION, "interpretations": [*REGULATION["interpretations"], row]}


def problem_of(document: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping(document)
    (problem,) = refused.value.problems
    return problem.path, problem.zh


def test_an_option_of_the_plays_may_be_left_out_but_takes_no_word_they_do_not_know() -> None:
    place = f"$.interpretations[{len(REGULATION['interpretations'])}]"
    assert ScoringRules.from_mapping(with_interpretation("joker_wings", "none", ["one", "none"])).options[
        "joker_wings"
    ]
    for name, known in PLAY_VALUES.items():
        path, says = problem_of(with_interpretation(name, known[0], [*known, "two"]))
        assert path == f"{place}.allowed"
        assert "two" in says
        assert all(word in says for word in known)


def test_a_value_that_could_be_chosen_but_that_its_criterion_cannot_use_is_refused() -> None:
    document = regulation(
        ["match_points", "progressive_cut"], {"progressive_cut": {"variant": {"option": "cut"}}}
    )
    row = {"id": "I-B-12", "option": "cut", "default": "opponents", "allowed": ["opponents", "own_middle"]}
    path, says = problem_of({**document, "interpretations": [row]})
    assert path == "$.ranking[1].options.variant"
    assert "own_middle" in says
    assert "opponents、own_last、own_first" in says

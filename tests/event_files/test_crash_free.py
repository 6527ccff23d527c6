"""Whatever a file holds, it is scored, verified and paired, or refused with paths and sentences; nothing else happens."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.documents import DocumentError
from scoring_engine.rules import ScoringRules
from tests.event_files.corpus import whole_files
from tests.event_files.mutations import ANY_JSON, Change, changes, mutated, one_of_each

WHOLE = list(whole_files())
Compute = Callable[[Any, ScoringRules], object]


def verified(document: Any, rules: ScoringRules) -> object:
    return [each.to_json() for each in event_file.verify(document, rules)]


COMPUTES: list[Compute] = [event_file.score, verified, event_file.pair]


def refusal_of(compute: Callable[[], object]) -> DocumentError | None:
    """How something is refused; None where it is answered."""
    try:
        compute()
    except DocumentError as error:
        return error
    return None


def answered(document: Any, rules: ScoringRules) -> None:
    """Each function answers what can be printed as JSON, or refuses with a path and two sentences for each problem."""
    for compute in COMPUTES:
        refusal = refusal_of(lambda compute=compute: json.dumps(compute(document, rules), allow_nan=False))
        assert refusal is None or refusal.problems
        for problem in refusal.problems if refusal else ():
            assert problem.path.startswith("$")
            assert problem.zh.endswith(("。", "）"))
            assert problem.en


@settings(max_examples=150, deadline=None)
@given(document=ANY_JSON, which=st.sampled_from(WHOLE))
def test_any_json_value_is_answered(document: Any, which: Any) -> None:
    answered(document, which[2])


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_a_right_file_changed_in_up_to_three_places_is_answered(data: st.DataObject) -> None:
    _, document, rules = data.draw(st.sampled_from(WHOLE))
    for _ in range(data.draw(st.integers(1, 3))):
        document = mutated(document, data.draw(changes(document)))
    answered(document, rules)


AWKWARD = ["\ud800", "\x00", 10**40, -(10**40), 1e300, -0.0, "9" * 30, [[]], {"": None}, "../e1", "e1\u202e"]


@pytest.mark.parametrize("value", AWKWARD, ids=ascii)
def test_an_awkward_value_is_answered_wherever_it_stands(value: Any) -> None:
    for _, document, rules in WHOLE:
        for place in one_of_each(document):
            answered(mutated(document, Change(place, value)), rules)


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet='{}[]":,0123456789.eE+-trufalsn \n\\ud8', max_size=40) | st.binary(max_size=40))
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    refusal = refusal_of(lambda: event_file.parse(text))
    assert refusal is None or refusal.path.startswith("$")


@pytest.mark.parametrize("number", ["1e400", "1e-400", "123456789012345678901234567890", "0.1", "-0", "1E+2"])
def test_numbers_as_json_may_write_them_are_answered_wherever_a_number_stands(number: str) -> None:
    for _, document, rules in WHOLE:
        text = json.dumps(document)
        for found in (
            '"number": 1',
            '"round": 1',
            '"count": 1',
            '"start": 0',
            '"rank": 1',
            '"value": 2',
            '"bid": 3',
        ):
            if found in text:
                key = found.split(":", maxsplit=1)[0]
                answered(event_file.parse(text.replace(found, f"{key}: {number}", 1)), rules)

"""Questions about one trick of 升级; the cases stand in trick_questions.json."""

from typing import Any

import pytest

from scoring_engine.documents import DocumentError
from scoring_engine.tractor.tricks.questions import answer
from tests.scoring_engine.events import golden
from tests.scoring_engine.sentences import check_sentences
from tests.scoring_engine.tractor.regulations import shipped

GOLDEN = golden("trick_questions")


def answered(text: str, question: Any, options: dict[str, Any] | None = None) -> dict[str, Any]:
    rules = shipped(text).with_options(options or {})
    return answer(question, rules.tricks, rules.match.bottom)


@pytest.mark.parametrize("case", GOLDEN["questions"], ids=lambda case: case["name"])
def test_a_question_is_answered_by_its_clause(case: dict[str, Any]) -> None:
    found = answered(case["text"], case["question"], case.get("options"))
    assert {key: found[key] for key in case["answer"]} == case["answer"]
    assert found["clause"]
    check_sentences(found["reason"], found["reason_en"])


@pytest.mark.parametrize(
    "case", [case for case in GOLDEN["questions"] if "options" in case], ids=lambda case: case["name"]
)
def test_without_its_option_a_question_has_another_answer(case: dict[str, Any]) -> None:
    found = answered(case["text"], case["question"])
    assert {key: found.get(key) for key in case["answer"]} != case["answer"]


@pytest.mark.parametrize("case", GOLDEN["refused"], ids=lambda case: case["name"])
def test_a_question_that_cannot_be_judged_names_every_key(case: dict[str, Any]) -> None:
    with pytest.raises(DocumentError) as refused:
        answered(case["text"], case["question"])
    assert [problem.path for problem in refused.value.problems] == case["paths"]
    for problem in refused.value.problems:
        check_sentences(problem.zh, problem.en)


@pytest.mark.parametrize("question", [None, [], "♠A", 7, True], ids=str)
def test_a_question_is_an_object(question: object) -> None:
    with pytest.raises(DocumentError) as refused:
        answered("C", question)
    assert refused.value.path == "$"

"""`saishi judge` for 升级: a question about one trick on each line, an answer for each."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from tests.scoring_engine.events import golden

IDS = {"C": "baiyun-tractor-2016", "D": "siming-eighty-2023"}
GOLDEN = golden("trick_questions")
LEAD = {"trump": "♠", "level": "7", "play": "♥5566"}


def judge(*arguments: str, text: str | bytes, regulation: str = IDS["C"]) -> Result:
    return CliRunner().invoke(cli, ["judge", "--regulation", regulation, *arguments], input=text)


def lines(questions: list[Any]) -> str:
    return "\n".join(json.dumps(question, ensure_ascii=False) for question in questions)


@pytest.mark.parametrize("text", ["C", "D"])
def test_every_golden_question_is_answered_in_one_run(text: str) -> None:
    cases = [case for case in GOLDEN["questions"] if case["text"] == text and "options" not in case]
    result = judge(text=lines([case["question"] for case in cases]), regulation=IDS[text])
    assert (result.exit_code, result.stderr) == (0, "")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(found) == len(cases)
    for answer, case in zip(found, cases, strict=True):
        assert {key: answer[key] for key in case["answer"]} == case["answer"]


@pytest.mark.parametrize(
    "case", [case for case in GOLDEN["questions"] if "options" in case], ids=lambda case: case["name"]
)
def test_a_chosen_option_is_followed(case: dict[str, Any]) -> None:
    arguments = [part for name, value in case["options"].items() for part in ("--option", f"{name}={value}")]
    result = judge(*arguments, text=lines([case["question"]]), regulation=IDS[case["text"]])
    answer = json.loads(result.stdout)
    assert {key: answer[key] for key in case["answer"]} == case["answer"]


def test_an_illegal_play_is_an_answer_and_no_error() -> None:
    result = judge(text=lines([{**LEAD, "play": "♥5 ♦5"}]))
    assert (result.exit_code, json.loads(result.stdout)["legal"]) == (0, False)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("", "$"),
        ("♥5566", "$"),
        ("[1, 2]", "$"),
        ("{", "$"),
        ('{"trump": "♠", "level": "7", "play": "♥55", "play": "♥66"}', "$.play"),
        ('{"trump": "♠", "level": "7", "play": "zz"}', "$.play"),
        ('{"trump": "♠", "level": 7, "play": "♥5"}', "$.level"),
        ("[" * 100_000, "$"),
        (b"\xff\xfe", "$"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_a_line_that_is_no_question_is_answered_with_its_problems(line: str | bytes, path: str) -> None:
    raw = line.encode() if isinstance(line, str) else line
    result = judge(text=raw + b"\n" + lines([LEAD]).encode())
    assert result.exit_code == 2
    bad, good = [json.loads(each) for each in result.stdout.splitlines()]
    assert (bad["legal"], bad["clause"], bad["problems"][0]["path"]) == (None, None, path)
    assert bad["reason"] == bad["problems"][0]["reason"]
    assert bad["reason_en"] == bad["problems"][0]["reason_en"]
    assert result.stderr.startswith(f"第1行：{path}: ")
    assert len(result.stderr.splitlines()) == 1
    assert good["legal"] is True


@pytest.mark.parametrize("case", GOLDEN["refused"], ids=lambda case: case["name"])
def test_every_problem_of_a_question_is_listed(case: dict[str, Any]) -> None:
    result = judge(text=lines([case["question"]]), regulation=IDS[case["text"]])
    assert result.exit_code == 2
    answer = json.loads(result.stdout)
    assert [problem["path"] for problem in answer["problems"]] == case["paths"]


def test_the_help_names_every_key_of_a_question() -> None:
    shown = CliRunner().invoke(cli, ["judge", "--help"]).output
    for key in ("trump", "level", "play", "hand", "others", "lead", "follows", "banker", "bottom"):
        assert f'"{key}"' in shown

"""`saishi judge`: a line of JSON for each line, whatever stands on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.regulations import library
from scoring_engine.landlord.plays import PLAY_OPTIONS, RESTRICTED, Kind, PlayRules
from tests.scoring_engine.events import golden

ID = "beach-games-landlord-2021"
GOLDEN = golden("plays")


def judge(*arguments: str, text: str | bytes = "", regulation: str = ID) -> Result:
    return CliRunner().invoke(cli, ["judge", "--regulation", regulation, *arguments], input=text)


def answers(text: str | bytes, *arguments: str) -> list[dict[str, Any]]:
    result = judge(*arguments, text=text)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(*arguments: str, regulation: str = ID) -> str:
    result = judge(*arguments, regulation=regulation, text="3")
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_a_legal_play_has_its_kind_and_clause() -> None:
    assert answers("333444+69\n") == [
        {
            "play": "333444+69",
            "legal": True,
            "kind": "plane_with_singles",
            "beats": None,
            "clause": "四(二)比赛通则4",
        }
    ]


def test_every_golden_row_is_judged_in_one_run() -> None:
    legal, illegal, beats = GOLDEN["legal"], GOLDEN["illegal"], GOLDEN["beats"]
    lines = [case["play"] for case in legal + illegal] + [
        f"{each['play']} > {each['other']}" for each in beats
    ]
    found = answers("\n".join(lines))
    assert len(found) == len(lines)
    for answer, case in zip(found, [*legal, *illegal, *beats], strict=True):
        assert answer["play"] == case["play"]
        assert answer["clause"] == case["clause"]
        assert answer["legal"] == ("says" not in case)
        assert answer["beats"] == case.get("beats")
        if "says" in case:
            assert case["says"] in answer["reason"]
            assert answer["reason_en"]
        elif "kind" in case:
            assert answer["kind"] == case["kind"]


def test_the_words_of_the_kinds_are_the_documented_ones() -> None:
    words = (
        "single pair triple triple_with_single triple_with_pair run pair_run plane plane_with_singles "
        "plane_with_pairs four_with_singles four_with_pairs bomb rocket"
    )
    assert {kind.value for kind in Kind} == set(words.split())


def test_an_option_that_bars_a_play_is_named_by_its_interpretation() -> None:
    (answer,) = answers("333444+BR")
    assert answer["interpretation"] == "I-A-7"
    assert (answer["legal"], answer["kind"], answer["beats"]) == (False, None, None)


@pytest.mark.parametrize("line", ["", "   ", "xyz", "1", "33333", "\x00", "🂡", "3,4", "♠", "3" * 10_000])
def test_a_line_that_is_no_play_is_answered_with_its_reason(line: str) -> None:
    first, second = answers(f"{line}\n44\n")
    assert (first["legal"], first["kind"], first["beats"], first["clause"]) == (False, None, None, None)
    assert first["reason"].endswith("。")
    assert first["reason_en"].endswith(".")
    assert len(first["play"]) <= 200
    assert second["kind"] == "pair"


def test_bytes_that_are_no_text_are_one_bad_line() -> None:
    first, second = answers(b"\xff\xfe3\n55\n")
    assert (first["legal"], second["legal"]) == (False, True)


def test_a_byte_order_mark_and_windows_line_ends_are_skipped() -> None:
    assert [answer["kind"] for answer in answers(b"\xef\xbb\xbf33\r\nBR\r\n")] == ["pair", "rocket"]


def test_suits_chinese_names_and_full_width_are_understood() -> None:
    found = answers("♠3♥3 ＞ 小王\n大王 > 小王\n３３３＋４\n红桃10 黑桃10\n双王 > 2222")
    assert [(answer["kind"], answer["beats"]) for answer in found] == [
        ("pair", False),
        ("single", True),
        ("triple_with_single", None),
        ("pair", None),
        ("rocket", True),
    ]


@pytest.mark.parametrize(
    ("line", "legal", "reason"),
    [
        ("333444+BR > 55", False, "双王"),
        ("55 > 333444+BR", True, "后一手不是合法牌型"),
        ("55 > zz", True, "后一手：“Z”不是牌"),
        ("55 >", True, "后一手：没有写牌"),
        ("> 55", False, "没有写牌"),
        ("5 > 4 > 3", False, "只能比较两手牌"),
    ],
)
def test_a_comparison_with_something_illegal_beats_nothing(line: str, legal: bool, reason: str) -> None:
    (answer,) = answers(line)
    assert (answer["legal"], answer["beats"]) == (legal, False)
    assert reason in answer["reason"]


def test_a_file_is_read_like_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "牌.txt"
    path.write_text("333444+69\nBR > 2222\n", encoding="utf-8")
    assert judge(str(path)).stdout == judge(text="333444+69\nBR > 2222\n").stdout
    assert judge("-", text="3").stdout == judge(text="3").stdout


def test_no_lines_no_answers() -> None:
    assert answers("") == []


def test_a_chosen_option_is_followed() -> None:
    (answer,) = answers("5555+33", "--option", "four_with_equal_singles=barred")
    assert (answer["legal"], answer["interpretation"]) == (False, "I-A-10")
    (answer,) = answers("333444+7B", "--option", "joker_wings=none")
    assert (answer["legal"], answer["interpretation"]) == (False, "I-A-7")


def test_what_cannot_be_used_is_refused_in_one_sentence(tmp_path: Path) -> None:
    assert ID in refused(regulation="nobody-2021")
    assert "没有这个文件" in refused(str(tmp_path / "none.txt"))
    assert "joker_wings=none" in refused("--option", "joker_wings")
    assert "没有这个选项" in refused("--option", "jokers=none")
    assert "none" in refused("--option", "joker_wings=many")


def test_a_regulation_of_another_game_is_refused() -> None:
    assert "dongcheng-go-2021 不是二打一或升级" in refused(regulation="dongcheng-go-2021")


def test_the_shipped_regulations_options_are_the_engines() -> None:
    assert PlayRules.from_options(library.load(ID).options) == RESTRICTED
    for option, interpretation in library.load(ID).scoring_rules().interpretations.items():
        for value in interpretation.allowed if option in PLAY_OPTIONS else ():
            PlayRules.from_options({option: value})

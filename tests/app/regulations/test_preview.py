"""What a regulation comes to for a number of entrants; the clauses are those of the texts."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.regulations import library
from app.regulations.rules.preview import Preview, preview
from app.text import BEIJING
from app.workdays.official import official_calendar
from app.workdays.rules import publication_window


def sentences(shown: Preview, code: str) -> list[str]:
    return [str(row.text) for section in shown.sections if section.code == code for row in section.rows]


@pytest.mark.parametrize(
    ("regulation_id", "entrants", "said"),
    [
        # 四(二)初赛: groups of three, the remainder goes straight on
        ("beach-games-landlord-2021", 34, "34 人分成 11 桌，1 人抽签直接进入下一阶段；每桌打 10 副。"),
        ("beach-games-landlord-2021", 35, "按成绩取前 7 名，连同直接进入的 2 人进入下一阶段。"),
        ("beach-games-landlord-2021", 34, "9 人，3 桌，每桌打 10 副，取前 3 名。"),
        ("beach-games-landlord-2021", 34, "全部共 150 副（不计加赛）。"),
        # 附件2一3: groups of 20 to 32
        ("dongcheng-go-2021", 45, "分成 2 组，每组 22 至 23 人。"),
        ("dongcheng-go-2021", 45, "每轮 22 桌，1 个轮空。"),
        # 附件4四: tables of three, four rounds of twelve deals
        ("dongcheng-landlord-2021", 34, "共 4 轮，每桌每轮 12 副，全部共 528 副。"),
        ("baiyun-tractor-2016", 27, "每轮 13 桌，1 个轮空。"),
        # 五3: three rounds of single elimination, I-D-7
        ("siming-eighty-2023", 45, "第 1 轮 22 场，1 对轮空，23 对晋级。"),
        ("siming-eighty-2023", 45, "第 3 轮 6 场，6 对晋级。"),
    ],
)
def test_the_play_is_told_with_its_numbers(regulation_id: str, entrants: int, said: str) -> None:
    assert said in sentences(preview(library.load(regulation_id), entrants), "play")


@pytest.mark.parametrize(
    ("regulation_id", "entrants", "total"),
    [
        ("baiyun-tractor-2016", 34, "奖金（奖品）合计 6700 元。"),  # 九
        ("siming-eighty-2023", 16, "奖金（奖品）合计 7000 元。"),  # 七: 2 × 1000 + 2 × 900 + 4 × 800
    ],
)
def test_the_prizes_are_summed(regulation_id: str, entrants: int, total: str) -> None:
    assert total in sentences(preview(library.load(regulation_id), entrants), "prizes")


def test_the_bracket_rewards_half_of_the_field() -> None:
    assert "规程奖励 23 对，奖项共 23 对。" in sentences(
        preview(library.load("siming-eighty-2023"), 45), "prizes"
    )


@pytest.mark.parametrize(
    ("regulation_id", "entrants"), [("beach-games-landlord-2021", 8), ("dongcheng-go-2021", 34)]
)
def test_a_field_the_text_has_no_answer_for_is_a_warning_with_its_clause(
    regulation_id: str, entrants: int
) -> None:
    shown = preview(library.load(regulation_id), entrants)
    assert sentences(shown, "play") == []
    assert shown.warnings[0].clause


def test_the_publication_ends_at_24_of_its_fifth_working_day() -> None:
    regulation = library.load("beach-games-landlord-2021")
    window = publication_window(
        datetime(2021, 10, 31, 18, tzinfo=BEIJING), regulation.publication.workdays, official_calendar()
    )
    said = sentences(preview(regulation, 34, window), "days")
    assert "2021年11月1日（周一）起，2021年11月5日（周五）24:00 结束" in said


def test_play_before_the_end_of_the_publication_is_named() -> None:
    regulation = library.load("beach-games-landlord-2021").with_changes(
        calendar={"check_in": date(2021, 11, 4), "play_from": date(2021, 11, 5)}
    )
    window = publication_window(datetime(2021, 10, 31, 18, tzinfo=BEIJING), 5, official_calendar())
    assert any(
        "不能早于 2021年11月6日" in text for text in sentences(preview(regulation, 34, window), "days")
    )


@settings(max_examples=60, deadline=None)
@given(regulation_id=st.sampled_from(library.shipped()), entrants=st.integers(1, 300))
def test_every_regulation_can_be_previewed_for_any_field(regulation_id: str, entrants: int) -> None:
    shown = preview(library.load(regulation_id), entrants)
    assert shown.warnings or sentences(shown, "play")

"""Two regulations compared in words: what changed, from what to what, at which clause."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from app.regulations import library
from app.regulations.schemas.form.comparison import Change, compare
from app.regulations.schemas.form.problems import missing
from app.regulations.schemas.sources import checked

A = library.load("beach-games-landlord-2021").document


def changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(A)
    node: Any = document
    *before, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in before:
        node = node[part]
    if value is None:
        del node[last]
    else:
        node[last] = value
    return document


def told(change: Change) -> tuple[str, ...]:
    before = "" if change.before is None else str(change.before)
    after = "" if change.after is None else str(change.after)
    return str(change.section), " › ".join(map(str, change.where)), before, after, change.clause or ""


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (
            "calendar.registration_closes.at",
            "2021-11-02T18:00:00+08:00",
            ("日程", "报名截止 › 日期或时间", "2021-10-31 18:00", "2021-11-02 18:00", "三(三)1"),
        ),
        ("publication.workdays", 3, ("公示与异议", "公示 › 工作日", "5", "3", "三(四)1")),
        ("penalties.1.points", -5, ("判罚", "判罚 › 在禁烟区域吸烟 › 分数", "-3", "-5", "四(二)8(五)")),
        ("penalties.2", None, ("判罚", "判罚 › 饮酒后进入赛场或在赛场饮酒", "原有", "", "四(二)8(六)")),
        (
            "options",
            {"joker_wings": "none"},
            (
                "解释选项",
                "I-A-7 飞机翅膀和四带二“不包含双王”：双王指火箭（两张王）。",
                "可带一张王，不可同时带两张王",
                "任何一张王都不可带",
                "四(二)比赛通则4",
            ),
        ),
        ("objections.seal", False, ("公示与异议", "异议 › 公章", "是", "否", "三(四)1")),
        (
            "stages.0.deals",
            8,
            (
                "赛制",
                "赛制 › 初赛 › 每桌几副",
                "由解释选项 I-A-1（“10局”按 10 副牌理解，每阶段每桌 10…）决定",
                "8",
                "四(二)初赛",
            ),
        ),
    ],
)
def test_one_change_is_told_once_in_words_with_its_clause(
    path: str, value: Any, said: tuple[str, ...]
) -> None:
    assert [told(change) for change in compare(A, changed(path, value))] == [said]


def test_a_document_does_not_differ_from_itself() -> None:
    assert [
        compare(each, copy.deepcopy(each)) for each in (A, library.load("siming-eighty-2023").document)
    ] == [(), ()]


def test_a_moved_link_of_the_chain_is_an_order_not_two_rows() -> None:
    document = copy.deepcopy(A)
    document["ranking"].reverse()
    (change,) = compare(A, document)
    assert told(change)[1:4] == (
        "次序",
        "总得分、胜局数、单副最高得分依次",
        "单副最高得分依次、胜局数、总得分",
    )


def test_a_row_taken_out_in_the_middle_leaves_the_others_alone() -> None:
    document = copy.deepcopy(A)
    del document["notices"][3]
    assert len(compare(A, document)) == 1


def test_a_changed_default_is_a_changed_reading() -> None:
    at = next(place for place, row in enumerate(A["interpretations"]) if row["option"] == "joker_wings")
    sections = [
        str(change.section) for change in compare(A, changed(f"interpretations.{at}.default", "none"))
    ]
    assert sections == ["解释选项", "解释条目"]


def test_whatever_a_draft_holds_is_compared() -> None:
    broken = {
        **A,
        "ranking": "x",
        "stages": [1],
        "name": [],
        "scoring": {"option": 1},
        "own": {"key": 1},
        "options": 3,
    }
    assert {change.path for change in compare(A, broken)} >= {"ranking", "stages", "name", "own"}
    assert compare(broken, {})


@pytest.mark.parametrize("text", [[], {"x": 1}, False, None])
def test_a_text_that_is_none_is_compared_and_named_by_its_row(text: Any) -> None:
    for path in ("notices.3.text.zh", "interpretations.3.words.blocks.zh", "penalties.1.name.en"):
        document = changed(path, "x")
        *before, last = path.split(".")
        node: Any = document
        for part in before:
            node = node[int(part) if part.isdigit() else part]
        node[last] = text
        told_of = [told(change) for change in compare(A, document)]
        assert told_of
        _, error = checked(document, "draft")
        assert [str(each.label) for each in missing(document, error)]

"""The text of an undertaking and what counts as a signature under it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from app.documents.rules import EventDemand, TextChangedError, UnsignedError
from app.documents.rules.undertaking import (
    Undertaking,
    canonical,
    drawing,
    read_strokes,
    require_same,
    still_says,
    text_sha256,
    undertaking,
)
from app.regulations import library
from app.regulations.rules import Regulation

NUMBER = "01234-56789-abcde-f0123"
DRAWN = "[[[100,300],[300,80]],[[500,100],[900,120]]]"


def demands(**changes: Any) -> list[EventDemand]:
    document = library.load("beach-games-landlord-2021").document
    row = next(row for row in document["documents"] if row["kind"] == "waiver")
    row.update(changes)
    regulation = Regulation.from_document(document)
    rule = next(each for each in regulation.documents if each.kind == "waiver")
    return [EventDemand(1, regulation.event, rule, regulation.calendar)]


def made(language: str = "zh", name: str = "林小满", number: str = NUMBER, **changes: Any) -> Undertaking:
    return undertaking(
        demands(**changes),
        competition="示例赛",
        place="三亚",
        name=name,
        unit="示例单位",
        number=number,
        language=language,
    )


def test_the_text_names_person_unit_event_days_place_and_clause() -> None:
    lines = made().text.split("\n")
    assert lines[0] == "参赛免责和防疫承诺书"
    assert lines[1:3] == ["承诺人：林小满", "参赛单位：示例单位"]
    assert lines[3].startswith("比赛：示例赛（")
    assert lines[4:6] == ["时间：2021年12月3日至2021年12月5日", "地点：三亚"]
    assert lines[-2:] == ["依据规程三(一)5签署。", f"编号：{NUMBER}"]


def test_the_english_text_says_the_same_line_by_line() -> None:
    chinese, english = made(), made("en")
    assert len(chinese.lines) == len(english.lines)
    assert english.lines[0] == "Signed by: 林小满"
    assert english.lines[3] == "When: 3 December 2021 – 5 December 2021"
    rest = "".join(english.lines[5:])
    assert not re.search("[一-鿿]", rest.replace("三(一)5", ""))


def test_the_hash_is_of_the_text_as_it_stands_on_the_screen_whatever_ends_its_lines() -> None:
    text = made()
    assert text.sha256 == text_sha256(text.text)
    assert canonical(text.text.replace("\n", "\r\n")) == text.text
    require_same(text.text.replace("\n", " \r\n"), text)


def test_the_organisers_own_text_takes_the_place_of_the_general_one() -> None:
    own = made(statement={"zh": "我承诺遵守赛场规定。", "en": "I keep to the rules of the venue."})
    assert "我承诺遵守赛场规定。" in own.lines
    assert not any(line.startswith("1. ") for line in own.lines)


def test_a_text_that_changed_in_between_is_refused_with_what_changed() -> None:
    with pytest.raises(TextChangedError) as refused:
        require_same(made().text, made(name="林小曼"))
    assert refused.value.extra == {"gone": ["承诺人：林小满"], "new": ["承诺人：林小曼"]}


def test_a_signed_text_stands_in_either_language_and_whatever_its_number() -> None:
    today = [made(), made("en")]
    assert still_says(made("en", number="another").text, today)
    assert not still_says(made(name="林小曼").text, today)


def test_strokes_are_read_as_they_were_drawn() -> None:
    assert read_strokes(DRAWN) == (((100, 300), (300, 80)), ((500, 100), (900, 120)))


@pytest.mark.parametrize(
    "written",
    [
        "",
        "[]",
        "null",
        "{}",
        "[[]]",
        "[[[1,2]]]",
        "[[[10,10],[60,60]]]",
        "[[[0,0],[1001,0]]]",
        "[[[0,0],[0,401]]]",
        "[[[0,-1],[900,0]]]",
        "[[[0,0],[900.5,0]]]",
        "[[[true,0],[900,0]]]",
        '[["ab","cd"]]',
        "[[[0,0,0],[900,0,0]]]",
        "[" * 5000,
        "[[[0,0],[900,0]",
        json.dumps([[[0, 0], [900, 0]]] * 101),
        json.dumps([[[number % 1000, 0] for number in range(4001)]]),
        " " * 60_001,
        "[[[NaN,0],[900,0]]]",
    ],
)
def test_nothing_else_is_a_signature(written: str) -> None:
    with pytest.raises(UnsignedError) as refused:
        read_strokes(written)
    assert "strokes" in refused.value.fields


def test_the_drawing_holds_every_stroke_and_nothing_else() -> None:
    picture = drawing(read_strokes(DRAWN))
    assert picture.count("<path") == 2
    assert 'd="M100 300 L300 80"' in picture

"""The text check's comparison, on lines as a reader gives them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.documents.rules.fields import FIELDS
from app.documents.rules.reading import Agreement, Finding, compare, packed, unpacked

NAME = "林小满"
ID = "110105198506150013"
PAGE = (
    "体检证明",
    "姓名：林小满性别：女",
    "身份证号：110105198506150013",
    "出生日期：1985年6月15日",
    "体检日期：2021年10月20日",
    "有效期至：2021年12月31日",
)


def findings(
    lines: Sequence[str] = PAGE, kind: str = "medical_certificate", **values: str
) -> dict[str, Finding]:
    return compare(lines, name=NAME, id_number=ID, fields=FIELDS[kind], values=values)


def test_what_stands_on_the_page_agrees() -> None:
    found = findings(issued_on="2021-10-20")
    assert {place: each.agreement for place, each in found.items()} == {
        "holder": Agreement.AGREES,
        "id_number": Agreement.AGREES,
        "issued_on": Agreement.AGREES,
    }


def test_another_day_is_doubted_with_the_one_that_stands_behind_the_label() -> None:
    assert findings(issued_on="2021-10-26")["issued_on"] == Finding(Agreement.DOUBT, "2021-10-20")
    assert str(findings(issued_on="2021-10-26")["issued_on"].words) == "可能不一致：读到 2021-10-20"


def test_each_day_of_an_insurance_is_looked_for_behind_its_own_words() -> None:
    lines = ("保险期间自2021年11月01日零时起至2021年12月31日二十四时止",)
    found = findings(lines, "accident_insurance", valid_from="2021-11-02", valid_to="2022-01-31")
    assert found["valid_from"] == Finding(Agreement.DOUBT, "2021-11-01")
    assert found["valid_to"] == Finding(Agreement.DOUBT, "2021-12-31")


@pytest.mark.parametrize(
    "written",
    [
        "2021年10月20日",
        "2021-10-20",
        "2021.10.20",
        "2021/10/20",
        "2021 年 10 月 20 日",
        "２０２１年１０月２０日",
    ],
)
def test_a_day_is_read_however_it_is_written(written: str) -> None:
    assert findings([f"日期：{written}"], issued_on="2021-10-20")["issued_on"].agreement is Agreement.AGREES


@pytest.mark.parametrize("written", ["2021年13月20日", "编号2021102099", "2021-10-201", "1985年6月15日"])
def test_what_is_no_day_or_the_day_of_birth_is_none(written: str) -> None:
    assert findings([written], issued_on="2021-10-20")["issued_on"].agreement is Agreement.NOT_FOUND


@pytest.mark.parametrize(
    ("lines", "finding"),
    [
        (["姓名：林小满"], Finding(Agreement.AGREES)),
        (["姓名 林 小 满"], Finding(Agreement.AGREES)),
        (["兹证明林小满同志身体健康"], Finding(Agreement.AGREES)),
        (["姓名：陈大文性别：男"], Finding(Agreement.DOUBT, "陈大文")),
        (["兹证明林小蔷同志身体健康"], Finding(Agreement.DOUBT, "林小蔷")),
        (["体检证明"], Finding(Agreement.NOT_FOUND)),
        ([], Finding(Agreement.NOT_FOUND)),
    ],
)
def test_the_holders_name(lines: list[str], finding: Finding) -> None:
    assert findings(lines)["holder"] == finding


def test_of_another_id_number_only_the_end_is_told() -> None:
    found = findings(["110105 19850615 002X"])["id_number"]
    assert found == Finding(Agreement.DOUBT, "…002X")
    assert findings(["电话13800000000"])["id_number"].agreement is Agreement.NOT_FOUND


def test_a_deleted_number_and_a_units_document_are_not_compared() -> None:
    assert compare(PAGE, name=None, id_number=None, fields=(), values={}) == {}


def test_findings_come_back_as_they_were_stored() -> None:
    found = findings(issued_on="2021-10-26")
    assert unpacked(packed(found)) == found
    assert unpacked(None) == {}

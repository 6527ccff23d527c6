"""What a plain text becomes: paragraphs, links that lead where they say, and numbers that are found however they are written."""

from __future__ import annotations

from datetime import date

import pytest

from app.announcements.rules import file_name
from app.announcements.rules.texts import (
    Part,
    excerpt,
    holds_id_number,
    holds_mobile_number,
    paragraphs,
)
from tests.factories import people

BORN = (date(1900, 1, 1), date(2021, 10, 25))
NUMBER = people.id_number(1)
WITH_X = next(number for number in map(people.id_number, range(1, 200)) if number.endswith("X"))
WRONG_CHECK = NUMBER[:17] + ("1" if NUMBER[17] != "1" else "2")
PHONE = people.phone(1)


def test_empty_lines_part_paragraphs_and_single_ends_part_lines() -> None:
    assert paragraphs("一\n二\n \n\n三") == (((Part("一"),), (Part("二"),)), ((Part("三"),),))
    assert paragraphs("") == ()


def test_html_stays_text() -> None:
    assert paragraphs("<script>alert(1)</script>") == (((Part("<script>alert(1)</script>"),),),)


@pytest.mark.parametrize(
    ("line", "links"),
    [
        ("见https://example.org/a，再看", ["https://example.org/a"]),
        ("(https://example.org/a_(b))", ["https://example.org/a_(b)"]),
        ("See https://example.org/a.", ["https://example.org/a"]),
        ("HTTP://EXAMPLE.ORG", ["HTTP://EXAMPLE.ORG"]),
        (
            "https://a.example/?q=1&r=2#x 和 http://b.example",
            ["https://a.example/?q=1&r=2#x", "http://b.example"],
        ),
        ('https://a.example/"onmouseover="x', ["https://a.example/"]),
        ("https://bank.example@elsewhere.example/", []),
        ("javascript:alert(1) data:text/html,x ftp://a.example", []),
        ("https:// http://[bad", []),
    ],
)
def test_only_web_addresses_become_links(line: str, links: list[str]) -> None:
    parts = paragraphs(line)[0][0]
    assert [part.href for part in parts if part.href] == links
    assert "".join(part.text for part in parts) == line


@pytest.mark.parametrize(
    "text",
    [
        f"证件号{NUMBER}。",
        f"{WITH_X}",
        WITH_X.lower(),
        " ".join((NUMBER[:6], NUMBER[6:14], NUMBER[14:])),
        "-".join((WITH_X[:6], WITH_X[6:14], WITH_X[14:17], WITH_X[17])),
        NUMBER.translate({ord(str(digit)): 0xFF10 + digit for digit in range(10)}),
        f"{NUMBER} {PHONE}",
        f"{NUMBER[:9]}\n{NUMBER[9:]}",
    ],
)
def test_an_id_number_is_found_however_it_is_written(text: str) -> None:
    assert holds_id_number(text, BORN)


@pytest.mark.parametrize(
    "text",
    ["2021年10月25日 18:00", WRONG_CHECK, PHONE, NUMBER[:17], people.id_number(1, date(2021, 10, 26)), ""],
)
def test_other_numbers_are_no_id_numbers(text: str) -> None:
    assert not holds_id_number(text, BORN)


@pytest.mark.parametrize(
    "text", [f"电话{PHONE}", f"+86 {PHONE}", f"{PHONE[:3]} {PHONE[3:7]} {PHONE[7:]}", f"86-{PHONE}"]
)
def test_a_mobile_number_is_found(text: str) -> None:
    assert holds_mobile_number(text)


@pytest.mark.parametrize("text", ["010-65128888", "12345678901", "2021102518001234", "编号 1380013800"])
def test_other_numbers_are_no_mobile_numbers(text: str) -> None:
    assert not holds_mobile_number(text)


@pytest.mark.parametrize(
    ("sent", "media_type", "name"),
    [
        ("赛程 安排.PDF", "application/pdf", "赛程 安排.pdf"),
        ("photo.heic", "image/jpeg", "photo.jpg"),
        ("../../etc/passwd", "application/pdf", "etc passwd.pdf"),
        ("", "image/jpeg", "附件2.jpg"),
        ("a\u202egpj.exe", "application/pdf", "a gpj.exe.pdf"),
        ("长" * 200, "application/pdf", "长" * 116 + ".pdf"),
    ],
)
def test_readers_download_a_tidy_name_with_the_ending_of_the_cleaned_file(
    sent: str, media_type: str, name: str
) -> None:
    assert file_name(sent, media_type, 2) == name


def test_an_excerpt_is_one_line() -> None:
    assert excerpt("一\n\n二") == "一 二"
    assert excerpt("长" * 200) == "长" * 119 + "…"

"""A name with a rare character on a PDF: it is drawn, or the sheet says which character the empty box is."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import as_file, files
from typing import Any

import pypdfium2
import pytest
import typst

from app.documents.rules.undertaking import drawing, read_strokes
from app.documents.sheets import signed_sheet
from app.web import printing
from tests.factories.undertakings import STROKES


def printed(name: str, number: str = "编号：00000") -> str:
    made = signed_sheet(
        f"参赛免责和防疫承诺书\n承诺人：{name}\n{number}",
        sha256="0" * 64,
        drawing=drawing(read_strokes(STROKES)),
        signed_at=datetime(2021, 10, 25, tzinfo=UTC),
        address="",
    )
    text: str = pypdfium2.PdfDocument(made.content)[0].get_textpage().get_text_bounded()
    return text


@pytest.fixture
def no_other_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any font but ours."""
    with as_file(files("pylopdf_fonts_zh_cn")) as own:
        fonts: Any = typst.Fonts(
            include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(own)]
        )
    monkeypatch.setattr(printing, "_fonts", lambda: fonts)
    printing._compiled.cache_clear()


def test_the_characters_of_names_in_everyday_use_are_all_in_our_font() -> None:
    assert printing.not_in_own_font("林小满 𬭎㛃喆堃淼昇 Ä－·•（）《》“”①") == ()


def test_a_character_that_our_font_lacks_is_named_by_its_code() -> None:
    text = printed("李𠮷")
    assert "U+20BB7" in text
    assert "生僻字" in text
    assert "Rare characters" in printed("李𠮷", "Number: 00000")


@pytest.mark.usefixtures("no_other_font")
def test_so_it_is_where_the_machine_has_no_other_font() -> None:
    assert "U+20BB7" in printed("李𠮷")


def test_a_sheet_without_such_characters_says_nothing_of_them() -> None:
    text = printed("林小满")
    assert "生僻字" not in text
    assert "U+" not in text

"""A day ends in a bracket in Chinese, 2021年11月5日（周五）, and no space follows a bracket."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po

from tests.conftest import ROOT

CATALOGUE = ROOT / "app" / "translations" / "en" / "LC_MESSAGES" / "messages.po"
AFTER_A_DAY = re.compile(r"(?<!第 )(?:%\(day\)s|（周.）) [一-鿿]")
AFTER_A_BRACKET = re.compile(r"） [一-鿿]")


@pytest.mark.parametrize("pattern", [AFTER_A_DAY, AFTER_A_BRACKET])
def test_no_chinese_sentence_has_a_space_after_a_bracket(pattern: re.Pattern[str]) -> None:
    with CATALOGUE.open("rb") as file:
        sentences = [
            each if isinstance(each, str) else each[0] for each in (message.id for message in read_po(file))
        ]
    assert len(sentences) > 1000
    assert [each for each in sentences if pattern.search(each)] == []

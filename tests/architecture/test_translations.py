"""Every sentence of the product stands in the catalogue with its English, and keeps its places."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from tests.conftest import ROOT

CATALOGUE = ROOT / "app" / "translations" / "en" / "LC_MESSAGES" / "messages.po"
KEYWORDS = {"_": None, "gettext": None, "T": None}
PLACE = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")


def _sentences() -> Iterator[str]:
    for folder, pattern, method in (
        ("app", "*.py", "python"),
        ("scoring_engine", "*.py", "python"),
        ("templates", "*.html", "jinja2.ext:babel_extract"),
        ("templates/emails", "*.txt", "jinja2.ext:babel_extract"),
    ):
        for path in sorted((ROOT / folder).rglob(pattern)):
            options = {"trim_blocks": "true", "lstrip_blocks": "true"}
            for _line, sentence, _comments, _context in extract_from_file(
                method, path, KEYWORDS, options=options
            ):
                yield sentence if isinstance(sentence, str) else sentence[0]


@pytest.fixture(scope="module")
def catalogue() -> dict[str, str]:
    with CATALOGUE.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file) if message.id}


def test_the_catalogue_holds_the_sentences_of_the_product_and_no_others(catalogue: dict[str, str]) -> None:
    used = {sentence for sentence in _sentences() if sentence}
    assert sorted(used - set(catalogue)) == [], "run `make translations` and add the English"
    assert sorted(set(catalogue) - used) == [], "run `make translations`"


def test_every_sentence_has_its_english(catalogue: dict[str, str]) -> None:
    assert [
        chinese for chinese, english in catalogue.items() if not english.strip() and chinese != "zh"
    ] == []


def test_english_keeps_the_places_of_the_chinese(catalogue: dict[str, str]) -> None:
    def places(sentence: str) -> set[str]:
        return {percent or brace for percent, brace in PLACE.findall(sentence)}

    assert [chinese for chinese, english in catalogue.items() if places(chinese) != places(english)] == []


def test_english_is_not_chinese(catalogue: dict[str, str]) -> None:
    # a few words are shown in both languages on purpose: the language switch, and terms quoted in brackets
    chinese_only = [
        chinese
        for chinese, english in catalogue.items()
        if re.search(r"[\u4e00-\u9fff]", english) and not re.search(r"[A-Za-z]{3}", english)
    ]
    assert chinese_only == []

"""Every stage of the shipped texts has a name, and the engine's sentences call it as the pages do."""

from __future__ import annotations

import pytest

from app.draws.rules import STAGE_NAMES
from app.regulations import library
from app.regulations.rules import Bilingual
from app.text import T
from scoring_engine.stages.names import STAGE_WORDS, stage_words


@pytest.mark.parametrize("regulation", library.shipped())
def test_every_stage_of_a_text_has_a_name(regulation: str) -> None:
    for code in library.load(regulation).scoring_rules().stage_codes:
        assert "阶段" not in stage_words(code)


def test_the_engine_calls_a_stage_as_the_pages_do() -> None:
    assert {code: zh(name) for code, name in STAGE_NAMES.items()} == STAGE_WORDS


def test_a_code_without_a_name_stays_a_code() -> None:
    assert stage_words("repechage") == "阶段 repechage"


def zh(name: T) -> str:
    return name.zh if isinstance(name, Bilingual) else str(name)

"""`scoring.clauses`: one key of a deal may have a clause of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring_engine.rules import RulesError, ScoringRules

GOLDEN = Path(__file__).parent / "golden" / "regulation_a.json"


def regulation(clauses: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    document["scoring"]["clauses"] = clauses
    return document


def test_a_key_without_a_clause_of_its_own_has_that_of_the_scoring() -> None:
    rules = ScoringRules.from_mapping(regulation({"spring": "四(二)术语15"}))
    assert rules.clause_of("spring") == "四(二)术语15"
    assert rules.clause_of("bid") == rules.scoring_clause


@pytest.mark.parametrize("clauses", [{"sprung": "四"}, {"bid": 4}, ["bid"]])
def test_wrong_clauses_are_named_by_their_path(clauses: Any) -> None:
    with pytest.raises(RulesError) as wrong:
        ScoringRules.from_mapping(regulation(clauses))
    assert wrong.value.path.startswith("$.scoring.clauses")

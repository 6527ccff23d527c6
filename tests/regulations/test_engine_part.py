"""The shipped regulation and the engine's golden one say the same to the engine."""

from __future__ import annotations

import json

from app.regulations import library
from scoring_engine.rules import ScoringRules
from scoring_engine.rules.options import OPTIONS
from scoring_engine.rules.stage_kinds import Format
from tests.conftest import ROOT

GOLDEN = ROOT / "tests" / "scoring_engine" / "golden" / "regulation_a.json"


def test_the_engine_is_tested_with_the_rules_that_are_shipped() -> None:
    shipped = library.load("beach-games-landlord-2021").scoring_rules()
    golden = ScoringRules.from_mapping(json.loads(GOLDEN.read_text(encoding="utf-8")))
    assert (shipped.bids, shipped.doublings) == (golden.bids, golden.doublings)
    assert [each.code for each in shipped.ranking] == [each.code for each in golden.ranking]
    assert [(each.code, each.kind, each.deals, each.places) for each in shipped.stages] == [
        (each.code, each.kind, each.deals, each.places) for each in golden.stages
    ]
    shared = set(golden.penalties) & set(shipped.penalties)
    assert shared == set(golden.penalties)
    for name in shared:
        ours, theirs = shipped.penalties[name], golden.penalties[name]
        assert (ours.effect, ours.points) == (theirs.effect, theirs.points)
    read_by_engine = set(OPTIONS["landlord", Format.KNOCK_OUT])
    assert {name: shipped.options[name] for name in read_by_engine} == {
        name: golden.options[name] for name in read_by_engine
    }

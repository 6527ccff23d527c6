"""Event files that are right: of the golden data, of the real tournaments, the examples, and one of each form with every key."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.regulations import library
from scoring_engine.rules import ScoringRules
from tests.conftest import ROOT
from tests.factories import event_files
from tests.scoring_engine import board_events, events, landlord_round_events, match_events
from tests.scoring_engine.oracles import tournaments

Named = tuple[str, dict[str, Any], ScoringRules]

MATCH_EVENTS = (
    ("eighty_events", match_events.EIGHTY, "knockout"),
    ("tractor_events", match_events.TRACTOR, "swiss"),
)
EXAMPLES = ROOT / "docs" / "examples"
WHOLE: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "whole.json").read_text(encoding="utf-8")
)["files"]


def rules_of(document: dict[str, Any]) -> ScoringRules:
    """The rules of the shipped regulation a file names."""
    return library.load(document["regulation"]).scoring_rules()


def earlier_of(document: dict[str, Any]) -> dict[str, ScoringRules]:
    """The rules of the earlier versions of a file that names shipped regulations in their place."""
    return {
        each["sha256"]: library.load(each["regulation"]["id"]).scoring_rules()
        for each in document.get("earlier_regulations", ())
    }


def whole_files() -> Iterator[Named]:
    """One file for each form of table, with every key its reader reads."""
    for name, document in WHOLE.items():
        yield name, document, rules_of(document)


def golden_files() -> Iterator[Named]:
    """The event files that the golden cases are made into."""
    for case in events.golden("events")["cases"]:
        yield case["name"], events.made(case), events.RULES
    for case in events.golden("penalties")["cases"]:
        yield case["name"], events.penalised(case), events.RULES
    for case in events.golden("board")["cases"]:
        yield case["name"], *board_events.made(case)
    for case in events.golden("landlord_rounds")["events"]:
        yield case["name"], *landlord_round_events.made(case)
    for name, regulation, stage in MATCH_EVENTS:
        for case in events.golden(name)["cases"]:
            document = match_events.made(case, regulation, stage)
            yield case["name"], document, match_events.rules(regulation)


def real_files() -> Iterator[Named]:
    """The published tournaments."""
    for path in sorted(tournaments.REAL.glob("*.json")):
        real = tournaments.load(path.name[:2])
        rounds, scoring = len(real["rounds"]), tournaments.scoring(real)
        yield (
            path.stem,
            tournaments.document(real),
            board_events.rules(["match_points"], rounds=rounds, scoring=scoring),
        )


def examples() -> Iterator[Named]:
    """Those an outsider is shown."""
    for path in sorted(EXAMPLES.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        yield path.stem, document, rules_of(document)


def accepted_files() -> Iterator[Named]:
    """All of them, and a file that carries its whole regulation."""
    yield from whole_files()
    yield from examples()
    yield from golden_files()
    yield from real_files()
    played = event_files.played()
    yield "played", played, rules_of(played)
    regulation = library.load(played["regulation"]).document
    yield "with its regulation", {**played, "regulation": regulation}, rules_of(played)

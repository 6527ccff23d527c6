"""The score document (`saishi-score`) of an event, by the format of its regulation."""

from collections.abc import Callable, Mapping
from typing import Any

from scoring_engine.event_file.bracket_scoring import score_bracket
from scoring_engine.event_file.knock_out_scoring import score_knock_out
from scoring_engine.event_file.reading import read
from scoring_engine.event_file.swiss_scoring import score_swiss
from scoring_engine.records import EventRecord
from scoring_engine.rules import Format, ScoringRules


def score(document: Mapping[str, Any], rules: ScoringRules) -> dict[str, Any]:
    """The score document of an event file. Raises EventFileError with every problem of the file."""
    return score_record(read(document, rules))


def score_record(event: EventRecord) -> dict[str, Any]:
    """The score document of an event that has been read."""
    return SCORERS[event.rules.format](event)


SCORERS: Mapping[Format, Callable[[EventRecord], dict[str, Any]]] = {
    Format.KNOCK_OUT: score_knock_out,
    Format.SWISS: score_swiss,
    Format.BRACKET: score_bracket,
}
"""How an event is scored, by the format of its regulation."""

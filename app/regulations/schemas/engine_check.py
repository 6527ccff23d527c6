"""What the engine says of a document that may be wrong elsewhere: all of it that does not follow from what is told already.

| wrong already | not told again |
|---|---|
| a place | what the engine says of that place or of anything inside it |
| an interpretation | that its option is missing, and the places that refer to it |
| the game | all that depends on it: everything but the ranking and the readings |
| the kind of the first stage, of a game with several formats | all that depends on it, as with the game |
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.regulations.rules import Bilingual
from app.regulations.schemas.meaning import references
from app.regulations.schemas.places import Told, dotted, within
from scoring_engine.rules import RulesError, ScoringRules
from scoring_engine.rules.games import GAMES

_WITHOUT_FORMAT = ("ranking", "interpretations", "options")
"""Parts that are read alike in every format."""

_NAMED_BARE = ("deals", "rounds")
"""Keys of a stage at which an option stands by its name alone."""


def engine_problems(document: Mapping[str, Any], told: Told) -> None:
    """Tell what the engine finds."""
    try:
        ScoringRules.from_mapping(document)
    except RulesError as error:
        found = [(dotted(each.path), Bilingual(each.zh, each.en)) for each in error.problems]
    else:
        return
    unusable = _unusable_options(document, told)
    waiting = {
        path
        for path, name in [*references(document), *_bare(document)]
        if unusable is None or name in unusable
    }
    knows_format = _knows_format(document, told)
    absent = [text.zh for path, text in found if path == "interpretations"]
    for path, text in found:
        part = path.partition(".")[0]
        if not knows_format and part not in _WITHOUT_FORMAT:
            continue
        if path.startswith("interpretations.") and not told.sound(path):
            continue
        if any(within(path, place) for place in waiting) or _follows(path, text, unusable, absent):
            continue
        told.add(path, text)


def _unusable_options(document: Mapping[str, Any], told: Told) -> set[str] | None:
    """Options whose row is wrong; None where a row is so wrong that nobody knows which option it is of."""
    if not isinstance(document.get("interpretations"), list):
        return None
    names: set[str] = set()
    for index, row in enumerate(document["interpretations"]):
        place = f"interpretations.{index}"
        if told.sound(place):
            continue
        if not isinstance(row, Mapping) or not told.sound(f"{place}.option"):
            return None
        names.add(row["option"])
    return names


def _bare(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    stages = document.get("stages")
    return [
        (f"stages.{index}.{key}", row[key])
        for index, row in enumerate(stages if isinstance(stages, list) else ())
        if isinstance(row, Mapping)
        for key in _NAMED_BARE
        if isinstance(row.get(key), str)
    ]


def _follows(path: str, text: Bilingual, unusable: set[str] | None, absent: Sequence[str]) -> bool:
    """Whether this only says that an option whose row is wrong has no row, or that the match does not say instead of it
    what a row should say that is wrong or `absent`."""
    if path == "interpretations":
        return unusable is None or any(f" {name} " in text.zh for name in unusable)
    key = path.removeprefix("scoring.match.")
    if key == path:
        return False
    return unusable is None or key in unusable or any(f" {key} " in sentence for sentence in absent)


def _knows_format(document: Mapping[str, Any], told: Told) -> bool:
    game = document.get("game")
    if not isinstance(game, str) or game not in GAMES:
        return False
    return len(GAMES[game]) == 1 or told.sound("stages.0.kind")

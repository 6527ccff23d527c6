"""What a regulation can be of: a game in one format."""

from collections.abc import Mapping
from typing import Any

from scoring_engine.rules.stage_kinds import STAGE_KINDS, Format
from scoring_engine.tractor.levels import level_name

FORMATS: Mapping[str, tuple[str, Format]] = {
    "landlord_knock_out": ("landlord", Format.KNOCK_OUT),
    "landlord_swiss": ("landlord", Format.SWISS),
    "go": ("go", Format.SWISS),
    "xiangqi": ("xiangqi", Format.SWISS),
    "tractor": ("tractor", Format.SWISS),
    "eighty": ("eighty", Format.BRACKET),
}
"""What a regulation can be of: a game in one format, by the code that `When("format", …)` names."""

LANDLORD = ("landlord_knock_out", "landlord_swiss")
BOARD = ("go", "xiangqi")
MATCHES = ("tractor", "eighty")
SWISS = tuple(code for code, (_, played) in FORMATS.items() if played is Format.SWISS)
LEVELS = tuple(level_name(level) for level in range(13))


def format_of(document: Mapping[str, Any]) -> str | None:
    """Which of FORMATS a document is of, by its game and the kind of its first stage; None where they do not say."""
    stages = document.get("stages")
    first = stages[0] if isinstance(stages, list) and stages else None
    kind = first.get("kind") if isinstance(first, Mapping) else None
    game = document.get("game")
    of_game = [code for code, (played, _) in FORMATS.items() if played == game]
    fitting = [
        code for code in of_game if isinstance(kind, str) and FORMATS[code][1] is STAGE_KINDS.get(kind)
    ]
    return next(iter(fitting or of_game), None)

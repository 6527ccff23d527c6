"""The name and help of every key of a regulation document, by its path (`description.FieldHelp.path`).

`..name` stands for every key of that name without words of its own. The words of values are in `choices`.
"""

from collections.abc import Mapping

from app.regulations.schemas.helps.document import DOCUMENT
from app.regulations.schemas.helps.engine import ENGINE
from app.regulations.schemas.helps.scoring import SCORING
from app.regulations.schemas.helps.words import Help

__all__ = ["HELPS", "Help"]

HELPS: Mapping[str, Help] = {**DOCUMENT, **SCORING, **ENGINE}

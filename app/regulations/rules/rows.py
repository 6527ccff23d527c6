"""One sentence of the rules page (规程页), with its clause."""

from dataclasses import dataclass

from app.text import T


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One sentence of the page. `anchor` stands on the first row of a clause only."""

    text: T
    clause: str
    label: T | None = None
    anchor: str | None = None
    interpretations: tuple[str, ...] = ()

"""An illegal play and its words: which duty it broke, in both languages, with the clause."""

from dataclasses import dataclass

from scoring_engine.tractor.tricks.formats import Duty
from scoring_engine.values import Text


@dataclass(frozen=True, slots=True)
class Breach:
    """The first duty a play broke.

    cards_short: cards of the led suit that were held and not played; pairs_short: pairs that were owed and not played.
    D counts its penalties in them (五12: 每张, 每对); they may both be above 0. Both are 0 for a lead.
    """

    duty: Duty
    text: Text
    clause: str
    cards_short: int = 0
    pairs_short: int = 0


class IllegalPlayError(ValueError):
    """A play that the rules do not allow."""

    def __init__(self, breach: Breach) -> None:
        self.breach = breach
        super().__init__(breach.text.zh)

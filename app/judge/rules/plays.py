"""Plays of 二打一: PLAY, or PLAY > PLAY; the page's two rows of cards and a line of `saishi judge` are one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.regulations.rules import Regulation
from scoring_engine.landlord.cards import CardsError
from scoring_engine.landlord.plays import (
    Comparison,
    IllegalPlayError,
    Kind,
    PlayRules,
    Reading,
    Refusal,
    plays_under,
)
from scoring_engine.values import Text

LONGEST_ECHO = 200
"""Characters of a line that are repeated in the answer; no play is as long."""


@dataclass(frozen=True, slots=True)
class PlayAnswer:
    """What a play is, and whether it beats another.

    `legal`, `kind` and `clause` are those of the first play. `beats` is None where there is no second one, and false where
    either is illegal; `reason` says why a play is illegal or how the two compare. `no_cards`: the row (`play`, `other`) whose
    text is no set of cards; `illegal`: the row that is no combination.
    """

    legal: bool = False
    kind: Kind | None = None
    beats: bool | None = None
    clause: str | None = None
    reason: Text | None = None
    interpretation: str | None = None
    no_cards: str | None = None
    illegal: str | None = None

    def to_json(self, play: str, other: str | None) -> dict[str, Any]:
        """As a line of `saishi judge` has it, what was asked repeated."""
        kind = None if self.kind is None else self.kind.value
        answer: dict[str, Any] = {
            "play": play[:LONGEST_ECHO],
            "legal": self.legal,
            "kind": kind,
            "beats": self.beats,
            "clause": self.clause,
        }
        if other is not None:
            answer["other"] = other[:LONGEST_ECHO]
        if self.reason is not None:
            answer |= {"reason": self.reason.zh, "reason_en": self.reason.en}
        if self.interpretation is not None:
            answer["interpretation"] = self.interpretation
        return answer


class PlayJudge:
    """Judges plays under one regulation. Raises RulesError for options that cannot be followed."""

    def __init__(self, regulation: Regulation) -> None:
        self.interpretations = {each.option: each for each in regulation.interpretations}
        self.plays = plays_under(PlayRules.from_options(regulation.options))

    def __call__(self, line: str) -> dict[str, Any]:
        """The answer to one line."""
        play, *others = (part.strip() for part in line.strip().replace("＞", ">").split(">"))
        other = others[0] if others else None
        if len(others) > 1:
            text = Text("一行只能比较两手牌。", "A line compares two plays only.")
            return PlayAnswer(beats=False, reason=text).to_json(play, other)
        return self.answer(play, other).to_json(play, other)

    def answer(self, play: str, other: str | None = None) -> PlayAnswer:
        """Whether a play is legal and, where another is given, beats it."""
        beats = None if other is None else False
        try:
            reading = self.plays.classify(play)
        except CardsError as error:
            return PlayAnswer(beats=beats, reason=error.text, no_cards="play")
        except IllegalPlayError as error:
            clause, interpretation = self._barred_by(error.refusal)
            return PlayAnswer(
                beats=beats,
                clause=clause,
                reason=error.refusal.text,
                interpretation=interpretation,
                illegal="play",
            )
        if other is None:
            return PlayAnswer(legal=True, kind=reading.kind, clause=self.plays.clause_of(reading))
        return self._compared(play, other, reading)

    def _compared(self, play: str, other: str, reading: Reading) -> PlayAnswer:
        clause = self.plays.clause_of(reading)
        try:
            found: Comparison = self.plays.compare(play, other)
        except CardsError as error:
            text = Text(f"后一手：{error.text.zh}", f"The second play: {error.text.en}")
            return PlayAnswer(True, reading.kind, False, clause, text, no_cards="other")
        except IllegalPlayError as error:
            clause, interpretation = self._barred_by(error.refusal)
            said = error.refusal.text
            text = Text(f"后一手不是合法牌型：{said.zh}", f"The second play is no combination: {said.en}")
            return PlayAnswer(True, reading.kind, False, clause, text, interpretation, illegal="other")
        return PlayAnswer(True, found.reading.kind, found.beats, found.clause, found.text)

    def _barred_by(self, refusal: Refusal) -> tuple[str, str | None]:
        """The clause, and the interpretation (I-A-7 …) where an option of the regulation bars the play."""
        reading = None if refusal.option is None else self.interpretations.get(refusal.option)
        return (refusal.clause, None) if reading is None else (reading.clause, reading.id)

"""Lines of `saishi judge` for 二打一: PLAY or PLAY > PLAY."""

from __future__ import annotations

from typing import Any

from app.regulations.rules import Regulation
from scoring_engine.landlord.cards import CardsError
from scoring_engine.landlord.plays import IllegalPlayError, PlayRules, Plays, plays_under
from scoring_engine.values import Text

LONGEST_ECHO = 200
"""Characters of a line that are repeated in the answer; no play is as long."""


class PlayJudge:
    """Judges the lines under one regulation. Raises RulesError for options that cannot be followed."""

    def __init__(self, regulation: Regulation) -> None:
        self.regulation = regulation
        self.plays = plays_under(PlayRules.from_options(regulation.options))

    def __call__(self, line: str) -> dict[str, Any]:
        return judged(line, self.plays, self.regulation)


def judged(line: str, plays: Plays, regulation: Regulation) -> dict[str, Any]:
    """The answer to one line.

    `legal`, `kind` and `clause` are those of the first play. `beats` is null where there is no second one, and false
    where either is illegal; `reason` (and `reason_en`) says why a play is illegal or how the two compare.
    """
    play, *others = (part.strip() for part in line.strip().replace("＞", ">").split(">"))
    answer: dict[str, Any] = {
        "play": play[:LONGEST_ECHO],
        "legal": False,
        "kind": None,
        "beats": False if others else None,
        "clause": None,
    }
    if others:
        answer["other"] = others[0][:LONGEST_ECHO]
    if len(others) > 1:
        return answer | _reason(Text("一行只能比较两手牌。", "A line compares two plays only."))
    try:
        reading = plays.classify(play)
        answer |= {"legal": True, "kind": reading.kind.value, "clause": plays.clause_of(reading)}
        if not others:
            return answer
        return answer | _compared(play, others[0], plays, regulation)
    except CardsError as error:
        return answer | _reason(error.text)
    except IllegalPlayError as error:
        return answer | _refused(error, regulation)


def _compared(play: str, other: str, plays: Plays, regulation: Regulation) -> dict[str, Any]:
    try:
        found = plays.compare(play, other)
    except CardsError as error:
        return _reason(Text(f"后一手：{error.text.zh}", f"The second play: {error.text.en}"))
    except IllegalPlayError as error:
        refused = _refused(error, regulation)
        text = error.refusal.text
        return refused | _reason(
            Text(f"后一手不是合法牌型：{text.zh}", f"The second play is no combination: {text.en}")
        )
    return {"beats": found.beats, "kind": found.reading.kind.value, "clause": found.clause} | _reason(
        found.text
    )


def _refused(error: IllegalPlayError, regulation: Regulation) -> dict[str, Any]:
    """The clause, and the interpretation (I-A-7 …) where an option of the regulation bars the play."""
    refusal = error.refusal
    interpretations = {each.option: each for each in regulation.interpretations}
    answer = {"clause": refusal.clause} | _reason(refusal.text)
    if refusal.option in interpretations:
        interpretation = interpretations[refusal.option]
        answer |= {"clause": interpretation.clause, "interpretation": interpretation.id}
    return answer


def _reason(text: Text) -> dict[str, str]:
    return {"reason": text.zh, "reason_en": text.en}

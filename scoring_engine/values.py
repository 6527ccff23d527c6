"""Small words of the engine: ids, exact numbers, and texts in both languages.

Points are `int`, or `Fraction` where a text halves them; never float. An answer shows a number as an exact
decimal string (`"3.5"`), see `decimal_text`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NewType, TypeAlias

EntrantId = NewType("EntrantId", str)
UnitId = NewType("UnitId", str)
TeamId = NewType("TeamId", str)
StageCode = NewType("StageCode", str)

Points: TypeAlias = int | Fraction
"""An exact amount of points (分)."""

Figure: TypeAlias = int | Fraction | tuple[Points, ...]
"""What a ranking criterion compares: a number, or numbers compared one after the other (依次)."""


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in Chinese (the language of the regulations) and English."""

    zh: str
    en: str

    def __str__(self) -> str:
        return self.zh


@dataclass(frozen=True, slots=True)
class Expulsion:
    """取消参赛资格 in a knock-out. stage, round: the last one whose draw has him. reinstated: it was taken back after the next
    one had been drawn without him, so that he has a rank again but no seat."""

    stage: StageCode
    round: int
    reinstated: bool = False


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who plays for himself in the event (参赛运动员), with the unit (参赛单位) he is entered by.

    group: the group (组别) he plays in, where the event has several. start: the points he begins with (起点分), 0 but
    in a McMahon event. number: his starting number (序号), by which a half-split pairs. enters_in: the first round he takes
    part in, later than 1 for a late entrant (补报). withdrawn_after: the last round he takes part in, 0 for none; None where
    he has not withdrawn (退赛). expelled: that he was expelled from a knock-out (取消参赛资格), and since when.
    """

    id: EntrantId
    name: str
    unit: UnitId | None = None
    team: TeamId | None = None
    group: str | None = None
    start: Points = 0
    number: int | None = None
    enters_in: int = 1
    withdrawn_after: int | None = None
    expelled: Expulsion | None = None


def points_of(number: Points) -> Points:
    """The same number, as an int where it is whole."""
    return number.numerator if number.denominator == 1 else number


@dataclass(frozen=True, slots=True)
class NeedsRuling:
    """A question the regulation does not answer; the committee rules (裁定), the engine never guesses.

    `suggestion` is what is usually done (抽签, 加赛), for the committee to take or leave.
    """

    reason: Text
    clause: str
    suggestion: Text | None = None

    def to_json(self) -> dict[str, str]:
        """`{"reason", "clause"}` of the score document, with the English reason and the suggestion beside."""
        answer = {"reason": self.reason.zh, "clause": self.clause, "reason_en": self.reason.en}
        if self.suggestion is not None:
            answer["suggestion"] = self.suggestion.zh
            answer["suggestion_en"] = self.suggestion.en
        return answer


def decimal_text(value: Points | Decimal) -> str:
    """The exact decimal string of a number: 24 -> "24", Fraction(7, 2) -> "3.5".

    Raises ValueError for a fraction that has no finite decimal form (a third), as `points_text` does not.
    """
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        value = Fraction(value)
    numerator, denominator = value.numerator, value.denominator
    digits = 0
    while 10**digits % denominator:
        digits += 1
        if digits > 30:
            raise ValueError(f"{value} has no short decimal form")
    if not digits:
        return str(numerator)
    scaled = abs(numerator) * 10**digits // denominator
    whole, rest = divmod(scaled, 10**digits)
    return f"{'-' if numerator < 0 else ''}{whole}.{rest:0{digits}d}"


def points_text(value: Points) -> str:
    """Points exactly: the decimal string, or the fraction (`"4/3"`) where there is none.

    Match points shared by three can be thirds (I-B-1 with ranks 3, 1, 0), and so can all that adds them up.
    """
    try:
        return decimal_text(value)
    except ValueError:
        return str(value)


def reading_order(entrant_id: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Key that lists ids as a person reads them: e2 before e10. It orders shared ranks, and decides nothing."""
    head = entrant_id.rstrip("0123456789")
    if head.isalpha() and len(head) < len(entrant_id):  # e10: the same parts without taking the id to pieces
        return ((1, 0, head), (0, int(entrant_id[len(head) :]), "")), entrant_id
    parts = tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.split(r"(\d+)", entrant_id)
        if part
    )
    return parts, entrant_id


def names_of(entrants: Sequence[EntrantId]) -> Text:
    """The ids of a sentence: the first six, and how many there are if they are more."""
    shown, more = entrants[:6], len(entrants) - 6
    if more > 0:
        return Text(f"{'、'.join(shown)}等{len(entrants)}人", f"{', '.join(shown)} and {more} more")
    return Text("、".join(shown), ", ".join(shown))

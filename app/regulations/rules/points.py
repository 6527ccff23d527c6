"""职工赛事积分 and grades (等级): what places are worth beyond the event, as the organiser's own tables say.

A text may only say that there are such tables (A 六(三)): then `places` and `grades` are empty, and nothing is made up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.regulations.rules.texts import Bilingual


@dataclass(frozen=True, slots=True)
class PlacePoints:
    """The ranks `first`…`last` are worth `points` each."""

    first: int
    last: int
    points: int


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade reached with `least` points."""

    name: Bilingual
    least: int


@dataclass(frozen=True, slots=True)
class AwardPoints:
    """The points of one event. event_grade: how the federation grades the event (A级赛事)."""

    event_grade: str
    places: tuple[PlacePoints, ...]
    grades: tuple[Grade, ...]
    clause: str

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "AwardPoints":
        return cls(
            table["event_grade"],
            tuple(PlacePoints(row["from"], row["to"], row["points"]) for row in table.get("places", [])),
            tuple(Grade(Bilingual.of(row["name"]), row["least"]) for row in table.get("grades", [])),
            table["clause"],
        )

    def of_rank(self, rank: int) -> int | None:
        """The points of a rank; 0 where the table stops before it, None where there is no table."""
        if not self.places:
            return None
        return next((row.points for row in self.places if row.first <= rank <= row.last), 0)

    def grade(self, points: int) -> Bilingual | None:
        """The highest grade reached with so many points, or None."""
        reached = [grade for grade in self.grades if points >= grade.least]
        return reached[-1].name if reached else None

    def describe(self) -> tuple[Bilingual, ...]:
        """What the rules page says."""
        grade = Bilingual(
            f"本赛事为 {self.event_grade} 级赛事。", f"The event is of grade {self.event_grade}."
        )
        if not self.places:
            silent = Bilingual(
                "名次对应的积分和等级标准由主办方另行公布。",
                "The host announces the points of places and the grades.",
            )
            return grade, silent
        rows = [
            Bilingual(
                f"第 {_span(row, ' 至 ')} 名得 {row.points} 分。",
                f"Rank {_span(row, '–')}: {row.points} points.",
            )
            for row in self.places
        ]
        reached = [
            Bilingual(f"积分满 {each.least}：{each.name.zh}。", f"From {each.least} points: {each.name.en}.")
            for each in self.grades
        ]
        return grade, *rows, *reached


def _span(row: PlacePoints, joined: str) -> str:
    return str(row.first) if row.first == row.last else f"{row.first}{joined}{row.last}"

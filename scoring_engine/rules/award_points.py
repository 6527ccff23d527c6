"""职工赛事积分 and grades (等级): what places are worth beyond the event, as the organiser's own tables say (A 六(三)).

A text may only say that there are such tables: then `places` and `grades` are empty, and nothing is made up.
"""

from dataclasses import dataclass

from scoring_engine.documents import Node
from scoring_engine.values import Text

_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class PlacePoints:
    """The ranks `first`…`last` are worth `points` each."""

    first: int
    last: int
    points: int


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade reached with `least` points."""

    name: Text
    least: int


@dataclass(frozen=True, slots=True)
class AwardPoints:
    """The points of one event. event_grade: how the federation grades the event (A级赛事).

    places: from the first rank on, without a gap, never worth more than those before. grades: rising.
    """

    event_grade: str
    places: tuple[PlacePoints, ...]
    grades: tuple[Grade, ...]
    clause: str

    def of_rank(self, rank: int) -> int | None:
        """The points of a rank; 0 where the table stops before it, None where there is no table."""
        if not self.places:
            return None
        return next((row.points for row in self.places if row.first <= rank <= row.last), 0)

    def grade(self, points: int) -> Text | None:
        """The highest grade reached with so many points, or None."""
        reached = [grade for grade in self.grades if points >= grade.least]
        return reached[-1].name if reached else None


def read_award_points(root: Node) -> AwardPoints | None:
    """The table `points`; None where the text has none."""
    node = root.node("points") if root.has("points") else None
    if node is None:
        return None
    event_grade, clause = node.text("event_grade"), node.text("clause")
    places, grades = tuple(_places(node)), tuple(_grades(node))
    if event_grade is None or clause is None:
        return None
    return AwardPoints(event_grade, places, grades, clause)


def _places(table: Node) -> list[PlacePoints]:
    found: list[PlacePoints] = []
    ranked, worth = 0, _MOST
    for node in table.nodes("places"):
        first, last, points = node.integer("from", 1), node.integer("to", 1), node.integer("points", 0, _MOST)
        if first is None or last is None or points is None:
            continue
        if first != ranked + 1:
            node.problems.add(
                node.at("from"), f"应从 {ranked + 1} 起。", f"The places go on from {ranked + 1}."
            )
        elif last < first:
            node.problems.add(node.at("to"), "不能小于 from。", "This is not below from.")
        elif points > worth:
            node.problems.add(
                node.at("points"), f"不能多于前一行的 {worth}。", f"Never more than {worth} before."
            )
        ranked, worth = max(first, last), points
        found.append(PlacePoints(first, last, points))
    return found


def _grades(table: Node) -> list[Grade]:
    found: list[Grade] = []
    before = -1
    for node in table.nodes("grades"):
        name, least = node.label("name"), node.integer("least", 0, _MOST)
        if name is None or least is None:
            continue
        if least <= before:
            node.problems.add(node.at("least"), f"应大于前一行的 {before}。", f"This is above {before}.")
        before = least
        found.append(Grade(name, least))
    return found

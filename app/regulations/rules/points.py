"""职工赛事积分 and grades (等级) in words; the tables are the organiser's own, read by `scoring_engine.rules.award_points`."""

from app.regulations.rules.texts import Bilingual
from scoring_engine.rules import AwardPoints
from scoring_engine.rules.award_points import PlacePoints


def describe_points(table: AwardPoints) -> tuple[Bilingual, ...]:
    """What the rules page says."""
    grade = Bilingual(f"本赛事为 {table.event_grade} 级赛事。", f"The event is of grade {table.event_grade}.")
    if not table.places:
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
        for row in table.places
    ]
    reached = [
        Bilingual(f"积分满 {each.least}：{each.name.zh}。", f"From {each.least} points: {each.name.en}.")
        for each in table.grades
    ]
    return grade, *rows, *reached


def _span(row: PlacePoints, joined: str) -> str:
    return str(row.first) if row.first == row.last else f"{row.first}{joined}{row.last}"

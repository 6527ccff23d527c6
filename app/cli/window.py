"""`saishi window`: a publication window (公示期) counted in official working days."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Any

import click

from app.cli import documents
from app.errors import InvalidError, SaishiError
from app.text import BEIJING
from app.workdays.rules import WorkdayCalendar, YearDays, check_year, parse_day_lines
from scoring_engine.documents import DocumentError, parse_json

END_OF_DAY = time(23, 59, 59)
"""24:00 belongs to the day it ends, and a date without a time means 24:00 of that day."""


def closing_moment(text: str) -> datetime:
    """`2021-10-31T18:00`, `2021-10-31 24:00` or `2021-10-31`; Beijing time unless an offset is written."""
    text = text.strip()
    match = re.fullmatch(r"(\d{4}-\d{2}-\d{2})(?:[T ]24:00(?::00)?)?", text)
    try:
        if match:
            day = datetime.fromisoformat(match.group(1))
            return datetime.combine(day, END_OF_DAY, tzinfo=BEIJING)
        moment = datetime.fromisoformat(text)
    except ValueError:
        documents.refuse(f"--closes: “{text}”不是时间；请写 2021-10-31T18:00。")
    return moment if moment.tzinfo else moment.replace(tzinfo=BEIJING)


def entered_years(file: str) -> Iterator[YearDays]:
    """The years of a FILE as `GET /api/v1/workdays` answers, checked as if they were entered on the page."""
    try:
        document = parse_json(documents.read_text(file))
    except DocumentError as error:
        documents.refuse(*(f"--years: {problem}" for problem in error.problems))
    rows = document.get("years") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        documents.refuse(
            '--years: 文件应为 {"years": [{"year": 2027, "holidays": […], "makeup_workdays": […]}]}。'
        )
    for index, row in enumerate(rows):
        place = f"--years: $.years[{index}]"
        year = row.get("year") if isinstance(row, dict) else None
        if type(year) is not int:
            documents.refuse(f"{place}.year: 应为年份。")
        if row.get("kind") != "official":
            days = [_days(row, key, place) for key in ("holidays", "makeup_workdays")]
            try:
                yield check_year(year, *days)
            except InvalidError as error:
                documents.refuse(*(f"{place}.{key}: {text}" for key, text in error.fields.items()))


def _days(row: dict[str, Any], key: str, place: str) -> frozenset[date]:
    lines = row.get(key, [])
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        documents.refuse(f"{place}.{key}: 应为日期的列表。")
    days, problems = parse_day_lines(lines)
    if problems:
        documents.refuse(*(f"{place}.{key}: {problem}" for problem in problems))
    return days


@click.command("window")
@click.option("--closes", required=True, help="The deadline, e.g. 2021-10-31T18:00 (Beijing time).")
@click.option("--workdays", required=True, type=click.IntRange(1, 366), help="How many working days follow.")
@click.option("--count-deadline-day", is_flag=True, help="Count the day of the deadline itself (I-A-14).")
@click.option(
    "--years",
    metavar="FILE",
    help="Years that were entered, as GET /api/v1/workdays gives them (JSON; - for stdin).",
)
def command(closes: str, workdays: int, count_deadline_day: bool, years: str | None) -> None:
    """Print the window of working days after a deadline as JSON."""
    from app.workdays.official import official_calendar
    from app.workdays.rules import UnknownWorkdayYearError, publication_window

    moment = closing_moment(closes)
    known = dict(official_calendar().years)
    for entered in entered_years(years) if years else ():
        known.setdefault(entered.year, entered)  # what is official stands
    try:
        window = publication_window(
            moment, workdays, WorkdayCalendar(MappingProxyType(known)), count_deadline_day
        )
    except UnknownWorkdayYearError as error:
        documents.refuse(
            f"{error.text}{error.next_step}已录入的，可用 --years 给出 /api/v1/workdays 的回答。"
        )
    except SaishiError as error:
        documents.refuse(f"{error.text}{error.next_step or ''}")
    except OverflowError:
        documents.refuse(f"--closes: “{closes}”超出了可计算的年份。")
    documents.print_document(
        {
            "first_day": window.first_day.isoformat(),
            "last_day": window.last_day.isoformat(),
            "ends": window.ends_at.isoformat(),
            "days": [day.isoformat() for day in window.days],
        }
    )

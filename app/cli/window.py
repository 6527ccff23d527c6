"""`saishi window`: a publication window (公示期) counted in official working days."""

from __future__ import annotations

import re
from datetime import datetime, time

import click

from app.cli import documents
from app.errors import SaishiError
from app.text import BEIJING

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


@click.command("window")
@click.option("--closes", required=True, help="The deadline, e.g. 2021-10-31T18:00 (Beijing time).")
@click.option("--workdays", required=True, type=click.IntRange(1, 366), help="How many working days follow.")
@click.option("--count-deadline-day", is_flag=True, help="Count the day of the deadline itself (I-A-14).")
def command(closes: str, workdays: int, count_deadline_day: bool) -> None:
    """Print the window of working days after a deadline as JSON."""
    from app.workdays.official import official_calendar
    from app.workdays.rules import publication_window

    moment = closing_moment(closes)
    try:
        window = publication_window(moment, workdays, official_calendar(), count_deadline_day)
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

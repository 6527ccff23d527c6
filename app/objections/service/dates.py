"""Until when a case is to be decided."""

from __future__ import annotations

from datetime import datetime

from app.competitions.queries import EventView
from app.objections.rules.lodging import workdays_of
from app.workdays import queries as workdays
from app.workdays.rules import UnknownWorkdayYearError, publication_window


def due_of(event: EventView, received_at: datetime) -> datetime | None:
    """The end of the last working day for deciding it; None where a year's calendar is missing: nobody is turned away for that."""
    try:
        return publication_window(received_at, workdays_of(event.regulation), workdays.calendar()).ends_at
    except UnknownWorkdayYearError:
        return None

"""One document of the leader's own list, with what is said before it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.documents.queries.documents import DocumentView, document_of
from app.documents.queries.lists import SubjectList, UnitLists, my_lists
from app.documents.rules import (
    PURPOSE,
    PURPOSES,
    SEEN_BY,
    WARN_DAYS,
    Row,
    Subject,
    UnknownDocumentError,
    accepts,
)
from app.registrations.rules import purge_day
from app.text import T
from app.uploads.rules import Purpose


@dataclass(frozen=True, slots=True)
class MyDocument:
    """One row with its document; ``deleted_on``: the day on which everything of it is deleted."""

    unit: UnitLists
    whose: SubjectList
    row: Row
    document: DocumentView | None
    deleted_on: date

    @property
    def told(self) -> tuple[T, ...]:
        """Why it is asked and who sees it (告知)."""
        return (PURPOSES[self.row.kind], SEEN_BY)


def deletion_day(competition: CompetitionView, purge_days: int) -> date:
    """The day on which the documents of a competition are deleted."""
    return purge_day([event.regulation.calendar.play_to for event in competition.events], purge_days)


def my_document(
    competition: CompetitionView,
    user_id: int,
    subject: str,
    kind: str,
    now: datetime,
    *,
    purge_days: int,
    warn_days: int = WARN_DAYS,
) -> MyDocument:
    """Raises ``UnknownDocumentError`` for a document of another unit, or one that is not asked."""
    unit = my_lists(competition, user_id, now, warn_days=warn_days)
    if unit is None:
        raise UnknownDocumentError
    whose = unit.list_of(Subject.parse(subject))
    row = whose.row(kind)
    if row is None:
        raise UnknownDocumentError
    return MyDocument(
        unit, whose, row, document_of(whose.subject, kind), deletion_day(competition, purge_days)
    )


def accepted_for(
    slug: str, user_id: int, code: str, *, subject: str, kind: str, now: datetime
) -> Purpose | None:
    """What one document of this person's list takes; None for files of another purpose. Raises ``UnknownDocumentError``."""
    if code != PURPOSE:
        return None
    unit = my_lists(competitions.competition(slug), user_id, now)
    row = unit.list_of(Subject.parse(subject)).row(kind) if unit is not None else None
    if row is None:
        raise UnknownDocumentError
    return accepts(row)

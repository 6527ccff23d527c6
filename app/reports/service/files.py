"""The files that go with reports, made before the command that sends them: setting a page holds no lock."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from app.accounts import queries as accounts
from app.competitions import queries as competitions
from app.notifications.letters import translate
from app.notifications.rules import Attachment
from app.reports.paper import Paper
from app.reports.printing import pdf
from app.reports.queries.final import due_final
from app.reports.queries.rounds import due_rounds
from app.reports.service.final import final_readers
from app.reports.service.rounds import round_readers
from app.reports.spreadsheet import xlsx

Prepared = Mapping[tuple[str, str], tuple[Attachment, ...]]
"""By the name of the occasion and the language."""

PDF = "application/pdf"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def prepare(competition_id: int, now: datetime, *, report_minutes: int, at_once: bool = False) -> Prepared:
    """The files of everything that is due in a competition, in the languages of its readers. Reads only."""
    competition = competitions.competition_by_id(competition_id)
    apart = None if at_once else timedelta(minutes=report_minutes)
    made: dict[tuple[str, str], tuple[Attachment, ...]] = {}
    for event in competition.events:
        for round_ in due_rounds(competition, event, now, apart=apart):
            made |= _files(round_.name, round_.paper, round_readers(round_))
        final = due_final(competition, event, now, apart=apart)
        if final is not None:
            made |= _files(final.name, final.paper, final_readers(final))
    return made


def files_of(paper: Paper, language: str) -> tuple[Attachment, ...]:
    """A paper as PDF and as a spreadsheet."""
    name = translate(paper.title, language)
    return (
        Attachment(f"{name}.pdf", PDF, pdf(paper, language)),
        Attachment(f"{name}.xlsx", XLSX, xlsx(paper, language)),
    )


def _files(
    name: str, paper: Paper, readers: Collection[int]
) -> dict[tuple[str, str], tuple[Attachment, ...]]:
    languages = {found.language for each in readers if (found := accounts.recipient(each)).email}
    return {(name, language): files_of(paper, language) for language in sorted(languages)}

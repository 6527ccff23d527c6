"""To the organiser: the final report (总结报告) once the last round is confirmed, and again when results are corrected."""

from __future__ import annotations

from collections.abc import Mapping

from app.accounts import queries as accounts
from app.commands import CommandContext
from app.notifications.letters import Address, LetterKind
from app.notifications.rules import Attachment
from app.reports import queries
from app.reports.queries.final import FinalReport
from app.reports.service.writing import Occasion, heading, tell, untold


def final_readers(report: FinalReport) -> tuple[int, ...]:
    return queries.organisers(report.competition.id)


def tell_final(
    ctx: CommandContext, report: FinalReport, files: Mapping[tuple[str, str], tuple[Attachment, ...]]
) -> int:
    """One letter to each organiser, with the report as files. One whose files are not made yet waits. How many."""
    snapshot = report.snapshot
    details = {"version": snapshot.results_version, "sha256": snapshot.input_sha256}
    occasion = Occasion(LetterKind.FINAL_REPORT, report.name, report.competition, report.event, details)
    readers = untold(ctx, occasion, final_readers(report))
    recipients = {each: accounts.recipient(each) for each in readers}
    if any(to.email and (report.name, to.language) not in files for to in recipients.values()):
        return 0
    context = heading(occasion) | {
        "corrected": report.corrected,
        "at": snapshot.computed_at,
        "winners": report.winners,
        "counts": list(report.counts),
        "sha256": snapshot.input_sha256,
        "reports": Address(f"/staff/c/{report.competition.slug}/reports"),
    }
    return sum(
        tell(ctx, occasion, each, context, files=files.get((report.name, recipients[each].language), ()))
        for each in readers
    )

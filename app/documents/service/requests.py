"""The committee asks for a document (要求提交): of everybody whom the text asks, or of one member or unit."""

from __future__ import annotations

from datetime import date

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.documents import queries
from app.documents.models import DocumentRequest
from app.documents.queries.requests import EVERYBODY
from app.documents.rules import NotRequiredError, Subject, UnknownDocumentError, require_until
from app.documents.rules.review import require_may_review
from app.regulations.rules import DOCUMENT_KINDS


def ask(ctx: CommandContext, *, slug: str, kind: str, until: date, subject: str = EVERYBODY) -> None:
    """Ask for a document until the end of ``until`` (Beijing); asked again, the new day counts.

    ``subject``: ``m12``, ``u3``, or empty for all whom the text asks. Only what the text names can be asked for. Raises
    ``NotRequiredError``, ``UnknownDocumentError`` for somebody of another competition, ``DayRefusedError``.
    """
    competition = competitions.competition(slug)
    require_may_review(ctx.actor, competition.id)
    demands = [each for each in queries.demands(competition.events) if each.rule.kind == kind]
    if not demands:
        raise NotRequiredError(DOCUMENT_KINDS[kind]) if kind in DOCUMENT_KINDS else UnknownDocumentError()
    require_until(until, beijing_date(ctx.now), max(each.last_day for each in demands))
    if subject != EVERYBODY:
        whose = Subject.parse(subject)
        known = {each.subject for unit in queries.unit_lists(competition, ctx.now) for each in unit.lists}
        if whose not in known or whose.of_unit is not demands[0].rule.of_unit:
            raise UnknownDocumentError
    row = ctx.session.scalar(
        select(DocumentRequest)
        .where(
            DocumentRequest.competition_id == competition.id,
            DocumentRequest.kind == kind,
            DocumentRequest.subject == subject,
        )
        .with_for_update(key_share=True)
    )
    if row is None:
        row = DocumentRequest(competition_id=competition.id, kind=kind, subject=subject)
        ctx.session.add(row)
    row.until, row.asked_at, row.asked_by_id = until, ctx.now, ctx.actor.require_signed_in()
    ctx.session.flush()
    ctx.record(
        AuditAction.DOCUMENT_ASKED_FOR,
        row,
        kind=kind,
        of=subject or "everybody",
        until=until.isoformat(),
    )

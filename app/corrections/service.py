from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions_queries
from app.competitions import service as competitions
from app.corrections import queries
from app.corrections.models import CorrectionRequest
from app.corrections.queries import Preview, RequestView
from app.corrections.rules import (
    ASKERS,
    PLAYER,
    NothingChangesError,
    RequestKeyUsedError,
    RequestState,
    UnknownRequestError,
    require_in_time,
    require_may_ask,
    require_may_decide,
    require_open,
    require_seen,
)
from app.errors import ForbiddenError
from app.results import queries as results
from app.results import service as results_service
from app.results.models import Sheet
from app.results.queries import SheetView
from app.results.rules import Content, Outcome
from app.results.rules.confirming import NotAtTableError, ReasonMissingError, require_words
from app.results.service.checks import checked_content, require_complete
from app.results.service.revising import correction_clause, correction_window
from app.text import T


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a sheet should say: all its deals and its outcome, as ``results.service.record_sheet`` takes them."""

    deals: Sequence[Mapping[str, Any]] = ()
    outcome: Outcome | None = None


def ask(
    ctx: CommandContext,
    token: str,
    *,
    text: str,
    key: str,
    entry_id: int | None = None,
    proposal: Proposal | None = None,
    client_time: datetime | None = None,
) -> int:
    """Ask for a correction (申请更正) of the published sheet of a table. Returns the request's id; the same ``key`` asks once.

    ``entry_id``: the player whose card was shown; without it a referee asks. Raises ``NothingPublishedError``,
    ``results.rules.CorrectionClosedError``, ``NotAtTableError``, and for a proposal as ``results.service.correct`` does.
    """
    sheet = results.sheet(token)
    if entry_id is None:
        require_may_ask(ctx.actor, sheet.event.competition_id)
    elif entry_id not in {seat.entry_id for seat in sheet.table.seats}:
        raise NotAtTableError
    competitions.lock_event(ctx, sheet.event.id)
    sheet = results.sheet(token)
    row_id = ctx.session.scalar(select(Sheet.id).where(Sheet.table_id == sheet.table.id))
    before = ctx.session.scalar(
        select(CorrectionRequest).where(
            CorrectionRequest.sheet_id == row_id, CorrectionRequest.idempotency_key == key
        )
    )
    said = require_words(text, ReasonMissingError)
    if before is not None:
        if before.text != said:
            raise RequestKeyUsedError
        return int(before.id)
    require_in_time(
        ctx.now,
        sheet.published_at,
        correction_window(sheet),
        sheet.run.moments,
        clause=correction_clause(sheet),
    )
    content = None if proposal is None else checked_content(sheet, proposal.deals, proposal.outcome)
    assert row_id is not None  # what is published has a sheet
    assert sheet.published_revision is not None
    row = CorrectionRequest(
        event_id=sheet.event.id,
        sheet_id=row_id,
        state=RequestState.OPEN.value,
        base_revision=sheet.published_revision,
        text=said,
        deals=None if content is None else list(content.deals),
        outcome=None if content is None else content.outcome,
        asked_as=PLAYER if entry_id is not None else _role(ctx, sheet),
        asked_by_id=ctx.actor.user_id,
        asked_by_entry_id=entry_id,
        asked_at=ctx.now,
        client_time=client_time,
        idempotency_key=key,
    )
    ctx.session.add(row)
    ctx.session.flush()
    ctx.record(AuditAction.CORRECTION_ASKED, row, table_id=sheet.table.id, revision=row.base_revision)
    return int(row.id)


def grant(
    ctx: CommandContext,
    request_id: int,
    *,
    proposal: Proposal,
    seen: str | None,
    reason: str,
    base_revision: int,
    key: str,
) -> int:
    """Correct the sheet as ``proposal`` says (准予更正), at any time after it was asked for in time. Returns the new revision.

    ``seen`` is the fingerprint of the impact that was looked at (``queries.preview``). Raises ``RequestClosedError``,
    ``ImpactUnseenError``, ``NothingChangesError``, and as ``results.service.correct`` does.
    """
    row, sheet = _for_decision(ctx, request_id)
    said = require_words(reason, ReasonMissingError)

    def correct() -> int:
        return results_service.correct(
            ctx,
            sheet.table.token,
            deals=proposal.deals,
            outcome=proposal.outcome,
            reason=said,
            act=AuditAction.SHEET_CORRECTED,
            key=key,
            base_revision=base_revision,
        ).revision

    if row.state == RequestState.GRANTED.value and row.granted_revision is not None:
        return correct()  # the same request again is answered as before; another one is a conflict
    require_open(RequestState(row.state))
    found = queries.preview(sheet, _content(sheet, proposal))
    require_seen(seen, found.fingerprint)
    revision = correct()
    row.impact = dict(found.impact.document)
    row.granted_revision = revision
    _decided(ctx, row, RequestState.GRANTED, said, AuditAction.CORRECTION_GRANTED)
    return revision


def preview(request: RequestView, proposal: Proposal) -> Preview:
    """What it would change to put ``proposal`` on the sheet of a request, checked as it would be stored; reads only."""
    sheet = queries.sheet_of(request)
    content = _content(sheet, proposal)
    return queries.preview(sheet, content)


def _content(sheet: SheetView, proposal: Proposal) -> Content:
    content = checked_content(sheet, proposal.deals, proposal.outcome)
    require_complete(sheet, content)
    if content == sheet.published:
        raise NothingChangesError
    return content


def refuse(ctx: CommandContext, request_id: int, *, reason: str) -> None:
    """Leave the result as it is (不予更正). Raises ``RequestClosedError``."""
    row, _ = _for_decision(ctx, request_id)
    said = require_words(reason, ReasonMissingError)
    if row.state == RequestState.REFUSED.value and row.decision_reason == said:
        return
    require_open(RequestState(row.state))
    _decided(ctx, row, RequestState.REFUSED, said, AuditAction.CORRECTION_REFUSED)


def withdraw(ctx: CommandContext, request_id: int, *, entry_id: int | None = None) -> None:
    """Take one's own request back (撤回). Raises ``RequestClosedError``; ``ForbiddenError`` for somebody else's."""
    row = _row(ctx, request_id)
    if entry_id is None:
        require_may_ask(ctx.actor, competitions_queries.event(row.event_id).competition_id)
        own = row.asked_by_id == ctx.actor.user_id and row.asked_by_entry_id is None
    else:
        own = row.asked_by_entry_id == entry_id
    if not own:
        raise ForbiddenError(T("只能撤回自己的更正申请。"))
    if row.state == RequestState.WITHDRAWN.value:
        return
    require_open(RequestState(row.state))
    row.state = RequestState.WITHDRAWN.value
    row.decided_at = ctx.now
    ctx.session.flush()
    ctx.record(AuditAction.CORRECTION_WITHDRAWN, row)


def _for_decision(ctx: CommandContext, request_id: int) -> tuple[CorrectionRequest, SheetView]:
    found = ctx.session.get(CorrectionRequest, request_id)
    if found is None:
        raise UnknownRequestError
    require_may_decide(ctx.actor, competitions_queries.event(found.event_id).competition_id)
    competitions.lock_event(ctx, found.event_id)  # the event first, as every act that changes results
    row = _row(ctx, request_id)
    return row, queries.sheet_of(queries.request(row.event_id, request_id))


def _row(ctx: CommandContext, request_id: int) -> CorrectionRequest:
    row = ctx.session.get(
        CorrectionRequest, request_id, with_for_update={"key_share": True}, populate_existing=True
    )
    if row is None:
        raise UnknownRequestError
    return row


def _decided(
    ctx: CommandContext, row: CorrectionRequest, state: RequestState, reason: str, action: AuditAction
) -> None:
    row.state = state.value
    row.decided_at, row.decided_by_id, row.decision_reason = ctx.now, ctx.actor.user_id, reason
    ctx.session.flush()
    ctx.record(action, row)


def _role(ctx: CommandContext, sheet: SheetView) -> str:
    held = (role for role in reversed(ASKERS) if ctx.actor.has(sheet.event.competition_id, role))
    return next(held).value

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.registrations import queries
from app.registrations.models import Entry
from app.registrations.rules import (
    Decision,
    DecisionKind,
    DecisionRefusedError,
    EntriesDrawnError,
    EntryChangedError,
    EntryId,
    EntryState,
    NeededProof,
    UnknownEntryError,
    approval_problem,
    needed_proofs,
    not_accepted,
    require_may_review,
)
from app.registrations.rules.entries import REVIEWABLE
from app.registrations.rules.refusals import with_clause
from app.text import T, shortened

LONGEST_REASON = 200
"""Characters of a reason that the column holds."""


def decide(ctx: CommandContext, *, slug: str, decisions: Sequence[Decision]) -> None:
    """Approve or reject entries (审核), all or none. A rejection needs a reason; an ineligible person is approved only by an
    override (特批) with a reason, which stays on record and is shown to the committee alone.

    Nor is an entry whose documents, due with it, are not all accepted, unless a reason is given, which stays on record.

    Raises ``DecisionRefusedError`` with a sentence per decision, or ``EntryChangedError`` where an entry is no longer
    what the committee looked at.
    """
    competition = competitions.competition(slug)
    require_may_review(ctx.actor, competition.id)
    ids = [decision.entry_id for decision in decisions]
    events = [event.id for event in competition.events]
    for event in competition.events:
        if competitions_service.lock_event(ctx, event.id).entries_closed_at is not None:
            raise EntriesDrawnError(event.regulation.registration.changes_clause)
    rows = ctx.session.scalars(
        select(Entry)
        .where(Entry.id.in_(ids), Entry.event_id.in_(events))
        .order_by(Entry.id)
        .with_for_update(key_share=True)
    )
    entries = {row.id: row for row in rows}
    views = {view.entry_id: view for event in competition.events for view in queries.review_list(event, ids)}
    proofs = needed_proofs(competition.id, list(entries), ctx.now)
    problems: dict[str, T] = {}
    clause: str | None = None
    for place, decision in enumerate(decisions):
        path = f"decisions.{place}"
        entry = entries.get(decision.entry_id)
        if entry is None:
            problems[f"{path}.entry_id"] = T("本赛事没有这条报名。")
        elif entry.state not in REVIEWABLE:
            problems[f"{path}.entry_id"] = T("这条报名还没有提交或已退赛，不能审核。")
        elif ids.index(decision.entry_id) != place:
            problems[f"{path}.entry_id"] = T("同一条报名不能在一次审核中出现两次。")
        elif decision.kind is DecisionKind.REJECT and not decision.reason.strip():
            problems[f"{path}.reason"] = T("请写明不通过的原因，领队会看到。")
        elif decision.override and decision.kind is DecisionKind.APPROVE and views[decision.entry_id].broken:
            if not decision.reason.strip():
                problems[f"{path}.reason"] = T("请写明特批的理由，只有组委会看得到。")
        elif decision.override:
            problems[f"{path}.decision"] = T("没有不符合的资格条款，不需要特批。")
        elif decision.kind is DecisionKind.APPROVE and not views[decision.entry_id].eligible:
            broken = views[decision.entry_id].broken
            problems[f"{path}.decision"] = (
                with_clause(broken.refusal, broken.clause)
                if broken and broken.refusal
                else T("个人信息已删除，不能再判断资格。")
            )
            clause = clause or (broken.clause if broken else None)
        elif decision.kind is DecisionKind.APPROVE and not decision.reason.strip():
            missing = not_accepted(proofs, decision.entry_id)
            if missing:
                problems[f"{path}.decision"] = approval_problem(missing)
                clause = clause or missing[0].clause
    if problems:
        raise DecisionRefusedError(problems, clause)
    changed = [
        {"entry_id": entries[each.entry_id].id, "seen": each.revision, "now": entries[each.entry_id].revision}
        for each in decisions
        if each.revision is not None and each.revision != entries[each.entry_id].revision
    ]
    if changed:
        raise EntryChangedError(changed)
    for decision in decisions:
        broken = views[decision.entry_id].broken
        _store(
            ctx,
            entries[decision.entry_id],
            decision,
            not_accepted(proofs, decision.entry_id),
            override_clause=broken.clause if decision.override and broken else None,
        )
    ctx.session.flush()


def revoke_approval(
    ctx: CommandContext, event_id: int, entry_ids: Collection[EntryId], *, reason: str
) -> None:
    """Entries that a corrected list leaves out are no longer approved (异议成立); others of these are left as they are.

    The caller holds the event's lock and knows who may do this. The leader reads the reason.
    """
    rows = ctx.session.scalars(
        select(Entry)
        .where(
            Entry.id.in_(entry_ids),
            Entry.event_id == event_id,
            Entry.state == EntryState.APPROVED.value,
        )
        .order_by(Entry.id)
        .with_for_update(key_share=True)
    )
    for entry in rows:
        entry.state = EntryState.REJECTED.value
        entry.reason = shortened(reason, LONGEST_REASON)
        entry.decided_at, entry.decided_by_id = ctx.now, ctx.actor.user_id
        entry.override_clause = entry.override_reason = None
        ctx.record(AuditAction.ENTRY_APPROVAL_REVOKED, entry, revision=entry.revision)
    ctx.session.flush()


def read_personal_data(ctx: CommandContext, *, slug: str, entry_id: EntryId) -> queries.PrivateView:
    """The ID number and phone of one entry, for the committee; who looked at which entry is on record."""
    competition = competitions.competition(slug)
    require_may_review(ctx.actor, competition.id)
    private = queries.member_private(entry_id)
    if private is None or private.event_id not in {event.id for event in competition.events}:
        raise UnknownEntryError
    ctx.record(AuditAction.PERSONAL_DATA_READ, ("Entry", entry_id))
    return private


def _store(
    ctx: CommandContext,
    entry: Entry,
    decision: Decision,
    missing: Sequence[NeededProof] = (),
    *,
    override_clause: str | None = None,
) -> None:
    approved = decision.kind is DecisionKind.APPROVE
    state = EntryState.APPROVED if approved else EntryState.REJECTED
    written = decision.reason.strip()
    override_reason = written if override_clause else None
    reason = written if (missing and not override_clause) or not approved else None
    if (entry.state, entry.reason, entry.override_clause, entry.override_reason) == (
        state,
        reason,
        override_clause,
        override_reason,
    ):
        return  # decided so already: the first decision's hour and person stay
    entry.state, entry.reason = state.value, reason
    entry.override_clause, entry.override_reason = override_clause, override_reason
    entry.decided_at, entry.decided_by_id = ctx.now, ctx.actor.user_id
    waived: dict[str, Any] = (
        {"without": sorted({each.kind for each in missing})} if approved and missing else {}
    )
    if override_clause:
        waived["override_clause"] = override_clause
    ctx.record(
        AuditAction.ENTRY_APPROVED if approved else AuditAction.ENTRY_REJECTED,
        entry,
        revision=entry.revision,
        **waived,
    )

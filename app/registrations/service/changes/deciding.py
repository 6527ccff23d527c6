"""What the committee does: look at an application and its letter, grant or refuse it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView
from app.registrations.models import ChangeApplication, ChangeApplicationFile, Entry, Unit
from app.registrations.queries import changes as queries
from app.registrations.queries.voiding import voided_by
from app.registrations.rules import (
    DecisionRefusedError,
    NeededProof,
    approval_problem,
    needed_proofs,
    not_accepted,
    require_may_review,
)
from app.registrations.rules.changes import (
    CHANGEABLE,
    LONGEST_REASON,
    STATE_NAMES,
    ApplicationDecidedError,
    ApplicationMovedOnError,
    ApplicationState,
    ChangeAnswerMissingError,
    ChangeKind,
    OtherFormsVoidedError,
    Proposal,
    UnknownApplicationError,
    require_other_than_leader,
    terms_of,
)
from app.registrations.rules.entries import MAX_ID, EntryState
from app.registrations.rules.refusals import with_clause
from app.registrations.service.access import Leader, Party
from app.registrations.service.changes.applying import close
from app.registrations.service.changes.carrying import carry_out
from app.registrations.service.changes.telling import tell
from app.text import T

SAME_LOOK = timedelta(minutes=5)
"""The same look of the same person within this time is one entry of the audit chain."""


def decide(
    ctx: CommandContext,
    *,
    slug: str,
    number: int,
    grant: bool,
    answer: str = "",
    voids: Collection[int] = (),
    address: str = "",
) -> None:
    """Grant an application, and change the entries with it, or refuse it with a reason. The leader is told; ``address`` is the
    path of the page where he reads it.

    Of somebody who comes, every rule of eligibility, the quota and the documents that are due with an entry are looked at
    again; a document that is not accepted yet is passed over only with a reason (``answer``), which stays on record. Where a
    newer form voids older ones, ``voids`` are the entries of which whoever decides knows that they go. Once
    drawn, only a withdrawal is granted. The same decision of the same person again changes nothing.

    Raises ``UnknownApplicationError``, ``OwnApplicationError``, ``ApplicationDecidedError``, ``ApplicationMovedOnError``,
    ``ChangeAnswerMissingError``, ``DecisionRefusedError``, ``OtherFormsVoidedError`` and what refuses the change itself.
    """
    competition = competitions.competition(slug)
    require_may_review(ctx.actor, competition.id)
    event = competition.event
    drawn = competitions_service.lock_event(ctx, event.id).entries_closed_at is not None
    row = _locked(ctx, event.id, number)
    unit = ctx.session.get_one(Unit, row.unit_id)
    require_other_than_leader(unit.leader_user_id, ctx.actor.user_id)
    state = ApplicationState.GRANTED if grant else ApplicationState.REFUSED
    if row.state != ApplicationState.WAITING:
        if row.state == state and row.decided_by_id == ctx.actor.user_id:
            return  # a second tap, or a retry after a lost answer
        raise ApplicationDecidedError(
            STATE_NAMES[ApplicationState(row.state)], _standing(row), {"state": state.value, "answer": answer}
        )
    if len(answer.strip()) > LONGEST_REASON:
        raise ChangeAnswerMissingError(T("请不超过 %(most)s 字。", most=LONGEST_REASON))
    if not grant and not answer.strip():
        raise ChangeAnswerMissingError
    waived: list[str] = []
    if grant:
        kind = ChangeKind(row.kind)
        terms = terms_of(event.regulation, kind, ctx.now, drawn=drawn)
        terms.require()
        _require_unmoved(ctx, row, drawn=drawn)
        if kind in {ChangeKind.ADD, ChangeKind.REPLACE, ChangeKind.CORRECT}:
            waived = _require_fit(ctx, competition, row, answer)
            _require_known(competition, row, voids)
    row.answer = answer.strip() or None
    row.decided_at, row.decided_by_id = ctx.now, ctx.actor.user_id
    if grant:
        row.state = state.value
        carry_out(ctx, row, Party(Leader(unit.leader_user_id, competition), unit))
    else:
        close(ctx, row, state)
    ctx.session.flush()
    ctx.record(
        AuditAction.CHANGE_GRANTED if grant else AuditAction.CHANGE_REFUSED,
        row,
        number=row.number,
        kind=row.kind,
        **({"without": waived} if waived else {}),
    )
    tell(ctx, competition, row, unit, address)


def look_at_letter(
    ctx: CommandContext, *, slug: str, number: int, position: int, page: int, what: str
) -> int:
    """Let the committee, or the unit's leader, look at a page of the letter; who looked is on record, the same look within
    five minutes once. The id of the upload. Raises ``UnknownApplicationError``, also for somebody else's."""
    competition = competitions.competition(slug)
    user_id = ctx.actor.require_signed_in()
    row = None
    if number <= MAX_ID:
        row = ctx.session.execute(
            select(ChangeApplication.id, Unit.leader_user_id, ChangeApplicationFile.upload_id)
            .join(Unit, Unit.id == ChangeApplication.unit_id)
            .join(ChangeApplicationFile, ChangeApplicationFile.application_id == ChangeApplication.id)
            .where(
                ChangeApplication.event_id == competition.event.id,
                ChangeApplication.number == number,
                ChangeApplicationFile.position == position,
            )
        ).one_or_none()
    if row is None:
        raise UnknownApplicationError
    if row.leader_user_id != user_id:
        require_may_review(ctx.actor, competition.id)
        seen = {"position": position, "page": page, "what": what}
        recent = audit.of_subject(
            "ChangeApplication",
            row.id,
            [AuditAction.CHANGE_LETTER_READ],
            user_id=user_id,
            since=ctx.now - SAME_LOOK,
        )
        if all(entry.details != seen for entry in recent):
            ctx.record(AuditAction.CHANGE_LETTER_READ, ("ChangeApplication", row.id), **seen)
    upload_id: int = row.upload_id
    return upload_id


def read_proposed_data(ctx: CommandContext, *, slug: str, number: int) -> queries.ProposedData:
    """ID numbers and phones that an application brings, for the committee; who looked is on record."""
    competition = competitions.competition(slug)
    require_may_review(ctx.actor, competition.id)
    found = queries.proposed_data(competition.event, number)
    if found is None:
        raise UnknownApplicationError
    for entry_id in found.entry_ids:
        ctx.record(AuditAction.PERSONAL_DATA_READ, ("Entry", entry_id), application=number)
    return found


def _require_known(competition: CompetitionView, row: ChangeApplication, voids: Collection[int]) -> None:
    """Nobody's entry goes unseen: every older form that this one voids was named."""
    found = voided_by(competition.event, row.number)
    if all(each.entry_id in voids for each in found):
        return
    again = competition.event.regulation.entry.resubmission
    raise OtherFormsVoidedError(
        [
            {"entry_id": each.entry_id, "name": each.name, "unit": each.unit_name, "state": each.state.value}
            for each in found
        ],
        again[1] if again else None,
    )


def _locked(ctx: CommandContext, event_id: int, number: int) -> ChangeApplication:
    row: ChangeApplication | None = None
    if number <= MAX_ID:
        row = ctx.session.scalar(
            select(ChangeApplication)
            .where(ChangeApplication.event_id == event_id, ChangeApplication.number == number)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )
    if row is None:
        raise UnknownApplicationError
    return row


def _standing(row: ChangeApplication) -> Mapping[str, Any]:
    return {
        "number": row.number,
        "state": row.state,
        "answer": row.answer,
        "decided_at": row.decided_at.isoformat() if row.decided_at else None,
    }


def _require_unmoved(ctx: CommandContext, row: ChangeApplication, *, drawn: bool) -> None:
    """The entry is still what the application was written about."""
    if row.entry_id is None:
        return
    entry = ctx.session.get_one(Entry, row.entry_id, with_for_update={"key_share": True})
    ctx.session.refresh(entry)
    seen = Proposal.unpacked(row.proposal).revision
    # rejected since: an application of before must not bring the approval back
    fell = (
        entry.state == EntryState.REJECTED
        and row.kind != ChangeKind.WITHDRAW
        and entry.decided_at is not None
        and entry.decided_at > row.applied_at
    )
    changed = seen is not None and entry.revision != seen and not drawn
    if entry.state not in CHANGEABLE or fell or changed:
        raise ApplicationMovedOnError(
            {"state": entry.state, "revision": entry.revision}, {"revision": seen, "number": row.number}
        )


def _require_fit(
    ctx: CommandContext, competition: CompetitionView, row: ChangeApplication, answer: str
) -> list[str]:
    """Who comes is eligible, and his documents are accepted or passed over with a reason. Their kinds, where passed over."""
    entry_id = row.made_entry_id or row.entry_id
    broken = queries.first_broken(competition.event, row.number)
    if broken is not None and broken.refusal is not None:
        raise DecisionRefusedError({"answer": with_clause(broken.refusal, broken.clause)}, broken.clause)
    assert entry_id is not None
    missing: tuple[NeededProof, ...] = not_accepted(
        needed_proofs(competition.id, [entry_id], ctx.now), entry_id
    )
    if missing and not answer.strip():
        raise ChangeAnswerMissingError(approval_problem(missing), missing[0].clause)
    return sorted({each.kind for each in missing})

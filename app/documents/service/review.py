"""The reviewers' acts: take a document, look at it, decide, take a decision back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.accounts import queries as accounts
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView
from app.documents.models import Document, DocumentDecision, DocumentRevision
from app.documents.queries import desk as desks
from app.documents.queries import looks
from app.documents.queries import review as queries
from app.documents.rules.refusals import UnknownDocumentError
from app.documents.rules.review import (
    MOST_AT_ONCE,
    OTHER,
    STATE_AFTER,
    TAKING_BACK,
    Claim,
    DecisionKind,
    DecisionRefusedError,
    Standing,
    Written,
    batch_problem,
    check_reasons,
    claim_for,
    is_young,
    reader_of,
    require_acceptable,
    require_decidable,
    require_may_review,
    require_may_take_back,
)
from app.documents.rules.states import DocumentId, DocumentState, Reason
from app.documents.rules.values import asked_fields
from app.documents.rules.verdicts import judge
from app.notifications import service as notifications
from app.notifications.rules import Channel
from app.registrations.models import Unit
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T

Listed = Callable[[int], bool]
"""Whether an event's list is published: publications come after documents, so whoever calls says it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A document of a batch, and the revision that was looked at."""

    document_id: DocumentId
    revision: int


def claim(ctx: CommandContext, *, slug: str, document_id: DocumentId) -> None:
    """Take a document for review (开始审核), or renew the claim by working on it.

    Raises ``ClaimedError`` while another reviewer has it; a claim that ran out is taken over.
    """
    competition = _reviewed_by(ctx, slug)
    document, standing = _locked(ctx, competition, document_id)
    wanted = claim_for(ctx.actor, standing, ctx.now)
    held = standing.claim
    if held is not None and held.by == wanted.by and is_young(held, ctx.now):
        return
    _hold(ctx, document, wanted, earlier=held)


def claim_next(
    ctx: CommandContext, *, slug: str, wanted: queries.Filter, leaving: DocumentId | None = None
) -> DocumentId | None:
    """Take the next document that nobody has (下一份), the oldest first; None where none is left.

    ``leaving`` is given back, and the search goes on after it, then from the beginning: who skips one is not given it
    again before the others. Two reviewers who press the button at once get two documents.
    """
    competition = _reviewed_by(ctx, slug)
    user_id = ctx.actor.require_signed_in()
    after: tuple[datetime, int] | None = None
    if leaving is not None:
        document, standing = _locked(ctx, competition, leaving)
        after = (document.handed_in_at, document.id)
        if standing.claim is not None and standing.claim.by == user_id:
            _give_back(ctx, document)
            ctx.session.flush()
    free = _free(ctx, competition, wanted, user_id)
    found: Document | None = None
    if after is not None:
        moment, number = after
        free = free.where(Document.id != number)
        later = (Document.handed_in_at > moment) | (
            (Document.handed_in_at == moment) & (Document.id > number)
        )
        found = ctx.session.scalar(free.where(later))
    found = found or ctx.session.scalar(free)
    if found is None:
        return None
    standing = _standing(ctx, competition, found)
    _hold(ctx, found, claim_for(ctx.actor, standing, ctx.now), earlier=standing.claim)
    return DocumentId(found.id)


def release(ctx: CommandContext, *, slug: str, document_id: DocumentId) -> None:
    """Give a document back (放回); of somebody else's claim, nothing happens."""
    competition = _reviewed_by(ctx, slug)
    document, standing = _locked(ctx, competition, document_id)
    if standing.claim is not None and standing.claim.by == ctx.actor.user_id:
        _give_back(ctx, document)


def decide(
    ctx: CommandContext,
    *,
    slug: str,
    document_id: DocumentId,
    kind: DecisionKind,
    revision: int,
    reasons: Mapping[str, Written],
    address: str,
) -> None:
    """Accept (通过), send back (需补正) or reject (不通过) the revision that was looked at.

    ``address`` is the leader's page that opens the flagged places; he gets it in a message. Raises ``OwnUnitError``,
    ``DocumentChangedError``, ``AlreadyDecidedError``, ``ClaimLostError``, ``DecisionRefusedError`` or ``NotAcceptableError``.
    """
    competition = _reviewed_by(ctx, slug)
    document, standing = _locked(ctx, competition, document_id)
    require_decidable(ctx.actor, standing, revision, ctx.now)
    given = check_reasons(kind, reasons, standing.fields)
    if kind is DecisionKind.ACCEPT:
        require_acceptable(standing.verdicts)
    store_decision(ctx, document, kind, given)
    if kind is not DecisionKind.ACCEPT:
        _tell(ctx, competition, document, kind, address)


def accept_all(ctx: CommandContext, *, slug: str, seen: Sequence[Seen]) -> None:
    """Accept several documents at once, all or none (批量通过).

    Only what this person has looked at, that nobody else has, and whose dates satisfy the regulation. Raises
    ``DecisionRefusedError`` with a sentence per row (``documents.3``).
    """
    competition = _reviewed_by(ctx, slug)
    user_id = ctx.actor.require_signed_in()
    if not seen:
        raise DecisionRefusedError({"documents": T("请先选择材料。")})
    if len(seen) > MOST_AT_ONCE:
        raise DecisionRefusedError({"documents": T("一次最多通过 %(most)s 份。", most=MOST_AT_ONCE)})
    rows = ctx.session.scalars(
        select(Document)
        .where(
            Document.competition_id == competition.id,
            Document.id.in_([each.document_id for each in seen]),
        )
        .order_by(Document.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    found = {document.id: document for document in rows}
    problems: dict[str, T] = {}
    ids = [each.document_id for each in seen]
    for place, each in enumerate(seen):
        document = found.get(each.document_id)
        if document is None:
            problems[f"documents.{place}"] = UnknownDocumentError().text
            continue
        if ids.index(each.document_id) != place:
            problems[f"documents.{place}"] = T("同一份材料不能出现两次。")
            continue
        standing = _standing(ctx, competition, document)
        looked = looks.looked_at(document.id, document.revision, user_id)
        problem = batch_problem(ctx.actor, standing, each.revision, looked, ctx.now)
        if problem is not None:
            problems[f"documents.{place}"] = problem
    if problems:
        raise DecisionRefusedError(problems)
    for each in seen:
        store_decision(ctx, found[each.document_id], DecisionKind.ACCEPT, {}, batch=len(seen))


def take_back(
    ctx: CommandContext, *, slug: str, document_id: DocumentId, reason: str, address: str, listed: Listed
) -> None:
    """Take a decision back (撤回决定), with a reason, until the list is published; the document waits for review again."""
    competition = _reviewed_by(ctx, slug)
    for event in competition.events:
        competitions_service.lock_event(ctx, event.id)  # the list and this wait for each other
    document, standing = _locked(ctx, competition, document_id)
    publication = (
        competition.event.regulation.publication if competition.event.regulation.has("publication") else None
    )
    require_may_take_back(
        ctx.actor,
        standing,
        reason,
        listed=any(listed(event.id) for event in competition.events),
        clause=publication.clause if publication else None,
    )
    store_decision(ctx, document, DecisionKind.TAKEN_BACK, {TAKING_BACK: Reason(OTHER, reason.strip())})
    _tell(ctx, competition, document, DecisionKind.TAKEN_BACK, address)


def look(
    ctx: CommandContext,
    *,
    slug: str,
    document_id: DocumentId,
    revision: int,
    position: int,
    page: int,
    what: str,
) -> int:
    """Let a reviewer, or the unit's leader, look at one page of one file; who looked is on record. The upload that holds it.

    ``position`` is the file within the revision, ``page`` the page within it from 1 (0: the whole file), ``what`` a ``PictureKind``. The
    same look again within ``SAME_LOOK`` is no second entry. Raises ``UnknownDocumentError`` for everybody else.
    """
    competition = competitions.competition(slug)
    found = ctx.session.execute(
        select(Document, Unit.leader_user_id)
        .join(Unit, Unit.id == Document.unit_id)
        .where(Document.id == document_id, Document.competition_id == competition.id)
    ).one_or_none()
    if found is None:
        raise UnknownDocumentError
    document, leader_user_id = found
    role = reader_of(ctx.actor, competition.id, leader_user_id)
    if role is None:
        raise UnknownDocumentError
    upload_id = desks.upload_of(document.id, revision, position, page, what)
    details = {"revision": revision, "position": position, "page": page, "what": what, "role": role}
    if not looks.looked_just_now(document.id, ctx.actor.require_signed_in(), details, ctx.now):
        ctx.record(AuditAction.DOCUMENT_READ, document, **details)
    return upload_id


def _reviewed_by(ctx: CommandContext, slug: str) -> CompetitionView:
    competition = competitions.competition(slug)
    require_may_review(ctx.actor, competition.id)
    return competition


def _locked(
    ctx: CommandContext, competition: CompetitionView, document_id: DocumentId
) -> tuple[Document, Standing]:
    """The document as it is now; whoever else writes to it waits until this command ends."""
    document = ctx.session.scalar(
        select(Document)
        .where(Document.id == document_id, Document.competition_id == competition.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    if document is None:
        raise UnknownDocumentError
    return document, _standing(ctx, competition, document)


def _standing(ctx: CommandContext, competition: CompetitionView, document: Document) -> Standing:
    unit = ctx.session.get_one(Unit, document.unit_id)
    demands = queries.demands_of(competition, document)
    return Standing(
        state=DocumentState(document.state),
        revision=document.revision,
        leader_user_id=unit.leader_user_id,
        claim=queries.claim_of(document),
        fields=asked_fields(demands),
        verdicts=judge(demands, queries.values_of(document)),
    )


def _free(ctx: CommandContext, competition: CompetitionView, wanted: queries.Filter, user_id: int) -> Any:
    """The documents that somebody may take now, the oldest first. A row another command is taking is passed over."""
    wanted = replace(wanted, state=DocumentState.UPLOADED)
    statement = queries.narrowed(select(Document), wanted, competition.id)
    if wanted.expiring:
        statement = statement.where(Document.id.in_(queries.expiring_ids(competition, wanted, ctx.now)))
    return (
        statement.join(Unit, Unit.id == Document.unit_id)
        .where(
            Unit.leader_user_id != user_id,
            Document.claimed_until.is_(None) | (Document.claimed_until < ctx.now),
        )
        .order_by(Document.handed_in_at, Document.id)
        .limit(1)
        .with_for_update(of=Document, key_share=True, skip_locked=True)
        .execution_options(populate_existing=True)
    )


def _hold(ctx: CommandContext, document: Document, wanted: Claim, *, earlier: Claim | None) -> None:
    document.claimed_by_id, document.claimed_until = wanted.by, wanted.until
    ctx.session.flush()
    ctx.record(
        AuditAction.DOCUMENT_CLAIMED,
        document,
        revision=document.revision,
        until=wanted.until.isoformat(),
        taken_over=earlier is not None and earlier.by != wanted.by,
    )


def _give_back(ctx: CommandContext, document: Document) -> None:
    document.claimed_by_id = document.claimed_until = None
    ctx.session.flush()
    ctx.record(AuditAction.DOCUMENT_RELEASED, document, revision=document.revision)


ACTIONS: Mapping[DecisionKind, AuditAction] = {
    DecisionKind.ACCEPT: AuditAction.DOCUMENT_ACCEPTED,
    DecisionKind.NEEDS_CHANGES: AuditAction.DOCUMENT_SENT_BACK,
    DecisionKind.REJECT: AuditAction.DOCUMENT_REJECTED,
    DecisionKind.TAKEN_BACK: AuditAction.DOCUMENT_DECISION_TAKEN_BACK,
}


def store_decision(
    ctx: CommandContext,
    document: Document,
    kind: DecisionKind,
    reasons: Mapping[str, Reason],
    *,
    batch: int = 1,
) -> None:
    revision_id = ctx.session.execute(
        select(DocumentRevision.id).where(
            DocumentRevision.document_id == document.id, DocumentRevision.number == document.revision
        )
    ).scalar_one()
    ctx.session.add(
        DocumentDecision(
            revision_id=revision_id,
            kind=kind.value,
            reasons=json.dumps(
                {place: {"code": reason.code, "text": reason.text} for place, reason in reasons.items()},
                ensure_ascii=False,
            ),
            decided_by_id=ctx.actor.require_signed_in(),
            decided_at=ctx.now,
        )
    )
    document.state = STATE_AFTER[kind].value
    document.claimed_by_id = document.claimed_until = None
    if kind is DecisionKind.TAKEN_BACK:
        document.decided_at = document.decided_by_id = None
    else:
        document.decided_at, document.decided_by_id = ctx.now, ctx.actor.user_id
    ctx.session.flush()
    ctx.record(
        ACTIONS[kind],
        document,
        revision=document.revision,
        # codes and places only: what was written may name somebody
        reasons={place: reason.code for place, reason in reasons.items()},
        batch=batch,
    )


SENT: Mapping[DecisionKind, T] = {
    DecisionKind.NEEDS_CHANGES: T("需要补正"),
    DecisionKind.REJECT: T("未通过审核"),
    DecisionKind.TAKEN_BACK: T("的审核决定已撤回，将重新审核"),
}


def _tell(
    ctx: CommandContext, competition: CompetitionView, document: Document, kind: DecisionKind, address: str
) -> None:
    """Tell the leader which kind of document it is and where to read on; no name, no reason, no date."""
    unit = ctx.session.get_one(Unit, document.unit_id)
    notifications.queue_message(
        ctx,
        channel=Channel.SMS,
        recipient=accounts.user_phone(unit.leader_user_id),
        competition_id=competition.id,
        subject=T("材料审核"),
        body=T(
            "“%(name)s”：您提交的一份%(kind)s%(what)s。请打开 %(address)s 查看。",
            name=competition.name,
            kind=DOCUMENT_KINDS[document.kind],
            what=SENT[kind],
            address=address,
        ),
    )

"""Deletion on request (删除请求): asked by the leader or the player himself, done at once or answered by the committee."""

from __future__ import annotations

from sqlalchemy import select

from app.accounts import queries as accounts
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView
from app.documents.models import DeletionRequest, Document
from app.documents.queries import deletions as queries
from app.documents.queries.deletions import Published
from app.documents.rules import BeingReviewedError, Subject, UnknownDocumentError
from app.documents.rules.privacy import (
    COMMITTEE,
    Answer,
    AnsweredError,
    DeletionNotYetError,
    NothingToDeleteError,
    NoUnitError,
    OwnRequestError,
    ReasonMissingError,
    RequestState,
    Scope,
    Stage,
    UnknownRequestError,
    rule_for,
)
from app.documents.rules.purging import require_may_read
from app.documents.rules.review import LEADER
from app.documents.service.erasing import erase_documents, erase_of_members
from app.notifications import service as notifications
from app.notifications.rules import Channel
from app.registrations import service as registrations
from app.registrations.queries import held
from app.registrations.queries.held import HeldMember, HeldUnit
from app.registrations.rules.entries import MAX_ID
from app.regulations.rules import DOCUMENT_KINDS
from app.text import T


def ask(
    ctx: CommandContext,
    *,
    slug: str,
    member_id: int,
    document_id: int | None,
    published: Published,
) -> Answer:
    """Ask to delete one document, or everything of a member (``document_id`` None), by the table ``rules.DELETIONS``.

    ``AT_ONCE``: it is gone when this commits. ``ASKED``: the committee answers; asked again, the request stays the one there is.
    Raises ``UnknownMemberError`` for somebody else's, ``UnknownDocumentError``, ``DeletionNotYetError``, ``NothingToDeleteError``,
    and ``BeingReviewedError`` while a reviewer holds the document.
    """
    user_id = ctx.actor.require_signed_in()
    competition = _locked(ctx, slug)
    member = held.my_member(competition, user_id, member_id)
    document = None if document_id is None else _document(ctx, _subject(member), document_id)
    return _ask(ctx, competition, member, document, published)


def ask_of_unit(ctx: CommandContext, *, slug: str, document_id: int, published: Published) -> Answer:
    """Ask to delete one document of the unit itself (报名表, 密封件), by the same table and with the same answers.

    Raises ``NoUnitError``, ``UnknownDocumentError`` for a document of a member or of somebody else, ``DeletionNotYetError``,
    ``BeingReviewedError``.
    """
    user_id = ctx.actor.require_signed_in()
    competition = _locked(ctx, slug)
    unit = held.my_unit(competition, user_id)
    if unit is None:
        raise NoUnitError
    return _ask(ctx, competition, unit, _document(ctx, _subject(unit), document_id), published)


def answer(
    ctx: CommandContext,
    *,
    slug: str,
    request_id: int,
    grant: bool,
    reason: str,
    address: str,
    published: Published,
) -> None:
    """Answer a request: delete what was asked, or refuse with a reason. Who asked gets a message with ``address``.

    Raises ``UnknownRequestError``, ``AnsweredError``, ``ReasonMissingError``, ``OwnRequestError``, and
    ``DeletionNotYetError`` where it is granted while a list is public or a hold stands, ``BeingReviewedError`` while another
    reviewer holds the document.
    """
    require_may_read(ctx.actor, competitions.competition_id(slug))
    competition = _locked(ctx, slug)
    row = ctx.session.get(DeletionRequest, request_id, with_for_update=True) if request_id <= MAX_ID else None
    if row is None or row.competition_id != competition.id:
        raise UnknownRequestError
    if row.asked_by_id == ctx.actor.user_id:
        raise OwnRequestError
    if row.state != RequestState.OPEN:
        raise AnsweredError
    if not grant and not reason.strip():
        raise ReasonMissingError
    if grant:
        asked = queries.request(competition, request_id)
        if asked is None:
            raise UnknownRequestError
        whose = queries.held_of(competition, asked)
        stage = queries.stage(competition, whose, published, ctx.now)
        rule = rule_for(stage, Scope.MEMBER if row.kind is None else Scope.DOCUMENT)
        if rule.answer is Answer.NOT_YET:
            raise DeletionNotYetError(rule)
        document = _asked_for(ctx, row)
        if document is not None or row.kind is None:
            _delete(ctx, whose, document, stage, role=COMMITTEE)
    row.state = (RequestState.GRANTED if grant else RequestState.REFUSED).value
    row.answer = reason.strip() or None
    row.answered_at, row.answered_by_id = ctx.now, ctx.actor.user_id
    ctx.session.flush()
    ctx.record(
        AuditAction.DELETION_ANSWERED,
        row,
        member_id=row.member_id,
        unit_id=row.unit_id,
        granted=grant,
        kind=row.kind,
    )
    _tell(ctx, competition, row, granted=grant, address=address)


def _locked(ctx: CommandContext, slug: str) -> CompetitionView:
    """The competition, with its events locked: neither a list nor a draw comes in between."""
    for event in competitions.competition(slug).events:
        competitions_service.lock_event(ctx, event.id)
    return competitions.competition(slug)


def _subject(whose: HeldMember | HeldUnit) -> Subject:
    return Subject(member_id=whose.id) if isinstance(whose, HeldMember) else Subject(unit_id=whose.id)


def _ask(
    ctx: CommandContext,
    competition: CompetitionView,
    whose: HeldMember | HeldUnit,
    document: Document | None,
    published: Published,
) -> Answer:
    scope = Scope.MEMBER if document is None else Scope.DOCUMENT
    stage = queries.stage(competition, whose, published, ctx.now)
    rule = rule_for(stage, scope, accepted=document is not None and document.state == "accepted")
    if rule.answer is Answer.NOT_YET:
        raise DeletionNotYetError(rule)
    if document is None and isinstance(whose, HeldMember) and _nothing_left(ctx, whose):
        raise NothingToDeleteError
    if rule.answer is Answer.AT_ONCE:
        _delete(ctx, whose, document, stage, role=LEADER)
        return rule.answer
    subject = _subject(whose)
    standing = ctx.session.scalar(
        select(DeletionRequest.id).where(
            DeletionRequest.member_id == subject.member_id,
            DeletionRequest.unit_id == subject.unit_id,
            DeletionRequest.state == RequestState.OPEN.value,
            DeletionRequest.document_id == document.id if document else DeletionRequest.kind.is_(None),
        )
    )
    if standing is None:
        made = DeletionRequest(
            competition_id=competition.id,
            member_id=subject.member_id,
            unit_id=subject.unit_id,
            document_id=document.id if document else None,
            kind=document.kind if document else None,
            asked_by_id=ctx.actor.user_id,
            asked_at=ctx.now,
            state=RequestState.OPEN.value,
        )
        ctx.session.add(made)
        ctx.session.flush()
        ctx.record(
            AuditAction.DELETION_ASKED,
            made,
            member_id=subject.member_id,
            unit_id=subject.unit_id,
            kind=made.kind,
        )
    return rule.answer


def _document(ctx: CommandContext, whose: Subject, document_id: int) -> Document:
    """The member's or the unit's own document; anybody else's does not exist."""
    document: Document | None = ctx.session.scalar(
        select(Document)
        .where(Document.id == min(document_id, MAX_ID), Document.subject == str(whose))
        .with_for_update(key_share=True)
    )
    if document is None:
        raise UnknownDocumentError
    if document.claimed_by_id is not None and document.claimed_until and document.claimed_until > ctx.now:
        raise BeingReviewedError
    return document


def _asked_for(ctx: CommandContext, row: DeletionRequest) -> Document | None:
    """The document of a request; None for everything of a member, or where it is gone by now. What a colleague of who
    answers is reviewing is not taken from under his eyes: ``BeingReviewedError``."""
    if row.document_id is None:
        return None
    document = ctx.session.get(Document, row.document_id, with_for_update={"key_share": True})
    if document is None or document.claimed_by_id in {None, ctx.actor.user_id}:
        return document
    if document.claimed_until and document.claimed_until > ctx.now:
        raise BeingReviewedError
    return document


def _nothing_left(ctx: CommandContext, member: HeldMember) -> bool:
    kept = ctx.session.scalar(select(Document.id).where(Document.member_id == member.id).limit(1))
    return kept is None and member.id_number is None and member.phone is None


def _delete(
    ctx: CommandContext,
    whose: HeldMember | HeldUnit,
    document: Document | None,
    stage: Stage,
    *,
    role: str,
) -> None:
    if document is not None:
        details = {"documents": {str(document.id): document.kind}, "kind": document.kind}
        erased = erase_documents(ctx, [document.id])
        ctx.record(
            AuditAction.PERSONAL_DATA_DELETED,
            ("Member" if isinstance(whose, HeldMember) else "Unit", whose.id),
            files=len(erased.files),
            role=role,
            **details,
        )
    elif isinstance(whose, HeldMember):  # a unit has no request for everything: it is asked member by member
        _delete_member(ctx, whose, stage, role=role)


def _delete_member(ctx: CommandContext, member: HeldMember, stage: Stage, *, role: str) -> None:
    if stage in {Stage.DRAFT, Stage.OPEN, Stage.REVIEW}:
        registrations.withdraw_member(ctx, member.id)
    if stage is not Stage.DRAFT:
        erase_of_members(ctx, [member.id], removed=False, role=role)
        registrations.erase_member(ctx, member.id)
        ctx.record(AuditAction.PERSONAL_DATA_DELETED, ("Member", member.id), role=role)


def _tell(
    ctx: CommandContext, competition: CompetitionView, row: DeletionRequest, *, granted: bool, address: str
) -> None:
    """Tell who asked that there is an answer; no name and no reason in the message. A forgotten account has no number."""
    recipient = accounts.user_phone(row.asked_by_id)
    if not recipient:
        return
    notifications.queue_message(
        ctx,
        channel=Channel.SMS,
        recipient=recipient,
        competition_id=competition.id,
        subject=T("删除请求"),
        body=T(
            "“%(name)s”：您删除%(what)s的请求%(answer)s。请打开 %(address)s 查看。",
            name=competition.name,
            what=DOCUMENT_KINDS.get(row.kind, T("材料")) if row.kind else T("个人信息"),
            answer=T("已办理") if granted else T("没有办理，理由见页面"),
            address=address,
        ),
    )

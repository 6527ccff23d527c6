from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.accounts import queries as accounts
from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.registrations.models import Consent, Entry, Member, Registration, Submission, Unit
from app.registrations.rules import (
    NOTICE_VERSION,
    ConsentMissingError,
    EntryState,
    MemberForm,
    NothingToSubmitError,
    NoUnitAskedError,
    RegistrationId,
    RegistrationState,
    UnitId,
    UnitTakenError,
    check_member,
    check_pair,
    check_unit,
    needed_proofs,
    receipt_number,
    require_handed_in,
    require_open,
    require_whole_team,
    without_code,
)
from app.registrations.service.access import (
    Leader,
    Party,
    consent_of,
    entered,
    leader_of,
    named_for_team,
    own_unit,
    required_unit,
    send_back,
)
from app.registrations.service.entries import hold, rows_of
from app.registrations.service.parties import open_registration
from app.regulations.rules import Regulation


def agree_to_privacy_notice(ctx: CommandContext, *, slug: str, agreed: bool = True) -> None:
    """Note that the leader agreed to the privacy notice (个人信息保护声明); agreeing twice is the same as once.

    Who has a unit here may agree to a newer text after the deadline too: documents are handed in until the end.
    """
    user_id = ctx.actor.require_signed_in()
    competition = competitions.competition(slug)
    if own_unit(ctx, Leader(user_id, competition)) is None:
        require_open(competition.event.regulation, ctx.now)
    if not agreed:
        raise ConsentMissingError
    if consent_of(ctx, user_id, competition.id) is not None:
        return
    consent = Consent(
        user_id=user_id, competition_id=competition.id, notice_version=NOTICE_VERSION, agreed_at=ctx.now
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(consent)
    except IntegrityError:
        return  # the second of two taps: the other request has stored the same agreement
    ctx.record(AuditAction.PRIVACY_NOTICE_AGREED, consent, version=NOTICE_VERSION)


def save_unit(
    ctx: CommandContext,
    *,
    slug: str,
    name: str = "",
    credit_code: str = "",
    contact_name: str = "",
    contact_phone: str = "",
) -> UnitId:
    """Make or change the leader's unit (单位). Without a contact phone the leader's own number is taken.

    Another name or code brings reviewed entries back to review: whose employees they are has changed.
    Raises ``UnitRefusedError``, or ``UnitTakenError`` where another leader registered this credit code, or this name
    without one.
    """
    leader = leader_of(ctx, slug)
    if leader.event.regulation.by_players:
        raise NoUnitAskedError(leader.event.regulation.registration.clause)
    data = check_unit(
        name=name,
        credit_code=credit_code,
        contact_name=contact_name,
        contact_phone=contact_phone or accounts.user_phone(leader.user_id),
        regulation=leader.event.regulation,
    )
    unit = own_unit(ctx, leader)
    credit_code = data.credit_code or without_code(leader.user_id)
    if data.credit_code is None:
        _require_own_name(ctx, leader, data.name)
    made = unit is None
    try:
        with ctx.session.begin_nested():
            if unit is None:
                unit = Unit(
                    competition_id=leader.competition.id, leader_user_id=leader.user_id, created_at=ctx.now
                )
                ctx.session.add(unit)
            renamed = not made and (unit.name, unit.credit_code) != (data.name, credit_code)
            unit.name, unit.credit_code = data.name, credit_code
            unit.contact_name, unit.contact_phone = data.contact_name, data.contact_phone
    except IntegrityError as error:
        # unique(competition, credit_code); one leader cannot race against himself, see leader_of
        raise UnitTakenError from error
    if made:
        open_registration(ctx, leader, unit)
    reviewed_again = send_back(ctx, unit) if renamed else 0
    ctx.record(AuditAction.UNIT_SAVED, unit, made=made, back_to_review=reviewed_again)
    return UnitId(unit.id)


def _require_own_name(ctx: CommandContext, leader: Leader, name: str) -> None:
    """Without a credit code the name says which unit this is: two leaders cannot both use it."""
    competitions_service.lock_event(ctx, leader.event.id)
    taken = select(Unit.id).where(
        Unit.competition_id == leader.competition.id,
        Unit.name == name,
        Unit.leader_user_id != leader.user_id,
    )
    if ctx.session.scalar(taken.limit(1)) is not None:
        raise UnitTakenError(by_name=True)


def submit(ctx: CommandContext, *, slug: str, idempotency_key: str) -> RegistrationId:
    """Hand in the draft entries (提交). The same key again, at any time, answers with the same registration.

    The first submission gives the receipt number; later ones add the members that came since.
    Raises ``NothingToSubmitError``, ``ProofsMissingError`` while a document that is due with the entry is missing, and
    ``MemberRefusedError`` if a rule has changed since a member was typed.
    """
    leader = leader_of(ctx, slug, any_time=True)
    unit = required_unit(ctx, leader)
    registration = ctx.session.scalars(
        select(Registration).where(Registration.event_id == leader.event.id, Registration.unit_id == unit.id)
    ).one()
    repeated = ctx.session.scalar(
        select(Submission.id).where(
            Submission.registration_id == registration.id, Submission.idempotency_key == idempotency_key
        )
    )
    if repeated is not None:
        return RegistrationId(registration.id)
    regulation = leader.event.regulation
    require_open(regulation, ctx.now)
    drafts = ctx.session.scalars(
        select(Entry)
        .where(
            Entry.event_id == leader.event.id,
            Entry.unit_id == unit.id,
            Entry.state == EntryState.DRAFT.value,
        )
        .order_by(Entry.id)
    ).all()
    if not drafts:
        raise NothingToSubmitError(
            empty=entered(ctx, leader.event.id, unit.id) == 0, pairs=regulation.in_pairs
        )
    require_whole_team(regulation, named_for_team(ctx, leader.event.id, unit.id))
    require_handed_in(needed_proofs(leader.competition.id, [entry.id for entry in drafts], ctx.now))
    for entry in drafts:
        rows = rows_of(ctx, entry)
        _check_again(regulation, [member for member, _ in rows], beijing_date(ctx.now))
        if regulation.entry.resubmission is not None:
            hold(ctx, Party(leader, unit), entry, rows)
        entry.state = EntryState.SUBMITTED.value
        entry.submitted_at = ctx.now
        ctx.session.flush()  # the next form of the same hand may replace this one
    if registration.number is None:
        registration.number = receipt_number(registration.id)
        registration.submitted_at = ctx.now
        registration.state = RegistrationState.SUBMITTED.value
    registration.regulation_version_id = leader.event.regulation_version_id
    submission = Submission(
        registration_id=registration.id,
        idempotency_key=idempotency_key,
        submitted_at=ctx.now,
        entries=len(drafts),
    )
    ctx.session.add(submission)
    ctx.session.flush()
    ctx.record(
        AuditAction.REGISTRATION_SUBMITTED, registration, number=registration.number, entries=len(drafts)
    )
    return RegistrationId(registration.id)


def _check_again(regulation: Regulation, members: Sequence[Member], today: date) -> None:
    """Refuse what was right when it was typed and is not any more."""
    typed = [
        MemberForm(
            *(member.name, member.id_number or "", member.phone or "", member.employment),
            *(member.unit_name or "", frozenset(member.declared or ())),
        )
        for member in members
    ]
    if regulation.in_pairs:
        check_pair(typed, regulation, today)
    else:
        (form,) = typed
        check_member(form, regulation, today)

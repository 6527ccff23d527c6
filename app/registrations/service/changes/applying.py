"""What the leader does: apply for a change, or take the application back."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import service as competitions_service
from app.database import person_hash
from app.registrations.models import (
    ChangeApplication,
    ChangeApplicationFile,
    Entry,
    EntryMember,
    Registration,
)
from app.registrations.rules import (
    DuplicatePersonError,
    EntryId,
    EntryState,
    MemberForm,
    require_team_room,
)
from app.registrations.rules.changes import (
    CHANGEABLE,
    STATE_NAMES,
    ApplicationDecidedError,
    ApplicationStandsError,
    ApplicationState,
    ChangeKind,
    ChangeRefusedError,
    ChangeTerms,
    NotOfferedError,
    NotRegisteredError,
    Proposal,
    UnknownApplicationError,
    terms_of,
)
from app.registrations.service.access import (
    Party,
    leader_of,
    named_for_team,
    own_entry,
    require_places,
    required_unit,
)
from app.registrations.service.changes.carrying import carry_out
from app.registrations.service.changes.checking import Asked, checked
from app.registrations.service.entries import (
    drop_entry,
    duplicate,
    new_entry,
    others_with,
    rows_of,
)
from app.text import T
from app.uploads import service as uploads

PURPOSE = "letter"
"""For what the files of an application are uploaded (`app.uploads.rules.PURPOSES`)."""


def apply(
    ctx: CommandContext,
    *,
    slug: str,
    kind: ChangeKind,
    idempotency_key: str,
    entry_id: EntryId | None = None,
    member_id: int | None = None,
    reason: str = "",
    members: Sequence[MemberForm] = (),
    tokens: Sequence[str] = (),
) -> int:
    """Apply for a change after the deadline (变更申请). Its number in the event; the same key again, the same number.

    ``add``: ``members`` are the player, or both of a pair. ``replace`` and ``correct``: ``entry_id``, of a pair ``member_id`` of
    who leaves or is corrected, and one form; in a correction an empty ID number or phone keeps the stored one. ``tokens``
    name the uploads of the letter. Somebody who comes stands in a draft from now on, so his documents can be handed in, and no
    other unit enters him. A withdrawal that needs no application is done at once.

    Raises what ``terms_of`` refuses, ``ChangeRefusedError`` with every wrong field, ``NotRegisteredError``,
    ``NotOfferedError``, ``ApplicationStandsError``, ``DuplicatePersonError``, ``QuotaFullError``, and of the letter what
    ``uploads.claim`` raises.
    """
    leader = leader_of(ctx, slug, any_time=True)
    party = Party(leader, required_unit(ctx, leader))
    standing = ctx.session.scalar(
        select(ChangeApplication.number).where(
            ChangeApplication.unit_id == party.unit.id, ChangeApplication.idempotency_key == idempotency_key
        )
    )
    if standing is not None:
        return standing
    regulation, event_id = leader.event.regulation, leader.event.id
    drawn = competitions_service.lock_event(ctx, event_id).entries_closed_at is not None
    terms = terms_of(regulation, kind, ctx.now, drawn=drawn)
    terms.require()
    _require_registered(ctx, party, terms)
    entry = None if kind is ChangeKind.ADD else _entry(ctx, party, entry_id)
    asked = Asked(party, terms, entry, rows_of(ctx, entry) if entry else (), member_id)
    if entry is not None:
        _require_alone(ctx, asked)
    asked = checked(ctx, asked, members, reason, tokens)
    row = ChangeApplication(
        competition_id=leader.competition.id,
        event_id=event_id,
        unit_id=party.unit.id,
        number=_next_number(ctx, event_id),
        idempotency_key=idempotency_key,
        kind=kind.value,
        entry_id=entry.id if entry else None,
        made_entry_id=_draft(ctx, asked),
        reason=reason.strip(),
        proposal=_proposal(asked, members).packed(),
        state=ApplicationState.WAITING.value,
        applied_at=ctx.now,
        applied_by_id=leader.user_id,
    )
    ctx.session.add(row)
    ctx.session.flush()
    files = _claim(ctx, row, tokens)
    ctx.record(AuditAction.CHANGE_APPLIED, row, number=row.number, kind=row.kind, files=files)
    if terms.at_once:
        row.state, row.decided_at = ApplicationState.GRANTED.value, ctx.now
        carry_out(ctx, row, party)
        ctx.record(AuditAction.CHANGE_GRANTED, row, number=row.number, kind=row.kind, at_once=True)
    return row.number


def take_back(ctx: CommandContext, *, slug: str, number: int) -> None:
    """Take back an application that nobody has answered; the draft of who was to come goes, and the letter. Again: nothing."""
    leader = leader_of(ctx, slug, any_time=True)
    unit = required_unit(ctx, leader)
    competitions_service.lock_event(ctx, leader.event.id)
    row = ctx.session.scalar(
        select(ChangeApplication)
        .where(
            ChangeApplication.event_id == leader.event.id,
            ChangeApplication.number == number,
            ChangeApplication.unit_id == unit.id,
        )
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    if row is None:
        raise UnknownApplicationError
    if row.state == ApplicationState.TAKEN_BACK:
        return
    if row.state != ApplicationState.WAITING:
        raise ApplicationDecidedError(
            STATE_NAMES[ApplicationState(row.state)],
            {"number": row.number, "state": row.state},
            {"state": ApplicationState.TAKEN_BACK.value},
        )
    close(ctx, row, ApplicationState.TAKEN_BACK)
    ctx.record(AuditAction.CHANGE_TAKEN_BACK, row, number=row.number)


def close(ctx: CommandContext, row: ChangeApplication, state: ApplicationState) -> None:
    """An application comes to nothing: who was to come leaves with his documents, what was typed keeps the names alone."""
    row.state, row.decided_at = state.value, ctx.now
    row.proposal = Proposal.unpacked(row.proposal).without_numbers().packed()
    made, row.made_entry_id = row.made_entry_id, None
    ctx.session.flush()
    if made is not None:
        draft = ctx.session.get_one(Entry, made)
        drop_entry(ctx, draft, rows_of(ctx, draft))


def _require_registered(ctx: CommandContext, party: Party, terms: ChangeTerms) -> None:
    handed_in = ctx.session.scalar(
        select(Registration.number).where(
            Registration.event_id == party.event.id, Registration.unit_id == party.unit.id
        )
    )
    if handed_in is None:
        raise NotRegisteredError(terms.clause)


def _entry(ctx: CommandContext, party: Party, entry_id: EntryId | None) -> Entry:
    if entry_id is None:
        text = T("请选择要变更的报名。")
        raise ChangeRefusedError({"entry_id": text}, party.event.regulation.registration.changes_clause)
    entry = own_entry(ctx, party.leader, party.unit, entry_id)
    if entry.state not in CHANGEABLE:
        raise NotOfferedError(withdrawn=entry.state == EntryState.WITHDRAWN)
    return entry


def _require_alone(ctx: CommandContext, asked: Asked) -> None:
    """One application about an entry at a time; a withdrawal done at once ends what waits."""
    assert asked.entry is not None
    if asked.terms.at_once:
        return
    waits = ctx.session.scalar(
        select(ChangeApplication).where(
            ChangeApplication.entry_id == asked.entry.id,
            ChangeApplication.state == ApplicationState.WAITING.value,
        )
    )
    if waits is not None:
        raise ApplicationStandsError(
            {"number": waits.number, "kind": waits.kind, "applied_at": waits.applied_at.isoformat()},
            {"kind": asked.terms.kind.value},
        )


def _draft(ctx: CommandContext, asked: Asked) -> int | None:
    """A draft for who comes; its id. Of a correction nothing is written yet, but nobody else may be that person."""
    party, kind = asked.party, asked.terms.kind
    if kind is ChangeKind.WITHDRAW:
        return None
    beside = asked.entry.id if asked.entry else None
    if asked.people[0].in_team:
        others = named_for_team(ctx, party.event.id, party.unit.id, beside=beside, late=True)
        require_team_room(party.event.regulation, others)
    numbers = [data.identity.number for data in asked.people]
    if kind is ChangeKind.CORRECT:
        assert asked.entry is not None
        twice = {link.person_hash for _, link in asked.kept} & {person_hash(each) for each in numbers}
        if twice or others_with(ctx, party.event, asked.entry, numbers):
            raise _placed(duplicate(ctx, party, numbers, None if twice else asked.entry))
        return None
    _drop_stale(ctx, party, numbers)
    if kind is ChangeKind.ADD:
        require_places(ctx, party.leader, party.unit.id, late=True)
    try:
        return new_entry(ctx, party, asked.people).id
    except DuplicatePersonError as refusal:
        raise _placed(refusal) from refusal


def _placed(refusal: DuplicatePersonError) -> DuplicatePersonError:
    """The field of the only form stands in a list here."""
    refusal.fields = {
        name if name.startswith("members.") else f"members.0.{name}": text
        for name, text in refusal.fields.items()
    }
    return refusal


def _drop_stale(ctx: CommandContext, party: Party, numbers: Sequence[str]) -> None:
    """Drafts of the unit that missed the deadline with one of these persons make way: nobody can hand them in any more."""
    made = select(ChangeApplication.made_entry_id).where(
        ChangeApplication.unit_id == party.unit.id, ChangeApplication.made_entry_id.is_not(None)
    )
    stale = ctx.session.scalars(
        select(Entry)
        .join(EntryMember, EntryMember.entry_id == Entry.id)
        .where(
            Entry.unit_id == party.unit.id,
            Entry.event_id == party.event.id,
            Entry.state == EntryState.DRAFT.value,
            EntryMember.person_hash.in_([person_hash(each) for each in numbers]),
            Entry.id.not_in(made),
        )
    ).unique()
    for entry in stale.all():
        drop_entry(ctx, entry, rows_of(ctx, entry))


def _proposal(asked: Asked, members: Sequence[MemberForm]) -> Proposal:
    correcting = asked.terms.kind is ChangeKind.CORRECT
    chosen = None
    if asked.terms.kind in {ChangeKind.REPLACE, ChangeKind.CORRECT}:
        chosen = asked.chosen[0]
    form = None
    if correcting:
        data = asked.people[0]
        form = MemberForm(
            name=data.name,
            id_number=data.identity.number,
            phone=data.phone,
            employment=data.employment.value if data.employment else "",
            unit_name=data.unit_name or "",
            declared=data.declared,
            in_team=bool(data.in_team),
        )
    return Proposal(
        names=tuple(data.name for data in asked.people),
        was=(chosen.name,) if chosen else tuple(member.name for member, _ in asked.rows),
        revision=asked.entry.revision if asked.entry else None,
        member_id=chosen.id if chosen else None,
        form=form,
    )


def _next_number(ctx: CommandContext, event_id: int) -> int:
    """The event is locked, so nobody else takes it."""
    last = ctx.session.scalar(
        select(func.max(ChangeApplication.number)).where(ChangeApplication.event_id == event_id)
    )
    return (last or 0) + 1


def _claim(ctx: CommandContext, row: ChangeApplication, tokens: Sequence[str]) -> int:
    if not tokens:
        return 0
    claimed = uploads.claim(
        ctx,
        tokens=tokens,
        user_id=row.applied_by_id,
        competition_id=row.competition_id,
        purpose=PURPOSE,
    )
    for position, upload_id in enumerate(claimed):
        ctx.session.add(ChangeApplicationFile(application_id=row.id, upload_id=upload_id, position=position))
    ctx.session.flush()
    return len(claimed)

"""Entries of one player or a pair as rows, and the rule that a person stands in one entry of an event."""

from __future__ import annotations

from collections.abc import Sequence, Set

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.accounts import queries as accounts
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.database import person_hash
from app.notifications import links
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.notifications.rules import Channel
from app.registrations.models import Entry, EntryMember, Member, Unit
from app.registrations.rules import DuplicatePersonError, EntryState, MemberData
from app.registrations.rules.entries import replaces
from app.registrations.service.access import Party, back_to_review, erase
from app.registrations.service.applications import end_applications
from app.registrations.service.leaving import members_leave
from app.text import T

Row = tuple[Member, EntryMember]
"""One player of an entry."""


def new_entry(ctx: CommandContext, party: Party, people: Sequence[MemberData]) -> Entry:
    """A draft with its players. Raises ``DuplicatePersonError``.

    Where a newer form replaces an older one, nobody is held by a draft: the latest form that is handed in counts.
    """
    event = party.event
    try:
        with ctx.session.begin_nested():
            entry = Entry(event_id=event.id, unit_id=party.unit.id, state=EntryState.DRAFT.value)
            entry.in_team = people[0].in_team
            ctx.session.add(entry)
            ctx.session.flush()  # assigns its id
            rows = []
            for place, data in enumerate(people):
                stand_in = _stand_in(entry, place)
                member = Member(unit_id=party.unit.id, created_at=ctx.now, person_hash=stand_in)
                fill(member, data)
                ctx.session.add(member)
                ctx.session.flush()  # in the order of the form, which the ids keep
                link = EntryMember(
                    entry_id=entry.id, member_id=member.id, event_id=event.id, person_hash=stand_in
                )
                ctx.session.add(link)
                rows.append((member, link))
            if event.regulation.entry.resubmission is None:
                take(ctx, rows)
    except IntegrityError as error:
        raise duplicate(ctx, party, [data.identity.number for data in people]) from error
    _refuse_other_pairs(ctx, party, entry, people)
    return entry


def change_entry(
    ctx: CommandContext,
    party: Party,
    entry: Entry,
    rows: Sequence[Row],
    people: Sequence[MemberData],
) -> bool:
    """Write other data into an entry; what was submitted goes back to review. Returns whether anything changed."""
    named = people[0].in_team
    if entry.in_team == named and all(
        same(member, data) for (member, _), data in zip(rows, people, strict=True)
    ):
        return False
    entry.in_team = named
    held = entry.state != EntryState.DRAFT or party.event.regulation.entry.resubmission is None
    try:
        with ctx.session.begin_nested():
            for (member, _), data in zip(rows, people, strict=True):
                fill(member, data)
            if held and party.event.regulation.entry.resubmission is not None:
                make_way(ctx, party, entry, rows)
            if held:
                take(ctx, rows)
    except IntegrityError as error:
        raise duplicate(ctx, party, [data.identity.number for data in people]) from error
    if not held:
        _refuse_other_pairs(ctx, party, entry, people)
    back_to_review(ctx, entry)
    ctx.session.flush()
    return True


def drop_entry(ctx: CommandContext, entry: Entry, rows: Sequence[Row]) -> None:
    """A draft disappears; what was submitted stays visible as withdrawn (已退赛), without ID numbers, phones and documents.

    Applications about the entry that still wait are over, and with them the drafts of those who were to come for it.
    """
    for draft in end_applications(ctx, entry):
        drop_entry(ctx, draft, rows_of(ctx, draft))
    if entry.state == EntryState.DRAFT:
        members_leave(ctx, [member.id for member, _ in rows], removed=True)
        for _, link in rows:
            ctx.session.delete(link)
        ctx.session.flush()  # the links refer to the rest
        ctx.session.delete(entry)
        for member, _ in rows:
            ctx.session.delete(member)
    else:
        withdraw_entry(ctx, entry, rows)
    ctx.session.flush()


def wait_for_turn(ctx: CommandContext, event: EventView) -> None:
    """Where one form may void another: take the event before any entry, as the committee's decisions do."""
    if event.regulation.entry.resubmission is not None:
        competitions_service.lock_event(ctx, event.id)


def hold(ctx: CommandContext, party: Party, entry: Entry, rows: Sequence[Row]) -> None:
    """Hand in a draft that held nobody yet: older forms with its players make way, where the text says so."""
    make_way(ctx, party, entry, rows)
    take(ctx, rows)


def make_way(ctx: CommandContext, party: Party, entry: Entry, rows: Sequence[Row]) -> None:
    """Replace the older forms that this one voids (以最新一次填写的信息为准).

    Raises ``DuplicatePersonError`` where the reading in force leaves an older form standing.
    """
    wait_for_turn(ctx, party.event)  # two forms with one player: one after the other
    numbers = [member.id_number or "" for member, _ in rows]
    for older in others_with(ctx, party.event, entry, numbers):
        older_rows = rows_of(ctx, older)
        standing = {link.person_hash for _, link in older_rows}
        if not replaces(party.event.regulation, standing, {person_hash(each) for each in numbers}):
            raise duplicate(ctx, party, numbers, entry)
        _replace(ctx, party, older, older_rows, numbers)


def rows_of(ctx: CommandContext, entry: Entry) -> list[Row]:
    """The players of an entry in the order of its form."""
    found = ctx.session.execute(
        select(Member, EntryMember)
        .join(EntryMember, EntryMember.member_id == Member.id)
        .where(EntryMember.entry_id == entry.id)
        .order_by(Member.id)
    )
    return [(member, link) for member, link in found]


def _replace(
    ctx: CommandContext, party: Party, older: Entry, rows: Sequence[Row], numbers: Sequence[str]
) -> None:
    """Withdraw an older form. A player it drops is told; one who is kept too, if somebody else sent the newer form."""
    told = set()
    for member, _ in rows:
        dropped = member.id_number not in numbers
        if member.phone and (dropped or older.unit_id != party.unit.id):
            _tell(ctx, party, member.phone, dropped=dropped)
            told.add(member.phone)
    if older.unit_id != party.unit.id:
        _tell_leader(ctx, party, older, told)
    older.replaced_at = ctx.now
    withdraw_entry(ctx, older, rows)
    ctx.session.flush()
    ctx.record(AuditAction.ENTRY_REPLACED, older)


def _tell_leader(ctx: CommandContext, party: Party, older: Entry, told: Set[str]) -> None:
    """Whoever sent the older form for another unit is told, without saying who sent the newer one."""
    competition, again = party.leader.competition, party.event.regulation.entry.resubmission
    to = accounts.recipient(ctx.session.get_one(Unit, older.unit_id).leader_user_id)
    if to.email is None and to.phone in told:
        return  # as one of its players, by the same text message
    page = f"/c/{competition.slug}/my"
    notifications.queue_letter(
        ctx,
        kind=LetterKind.ENTRY_REPLACED,
        to=to,
        competition_id=competition.id,
        key=f"entry {older.id} replaced",
        context={
            "competition": competition.name,
            "clause": again[1] if again else "",
            "page": Address(page),
            "short": T(
                "“%(name)s”：您提交的一份报名已被较新的一份取代，以最新一次为准。请打开 %(address)s 查看。",
                name=competition.name,
                address=links.full(page) or page,
            ),
        },
    )


def _tell(ctx: CommandContext, party: Party, phone: str, *, dropped: bool) -> None:
    name = party.leader.competition.name
    notifications.queue_message(
        ctx,
        channel=Channel.SMS,
        recipient=phone,
        competition_id=party.leader.competition.id,
        subject=T("报名变更"),
        body=T(
            "您在“%(name)s”的报名表已被同伴较新的一份取代，您不再在报名名单上。如需参赛，请在截止前重新报名。",
            name=name,
        )
        if dropped
        else T(
            "您在“%(name)s”的报名表已被较新的一份取代，以最新一次为准。如不是您或同伴填写的，请联系组委会。",
            name=name,
        ),
    )


def withdraw_entry(ctx: CommandContext, entry: Entry, rows: Sequence[Row]) -> None:
    """What was submitted becomes withdrawn (已退赛): names stay, numbers and documents go."""
    members_leave(ctx, [member.id for member, _ in rows], removed=False)
    entry.state = EntryState.WITHDRAWN.value
    entry.revision += 1
    for member, link in rows:
        erase(member, link)


def take(ctx: CommandContext, rows: Sequence[Row]) -> None:
    """Write who the players are. Raises ``IntegrityError`` where one stands in another entry of the event."""
    persons = [person_hash(member.id_number or "") for member, _ in rows]
    now = [link.person_hash for _, link in rows]
    if now != persons and set(now) & set(persons):
        # two players who change places: neither may meet himself on the way
        for place, (member, link) in enumerate(rows):
            member.person_hash = link.person_hash = person_hash(f"moving {link.entry_id} {place}")
        ctx.session.flush()
    for (member, link), person in zip(rows, persons, strict=True):
        member.person_hash = link.person_hash = person
    ctx.session.flush()


def _refuse_other_pairs(
    ctx: CommandContext, party: Party, entry: Entry, people: Sequence[MemberData]
) -> None:
    """Say beside the field of a draft what handing it in would refuse."""
    if party.event.regulation.entry.resubmission is None:
        return
    numbers = [data.identity.number for data in people]
    persons = {person_hash(each) for each in numbers}
    for older in others_with(ctx, party.event, entry, numbers):
        standing = {link.person_hash for _, link in rows_of(ctx, older)}
        if not replaces(party.event.regulation, standing, persons):
            raise duplicate(ctx, party, numbers, entry)


def others_with(ctx: CommandContext, event: EventView, entry: Entry, numbers: Sequence[str]) -> list[Entry]:
    """Other entries of the event in which one of these persons stands."""
    return list(
        ctx.session.scalars(
            select(Entry)
            .where(
                Entry.id.in_(
                    select(EntryMember.entry_id).where(
                        EntryMember.event_id == event.id,
                        EntryMember.person_hash.in_([person_hash(each) for each in numbers]),
                    )
                ),
                Entry.id != entry.id,
            )
            .order_by(Entry.id)
            .with_for_update(key_share=True)
        )
    )


def duplicate(
    ctx: CommandContext, party: Party, numbers: Sequence[str], entry: Entry | None = None
) -> DuplicatePersonError:
    """Which player is on which list already; the constraint decided the race, this only finds the words."""
    event = party.event
    clause = event.regulation.clause_of("entry")
    for place, number in enumerate(numbers):
        found = ctx.session.scalar(
            select(Entry.unit_id)
            .join(EntryMember, EntryMember.entry_id == Entry.id)
            .where(
                EntryMember.event_id == event.id,
                EntryMember.person_hash == person_hash(number),
                *([Entry.id != entry.id] if entry is not None else []),
            )
        )
        if found is not None:
            return DuplicatePersonError(
                same_unit=found == party.unit.id, clause=clause, place=_field(numbers, place)
            )
    return DuplicatePersonError(same_unit=False, clause=clause, place=_field(numbers, 0))


def _field(numbers: Sequence[str], place: int) -> str:
    return "id_number" if len(numbers) == 1 else f"members.{place}.id_number"


def _stand_in(entry: Entry, place: int) -> str:
    return person_hash(f"draft {entry.id} {place}")


def fill(member: Member, data: MemberData) -> None:
    member.name, member.employment = data.name, data.employment.value if data.employment else ""
    member.id_number, member.phone = data.identity.number, data.phone
    member.unit_name, member.declared = data.unit_name, sorted(data.declared) or None


def same(member: Member, data: MemberData) -> bool:
    stored = (member.name, member.id_number, member.phone, member.employment, member.unit_name)
    given = (
        *(data.name, data.identity.number, data.phone),
        *(data.employment or "", data.unit_name),
    )
    return stored == given and (member.declared or []) == sorted(data.declared)

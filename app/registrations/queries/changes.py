"""Change applications (变更申请) as their leader and the committee read them; numbers masked but on demand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select

from app.accounts.rules import masked_phone
from app.actors import Role
from app.competitions.queries import EventView
from app.extensions import db
from app.registrations.models import (
    ChangeApplication,
    ChangeApplicationFile,
    Entry,
    EntryMember,
    Member,
    Unit,
)
from app.registrations.queries.people import joined, with_people
from app.registrations.queries.review import ReviewedPlayer, reviewed_player
from app.registrations.rules import EntryId, Judgement, MemberForm, masked_id_number
from app.registrations.rules.changes import ApplicationState, ChangeKind, Proposal
from app.registrations.rules.entries import MAX_ID
from app.regulations.rules.eligibility import EMPLOYMENT_NAMES
from app.text import T
from app.uploads import queries as uploads
from app.waiting import Waiting, age

FIELD_NAMES: dict[str, T] = {
    "name": T("姓名"),
    "id_number": T("身份证号"),
    "phone": T("手机号"),
    "employment": T("用工关系"),
    "unit_name": T("单位"),
}


@dataclass(frozen=True, slots=True)
class Correction:
    """One field that an application corrects; numbers are masked."""

    field: str
    label: T
    before: str | T
    after: str | T


@dataclass(frozen=True, slots=True)
class LetterPage:
    """One page of the letter: ``position`` of the file, ``page`` of it from 1."""

    position: int
    page: int
    media_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ChangeView:
    """An application. ``names``: who comes, or as whom somebody is corrected; ``was``: who leaves or stood there.

    ``players``: the people it brings, judged by every rule of eligibility; ``set_aside``: the clause that does not hold for who is
    corrected (特批); ``entry_id`` what it is about, ``made_entry_id``
    what came, or is to come, of it.
    """

    number: int
    kind: ChangeKind
    state: ApplicationState
    unit_id: int
    unit_name: str
    leader_user_id: int
    entry_id: EntryId | None
    made_entry_id: EntryId | None
    names: tuple[str, ...]
    was: tuple[str, ...]
    reason: str = field(repr=False)
    answer: str | None = field(repr=False)
    applied_at: datetime
    decided_at: datetime | None
    players: tuple[ReviewedPlayer, ...] = ()
    corrections: tuple[Correction, ...] = ()
    letter: tuple[LetterPage, ...] = ()
    set_aside: str | None = None

    @property
    def waits(self) -> bool:
        return self.state is ApplicationState.WAITING

    @property
    def who(self) -> str:
        """Whom it is about, in a line: 甲, or 甲 → 乙."""
        if self.kind is ChangeKind.ADD:
            return joined(self.names)
        if self.kind is ChangeKind.WITHDRAW or self.names in {(), self.was}:
            return joined(self.was)
        return f"{joined(self.was)} → {joined(self.names)}"

    @property
    def standing_entry_id(self) -> EntryId | None:
        """The entry that stands after it was granted; None where one left."""
        if self.kind is ChangeKind.WITHDRAW:
            return None
        return self.made_entry_id or self.entry_id

    @property
    def broken(self) -> Judgement | None:
        """The first rule of the regulation that somebody who comes does not meet, and that was not set aside for him."""
        return next(
            (
                judged
                for player in self.players
                for judged in player.judgements
                if judged.refusal and judged.clause != self.set_aside
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class ProposedData:
    """ID numbers and phones of the people of an application."""

    entry_ids: tuple[EntryId, ...]
    people: tuple[tuple[str, str, str], ...] = field(repr=False)
    """Name, ID number and phone of each."""


@dataclass(frozen=True, slots=True)
class HeldApplication:
    """Everything that is kept of an application, for a copy. ``upload_ids``: its letter."""

    number: int
    kind: ChangeKind
    state: ApplicationState
    proposal: Proposal = field(repr=False)
    reason: str = field(repr=False)
    answer: str | None = field(repr=False)
    applied_at: datetime
    decided_at: datetime | None
    upload_ids: tuple[int, ...]


def held_applications(
    *, unit_id: int, entry_ids: Collection[int] | None = None
) -> tuple[HeldApplication, ...]:
    """The applications of a unit, all or those about these entries, in the order in which they were sent."""
    statement = select(ChangeApplication).where(ChangeApplication.unit_id == unit_id)
    if entry_ids is not None:
        ids = tuple(entry_ids)
        statement = statement.where(
            ChangeApplication.entry_id.in_(ids) | ChangeApplication.made_entry_id.in_(ids)
        )
    rows = db.session.scalars(statement.order_by(ChangeApplication.id)).all()
    letters: dict[int, list[int]] = defaultdict(list)
    for application_id, upload_id in db.session.execute(
        select(ChangeApplicationFile.application_id, ChangeApplicationFile.upload_id)
        .where(ChangeApplicationFile.application_id.in_([row.id for row in rows]))
        .order_by(ChangeApplicationFile.position)
    ):
        letters[application_id].append(upload_id)
    return tuple(
        HeldApplication(
            number=row.number,
            kind=ChangeKind(row.kind),
            state=ApplicationState(row.state),
            proposal=Proposal.unpacked(row.proposal),
            reason=row.reason,
            answer=row.answer,
            applied_at=row.applied_at,
            decided_at=row.decided_at,
            upload_ids=tuple(letters[row.id]),
        )
        for row in rows
    )


def applications(event: EventView, *, unit_id: int | None = None) -> tuple[ChangeView, ...]:
    """Every application of an event, or one unit's: those that wait first, the oldest first; then the newest first."""
    conditions = [] if unit_id is None else [ChangeApplication.unit_id == unit_id]
    found = _views(event, *conditions)
    waiting = [each for each in found if each.waits]
    return (*waiting, *reversed([each for each in found if not each.waits]))


def application(event: EventView, number: int) -> ChangeView | None:
    """One application; None where there is none."""
    if number > MAX_ID:
        return None
    return next(iter(_views(event, ChangeApplication.number == number)), None)


def first_broken(event: EventView, number: int) -> Judgement | None:
    """The first rule of eligibility that the people of an application do not meet."""
    found = application(event, number)
    return found.broken if found else None


def proposed_data(event: EventView, number: int) -> ProposedData | None:
    """The numbers in full. Only ``service.changes.read_proposed_data`` asks, which records it."""
    row = _row(event, number)
    if row is None:
        return None
    ids = tuple(EntryId(each) for each in (row.entry_id, row.made_entry_id) if each is not None)
    people = [
        (member.name, member.id_number or "", member.phone or "")
        for member in db.session.scalars(
            select(Member)
            .join(EntryMember, EntryMember.member_id == Member.id)
            .where(EntryMember.entry_id.in_(ids))
            .order_by(Member.id)
        )
    ]
    form = Proposal.unpacked(row.proposal).form
    if form is not None:
        people.append((form.name, form.id_number, form.phone))
    return ProposedData(ids, tuple(people))


def late_entries(entry_ids: Collection[int]) -> frozenset[EntryId]:
    """Those of some entries that were made after the deadline, by an application that waits or was granted."""
    return frozenset(
        EntryId(each)
        for each in db.session.scalars(
            select(ChangeApplication.made_entry_id).where(
                ChangeApplication.made_entry_id.in_(tuple(entry_ids)),
                ChangeApplication.state.in_([ApplicationState.WAITING.value, ApplicationState.GRANTED.value]),
            )
        )
        if each is not None
    )


def changed_entries(event_id: int) -> frozenset[EntryId]:
    """Entries that stand as they do by a granted application: made, or corrected."""
    rows = db.session.execute(
        select(ChangeApplication.entry_id, ChangeApplication.made_entry_id).where(
            ChangeApplication.event_id == event_id,
            ChangeApplication.state == ApplicationState.GRANTED.value,
            ChangeApplication.kind != ChangeKind.WITHDRAW.value,
        )
    )
    return frozenset(EntryId(row.made_entry_id or row.entry_id) for row in rows)


def waiting_changes(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Applications that nobody answered yet."""
    count, oldest = db.session.execute(
        select(func.count(), func.min(ChangeApplication.applied_at)).where(
            ChangeApplication.event_id == event.id,
            ChangeApplication.state == ApplicationState.WAITING.value,
        )
    ).one()
    if oldest is None:
        return ()
    text = T("%(count)s 份变更申请等待答复（最早：%(age)s前）", count=count, age=age(now - oldest))
    return (Waiting(text, T("去答复"), "registrations.staff_changes", (Role.COMMITTEE,)),)


def _row(event: EventView, number: int) -> ChangeApplication | None:
    if number > MAX_ID:
        return None
    found: ChangeApplication | None = db.session.scalar(
        select(ChangeApplication).where(
            ChangeApplication.event_id == event.id, ChangeApplication.number == number
        )
    )
    return found


def _views(event: EventView, *conditions: ColumnElement[bool]) -> tuple[ChangeView, ...]:
    rows = db.session.execute(
        select(ChangeApplication, Unit)
        .join(Unit, Unit.id == ChangeApplication.unit_id)
        .where(ChangeApplication.event_id == event.id, *conditions)
        .order_by(ChangeApplication.number)
    ).all()
    entries = _people([each for row, _ in rows for each in (row.entry_id, row.made_entry_id) if each])
    set_aside = _set_aside(row.entry_id for row, _ in rows if row.kind == ChangeKind.CORRECT)
    letters = _letters([row.id for row, _ in rows])
    return tuple(
        replace(
            _view(event, row, unit, entries, letters.get(row.id, ())),
            set_aside=set_aside.get(row.entry_id or 0),
        )
        for row, unit in rows
    )


def _view(
    event: EventView,
    row: ChangeApplication,
    unit: Unit,
    entries: dict[int, list[Member]],
    letter: Sequence[LetterPage],
) -> ChangeView:
    proposal = Proposal.unpacked(row.proposal)
    players: list[ReviewedPlayer] = []
    corrections: tuple[Correction, ...] = ()
    if row.made_entry_id is not None:
        players = [reviewed_player(event, member) for member in entries.get(row.made_entry_id, [])]
    if proposal.form is not None and row.entry_id is not None:
        member = next(each for each in entries[row.entry_id] if each.id == proposal.member_id)
        corrections = _corrections(member, proposal.form)
        players = [reviewed_player(event, _corrected(proposal.form))]
    return ChangeView(
        number=row.number,
        kind=ChangeKind(row.kind),
        state=ApplicationState(row.state),
        unit_id=unit.id,
        unit_name=unit.name,
        leader_user_id=unit.leader_user_id,
        entry_id=None if row.entry_id is None else EntryId(row.entry_id),
        made_entry_id=None if row.made_entry_id is None else EntryId(row.made_entry_id),
        names=proposal.names,
        was=proposal.was,
        reason=row.reason,
        answer=row.answer,
        applied_at=row.applied_at,
        decided_at=row.decided_at,
        players=tuple(players),
        corrections=corrections,
        letter=tuple(letter),
    )


def _corrected(form: MemberForm) -> Member:
    """As the member would be; a row that is never stored."""
    return Member(
        name=form.name,
        id_number=form.id_number,
        employment=form.employment,
        unit_name=form.unit_name or None,
        declared=sorted(form.declared),
    )


def _corrections(member: Member, form: MemberForm) -> tuple[Correction, ...]:
    before: dict[str, Any] = {
        "name": member.name,
        "id_number": member.id_number or "",
        "phone": member.phone or "",
        "employment": member.employment,
        "unit_name": member.unit_name or "",
    }
    return tuple(
        Correction(name, FIELD_NAMES[name], _shown(name, old), _shown(name, new))
        for name, old in before.items()
        if old != (new := getattr(form, name))
    )


def _shown(name: str, value: str) -> str | T:
    if not value:
        return "—"
    if name == "id_number":
        return masked_id_number(value)
    if name == "phone":
        return masked_phone(value)
    return EMPLOYMENT_NAMES[value] if name == "employment" else value  # type: ignore[index]  # a StrEnum's key


def _people(entry_ids: Sequence[int]) -> dict[int, list[Member]]:
    found: dict[int, list[Member]] = defaultdict(list)
    for entry_id, member in db.session.execute(
        with_people(select(Entry.id, Member)).where(Entry.id.in_(entry_ids)).order_by(Entry.id, Member.id)
    ):
        found[entry_id].append(member)
    return found


def _set_aside(entry_ids: Iterable[int | None]) -> dict[int, str]:
    """The clauses that the committee set aside for some entries."""
    ids = [each for each in entry_ids if each is not None]
    rows = db.session.execute(
        select(Entry.id, Entry.override_clause).where(Entry.id.in_(ids), Entry.override_clause.is_not(None))
    )
    return {row.id: row.override_clause for row in rows}


def _letters(application_ids: Sequence[int]) -> dict[int, list[LetterPage]]:
    rows = db.session.execute(
        select(
            ChangeApplicationFile.application_id,
            ChangeApplicationFile.position,
            ChangeApplicationFile.upload_id,
        )
        .where(ChangeApplicationFile.application_id.in_(application_ids))
        .order_by(ChangeApplicationFile.application_id, ChangeApplicationFile.position)
    ).all()
    contents = uploads.contents(row.upload_id for row in rows)
    found: dict[int, list[LetterPage]] = defaultdict(list)
    for row in rows:
        content = contents.get(row.upload_id)
        if content is None:
            continue
        for page in content.pages:
            found[row.application_id].append(
                LetterPage(row.position, page.number, content.media_type, page.width, page.height)
            )
    return found

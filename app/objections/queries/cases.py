"""One case as the committee that handles it reads it. Asks no permission: ``service.read`` does, and writes it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.extensions import db
from app.objections.models import (
    Objection,
    ObjectionEntry,
    ObjectionFile,
    ObjectionHearing,
    ObjectionStep,
)
from app.objections.queries import lists, people
from app.objections.queries.lists import ListInForce
from app.objections.queries.people import ConcernedUnit
from app.objections.rules.handling import Heard
from app.objections.rules.states import (
    CaseState,
    Channel,
    FileRole,
    HearingId,
    ObjectionId,
    Outcome,
    Requirement,
    StepKind,
)
from app.publications import queries as publications
from app.registrations import queries as registrations
from app.registrations.rules import EntryId
from app.uploads import queries as uploads


@dataclass(frozen=True, slots=True)
class CaseEntry:
    """An entry of a case. ``stands``: it is on a list in force."""

    entry_id: EntryId
    name: str
    players: tuple[str, ...]
    unit_name: str
    stands: bool
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A file of a case with its pages; ``ready``: it was checked and can be looked at."""

    id: int
    role: FileRole
    hearing_id: int | None
    pages: int
    media_type: str | None

    @property
    def ready(self) -> bool:
        return self.pages > 0


@dataclass(frozen=True, slots=True)
class HearingView:
    """What a unit objected to was asked, and what it answered."""

    id: HearingId
    unit: ConcernedUnit
    question: str
    asked_at: datetime
    due_at: datetime
    answer: str | None
    answered_at: datetime | None
    files: tuple[CaseFile, ...]

    @property
    def heard(self) -> Heard:
        return Heard(self.unit.unit_id, self.due_at, self.answered_at)


@dataclass(frozen=True, slots=True)
class StepView:
    """One line of the record. ``who`` is a masked number, None for the system and for the reporter."""

    at: datetime
    kind: StepKind
    who: str | None
    text: str | None
    details: Mapping[str, Any]

    @property
    def unverified(self) -> bool:
        """It came by mail under the reporter's address, which anybody can write."""
        return bool(self.details.get("unverified"))


@dataclass(frozen=True, slots=True)
class LookView:
    """One line of the access log (查看记录)."""

    at: datetime
    action: AuditAction
    who: str | None
    file: int | None
    page: int | None


@dataclass(frozen=True, slots=True)
class Reporter:
    """Who objects; prints as nothing."""

    unit_name: str | None = field(repr=False)
    name: str | None = field(repr=False)
    phone: str | None = field(repr=False)
    email: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case with all that its handlers see. ``objected_to`` is the number of the list it was lodged against, ``against`` the one in its place today."""

    id: ObjectionId
    number: str
    competition_id: int
    event_id: int
    state: CaseState
    revision: int
    channel: Channel
    objected_to: int | None
    against: ListInForce | None
    entries: tuple[CaseEntry, ...]
    lacking: tuple[Requirement, ...]
    clause: str | None
    received_at: datetime
    due_at: datetime | None
    assigned_to: str | None
    assigned_to_id: int | None
    decided_at: datetime | None
    decided_by: str | None
    decision: str | None
    summary: str | None
    new_list: int | None
    concerned: tuple[ConcernedUnit, ...]
    hearings: tuple[HearingView, ...]
    files: tuple[CaseFile, ...]
    steps: tuple[StepView, ...]
    unit_id: int | None = field(repr=False)
    reporter: Reporter = field(repr=False)
    text: str = field(repr=False)

    @property
    def unasked(self) -> tuple[ConcernedUnit, ...]:
        """Units objected to that nobody asked yet."""
        asked = {each.unit.unit_id for each in self.hearings}
        return tuple(each for each in self.concerned if each.unit_id not in asked)

    def overdue(self, now: datetime) -> bool:
        return self.decided_at is None and self.due_at is not None and now >= self.due_at


def case(objection_id: int) -> CaseView:
    row = db.session.get_one(Objection, objection_id)
    found = files_of(row.id)
    numbers = publications.numbers(row.event_id)
    new = numbers.get(row.superseding_id) if row.superseding_id else None
    return CaseView(
        id=ObjectionId(row.id),
        number=row.number,
        competition_id=row.competition_id,
        event_id=row.event_id,
        state=CaseState(row.state),
        revision=row.revision,
        channel=Channel(row.channel),
        objected_to=numbers.get(row.publication_id) if row.publication_id else None,
        against=lists.current(row.event_id, row.publication_id) if row.publication_id else None,
        entries=entries_of(row),
        lacking=tuple(Requirement(each) for each in row.lacking),
        clause=row.clause,
        received_at=row.received_at,
        due_at=row.due_at,
        assigned_to=people.shown_person(row.assigned_to_id),
        assigned_to_id=row.assigned_to_id,
        decided_at=row.decided_at,
        decided_by=people.shown_person(row.decided_by_id),
        decision=row.decision,
        summary=row.summary,
        new_list=new,
        concerned=people.concerned(row.id),
        hearings=hearings_of(row, found),
        files=tuple(each for each in found if each.hearing_id is None),
        steps=steps_of(row),
        unit_id=row.unit_id,
        reporter=Reporter(row.unit_name, row.reporter_name, row.reporter_phone, row.reporter_email),
        text=row.text,
    )


def entries_of(row: Objection) -> tuple[CaseEntry, ...]:
    links = db.session.execute(
        select(ObjectionEntry.entry_id, ObjectionEntry.outcome)
        .where(ObjectionEntry.objection_id == row.id)
        .order_by(ObjectionEntry.entry_id)
    ).all()
    named = registrations.named([link.entry_id for link in links])
    standing = lists.places(lists.in_force(row.event_id))
    return tuple(
        CaseEntry(
            entry_id=EntryId(link.entry_id),
            name=named[link.entry_id].name,
            players=named[link.entry_id].players,
            unit_name=named[link.entry_id].unit_name,
            stands=link.entry_id in standing,
            outcome=Outcome(link.outcome) if link.outcome else None,
        )
        for link in links
    )


def files_of(objection_id: int) -> tuple[CaseFile, ...]:
    rows = db.session.scalars(
        select(ObjectionFile).where(ObjectionFile.objection_id == objection_id).order_by(ObjectionFile.id)
    ).all()
    contents = uploads.contents([row.upload_id for row in rows])
    return tuple(
        CaseFile(
            row.id,
            FileRole(row.role),
            row.hearing_id,
            len(contents[row.upload_id].pages) if row.upload_id in contents else 0,
            contents[row.upload_id].media_type if row.upload_id in contents else None,
        )
        for row in rows
    )


def hearings_of(row: Objection, files: tuple[CaseFile, ...]) -> tuple[HearingView, ...]:
    units = dict(people.asked_units(row.id))
    return tuple(
        HearingView(
            id=HearingId(hearing.id),
            unit=units[hearing.id],
            question=hearing.question,
            asked_at=hearing.asked_at,
            due_at=hearing.due_at,
            answer=hearing.answer,
            answered_at=hearing.answered_at,
            files=tuple(each for each in files if each.hearing_id == hearing.id),
        )
        for hearing in db.session.scalars(
            select(ObjectionHearing)
            .where(ObjectionHearing.objection_id == row.id)
            .order_by(ObjectionHearing.id)
        )
    )


def steps_of(row: Objection) -> tuple[StepView, ...]:
    """The record in order; the reporter and the other side are no colleagues, and have no number here."""
    outside = {StepKind.LODGED, StepKind.ADDED, StepKind.WITHDRAWN, StepKind.HEARING_ANSWERED}
    return tuple(
        StepView(
            at=step.at,
            kind=StepKind(step.kind),
            who=None if StepKind(step.kind) in outside else people.shown_person(step.user_id),
            text=step.text,
            details=step.details or {},
        )
        for step in db.session.scalars(
            select(ObjectionStep).where(ObjectionStep.objection_id == row.id).order_by(ObjectionStep.id)
        )
    )


def access_log(objection_id: int) -> tuple[LookView, ...]:
    """Who of the committee read the case or looked at its files, the newest first. Others looked at their own files."""
    row = db.session.get_one(Objection, objection_id)
    members = set(people.committee(row.competition_id))
    entries = audit.of_subject(
        "Objection", objection_id, (AuditAction.OBJECTION_READ, AuditAction.OBJECTION_FILE_READ)
    )
    return tuple(
        LookView(
            entry.at,
            AuditAction(entry.action),
            people.shown_person(entry.user_id),
            entry.details.get("file"),
            entry.details.get("page"),
        )
        for entry in reversed(entries)
        if entry.user_id in members
    )

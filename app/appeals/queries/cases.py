"""One appeal as whoever hears it reads it. Asks no permission: ``service.read`` does, and writes it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.appeals.models import Appeal, AppealFile, AppealStep
from app.appeals.queries import ledger, people, rounds
from app.appeals.queries.ledger import FeeLine
from app.appeals.rules.clocks import Clocks, Terms, terms_of
from app.appeals.rules.ledger import totals
from app.appeals.rules.states import (
    OPEN,
    AppealId,
    AppealState,
    FeeKind,
    Paper,
    StepKind,
    Subject,
)
from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.competitions import queries as competitions
from app.draws.models import Round, Table
from app.draws.rules import round_name
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId
from app.rulings.models import Ruling
from app.text import T
from app.uploads import queries as uploads


@dataclass(frozen=True, slots=True)
class AppealPaper:
    """A file of an appeal with its pages; ``ready``: it was checked and can be looked at."""

    id: int
    role: Paper
    pages: int

    @property
    def ready(self) -> bool:
        return self.pages > 0


@dataclass(frozen=True, slots=True)
class AppealStepView:
    """One line of the record. ``who`` is a masked number, None for the system and for who appeals."""

    at: datetime
    kind: StepKind
    who: str | None
    text: str | None = field(repr=False)
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AppealLook:
    """One line of the access log (查看记录)."""

    at: datetime
    who: str | None
    file: int | None
    page: int | None


@dataclass(frozen=True, slots=True)
class StandingRuling:
    """A ruling of the table or of who appeals, in that round; ``withdrawn``: it no longer counts."""

    id: int
    name: str
    rule: str | None
    clause: str
    reason: str
    made_at: datetime
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """What every reader of an appeal may know of it: number, state, round, table, dates. No text."""

    id: AppealId
    number: str
    competition_id: int
    event_id: int
    state: AppealState
    revision: int
    subject: Subject
    round_id: int
    stage: str
    round_number: int
    table_id: int | None
    table: int | None
    entry: EntrantView
    terms: Terms
    clocks: Clocks
    oral_at: datetime | None
    oral_claimed_at: datetime | None
    written_at: datetime | None
    hearing_at: datetime | None
    hearing_place: str | None
    decided_at: datetime | None
    clause: str | None
    received: int
    held: int
    fee_kept: bool
    due: FeeKind | None

    @property
    def open(self) -> bool:
        return self.state in OPEN

    @property
    def round_name(self) -> T:
        return round_name(self.stage, self.round_number)

    def late(self, now: datetime) -> bool:
        """Said, and no written one came in time: it lapses."""
        return self.state is AppealState.ORAL and not self.clocks.written_open(now)


@dataclass(frozen=True, slots=True)
class CaseView:
    """An appeal with all that the committee sees."""

    head: Heading
    others: tuple[EntrantView, ...]
    ruling_id: int | None
    rulings: tuple[StandingRuling, ...]
    papers: tuple[AppealPaper, ...]
    steps: tuple[AppealStepView, ...]
    fees: tuple[FeeLine, ...]
    decided_by: str | None
    summary: str | None
    outcome: Mapping[str, Any]
    text: str | None = field(repr=False)
    minutes: str | None = field(repr=False)
    decision: str | None = field(repr=False)


def case(appeal_id: int) -> CaseView:
    row = db.session.get_one(Appeal, appeal_id)
    named = registrations.named(people.concerned(row))
    return CaseView(
        head=heading(row),
        others=tuple(named[EntryId(each)] for each in people.concerned(row) if each != row.entry_id),
        ruling_id=row.ruling_id,
        rulings=rulings_of(row),
        papers=papers_of(row.id),
        steps=steps_of(row.id),
        fees=ledger.of_appeal(row.id),
        decided_by=people.shown_person(row.decided_by_id),
        summary=row.summary,
        outcome=row.outcome or {},
        text=row.text,
        minutes=row.minutes,
        decision=row.decision,
    )


def heading(row: Appeal) -> Heading:
    drawn = db.session.get_one(Round, row.round_id)
    terms = terms_of(competitions.event(row.event_id).regulation)
    found = totals(ledger.entries(row.id))
    return Heading(
        id=AppealId(row.id),
        number=row.number,
        competition_id=row.competition_id,
        event_id=row.event_id,
        state=AppealState(row.state),
        revision=row.revision,
        subject=Subject(row.subject),
        round_id=row.round_id,
        stage=drawn.stage,
        round_number=abs(drawn.number),
        table_id=row.table_id,
        table=db.session.scalar(select(Table.number).where(Table.id == row.table_id))
        if row.table_id is not None
        else None,
        entry=registrations.named([row.entry_id])[EntryId(row.entry_id)],
        terms=terms,
        clocks=rounds.clocks_of(terms, row.round_id),
        oral_at=row.oral_at,
        oral_claimed_at=_claimed(row.id),
        written_at=row.written_at,
        hearing_at=row.hearing_at,
        hearing_place=row.hearing_place,
        decided_at=row.decided_at,
        clause=row.clause,
        received=found.received,
        held=found.held,
        fee_kept=found.kept > 0,
        due=ledger.due_kind(row) if found.held > 0 else None,
    )


def by_number(competition_id: int, number: str) -> Heading | None:
    row = db.session.scalar(
        select(Appeal).where(Appeal.number == number, Appeal.competition_id == competition_id)
    )
    return heading(row) if row is not None else None


def rulings_of(row: Appeal) -> tuple[StandingRuling, ...]:
    """The rulings of that round about who appeals, or at his table."""
    found = db.session.scalars(
        select(Ruling)
        .where(
            Ruling.round_id == row.round_id,
            (Ruling.entry_id == row.entry_id) | (Ruling.table_id == row.table_id),
        )
        .order_by(Ruling.id)
    ).all()
    return _rulings(found)


def rulings_at(round_id: int, entry_ids: tuple[int, ...]) -> tuple[StandingRuling, ...]:
    """The rulings of a round about these entries that stand."""
    found = db.session.scalars(
        select(Ruling)
        .where(Ruling.round_id == round_id, Ruling.entry_id.in_(entry_ids), Ruling.withdrawn_at.is_(None))
        .order_by(Ruling.id)
    ).all()
    return _rulings(found)


def _rulings(found: Any) -> tuple[StandingRuling, ...]:
    named = registrations.named([each.entry_id for each in found])
    return tuple(
        StandingRuling(
            each.id,
            named[EntryId(each.entry_id)].name,
            each.rule,
            each.clause,
            each.reason,
            each.made_at,
            each.withdrawn_at is not None,
        )
        for each in found
    )


def papers_of(appeal_id: int) -> tuple[AppealPaper, ...]:
    rows = db.session.scalars(
        select(AppealFile).where(AppealFile.appeal_id == appeal_id).order_by(AppealFile.id)
    ).all()
    contents = uploads.contents([row.upload_id for row in rows])
    return tuple(
        AppealPaper(
            row.id, Paper(row.role), len(contents[row.upload_id].pages) if row.upload_id in contents else 0
        )
        for row in rows
    )


def steps_of(appeal_id: int) -> tuple[AppealStepView, ...]:
    """The record in order; who appeals is no colleague, and has no number here."""
    outside = {StepKind.WRITTEN, StepKind.ADDED, StepKind.WITHDRAWN}
    return tuple(
        AppealStepView(
            at=step.at,
            kind=StepKind(step.kind),
            who=None if StepKind(step.kind) in outside else people.shown_person(step.user_id),
            text=step.text,
            details=step.details or {},
        )
        for step in db.session.scalars(
            select(AppealStep).where(AppealStep.appeal_id == appeal_id).order_by(AppealStep.id)
        )
    )


def access_log(appeal_id: int) -> tuple[AppealLook, ...]:
    """Who of the committee read the appeal or looked at its files, the newest first."""
    row = db.session.get_one(Appeal, appeal_id)
    members = set(people.committee(row.competition_id))
    entries = audit.of_subject("Appeal", appeal_id, (AuditAction.APPEAL_READ, AuditAction.APPEAL_FILE_READ))
    return tuple(
        AppealLook(
            entry.at, people.shown_person(entry.user_id), entry.details.get("file"), entry.details.get("page")
        )
        for entry in reversed(entries)
        if entry.user_id in members
    )


def _claimed(appeal_id: int) -> datetime | None:
    """When the oral appeal was made, by who appeals, where no clerk has confirmed it."""
    step = db.session.scalars(
        select(AppealStep).where(AppealStep.appeal_id == appeal_id, AppealStep.kind == StepKind.WRITTEN.value)
    ).first()
    claimed = (step.details or {}).get("oral_claimed_at") if step is not None else None
    return datetime.fromisoformat(claimed) if claimed else None

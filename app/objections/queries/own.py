"""What the two sides read of a case: its receipt, and the question to a unit. Neither holds who objected."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select

from app.extensions import db
from app.objections.models import Objection, ObjectionHearing, ObjectionStep
from app.objections.queries import lists, people
from app.objections.queries.cases import CaseFile, files_of, hearings_of
from app.objections.queries.lists import ListInForce
from app.objections.rules.refusals import UnknownHearingError, UnknownObjectionError
from app.objections.rules.states import (
    OPEN,
    CaseState,
    HearingId,
    Requirement,
    StepKind,
)
from app.publications import queries as publications
from app.registrations import queries as registrations
from app.registrations.models import Unit
from app.registrations.rules.entries import MAX_ID

SHOWN = (
    StepKind.LODGED,
    StepKind.ADDED,
    StepKind.ASKED_TO_COMPLETE,
    StepKind.ACCEPTED,
    StepKind.REFUSED,
    StepKind.EXPIRED,
    StepKind.HEARING_ASKED,
    StepKind.UPHELD,
    StepKind.DISMISSED,
    StepKind.WITHDRAWN,
    StepKind.PURGED,
)
"""Steps that a receipt shows; who of the committee recused himself is not among them."""


@dataclass(frozen=True, slots=True)
class ReceiptStep:
    """A line of a receipt; ``text`` is what the committee wrote to the reporter. ``unverified`` as in ``StepView``."""

    at: datetime
    kind: StepKind
    text: str | None
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """A case as its receipt shows it. ``objected_to`` and ``against`` as in ``CaseView``. ``own``: the reader lodged it, and sees what was written and sent, too."""

    number: str
    token: str
    state: CaseState
    lacking: tuple[Requirement, ...]
    clause: str | None
    received_at: datetime
    due_at: datetime | None
    objected_to: int | None
    against: ListInForce | None
    names: tuple[str, ...]
    steps: tuple[ReceiptStep, ...]
    decision: str | None
    decided_at: datetime | None
    new_list: int | None
    own: bool
    text: str | None = field(repr=False)
    files: tuple[CaseFile, ...]

    @property
    def open(self) -> bool:
        return self.state in OPEN

    def may_complete(self, now: datetime) -> bool:
        """Whether something may still be added: what is lacking within the window, more evidence while it is handled."""
        if not self.own or not self.open:
            return False
        return self.state is not CaseState.INCOMPLETE or (
            self.against is not None and not self.against.final and now < self.against.view.ends_at
        )


@dataclass(frozen=True, slots=True)
class HearingPage:
    """What a unit objected to is asked. It has no way to who asks why."""

    id: HearingId
    number: str
    state: CaseState
    question: str
    asked_at: datetime
    due_at: datetime
    answer: str | None
    answered_at: datetime | None
    names: tuple[str, ...]
    files: tuple[CaseFile, ...]
    decision: str | None
    new_list: int | None

    @property
    def open(self) -> bool:
        """Whether an answer is taken, also after the date."""
        return self.answered_at is None and self.state is CaseState.ACCEPTED


def receipt(competition_id: int, token: str, user_id: int | None) -> ReceiptView:
    """The receipt behind a token, which only a letter or a page of the reporter's names. Raises ``UnknownObjectionError``."""
    row = db.session.scalar(
        select(Objection).where(Objection.token == token, Objection.competition_id == competition_id)
    )
    if row is None:
        raise UnknownObjectionError
    return _receipt(row, user_id)


def mine(competition_id: int, user_id: int) -> tuple[ReceiptView, ...]:
    """What this person lodged here, the newest first."""
    rows = db.session.scalars(
        select(Objection)
        .where(Objection.competition_id == competition_id, Objection.user_id == user_id)
        .order_by(Objection.id.desc())
    )
    return tuple(_receipt(row, user_id) for row in rows)


def token_of(objection_id: int) -> str:
    return db.session.get_one(Objection, objection_id).token


def hearing(competition_id: int, hearing_id: int, user_id: int) -> HearingPage:
    """The question to the unit that this person leads. Raises ``UnknownHearingError`` for everybody else."""
    row = db.session.get(ObjectionHearing, min(hearing_id, MAX_ID))
    if row is None:
        raise UnknownHearingError
    unit = db.session.get_one(Unit, row.unit_id)
    if unit.leader_user_id != user_id or unit.competition_id != competition_id:
        raise UnknownHearingError
    return _hearing(row)


def my_hearings(competition_id: int, user_id: int) -> tuple[HearingPage, ...]:
    """What the units of this person were asked, the newest first."""
    rows = db.session.scalars(
        select(ObjectionHearing)
        .join(Unit, Unit.id == ObjectionHearing.unit_id)
        .where(Unit.competition_id == competition_id, Unit.leader_user_id == user_id)
        .order_by(ObjectionHearing.id.desc())
    )
    return tuple(_hearing(row) for row in rows)


def _receipt(row: Objection, user_id: int | None) -> ReceiptView:
    own = user_id is not None and people.is_lodger(user_id, row)
    numbers = publications.numbers(row.event_id)
    steps = db.session.scalars(
        select(ObjectionStep).where(ObjectionStep.objection_id == row.id).order_by(ObjectionStep.id)
    )
    told = (StepKind.ASKED_TO_COMPLETE, StepKind.REFUSED, *((StepKind.ADDED,) if own else ()))
    return ReceiptView(
        number=row.number,
        token=row.token,
        state=CaseState(row.state),
        lacking=tuple(Requirement(each) for each in row.lacking),
        clause=row.clause,
        received_at=row.received_at,
        due_at=row.due_at,
        objected_to=numbers.get(row.publication_id) if row.publication_id else None,
        against=lists.current(row.event_id, row.publication_id) if row.publication_id else None,
        names=tuple(each.name for each in registrations.named(people.entry_ids_of(row.id)).values()),
        steps=tuple(
            ReceiptStep(
                step.at,
                StepKind(step.kind),
                step.text if StepKind(step.kind) in told else None,
                own and bool((step.details or {}).get("unverified")),
            )
            for step in steps
            if StepKind(step.kind) in SHOWN
        ),
        decision=row.decision,
        decided_at=row.decided_at,
        new_list=numbers.get(row.superseding_id) if row.superseding_id else None,
        own=own,
        text=row.text if own else None,
        files=tuple(each for each in files_of(row.id) if each.hearing_id is None)
        if own and row.user_id is not None
        else (),
    )


def _hearing(row: ObjectionHearing) -> HearingPage:
    objection = db.session.get_one(Objection, row.objection_id)
    found = next(each for each in hearings_of(objection, files_of(objection.id)) if each.id == row.id)
    units = people.units_of_entries(people.entry_ids_of(objection.id))
    own = [entry for entry, unit in units.items() if unit.unit_id == row.unit_id]
    numbers = publications.numbers(objection.event_id)
    return HearingPage(
        id=found.id,
        number=objection.number,
        state=CaseState(objection.state),
        question=found.question,
        asked_at=found.asked_at,
        due_at=found.due_at,
        answer=found.answer,
        answered_at=found.answered_at,
        names=tuple(each.name for each in registrations.named(own).values()),
        files=found.files,
        decision=objection.decision,
        new_list=numbers.get(objection.superseding_id) if objection.superseding_id else None,
    )

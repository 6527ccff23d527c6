"""What who appeals reads of his appeal: its receipt, by a random address; and what the public reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select

from app.appeals.models import Appeal
from app.appeals.queries import ledger, people
from app.appeals.queries.cases import AppealPaper, Heading, heading, papers_of, steps_of
from app.appeals.queries.ledger import FeeLine
from app.appeals.rules.refusals import UnknownAppealError
from app.appeals.rules.states import DECIDED, AppealState, StepKind
from app.extensions import db

TOLD = (StepKind.REFUSED, StepKind.ORAL_LOGGED, StepKind.ADDED, StepKind.WITHDRAWN)
"""Steps whose text who appeals reads; that somebody of the committee recused himself is not shown at all."""


@dataclass(frozen=True, slots=True)
class AppealReceiptStep:
    at: datetime
    kind: StepKind
    text: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class AppealReceipt:
    """An appeal as its receipt shows it. ``own``: the reader may act for who appeals, and sees what was written and sent."""

    head: Heading
    token: str
    own: bool
    with_account: bool
    steps: tuple[AppealReceiptStep, ...]
    papers: tuple[AppealPaper, ...]
    fees: tuple[FeeLine, ...]
    summary: str | None
    text: str | None = field(repr=False)
    decision: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class PublicAppeal:
    """A decided appeal as the public reads it: no names, no texts but the summary."""

    number: str
    upheld: bool
    decided_at: datetime
    summary: str


def receipt(competition_id: int, token: str, user_id: int | None) -> AppealReceipt:
    """Raises ``UnknownAppealError``."""
    row = db.session.scalar(
        select(Appeal).where(Appeal.token == token, Appeal.competition_id == competition_id)
    )
    if row is None:
        raise UnknownAppealError
    return _receipt(row, user_id)


def mine(competition_id: int, event_id: int, user_id: int) -> tuple[AppealReceipt, ...]:
    """The appeals of entries that this person leads, and those he lodged, the newest first."""
    led = people.led_entries(user_id, event_id)
    rows = db.session.scalars(
        select(Appeal)
        .where(
            Appeal.competition_id == competition_id,
            (Appeal.user_id == user_id) | Appeal.entry_id.in_(led),
        )
        .order_by(Appeal.id.desc())
    )
    return tuple(_receipt(row, user_id) for row in rows)


def of_entry(entry_id: int) -> tuple[AppealReceipt, ...]:
    """The appeals of the holder of a card, the newest first."""
    rows = db.session.scalars(select(Appeal).where(Appeal.entry_id == entry_id).order_by(Appeal.id.desc()))
    return tuple(_receipt(row, None) for row in rows)


def token_of(appeal_id: int) -> str:
    return db.session.get_one(Appeal, appeal_id).token


def outcomes(event_id: int) -> tuple[PublicAppeal, ...]:
    """The decided appeals of an event, the newest first."""
    rows = db.session.scalars(
        select(Appeal)
        .where(Appeal.event_id == event_id, Appeal.state.in_([each.value for each in DECIDED]))
        .order_by(Appeal.decided_at.desc(), Appeal.id.desc())
    )
    return tuple(
        PublicAppeal(row.number, row.state == AppealState.UPHELD, row.decided_at, row.summary or "")
        for row in rows
        if row.decided_at is not None
    )


def _receipt(row: Appeal, user_id: int | None) -> AppealReceipt:
    own = row.user_id is None or people.is_appellant(user_id, row)
    return AppealReceipt(
        head=heading(row),
        token=row.token,
        own=own,
        with_account=people.is_appellant(user_id, row),
        steps=tuple(
            AppealReceiptStep(step.at, step.kind, step.text if own and step.kind in TOLD else None)
            for step in steps_of(row.id)
            if step.kind is not StepKind.RECUSED
        ),
        papers=papers_of(row.id) if own else (),
        fees=ledger.of_appeal(row.id) if own else (),
        summary=row.summary,
        text=row.text if own else None,
        decision=row.decision if own else None,
    )

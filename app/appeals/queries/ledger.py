"""The ledger of appeal fees (申诉费台账) as its readers see it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select

from app.appeals.models import Appeal, FeeEntry
from app.appeals.queries import people
from app.appeals.rules.clocks import terms_of
from app.appeals.rules.ledger import Entry, Totals, settled_as, totals
from app.appeals.rules.refusals import NoAppealsError, UnknownAppealError
from app.appeals.rules.states import AppealId, AppealState, FeeKind, FeeWay
from app.competitions import queries as competitions
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.rules import EntryId


@dataclass(frozen=True, slots=True)
class FeeLine:
    """One entry of the ledger. ``reversed_by``: the number of the reversal that took it back; ``reverses``: of what it takes back."""

    id: int
    number: str
    appeal_id: AppealId
    appeal: str
    kind: FeeKind
    amount: int
    way: FeeWay
    at: datetime
    by: str | None
    reason: str | None
    reverses: str | None
    reversed_by: str | None
    reference: str | None = field(repr=False)

    @property
    def stands(self) -> bool:
        return self.kind is not FeeKind.REVERSAL and self.reversed_by is None


@dataclass(frozen=True, slots=True)
class LedgerView:
    """All entries of a competition in order, what they come to, and what is still to be paid back or kept, by case."""

    lines: tuple[FeeLine, ...]
    totals: Totals
    due: tuple[Due, ...]

    @property
    def due_back(self) -> int:
        """How much of what is held goes back, in fen."""
        return sum(each.amount for each in self.due if each.kind is FeeKind.REFUNDED)


@dataclass(frozen=True, slots=True)
class Due:
    """A fee that is held though its appeal has ended."""

    appeal: str
    kind: FeeKind
    amount: int


def ledger(competition_id: int) -> LedgerView:
    rows = _rows(FeeEntry.competition_id == competition_id)
    return LedgerView(_lines(rows), totals(map(_entry, rows)), _due(competition_id, rows))


def of_appeal(appeal_id: int) -> tuple[FeeLine, ...]:
    return _lines(_rows(FeeEntry.appeal_id == appeal_id))


def entries(appeal_id: int) -> tuple[Entry, ...]:
    """The entries of one appeal, as rules judge them."""
    return tuple(_entry(row) for row in _rows(FeeEntry.appeal_id == appeal_id))


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """One receipt (收据) to print: of a fee that came in, or went back."""

    line: FeeLine
    payer: str
    unit_name: str


def receipt(competition_id: int, number: str) -> ReceiptView:
    """Raises ``UnknownAppealError`` where there is none of this number, or nothing moved."""
    row = db.session.scalar(
        select(FeeEntry).where(FeeEntry.number == number, FeeEntry.competition_id == competition_id)
    )
    if row is None or row.kind not in {FeeKind.RECEIVED.value, FeeKind.REFUNDED.value}:
        raise UnknownAppealError
    appeal = db.session.get_one(Appeal, row.appeal_id)
    entry = registrations.named([appeal.entry_id])[EntryId(appeal.entry_id)]
    (line,) = (each for each in of_appeal(appeal.id) if each.id == row.id)
    return ReceiptView(line, entry.name, entry.unit_name)


def _rows(*conditions: object) -> list[FeeEntry]:
    return list(db.session.scalars(select(FeeEntry).where(*conditions).order_by(FeeEntry.id)))  # type: ignore[arg-type]  # columns


def _entry(row: FeeEntry) -> Entry:
    return Entry(row.id, row.appeal_id, FeeKind(row.kind), row.amount, row.reverses_id)


def _lines(rows: Collection[FeeEntry]) -> tuple[FeeLine, ...]:
    numbers = {row.id: row.number for row in rows}
    taken_back = {row.reverses_id: row.number for row in rows if row.reverses_id is not None}
    appeals = _numbers({row.appeal_id for row in rows})
    return tuple(
        FeeLine(
            id=row.id,
            number=row.number,
            appeal_id=AppealId(row.appeal_id),
            appeal=appeals[row.appeal_id],
            kind=FeeKind(row.kind),
            amount=row.amount,
            way=FeeWay(row.way),
            at=row.at,
            by=people.shown_person(row.by_id),
            reason=row.reason,
            reverses=numbers.get(row.reverses_id) if row.reverses_id is not None else None,
            reversed_by=taken_back.get(row.id),
            reference=row.reference,
        )
        for row in rows
    )


def _numbers(appeal_ids: Collection[int]) -> Mapping[int, str]:
    rows = db.session.execute(select(Appeal.id, Appeal.number).where(Appeal.id.in_(appeal_ids)))
    return {row.id: row.number for row in rows}


def _due(competition_id: int, rows: Collection[FeeEntry]) -> tuple[Due, ...]:
    held = {row.appeal_id for row in rows}
    found = []
    for appeal in db.session.scalars(
        select(Appeal).where(Appeal.competition_id == competition_id, Appeal.id.in_(held)).order_by(Appeal.id)
    ):
        amount = totals(_entry(row) for row in rows if row.appeal_id == appeal.id).held
        kind = due_kind(appeal)
        if amount > 0 and kind is not None:
            found.append(Due(appeal.number, kind, amount))
    return tuple(found)


def due_kind(row: Appeal) -> FeeKind | None:
    """What becomes of the fee of this appeal by the regulation in force; None while it is open."""
    try:
        terms = terms_of(competitions.event(row.event_id).regulation)
    except NoAppealsError:
        return FeeKind.REFUNDED  # a version without appeals came into force since
    return settled_as(AppealState(row.state), terms)

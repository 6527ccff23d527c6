from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import ColumnElement, select

from app.actors import Role
from app.draws import queries as draws
from app.draws.models import Round, Table, VoidRound
from app.draws.rules import entrant_of, entry_of, round_name
from app.extensions import db
from app.objections.queries.put_out import put_out
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId
from app.results import queries as results
from app.results.queries import SheetView
from app.rulings.models import Ruling
from app.rulings.rules import EXPULSION, FORFEIT, LATE, RulingKind, UnknownRulingError, Wanted
from app.rulings.rules.contents import penalty_json
from app.standings.rules.given import PutOut
from app.text import T
from scoring_engine.documents import exact_number
from scoring_engine.values import EntrantId

_CODES = {RulingKind.LATENESS: LATE, RulingKind.FORFEIT: FORFEIT, RulingKind.EXPULSION: EXPULSION}


@dataclass(frozen=True, slots=True)
class RulingView:
    """One ruling as it was made. ``table_number`` is None where the entrant had no table; ``void``: its round was taken back.

    ``on_sheet``: it was written on the score sheet, else it is an adjustment of its own.
    """

    id: int
    event_id: int
    round_id: int
    stage: str
    round_number: int
    void: bool
    table_id: int | None
    table_number: int | None
    token: str | None
    person: EntrantView
    kind: RulingKind
    clause: str
    wanted: Wanted
    reason: str
    made_as: Role
    made_by_id: int | None
    made_at: datetime
    key: str
    on_sheet: bool
    withdrawn_at: datetime | None
    withdrawn_reason: str | None

    @property
    def entrant(self) -> EntrantId:
        return entrant_of(self.person.entry_id)

    @property
    def stands(self) -> bool:
        """Whether it is neither withdrawn nor fallen with its round."""
        return self.withdrawn_at is None and not self.void

    @property
    def adjustment_id(self) -> str:
        """Its id among the adjustments of the event file."""
        return adjustment_id(self.id)

    @property
    def place(self) -> T:
        """The round, and the table, in words."""
        told = round_name(self.stage, self.round_number)
        if self.table_number is None:
            return told
        return T("%(round)s %(table)s 号桌", round=told, table=self.table_number)

    @property
    def adjustment(self) -> dict[str, Any]:
        """The ruling as the event file has it among its adjustments."""
        said = penalty_json(self.wanted, self.entrant)
        return {
            "id": self.adjustment_id,
            "rule": said.pop("rule"),
            "entrant": said.pop("entrant"),
            "stage": self.stage,
            "round": self.round_number,
            **said,
        }


def adjustment_id(ruling_id: int) -> str:
    return f"ruling-{ruling_id}"


def rulings(event_id: int) -> tuple[RulingView, ...]:
    """Every ruling of an event, the newest first; withdrawn ones and those of void rounds too."""
    return tuple(reversed(_rulings(Ruling.event_id == event_id)))


def ruling(event_id: int, ruling_id: int) -> RulingView:
    """Raises ``UnknownRulingError``."""
    found = _rulings(Ruling.event_id == event_id, Ruling.id == ruling_id)
    if not found:
        raise UnknownRulingError
    return found[0]


def of_table(table_id: int) -> tuple[RulingView, ...]:
    """The rulings of one table, in the order they were given."""
    return _rulings(Ruling.table_id == table_id)


def given(event_id: int, version: int | None = None) -> Sequence[dict[str, Any]]:
    """The rulings in force as adjustments of the event file, but those that stand on sheets, in the order they were given; with
    ``version`` those that were in force at that results version."""
    then: ColumnElement[bool] = Ruling.withdrawn_at.is_(None)
    if version is not None:
        then = (Ruling.given_version <= version) & (
            Ruling.lifted_version.is_(None) | (Ruling.lifted_version > version)
        )
    found = _rulings(
        Ruling.event_id == event_id,
        Ruling.kind == RulingKind.PENALTY.value,
        Ruling.on_sheet.is_(False),
        then,
    )
    return [each.adjustment for each in found if not each.void]


def expelled(event_id: int) -> dict[EntrantId, RulingView]:
    """Who was expelled (取消参赛资格) and still is."""
    found = _rulings(
        Ruling.event_id == event_id,
        Ruling.withdrawn_at.is_(None),
        Ruling.kind == RulingKind.EXPULSION.value,
    )
    return {each.entrant: each for each in found}


def given_with_key(event_id: int, key: str) -> int | None:
    """The ruling that this very request has made already."""
    return db.session.scalar(
        select(Ruling.id).where(Ruling.event_id == event_id, Ruling.idempotency_key == key)
    )


def unseated(event_id: int) -> tuple[EntrantView, ...]:
    """Who was drawn, has no seat in the newest round, and was not expelled: for a ruling at no table, by name."""
    rounds = draws.rounds(event_id)
    if not rounds:
        return ()
    seated = {seat.entry_id for table in rounds[-1].tables for seat in table.seats}
    out = {entry_of(each) for each in expelled(event_id)}
    found = {each.entry_id: each for drawn in rounds for _, each in drawn.people}
    free = (each for entry_id, each in found.items() if entry_id not in seated | out)
    return tuple(sorted(free, key=lambda each: (each.name, each.entry_id)))


def expulsions(event_id: int) -> Sequence[PutOut]:
    """Every expulsion by a ruling, with the moments it was given and withdrawn – that of a void round stands –, and by a decision on an
    objection."""
    found = _rulings(Ruling.event_id == event_id, Ruling.kind == RulingKind.EXPULSION.value)
    ruled = [PutOut(each.entrant, each.made_at, each.withdrawn_at) for each in found]
    return [*ruled, *(PutOut(entrant_of(entry_id), at, None) for entry_id, at in put_out(event_id))]


def _rulings(*conditions: ColumnElement[bool]) -> tuple[RulingView, ...]:
    rows = db.session.execute(
        select(Ruling, Round.stage, Round.number, VoidRound.number, Table.number, Table.token)
        .join(Round, Round.id == Ruling.round_id)
        .outerjoin(VoidRound, VoidRound.round_id == Round.id)
        .outerjoin(Table, Table.id == Ruling.table_id)
        .where(*conditions)
        .order_by(Ruling.id)
    ).all()
    people = registrations.named(row[0].entry_id for row in rows)
    return tuple(_view(row, people[EntryId(row[0].entry_id)]) for row in rows)


def _view(found: Any, person: EntrantView) -> RulingView:
    row: Ruling
    row, stage, number, void, table, token = found
    kind = RulingKind(row.kind)
    return RulingView(
        id=row.id,
        event_id=row.event_id,
        round_id=row.round_id,
        stage=stage,
        round_number=number if void is None else void,
        void=void is not None,
        table_id=row.table_id,
        table_number=table,
        token=token,
        person=person,
        kind=kind,
        clause=row.clause,
        wanted=Wanted(
            code=_CODES.get(kind, row.rule or ""),
            rule=row.rule if kind is RulingKind.EXPULSION else None,
            deal=row.deal,
            count=row.count or 1,
            points=row.points,
            outcome=row.outcome,
            insisted=row.insisted,
            minutes=_minutes(row.minutes),
        ),
        reason=row.reason,
        made_as=Role(row.made_as),
        made_by_id=row.made_by_id,
        made_at=row.made_at,
        key=row.idempotency_key,
        on_sheet=row.on_sheet,
        withdrawn_at=row.withdrawn_at,
        withdrawn_reason=row.withdrawn_reason,
    )


def _minutes(written: str | None) -> Fraction | None:
    return None if written is None else exact_number(written)


def sheet_of(given: RulingView) -> SheetView | None:
    """The sheet of the table a ruling is about; None where it has none, or its round was taken back."""
    return None if given.token is None or given.void else results.sheet(given.token)

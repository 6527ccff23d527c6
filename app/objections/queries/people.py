"""Who leads which unit, who is on the committee, whose entries they are: facts that rules judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from app.accounts import queries as accounts
from app.actors import Role
from app.extensions import db
from app.mailbox.models import IncomingMessage
from app.objections.models import Objection, ObjectionEntry, ObjectionHearing, ObjectionRecusal
from app.objections.rules.handling import Standing, free_handlers
from app.objections.rules.lodging import Lodger
from app.objections.rules.secrecy import Identity
from app.objections.rules.states import CaseState, Requirement
from app.registrations.models import Entry, Registration, Unit
from app.registrations.rules import RegistrationState


@dataclass(frozen=True, slots=True)
class ConcernedUnit:
    """A unit whose entry is objected to, and who leads it."""

    unit_id: int
    name: str
    leader_user_id: int


def lodger_of(user_id: int, competition_id: int, event_id: int) -> Lodger:
    """The account with the unit it leads here; it takes part once its registration was handed in."""
    row = db.session.execute(
        select(Unit.id, Unit.name, Registration.state)
        .join(Registration, (Registration.unit_id == Unit.id) & (Registration.event_id == event_id))
        .where(Unit.competition_id == competition_id, Unit.leader_user_id == user_id)
    ).one_or_none()
    if row is None:
        return Lodger(user_id, None, None, takes_part=False)
    return Lodger(user_id, row.id, row.name, takes_part=row.state == RegistrationState.SUBMITTED.value)


def led_by(user_id: int) -> frozenset[int]:
    """The competitions in which this person leads a unit."""
    return frozenset(db.session.scalars(select(Unit.competition_id).where(Unit.leader_user_id == user_id)))


def contact_name(user_id: int, competition_id: int) -> str:
    """The contact of the unit that this person leads, to begin the form with."""
    found = db.session.scalar(
        select(Unit.contact_name).where(Unit.competition_id == competition_id, Unit.leader_user_id == user_id)
    )
    return found or ""


def units_of_entries(entry_ids: Iterable[int]) -> Mapping[int, ConcernedUnit]:
    """Whose each entry is, by entry."""
    rows = db.session.execute(
        select(Entry.id, Unit.id, Unit.name, Unit.leader_user_id)
        .join(Unit, Unit.id == Entry.unit_id)
        .where(Entry.id.in_(tuple(entry_ids)))
    )
    return {row[0]: ConcernedUnit(row[1], row[2], row[3]) for row in rows}


def entry_ids_of(objection_id: int) -> tuple[int, ...]:
    return tuple(
        db.session.scalars(
            select(ObjectionEntry.entry_id)
            .where(ObjectionEntry.objection_id == objection_id)
            .order_by(ObjectionEntry.entry_id)
        )
    )


def concerned(objection_id: int) -> tuple[ConcernedUnit, ...]:
    """The units objected to, each once."""
    units = units_of_entries(entry_ids_of(objection_id)).values()
    return tuple({each.unit_id: each for each in units}.values())


def standing_of(row: Objection) -> Standing:
    """The case as an act finds it."""
    leaders = {each.leader_user_id for each in concerned(row.id)}
    if row.unit_id is not None:
        leaders.add(db.session.get_one(Unit, row.unit_id).leader_user_id)
    recused = db.session.scalars(
        select(ObjectionRecusal.user_id).where(ObjectionRecusal.objection_id == row.id)
    )
    return Standing(
        state=CaseState(row.state),
        revision=row.revision,
        lacking=tuple(Requirement(each) for each in row.lacking),
        lodged_by=row.user_id,
        leaders=frozenset(leaders),
        recused=frozenset(recused),
    )


def identity_of(row: Objection) -> Identity:
    """What would say who objected: what was written, the unit as it is registered, its contact and its leader's addresses."""
    unit = db.session.get(Unit, row.unit_id) if row.unit_id is not None else None
    also: list[str | None] = [unit.name, unit.contact_name, unit.contact_phone] if unit else []
    for user_id in (row.user_id, unit.leader_user_id if unit else None):
        if user_id is not None:
            known = accounts.recipient(user_id)
            also += [known.email, known.phone]
    return Identity(
        row.reporter_name,
        row.unit_name,
        row.reporter_phone,
        row.reporter_email,
        tuple(each for each in also if each),
    )


def committee(competition_id: int) -> tuple[int, ...]:
    """Who is on the committee of this competition, by a role here or everywhere."""
    return accounts.holders(competition_id, Role.COMMITTEE)


def handlers(row: Objection) -> frozenset[int]:
    """Who on the committee may handle the case."""
    return free_handlers(committee(row.competition_id), standing_of(row))


def shown_person(user_id: int | None) -> str | None:
    """A colleague as the committee sees him: the masked number, the only name an account has."""
    found = accounts.session_user(user_id) if user_id is not None else None
    return found.phone_masked if found else None


def is_lodger(user_id: int, row: Objection) -> bool:
    """Whether this person lodged the case, or leads the unit in whose name a letter came."""
    if row.user_id is not None:
        return row.user_id == user_id
    if row.unit_id is None:
        return False
    return db.session.get_one(Unit, row.unit_id).leader_user_id == user_id


def asked_units(objection_id: int) -> tuple[tuple[int, ConcernedUnit], ...]:
    """The units that were asked for an answer, each with its hearing."""
    rows = db.session.execute(
        select(ObjectionHearing.id, Unit.id, Unit.name, Unit.leader_user_id)
        .join(Unit, Unit.id == ObjectionHearing.unit_id)
        .where(ObjectionHearing.objection_id == objection_id)
        .order_by(ObjectionHearing.id)
    )
    return tuple((row[0], ConcernedUnit(row[1], row[2], row[3])) for row in rows)


def letter_id(row: Objection) -> str | None:
    """The Message-ID of the letter that made the case, for the answer."""
    if row.incoming_id is None:
        return None
    return db.session.scalar(select(IncomingMessage.message_id).where(IncomingMessage.id == row.incoming_id))


def handlers_of(objection_id: int) -> frozenset[int]:
    """Who on the committee may handle this case."""
    return handlers(db.session.get_one(Objection, objection_id))

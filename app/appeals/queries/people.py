"""Who leads whom, who is on the arbitration committee, who judged at the table: facts that rules judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.accounts import queries as accounts
from app.actors import Role
from app.appeals.models import Appeal, AppealRecusal
from app.appeals.queries import rounds
from app.appeals.rules.handling import Standing, free_arbiters
from app.appeals.rules.states import AppealState
from app.extensions import db
from app.floor.models import TableReferee
from app.registrations import queries as registrations
from app.registrations.models import Entry, Unit
from app.results.models import Sheet, SheetRevision
from app.rulings.models import Ruling


@dataclass(frozen=True, slots=True)
class Side:
    """An entry with who leads it."""

    entry_id: int
    unit_id: int
    unit_name: str
    leader_user_id: int


def sides(entry_ids: Iterable[int]) -> Mapping[int, Side]:
    """Whose each entry is, by entry."""
    rows = db.session.execute(
        select(Entry.id, Unit.id, Unit.name, Unit.leader_user_id)
        .join(Unit, Unit.id == Entry.unit_id)
        .where(Entry.id.in_(tuple(entry_ids)))
    )
    return {row[0]: Side(row[0], row[1], row[2], row[3]) for row in rows}


def leads(user_id: int, entry_id: int) -> bool:
    """Whether this person leads the unit of the entry."""
    found = sides([entry_id]).get(entry_id)
    return found is not None and found.leader_user_id == user_id


def led_entries(user_id: int, event_id: int) -> tuple[int, ...]:
    """The entries of an event that this person leads, in their order."""
    return tuple(
        db.session.scalars(
            select(Entry.id)
            .join(Unit, Unit.id == Entry.unit_id)
            .where(Entry.event_id == event_id, Unit.leader_user_id == user_id)
            .order_by(Entry.id)
        )
    )


def committee(competition_id: int) -> tuple[int, ...]:
    """Who is on the arbitration committee (仲裁委员会), by a role here or everywhere."""
    return accounts.holders(competition_id, Role.ARBITRATION)


def concerned(row: Appeal) -> tuple[int, ...]:
    """The entries an appeal is about: who appeals, and the others at the table."""
    return tuple(dict.fromkeys((row.entry_id, *rounds.entries_at(row.table_id))))


def others(row: Appeal) -> tuple[Side, ...]:
    """The other side: the other entries at the table."""
    found = sides(each for each in concerned(row) if each != row.entry_id)
    return tuple(found[each] for each in sorted(found))


def standing_of(row: Appeal) -> Standing:
    """The appeal as an act finds it."""
    recused = db.session.scalars(select(AppealRecusal.user_id).where(AppealRecusal.appeal_id == row.id))
    return Standing(
        state=AppealState(row.state),
        revision=row.revision,
        lodged_by=row.user_id,
        leaders=frozenset(each.leader_user_id for each in sides(concerned(row)).values()),
        judges=_judges(row),
        recused=frozenset(recused),
    )


def _judges(row: Appeal) -> frozenset[int]:
    """Who made what is appealed against: the chief referee, the referees of the table, who kept its sheet, who ruled."""
    found: set[int | None] = set(accounts.holders(row.competition_id, Role.CHIEF_REFEREE))
    if row.table_id is not None:
        found |= set(
            db.session.scalars(select(TableReferee.user_id).where(TableReferee.table_id == row.table_id))
        )
        found |= set(
            db.session.scalars(
                select(SheetRevision.recorded_by_id)
                .join(Sheet, Sheet.id == SheetRevision.sheet_id)
                .where(Sheet.table_id == row.table_id, SheetRevision.recorded_at.not_in(_decisions(row)))
            )
        )
    if row.ruling_id is not None:
        found.add(db.session.scalar(select(Ruling.made_by_id).where(Ruling.id == row.ruling_id)))
    return frozenset(each for each in found if each is not None)


def _decisions(row: Appeal) -> tuple[datetime, ...]:
    """When earlier appeals about the table were upheld: what was written on its sheet in that instant, their committee wrote."""
    moments = db.session.scalars(
        select(Appeal.decided_at).where(
            Appeal.table_id == row.table_id, Appeal.state == AppealState.UPHELD.value
        )
    )
    return tuple(each for each in moments if each is not None)


def arbiters(row: Appeal) -> frozenset[int]:
    """Who on the arbitration committee may hear the case."""
    return free_arbiters(committee(row.competition_id), standing_of(row))


def names_of(row: Appeal) -> tuple[str, ...]:
    """The players and units concerned: none of them in a text for the public."""
    named = registrations.named(concerned(row)).values()
    return tuple(name for each in named for name in (*each.players, each.unit_name))


def shown_person(user_id: int | None) -> str | None:
    """A colleague as the staff sees him: the masked number, the only name an account has."""
    found = accounts.session_user(user_id) if user_id is not None else None
    return found.phone_masked if found else None


def is_appellant(user_id: int | None, row: Appeal) -> bool:
    """Whether this person lodged the appeal, or leads the unit of who appeals."""
    if user_id is None:
        return False
    return user_id == row.user_id or leads(user_id, row.entry_id)

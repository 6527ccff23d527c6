from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from app.extensions import db
from app.floor.models import PlayerKey
from app.floor.rules import UnknownPlayerKeyError
from app.publications import queries as publications
from app.registrations import queries as registrations
from app.registrations.models import Entry
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The player, or pair, that a key belongs to. ``number`` is the competition number (参赛号), None before it is given."""

    entry_id: int
    event_id: int
    name: str
    unit_name: str
    number: int | None


@dataclass(frozen=True, slots=True)
class CardView:
    """A card (选手卡) as it is printed: whoever holds it acts for the player."""

    entrant: EntrantView
    number: int | None
    token: str
    pin: str


def player_by_token(token: str) -> PlayerView:
    """Whose card this is. Raises ``UnknownPlayerKeyError``."""
    found = db.session.execute(
        select(PlayerKey.entry_id, Entry.event_id)
        .join(Entry, Entry.id == PlayerKey.entry_id)
        .where(PlayerKey.token == token)
    ).one_or_none()
    if found is None:
        raise UnknownPlayerKeyError
    entry_id, event_id = found
    person = next(iter(registrations.named([entry_id]).values()))
    number = publications.numbers_of(event_id).get(entry_id)
    return PlayerView(entry_id, event_id, person.name, person.unit_name, number)


def cards(event_id: int) -> tuple[CardView, ...]:
    """The cards of everybody who plays, unit by unit; whoever has no key yet is left out. For printing alone: it holds the PINs."""
    people = {each.entry_id: each for each in registrations.approved_entries(event_id)}
    numbers = publications.numbers_of(event_id)
    rows = db.session.scalars(select(PlayerKey).where(PlayerKey.entry_id.in_(people))).all()
    found = [
        CardView(people[EntryId(row.entry_id)], numbers.get(row.entry_id), row.token, row.pin) for row in rows
    ]
    return tuple(
        sorted(
            found,
            key=lambda each: (
                each.entrant.unit_name.encode("gb18030"),
                each.entrant.unit_id,
                each.number or 0,
                each.entrant.entry_id,
            ),
        )
    )


@dataclass(frozen=True, slots=True)
class KeyCount:
    """How many of those who play have a card."""

    made: int
    entrants: int


def key_count(event_id: int) -> KeyCount:
    people = tuple(each.entry_id for each in registrations.approved_entries(event_id))
    made = db.session.scalar(
        select(func.count()).select_from(PlayerKey).where(PlayerKey.entry_id.in_(people))
    )
    return KeyCount(made or 0, len(people))


def blocked_until(entry_id: int) -> datetime | None:
    """Until when nobody can try the PIN of an entry; None where it was never blocked."""
    return db.session.scalar(select(PlayerKey.blocked_until).where(PlayerKey.entry_id == entry_id))


def token_of_number(event_id: int, number: int) -> tuple[int, str] | None:
    """The entry with this competition number (参赛号) and the token of its key; None where there is no such number or key."""
    entry_id = entry_of_number(event_id, number)
    if entry_id is None:
        return None
    token = db.session.scalar(select(PlayerKey.token).where(PlayerKey.entry_id == entry_id))
    return None if token is None else (entry_id, token)


def entry_of_number(event_id: int, number: int) -> int | None:
    """The entry with this competition number (参赛号)."""
    found = (entry_id for entry_id, each in publications.numbers_of(event_id).items() if each == number)
    return next(found, None)


@dataclass(frozen=True, slots=True)
class CardUnit:
    """A unit whose cards are printed together."""

    unit_id: int
    name: str
    entrants: int
    made: int


def card_units(event_id: int) -> tuple[CardUnit, ...]:
    """The units that play, in the order in which cards are printed, with how many of theirs have a card."""
    people = registrations.approved_entries(event_id)
    held = set(
        db.session.scalars(
            select(PlayerKey.entry_id).where(PlayerKey.entry_id.in_([each.entry_id for each in people]))
        )
    )
    units: dict[int, list[EntrantView]] = {}
    for each in people:
        units.setdefault(each.unit_id, []).append(each)
    found = [
        CardUnit(unit_id, each[0].unit_name, len(each), sum(one.entry_id in held for one in each))
        for unit_id, each in units.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.name.encode("gb18030"), each.unit_id)))

"""Competitions of pairs at 升级 (拖拉机, 八十分): a reviewed field of pairs, drawn rounds, sheets of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import TableView
from app.extensions import db
from app.registrations.models import Entry, EntryMember, Member
from app.registrations.rules import EntryState
from app.regulations import library
from app.regulations.rules import Regulation
from app.results import queries as results
from app.results import service as results_service
from app.results.service import Saved
from app.text import BEIJING
from tests.factories import accounts, people, registrations
from tests.factories import competitions as competitions_factory
from tests.factories import results as results_factory
from tests.factories.publications import Travel

TRACTOR, EIGHTY = "baiyun-tractor-2016", "siming-eighty-2023"
ENTRIES: Mapping[str, tuple[datetime, datetime]] = {
    TRACTOR: (datetime(2016, 5, 3, 12, 0, tzinfo=BEIJING), datetime(2016, 5, 28, 9, 0, tzinfo=BEIJING)),
    EIGHTY: (datetime(2023, 10, 10, 12, 0, tzinfo=BEIJING), datetime(2023, 10, 29, 9, 0, tzinfo=BEIJING)),
}
"""While entries are open, and the day of play."""
SLUG = "duels"
PAIRS_A_UNIT = 2


def individual(regulation: str, play: date) -> Regulation:
    """The regulation with a day of play and entries of one member each, to which ``field`` adds the second."""
    document = library.load(regulation).document
    document["entry"] = {"shape": "single", "clause": document["entry"]["clause"]}
    document["calendar"].setdefault("play_from", {"at": play.isoformat(), "clause": "五"})
    return Regulation.from_document(document)


def field(
    travel: Travel, regulation: str = TRACTOR, pairs: int = 6, slug: str = SLUG, **options: Any
) -> None:
    """A reviewed field of pairs, two to a unit; the clock stands on the day of play."""
    entries, play = ENTRIES[regulation]
    travel(entries)
    by = accounts.user(registrations.ORGANISER, Role.ORGANISER)
    competitions_factory.competition(
        by, regulation=individual(regulation, play.date()), slug=slug, name="演练赛", options=options
    )
    for number, first in enumerate(range(0, pairs, PAIRS_A_UNIT), start=1):
        registrations.approved(number, min(PAIRS_A_UNIT, pairs - first), slug)
    _add_partners(slug)
    travel(play)


def _add_partners(slug: str) -> None:
    """Everybody's partner, of the same unit."""
    event = competitions.competition(slug).event
    rows = db.session.execute(
        select(Entry, Member)
        .join(EntryMember, EntryMember.entry_id == Entry.id)
        .join(Member, Member.id == EntryMember.member_id)
        .where(Entry.event_id == event.id, Entry.state == EntryState.APPROVED.value)
        .order_by(Entry.id)
    ).all()
    for entry, first in rows:
        serial = 50_000 + entry.id
        partner = Member(
            unit_id=entry.unit_id,
            name=people.person_name(serial),
            id_number=people.id_number(serial, date(1985, 6, 15)),
            person_hash=f"partner-{entry.id}",
            employment="",
            created_at=first.created_at,
        )
        db.session.add(partner)
        db.session.flush()
        db.session.add(
            EntryMember(
                entry_id=entry.id, member_id=partner.id, event_id=event.id, person_hash=partner.person_hash
            )
        )
    db.session.commit()


def seats(table: TableView) -> list[str]:
    return results_factory.seats(table)


def deal(banker: str, points: int, **more: Any) -> dict[str, Any]:
    return {"banker": banker, "points": points} | more


def recorded(
    table: TableView,
    slug: str = SLUG,
    *,
    handed_in: bool = False,
    deals: Sequence[Mapping[str, Any]] = (),
    **said: Any,
) -> Saved:
    """A whole sheet in one revision."""
    with command(results_factory.referee(slug)) as ctx:
        return results_service.record_sheet(
            ctx, table.token, deals=deals, outcome=said, handed_in=handed_in, sent=results_factory.sent(table)
        )


def confirmed(table: TableView, slug: str = SLUG, **said: Any) -> Saved:
    """A sheet handed in; the first side ahead at 9 to 7 where nothing is said."""
    if not said:
        one, other = seats(table)
        said = {"levels": {one: "9", other: "7"}, "bank": one}
    return recorded(table, slug, handed_in=True, **said)


def sheet(table: TableView) -> results.SheetView:
    return results.sheet(table.token)

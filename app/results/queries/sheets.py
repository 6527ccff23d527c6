"""One sheet: what it says, who said what of it, and who wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import select

from app.accounts import queries as accounts
from app.actors import Role
from app.draws import queries as draws
from app.draws.queries import TableView
from app.extensions import db
from app.floor import queries as floor
from app.floor.queries import RunView
from app.results.models import Sheet, SheetConfirmation, SheetRevision
from app.results.queries.views import (
    Holder,
    Recording,
    RevisionView,
    SheetView,
    Word,
)
from app.results.rules import RECORDERS, Content, DealRecord, SheetState, stage_rule
from app.results.rules.confirming import Said, Way


def sheet(token: str) -> SheetView:
    """The sheet of the table with this token. Raises ``draws.rules.UnknownTableError``."""
    return sheet_at(draws.table_by_token(token))


def sheet_at(table: TableView) -> SheetView:
    """The sheet of a table that was read in this command already: once a score is written, nobody sits down elsewhere."""
    row = db.session.scalar(select(Sheet).where(Sheet.table_id == table.id))
    return _sheet(table, floor.run(table.round_id), row)


def sheets_of(entry_id: int, event_id: int) -> tuple[SheetView, ...]:
    """The sheets of the tables where an entry sits, in the order drawn."""
    tables = [
        table for table in draws.tables(event_id) if any(seat.entry_id == entry_id for seat in table.seats)
    ]
    return tuple(sheet(table.token) for table in tables)


def revisions(token: str) -> tuple[RevisionView, ...]:
    """Every revision of a table's sheet, the oldest first."""
    table = draws.table_by_token(token)
    rows = db.session.scalars(
        select(SheetRevision)
        .join(Sheet, Sheet.id == SheetRevision.sheet_id)
        .where(Sheet.table_id == table.id)
        .order_by(SheetRevision.number)
    )
    return tuple(_revision(row) for row in rows)


def writers(view: SheetView) -> frozenset[int | None]:
    """Who wrote what now waits for a confirmation: whoever recorded or handed in since the revision that was confirmed last."""
    return frozenset(
        each.recorded_by_id
        for each in revisions(view.table.token)
        if each.number > (view.confirmed_revision or 0) and each.reason is None
    )


def blinded(view: SheetView, user_id: int | None) -> SheetView:
    """The sheet as this person may see it: without what it says while he could be the second referee (盲录复核)."""
    if not view.awaits_second or user_id in writers(view):
        return view
    return replace(view, deals=(), outcome=None)


def recordings(view: SheetView) -> tuple[Recording, ...]:
    """Of each deal of the newest revision: who wrote it as it now stands."""
    told = [each for each in revisions(view.table.token) if each.number <= view.revision]
    people = _Recorders(view.event.competition_id)
    found = []
    for place, deal in enumerate(view.deals):
        others = (each.number for each in told if each.deals[place : place + 1] != (deal,))
        last_other = max(others, default=0)
        found.append(people.recording(next(each for each in told if each.number > last_other)))
    return tuple(found)


def newest_recording(view: SheetView) -> Recording | None:
    """Who changed the sheet last; None before the first deal."""
    told = revisions(view.table.token)
    return _Recorders(view.event.competition_id).recording(told[-1]) if told else None


def holding(view: SheetView) -> Recording | None:
    """Who writes on the sheet, and since when; None while nobody does."""
    if view.holder is None:
        return None
    return Recording(*_Recorders(view.event.competition_id).person(view.holder.user_id), view.holder.since)


class _Recorders:
    """The people behind the revisions of one competition's sheets, each looked up once."""

    def __init__(self, competition_id: int) -> None:
        self.competition_id = competition_id
        self.known: dict[int, tuple[Role | None, str | None]] = {}

    def recording(self, revision: RevisionView) -> Recording:
        return Recording(*self.person(revision.recorded_by_id), revision.recorded_at)

    def person(self, user_id: int | None) -> tuple[Role | None, str | None]:
        if user_id is None:
            return None, None
        if user_id not in self.known:
            user = accounts.session_user(user_id)
            held = (role for role in RECORDERS if user and user.actor.has(self.competition_id, role))
            self.known[user_id] = (next(held, None), user.phone_masked if user else None)
        return self.known[user_id]


def as_deals(rows: Iterable[Mapping[str, Any]]) -> tuple[DealRecord, ...]:
    return tuple(dict(row) for row in rows)


def content_of(sheet_id: int, number: int | None) -> Content | None:
    """What a revision of a sheet says; None for no revision."""
    if not number:
        return None
    deals, outcome = db.session.execute(
        select(SheetRevision.deals, SheetRevision.outcome).where(
            SheetRevision.sheet_id == sheet_id, SheetRevision.number == number
        )
    ).one()
    return Content(as_deals(deals), outcome)


def _sheet(table: TableView, run: RunView, row: Sheet | None) -> SheetView:
    stage, deals_wanted = stage_rule(run.event.regulation.scoring_rules(), table.stage)
    content = (content_of(row.id, row.revision) if row else None) or Content()
    published = None
    if row is not None and row.published_revision is not None:
        newest = row.published_revision == row.revision
        published = content if newest else content_of(row.id, row.published_revision)
    return SheetView(
        table=table,
        event=run.event,
        stage=stage,
        deals_wanted=deals_wanted,
        state=SheetState(row.state) if row else SheetState.OPEN,
        revision=row.revision if row else 0,
        deals=content.deals,
        outcome=content.outcome,
        confirmed_revision=row.confirmed_revision if row else None,
        published_revision=row.published_revision if row else None,
        published_at=row.published_at if row else None,
        published=published,
        words=_words(row) if row else (),
        holder=_holder(row) if row else None,
        terms=run.terms,
        run=run,
    )


def _words(row: Sheet) -> tuple[Word, ...]:
    said = db.session.scalars(
        select(SheetConfirmation)
        .where(SheetConfirmation.sheet_id == row.id, SheetConfirmation.revision == row.revision)
        .order_by(SheetConfirmation.id)
    )
    return tuple(
        Word(
            revision=each.revision,
            entry_id=each.entry_id,
            said=Said(each.said),
            way=Way(each.way),
            note=each.note,
            signature=each.signature,
            at=each.said_at,
            recorded_by_id=each.recorded_by_id,
        )
        for each in said
    )


def _holder(row: Sheet) -> Holder | None:
    return Holder(row.holder_id, row.holder_device, row.held_at) if row.held_at is not None else None


def _revision(row: SheetRevision) -> RevisionView:
    return RevisionView(
        number=row.number,
        deals=as_deals(row.deals),
        outcome=row.outcome,
        handed_in=row.handed_in,
        recorded_by_id=row.recorded_by_id,
        recorded_at=row.recorded_at,
        device=row.device,
        client_time=row.client_time,
        reason=row.reason,
    )

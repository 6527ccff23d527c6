"""The tables of an event together: what is in force, how far they are, what taking a round back would lose."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select

from app.actors import Role
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries as draws
from app.draws.models import STANDS, Round, Table
from app.draws.queries import RoundView, TableView
from app.draws.queries.repairs import standing_round
from app.extensions import db
from app.results.models import Sheet, SheetRevision
from app.results.queries.sheets import as_deals
from app.results.queries.views import EnteredTable, Loss, Progress, TableInForce, TableState
from app.results.rules import Content, SheetState, game_of, stage_rule
from app.text import T
from app.waiting import Waiting

_IN_FORCE = (Sheet.state == SheetState.CONFIRMED.value) & (Sheet.published_revision == Sheet.revision)


def loss(event_id: int, stage: str, number: int) -> Loss:
    """What taking a round back would lose. Raises ``draws.rules.UnknownRoundError``."""
    round_ = standing_round(event_id, stage, number)
    later = tuple(each for each in draws.rounds(event_id) if each.id > round_.id)
    hanging = tuple(each for each in draws.commitments(event_id) if each.open)
    return Loss(round_, entered(round_), later, hanging)


def entered(round_: RoundView) -> tuple[EnteredTable, ...]:
    """Every table of a round at which something was entered, also of a void round."""
    tables = {table.id: table for table in round_.tables}
    rows = db.session.execute(
        select(Sheet.table_id, Sheet.state, SheetRevision.deals, SheetRevision.outcome)
        .join(SheetRevision, (SheetRevision.sheet_id == Sheet.id) & (SheetRevision.number == Sheet.revision))
        .where(Sheet.table_id.in_(tables))
    )
    found = [
        EnteredTable(tables[table], SheetState(state), as_deals(deals), outcome)
        for table, state, deals, outcome in rows
    ]
    return tuple(sorted(found, key=lambda each: each.table.number))


def in_force(event_id: int) -> dict[int, Content]:
    """What every published revision says, by table id; nothing else ever reaches standings, public pages or reports."""
    rows = db.session.execute(
        select(Sheet.table_id, SheetRevision.deals, SheetRevision.outcome)
        .join(
            SheetRevision,
            (SheetRevision.sheet_id == Sheet.id) & (SheetRevision.number == Sheet.published_revision),
        )
        .where(Sheet.event_id == event_id)
    )
    return {table_id: Content(as_deals(deals), outcome) for table_id, deals, outcome in rows}


def changed_since(event_id: int) -> dict[int, list[tuple[int, Content]]]:
    """Of the tables whose sheet was changed after it had come into force: what was in force, with the results version from which on,
    the oldest first. Tables that always said the same are left out."""
    changed = (
        select(SheetRevision.sheet_id)
        .join(Sheet, Sheet.id == SheetRevision.sheet_id)
        .where(Sheet.event_id == event_id, SheetRevision.handed_in)
        .group_by(SheetRevision.sheet_id)
        .having(func.count() > 1)
    )
    rows = db.session.execute(
        select(Sheet.table_id, SheetRevision.in_force_version, SheetRevision.deals, SheetRevision.outcome)
        .join(Sheet, Sheet.id == SheetRevision.sheet_id)
        .where(SheetRevision.sheet_id.in_(changed), SheetRevision.handed_in)
        .order_by(SheetRevision.sheet_id, SheetRevision.number)
    ).all()
    found: dict[int, list[tuple[int, Content]]] = {}
    for table_id, version, deals, outcome in rows:
        content, told = Content(as_deals(deals), outcome), found.setdefault(table_id, [])
        if version is not None:
            told.append((version, content))
        elif all(not known for known, _ in told):
            # handed in before versions were kept: of these the last was in force until one has a version
            told[:] = [(0, content)]
    return found


def tables_in_force(event_id: int) -> tuple[TableInForce, ...]:
    """Every drawn table, with what is in force of it."""
    contents = in_force(event_id)
    return tuple(TableInForce(table, contents.get(table.id)) for table in draws.tables(event_id))


def table_states(event_id: int) -> tuple[TableState, ...]:
    """Every table of the event with the state of its sheet, in playing order."""
    event = competitions.event(event_id)
    rows = {
        row.table_id: (row, Content(as_deals(deals), outcome))
        for row, deals, outcome in db.session.execute(
            select(Sheet, SheetRevision.deals, SheetRevision.outcome)
            .join(
                SheetRevision, (SheetRevision.sheet_id == Sheet.id) & (SheetRevision.number == Sheet.revision)
            )
            .where(Sheet.event_id == event_id)
        )
    }
    return tuple(_table_state(table, event, rows.get(table.id)) for table in draws.tables(event_id))


def progress(event_id: int) -> Progress:
    """A sheet under correction, and one that is held back, count as not confirmed, so that the page says 暂定."""
    standing = select(Table.id).join(Table.round).where(Round.event_id == event_id, STANDS)
    mine = Sheet.table_id.in_(standing)
    confirmed = select(func.count()).where(mine, _IN_FORCE)
    unpublished = select(func.count()).where(
        mine,
        Sheet.state == SheetState.CONFIRMED.value,
        Sheet.published_revision.is_distinct_from(Sheet.revision),
    )
    tables = select(func.count()).select_from(standing.subquery())
    row = db.session.execute(
        select(confirmed.scalar_subquery(), tables.scalar_subquery(), unpublished.scalar_subquery())
    ).one()
    return Progress(*row)


def waiting(event: EventView, _now: datetime) -> tuple[Waiting, ...]:
    """Tables without a confirmed sheet, with a dispute, and those that wait to be made public."""
    found = progress(event.id)
    if not found.provisional:
        return ()
    roles = (Role.COMMITTEE, Role.CHIEF_REFEREE, Role.REFEREE)
    said = []
    disputed = db.session.scalar(
        select(func.count()).where(Sheet.event_id == event.id, Sheet.state == SheetState.DISPUTED.value)
    )
    if disputed:
        text = T("%(count)s 桌成绩有争议，等裁判长裁定", count=disputed)
        said.append(Waiting(text, T("看各桌成绩"), "results.staff_tables", (Role.CHIEF_REFEREE,)))
    unconfirmed = found.tables - found.confirmed - found.unpublished
    if unconfirmed:
        text = T("%(open)s 桌成绩未确认（共 %(tables)s 桌）", open=unconfirmed, tables=found.tables)
        said.append(Waiting(text, T("看各桌成绩"), "results.staff_tables", roles))
    if found.unpublished:
        text = T("%(count)s 桌成绩已确认，还没有公布", count=found.unpublished)
        said.append(
            Waiting(text, T("看各桌成绩"), "results.staff_tables", (Role.COMMITTEE, Role.CHIEF_REFEREE))
        )
    return tuple(said)


def _table_state(table: TableView, event: EventView, found: tuple[Sheet, Content] | None) -> TableState:
    rules = event.regulation.scoring_rules()
    wanted = stage_rule(rules, table.stage)[1] if game_of(rules).counts_deals else 0
    if found is None:
        return TableState(table, SheetState.OPEN.value, 0, wanted, in_force=False)
    row, content = found
    shown = "running" if row.state == SheetState.OPEN.value and not content.empty else row.state
    in_force = row.state == SheetState.CONFIRMED.value and row.published_revision == row.revision
    return TableState(table, shown, len(content.deals), wanted, in_force)

"""A rehearsal is deleted whole: every row of every table, and nothing of another competition."""

from __future__ import annotations

import hashlib
import itertools
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Connection, Date, DateTime, Integer, LargeBinary, Table, event, select
from sqlalchemy.exc import OperationalError

from app.actors import Actor, Role
from app.audit import chain
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.database import Encrypted, UtcDateTime
from app.errors import ForbiddenError
from app.extensions import db
from app.files import store
from app.jobs import Job
from app.rehearsals import service
from app.rehearsals.rules import AnotherNameError, NotARehearsalError
from app.rehearsals.service import Deleted
from app.standings.queries import computing
from app.uploads.models import StoredFile
from tests.factories import accounts, purges
from tests.factories import competitions as factory

INSTALLATION = {
    "audit_entries",
    "key_checks",
    "mail_opt_outs",
    "mailbox_states",
    "sign_in_codes",
    "workday_years",
}
"""Tables of the installation: no row of theirs is of a competition."""

SHARED = {"users", "regulation_versions", "mail_files", "stored_files"}
"""Rows that several competitions may name; they stay. A file goes with the last message, by the nightly purge."""

LEFT_EMPTY = {("deletion_requests", "unit_id"), ("incoming_messages", "purged_at")}
"""A request is about one thing, a member or the unit; what was purged already holds nothing any more."""

counter = itertools.count(1)
Snapshot = dict[str, list[tuple[Any, ...]]]


def value_for(column: Any) -> Any:
    """Something that fits the column, another one each time."""
    number = next(counter)
    kind = column.type
    if isinstance(kind, UtcDateTime | DateTime):
        return datetime(2021, 10, 1, tzinfo=UTC)
    if isinstance(kind, Date):
        return date(2021, 10, 1)
    if isinstance(kind, Boolean):
        return False
    if isinstance(kind, JSON):
        return {}
    if isinstance(kind, LargeBinary):
        return b"x"
    if isinstance(kind, Integer):
        return number
    if isinstance(kind, Encrypted):
        return f"示例 {number}"
    text = hashlib.sha256(str(number).encode()).hexdigest()
    return text[: getattr(kind, "length", None) or 64]


def fill(competition: CompetitionView, leader: int) -> None:
    """One row of every table there is, each naming the others of the same competition, in every column that can."""
    made: dict[str, Any] = {
        "competitions": competition.id,
        "events": competition.event.id,
        "regulation_versions": competition.event.regulation_version_id,
        "users": leader,
    }
    with db.engine.begin() as connection:
        for table in db.metadata.sorted_tables:
            if table.name not in made and table.name not in INSTALLATION:
                made[table.name] = one_row(connection, table, made)


def one_row(connection: Connection, table: Table, made: dict[str, Any]) -> Any:
    """A row of the table; every stored file is named once, as it is where rows are made by the program."""
    row = {}
    for column in table.columns:
        links = [each.column.table for each in column.foreign_keys if each.column.table is not table]
        if (table.name, column.name) in LEFT_EMPTY:
            continue
        if links and links[0].name == "stored_files":
            row[column.name] = one_row(connection, links[0], made)
        elif links:
            row[column.name] = made[links[0].name]
        elif not column.foreign_keys and column is not table.autoincrement_column:
            row[column.name] = value_for(column)
    key = connection.execute(table.insert().values(**row)).inserted_primary_key
    assert key is not None
    return key[0]


def snapshot() -> Snapshot:
    db.session.rollback()
    with db.engine.connect() as connection:
        return {
            table.name: sorted(
                (tuple(map(repr, row)) for row in connection.execute(plain(table))),
            )
            for table in db.metadata.sorted_tables
            if table.name != "audit_entries"
        }


def plain(table: Table) -> Any:
    return select(*(column for column in table.columns if not isinstance(column.type, Encrypted)))


def delete(by: Actor, competition: CompetitionView, name: str | None = None) -> Deleted:
    with command(by) as ctx:
        return service.delete_whole(ctx, competition.id, name=competition.name if name is None else name)


@pytest.fixture
def organiser(session: Any) -> Actor:
    return factory.organiser()


def rehearsal(by: Actor, **changes: Any) -> CompetitionView:
    return factory.competition(by, rehearsal=True, name="演练一", **changes)


def test_no_row_of_it_is_left_and_every_row_of_another_is_as_it_was(
    organiser: Actor, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    leader = accounts.user(7).user_id
    assert leader is not None
    other = factory.competition(organiser, slug="real")
    fill(other, leader)
    before = snapshot()
    organiser = accounts.actor(organiser.user_id or 0)
    mine = rehearsal(organiser, slug="practice")
    fill(mine, leader)
    full = snapshot()
    for name, rows in full.items():
        if name not in INSTALLATION | SHARED:
            assert len(rows) > len(before[name]), f"{name} has no row of the rehearsal"

    done = delete(accounts.actor(organiser.user_id or 0), mine)

    after = snapshot()
    for name, rows in after.items():
        if (
            name == "stored_files"
        ):  # one that no row names, made here, stays beside those of the other competition
            assert set(before[name]) < set(rows)
            assert len(rows) == len(before[name]) + 1
        elif name in SHARED:
            assert rows == full[name], name
        elif name == "incoming_messages":  # emptied, and known if it comes again
            assert set(before[name]) < set(rows)
            assert len(rows) == len(before[name]) + 1
            assert "示例" not in str(set(rows) - set(before[name]))
        else:
            assert rows == before[name], name
    assert done.rows >= len(full) - len(INSTALLATION | SHARED) - 2
    assert done.files == 3
    assert any(job is Job.FORGET_FILES for job, _ in sent_jobs)


def test_nothing_in_any_table_names_it_any_more(organiser: Actor) -> None:
    mine = rehearsal(organiser, slug="practice")
    fill(mine, accounts.user(7).user_id or 0)
    gone = {("competitions", mine.id), ("events", mine.event.id)}
    delete(accounts.actor(organiser.user_id or 0), mine)
    db.session.rollback()
    naming = [
        (str(column), target)
        for table in db.metadata.sorted_tables
        for column in table.columns
        for link in column.foreign_keys
        for target in gone
        if link.column.table.name == target[0]
        and db.session.execute(select(column).where(column == target[1])).first() is not None
    ]
    assert naming == []


def test_what_is_on_record_stays_and_chains_and_names_nobody(organiser: Actor) -> None:
    mine = rehearsal(organiser, slug="practice")
    fill(mine, accounts.user(7).user_id or 0)
    before = db.session.scalars(select(AuditEntry.hash).order_by(AuditEntry.id)).all()
    delete(accounts.actor(organiser.user_id or 0), mine)
    entries = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert [entry.hash for entry in entries][: len(before)] == list(before)
    assert chain.first_broken(entries) is None
    deleted = [entry for entry in entries if entry.action == AuditAction.REHEARSAL_DELETED.value]
    assert [entry.subject_id for entry in deleted] == [str(mine.id)]
    assert set(deleted[0].details) == {"rows", "files"}


def test_who_led_a_unit_and_did_nothing_else_is_forgotten(organiser: Actor) -> None:
    mine = rehearsal(organiser, slug="practice")
    leader = accounts.user(7)
    fill(mine, leader.user_id or 0)
    delete(accounts.actor(organiser.user_id or 0), mine)
    # with the phone forgotten, whoever signs in with it is somebody new
    assert accounts.user(7).user_id != leader.user_id


def test_a_real_competition_cannot_be_deleted(organiser: Actor) -> None:
    real = factory.competition(organiser, slug="real")
    before = snapshot()
    with pytest.raises(NotARehearsalError):
        delete(accounts.actor(organiser.user_id or 0), real)
    assert snapshot() == before


def test_another_name_deletes_nothing(organiser: Actor) -> None:
    mine = rehearsal(organiser, slug="practice")
    before = snapshot()
    with pytest.raises(AnotherNameError):
        delete(accounts.actor(organiser.user_id or 0), mine, "演练二")
    assert snapshot() == before


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ORGANISER])
def test_nobody_else_deletes_it(organiser: Actor, role: Role) -> None:
    mine = rehearsal(organiser, slug="practice")
    with pytest.raises(ForbiddenError):
        delete(accounts.user(9, role, competition_id=mine.id), mine)
    assert competitions.competition("practice").id == mine.id


@pytest.mark.parametrize("step", [0, 5, 20, 45])
def test_a_database_that_goes_away_half_way_leaves_everything(organiser: Actor, step: int) -> None:
    mine = rehearsal(organiser, slug="practice")
    fill(mine, accounts.user(7).user_id or 0)
    before, deletes = snapshot(), itertools.count()

    def break_off(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("DELETE") and next(deletes) == step:
            raise OperationalError(statement, None, Exception("gone"))

    event.listen(db.engine, "before_cursor_execute", break_off)
    try:
        with pytest.raises(OperationalError):
            delete(accounts.actor(organiser.user_id or 0), mine)
    finally:
        event.remove(db.engine, "before_cursor_execute", break_off)
    assert snapshot() == before
    assert delete(accounts.actor(organiser.user_id or 0), mine).rows > step


def test_the_address_is_free_again_and_old_jobs_find_nothing(organiser: Actor) -> None:
    mine = rehearsal(organiser, slug="practice")
    delete(accounts.actor(organiser.user_id or 0), mine)
    assert computing.computed(mine.event.id) is None
    again = factory.competition(accounts.actor(organiser.user_id or 0), slug="practice")
    assert not again.rehearsal


def stored_keys() -> set[str]:
    return set(dict(store.keys()))


def test_its_files_go_from_the_store_and_those_of_another_stay(
    organiser: Actor, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    mine = rehearsal(organiser, slug="practice")
    purges.filled(1, slug="practice")
    own = stored_keys()
    factory.competition(accounts.actor(organiser.user_id or 0), slug="real")
    purges.filled(2, slug="real")
    others = stored_keys() - own
    assert own
    assert others
    done = delete(accounts.actor(organiser.user_id or 0), mine)
    assert done.files == len(own)
    for job, arguments in sent_jobs:
        if job is Job.FORGET_FILES:
            store.delete(arguments["keys"])  # what the job does
    assert stored_keys() == others
    assert set(db.session.scalars(select(StoredFile.key))) == others

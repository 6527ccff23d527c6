from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError, OperationalError

from app.accounts import service as accounts
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions.models import Competition, Event
from app.competitions.rules import UnknownCompetitionError
from app.extensions import db
from app.mailbox import service as mailbox
from app.registrations.service import purging
from app.rehearsals.queries import Owned, columns_to, owned
from app.rehearsals.rules import DELETERS, StillUsedError, require_name, require_rehearsal
from app.uploads import service as uploads

DEADLOCK = "40P01"
"""PostgreSQL's code for two commands that wait for each other, of which it stops one."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """How many rows and files went."""

    rows: int
    files: int


def delete_whole(ctx: CommandContext, competition_id: int, *, name: str) -> Deleted:
    """Delete a rehearsal (演练) with everything that belongs to it, in one transaction; ``name`` is what was typed to confirm it.

    What is on record of it stays (操作记录), without names. The objects of its files go by their own job, after the commit. Leaders
    of whom nothing else is here are forgotten. Raises ``NotARehearsalError``, ``AnotherNameError``, ``StillUsedError``.
    """
    ctx.actor.require(competition_id, *DELETERS)
    purging.hold_purging(ctx, competition_id)  # a purge that is under way ends first
    _hold(ctx, competition_id, name)
    try:
        done = _delete(ctx, competition_id)
    except IntegrityError as error:
        raise StillUsedError from error  # a row came in below one that was going
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", None) != DEADLOCK:
            raise
        raise StillUsedError from error
    ctx.record(
        AuditAction.REHEARSAL_DELETED, ("Competition", competition_id), rows=done.rows, files=done.files
    )
    return done


def _hold(ctx: CommandContext, competition_id: int, name: str) -> None:
    """Keep everybody out who would write something that names the competition or one of its events."""
    row = ctx.session.execute(
        select(Competition.name, Competition.rehearsal)
        .where(Competition.id == competition_id)
        .with_for_update()
    ).one_or_none()
    if row is None:
        raise UnknownCompetitionError
    require_rehearsal(row.rehearsal)
    require_name(name, row.name)
    ctx.session.execute(
        select(Event.id).where(Event.competition_id == competition_id).order_by(Event.id).with_for_update()
    ).all()


def _delete(ctx: CommandContext, competition_id: int) -> Deleted:
    mailbox.release_of_competition(ctx, competition_id)
    theirs = owned(db.metadata, competition_id)
    leaders = _named(ctx, theirs, "users", only="units")
    files = _named(ctx, theirs, "stored_files")
    rows = 0
    for each in reversed(theirs):
        rows += _gone(ctx, delete(each.table).where(each.condition))
    rows += _gone(ctx, delete(Competition.__table__).where(Competition.id == competition_id))
    ctx.session.expunge_all()  # what was read of it before is not there any more
    uploads.erase_files(ctx, sorted(files))
    accounts.forget_users(ctx, leaders - _still_named(ctx, leaders))
    return Deleted(rows, len(files))


def _gone(ctx: CommandContext, statement: Any) -> int:
    return int(ctx.session.execute(statement).rowcount)  # type: ignore[attr-defined]  # a delete's result has it


def _named(ctx: CommandContext, theirs: list[Owned], target: str, only: str | None = None) -> set[int]:
    """The rows of ``target`` that what is deleted names: of one table, or of every one."""
    conditions = {each.table: each.condition for each in theirs}
    return {
        found
        for column in columns_to(db.metadata, target)
        if column.table in conditions and only in {None, column.table.name}
        for found in ctx.session.scalars(
            select(column).where(conditions[column.table], column.is_not(None)).distinct()
        )
    }


def _still_named(ctx: CommandContext, user_ids: set[int]) -> set[int]:
    """Of these people those whom anything that stays names, messages to them aside."""
    return {
        found
        for column in columns_to(db.metadata, "users")
        if column.table.name != "messages"
        for found in ctx.session.scalars(select(column).where(column.in_(user_ids)).distinct())
    }

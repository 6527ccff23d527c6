"""Commands (操作): one transaction each, with its audit entries and its after-commit jobs.

``with command(actor) as ctx:`` is the only place that commits. Services flush and record; a write that recorded
nothing is refused, so that nothing can be changed without a trace. The steps of the few long acts (``continues``)
leave one entry together, at the end. Jobs are sent only after the commit succeeded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from sqlalchemy import event, select, text
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction

from app import clock, jobs
from app.actors import Actor
from app.audit.actions import LONG_ACTS, AuditAction
from app.audit.chain import GENESIS, link_hash
from app.audit.models import AuditEntry
from app.database import WRITES
from app.extensions import db
from app.jobs import Job

_AUDIT_LOCK = 0x5A155111
"""Key of the PostgreSQL advisory lock that keeps the audit chain in one line; held for the last statement only."""

_WROTE = "saishi_wrote"


class UnauditedWriteError(RuntimeError):
    """A command changed the database without recording what it did: a defect, never a user's mistake."""


@dataclass(slots=True)
class CommandContext:
    """What a service may use: who acts, when, the session, and the records it leaves."""

    actor: Actor
    now: datetime
    session: Session
    held: dict[int, Any] = field(default_factory=dict)
    """The rows of the events that this command has locked, by id: nobody else changes them until it ends."""
    _records: list[tuple[AuditAction, str, str, dict[str, Any]]] = field(default_factory=list)
    _jobs: list[tuple[Job, dict[str, Any]]] = field(default_factory=list)
    _continues: bool = False

    def record(self, action: AuditAction, subject: object, **details: Any) -> None:
        """Note an act. ``subject`` is a model with an id, or a (type, id) pair; ``details`` no personal data."""
        if isinstance(subject, tuple):
            subject_type, subject_id = subject
        else:
            subject_type, subject_id = type(subject).__name__, cast("Any", subject).id
        if subject_id is None:
            raise RuntimeError(f"{subject_type} has no id yet: flush before recording")
        self._records.append((action, str(subject_type), str(subject_id), details))

    def continues(self, action: AuditAction) -> None:
        """This command is one step of a long act, whose single entry ``action`` follows at its end (``LONG_ACTS``)."""
        if action not in LONG_ACTS:
            raise RuntimeError(f"{action} is recorded by the command that does it")
        self._continues = True

    def after_commit(self, job: Job, **arguments: Any) -> None:
        """Send ``job`` once this command is committed; the same job with the same arguments is sent once."""
        if (job, arguments) not in self._jobs:
            self._jobs.append((job, arguments))


@contextmanager
def command(actor: Actor) -> Iterator[CommandContext]:
    """Run one command as ``actor``: all of it is committed, or none."""
    session = db.session()
    # What this request read before (the signed-in person, say) was read outside the command. Ending that read
    # lets SQLite begin with the write lock and lets the command see the newest committed state.
    session.rollback()
    session.connection(execution_options={WRITES: True})
    session.info.pop(_WROTE, None)
    ctx = CommandContext(actor=actor, now=clock.now(), session=session)
    try:
        yield ctx
        session.flush()
        if session.info.pop(_WROTE, False) and not ctx._records and not ctx._continues:
            raise UnauditedWriteError("a command changed the database without an audit entry")
        _append_audit_entries(ctx)
        session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        session.info.pop(_WROTE, None)
    for job, arguments in ctx._jobs:
        jobs.send(job, **arguments)


@contextmanager
def one_moment() -> Iterator[None]:
    """Read only, and everything as it was at one moment, whatever others commit meanwhile; it holds nobody up.

    SQLite reads so in every transaction; PostgreSQL is asked for it.
    """
    session = db.session()
    session.rollback()
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    try:
        yield
    finally:
        session.rollback()


def _append_audit_entries(ctx: CommandContext) -> None:
    if not ctx._records:
        return
    if ctx.session.get_bind().dialect.name == "postgresql":
        ctx.session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _AUDIT_LOCK})
    previous = ctx.session.scalar(select(AuditEntry.hash).order_by(AuditEntry.id.desc()).limit(1)) or GENESIS
    for action, subject_type, subject_id, details in ctx._records:
        fields: dict[str, Any] = {
            "at": ctx.now,
            "actor_kind": ctx.actor.kind,
            "user_id": ctx.actor.user_id,
            "action": action.value,
            "subject_type": subject_type,
            "subject_id": subject_id,
            "details": details,
        }
        digest = link_hash(previous, **fields)
        ctx.session.add(AuditEntry(previous_hash=previous, hash=digest, **fields))
        ctx.session.flush()  # ids follow the order of the chain
        previous = digest


@event.listens_for(Session, "after_flush")
def _note_flush(session: Session, _context: UOWTransaction) -> None:
    session.info[_WROTE] = True


@event.listens_for(Session, "do_orm_execute")
def _note_bulk_write(state: ORMExecuteState) -> None:
    if state.is_insert or state.is_update or state.is_delete:
        state.session.info[_WROTE] = True

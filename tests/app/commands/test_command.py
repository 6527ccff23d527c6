from __future__ import annotations

import threading
from typing import Any

import pytest
from flask import Flask

from app.accounts.models import User
from app.actors import SYSTEM
from app.audit import chain
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import UnauditedWriteError, command
from app.database import person_hash
from app.extensions import db
from app.jobs import Job

Jobs = list[tuple[Job, dict[str, Any]]]


def person(number: int, at: Any) -> User:
    return User(phone_hash=person_hash(str(number)), phone=str(number), created_at=at)


def test_a_command_commits_its_write_its_audit_entry_and_then_sends_its_jobs(
    session: Any, sent_jobs: Jobs
) -> None:
    with command(SYSTEM) as ctx:
        row = person(1, ctx.now)
        ctx.session.add(row)
        ctx.session.flush()
        ctx.record(AuditAction.SIGNED_IN, row)
        ctx.after_commit(Job.SEND_MESSAGE, message_id=7)
        ctx.after_commit(Job.SEND_MESSAGE, message_id=7)
        assert sent_jobs == []
    session.rollback()
    assert session.query(User).count() == 1
    assert session.query(AuditEntry).count() == 1
    assert sent_jobs == [(Job.SEND_MESSAGE, {"message_id": 7})]


def test_a_command_that_fails_leaves_nothing_and_sends_nothing(session: Any, sent_jobs: Jobs) -> None:
    def fail_half_way() -> None:
        with command(SYSTEM) as ctx:
            row = person(1, ctx.now)
            ctx.session.add(row)
            ctx.session.flush()
            ctx.record(AuditAction.SIGNED_IN, row)
            ctx.after_commit(Job.SEND_MESSAGE, message_id=7)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert session.query(User).count() == 0
    assert session.query(AuditEntry).count() == 0
    assert sent_jobs == []


def test_a_write_without_an_audit_entry_is_refused(session: Any) -> None:
    with pytest.raises(UnauditedWriteError), command(SYSTEM) as ctx:
        ctx.session.add(person(1, ctx.now))
    assert session.query(User).count() == 0


def test_a_bulk_write_without_an_audit_entry_is_refused(session: Any) -> None:
    with pytest.raises(UnauditedWriteError), command(SYSTEM) as ctx:
        ctx.session.query(User).delete()


def test_a_command_that_only_reads_needs_no_entry(session: Any) -> None:
    with command(SYSTEM) as ctx:
        assert ctx.session.query(User).count() == 0


def test_the_audit_chain_shows_an_altered_or_removed_entry(session: Any) -> None:
    for number in range(4):
        with command(SYSTEM) as ctx:
            ctx.record(AuditAction.SIGNED_IN, ("User", number), attempt=number)
    entries = session.query(AuditEntry).order_by(AuditEntry.id).all()
    assert chain.first_broken(entries) is None
    assert chain.first_broken([*entries[:1], *entries[2:]]) == entries[2].id
    entries[1].details = {"attempt": 99}
    assert chain.first_broken(entries) == entries[1].id
    session.rollback()


def test_commands_at_the_same_moment_keep_one_chain(app: Flask) -> None:
    def act(number: int) -> None:
        for attempt in range(5):
            with app.app_context(), command(SYSTEM) as ctx:
                row = person(number * 100 + attempt, ctx.now)
                ctx.session.add(row)
                ctx.session.flush()
                ctx.record(AuditAction.SIGNED_IN, row)

    threads = [threading.Thread(target=act, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with app.app_context():
        entries = db.session.query(AuditEntry).order_by(AuditEntry.id).all()
        assert len(entries) == 20
        assert chain.first_broken(entries) is None


def test_a_step_of_a_long_act_needs_no_entry_of_its_own(session: Any) -> None:
    with command(SYSTEM) as ctx:
        ctx.session.add(person(1, ctx.now))
        ctx.continues(AuditAction.UPLOAD_RECEIVED)
    session.rollback()
    assert session.query(User).count() == 1
    assert session.query(AuditEntry).count() == 0


def test_no_other_act_can_do_without_its_entry(session: Any) -> None:
    with command(SYSTEM) as ctx, pytest.raises(RuntimeError, match=r"entry\.approved"):
        ctx.continues(AuditAction.ENTRY_APPROVED)

"""``saishi audit``: the chain of a real database, whole and tampered with."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.actors import SYSTEM
from app.audit import chain, queries
from app.audit.actions import AuditAction
from app.commands import command
from tests import services


def audited(environment: dict[str, str]) -> tuple[int, Any]:
    done = services.saishi("audit", environment=environment)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An installation with three acts."""
    environment = services.environment(tmp_path)
    for phone in ("13800138000", "13800138001", "13800138002"):
        assert services.saishi("organiser", phone, environment=environment).returncode == 0
    return environment


def test_a_whole_chain_is_counted(environment: dict[str, str]) -> None:
    assert audited(environment) == (0, {"entries": 3, "first_broken": None})


@pytest.mark.parametrize(
    ("tampering", "entries", "first_broken"),
    [
        ("UPDATE audit_entries SET subject_id = '99' WHERE id = 2", 3, 2),
        ("UPDATE audit_entries SET at = '2020-01-01 00:00:00.000000' WHERE id = 1", 3, 1),
        ("DELETE FROM audit_entries WHERE id = 2", 2, 3),
        ("DELETE FROM audit_entries WHERE id = 1", 2, 2),
    ],
)
def test_an_altered_or_missing_entry_is_named(
    environment: dict[str, str], tmp_path: Path, tampering: str, entries: int, first_broken: int
) -> None:
    with closing(sqlite3.connect(tmp_path / "saishi.db")) as connection, connection:
        connection.execute(tampering)
    assert audited(environment) == (1, {"entries": entries, "first_broken": first_broken})


def test_a_database_without_tables_is_refused(tmp_path: Path) -> None:
    done = services.saishi("audit", environment=services.environment(tmp_path))
    assert done.returncode == 2
    assert "请先运行 saishi migrate" in done.stderr
    assert done.stdout == ""


def test_entries_come_in_order_over_several_batches(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "BATCH", 2)
    for number in range(5):
        with command(SYSTEM) as ctx:
            ctx.record(AuditAction.CLOCK_MOVED, ("Clock", "demonstration"), to=str(number))
    found = list(queries.entries())
    assert [entry.details["to"] for entry in found] == list("01234")
    assert chain.first_broken(found) is None

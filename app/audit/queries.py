from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Row, select

from app.audit.models import AuditEntry
from app.extensions import db

BATCH = 1000
"""Entries fetched at a time: a long season has more of them than should be in memory at once."""


def entries() -> Iterator[Row[Any]]:
    """All entries in the order of the chain, as plain rows."""
    table = AuditEntry.__table__
    return iter(
        db.session.execute(select(table).order_by(table.c.id), execution_options={"yield_per": BATCH})
    )

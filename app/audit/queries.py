from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Row, or_, select

from app.audit.actions import AuditAction
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


def of_subject(
    subject_type: str,
    subject_id: int,
    actions: Collection[AuditAction],
    *,
    user_id: int | None = None,
    since: datetime | None = None,
) -> tuple[Row[Any], ...]:
    """The entries of these actions about one thing, in the order of the chain; of one person, or from a moment on."""
    table = AuditEntry.__table__
    statement = select(table).where(
        table.c.subject_type == subject_type,
        table.c.subject_id == str(subject_id),
        table.c.action.in_([action.value for action in actions]),
    )
    if user_id is not None:
        statement = statement.where(table.c.user_id == user_id)
    if since is not None:
        statement = statement.where(table.c.at >= since)
    return tuple(db.session.execute(statement.order_by(table.c.id)))


def of_subjects(
    subjects: Collection[tuple[str, int]], actions: Collection[AuditAction]
) -> tuple[Row[Any], ...]:
    """The entries of these actions about several things, each as type and id, in the order of the chain."""
    ids: dict[str, list[str]] = {}
    for subject_type, subject_id in subjects:
        ids.setdefault(subject_type, []).append(str(subject_id))
    if not ids:
        return ()
    table = AuditEntry.__table__
    about = [
        (table.c.subject_type == subject_type) & table.c.subject_id.in_(some)
        for subject_type, some in ids.items()
    ]
    statement = select(table).where(or_(*about), table.c.action.in_([action.value for action in actions]))
    return tuple(db.session.execute(statement.order_by(table.c.id)))

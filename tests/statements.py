"""What the database is asked: a page must not ask once for each row it shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event as events

from app.extensions import db


@contextmanager
def noted_statements() -> Iterator[list[str]]:
    """What the database is asked meanwhile."""
    statements: list[str] = []

    def noted(*arguments: Any) -> None:
        statements.append(arguments[2])

    events.listen(db.engine, "before_cursor_execute", noted)
    try:
        yield statements
    finally:
        events.remove(db.engine, "before_cursor_execute", noted)

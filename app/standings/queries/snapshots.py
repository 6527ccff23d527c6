"""Stored computations of the standings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select

from app.extensions import db
from app.regulations import queries as regulations
from app.results import queries as results
from app.standings.models import StandingsSnapshot


@dataclass(frozen=True, slots=True)
class SnapshotView:
    """One stored computation; ``result`` is the ``saishi-score`` document."""

    id: int
    event_id: int
    results_version: int
    input_sha256: str
    regulation_version_id: int
    result: Mapping[str, Any]
    computed_at: datetime

    @property
    def regulation_number(self) -> int:
        """The version (第 n 版) of the event's regulation it was computed by."""
        return regulations.edition_number(self.event_id, self.regulation_version_id, self.computed_at)

    def stage(self, code: str) -> Mapping[str, Any] | None:
        return next((stage for stage in self.result["stages"] if stage["code"] == code), None)


def latest(event_id: int) -> SnapshotView | None:
    """The newest snapshot of an event."""
    return _snapshot(event_id)


def at_version(event_id: int, results_version: int) -> SnapshotView | None:
    """What was computed of one results version."""
    return _snapshot(event_id, StandingsSnapshot.results_version == results_version)


def _snapshot(event_id: int, *conditions: ColumnElement[bool]) -> SnapshotView | None:
    row = db.session.scalar(
        select(StandingsSnapshot)
        .where(StandingsSnapshot.event_id == event_id, *conditions)
        .order_by(StandingsSnapshot.results_version.desc())
        .limit(1)
    )
    if row is None:
        return None
    return SnapshotView(
        id=row.id,
        event_id=row.event_id,
        results_version=row.results_version,
        input_sha256=row.input_sha256,
        regulation_version_id=row.regulation_version_id,
        result=row.result,
        computed_at=row.computed_at,
    )


def latest_version(event_id: int) -> int:
    """The results version of the newest snapshot, without reading it; 0 where there is none."""
    return (
        db.session.scalar(
            select(StandingsSnapshot.results_version)
            .where(StandingsSnapshot.event_id == event_id)
            .order_by(StandingsSnapshot.results_version.desc())
            .limit(1)
        )
        or 0
    )


def state_tag(event_id: int) -> str:
    """Changes whenever the standings or the count of confirmed tables do; costs two small reads."""
    progress = results.progress(event_id)
    return f"{event_id}-{latest_version(event_id)}-{progress.confirmed}-{progress.tables}"

"""What is left to purge, and the reports of what was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, union

from app.competitions.queries import CompetitionView
from app.documents.models import (
    DeletionRequest,
    Document,
    DocumentRequest,
    DocumentWarning,
    PurgeItem,
    PurgeReport,
)
from app.documents.rules.purging import NoReportError, signed
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.models import Unit
from app.registrations.rules.entries import MAX_ID
from app.uploads.models import Upload


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report of a purge. ``body`` is canonical JSON, which ``signature`` signs."""

    id: int
    made_at: datetime
    body: str
    signature: str
    public_key: str

    @property
    def report(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(self.body)
        return found

    @property
    def file(self) -> str:
        """What is handed out."""
        return signed(self.body, self.signature, self.public_key)


def due(now: datetime, purge_days: int) -> tuple[int, ...]:
    """Competitions whose day has come, that nothing holds back, and that still have something of members."""
    left = db.session.scalars(
        union(
            select(Document.competition_id),
            select(DeletionRequest.competition_id),
            select(DocumentRequest.competition_id),
            select(Upload.competition_id).where(Upload.claimed_at.is_(None)),
            select(PurgeItem.competition_id),
            select(Unit.competition_id).join(DocumentWarning, DocumentWarning.unit_id == Unit.id),
        )
    )
    found = sorted({*left, *registrations.with_personal_data()})
    return tuple(each for each in found if registrations.is_purge_due(each, now, purge_days))


def reports(competition: CompetitionView) -> tuple[ReportView, ...]:
    """The reports of a competition, the newest first."""
    rows = db.session.scalars(
        select(PurgeReport)
        .where(PurgeReport.competition_id == competition.id)
        .order_by(PurgeReport.id.desc())
    )
    return tuple(_view(row) for row in rows)


def report(competition: CompetitionView, report_id: int) -> ReportView:
    """Raises ``NoReportError``, also for another competition's."""
    row = db.session.get(PurgeReport, report_id) if report_id <= MAX_ID else None
    if row is None or row.competition_id != competition.id:
        raise NoReportError
    return _view(row)


def objects_to_delete(competition_id: int, limit: int) -> tuple[str, ...]:
    """Keys of objects that a purge has still to delete from the store."""
    return tuple(
        key
        for key in db.session.scalars(
            select(PurgeItem.key)
            .where(PurgeItem.competition_id == competition_id, PurgeItem.key.is_not(None))
            .order_by(PurgeItem.id)
            .limit(limit)
        )
        if key is not None
    )


def _view(row: PurgeReport) -> ReportView:
    return ReportView(row.id, row.made_at, row.body, row.signature, row.public_key)

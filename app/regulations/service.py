"""Freezing a regulation (规程冻结)."""

from __future__ import annotations

from typing import NewType

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.regulations.models import RegulationVersion
from app.regulations.rules import Regulation

RegulationVersionId = NewType("RegulationVersionId", int)

ATTEMPTS = 5


def freeze(ctx: CommandContext, regulation: Regulation) -> RegulationVersionId:
    """Freeze a regulation as the next version of its id, with its SHA-256.

    A document that is frozen already, to the last character, is that version: nothing is written twice.
    """
    for _ in range(ATTEMPTS):
        frozen = ctx.session.scalar(
            select(RegulationVersion.id).where(
                RegulationVersion.regulation_id == regulation.id,
                RegulationVersion.sha256 == regulation.sha256,
            )
        )
        if frozen is not None:
            return RegulationVersionId(frozen)
        try:
            with ctx.session.begin_nested():
                row = _next_version(ctx, regulation)
        except IntegrityError:
            # Another command took this number or froze the same document meanwhile (PostgreSQL; SQLite waits).
            continue
        ctx.record(
            AuditAction.REGULATION_FROZEN, row, regulation=regulation.id, number=row.number, sha256=row.sha256
        )
        return RegulationVersionId(row.id)
    raise RuntimeError(f"no version number of {regulation.id} could be taken in {ATTEMPTS} attempts")


def _next_version(ctx: CommandContext, regulation: Regulation) -> RegulationVersion:
    latest = ctx.session.scalar(
        select(func.max(RegulationVersion.number)).where(RegulationVersion.regulation_id == regulation.id)
    )
    row = RegulationVersion(
        regulation_id=regulation.id,
        number=(latest or 0) + 1,
        document=regulation.document,
        sha256=regulation.sha256,
        frozen_at=ctx.now,
        frozen_by_id=ctx.actor.user_id,
    )
    ctx.session.add(row)
    ctx.session.flush()
    return row

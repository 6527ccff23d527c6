"""Freezing a regulation (规程冻结), and writing the draft of the next version (规程草稿).

A version of an event (第 n 版) is published by ``amendments.service.publish``, which computes what it affects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.actors import Role
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.regulations import queries
from app.regulations.models import RegulationDraft, RegulationEdition, RegulationVersion
from app.regulations.rules import Regulation, canonical_json, plain
from app.regulations.rules.drafts import (
    DraftClosedError,
    DraftConflictError,
    DraftOpenError,
    UnknownDraftError,
    require_may_draft,
    require_storable,
)

RegulationVersionId = NewType("RegulationVersionId", int)
DraftId = NewType("DraftId", int)
EditionId = NewType("EditionId", int)

ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Amendment:
    """What is on record about a version that changes an earlier one: why, decided as what, and what it affects."""

    reason: str
    ruling: bool
    published_as: Role
    in_force_from: datetime
    impact: Mapping[str, Any]


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


def begin_chain(
    ctx: CommandContext, *, event_id: int, competition_id: int, version_id: RegulationVersionId
) -> EditionId:
    """The frozen regulation an event is created with is version 1 of its chain (第 1 版)."""
    row = RegulationEdition(
        event_id=event_id,
        competition_id=competition_id,
        number=1,
        regulation_version_id=version_id,
        ruling=False,
        published_at=ctx.now,
        published_by_id=ctx.actor.user_id,
        in_force_from=ctx.now,
    )
    ctx.session.add(row)
    ctx.session.flush()
    return EditionId(row.id)


def continue_chain(
    ctx: CommandContext, *, event_id: int, version_id: RegulationVersionId, amendment: Amendment
) -> EditionId:
    """Add the next version to an event's chain. The caller holds the event's lock and moves the event on."""
    last = queries.editions(event_id)[-1]
    row = RegulationEdition(
        event_id=event_id,
        competition_id=last.competition_id,
        number=last.number + 1,
        regulation_version_id=version_id,
        reason=amendment.reason,
        ruling=amendment.ruling,
        impact=dict(amendment.impact),
        published_at=ctx.now,
        published_by_id=ctx.actor.user_id,
        published_as=amendment.published_as.value,
        in_force_from=amendment.in_force_from,
    )
    ctx.session.add(row)
    ctx.session.flush()
    ctx.record(AuditAction.REGULATION_PUBLISHED, row, event_id=event_id, number=row.number, ruling=row.ruling)
    return EditionId(row.id)


def start_draft(
    ctx: CommandContext, *, event_id: int | None = None, regulation: Regulation | None = None
) -> DraftId:
    """Begin a draft (起草): of an event, from its newest version or from ``regulation``; or, without an event, from
    ``regulation`` (a shipped one, another event's) for a competition that is still to be created.

    An event with an open draft goes on with it. Raises ``DraftOpenError`` where that one was begun from another text.
    """
    if event_id is None:
        require_may_draft(ctx.actor, None)
        if regulation is None:
            raise ValueError("a draft without an event needs a regulation")
        competition_id, chosen = None, regulation
    else:
        last = queries.editions(event_id)[-1]
        competition_id = last.competition_id
        require_may_draft(ctx.actor, competition_id)
        chosen = regulation or queries.version(last.regulation_version_id)
        already = _open_draft(ctx, event_id)
        if already is not None:
            return _the_same(already, regulation)
    row = RegulationDraft(
        event_id=event_id,
        competition_id=competition_id,
        base_sha256=chosen.sha256,
        document=chosen.document,
        started_at=ctx.now,
        started_by_id=ctx.actor.user_id,
        saved_at=ctx.now,
        saved_by_id=ctx.actor.user_id,
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(row)
    except IntegrityError:
        # somebody else of the committee began at this very moment: both write on one draft
        meanwhile = _open_draft(ctx, event_id)
        if meanwhile is None:
            raise
        return _the_same(meanwhile, regulation)
    ctx.record(AuditAction.REGULATION_DRAFT_STARTED, row, event_id=event_id, base=chosen.sha256)
    return DraftId(row.id)


def save_draft(ctx: CommandContext, draft_id: int, document: Mapping[str, Any], base_revision: int) -> int:
    """Store what was typed, right or wrong. Returns the new revision; the same document again changes nothing.

    ``base_revision`` is the revision the page was opened on. Raises ``DraftConflictError`` where somebody saved since,
    ``DraftClosedError``, ``InvalidError`` for what cannot be stored at all.
    """
    row = _locked_draft(ctx, draft_id)
    require_storable(document)
    if canonical_json(document) == canonical_json(row.document):
        return row.revision
    if base_revision != row.revision:
        raise DraftConflictError(
            base_revision=base_revision,
            current={"revision": row.revision, "document": row.document},
            sent={"document": plain(document)},
        )
    row.document = plain(document)
    row.revision += 1
    row.saved_at, row.saved_by_id = ctx.now, ctx.actor.user_id
    ctx.session.flush()
    ctx.record(AuditAction.REGULATION_DRAFT_SAVED, row, revision=row.revision)
    return row.revision


def lock_draft(ctx: CommandContext, draft_id: int) -> None:
    """Read the draft as it is now and keep others from saving it until this command ends, so that what is published is what
    was read. Raises ``DraftClosedError`` where it was published or given up meanwhile.
    """
    _locked_draft(ctx, draft_id)


def discard_draft(ctx: CommandContext, draft_id: int) -> None:
    """Give a draft up (放弃); it stays on record. Giving up twice is the same as once."""
    row = _draft_row(ctx, draft_id)
    require_may_draft(ctx.actor, row.competition_id)
    if row.closed_at is None:
        close_draft(ctx, draft_id)


def close_draft(ctx: CommandContext, draft_id: int, edition_id: EditionId | None = None) -> None:
    """A draft was published as ``edition_id`` (or as a new competition), or given up."""
    row = _locked_draft(ctx, draft_id)
    row.closed_at, row.edition_id = ctx.now, edition_id
    ctx.session.flush()
    ctx.record(AuditAction.REGULATION_DRAFT_CLOSED, row, published=edition_id is not None)


def _the_same(already: RegulationDraft, regulation: Regulation | None) -> DraftId:
    if regulation is not None and regulation.sha256 != already.base_sha256:
        raise DraftOpenError(already.id)
    return DraftId(already.id)


def _open_draft(ctx: CommandContext, event_id: int | None) -> RegulationDraft | None:
    return ctx.session.scalar(
        select(RegulationDraft).where(
            RegulationDraft.event_id == event_id, RegulationDraft.closed_at.is_(None)
        )
    )


def _draft_row(ctx: CommandContext, draft_id: int) -> RegulationDraft:
    row = ctx.session.get(RegulationDraft, draft_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise UnknownDraftError
    return row


def _locked_draft(ctx: CommandContext, draft_id: int) -> RegulationDraft:
    """The draft's row as it is now, if this person may write on it and it is open."""
    row = _draft_row(ctx, draft_id)
    require_may_draft(ctx.actor, row.competition_id)
    if row.closed_at is not None:
        raise DraftClosedError
    return row


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

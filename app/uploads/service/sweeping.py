"""What was left half-done: jobs that the broker lost, checks that died, folders, uploads nobody needs, objects without a row."""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from sqlalchemy import select

from app import clock
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.extensions import db
from app.files import store
from app.jobs import Job
from app.uploads.models import Upload
from app.uploads.queries import keys_without_row
from app.uploads.rules import KEPT, LEASE, LOST_AFTER, QUARANTINE_KEPT, STUCK, UploadState
from app.uploads.service import objects
from app.uploads.service.checking import is_due

AT_ONCE = 200
"""Uploads that one run deletes: a command that holds the database for long would stop everybody else."""

KEYS_AT_ONCE = 500

_CHECK = re.compile(r"[0-9]+-[0-9]+")
"""The name of a check's folder (``Work.folder``)."""


def sweep(ctx: CommandContext) -> int:
    """Send again the jobs of uploads that wait too long, or whose check died with its worker. How many."""
    overdue = ctx.session.scalars(
        select(Upload).where(
            ((Upload.state == UploadState.WAITING.value) & (Upload.touched_at < ctx.now - LOST_AFTER))
            | ((Upload.state == UploadState.CHECKING.value) & (Upload.touched_at < ctx.now - LEASE))
        )
    ).all()
    due = [row.id for row in overdue if is_due(row, ctx.now)]
    for upload_id in due:
        ctx.after_commit(Job.CLEAN_UPLOAD, upload_id=upload_id)
    return len(due)


def remove_left_folders(workspace: Path, now: datetime) -> int:
    """Remove the private folders of jobs that died. How many.

    A check's folder goes once no claim holds it; of other jobs, which make no claims, one that has stood still for ``LEASE``.
    """
    if not workspace.is_dir():
        return 0
    folders = list(
        workspace.iterdir()
    )  # before the claims: a folder that is made from now on is none of ours
    held = {
        f"{row.id}-{row.attempts}"
        for row in db.session.execute(
            select(Upload.id, Upload.attempts).where(
                Upload.state == UploadState.CHECKING.value, Upload.touched_at > now - LEASE
            )
        )
    }
    # files are dated by the wall clock, whatever a demonstration's clock says
    old = (now - clock.offset() - LEASE).timestamp()
    left = [
        folder
        for folder in folders
        if folder.name not in held and (_CHECK.fullmatch(folder.name) or _changed(folder) < old)
    ]
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
    return len(left)


def _changed(folder: Path) -> float:
    """When something last came into a folder or went."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return math.inf


def expire(ctx: CommandContext) -> int:
    """Delete uploads that stand still or that nobody claims, ``AT_ONCE`` at most. How many."""
    old = ctx.session.scalars(
        select(Upload.id)
        .where(
            Upload.claimed_at.is_(None),
            (
                Upload.state.in_(
                    [
                        UploadState.RECEIVING.value,
                        UploadState.READY.value,
                        UploadState.REFUSED.value,
                        UploadState.DISCARDED.value,
                    ]
                )
                & (Upload.touched_at < ctx.now - KEPT)
            )
            | (
                Upload.state.in_([UploadState.WAITING.value, UploadState.CHECKING.value])
                & (Upload.created_at < ctx.now - STUCK)
            )
            | (
                (Upload.state == UploadState.QUARANTINED.value)
                & (Upload.touched_at < ctx.now - QUARANTINE_KEPT)
            ),
        )
        .order_by(Upload.id)
        .limit(AT_ONCE)
        .with_for_update(key_share=True, skip_locked=True)
    ).all()
    if old:
        objects.drop_uploads(ctx, old)
        ctx.record(AuditAction.UPLOADS_EXPIRED, ("Upload", "several"), count=len(old))
    return len(old)


def delete_orphans(before: datetime) -> int:
    """Delete objects of ours in the store that no row names and that were written before that moment. How many.

    Runs outside a command: looking through a distant store takes its time.
    """
    deleted = 0
    stored = store.keys()
    old = (key for key, written in stored if written < before and objects.is_ours(key))
    while batch := _some(old):
        orphans = keys_without_row(batch)
        store.delete(orphans)
        deleted += len(orphans)
        db.session.rollback()  # the next batch is compared with the newest rows
    store.discard_unfinished(before)
    return deleted


def record_orphans(ctx: CommandContext, count: int) -> None:
    """Note that objects were deleted."""
    if count:
        ctx.record(AuditAction.ORPHANED_FILES_DELETED, ("StoredFile", "several"), count=count)


def _some(keys: Iterator[str]) -> list[str]:
    return list(islice(keys, KEYS_AT_ONCE))

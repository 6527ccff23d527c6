"""The purge (赛后删除): every proof of a competition goes, and a signed report of hashes and counts stays.

Three steps, each safe to run again after a crash at any point:

1. ``take_out``, a batch a command: rows are deleted, and with them the only keys that open their objects. In the same
   transaction ``PurgeItem`` rows note what went, and which objects are still in the store.
2. ``delete_objects``, outside of a command, then ``note_deleted``: objects leave the store; their notes lose the object's name.
3. ``conclude``: ID numbers and phones are blanked, the report is made of the notes and signed, the notes go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from sqlalchemy import delete, func, select, update

from app import signing
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.documents import queries as documents
from app.documents.models import (
    DeletionRequest,
    Document,
    DocumentRequest,
    DocumentWarning,
    PurgeItem,
    PurgeReport,
)
from app.documents.queries import purging as queries
from app.documents.rules.purging import PurgedFile, body_of
from app.documents.service.erasing import Erased, ErasedFile, erase_documents
from app.extensions import db
from app.files import store
from app.mailbox import service as mailbox
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.registrations.models import Unit
from app.uploads import queries as uploads
from app.uploads import service as uploads_service

AT_ONCE = 50
"""Documents of one command: a command that holds the database for long would stop everybody else."""

OBJECTS_AT_ONCE = 500


class Purger(Protocol):
    """Delete the next rows that a later feature holds of a competition, and say what went; no rows where nothing is left."""

    def __call__(self, ctx: CommandContext, competition_id: int) -> Erased: ...


class _Bound:
    purgers: tuple[Purger, ...] = ()


def bind_purgers(*purgers: Purger) -> None:
    """Call these with every purge from now on, once the documents are gone; called once by ``create_app``."""
    _Bound.purgers = purgers


def _erase_of_others(ctx: CommandContext, competition_id: int) -> Erased:
    for purger in _Bound.purgers:
        erased = purger(ctx, competition_id)
        if any(erased.rows.values()) or erased.files:
            return erased
    return Erased({}, ())


def take_out(ctx: CommandContext, competition_id: int, *, purge_days: int) -> bool:
    """Delete the next rows of a competition that is due, and note them. False once nothing is left, or a hold stops it."""
    registrations_service.hold_purging(ctx, competition_id)
    if not registrations.is_purge_due(competition_id, ctx.now, purge_days):
        return False
    found = ctx.session.execute(
        select(Document.id, Document.subject, Document.kind)
        .where(Document.competition_id == competition_id)
        .order_by(Document.id)
        .limit(AT_ONCE)
    ).all()
    whose: dict[str, dict[str, str]] = {}
    for row in found:
        whose.setdefault(row.subject, {})[str(row.id)] = row.kind
    erased = erase_documents(ctx, [row.id for row in found]) if found else _erase_letters(ctx, competition_id)
    if not any(erased.rows.values()) and not erased.files:
        erased = _erase_of_others(ctx, competition_id)
    if not any(erased.rows.values()) and not erased.files:
        erased = _erase_rest(ctx, competition_id)
    for name, count in erased.rows.items():
        if count:
            ctx.session.add(PurgeItem(competition_id=competition_id, kind="", role=name, count=count))
    for file in erased.files:
        ctx.session.add(
            PurgeItem(
                competition_id=competition_id,
                kind=file.kind,
                role=file.role,
                count=1,
                sha256=file.sha256,
                size=file.size,
                key=file.key,
            )
        )
    ctx.session.flush()
    done = any(erased.rows.values()) or bool(erased.files)
    if done:
        ctx.record(
            AuditAction.DOCUMENTS_PURGED,
            ("Competition", competition_id),
            files=len(erased.files),
            whose=whose,  # who looked at them before is still read in each member's log
            **{name: count for name, count in erased.rows.items() if count},
        )
    return done


def _erase_letters(ctx: CommandContext, competition_id: int) -> Erased:
    """What came by mail, before the cases that letters became: a letter names the files that its case holds."""
    mail = mailbox.erase_of_competition(ctx, competition_id)
    files = tuple(ErasedFile("", each.role, each.key, each.size, each.sha256) for each in mail.files)
    return Erased({"letters": mail.messages}, files)


def _erase_rest(ctx: CommandContext, competition_id: int) -> Erased:
    """What hangs on no document: requests of both sides, warnings, change applications, and files that no form claimed."""
    of_units = select(Unit.id).where(Unit.competition_id == competition_id)
    rows = {}
    for name, table, mine in (
        ("deletion_requests", DeletionRequest, DeletionRequest.competition_id == competition_id),
        ("document_requests", DocumentRequest, DocumentRequest.competition_id == competition_id),
        ("document_warnings", DocumentWarning, DocumentWarning.unit_id.in_(of_units)),
    ):
        rows[name] = ctx.session.scalar(select(func.count()).select_from(table).where(mine)) or 0
        if rows[name]:
            ctx.session.execute(delete(table).where(mine))
    rows["change_applications"], letters = registrations_service.forget_applications(
        ctx, competition_id, AT_ONCE
    )
    left = (*letters, *uploads.left_behind(competition_id, AT_ONCE))
    files = tuple(ErasedFile("", each.role, each.key, each.size, each.sha256) for each in uploads.kept(left))
    uploads_service.erase(ctx, left)
    return Erased(rows | {"uploads": len(left)}, files)


def delete_objects(competition_id: int) -> tuple[str, ...]:
    """Delete the next objects from the store; their names, for ``note_deleted``. Empty once none is left.

    Runs outside a command: a distant store takes its time. Raises ``StoreDownError``; the next run goes on.
    """
    keys = queries.objects_to_delete(competition_id, OBJECTS_AT_ONCE)
    db.session.rollback()
    store.delete(keys)
    return keys


def note_deleted(ctx: CommandContext, competition_id: int, keys: Sequence[str]) -> None:
    """Note that these objects are gone."""
    ctx.session.execute(
        update(PurgeItem)
        .where(PurgeItem.competition_id == competition_id, PurgeItem.key.in_(keys))
        .values(key=None)
    )
    ctx.record(AuditAction.PURGED_FILES_DELETED, ("Competition", competition_id), count=len(keys))


def conclude(ctx: CommandContext, competition_id: int, *, purge_days: int) -> int | None:
    """Blank ID numbers and phones, and make the signed report; its id. None where something came in between, or nothing went."""
    registrations_service.hold_purging(ctx, competition_id)
    if not registrations.is_purge_due(competition_id, ctx.now, purge_days):
        return None
    if queries.objects_to_delete(competition_id, 1) or documents.any_document(competition_id):
        return None
    blanked = registrations_service.erase_personal_data(ctx, competition_id, purge_days=purge_days)
    items = ctx.session.scalars(
        select(PurgeItem).where(PurgeItem.competition_id == competition_id).order_by(PurgeItem.id)
    ).all()
    if not items and not blanked.members and not blanked.contacts:
        return None
    counted = Counter({"members": blanked.members, "contacts": blanked.contacts})
    files = []
    for item in items:
        if item.sha256 is None:
            counted[item.role] += item.count
        else:
            files.append(PurgedFile(item.kind, item.role, item.sha256, item.size or 0))
    competition = competitions.competition_by_id(competition_id)
    body = body_of(
        competition=competition.slug,
        made_at=ctx.now,
        purge_day=registrations.purge_day_of(competition, purge_days),
        purge_days=purge_days,
        rows=counted,
        files=files,
    )
    signer = signing.signer()
    made = PurgeReport(
        competition_id=competition_id,
        made_at=ctx.now,
        body=body,
        signature=signer.sign(body),
        public_key=signer.public_key,
    )
    ctx.session.add(made)
    ctx.session.execute(delete(PurgeItem).where(PurgeItem.competition_id == competition_id))
    ctx.session.flush()
    ctx.record(AuditAction.PURGE_REPORTED, made, competition_id=competition_id, files=len(files))
    return made.id

"""The keys of the stored files (文件密钥), and whether rows and objects fit each other; for ``saishi files``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.extensions import db
from app.files import store
from app.uploads.models import StoredFile
from app.uploads.queries import keys_without_row
from app.uploads.service import objects

ROWS_AT_ONCE = 200
"""Rows of one command: others who write wait no longer than this takes."""


@dataclass(frozen=True, slots=True)
class Rotated:
    """What one step did: how many rows, which could not be opened, and the id the next step goes on behind."""

    count: int
    damaged: tuple[int, ...]
    last_id: int


@dataclass(slots=True)
class Findings:
    """What a look at every row and object found. ``orphans`` are objects of ours without a row."""

    files: int = 0
    bytes: int = 0
    unknown_keys: dict[str, int] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)


def rows_by_key() -> Mapping[str, int]:
    """How many files each key-encryption key wraps, by the key's name."""
    counted = select(StoredFile.key_id, func.count()).group_by(StoredFile.key_id).order_by(StoredFile.key_id)
    return {row[0]: row[1] for row in db.session.execute(counted)}


def unknown_keys() -> dict[str, int]:
    """Of ``rows_by_key`` those that no setting holds."""
    return {key_id: count for key_id, count in rows_by_key().items() if not store.knows_key(key_id)}


def rotate(ctx: CommandContext, after_id: int) -> Rotated | None:
    """Wrap the next rows behind ``after_id`` by the newest key; None when there are no more.

    The objects stay as they are. Rows that have the newest key are passed over, so it can be stopped anywhere and
    begun again. Raises ``KeyUnknownError``.
    """
    newest = store.newest_key_id()
    rows = ctx.session.scalars(
        select(StoredFile)
        .where(StoredFile.id > after_id, StoredFile.key_id != newest)
        .order_by(StoredFile.id)
        .limit(ROWS_AT_ONCE)
        .with_for_update()
    ).all()
    if not rows:
        return None
    damaged = []
    for row in rows:
        try:
            row.wrapped_key, row.key_id = store.rewrap(row.wrapped_key, row.key_id)
        except store.FileDamagedError:
            damaged.append(row.id)
    done = len(rows) - len(damaged)
    if done:
        ctx.record(
            AuditAction.FILE_KEYS_ROTATED,
            ("StoredFile", f"{rows[0].id}-{rows[-1].id}"),
            count=done,
            key_id=newest,
        )
    return Rotated(done, tuple(damaged), rows[-1].id)


def check(before: datetime, *, deep: bool) -> Findings:
    """Compare every row with its object. ``deep`` decrypts each and compares its hash.

    An object written since ``before`` may still get its row. Raises ``StoreDownError``; runs outside a command.
    """
    found = Findings(unknown_keys=unknown_keys())
    listed = dict(store.keys())
    rowless = set(listed)
    for sealed in _rows():
        found.files += 1
        found.bytes += sealed.size
        rowless.discard(sealed.key)
        if not store.knows_key(sealed.key_id):
            if sealed.key not in listed:
                found.missing.append(sealed.key)
        elif deep or sealed.key not in listed:  # not listed: it may have been written since
            _look_at(sealed, found, deep=deep)
    old = sorted(key for key in rowless if listed[key] < before and objects.is_ours(key))
    found.orphans = _without_row(old)
    return found


def _look_at(sealed: store.Sealed, found: Findings, *, deep: bool) -> None:
    digest = hashlib.sha256()
    try:
        for piece in store.read(sealed) if deep else store.read(sealed, 0, 1):
            digest.update(piece)
    except store.FileMissingError:
        if _without_row([sealed.key]):
            return  # deleted, with its row, since we began
        found.missing.append(sealed.key)
        return
    except store.FileDamagedError:
        found.damaged.append(sealed.key)
        return
    if deep and digest.hexdigest() != sealed.sha256:
        found.damaged.append(sealed.key)


def _rows() -> Iterator[store.Sealed]:
    """Every row in the order of its id; a batch at a time, so that no long read holds the database."""
    last_id = 0
    while True:
        batch = db.session.execute(
            select(
                *(StoredFile.id, StoredFile.key, StoredFile.wrapped_key),
                *(StoredFile.key_id, StoredFile.size, StoredFile.sha256),
            )
            .where(StoredFile.id > last_id)
            .order_by(StoredFile.id)
            .limit(ROWS_AT_ONCE)
        ).all()
        db.session.rollback()
        if not batch:
            return
        last_id = batch[-1].id
        for row in batch:
            yield store.Sealed(row.key, row.wrapped_key, row.key_id, row.size, row.sha256)


def _without_row(keys: list[str]) -> list[str]:
    """Those of ``keys`` that no row names by now."""
    remaining = iter(keys)
    rowless: list[str] = []
    while batch := list(islice(remaining, ROWS_AT_ONCE)):
        rowless += keys_without_row(batch)
        db.session.rollback()
    return rowless

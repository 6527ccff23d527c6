"""Column types and engine habits shared by all models.

* ``UtcDateTime``: aware datetimes in and out, stored without zone as UTC; a naive value is an error.
* ``Encrypted``: text kept under AES-GCM with a key derived from the instance's secret key.
* ``person_hash``: a keyed hash, so that equality can be searched without keeping the plain value.
* SQLite runs in WAL mode with foreign keys on; a command begins with ``BEGIN IMMEDIATE`` so that two writers wait
  for each other instead of failing half-way. What is deleted is overwritten (``secure_delete``).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import DateTime, Dialect, Engine, Text, TypeDecorator, event, text
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Session, SessionTransaction

T = TypeVar("T")

NONCE_BYTES = 12
WRITES = "saishi_writes"
"""Execution option of a connection that a command uses: it will write."""


class _Keys:
    """Keys of this process, derived from the secret key by ``configure_keys``."""

    cipher: AESGCM | None = None
    hashing: bytes | None = None


def configure_keys(secret: str) -> None:
    """Derive the encryption and hashing keys; called once by ``create_app``."""
    _Keys.cipher = AESGCM(_derive(secret, b"saishi column encryption"))
    _Keys.hashing = _derive(secret, b"saishi equality hash")


def key_check(secret: str) -> str:
    """64 hex digits that tell whether a secret key is the one used before, and nothing else about it."""
    return _derive(secret, b"saishi key check").hex()


def _derive(secret: str, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())


class DecryptionError(Exception):
    """The secret key is not the one this data was written with."""


def encrypt(plain: str) -> str:
    if _Keys.cipher is None:
        raise RuntimeError("configure_keys() was not called")
    nonce = os.urandom(NONCE_BYTES)
    return base64.urlsafe_b64encode(nonce + _Keys.cipher.encrypt(nonce, plain.encode(), None)).decode()


def decrypt(stored: str) -> str:
    if _Keys.cipher is None:
        raise RuntimeError("configure_keys() was not called")
    raw = base64.urlsafe_b64decode(stored)
    try:
        return _Keys.cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], None).decode()
    except InvalidTag as error:
        raise DecryptionError("this data was written with another secret key") from error


def person_hash(identity: str) -> str:
    """A keyed SHA-256 of an identity (ID number, phone), 64 hex digits; equal only for equal identities."""
    if _Keys.hashing is None:
        raise RuntimeError("configure_keys() was not called")
    return hmac.new(_Keys.hashing, identity.encode(), hashlib.sha256).hexdigest()


def lock_name(session: Session, name: str) -> None:
    """Let commands that name the same thing run one after the other, until each one's transaction ends.

    For things that have no row to lock yet. On SQLite a command holds the write lock anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


_READ = "saishi_read_in_this_transaction"


def once(session: Session, key: tuple[str, int], read: Callable[[], T]) -> T:
    """What ``read`` gives, read once in a transaction: for what never changes, such as a frozen text."""
    known = session.info.setdefault(_READ, {})
    if key not in known:
        known[key] = read()
    return cast("T", known[key])


@event.listens_for(Session, "after_transaction_end")
def _forget(session: Session, transaction: SessionTransaction) -> None:
    if transaction.parent is None:
        session.info.pop(_READ, None)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored as UTC without zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive datetime {value}")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Encrypted(TypeDecorator[str]):
    """Text that only this instance can read. Not searchable: keep a ``person_hash`` beside it for that."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else encrypt(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        return None if value is None else decrypt(value)


def empty_journal(engine: Engine) -> bool:
    """Move SQLite's journal (WAL) into the database and cut it to nothing: older pages in it still hold what was deleted.

    False where a reader was in the way; the next run does it. Other databases do this by themselves (autovacuum).
    """
    if engine.dialect.name != "sqlite":
        return True
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        answer = cursor.fetchone()  # busy, pages in the journal, pages moved
        cursor.close()
    finally:
        connection.close()
    return answer is not None and not answer[0]


@event.listens_for(Engine, "connect")
def _prepare_sqlite(connection: Any, _record: Any) -> None:
    if not isinstance(connection, sqlite3.Connection):
        return
    connection.isolation_level = None  # we send BEGIN ourselves, below
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 20000")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA secure_delete = ON")  # a wrapped key or an ID number leaves nothing in freed pages
    cursor.close()


@event.listens_for(Engine, "begin")
def _begin_sqlite(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

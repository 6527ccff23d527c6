"""The file store (文件存储): encrypted objects by key, in the instance folder or an S3-compatible store.

A feature writes a file under a random key, keeps the ``Sealed`` it gets in a row, and reads with it. The row holds
the only copy of the file's data key: deleting the row makes every copy of the object unreadable, in backups too.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from app.files.encryption import CHUNK, TAG, Keys, Opening, Sealing, chunk_count, sealed_size
from app.files.errors import (
    Fault,
    FileDamagedError,
    FileMissingError,
    KeyUnknownError,
    StoreDownError,
)
from app.files.places import Patience, Place
from app.settings import Settings

__all__ = [
    "Fault",
    "FileDamagedError",
    "FileMissingError",
    "KeyUnknownError",
    "Patience",
    "Sealed",
    "StoreDownError",
    "check",
    "configure",
    "delete",
    "discard_unfinished",
    "keys",
    "knows_key",
    "newest_key_id",
    "read",
    "rewrap",
    "write",
]

LONGEST_KEY = 120
CHUNKS_AT_ONCE = 16
"""Chunks asked for in one request: 1 MiB, so that a reader holds little and a distant store is not asked too often."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a row keeps of a stored file. ``size`` (bytes) and ``sha256`` (64 hex digits) are of the plain content."""

    key: str
    wrapped_key: str = field(repr=False)
    key_id: str
    size: int
    sha256: str


class _State:
    """The store of this process, set by ``configure``."""

    settings: Settings | None = None
    patience = Patience()
    keys: Keys | None = None
    place: Place | None = None


def configure(settings: Settings, patience: Patience | None = None) -> None:
    """Use this installation's store and keys; called once by ``create_app``. Touches neither folder nor network.

    The key that follows from the secret key is always the oldest, so that files from before ``SAISHI_FILE_KEYS``
    was set stay readable.
    """
    _State.settings, _State.place = settings, None
    _State.patience = patience or Patience()
    _State.keys = Keys([*settings.file_keys, settings.secret_key])


def write(key: str, content: Iterable[bytes]) -> Sealed:
    """Encrypt ``content`` and store it under ``key``, whole or not at all; an older object of that key is replaced.

    ``content`` may come in pieces of any size and is never held as a whole. Raises ``StoreDownError``, and
    ``ValueError`` for a key that is no plain path.
    """
    place, installation = _place(), _keys()
    sealing = Sealing(_checked(key), content)
    place.put(key, sealing)
    wrapped_key, key_id = installation.wrap(sealing.data_key)
    return Sealed(key, wrapped_key, key_id, sealing.size, sealing.sha256)


def read(sealed: Sealed, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The content from byte ``start`` to before ``end`` (the end of the file if None or beyond it), in pieces.

    The first piece is fetched at the call, so that what is missing or damaged there is known before an answer begins.
    Only chunks that overlap the range are fetched. Raises ``FileMissingError``, ``FileDamagedError`` (also while
    pieces are taken; never after a byte that was not written) and ``StoreDownError``.
    """
    stop = sealed.size if end is None else min(end, sealed.size)
    if not 0 <= start <= max(stop, 0) or (end is not None and end < start):
        raise ValueError(f"no range: {start} to {end} of {sealed.size}")
    if start == stop and sealed.size > 0:
        return iter(())
    opening = Opening(_checked(sealed.key), _keys().unwrap(sealed.wrapped_key, sealed.key_id), sealed.size)
    pieces = _pieces(_place(), sealed, opening, start, stop)
    first = next(pieces)
    return _with_first(first, pieces)


def delete(keys: Iterable[str]) -> None:
    """Remove the objects of ``keys``; one that is missing is no error. Raises ``StoreDownError``."""
    _place().delete([_checked(key) for key in keys])


def keys(prefix: str = "") -> Iterator[tuple[str, datetime]]:
    """Every key in the store, or in its folder ``prefix``, and when it was written; for the sweep of orphans."""
    return _place().listed(_checked(prefix.rstrip("/")) if prefix else "")


def rewrap(wrapped_key: str, key_id: str) -> tuple[str, str]:
    """The same data key wrapped by the newest key, and that key's name. The object stays as it is.

    Raises ``KeyUnknownError`` and ``FileDamagedError``.
    """
    return _keys().wrap(_keys().unwrap(wrapped_key, key_id))


def newest_key_id() -> str:
    """The name of the key that new files are written with."""
    return _keys().newest


def knows_key(key_id: str) -> bool:
    """Whether the settings hold the key of that name."""
    return key_id in _keys()


def discard_unfinished(before: datetime) -> int:
    """Remove what writers that ended half-way before that moment left in a local store; how many."""
    return _place().discard_unfinished(before)


def check(settings: Settings, patience: Patience | None = None) -> None:
    """Write, read and delete a small object where ``settings`` say, whatever this process uses.

    Raises ``StoreDownError`` with what is wrong, ``FileDamagedError`` for a store that does not keep what it is given.
    """
    place = _opened(settings, patience or Patience(), quiet=True)
    key, content = f"probe/{secrets.token_hex(16)}", secrets.token_bytes(16)
    place.put(key, [content])
    found = bytes(place.get(key, 0, len(content), len(content)))
    place.delete([key])
    if found != content:
        raise FileDamagedError


def _pieces(place: Place, sealed: Sealed, opening: Opening, start: int, stop: int) -> Iterator[bytes]:
    size = sealed_size(sealed.size)
    first, beyond = start // CHUNK, chunk_count(stop)
    for index in range(first, beyond, CHUNKS_AT_ONCE):
        following = min(index + CHUNKS_AT_ONCE, beyond)
        whole = place.get(sealed.key, index * (CHUNK + TAG), min(following * (CHUNK + TAG), size), size)
        for number, chunk in enumerate(opening.chunks(whole, index), index):
            begin = number * CHUNK
            yield chunk[max(start - begin, 0) : stop - begin]


def _with_first(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _checked(key: str) -> str:
    """``key`` if it is a plain relative path. Raises ``ValueError`` for anything that could lead out of the store."""
    if len(key) > LONGEST_KEY or not re.fullmatch(
        r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*", key
    ):
        raise ValueError(
            "a key is made of letters, digits, '_', '-', '.' and '/', and no part begins with '.'"
        )
    return key


def _keys() -> Keys:
    if _State.keys is None:
        raise RuntimeError("store.configure() was not called")
    return _State.keys


def _place() -> Place:
    """The store, opened at its first use: a folder that cannot be made stops neither a command nor the tests."""
    if _State.place is None:
        if _State.settings is None:
            raise RuntimeError("store.configure() was not called")
        _State.place = _opened(_State.settings, _State.patience)
    return _State.place


def _opened(settings: Settings, patience: Patience, *, quiet: bool = False) -> Place:
    bucket = settings.bucket
    if bucket:
        return Place.s3(bucket, patience, quiet=quiet)
    return Place.local(settings.instance / "files", quiet=quiet)

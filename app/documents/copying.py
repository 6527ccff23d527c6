"""A copy of everything held of a member (个人信息副本): a zip that is made while it is sent and kept nowhere."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from app.documents.queries.privacy import CopiedFile
from app.files import store
from app.files.store import FileDamagedError, FileMissingError
from app.text import BEIJING


class _Outlet:
    """A file that cannot go back: what is written is taken out and sent."""

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def write(self, content: bytes) -> int:
        self._held.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """There is nothing behind it."""

    def taken(self) -> bytes:
        content = b"".join(self._held)
        self._held.clear()
        return content


def archive(document: Mapping[str, Any], files: Sequence[CopiedFile], now: datetime) -> Iterator[bytes]:
    """The zip in pieces: ``data.json``, then each file, decrypted as it is sent. Asks no database.

    A file that was deleted since, or is damaged, is named in ``missing.txt``. Raises ``StoreDownError`` half-way, so that the
    download fails instead of looking whole.
    """
    outlet = _Outlet()
    missing: list[str] = []
    moment = now.astimezone(BEIJING)
    with zipfile.ZipFile(cast("Any", outlet), "w") as made:
        with made.open(_entry("data.json", moment, zipfile.ZIP_DEFLATED), "w") as entry:
            entry.write(json.dumps(document, ensure_ascii=False, indent=2).encode())
        yield outlet.taken()
        for file in files:
            try:
                pieces = store.read(file.sealed)
            except (FileMissingError, FileDamagedError):
                missing.append(file.name)
                continue
            with made.open(_entry(file.name, moment, zipfile.ZIP_STORED), "w") as entry:
                try:
                    for piece in pieces:
                        entry.write(piece)
                        yield outlet.taken()
                except (
                    FileMissingError,
                    FileDamagedError,
                ):  # further on; what came before it is as it was sent
                    missing.append(file.name)
        if missing:
            with made.open(_entry("missing.txt", moment, zipfile.ZIP_DEFLATED), "w") as entry:
                entry.write("\n".join(missing).encode())
    yield outlet.taken()


def _entry(name: str, moment: datetime, compression: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, moment.timetuple()[:6])
    entry.compress_type = compression
    return entry

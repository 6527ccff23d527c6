"""A file of a copy, and how moments are written in one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.files.store import Sealed

ENDINGS = {"image/jpeg": "jpg", "application/pdf": "pdf"}


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A file of a copy: its name in the archive, and how it is read."""

    name: str
    sealed: Sealed


def moment(value: datetime | None) -> str | None:
    return value.isoformat() if value else None

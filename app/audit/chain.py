"""The hash chain of the audit entries: how a link is computed and how the whole chain is checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Protocol

GENESIS = "0" * 64


class Link(Protocol):
    """What ``check`` needs of an entry."""

    id: Any
    at: Any
    actor_kind: Any
    user_id: Any
    action: Any
    subject_type: Any
    subject_id: Any
    details: Any
    previous_hash: Any
    hash: Any


def link_hash(
    previous_hash: str,
    *,
    at: datetime,
    actor_kind: str,
    user_id: int | None,
    action: str,
    subject_type: str,
    subject_id: str,
    details: dict[str, Any],
) -> str:
    """SHA-256 (hex) over the previous link and the canonical JSON of this one."""
    body = {
        "previous": previous_hash,
        "at": at.isoformat(),
        "actor_kind": actor_kind,
        "user_id": user_id,
        "action": action,
        "subject": [subject_type, subject_id],
        "details": details,
    }
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def first_broken(entries: Iterable[Link]) -> Any | None:
    """The id of the first entry, in order, that does not follow from the one before it; None if all do."""
    previous = GENESIS
    for entry in entries:
        expected = link_hash(
            previous,
            at=entry.at,
            actor_kind=entry.actor_kind,
            user_id=entry.user_id,
            action=entry.action,
            subject_type=entry.subject_type,
            subject_id=entry.subject_id,
            details=entry.details,
        )
        if entry.previous_hash != previous or entry.hash != expected:
            return entry.id
        previous = entry.hash
    return None

"""The standings computed from what is stored: reads only, so that no referee's phone waits for it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.competitions import queries as competitions
from app.standings import queries
from app.standings.rules import canonical_bytes
from scoring_engine import event_file


@dataclass(frozen=True, slots=True)
class Computed:
    """What the engine made of one results version: a snapshot that is not stored yet. ``result``: the ``saishi-score`` document."""

    event_id: int
    results_version: int
    input_sha256: str
    regulation_version_id: int
    result: Mapping[str, Any]


def computed(event_id: int) -> Computed | None:
    """The newest results version of an event computed, or None where its snapshot is stored already, or the event was deleted.

    Everything has to be read of one moment: under the event's lock, or in ``one_moment``.
    """
    if not competitions.event_is_there(event_id):
        return None  # the job was sent before its rehearsal was deleted
    event = competitions.event(event_id)
    if queries.latest_version(event_id) >= event.results_version:
        return None
    document = queries.event_file(event_id)
    return Computed(
        event_id=event_id,
        results_version=event.results_version,
        input_sha256=hashlib.sha256(canonical_bytes(document)).hexdigest(),
        regulation_version_id=event.regulation_version_id,
        result=event_file.score(document, event.regulation.scoring_rules()),
    )

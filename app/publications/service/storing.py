"""A list as it is hashed and stored: the one place that writes its text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.clock import beijing
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView, EventView
from app.publications.models import Publication
from app.publications.rules import (
    FORMAT,
    FORMAT_VERSION,
    CountedFrom,
    ListKind,
    PublishedEntry,
    canonical_listing,
)
from app.workdays.rules import Window


@dataclass(frozen=True, slots=True)
class Correction:
    """The list whose place is taken, and why, in words for everybody."""

    row: Publication
    reason: str


def store(
    ctx: CommandContext,
    event: EventView,
    lines: Sequence[PublishedEntry],
    window: tuple[Window, CountedFrom],
    *,
    kind: ListKind,
    number: int,
    correction: Correction | None = None,
) -> Publication:
    """Freeze a list that comes out now. The caller holds the event's lock and flushes."""
    days, counted_from = window
    listing = canonical_listing(
        _document(
            ctx,
            competitions.competition_by_id(event.competition_id),
            event,
            lines,
            window,
            kind=kind,
            number=number,
            correction=correction,
        )
    )
    made = Publication(
        event_id=event.id,
        number=number,
        regulation_version_id=event.regulation_version_id,
        listing=listing,
        sha256=hashlib.sha256(listing.encode()).hexdigest(),
        published_at=ctx.now,
        published_by_id=ctx.actor.user_id,
        counted_from=counted_from.value,
        first_day=days.first_day,
        last_day=days.last_day,
        ends_at=days.ends_at,
        days=[day.isoformat() for day in days.days],
        kind=kind.value,
        supersedes_id=correction.row.id if correction else None,
        reason=correction.reason if correction else None,
    )
    ctx.session.add(made)
    return made


def _document(
    ctx: CommandContext,
    competition: CompetitionView,
    event: EventView,
    lines: Sequence[PublishedEntry],
    window: tuple[Window, CountedFrom],
    *,
    kind: ListKind,
    number: int,
    correction: Correction | None,
) -> dict[str, Any]:
    """What is hashed: the list and its window, and nothing about anybody but name and unit."""
    days, counted_from = window
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "kind": kind.value,
        "competition": {"slug": competition.slug, "name": competition.name},
        "event": {"code": event.code, "name": event.name},
        "regulation_sha256": event.regulation.sha256,
        "number": number,
        "registration_closes": event.regulation.calendar.registration_closes.isoformat(),
        "published_at": beijing(ctx.now).isoformat(timespec="seconds"),
        "window": {
            "counted_from": counted_from.value,
            "days": [day.isoformat() for day in days.days],
            "ends": beijing(days.ends_at).isoformat(),
        },
        "entries": [
            {
                "number": line.number,
                "entrant": f"e{line.entry_id}",
                "name": line.name,
                "unit": line.unit,
                "event": event.name,
            }
            for line in lines
        ],
    }
    if correction is not None:
        document["supersedes"] = {"number": correction.row.number, "sha256": correction.row.sha256}
        document["reason"] = correction.reason
    return document

"""Regulation A with a quota of each unit, or saying something else of changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.actors import Role
from app.commands import command
from app.competitions import service
from app.regulations import library
from app.regulations.rules import Regulation
from tests.factories import accounts, registrations


def competition_with_quota(limit: int, slug: str = "beach") -> None:
    document = library.load("beach-games-landlord-2021").document
    document["registration"]["entries_per_unit"]["limit"] = limit
    _create(document, slug)


def competition_saying(slug: str = "beach", **changes: Any) -> None:
    """``published_again`` and the like."""
    document = library.load("beach-games-landlord-2021").document
    document["registration"]["changes"] |= changes
    _create(document, slug)


def _create(document: dict[str, Any], slug: str) -> None:
    with command(accounts.user(registrations.ORGANISER, Role.ORGANISER)) as ctx:
        service.create_competition(
            replace(ctx, now=min(ctx.now, registrations.OPEN)),
            regulation=Regulation.from_document(document),
            place="三亚",
            slug=slug,
        )

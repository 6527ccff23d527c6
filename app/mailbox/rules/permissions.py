"""Who reads and sorts incoming mail."""

from __future__ import annotations

from app.actors import Actor, Role

EVERYWHERE = (Role.ORGANISER, Role.COMMITTEE)
"""Held everywhere: who sorts letters that belong to no competition yet; somebody has to read them for that."""

COMMITTEE = (Role.COMMITTEE,)
"""Who reads letters of a competition: they may name who reports whom, so the organiser does not."""


def may_read(actor: Actor, competition_id: int | None) -> bool:
    return actor.has(competition_id, *(EVERYWHERE if competition_id is None else COMMITTEE))


def scopes(actor: Actor) -> frozenset[int | None] | None:
    """The competitions whose letters somebody reads, None among them for letters of none yet; None alone: every letter."""
    if actor.has(None, *COMMITTEE):
        return None
    found: set[int | None] = {each for each in actor.competitions_with(*COMMITTEE) if each is not None}
    return frozenset(found | {None}) if may_read(actor, None) else frozenset(found)


def require_may_read(actor: Actor, competition_id: int | None) -> None:
    """Raises ``ForbiddenError`` or ``SignInRequiredError``."""
    actor.require(competition_id, *(EVERYWHERE if competition_id is None else COMMITTEE))

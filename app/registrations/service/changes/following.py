"""What later features do with a granted change. Registrations know none of them; each is bound once, by ``create_app``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.commands import CommandContext


class Corrected(Protocol):
    """Have what was accepted of these members looked at again: their name or number is another one now."""

    def __call__(self, ctx: CommandContext, member_ids: Sequence[int]) -> None: ...


class Quitting(Protocol):
    """An entry that was drawn plays no further round (退赛), where rounds are still to be drawn; what was played stays.

    ``reason`` is kept beside it; None: its leader withdrew it.
    """

    def __call__(
        self, ctx: CommandContext, event_id: int, entry_id: int, *, reason: str | None = None
    ) -> None: ...


class _Bound:
    corrected: Corrected | None = None
    quitting: Quitting | None = None


def bind_corrected(corrected: Corrected) -> None:
    _Bound.corrected = corrected


def bind_quitting(quitting: Quitting) -> None:
    _Bound.quitting = quitting


def members_corrected(ctx: CommandContext, member_ids: Sequence[int]) -> None:
    if _Bound.corrected is not None:
        _Bound.corrected(ctx, member_ids)


def quits(ctx: CommandContext, event_id: int, entry_id: int, *, reason: str | None = None) -> None:
    if _Bound.quitting is not None:
        _Bound.quitting(ctx, event_id, entry_id, reason=reason)

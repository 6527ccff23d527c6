"""Members who leave (移除、退赛): later features delete what they hold of them. Registrations know none of those.

The feature is bound once, when the application is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.commands import CommandContext


class Leaving(Protocol):
    """Delete what is held of members who are about to be withdrawn, or ``removed`` with their rows, in the same command."""

    def __call__(self, ctx: CommandContext, member_ids: Sequence[int], *, removed: bool) -> None: ...


class _Bound:
    leaving: Leaving | None = None


def bind_leaving(leaving: Leaving) -> None:
    """Call this from now on; called once by ``create_app``."""
    _Bound.leaving = leaving


def members_leave(ctx: CommandContext, member_ids: Sequence[int], *, removed: bool) -> None:
    if _Bound.leaving is not None and member_ids:
        _Bound.leaving(ctx, member_ids, removed=removed)

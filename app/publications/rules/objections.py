"""Objections that are not decided yet (异议): they hold a list back. What a later feature says of them.

Publications come before objections and know none. The feature that does is bound once in every process, when the application is
made; without it no list has any. A list that takes the place of another is held by what was said against the one before, too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol


class OpenObjections(Protocol):
    """How many objections to each of these lists (ids) are open; a list without one may be left out."""

    def __call__(self, publication_ids: Collection[int], /) -> Mapping[int, int]: ...


class _Bound:
    open_objections: OpenObjections | None = None


def bind_open_objections(open_objections: OpenObjections | None) -> None:
    """Ask this from now on; called once by ``create_app``. None asks nobody."""
    _Bound.open_objections = open_objections


def open_objections(publication_ids: Collection[int]) -> Mapping[int, int]:
    if _Bound.open_objections is None or not publication_ids:
        return {}
    return _Bound.open_objections(publication_ids)

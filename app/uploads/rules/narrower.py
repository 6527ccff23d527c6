"""What one form takes (更小的限制): a feature whose form has narrower limits than its purpose says them when a file is announced.

Uploads know none of those features. One is bound when the application is made; without it the purpose's limits hold.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from app.uploads.rules import Purpose, purpose


class Narrower(Protocol):
    """What the document ``kind`` of ``subject`` takes; None where the feature has no say about the purpose.

    Raises what refuses a subject or kind that is not this person's.
    """

    def __call__(
        self, slug: str, user_id: int, code: str, *, subject: str, kind: str, now: datetime
    ) -> Purpose | None: ...


class _Bound:
    narrower: Narrower | None = None


def bind_narrower(narrower: Narrower) -> None:
    """Ask this from now on; called once by ``create_app``."""
    _Bound.narrower = narrower


def wanted_for(slug: str, user_id: int, code: str, *, subject: str, kind: str, now: datetime) -> Purpose:
    """The limits of a file of the purpose ``code``, which may be meant for one document. Raises ``UnknownPurposeError``."""
    usual = purpose(code)
    if _Bound.narrower is None or not (subject and kind):
        return usual
    return _Bound.narrower(slug, user_id, code, subject=subject, kind=kind, now=now) or usual

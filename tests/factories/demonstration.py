from __future__ import annotations

from app.demonstration import queries
from app.demonstration.queries import Cast


def user_of(part: Cast) -> int:
    """The user who plays ``part``; the demonstration must be seeded."""
    return queries.user_of(part)

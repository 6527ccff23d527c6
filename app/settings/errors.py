"""What every setting shares: its prefix, and the refusal of one that cannot be used."""

from __future__ import annotations

PREFIX = "SAISHI_"
SHORTEST_SECRET = 32
"""Characters of a secret key; a shorter one could be guessed from a copy of the database."""


class SettingsError(Exception):
    """A setting that cannot be used; the sentence names it."""

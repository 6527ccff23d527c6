"""Commit and reveal: a seed that was fixed before the draw, and what the public added to it (docs/draws.md).

Before the draw the committee publishes `commitment_of(seed)`, the time, and `entrants_sha256` of the frozen entrant
list. A public contribution (a lottery number, spectators' words) may follow. After the draw both are published, and
anyone can check that the commitment is of that seed and that the tables come out of `mixed_seed`.
"""

import hashlib
import json
import unicodedata
from collections.abc import Sequence

LONGEST_CONTRIBUTION = 200


def commitment_of(committed_seed: bytes) -> str:
    """SHA-256 (hex) of the bytes of the seed."""
    return hashlib.sha256(committed_seed).hexdigest()


def normal_contribution(written: str) -> str:
    """A contribution as it is published and hashed: Unicode NFC, white space at the ends cut, each run of it one space."""
    return " ".join(unicodedata.normalize("NFC", written).split())


def mixed_seed(committed_seed: bytes, contribution: str | None) -> bytes:
    """The seed of the draw: SHA-256 of the committed seed followed by the contribution in UTF-8; without a contribution
    the committed seed itself.

    The commitment fixes the committed seed, its length too, so the two parts cannot be divided in another way.
    """
    if not contribution:
        return committed_seed
    return hashlib.sha256(committed_seed + contribution.encode()).digest()


def entrants_sha256(entrants: Sequence[str]) -> str:
    """SHA-256 (hex) of the entrant list: the UTF-8 text of the JSON list of the ids, sorted by code point, without
    spaces and without \\u escapes."""
    text = json.dumps(sorted(entrants), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

"""A corpus of made-up files, good and bad, each with what has to come of it; everything is made when it is asked for.

``samples()`` gives them all. The pictures are a card with a colour in each corner, so that turning, mirroring and colours
can be checked by looking at four pixels; no file shows or names anybody.
"""

from __future__ import annotations

from tests.app.files.corpus import documents, photos, refused
from tests.app.files.corpus.sample import Bad, Good, Sample

__all__ = ["Bad", "Good", "Sample", "samples"]


def samples() -> list[Sample]:
    """All of them, each under a name of its own."""
    found = [*photos.samples(), *documents.samples(), *refused.samples()]
    names = [each.name for each in found]
    assert len(names) == len(set(names))
    return found

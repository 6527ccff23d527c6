"""One file from what was sent to what is kept, in this process."""

from __future__ import annotations

from pathlib import Path

from app.files.cleaning import refusals
from app.files.cleaning.kinds import Kind, kind_of, misnamed
from app.files.cleaning.results import Cleaned, Limits, Made, Note


def clean(source: Path, folder: Path, *, limits: Limits | None = None, name: str = "") -> Cleaned:
    """Clean ``source`` into ``folder``, which exists and is empty.

    ``name`` is what the sender called it; it decides nothing. Raises ``FileRefusedError``.
    """
    return Cleaned.of(make(source, folder, limits or Limits(), name))


def make(source: Path, folder: Path, limits: Limits, name: str) -> Made:
    """``clean`` without weighing what came out."""
    size = source.stat().st_size
    if not size:
        raise refusals.empty()
    if size > limits.bytes:
        raise refusals.too_large(size, limits)
    kind = kind_of(source, name)
    notes = {Note.RENAMED} if misnamed(kind, name) else set()
    # each brings its own library; a photo does not wait for the one of PDFs
    if kind is Kind.PDF:
        from app.files.cleaning import pdfs

        return pdfs.make(source, folder, limits, notes)
    from app.files.cleaning import pictures

    return pictures.make(kind, source, folder, limits, notes)

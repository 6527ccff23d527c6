"""Cleaning (清理): a photo or a PDF from anybody becomes one that is safe to show to somebody else.

| accepted by content | becomes |
|---|---|
| JPEG, PNG, WebP, HEIC/HEIF | a JPEG: upright, sRGB, no EXIF, place, profile, comment or second picture |
| PDF | a PDF of its pages only: no script, action, link, form, attachment, metadata; what forms showed is part of the page |

Whatever is not carried over does not exist afterwards, so the rest of a file is not judged, with one exception: a file
that is also an archive, a page or a program (a polyglot) is refused, because nobody makes one by accident. What phones put
behind a picture (a film, a second picture, the maker's notes) is dropped without a word.

``clean`` works in this process. A worker calls ``clean_apart``: the same in a child with bounded memory, time and files,
so that no file ends the worker. Every refusal is a ``FileRefusedError`` with its reason and what would be accepted.
``scan`` asks ClamAV, where an installation has one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.files.cleaning.apart import Bounds, clean_apart
    from app.files.cleaning.making import clean
    from app.files.cleaning.refusals import FileRefusedError, Refusal
    from app.files.cleaning.results import Cleaned, CleanedPage, Limits, Note
    from app.files.cleaning.scanning import InfectedError, ScannerDownError, scan

__all__ = [
    "Bounds",
    "Cleaned",
    "CleanedPage",
    "FileRefusedError",
    "InfectedError",
    "Limits",
    "Note",
    "Refusal",
    "ScannerDownError",
    "clean",
    "clean_apart",
    "scan",
]

# A child runs within this package for a tenth of a second; what only its parent needs is not loaded for it.
_WHERE = {
    "apart": ("Bounds", "clean_apart"),
    "making": ("clean",),
    "refusals": ("FileRefusedError", "Refusal"),
    "results": ("Cleaned", "CleanedPage", "Limits", "Note"),
    "scanning": ("InfectedError", "ScannerDownError", "scan"),
}


def __getattr__(name: str) -> Any:
    for module, names in _WHERE.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

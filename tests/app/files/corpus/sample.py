"""What a file of the corpus is, and the card that its pictures show."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from PIL import Image

from app.files.cleaning import Limits, Note, Refusal

SIZE = (640, 480)
CORNERS = ("red", "green", "blue", "yellow")
"""Top left, top right, bottom left, bottom right."""
LIMITS = Limits()
PHOTO, DOCUMENT = "image/jpeg", "application/pdf"


@dataclass(frozen=True)
class Good:
    """What a file that is taken becomes; ``corners`` in the order of ``CORNERS``, None where they are not looked at."""

    media_type: str = PHOTO
    size: tuple[int, int] | None = SIZE
    corners: tuple[str, ...] | None = CORNERS
    notes: tuple[Note, ...] = ()
    pages: int = 1


@dataclass(frozen=True)
class Bad:
    """Why a file is refused, and a piece of the sentence that says so."""

    reason: Refusal
    says: str = ""


@dataclass(frozen=True)
class Sample:
    """``apart``: only to be read by a child, because it would harm its reader."""

    name: str
    make: Callable[[], bytes]
    expected: Good | Bad
    filename: str = ""
    limits: Limits = LIMITS
    apart: bool = False


@cache
def card(width: int = SIZE[0], height: int = SIZE[1]) -> Image.Image:
    """A colour in each quarter."""
    drawn = Image.new("RGB", (width, height))
    half = (width // 2, height // 2)
    for place, colour in enumerate(CORNERS):
        left, top = half[0] * (place % 2), half[1] * (place // 2)
        drawn.paste(colour, (left, top, width if place % 2 else half[0], height if place // 2 else half[1]))
    return drawn


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def jpeg(image: Image.Image | None = None, **options: Any) -> bytes:
    return encoded(image or card(), "JPEG", **{"quality": 90, **options})

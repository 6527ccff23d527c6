"""The reader's name across a picture on the screen (水印): who photographs the screen names himself.

The font comes from a package, so that the name is drawn on every machine. A preview is small: drawing takes about
a tenth of a second, and nothing of it is kept.
"""

from __future__ import annotations

import io
from functools import lru_cache
from importlib.resources import as_file, files

from PIL import Image, ImageDraw, ImageFont

QUALITY = 85
SLANT = 24
"""Degrees; lines of text in documents are level, so the mark hides none of them."""

STRENGTH = 88
"""Of 255: read through, and seen on white and on black, for a light edge stands around dark letters."""


def marked(picture: bytes, text: str) -> bytes:
    """``picture`` (JPEG) as a JPEG with ``text`` across it, over and over."""
    with Image.open(io.BytesIO(picture)) as opened:
        image = opened.convert("RGB")
    size = max(14, min(image.size) // 28)
    letters, edge = _tile(text, size)
    for colour, tile in (((255, 255, 255), edge), ((40, 40, 40), letters)):
        mask = Image.new("L", image.size)
        for row, top in enumerate(range(-tile.height // 2, image.height, tile.height)):
            for left in range(-tile.width // 2 * (row % 2), image.width, tile.width):
                mask.paste(tile, (left, top))
        image.paste(colour, mask=mask)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


@lru_cache(maxsize=64)
def _tile(text: str, size: int) -> tuple[Image.Image, Image.Image]:
    """Two masks of the slanted text with room around it: its letters, and their edge."""
    font = _font(size)
    left, top, right, bottom = font.getbbox(text, stroke_width=2)
    box = (int(right - left) + 4 * size, int(bottom - top) + 4 * size)
    place = (2 * size - left, 2 * size - top)
    letters, edge = Image.new("L", box), Image.new("L", box)
    ImageDraw.Draw(letters).text(place, text, font=font, fill=STRENGTH)
    ImageDraw.Draw(edge).text(place, text, font=font, fill=STRENGTH, stroke_width=2, stroke_fill=STRENGTH)
    return (
        letters.rotate(SLANT, expand=True, resample=Image.Resampling.BICUBIC),
        edge.rotate(SLANT, expand=True, resample=Image.Resampling.BICUBIC),
    )


def _font(size: int) -> ImageFont.FreeTypeFont:
    """Read anew for each tile: a font is not for several threads at a time."""
    with as_file(files("pylopdf_fonts_zh_cn") / "NotoSansSC-Regular.otf") as path:
        return ImageFont.truetype(path, size)

"""Pictures of made-up documents (样张), so that the demonstration's uploads are files like any other."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.resources import as_file, files

from PIL import Image, ImageDraw, ImageFont

SIZE = (720, 1018)
"""Pixels of a sheet of A4: small, so that a start is not busy with them."""

PAPER, INK, SEAL, MARK = "#f7f4ea", "#333a46", "#b3261e", "#e3dccb"


def picture(title: str, lines: Sequence[str]) -> bytes:
    """A JPEG of a sheet with a title, these lines and a seal, and 样张 SPECIMEN across it. The same words give the same bytes."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    with as_file(files("pylopdf_fonts_zh_cn") / "NotoSansSC-Regular.otf") as path:
        heading, body, large = (ImageFont.truetype(path, size) for size in (38, 24, 110))
    for top, word in ((470, "样张"), (640, "SPECIMEN")):
        draw.text((SIZE[0] / 2, top), word, MARK, large, anchor="mm")
    draw.rectangle((32, 32, SIZE[0] - 32, SIZE[1] - 32), outline=INK, width=2)
    draw.text((SIZE[0] / 2, 110), title, INK, heading, anchor="mm")
    for number, line in enumerate(lines):
        draw.text((80, 210 + 62 * number), line, INK, body)
    draw.ellipse((490, 800, 650, 960), outline=SEAL, width=5)
    draw.text((570, 880), "样张", SEAL, heading, anchor="mm")
    out = io.BytesIO()
    image.save(out, "JPEG", quality=85)
    return out.getvalue()

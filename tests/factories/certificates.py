"""Certificates of made-up people, drawn with the font that comes with the program, as a phone would photograph them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.resources import as_file, files

from PIL import Image, ImageDraw, ImageFont


def certificate(lines: Sequence[str], *, turn: float = 0, paper: str = "#f4f1ea") -> bytes:
    """A JPEG with these lines on paper, one below the other; ``turn`` in degrees, as a hand holds a phone."""
    with as_file(files("pylopdf_fonts_zh_cn") / "NotoSansSC-Regular.otf") as path:
        font = ImageFont.truetype(path, 30)
    picture = Image.new("RGB", (900, 140 + 80 * len(lines)), paper)
    draw = ImageDraw.Draw(picture)
    for place, line in enumerate(lines):
        draw.text((70, 70 + 80 * place), line, font=font, fill="#202428")
    out = io.BytesIO()
    picture.rotate(turn, fillcolor="#8a8d90", resample=Image.Resampling.BICUBIC).save(out, "JPEG", quality=82)
    return out.getvalue()

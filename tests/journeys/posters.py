"""What a phone's camera makes of a printed QR code."""

from __future__ import annotations

import io

import zxingcpp
from PIL import Image

CENTIMETRES = 3
DOTS_PER_INCH = 150
PIXELS = round(CENTIMETRES / 2.54 * DOTS_PER_INCH)


def read_at_3_cm(png: bytes) -> str:
    """The text of a QR code printed 3 cm wide and seen at 150 dpi: 177 pixels for the whole picture."""
    picture = Image.open(io.BytesIO(png)).convert("L").resize((PIXELS, PIXELS), Image.Resampling.LANCZOS)
    found = zxingcpp.read_barcodes(picture)
    assert len(found) == 1, f"{len(found)} codes readable at {PIXELS} pixels"
    return str(found[0].text)

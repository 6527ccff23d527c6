"""Undertakings on paper (承诺书 PDF): the signed one with its signature, and blank ones to sign by hand.

Set in the font that comes with the program, so that the same text and strokes give the same bytes on every machine. A rare
character that this font does not have is drawn by another font of the machine, or is an empty box: below the text stands which
character it is, by its code.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import qrcode
from qrcode.constants import ERROR_CORRECT_M

from app.documents.rules.undertaking import NUMBER, Undertaking
from app.text import BEIJING
from app.web.printing import OWN_FONT, Sheet, not_in_own_font, sheet

TEMPLATE = "documents/undertaking.typ"


def signed_sheet(text: str, *, sha256: str, drawing: str, signed_at: datetime, address: str) -> Sheet:
    """The PDF of a signed text. ``address``: where the fingerprint is checked; empty, and the code is the fingerprint itself."""
    language = "zh" if NUMBER.zh in text.rpartition("\n")[2] else "en"
    page = _page(text, sha256)
    page |= {
        "drawing": drawing,
        "at": f"{signed_at.astimezone(BEIJING):%Y-%m-%d %H:%M:%S}",
        "code": _code(f"{address}?fingerprint={sha256}" if address else sha256),
    }
    return sheet(TEMPLATE, {"pages": [page], "words": WORDS[language], "lang": language}, font=OWN_FONT)


def blank_sheet(undertakings: Sequence[Undertaking]) -> Sheet:
    """One page for each text, with a line for the signature and the date."""
    language = undertakings[0].language
    pages = [_page(each.text, each.sha256) | {"drawing": "", "at": "", "code": []} for each in undertakings]
    return sheet(TEMPLATE, {"pages": pages, "words": WORDS[language], "lang": language}, font=OWN_FONT)


WORDS: dict[str, dict[str, str]] = {
    "zh": {
        "signature": "本人签名：",
        "date": "日期：",
        "at": "签署时间（北京时间）：",
        "fingerprint": "文本指纹（SHA-256）：",
        "rare": "生僻字（字形因机器上的字体而异，显示为空框时以编码为准）：",
        "hint": "指纹由以上文字计算得出，可在赛事网站“核对承诺书”核对。",
    },
    "en": {
        "signature": "Signature:",
        "date": "Date:",
        "at": "Signed at (Beijing time): ",
        "fingerprint": "Fingerprint of the text (SHA-256): ",
        "rare": "Rare characters (drawn by whatever font there is; where a box is empty, the code says which it is): ",
        "hint": "The fingerprint is computed from the text above and can be checked on the site of the competition.",
    },
}
"""Kept apart from the catalogue of translations: a sheet made again has to be the same."""


def _page(text: str, sha256: str) -> dict[str, Any]:
    title, *lines = text.split("\n")
    rare = "　".join(f"{each} U+{ord(each):04X}" for each in not_in_own_font(text))
    return {
        "title": title,
        "lines": lines,
        "rare": rare,
        "sha256": sha256,
        "short": f"{sha256[:4]} {sha256[4:8]}".upper(),
    }


def _code(content: str) -> list[str]:
    """A QR code, row by row, `1` for a dark module."""
    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=0)
    code.add_data(content)
    code.make(fit=True)
    return ["".join("1" if dark else "0" for dark in row) for row in code.get_matrix()]

"""Sheets for paper (PDF), set by Typst from a template of ours and data that is never read as markup.

The data goes in as one JSON text; the template shows its strings, so nothing in a name can be a command. Compiling sees
the folder of the template only, and nothing is fetched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from flask import Response, request

TEMPLATES = Path(__file__).parents[2] / "templates"

CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Serif CJK SC",
    "Source Han Serif SC",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimSun",
    "Droid Sans Fallback",
)
"""Fonts with Chinese characters, the best for paper first; the first one this machine has is used."""

OWN_FONT = "Noto Sans SC"
"""The font that comes with the program, for sheets that must be the same on every machine, and machines without another."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A PDF, and a tag that is another one whenever anything on it is."""

    content: bytes
    tag: str


def sheet(template: str, data: Mapping[str, Any], font: str | None = None) -> Sheet:
    """A template (``regulations/rules.typ``) filled with ``data``; the same data gives the same bytes.

    ``font`` is one that must be used; else it is the best of this machine.
    """
    font = font or chinese_font(families())
    body = json.dumps({**data, "font": font}, ensure_ascii=False, sort_keys=True)
    source = TEMPLATES / template
    tag = hashlib.sha256(source.read_bytes() + body.encode()).hexdigest()
    return Sheet(_compiled(template, body, tag), tag)


def chinese_font(known: frozenset[str]) -> str:
    """The font to set Chinese in; ours, which has no bold, where the machine has none."""
    return next((name for name in CHINESE_FONTS if name in known), OWN_FONT)


@cache
def _fonts() -> Any:
    import typst  # a large library: loaded when the first sheet is asked for

    with as_file(files("pylopdf_fonts_zh_cn")) as own:
        return typst.Fonts(include_system_fonts=True, include_embedded_fonts=True, font_paths=[own])


def not_in_own_font(text: str) -> tuple[str, ...]:
    """The characters of ``text`` that our font cannot draw, in order: another font of the machine does, or an empty box stands there."""
    nothing = _drawn("\U0010ffff")  # no character, in any font
    return tuple(each for each in dict.fromkeys(text) if not each.isspace() and _drawn(each) == nothing)


@lru_cache(maxsize=4096)
def _drawn(character: str) -> tuple[tuple[int, int], bytes]:
    mask = _own_face().getmask(character)
    return mask.size, bytes(mask)


@cache
def _own_face() -> Any:
    from PIL import ImageFont

    with as_file(files("pylopdf_fonts_zh_cn")) as own:
        return ImageFont.truetype(own / "NotoSansSC-Regular.otf", 24)


def families() -> frozenset[str]:
    """The fonts of this machine, looked for once in a process."""
    return frozenset(_fonts().families())


@lru_cache(maxsize=32)
def _compiled(template: str, body: str, _tag: str) -> bytes:
    import typst

    source = TEMPLATES / template
    made: bytes = typst.compile(
        source, root=source.parent, font_paths=_fonts(), format="pdf", sys_inputs={"data": body}, timestamp=0
    )
    return made


def pdf(made: Sheet, name: str) -> Response:
    """A sheet as an answer: shown in the browser, kept under ``name``, not sent again while nothing on it changes."""
    answer = Response(made.content, mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    answer.set_etag(made.tag)
    answer.headers["Vary"] = "Accept-Language, Cookie"
    answer.make_conditional(request)
    return answer

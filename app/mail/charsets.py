"""Letters of bytes: Chinese mail declares its charset wrongly or not at all, so what is declared is only the first guess.

* UTF-8 shows itself: bytes that are whole UTF-8 with a character of three bytes are hardly ever anything else.
* GB2312, GBK and GB18030 are read by the last, which contains the others; Big5 by its Hong Kong superset.
* GB18030 and Big5 share most byte pairs. The right one gives common characters, the other one rare ones.
"""

from __future__ import annotations

import re
from functools import cache

CHINESE = "gb18030"
TRADITIONAL = "big5hkscs"

_NAMES = {
    "gb2312": CHINESE, "gb231280": CHINESE, "csgb2312": CHINESE, "euccn": CHINESE, "gbk": CHINESE, "xgbk": CHINESE,
    "cp936": CHINESE, "ms936": CHINESE, "windows936": CHINESE, "gb18030": CHINESE, "gb180302000": CHINESE,
    "gb180302005": CHINESE, "gb180302022": CHINESE,
    "big5": TRADITIONAL, "csbig5": TRADITIONAL, "big5hkscs": TRADITIONAL, "cp950": TRADITIONAL, "xxbig5": TRADITIONAL,
    "big5eten": TRADITIONAL, "hzgb2312": "hz", "hz": "hz",
    "utf8": "utf-8", "unicode11utf8": "utf-8", "utf7": "utf-7", "utf16": "utf-16", "utf16le": "utf-16-le",
    "utf16be": "utf-16-be", "utf32": "utf-32",
    "usascii": "ascii", "ascii": "ascii", "iso2022jp": "iso2022_jp", "shiftjis": "cp932", "sjis": "cp932",
    "windows31j": "cp932", "eucjp": "euc_jp", "euckr": "cp949", "ksc56011987": "cp949", "koi8r": "koi8-r",
    "iso88591": "cp1252", "latin1": "cp1252", "windows1252": "cp1252",
}  # fmt: skip
_NAMES |= {f"iso8859{number}": f"iso8859_{number}" for number in (*range(2, 12), *range(13, 17))}
_NAMES |= {f"windows{number}": f"cp{number}" for number in (1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258)}

_SINGLE_BYTE = frozenset({"ascii", "cp1252"})
"""Declared by programs that do not know what they send: high bytes in it are guessed anew."""

_SEVEN_BIT = frozenset({"hz", "iso2022_jp", "utf-7", "utf-16", "utf-16-le", "utf-16-be", "utf-32"})
"""Told only by what is declared: their bytes look like something else."""

SAMPLE = 4096
"""Characters that are looked at to tell one charset from another."""

_FREQUENT = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定"
    "這個國時來們於對會發動過說產種後單隊報請異議公示參賽選手成績名單證據"
    "请您好附件报名参赛选手单位队员异议证据名单关于体育局学校比赛棋牌协会组委会"
)


def known(name: str) -> str | None:
    """The codec for a charset as it is declared, or None. Only these are ever asked for: some codecs are no charsets."""
    return _NAMES.get(re.sub(r"[^a-z0-9]", "", name.partition("*")[0].lower()))


def text_of(content: bytes, declared: str = "", hint: str = "") -> str:
    """``content`` as text: by what is ``declared`` if that can be, else by what it looks like. Never raises.

    ``hint`` is the charset of something near, such as the body's for a subject: asked where nothing is declared.
    """
    codec = known(declared) or known(hint)
    if codec in _SEVEN_BIT:
        try:
            return content.decode(codec)
        except (UnicodeError, ValueError):
            pass
    if content.isascii():
        return content.decode("ascii")
    if _is_utf8(content, wanted=codec == "utf-8"):
        return content.decode("utf-8", "replace")
    if codec and codec not in _SINGLE_BYTE and codec != "utf-8":
        try:
            decoded = content.decode(codec)
        except (UnicodeError, ValueError):
            pass
        else:
            return _better(content, decoded, codec)
    return _guessed(content)


def _is_utf8(content: bytes, *, wanted: bool) -> bool:
    """Whether this is UTF-8; one broken place at the end, or one in some thousand bytes, may be the work of a relay."""
    try:
        decoded = content.decode("utf-8")
        return wanted or any(char >= "\u0800" for char in decoded)
    except UnicodeDecodeError:
        pass
    decoded = content.decode("utf-8", "replace")
    broken = decoded.count("\ufffd")
    whole = sum(char >= "\u0800" for char in decoded) - broken
    return whole > (4 if wanted else 20) * broken


def _better(content: bytes, decoded: str, codec: str) -> str:
    """``decoded`` by what was declared, unless it is Chinese and the other Chinese charset fits far better."""
    if codec not in {CHINESE, TRADITIONAL}:
        return decoded
    other = TRADITIONAL if codec == CHINESE else CHINESE
    rival = _strictly(content, other)
    if rival is not None and _score(rival) > 1.5 * max(_score(decoded), 0) + 0.3:
        return rival
    return decoded


def _guessed(content: bytes) -> str:
    found = [
        (score, text)
        for codec in (CHINESE, TRADITIONAL)
        if (text := _strictly(content, codec)) is not None and (score := _score(text)) > 0.4
    ]
    if found:
        return max(found, key=lambda each: each[0])[1]
    damaged = content.decode(CHINESE, "replace")
    if _score(damaged) > 0.6 and damaged.count("\ufffd") * 20 < len(damaged):
        return damaged
    return content.decode("cp1252", "replace")


def _strictly(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except (UnicodeError, ValueError):
        return None


def _score(text: str) -> float:
    """How much a text looks like Chinese: about 1 for common characters, more for very common ones, below 0 for none."""
    points = 0.0
    count = 0
    for char in text[:SAMPLE]:
        if char < "\x80":
            continue
        count += 1
        points += _worth(char)
    return points / count if count else 0.0


@cache
def _worth(char: str) -> float:
    if char in _FREQUENT:
        return 2.0
    if char in "，。、；：？！（）《》“”‘’—…·　":
        return 1.0
    if not "\u4e00" <= char <= "\u9fff":
        return -1.0
    return 1.0 if _is_common(char) else -0.5


def _is_common(char: str) -> bool:
    """Whether a character is of the first level of GB2312, or of the frequent part of Big5."""
    try:
        return 0xB0 <= char.encode("gb2312")[0] <= 0xD7
    except UnicodeEncodeError:
        pass
    try:
        return 0xA4 <= char.encode("big5")[0] <= 0xC6
    except UnicodeEncodeError:
        return False

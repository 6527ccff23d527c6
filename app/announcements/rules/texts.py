"""What stands in a plain text: paragraphs, lines, web addresses, and numbers that no public text should hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlsplit

from stdnum.cn import ric
from stdnum.exceptions import ValidationError

_ADDRESS = re.compile(r"https?://[!#-;=?-~]+", re.IGNORECASE)
"""ASCII only, so that Chinese text that follows without a space is not taken along; no quotes, no angle brackets."""

_TRAILING = ".,;:!?'*_"
_BETWEEN = re.compile(r"(?<=\d)[\s\-.\u00b7\u2010-\u2015]+(?=[\dX])")
_ID_RUN = re.compile(r"\d{17,}X?")
_MOBILE = re.compile(r"(?<!\d)(?:\+?86)?1[3-9]\d{9}(?!\d)")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line; ``href`` where it is a web address."""

    text: str
    href: str | None = None


Paragraph = tuple[tuple[Part, ...], ...]
"""Lines, each of parts."""


def paragraphs(text: str) -> tuple[Paragraph, ...]:
    """The text as it is shown: parted at empty lines."""
    return tuple(
        tuple(tuple(_parts(line)) for line in block.split("\n"))
        for block in re.split(r"\n(?:[^\S\n]*\n)+", text.strip())
        if block.strip()
    )


def _parts(line: str) -> Iterator[Part]:
    begin = 0
    for found in _ADDRESS.finditer(line):
        address = _trimmed(found.group())
        if not _leads_somewhere(address):
            continue
        if found.start() > begin:
            yield Part(line[begin : found.start()])
        yield Part(address, address)
        begin = found.start() + len(address)
    if begin < len(line):
        yield Part(line[begin:])


def _trimmed(address: str) -> str:
    """Without the punctuation of the sentence around it: a closing bracket is the address's own only if it opened one."""
    while address:
        last = address[-1]
        if last in _TRAILING or (last == ")" and address.count(")") > address.count("(")) or last == "]":
            address = address[:-1]
        else:
            break
    return address


def _leads_somewhere(address: str) -> bool:
    """A host, and nobody's name before it: ``https://bank.example@elsewhere.example`` is not what it looks like."""
    try:
        place = urlsplit(address)
        return bool(place.hostname) and "@" not in place.netloc and "\\" not in address
    except ValueError:
        return False


def excerpt(text: str, longest: int = 120) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def days_of_birth(now: datetime) -> tuple[date, date]:
    """Between which days a living person was born."""
    return date(1900, 1, 1), now.date()


def holds_id_number(text: str, born: tuple[date, date]) -> bool:
    """Whether a resident ID number stands in the text, also in full-width digits or parted by spaces: 18 places whose date
    of birth exists and whose check digit is right."""
    for run in _ID_RUN.findall(_joined(text)):
        for begin in range(len(run) - 17):
            if _is_id_number(run[begin : begin + 18], born):
                return True
    return False


def _is_id_number(number: str, born: tuple[date, date]) -> bool:
    try:
        return (
            bool(ric.calc_check_digit(number) == number[-1])
            and born[0] <= ric.get_birth_date(number) <= born[1]
        )
    except (ValidationError, ValueError):
        return False


def holds_mobile_number(text: str) -> bool:
    """Whether a mobile number of mainland China stands in the text."""
    plain = unicodedata.normalize("NFKC", text)
    return bool(_MOBILE.search(plain) or _MOBILE.search(_joined(text)))


def _joined(text: str) -> str:
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text).upper())

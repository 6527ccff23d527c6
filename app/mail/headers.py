"""Header lines of a message: which there are, what is written in them, and their parameters. Nothing here raises."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import getaddresses, parsedate_to_datetime

from app.mail.charsets import text_of

MOST_BLOCK = 256 * 1024
"""Bytes of headers that are read; no honest message has a tenth of it."""

MOST_VALUE = 16 * 1024
MOST_LINES = 2000

_LINE = re.compile(rb"([!-9;-~]{1,200})[ \t]*:(.*)", re.DOTALL)
_WORD = re.compile(rb"=\?([^?\s]{1,60})\?([BbQq])\?([^?]*)(?:\?=|\?$|$)")
_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
_SECTION = re.compile(r"([^*]+)\*(?:([0-9]{1,3})(\*)?)?")
_ADDRESS = re.compile(r"[^\s@<>\"(),;:\\\[\]\x00-\x1f]{1,64}@[\w.-]{1,253}")
_MESSAGE_ID = re.compile(rb"<([^<>\s]{1,900})>")
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class Headers:
    """The lines of one block in their order: name in small letters, value as it came, unfolded."""

    lines: tuple[tuple[str, bytes], ...]

    def all(self, name: str) -> list[bytes]:
        return [value for each, value in self.lines if each == name]

    def first(self, name: str) -> bytes:
        return next((value for each, value in self.lines if each == name), b"")

    def has(self, name: str) -> bool:
        return any(each == name for each, _ in self.lines)

    def plain(self, name: str) -> str:
        """A value that only machines read, in small letters."""
        return self.first(name)[:1000].decode("latin-1").strip().lower()


def read(block: bytes) -> Headers:
    """The headers of a block; what is no header line is left out."""
    lines: list[tuple[str, bytes]] = []
    folded: list[bytes] = []
    for line in block[:MOST_BLOCK].replace(b"\0", b"").splitlines():
        if len(lines) >= MOST_LINES:
            break
        if line[:1] in {b" ", b"\t"} and folded:
            folded.append(line)
            continue
        _keep(lines, folded)
        folded = [line]
    _keep(lines, folded)
    return Headers(tuple(lines))


def _keep(lines: list[tuple[str, bytes]], folded: list[bytes]) -> None:
    if folded and (found := _LINE.fullmatch(b"".join(folded)[:MOST_VALUE])):
        lines.append((found[1].decode("latin-1").lower(), found[2].strip()))


def looks_like_header(line: bytes) -> bool:
    return _LINE.fullmatch(line) is not None


def shown(value: bytes, hint: str = "", most: int = 1000) -> str:
    """What a person reads in a header: encoded words (RFC 2047) decoded, however broken, and undeclared bytes guessed.

    Neighbouring words of one charset are joined before they are decoded: many programs cut characters in two.
    """
    found: list[str] = []
    waiting, charset, place = b"", "", 0
    for word in _WORD.finditer(value):
        between = value[place : word.start()]
        name = word[1].decode("latin-1")
        if not (waiting and not between.strip() and name.lower() == charset.lower()):
            if waiting:
                found.append(text_of(waiting, charset, hint))
                between = between if between.strip() else b""
            found.append(text_of(between, "", hint))
            waiting, charset = b"", name
        waiting += from_base64(word[3]) if word[2] in b"Bb" else _from_q(word[3])
        place = word.end()
    if waiting:
        found.append(text_of(waiting, charset, hint))
    found.append(text_of(value[place:], "", hint))
    return clean(re.sub(r"[\r\n\t]+", " ", "".join(found)), most)


def from_base64(content: bytes) -> bytes:
    """What can be read of base64; what does not belong there is passed over, a last half group is left out."""
    letters = content.partition(b"=")[0] if content.rstrip().endswith(b"=") else content
    letters = letters.translate(None, _BASE64)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    try:
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    except binascii.Error:
        return b""


def _from_q(content: bytes) -> bytes:
    return binascii.a2b_qp(content.replace(b" ", b"_"), header=True)


def clean(text: str, most: int) -> str:
    """Text without what nobody sees: control characters, half surrogates, marks that turn the direction."""
    whole = text[: most * 2].encode("utf-8", "ignore").decode("utf-8")
    return _UNSEEN.sub("", whole).strip()[:most]


def parameters(value: bytes, hint: str = "") -> tuple[str, dict[str, str]]:
    """``(value, parameters)`` of a Content-Type or Content-Disposition: both in small letters but for the parameters' values.

    Continued and encoded parameters (RFC 2231) are put together; encoded words in a value, which many programs write, are read.
    """
    first, *rest = _split(value)
    plain: dict[str, bytes] = {}
    sections: dict[str, dict[int, tuple[bytes, bool]]] = {}
    for each in rest:
        name_bytes, equals, written = each.partition(b"=")
        name = name_bytes.decode("latin-1").strip().lower()
        if not equals or not name:
            continue
        written = _unquoted(written.strip())
        if found := _SECTION.fullmatch(name):
            encoded = found[2] is None or found[3] is not None
            sections.setdefault(found[1], {}).setdefault(int(found[2] or 0), (written, encoded))
        else:
            plain.setdefault(name, written)
    read_values = {name: shown(written, hint, 2000) for name, written in plain.items()}
    read_values |= {name: _continued(parts, hint) for name, parts in sections.items()}
    return first.decode("latin-1").strip().lower(), read_values


def _split(value: bytes) -> list[bytes]:
    """``value`` at each ``;`` outside of quotes."""
    parts, start, quoted, place = [], 0, False, 0
    while place < len(value):
        char = value[place]
        if quoted and char == 0x5C:
            place += 1
        elif char == 0x22:
            quoted = not quoted
        elif char == 0x3B and not quoted:
            parts.append(value[start:place])
            start = place + 1
        place += 1
    return [*parts, value[start:]]


def _unquoted(written: bytes) -> bytes:
    if written[:1] != b'"':
        return written
    inner = written[1:-1] if written[-1:] == b'"' and len(written) > 1 else written[1:]
    if not inner.isascii():
        return inner  # the second byte of a Chinese character may be a backslash
    return re.sub(rb"\\(.)", rb"\1", inner)


def _continued(parts: dict[int, tuple[bytes, bool]], hint: str) -> str:
    charset, joined, waiting = "", b"", b""
    for number in sorted(parts):
        written, encoded = parts[number]
        if encoded and number == min(parts) and written.count(b"'") >= 2:
            name, _, written = written.split(b"'", 2)
            charset = name.decode("latin-1")
        if encoded:
            waiting += written  # some programs cut between the % and its digits
        else:
            joined, waiting = joined + _from_percent(waiting) + written, b""
    return clean(text_of(joined + _from_percent(waiting), charset, hint), 2000)


def _from_percent(written: bytes) -> bytes:
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), written)


def people(value: bytes, hint: str = "") -> list[tuple[str, str]]:
    """``(name, address)`` of a From or To; an address is in small letters. What is none is left out."""
    try:
        found = getaddresses([value[:2000].decode("latin-1")])
    except (ValueError, IndexError, RecursionError):
        found = []
    read_pairs = [
        (shown(name.encode("latin-1", "ignore"), hint, 100), address(written)) for name, written in found
    ]
    read_pairs = [pair for pair in read_pairs if pair[1]]
    if read_pairs:
        return read_pairs
    loose = _ADDRESS.search(value[:2000].decode("latin-1"))
    return [("", address(loose[0]))] if loose and address(loose[0]) else []


def address(written: str) -> str:
    """An address in small letters; empty where it is none."""
    written = written.strip().lower()
    return written if _ADDRESS.fullmatch(written) and ".." not in written else ""


def message_ids(value: bytes, most: int = 50) -> list[str]:
    """The ids in angle brackets of a Message-ID, In-Reply-To or References."""
    return [found.decode("latin-1") for found in _MESSAGE_ID.findall(value)[-most:]]


def moment(value: bytes) -> datetime | None:
    """When it says it was written; None where that cannot be read."""
    try:
        found = parsedate_to_datetime(value[:200].decode("latin-1"))
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None

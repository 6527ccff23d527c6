"""The parts of a message (MIME), read where they stand: no part is copied before it is wanted.

Every level looks through its bytes once, and there are ``MOST_DEPTH`` of them and ``MOST_PARTS`` parts at most, so a message
made to be endless costs as much as a letter of its size.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.mail import headers
from app.mail.headers import Headers

MOST_DEPTH = 8
MOST_PARTS = 300

_BLANK = re.compile(rb"\r?\n\r?\n")
_FIRST_BOUNDARY = re.compile(rb"(?:\A|\n)--([^\r\n]{1,200}?)[ \t]*\r?\n")


@dataclass(slots=True)
class Part:
    """One part: a leaf with bytes from ``start`` to ``end``, or others within. ``kind`` is its media type in small letters."""

    whole: bytes
    headers: Headers
    kind: str
    parameters: dict[str, str]
    start: int
    end: int
    children: list[Part] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return self.whole[self.start : self.end]

    @property
    def content(self) -> bytes:
        """The bytes that were meant, whatever they were sent as."""
        how = self.headers.plain("content-transfer-encoding")
        if how == "base64":
            return headers.from_base64(self.body)
        if how == "quoted-printable":
            return binascii.a2b_qp(self.body)
        if how in {"x-uuencode", "uuencode", "x-uue"}:
            return _from_uuencode(self.body)
        return self.body

    @property
    def disposition(self) -> tuple[str, dict[str, str]]:
        return headers.parameters(self.headers.first("content-disposition"), self.charset)

    @property
    def charset(self) -> str:
        return self.parameters.get("charset", "")

    def leaves(self) -> Iterator[Part]:
        """Every part without parts, in order."""
        if not self.children:
            yield self
        for each in self.children:
            yield from each.leaves()


@dataclass(slots=True)
class Reading:
    """One message being taken apart, and what was left out of it."""

    whole: bytes
    parts: int = 0
    too_deep: bool = False
    too_many: bool = False
    no_boundary: bool = False

    def part(self, start: int, end: int, depth: int = 0, default: str = "text/plain") -> Part:
        """The part between two places; ``default`` is what it is where it does not say."""
        self.parts += 1
        begin = _body(self.whole, start, end)
        found = headers.read(self.whole[start : min(begin, start + headers.MOST_BLOCK)])
        kind, values = headers.parameters(found.first("content-type"))
        if not re.fullmatch(r"[a-z0-9.+_-]+/[a-z0-9.+_-]+", kind):
            kind = default
        part = Part(self.whole, found, kind, values, begin, end)
        if kind.startswith("multipart/"):
            self._split(part, depth)
        elif kind in {"message/rfc822", "message/global"}:
            self._unwrap(part, depth)
        return part

    def _split(self, part: Part, depth: int) -> None:
        places = self._places(part)
        if not places:
            part.kind = "text/plain"
            self.no_boundary = True
            return
        default = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
        for start, end in places:
            if not self._may_go_on(depth):
                return
            part.children.append(self.part(start, end, depth + 1, default))

    def _unwrap(self, part: Part, depth: int) -> None:
        if not self._may_go_on(depth):
            return
        if part.headers.plain("content-transfer-encoding") in {"base64", "quoted-printable"}:
            inner = Reading(part.content, self.parts)  # forbidden, and common
            part.children.append(inner.part(0, len(inner.whole), depth + 1))
            self.parts, self.too_deep, self.too_many = inner.parts, inner.too_deep, inner.too_many
        else:
            part.children.append(self.part(part.start, part.end, depth + 1))

    def _may_go_on(self, depth: int) -> bool:
        self.too_deep |= depth >= MOST_DEPTH
        self.too_many |= self.parts >= MOST_PARTS
        return depth < MOST_DEPTH and self.parts < MOST_PARTS

    def _places(self, part: Part) -> list[tuple[int, int]]:
        """Where the parts of a multipart begin and end. A boundary that is not declared, or is another one, is looked for."""
        boundary = part.parameters.get("boundary", "").encode("latin-1", "ignore")
        found = _between(self.whole, boundary, part.start, part.end) if boundary else []
        if not found:
            first = _FIRST_BOUNDARY.search(self.whole, part.start, min(part.end, part.start + 64 * 1024))
            if first and headers.looks_like_header(
                self.whole[first.end() : first.end() + 200].split(b"\n")[0].strip()
            ):
                found = _between(self.whole, first[1], part.start, part.end)
        return found


def read(whole: bytes) -> tuple[Part, Reading]:
    """The message and how far it could be read."""
    reading = Reading(whole)
    return reading.part(0, len(whole)), reading


def _body(whole: bytes, start: int, end: int) -> int:
    """Where the body of a part begins: behind the first empty line, or at once where no header stands."""
    line = whole[start : min(end, start + 1000)].split(b"\n", 1)[0].rstrip(b"\r")
    if not line and end > start:
        return min(end, whole.find(b"\n", start, end) + 1 or end)
    if not headers.looks_like_header(line[:900]) and not line.startswith(b"From "):
        return start
    blank = _BLANK.search(whole, start, min(end, start + headers.MOST_BLOCK))
    return blank.end() if blank else min(end, start + headers.MOST_BLOCK)


def _between(whole: bytes, boundary: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Start and end of each part between lines of this boundary; the last one may lack its end."""
    line = b"--" + boundary
    found: list[tuple[int, int]] = []
    begun, place = -1, start
    while (place := whole.find(line, place, end)) >= 0:
        after = place + len(line)
        if place > start and whole[place - 1] != 0x0A:
            place = after
            continue
        newline = whole.find(b"\n", after, min(after + 200, end))
        rest = whole[after : min(after + 200, newline if newline >= 0 else end)].strip()
        if rest not in {b"", b"--"}:
            place = after
            continue
        if begun >= 0:
            found.append((begun, _before_newline(whole, begun, place)))
            begun = -1
        if len(found) > MOST_PARTS or rest == b"--" or newline < 0:
            break
        begun = place = newline + 1
    if begun >= 0:
        found.append((begun, end))
    return found


def _before_newline(whole: bytes, start: int, place: int) -> int:
    """The line end before a boundary belongs to the boundary."""
    if place > start and whole[place - 1] == 0x0A:
        place -= 1
        if place > start and whole[place - 1] == 0x0D:
            place -= 1
    return place


def _from_uuencode(body: bytes) -> bytes:
    found = bytearray()
    for line in body.splitlines():
        if line.startswith(b"begin "):
            continue
        if line.strip() in {b"end", b"`", b""}:
            continue
        try:
            found += binascii.a2b_uu(line)
        except binascii.Error:
            continue
    return bytes(found)

"""The outline of a picture's file, without decoding it: where it ends, and which parts hold notes about it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from app.files.cleaning.kinds import Kind

BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG markers without a length: TEM, RST0–RST7, SOI (ITU-T T.81, table B.1)."""

SCAN = 0xDA
NOTES = frozenset({*range(0xE1, 0xEE), 0xEF, 0xFE})
"""APP1–APP13, APP15 and COM."""


def end_of(kind: Kind, content: bytes) -> int:
    """The offset after the last byte of the picture; the length of the file where no end is found."""
    match kind:
        case Kind.JPEG:
            return _jpeg(content)
        case Kind.PNG:
            return _png(content)
        case Kind.WEBP:
            # RIFF: chunks are padded to an even length
            return min(len(content), 8 + int.from_bytes(content[4:8], "little") + (content[4] & 1))
        case Kind.HEIF:
            return _boxes(content)
        case _:
            return len(content)


def _jpeg(content: bytes) -> int:
    """Behind the first EOI after the first scan.

    Between the scans of a progressive picture a table might hold the same two bytes; what follows is then looked at
    as if it stood behind the picture, which refuses nothing that a picture holds.
    """
    scan = next((start for marker, start, _ in _segments(content) if marker == SCAN), len(content))
    end = content.find(b"\xff\xd9", scan)
    return len(content) if end < 0 else end + 2


def _segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, start and end of each segment, up to the first scan."""
    at = 2
    while at + 4 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker in BARE:
            at += 2
        else:
            end = at + 2 + int.from_bytes(content[at + 2 : at + 4], "big")
            yield marker, at, end
            if marker == SCAN:
                return
            at = end


def without_notes(jpeg: bytes) -> bytes:
    """The same picture without EXIF, profile, comment; JFIF and Adobe's mark say how its colours are meant and stay."""
    kept = [jpeg[:2]]
    last = 2
    for marker, start, end in _segments(jpeg):
        last = start
        if marker == SCAN:
            break
        if marker not in NOTES:
            kept.append(jpeg[start:end])
        last = end
    return b"".join([*kept, jpeg[last:]])


def _png(content: bytes) -> int:
    at = 8
    while at + 12 <= len(content):
        end = at + 12 + int.from_bytes(content[at : at + 4], "big")
        if content[at + 4 : at + 8] == b"IEND":
            return end
        at = end
    return len(content)


def intact(png: bytes) -> bool:
    """Whether the chunks that make the picture hold what was written; a decoder may not notice that they do not."""
    at = 8
    while at + 12 <= len(png):
        end = at + 8 + int.from_bytes(png[at : at + 4], "big")
        name = png[at + 4 : at + 8]
        critical = name[:1].isupper()  # PNG, 5.4
        if critical and zlib.crc32(png[at + 4 : end]) != int.from_bytes(png[end : end + 4], "big"):
            return end + 4 > len(png)  # cut off, which its reader says
        if name == b"IEND":
            return True
        at = end + 4
    return True


def _boxes(content: bytes) -> int:
    at = 0
    while at + 8 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        if length == 1:
            length = int.from_bytes(content[at + 8 : at + 16], "big")
        if length == 0:  # the last box, to the end of the file
            return len(content)
        if length < 8 or at + length > len(content):
            return at
        at += length
    return min(at, len(content))

"""How a message is known again, however it comes a second time."""

from __future__ import annotations

import hashlib
import re

_TRAVELS = (b"message-id", b"date", b"from", b"to", b"subject")
_HEADER = re.compile(rb"^([!-9;-~]{1,100})[ \t]*:((?:[^\n]|\n[ \t])*)", re.MULTILINE)
_BLANK = re.compile(rb"\r?\n\r?\n")


def fingerprint(raw: bytes) -> str:
    """64 hex digits that are the same for the same message: relays add lines above it (``Received``), and change line ends.

    Another text under the same Message-ID is another message.
    """
    blank = _BLANK.search(raw, 0, 512 * 1024)
    head, body = (raw[: blank.start()], raw[blank.end() :]) if blank else (raw[: 512 * 1024], raw)
    digest = hashlib.sha256()
    lines = dict.fromkeys(_TRAVELS, b"")
    for found in _HEADER.finditer(head):
        name = found[1].lower()
        if name in lines and not lines[name]:
            lines[name] = b" ".join(found[2].split())
    for name in _TRAVELS:
        digest.update(name + b":" + lines[name] + b"\n")
    digest.update(body.replace(b"\r\n", b"\n").rstrip(b"\n \t"))
    return digest.hexdigest()

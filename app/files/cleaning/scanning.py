"""Asking ClamAV (clamd) about a file, where an installation has it.

The client of the package index has had no release since 2014 and hides timeouts, so this is the one command of the
protocol that is needed: ``zINSTREAM``, then pieces with their length before them, then a length of zero (clamd(8)).
"""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from app.settings import Settings

PIECE = 64 * 1024
TIMEOUT_SECONDS = 60.0
"""Between two signs of life; clamd reads a file of 20 MB in about a second, and answers nothing while it does."""
LONGEST_ANSWER = 4096


class InfectedError(Exception):
    """ClamAV knows the content; ``signature`` is its name there."""

    def __init__(self, signature: str) -> None:
        super().__init__(signature)
        self.signature = signature


class ScannerDownError(Exception):
    """Nobody could be asked: ask again later. It says nothing about the file."""


class _Scanner:
    url = ""


def configure(settings: Settings) -> None:
    """Which clamd this process asks."""
    _Scanner.url = settings.clamd_url


def scan(path: Path, *, url: str | None = None) -> None:
    """Return if nothing is known against the file, or if the installation has no scanner.

    Raises ``InfectedError``, or ``ScannerDownError`` where clamd does not answer, or answers with an error.
    """
    address = _Scanner.url if url is None else url
    if not address:
        return
    with path.open("rb") as file:
        try:
            answer = _ask(file, address)
        except OSError as error:
            raise ScannerDownError(type(error).__name__) from error
    # either of: stream: OK | stream: NAME FOUND | INSTREAM size limit exceeded. ERROR
    verdict = answer.removeprefix("stream: ")
    if verdict.endswith(" FOUND"):
        raise InfectedError(verdict.removesuffix(" FOUND"))
    if verdict != "OK":
        raise ScannerDownError(verdict or "no answer")


def _ask(file: BinaryIO, address: str) -> str:
    with closing(_connected(address)) as clamd:
        answer = b""
        try:
            clamd.sendall(b"zINSTREAM\0")
            while piece := file.read(PIECE):
                clamd.sendall(len(piece).to_bytes(4, "big") + piece)
            clamd.sendall(bytes(4))
        except (BrokenPipeError, ConnectionResetError):
            pass  # it stopped listening because the file is longer than it takes; its answer says so
        while not answer.endswith(b"\0") and len(answer) < LONGEST_ANSWER:
            piece = clamd.recv(LONGEST_ANSWER)
            if not piece:
                break
            answer += piece
    return answer.rstrip(b"\0\n").decode("utf-8", "replace")


def _connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    if parts.scheme == "unix":
        clamd = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        clamd.settimeout(TIMEOUT_SECONDS)
        try:
            clamd.connect(parts.path)
        except OSError:
            clamd.close()
            raise
        return clamd
    return socket.create_connection((parts.hostname or "", parts.port or 3310), TIMEOUT_SECONDS)

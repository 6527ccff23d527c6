"""The mailbox on its server (IMAP), as far as it is needed: which messages there are, their bytes, and that we have them.

Nothing is marked by reading (``BODY.PEEK``). Of what goes wrong only a code is told on (``MailboxDownError``): what a server says may
repeat a user's name. However slowly a server answers, from its greeting on, ``TOTAL_SECONDS`` after the beginning the connection is
cut; and nothing larger than ``MOST_AT_ONCE`` is taken into memory, whatever it announces.
"""

from __future__ import annotations

import imaplib
import re
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import unquote, urlsplit

from imap_tools import BaseMailBox
from imap_tools.errors import ImapToolsError
from imap_tools.utils import encode_folder

ANSWER_SECONDS = 30.0
"""How long one answer of the server may take."""

TOTAL_SECONDS = 240.0
"""How long one look into the mailbox may take; the next one goes on."""

MOST_AT_ONCE = 40 * 1024 * 1024
"""Bytes of one piece of an answer; the largest message that is asked for is smaller."""

MARKED_AT_ONCE = 200

_INTERNAL_DATE = re.compile(
    rb'INTERNALDATE "[ 0]?(\d{1,2})-([A-Za-z]{3})-(\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})"'
)
_MONTHS = (b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec")

LARGEST_NUMBER = 2**32 - 1
"""Of a message or a numbering (RFC 9051); what a server calls by a larger one, nobody could ask for or keep."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class MailboxDownError(Exception):
    """The mailbox cannot be read now. ``code``: unreachable, tls, no_tls, login, folder, slow, lost, refused or protocol."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class MailboxAddress:
    """``imaps://user:password@host:993/INBOX`` taken apart. ``imap`` is STARTTLS, but for a server on this very machine."""

    scheme: str
    host: str
    port: int
    user: str = field(repr=False)
    password: str = field(repr=False)
    folder: str
    certificates: str = ""

    @classmethod
    def read(cls, url: str, certificates: str = "") -> MailboxAddress:
        parts = urlsplit(url)
        return cls(
            scheme=parts.scheme,
            host=parts.hostname or "localhost",
            port=parts.port or (993 if parts.scheme == "imaps" else 143),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            folder=unquote(parts.path.strip("/")) or "INBOX",
            certificates=certificates,
        )


@contextmanager
def opened(address: MailboxAddress) -> Iterator[Box]:
    """The mailbox with its folder selected. Raises ``MailboxDownError``."""
    client = _connected(address)
    try:
        box = _MailBox(client)
        yield Box(box, address.folder, _select(box, address))
    finally:
        with suppress(Exception):  # it may be gone already; what was done stands
            client.logout()
        with suppress(Exception):
            client.shutdown()


class _Client(imaplib.IMAP4):
    """A connection that ends when its time is over, and takes only so much at once."""

    _end: threading.Timer | None = None

    def open(self, *place: Any, **named: Any) -> None:  # the one of IMAP4_SSL takes other arguments
        super().open(*place, **named)
        self._end = threading.Timer(TOTAL_SECONDS, self._cut)
        self._end.daemon = True
        self._end.start()

    def read(self, size: int) -> bytes:
        if size > MOST_AT_ONCE:
            raise self.abort("more than was asked for")
        return super().read(size)

    def shutdown(self) -> None:
        if self._end is not None:
            self._end.cancel()
        super().shutdown()

    def _cut(self) -> None:
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)


class _SecureClient(_Client, imaplib.IMAP4_SSL):
    """The same, encrypted from its first byte."""


class _MailBox(BaseMailBox):
    """What imap-tools does with folders and searches, over a connection of ours."""

    def __init__(self, client: imaplib.IMAP4) -> None:
        self._made = client
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        return self._made


def _connected(address: MailboxAddress) -> imaplib.IMAP4:
    context = ssl.create_default_context(cafile=address.certificates or None)
    with _told("unreachable"):
        if address.scheme == "imaps":
            return _SecureClient(address.host, address.port, ssl_context=context, timeout=ANSWER_SECONDS)
        client = _Client(address.host, address.port, timeout=ANSWER_SECONDS)
    if address.host not in LOOPBACK:
        try:
            _encrypt(client, context)
        except MailboxDownError:
            with suppress(OSError):  # the handshake closed it
                client.shutdown()
            raise
    return client


def _encrypt(client: imaplib.IMAP4, context: ssl.SSLContext) -> None:
    """STARTTLS. Nothing of ours was said before; a server without it, or one that pretends to know us already, is left."""
    if "STARTTLS" not in client.capabilities or client.state != "NONAUTH":
        raise MailboxDownError("no_tls")
    with _told("tls"):
        client.starttls(context)


def _select(box: BaseMailBox, address: MailboxAddress) -> int:
    """Sign in and open the folder; its UIDVALIDITY."""
    with _told("login"):
        if (address.user + address.password).isascii():
            box.login(address.user, address.password, initial_folder=None)
        else:
            box.login_utf8(address.user, address.password, initial_folder=None)
    with _told("folder"):
        capabilities = box.client.capability()[1][0]
        box.client.capabilities = tuple(capabilities.decode("ascii", "replace").upper().split())
        if "ID" in box.client.capabilities:  # some Chinese servers open no folder for who does not say this
            box.client.xatom("ID", '("name" "saishi")')
        box.folder.set(address.folder)
        validity = box.client.response("UIDVALIDITY")[1]
        number = int(validity[-1]) if validity and validity[-1] else 0
    if not 0 <= number <= LARGEST_NUMBER:
        raise MailboxDownError("protocol")
    return number


@dataclass(frozen=True, slots=True)
class About:
    """What the server says of a message: its bytes, and when it came there, whatever its own Date says. None: no time that is one."""

    size: int
    received_at: datetime | None


@dataclass(slots=True)
class Box:
    """An open folder; ``validity`` says which numbering its UIDs belong to."""

    box: BaseMailBox
    folder: str
    validity: int
    _can_move: bool | None = None

    def uids(self, after: int = 0, until: int | None = None) -> list[int]:
        """The messages with ``after`` < UID <= ``until``, in their order."""
        with _told("protocol"):
            wanted = f"UID {after + 1}:{'*' if until is None else until}"
            found = sorted({int(uid) for uid in self.box.uids(wanted, charset=None)})
        # "n:*" names the last message also where its number is below n
        most = LARGEST_NUMBER if until is None else until
        return [uid for uid in found if after < uid <= most]

    def about(self, uid: int) -> About | None:
        """Size and time of a message; None where it is gone."""
        answer = b" ".join(_flat(self._fetch(uid, "(UID RFC822.SIZE INTERNALDATE)")))
        found = re.search(rb"RFC822\.SIZE (\d{1,12})", answer)
        return About(int(found[1]), _internal_date(answer)) if found else None

    def content(self, uid: int, most: int) -> bytes | None:
        """A message, or its first ``most`` bytes; None where it is gone."""
        return self._literal(uid, f"BODY.PEEK[]<0.{most}>")

    def head(self, uid: int, most: int) -> bytes | None:
        """Its headers."""
        return self._literal(uid, f"BODY.PEEK[HEADER]<0.{most}>")

    def mark(self, uids: Sequence[int], folder: str) -> None:
        """Say that these are dealt with: seen, and moved to ``folder`` where the server can do that without touching others."""
        for begin in range(0, len(uids), MARKED_AT_ONCE):
            some = ",".join(map(str, uids[begin : begin + MARKED_AT_ONCE]))
            with _told("protocol"):
                self.box.client.uid("STORE", some, "+FLAGS.SILENT", r"(\Seen)")
                if self._may_move(folder):
                    self._move(some, folder)

    def _may_move(self, folder: str) -> bool:
        if self._can_move is None:
            self._can_move = folder != self.folder and bool(
                {"MOVE", "UIDPLUS"} & set(self.box.client.capabilities)
            )
            if self._can_move and not self.box.folder.exists(folder):
                with suppress(ImapToolsError):
                    self.box.folder.create(folder)
                self._can_move = self.box.folder.exists(folder)
        return self._can_move

    def _move(self, uids: str, folder: str) -> None:
        client = self.box.client
        if "MOVE" in client.capabilities:
            client.uid("MOVE", uids, encode_folder(folder).decode("ascii"))
        elif client.uid("COPY", uids, encode_folder(folder).decode("ascii"))[0] == "OK":
            client.uid("STORE", uids, "+FLAGS.SILENT", r"(\Deleted)")
            client.uid("EXPUNGE", uids)

    def _literal(self, uid: int, what: str) -> bytes | None:
        for item in self._fetch(uid, f"({what})"):
            if isinstance(item, tuple) and len(item) > 1 and isinstance(item[1], bytes):
                return item[1]
        return None

    def _fetch(self, uid: int, what: str) -> list[bytes | tuple[bytes, bytes] | None]:
        with _told("protocol"):
            status, data = self.box.client.uid("FETCH", str(uid), what)
        if status != "OK":
            raise MailboxDownError("refused")
        return list(data or [])


def _internal_date(answer: bytes) -> datetime | None:
    """When a message came to the server (RFC 3501, INTERNALDATE), in UTC."""
    found = _INTERNAL_DATE.search(answer)
    if found is None or found[2].lower() not in _MONTHS:
        return None
    day, year, hour, minute, second, zone_hours, zone_minutes = map(int, found.group(1, 3, 4, 5, 6, 8, 9))
    offset = timedelta(hours=zone_hours, minutes=zone_minutes) * (-1 if found[7] == b"-" else 1)
    try:
        said = datetime(
            year, _MONTHS.index(found[2].lower()) + 1, day, hour, minute, second, tzinfo=timezone(offset)
        )
        return said.astimezone(UTC)
    except (ValueError, OverflowError):  # the 31st of February, the year 0, a zone of 30 hours
        return None


def _flat(items: list[bytes | tuple[bytes, bytes] | None]) -> Iterator[bytes]:
    for item in items:
        if isinstance(item, tuple):
            yield from item
        elif item is not None:
            yield item


@contextmanager
def _told(code: str) -> Iterator[None]:
    """Whatever goes wrong within, as a code: ``code`` unless the connection itself is the reason."""
    try:
        yield
    except ssl.SSLError:
        raise MailboxDownError("tls") from None
    except TimeoutError:
        raise MailboxDownError("slow") from None
    except (imaplib.IMAP4.abort, ConnectionError, EOFError):
        raise MailboxDownError(code if code in {"unreachable", "tls"} else "lost") from None
    except (OSError, imaplib.IMAP4.error, ImapToolsError):
        raise MailboxDownError(code) from None
    except (ValueError, TypeError, IndexError, AttributeError):  # an answer that is none
        raise MailboxDownError("protocol") from None

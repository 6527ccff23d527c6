"""One look into the mailbox. What is found is stored and committed first, and only then marked on the server: a crash anywhere means
that a message is looked at once more, and its key says that it is here.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parseaddr
from pathlib import Path

import structlog

from app import clock
from app.actors import SYSTEM
from app.commands import command
from app.files.store import StoreDownError
from app.mail.fetching import Box, MailboxAddress, MailboxDownError, opened
from app.mailbox import service
from app.mailbox.service import Arrived, Place
from app.settings import Settings

log = structlog.get_logger()

PROCESSED = "Saishi-processed"
"""Where messages are moved once they are stored, on servers that can."""

MIB = 1024 * 1024
MOST_BYTES = 36 * MIB
"""A message of 25 MB of files is a third larger on its way. What is larger is stored without content, and answered so."""

HEAD_BYTES = 256 * 1024

MOST_AT_ONCE = 100
"""Messages of one look; the next one, a minute later, goes on."""


def poll(settings: Settings) -> int:
    """Store what is new in the mailbox. How many messages were looked at; 0 where another worker is at it, or there is no mailbox."""
    if not settings.imap_url:
        return 0
    address = MailboxAddress.read(settings.imap_url, settings.smtp_ca)
    with _alone(settings.instance) as alone:
        return _poll(address, own_addresses(settings)) if alone else 0


def own_addresses(settings: Settings) -> frozenset[str]:
    """Addresses that we write from and are written to; nothing that comes from them is answered."""
    written = (settings.mail_from, settings.mail_to)
    return frozenset(address.lower() for each in written if (address := parseaddr(each)[1]))


def _poll(address: MailboxAddress, own: frozenset[str]) -> int:
    begun = clock.now()  # what comes later may be missing, however long the look takes
    whole = False
    try:
        with opened(address) as box:
            count, code, whole = _read(box, own)
    except (MailboxDownError, StoreDownError) as error:
        count, code = 0, error.code if isinstance(error, MailboxDownError) else "store"
    with command(SYSTEM) as ctx:
        if code is None:
            service.note_success(ctx, address.folder, begun if whole else None)
        else:
            service.note_failure(ctx, address.folder, code)
    if code is not None:
        log.warning("mailbox_not_read", why=code)
    return count


def _read(box: Box, own: frozenset[str]) -> tuple[int, str | None, bool]:
    """How many messages were looked at; why one of them was passed over (the server did not give it, or it was not stored); and whether
    there are no more.
    """
    with command(SYSTEM) as ctx:
        begin = service.begin_numbering(ctx, box.folder, box.validity)
    # stored by an earlier look that died before it could say so
    box.mark(box.uids(until=begin.last_uid) if begin.last_uid else [], PROCESSED)
    # so many that could not be had or stored fill a whole look: those behind them have their turn, too
    new = box.uids(after=max(begin.last_uid, begin.passed_uid or 0))
    resumed = begin.passed_uid is not None and begin.passed_uid > begin.last_uid
    skipped: str | None = (begin.last_error or "unstored") if resumed else None
    for uid in new[:MOST_AT_ONCE]:
        try:
            arrived = _fetch(box, uid)
        except MailboxDownError as error:
            if error.code != "refused":
                raise
            skipped = error.code  # this one only; it is asked for again with the next look
            continue
        if arrived is None:
            continue  # deleted meanwhile
        try:
            with command(SYSTEM) as ctx:
                place = Place(box.folder, box.validity, uid, counts=not skipped)
                service.store(ctx, arrived, place, own=own)
        except Exception as error:  # one stranger's letter must not keep everybody's from coming in
            log.error("message_not_stored", uid=uid, why=type(error).__name__)
            skipped = "unstored"
            continue
        box.mark([uid], PROCESSED)
    whole = len(new) <= MOST_AT_ONCE
    with command(SYSTEM) as ctx:
        passed = new[MOST_AT_ONCE - 1] if skipped is not None and not whole else None
        service.note_passed(ctx, box.folder, passed)
    return min(len(new), MOST_AT_ONCE), skipped, whole and not resumed


def _fetch(box: Box, uid: int) -> Arrived | None:
    about = box.about(uid)
    if about is None:
        return None
    if about.size > MOST_BYTES:
        head = box.head(uid, HEAD_BYTES)
        if head is None:
            return None
        return service.arrive(head, size=about.size, received_at=about.received_at)
    raw = box.content(uid, MOST_BYTES)
    return None if raw is None else service.arrive(raw, received_at=about.received_at)


@contextmanager
def _alone(instance: Path) -> Iterator[bool]:
    """Whether no other worker of this machine looks now. The lock goes with the process that holds it, however it ends.

    Two machines may look at once; they do each other's work, and the keys of messages keep it from being done twice.
    """
    instance.mkdir(parents=True, exist_ok=True)
    with (instance / "mailbox.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True

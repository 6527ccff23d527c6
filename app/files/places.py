"""Where objects lie (存放处): a folder or an S3 bucket, both through obstore.

A key comes to be all at once: a folder gets the object under another name first and renames it, a bucket shows a
multipart upload only when it is complete. What a crash leaves under no key is removed from a folder by
``discard_unfinished``, from a bucket by its own lifecycle rule.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from pathlib import Path
from queue import Full, Queue
from typing import TYPE_CHECKING, Any, TypeVar

import obstore
import structlog
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, S3Store

from app.files.errors import Fault, FileDamagedError, FileMissingError, StoreDownError
from app.settings import Bucket

if TYPE_CHECKING:
    from obstore.store import ObjectStore, S3Config

Answer = TypeVar("Answer")
log = structlog.get_logger()

PART = 5 * 1024 * 1024
"""Bytes of a part of a large object; the smallest S3 takes. A few of them are in memory at a time."""

PARTS_AT_ONCE = 2
DELETED_AT_ONCE = 1000
"""S3 takes no more keys in one request."""

BUCKET_CODES = {"NoSuchBucket", "InvalidBucketName", "PermanentRedirect", "AuthorizationHeaderMalformed"}
CREDENTIAL_CODES = {
    "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken",
}  # fmt: skip
OS_FAULTS = {
    **dict.fromkeys((errno.EACCES, errno.EROFS, errno.EEXIST, errno.ENOTDIR), Fault.UNWRITABLE),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), Fault.FULL),
}
"""What the number of a system error means here."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an S3 store may keep a request waiting, in seconds, and how often a failed one is tried again."""

    connect: float = 3
    request: float = 20
    retries: int = 3
    all_tries: float = 15


class Place:
    """Objects by key. Every method raises ``StoreDownError`` when the store cannot be used.

    A ``quiet`` one leaves it to its caller to tell somebody.
    """

    def __init__(self, store: ObjectStore, folder: Path | None = None, *, quiet: bool = False) -> None:
        self._store = store
        self._folder = folder
        self._quiet = quiet

    @classmethod
    def local(cls, folder: Path, *, quiet: bool = False) -> Place:
        """A folder, made for this user alone if it is not there."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(LocalStore(folder), folder, quiet=quiet)
        except (OSError, ValueError, BaseError) as error:
            raise _down(error, quiet=quiet) from None

    @classmethod
    def s3(cls, bucket: Bucket, patience: Patience, *, quiet: bool = False) -> Place:
        """A bucket of an S3-compatible store; nothing is sent yet."""
        config: S3Config = {"region": bucket.region, "virtual_hosted_style_request": False}
        if bucket.endpoint:
            config["endpoint"] = bucket.endpoint
        if bucket.user:
            config |= {"access_key_id": bucket.user, "secret_access_key": bucket.password}
        try:
            store = S3Store(
                bucket.name,
                prefix=bucket.prefix or None,
                config=config,
                client_options={
                    "allow_http": bucket.plain_http,
                    "connect_timeout": timedelta(seconds=patience.connect),
                    "timeout": timedelta(seconds=patience.request),
                },
                retry_config={
                    "max_retries": patience.retries,
                    "retry_timeout": timedelta(seconds=patience.all_tries),
                    "backoff": {
                        "init_backoff": timedelta(milliseconds=100),
                        "max_backoff": timedelta(seconds=2),
                    },
                },
            )
        except (ValueError, BaseError) as error:
            raise _down(error, quiet=quiet) from None
        return cls(store, quiet=quiet)

    def put(self, key: str, content: Iterable[bytes]) -> None:
        """Write an object whole or not at all. ``content`` is read in this thread; what it raises passes through."""
        parts = _parts(content)
        begun = list(islice(parts, 2))
        if len(begun) == 1:
            self._ask(lambda: obstore.put(self._store, key, begun[0], use_multipart=False))
        else:
            self._put_large(key, begun, parts)
        if self._folder is not None:
            self._settle(self._folder / key)

    def get(self, key: str, start: int, end: int, size: int) -> memoryview:
        """The bytes from ``start`` to before ``end`` of an object that must have ``size`` bytes.

        Raises ``FileMissingError`` and, for another size, ``FileDamagedError``.
        """
        try:
            answer = obstore.get(self._store, key, options={"range": (start, end)})
            if answer.meta["size"] != size:
                raise FileDamagedError
            content = memoryview(answer.bytes())
        except (OSError, ValueError, BaseError) as error:
            self._missing(error)
            if "InvalidRange" in str(error) and self._size(key) != size:  # it ends before this range
                raise FileDamagedError from None
            raise _down(error, quiet=self._quiet) from None
        if len(content) != end - start:
            raise FileDamagedError
        return content

    def delete(self, keys: Iterable[str]) -> None:
        """Remove objects; one that is not there is no error."""
        remaining = iter(keys)
        at_once = (
            DELETED_AT_ONCE if self._folder is None else 1
        )  # a folder stops at the first that is not there
        while batch := list(islice(remaining, at_once)):
            with suppress(FileMissingError):
                self._ask(lambda batch=batch: obstore.delete(self._store, batch))  # type: ignore[misc]

    def listed(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Keys in the folder ``prefix`` (all for an empty one) and when each was written; in no order."""
        self._check_folder()
        batches = iter(obstore.list(self._store, prefix=prefix or None))
        while batch := self._ask(lambda: next(batches, ())):
            for meta in batch:
                yield meta["path"], meta["last_modified"]

    def discard_unfinished(self, before: datetime) -> int:
        """Remove what writers that ended half-way left in the folder; how many. A bucket has a rule for that."""
        count = 0
        if self._folder is not None:
            for path in self._folder.rglob("*#*"):
                with suppress(FileNotFoundError):
                    if datetime.fromtimestamp(path.stat().st_mtime, UTC) < before:
                        path.unlink()
                        count += 1
        return count

    def _put_large(self, key: str, begun: Sequence[bytes], rest: Iterator[bytes]) -> None:
        """Hand the parts to a thread of their own.

        obstore would call the iterator from within its runtime, where the content cannot itself read from the store.
        """
        line: Queue[bytes | None] = Queue(maxsize=1)

        def handed_over() -> Iterator[bytes]:
            while (part := line.get()) is not None:
                if not part:
                    raise _AbandonedError
                yield part

        with ThreadPoolExecutor(1, thread_name_prefix="file-part") as pool:
            sent: Future[Any] = pool.submit(
                obstore.put,
                *(self._store, key, handed_over()),
                use_multipart=True,
                chunk_size=PART,
                max_concurrency=PARTS_AT_ONCE,
            )
            end: bytes | None = b""  # stands for "abandoned" until all parts are handed over
            try:
                if all(_hand(line, part, sent) for part in chain(begun, rest)):
                    end = None
            finally:
                _hand(line, end, sent)
                with suppress(_AbandonedError):
                    self._ask(sent.result)

    def _settle(self, written: Path) -> None:
        """Let the disk hold the file and the folders that name it: its row is written next."""
        path = written
        try:
            while True:
                number = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(number)
                finally:
                    os.close(number)
                if path == self._folder:
                    return
                path = path.parent
        except OSError as error:
            with suppress(OSError):
                written.unlink()
            raise _down(error, quiet=self._quiet) from None

    def _size(self, key: str) -> int:
        return self._ask(lambda: obstore.head(self._store, key))["size"]

    def _ask(self, question: Callable[[], Answer]) -> Answer:
        try:
            return question()
        except (OSError, ValueError, BaseError) as error:
            self._missing(error)
            raise _down(error, quiet=self._quiet) from None

    def _missing(self, error: Exception) -> None:
        """Raise ``FileMissingError`` if that is what ``error`` says of one object, not of the whole store."""
        if isinstance(error, FileNotFoundError) and "NoSuchBucket" not in str(error):
            self._check_folder()
            raise FileMissingError from None

    def _check_folder(self) -> None:
        if self._folder is not None and not self._folder.is_dir():
            raise StoreDownError(Fault.UNWRITABLE)


class _AbandonedError(Exception):
    """The content broke off, so the object must not come to be."""


def _hand(line: Queue[bytes | None], part: bytes | None, sent: Future[Any]) -> bool:
    """Put ``part`` into the line; False if nobody will take it any more."""
    while not sent.done():
        with suppress(Full):
            line.put(part, timeout=0.05)
            return True
    return False


def _parts(content: Iterable[bytes]) -> Iterator[bytes]:
    """``content`` in parts of about ``PART`` bytes, at least one."""
    held = bytearray()
    begun = False
    for piece in content:
        held += piece
        if len(held) >= PART:
            yield bytes(held)
            held, begun = bytearray(), True
    if held or not begun:
        yield bytes(held)


def _down(error: Exception, *, quiet: bool) -> StoreDownError:
    """What ``error`` means. Its own text is dropped: it quotes requests, which name keys and accounts."""
    said = str(error)
    code = re.search(r"<Code>(\w+)</Code>", said)
    system = re.search(r"\b(?:os error|Errno) (\d+)", said)
    number = int(system[1]) if system else 0
    if code and code[1] in BUCKET_CODES:
        fault = Fault.BUCKET
    elif (
        (code and code[1] in CREDENTIAL_CODES)
        or isinstance(error, UnauthenticatedError)
        or "/latest/api/token" in said  # nobody said as whom, so the machine's own identity was asked for
    ):
        fault = Fault.CREDENTIALS
    elif number in OS_FAULTS:
        fault = OS_FAULTS[number]
    elif isinstance(error, PermissionDeniedError | PermissionError):
        fault = Fault.UNWRITABLE
    else:
        fault = Fault.UNREACHABLE
    if not quiet:
        log.warning("file_store_down", fault=fault.value)
    return StoreDownError(fault)

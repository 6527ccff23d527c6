"""Slow senders (慢速上传) must not hold up readers: a request's body is read before one of the few working threads takes it up.

A thread that waits for a phone's next bytes can do nothing else. So there are many threads, of which most may wait for bodies and a
few work at a time; where all waiting ones are taken, who comes next is told to try again, which the upload field does by itself.
Behind nginx, which reads bodies itself and ends those that stand still, none of this is noticed.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MIB = 1024 * 1024
IN_MEMORY = MIB
"""A piece of an upload and every plain form; more goes to a temporary file while it comes in."""

READ = 64 * 1024
FORMS = 65 * MIB
"""What a form with photos may have, here and in ``deploy/nginx.conf``: one MB more than the program takes, so that it says so."""

OTHERS = 3 * MIB
"""What any other body may have. A longer one is passed on unread, and refused for its announced length."""

WITH_PHOTOS = re.compile(r"/c/[^/]+/(uploads|my/documents)(/|$)")

BUSY = "上传的人太多，请稍后再试。 Too many uploads at once, try again in a moment.\n".encode()


class Senders:
    """A WSGI application around another: at most ``reading`` bodies come in at a time, and ``working`` requests are worked at."""

    def __init__(self, application: WSGIApplication, *, reading: int, working: int) -> None:
        self.application = application
        self.reading = threading.BoundedSemaphore(reading)
        self.working = threading.BoundedSemaphore(working)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = _announced(environ)
        if not 0 < length <= _most(environ.get("PATH_INFO", "")):
            with self.working:
                return self.application(environ, start_response)
        if not self.reading.acquire(blocking=False):
            headers = [("Content-Type", "text/plain; charset=utf-8"), ("Retry-After", "2")]
            start_response("503 Service Unavailable", headers)
            return [BUSY]
        body: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed below
        try:
            try:
                _read(environ["wsgi.input"], length, body)
            finally:
                self.reading.release()
            environ["wsgi.input"] = body
            with self.working:
                return self.application(environ, start_response)
        finally:
            body.close()


def _announced(environ: WSGIEnvironment) -> int:
    """Bytes of the body; 0 where none was announced, which nobody reads."""
    written = environ.get("CONTENT_LENGTH") or ""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 16 else 0


def _most(path: str) -> int:
    return FORMS if WITH_PHOTOS.match(path) else OTHERS


def _read(source: Any, length: int, body: IO[bytes]) -> None:
    """Read what comes, up to the announced length; a sender that goes away leaves less, as without this."""
    left = length
    while left and (some := source.read(min(READ, left))):
        body.write(some)
        left -= len(some)
    body.seek(0)

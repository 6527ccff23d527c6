"""Stored files as answers, decrypted while they are sent. Who may look is asked by whoever calls this."""

from __future__ import annotations

from urllib.parse import quote

from flask import Response, request
from werkzeug.datastructures import Range
from werkzeug.exceptions import RequestedRangeNotSatisfiable

from app import clock
from app.files import store
from app.uploads.queries import StoredView
from app.uploads.watermark import marked

POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A file that a browser opens by itself may run, load and frame nothing."""

ENDINGS = {"image/jpeg": "jpg", "application/pdf": "pdf"}


def serve_public(file: StoredView, *, name: str) -> Response:
    """A file that anybody may read now: caches ask again each time, because it may be taken back.

    ``name``: what it is saved as, with its ending, in any script.
    """
    answer = serve(file, name="file")
    kind, _, _ = answer.headers["Content-Disposition"].partition(";")
    plain = f'filename="file.{ENDINGS[file.media_type]}"'
    answer.headers["Content-Disposition"] = f"{kind}; {plain}; filename*=UTF-8''{quote(name, safe='')}"
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def serve(file: StoredView, *, name: str, reader: str | None = None, download: bool = False) -> Response:
    """``file`` as an answer that no cache keeps.

    ``name`` is what the browser may call it, ASCII and without an ending; it says nothing about a person.
    ``reader`` is drawn across a picture together with the Beijing time; such an answer has no ranges. A PDF is never
    marked: show its previews. ``download`` offers it to be saved, as a PDF always is. Raises what the store refuses.
    """
    if reader is not None and file.media_type == "image/jpeg":
        return _marked(file, name, reader)
    answer = Response(mimetype=file.media_type)
    start, stop = _range(file.sealed.size)
    if (start, stop) != (0, file.sealed.size):
        answer.status_code = 206
        answer.headers["Content-Range"] = f"bytes {start}-{stop - 1}/{file.sealed.size}"
    if request.method != "HEAD":
        answer.response = store.read(file.sealed, start, stop)
    answer.headers["Accept-Ranges"] = "bytes"
    answer.headers["Content-Length"] = str(stop - start)
    return _private(answer, file, name, download=download or file.media_type == "application/pdf")


def _marked(file: StoredView, name: str, reader: str) -> Response:
    picture = marked(
        b"".join(store.read(file.sealed)), f"{reader} {clock.beijing(clock.now()):%Y-%m-%d %H:%M}"
    )
    answer = Response(picture, mimetype=file.media_type)
    answer.headers["Accept-Ranges"] = "none"
    return _private(answer, file, name, download=False)


def _private(answer: Response, file: StoredView, name: str, *, download: bool) -> Response:
    kind = "attachment" if download else "inline"
    answer.headers["Content-Disposition"] = f'{kind}; filename="{name}.{ENDINGS[file.media_type]}"'
    answer.headers["Cache-Control"] = "no-store, private"
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return answer


def _range(size: int) -> tuple[int, int]:
    """The bytes that are asked for, the end exclusive. Raises 416 for what is not there, or for several ranges.

    A header that is no range of bytes is as good as none (RFC 9110, 14.2), and so is one with ``If-Range``: nothing
    here has a validator it could name.
    """
    asked: Range | None = request.range
    if asked is None or asked.units != "bytes" or "If-Range" in request.headers:
        return 0, size
    first, _ = asked.ranges[0]
    if len(asked.ranges) == 1 and first < -size:  # more of the end than there is: all of it
        return 0, size
    found = asked.range_for_length(size)  # None for several ranges, too
    if found is None:
        raise RequestedRangeNotSatisfiable(length=size)
    return found[0], min(found[1], size)

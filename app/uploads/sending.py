"""What API and pages do alike with what a phone sends: one place for the steps that take more than one command."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import IO, Any, Protocol

from app import clock
from app.commands import command
from app.uploads import queries, service
from app.uploads.queries import UploadView
from app.uploads.rules import PIECE_BYTES
from app.uploads.rules.narrower import wanted_for
from app.web import current_actor


class Sent(Protocol):
    """A file of a plain form, as werkzeug gives it."""

    filename: Any
    stream: IO[bytes]


def mine(token: str) -> UploadView:
    return queries.mine(current_actor().require_signed_in(), token)


def announce(slug: str, *, subject: str = "", kind: str = "", **announced: Any) -> UploadView:
    """Announce a file; what is given is a ``NewUploadSchema``. Its limits are read before anything is locked."""
    user_id = current_actor().require_signed_in()
    wanted = wanted_for(slug, user_id, announced["purpose"], subject=subject, kind=kind, now=clock.now())
    with command(current_actor()) as ctx:
        token = service.announce(ctx, slug, wanted=wanted, **announced)
    return mine(token)


def receive(token: str, start: int, content: bytes) -> int:
    """Take one piece: into the store first, then into its upload. How many bytes are here."""
    piece = service.store_piece(current_actor(), token, start, content)
    with command(current_actor()) as ctx:
        return service.record_piece(ctx, piece)


def finish(token: str) -> UploadView:
    with command(current_actor()) as ctx:
        service.finish(ctx, token)
    return mine(token)


def discard(token: str) -> None:
    with command(current_actor()) as ctx:
        service.discard(ctx, token)


def whole(slug: str, purpose: str, sent: Iterable[Sent], *, subject: str = "", kind: str = "") -> list[str]:
    """Take the files of a plain form, from a browser without our script: same limits, same way. Their tokens.

    ``subject`` and ``kind`` name the document that they are for, as in ``announce``.
    A field without a choice sends one file without a name; it is none. What is refused leaves nothing of this form.
    """
    tokens: list[str] = []
    try:
        for each in sent:
            if each.filename:
                tokens.append(_begun(slug, each, purpose=purpose, subject=subject, kind=kind))
                _send(tokens[-1], each.stream)
    except Exception:
        for token in tokens:
            discard(token)
        raise
    return tokens


def _begun(slug: str, sent: Sent, **meant: str) -> str:
    size = sent.stream.seek(0, 2)
    name = str(sent.filename)[-200:]
    key = secrets.token_urlsafe(24)
    return announce(slug, size=size, name=name, idempotency_key=key, **meant).token


def _send(token: str, stream: IO[bytes]) -> None:
    stream.seek(0)
    received = 0
    while content := stream.read(PIECE_BYTES):
        received = receive(token, received, content)
    finish(token)

"""Made-up photos, and uploads at each point of their way. Everything needs an application context."""

from __future__ import annotations

import io
import random
from functools import cache
from itertools import count
from pathlib import Path

from PIL import Image

from app.actors import SYSTEM, Actor
from app.commands import command
from app.uploads import queries, service
from app.uploads.queries import UploadView
from app.uploads.rules import PIECE_BYTES
from app.uploads.service import Outcome

_numbers = count()


@cache
def photo(serial: int = 1, width: int = 640, height: int = 480, quality: int = 80, grain: int = 64) -> bytes:
    """A JPEG of coloured noise, so that it has some hundred kilobytes; every serial is another picture.

    ``grain``: how many spots are in a row; more of them make a longer file.
    """
    chance = random.Random(serial)
    small = Image.frombytes("RGB", (grain, grain), chance.randbytes(grain * grain * 3))
    out = io.BytesIO()
    small.resize((width, height), Image.Resampling.NEAREST).save(out, "JPEG", quality=quality)
    return out.getvalue()


def pieces(content: bytes, size: int = PIECE_BYTES) -> list[tuple[int, bytes]]:
    """``content`` cut: (start, bytes)."""
    return [(start, content[start : start + size]) for start in range(0, len(content), size)]


def begin(actor: Actor, slug: str, content: bytes, *, key: str = "", **changes: object) -> str:
    announced = {
        "purpose": "proof",
        "size": len(content),
        "name": "照片.jpg",
        "idempotency_key": key or f"key-of-a-test-{next(_numbers)}",
    }
    with command(actor) as ctx:
        return service.announce(ctx, slug, **(announced | changes))  # type: ignore[arg-type]  # the tests name what is wrong


def send(actor: Actor, token: str, start: int, content: bytes) -> int:
    piece = service.store_piece(actor, token, start, content)
    with command(actor) as ctx:
        return service.record_piece(ctx, piece)


def finish(actor: Actor, token: str) -> None:
    with command(actor) as ctx:
        service.finish(ctx, token)


def whole(actor: Actor, slug: str, content: bytes, **changes: object) -> UploadView:
    """A file that waits for the worker."""
    token = begin(actor, slug, content, **changes)  # type: ignore[arg-type]  # as above
    for start, part in pieces(content):
        send(actor, token, start, part)
    finish(actor, token)
    return queries.mine(actor.require_signed_in(), token)


def check(upload: UploadView, workspace: Path) -> Outcome | None:
    """What the worker does with it."""
    with command(SYSTEM) as ctx:
        work = service.take(ctx, upload.id)
    if work is None:
        return None
    outcome = service.check(work, workspace)
    with command(SYSTEM) as ctx:
        service.record_check(ctx, work, outcome)
    return outcome


def ready(actor: Actor, slug: str, workspace: Path, content: bytes = b"", **changes: object) -> UploadView:
    """A checked file that no form has claimed."""
    upload = whole(actor, slug, content or photo(), **changes)
    check(upload, workspace)
    return queries.mine(actor.require_signed_in(), upload.token)

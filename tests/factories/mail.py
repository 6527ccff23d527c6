"""Made-up letters, and messages at each point of their way. The functions need an application context."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from app.actors import SYSTEM
from app.commands import command
from app.extensions import db
from app.mailbox import service
from app.mailbox.rules import Taken
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.notifications.models import Message
from app.notifications.rules import Recipient
from app.uploads import service as uploads

OWN = frozenset({"office@saishi.example.cn", "saishi@saishi.example.cn"})


def letter(
    number: int = 1,
    *,
    text: str = "我们对公示名单有异议。",
    subject: str | None = None,
    sender: str | None = None,
    headers: str = "",
    files: tuple[tuple[str, bytes], ...] = (),
) -> bytes:
    """A letter of a made-up unit, with its files."""
    sender = sender or f"leader{number}@unit{number}.example.cn"
    head = (
        f"From: {sender}\r\nTo: office@saishi.example.cn\r\nSubject: {subject or f'letter {number}'}\r\n"
        f"Message-ID: <{number}@unit{number}.example.cn>\r\nDate: Mon, 25 Oct 2021 10:00:{number % 60:02d} +0800\r\n{headers}"
    )
    body = f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    if files:
        parts = [body]
        for name, content in files:
            parts.append(
                f'Content-Type: application/octet-stream; name="{name}"\r\nContent-Transfer-Encoding: base64\r\n'
                f'Content-Disposition: attachment; filename="{name}"\r\n\r\n{base64.encodebytes(content).decode()}'
            )
        joined = "".join(f"--=_part\r\n{part}\r\n" for part in parts)
        body = f'Content-Type: multipart/mixed; boundary="=_part"\r\n\r\n{joined}--=_part--\r\n'
    return (head + body).encode()


def sent_letter(address: str, competition_id: int | None = None) -> tuple[int, str]:
    """A letter of ours to ``address``: its id and its Message-ID."""
    with command(SYSTEM) as ctx:
        sent = notifications.queue_letter(
            ctx,
            kind=LetterKind.CONFIRM_EMAIL,
            to=Recipient(None, address, None),
            competition_id=competition_id,
            context={"link_to": Address("/me/email"), "hours": 1},
        )
    assert sent is not None
    return sent, db.session.get_one(Message, sent).message_id


def stored(raw: bytes, *, size: int | None = None) -> int:
    """A message as the poller leaves it."""
    arrived = service.arrive(raw, size=size)
    with command(SYSTEM) as ctx:
        return service.store(ctx, arrived, own=OWN)


def process(incoming_id: int) -> None:
    """What the worker does with it."""
    with command(SYSTEM) as ctx:
        work = service.take(ctx, incoming_id)
    if work is None:
        return
    prepared = service.prepare_files(work)
    with command(SYSTEM) as ctx:
        service.deal_with(ctx, work, prepared, own=OWN)


def processed(raw: bytes) -> int:
    """A message that was stored and dealt with."""
    incoming_id = stored(raw)
    process(incoming_id)
    return incoming_id


def check(upload_id: int, workspace: Path) -> None:
    """What the worker of uploads does with a file."""
    with command(SYSTEM) as ctx:
        work = uploads.take(ctx, upload_id)
    assert work is not None
    outcome = uploads.check(work, workspace)
    with command(SYSTEM) as ctx:
        uploads.record_check(ctx, work, outcome)


class Cases:
    """A feature of cases that knows one competition: it takes every letter that ``takes`` says, once each."""

    def __init__(self, competition_id: int | None, *, takes: bool = True, answered: bool = False) -> None:
        self.competition_id, self.takes, self.answered = competition_id, takes, answered
        self.taken: list[int] = []

    def units(self, competition_id: int) -> list[tuple[int, str]]:
        return [(7, "第七中学")]

    def led_by(self, user_id: int) -> tuple[int, ...]:
        return ()

    def place(self, letter: Any) -> int | None:
        return self.competition_id

    def take(self, ctx: Any, incoming_id: int) -> Taken | None:
        if not self.takes:
            return None
        if incoming_id not in self.taken:
            self.taken.append(incoming_id)
        return Taken(f"YY2021-{incoming_id:04d}", self.answered)

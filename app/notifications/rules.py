"""Who receives a message, how often it is tried, and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.actors import Actor, Role
from app.errors import NotFoundError, RefusedError
from app.text import T

STAFF = (Role.ORGANISER, Role.COMMITTEE)
"""Who reads a competition's outbox and sends a failed message again."""

SUBJECT_CHARACTERS = 200
FILE_NAME_CHARACTERS = 120

CLAIM_FOR = timedelta(minutes=2)
"""A message in a worker's hands for this long counts as one whose worker died; delivery itself gives up earlier."""

RETRY_AFTER = timedelta(minutes=1)
"""A queued message that nobody took for this long is handed to a worker again by the sweep."""


class Channel(StrEnum):
    SMS = "sms"
    EMAIL = "email"


class MessageState(StrEnum):
    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


STATE_NAMES: dict[MessageState, T] = {
    MessageState.QUEUED: T("待发"),
    MessageState.SENDING: T("发送中"),
    MessageState.SENT: T("已发出"),
    MessageState.FAILED: T("发送失败"),
}

BACK_OFF: Mapping[Channel, tuple[timedelta, ...]] = {
    # a code is worth nothing after five minutes
    Channel.SMS: (timedelta(minutes=1),) * 5,
    Channel.EMAIL: (
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=20),
        timedelta(hours=1),
        timedelta(hours=4),
        timedelta(hours=12),
        timedelta(hours=12),
    ),
}
"""How long is waited after the first, second, … try that did not succeed; after the last try there is no other."""


def next_try(channel: Channel, tries: int, now: datetime) -> datetime | None:
    """When a message that was tried ``tries`` times is tried again; None: never."""
    waits = BACK_OFF[channel]
    return now + waits[tries - 1] if tries <= len(waits) else None


def is_reached(moment: datetime, now: datetime, wait: timedelta) -> bool:
    """Whether ``moment``, set at most ``wait`` ahead of the clock, has come.

    One further ahead was set by a clock that has been put back since: nobody waits for that.
    """
    return moment <= now or moment > now + wait


def longest_wait(channel: Channel) -> timedelta:
    return max(BACK_OFF[channel])


def max_tries(channel: Channel) -> int:
    return len(BACK_OFF[channel]) + 1


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person to write to: ``email`` only once it is confirmed, ``phone`` in E.164, ``language`` ``zh`` or ``en``."""

    user_id: int | None
    email: str | None
    phone: str | None
    language: str = "zh"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A public file that goes with a letter, under the name its reader sees."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that was claimed for sending, the ``attempt``-th time.

    ``repeats`` > 0: an earlier try may have arrived; the message says so. ``stop_url`` is where its reader stops mail of
    its kind, None where there is no such choice.
    """

    id: int
    channel: Channel
    recipient: str
    subject: str
    body: str
    message_id: str
    queued_at: datetime
    attempt: int
    language: str = "zh"
    html: str | None = None
    files: tuple[Attachment, ...] = ()
    in_reply_to: str | None = None
    automatic: bool = False
    repeats: int = 0
    stop_url: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a try did not succeed: a short code without personal data, such as ``RCPT 550 5.1.1`` or ``TimeoutError``.

    ``permanent``: the other side will never take it. ``uncertain``: it may have taken it without our hearing so.
    """

    reason: str
    permanent: bool = False
    uncertain: bool = False


REASONS: Mapping[str, T] = {
    "connect": T("连不上邮件服务器"),
    "TLS": T("邮件服务器的加密连接不可用"),
    "AUTH": T("邮件服务器不接受登录"),
    "MAIL": T("邮件服务器不接受发件人"),
    "RCPT": T("收件地址被拒收"),
    "DATA": T("这封信被拒收"),
    "end of DATA": T("交出后没有收到答复，可能已经送达"),
    "SIZE": T("这封信超过邮件服务器能收的大小"),
    "SMTPUTF8": T("邮件服务器不支持含非英文字符的邮箱"),
    "address": T("收件地址无法书写"),
    "opted out": T("收件人在发出之前退订了"),
    "HTTP": T("短信网关拒收"),
}
"""What the first words of a refusal's code mean."""


def reason_words(reason: str) -> T:
    """A stored reason for the organiser: what happened, and the codes of the answer in brackets."""
    step = next((each for each in REASONS if reason == each or reason.startswith(f"{each} ")), None)
    if step is None:
        return T("没有发出（%(codes)s）", codes=reason)
    codes = reason.removeprefix(step).strip()
    return T("%(what)s（%(codes)s）", what=REASONS[step], codes=codes) if codes else REASONS[step]


class UnknownMessageError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有找到这条消息，它可能已经过了保存期。"))


class BadStopLinkError(RefusedError):
    """A link to stop mail that is altered, cut off, or of another installation."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            T("这个退订链接不完整或不是本站发出的。"),
            next_step=T("请从邮件里重新打开整个链接，或登录后在“我的邮箱”里设置。"),
        )


class NoMailboxError(RefusedError):
    """Nobody to send a sample to."""

    def __init__(self) -> None:
        super().__init__(
            T("您还没有确认的邮箱，试发的信没有地方可去。"),
            next_step=T("请先在“我的邮箱”填写邮箱并确认。"),
        )


class NotFailedError(RefusedError):
    """Only what did not arrive is sent again by hand."""

    def __init__(self) -> None:
        super().__init__(
            T("只有发送失败或被退回的消息可以重发。"), next_step=T("待发的消息会按计划自动再试。")
        )


def require_may_read(actor: Actor, competition_id: int | None) -> None:
    """The outbox of a competition; ``None``: messages of no competition, for whoever holds a role everywhere."""
    actor.require(competition_id, *STAFF)


def require_may_try(actor: Actor, to: Recipient) -> None:
    """Staff of any competition may send a sample, to themselves."""
    if not actor.competitions_with(*STAFF) or actor.user_id != to.user_id:
        actor.require(None, *STAFF)


def one_line(text: str, longest: int = SUBJECT_CHARACTERS) -> str:
    """``text`` as a header can hold it: no line breaks or control characters, at most ``longest`` characters."""
    line = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", " ", text).split())
    line = line.encode("utf-8", "replace").decode("utf-8")
    return line if len(line) <= longest else line[: longest - 1] + "…"


def file_name(name: str) -> str:
    """A name for an attachment: one line, no folders, its ending kept when it is cut."""
    line = one_line(re.sub(r'[/\\:*?"<>|]', "_", name), 1000).lstrip(". ") or "file"
    if len(line) <= FILE_NAME_CHARACTERS:
        return line
    stem, dot, ending = line.rpartition(".")
    if not dot or len(ending) > 10:
        return line[:FILE_NAME_CHARACTERS]
    return stem[: FILE_NAME_CHARACTERS - len(ending) - 1] + dot + ending


def masked(address: str) -> str:
    """``a****@example.org``, ``138****8000``: enough to recognise one's own, too little to write to it."""
    if "@" in address:
        name, _, domain = address.rpartition("@")
        return f"{name[:1]}****@{domain}"
    national = address.removeprefix("+86")
    return f"{national[:3]}****{national[-4:]}" if len(national) >= 8 else "****"

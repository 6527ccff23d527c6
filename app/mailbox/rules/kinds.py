"""What kinds of mail there are, where a message stands, and when it is answered."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from app.text import T


class IncomingKind(StrEnum):
    """What a message is; stored, so a value never changes its meaning."""

    LETTER = "letter"
    TOO_LARGE = "too_large"
    BOUNCE = "bounce"
    AUTOMATIC = "automatic"
    LIST = "list"
    LOOP = "loop"
    EMPTY = "empty"


KIND_NAMES: dict[IncomingKind, T] = {
    IncomingKind.LETTER: T("来信"),
    IncomingKind.TOO_LARGE: T("来信（太大，未收内容）"),
    IncomingKind.BOUNCE: T("退信"),
    IncomingKind.AUTOMATIC: T("自动回复"),
    IncomingKind.LIST: T("群发邮件"),
    IncomingKind.LOOP: T("本站自己的邮件"),
    IncomingKind.EMPTY: T("空邮件"),
}


class IncomingState(StrEnum):
    """Where a message stands.

    new: stored, a worker has it next. triage: it waits for somebody. processed: a case has it, and only the case shows it, or a
    bounce was noted. set_aside: nothing is done with it, ``reason`` says why; it can be taken up again.
    """

    NEW = "new"
    TRIAGE = "triage"
    PROCESSED = "processed"
    SET_ASIDE = "set_aside"


STATE_NAMES: dict[IncomingState, T] = {
    IncomingState.NEW: T("待处理"),
    IncomingState.TRIAGE: T("待分拣"),
    IncomingState.PROCESSED: T("已处理"),
    IncomingState.SET_ASIDE: T("已搁置"),
}


class Reason(StrEnum):
    """Why a message waits for somebody, or was set aside."""

    UNPLACED = "unplaced"
    UNMATCHED = "unmatched"
    TOO_LARGE = "too_large"
    MANY_CAME = "many_came"
    NO_SENDER = "no_sender"
    UNPROCESSABLE = "unprocessable"
    TAKEN_UP = "taken_up"
    BOUNCE = "bounce"
    AUTOMATIC = "automatic"
    LIST = "list"
    LOOP = "loop"
    EMPTY = "empty"
    BY_HAND = "by_hand"


REASON_NAMES: dict[Reason, T] = {
    Reason.UNPLACED: T("看不出是哪个赛事"),
    Reason.UNMATCHED: T("看不出是哪个单位或哪份公示"),
    Reason.TOO_LARGE: T("超过了能接收的大小，附件没有收下"),
    Reason.MANY_CAME: T("这个地址一天内来信太多"),
    Reason.NO_SENDER: T("没有发件人地址"),
    Reason.UNPROCESSABLE: T("处理时多次出错"),
    Reason.TAKEN_UP: T("由工作人员重新受理"),
    Reason.BOUNCE: T("退信，已记入发件箱"),
    Reason.AUTOMATIC: T("机器自动发出"),
    Reason.LIST: T("邮件列表或群发"),
    Reason.LOOP: T("本站发出的邮件又回来了"),
    Reason.EMPTY: T("没有内容"),
    Reason.BY_HAND: T("工作人员决定不处理"),
}


class FileRefusal(StrEnum):
    """Why an attachment became no upload."""

    TOO_LARGE = "too_large"
    EMPTY = "empty"
    TOO_MANY = "too_many"


FILE_REFUSALS: dict[FileRefusal, T] = {
    FileRefusal.TOO_LARGE: T("文件太大，没有收下"),
    FileRefusal.EMPTY: T("文件是空的"),
    FileRefusal.TOO_MANY: T("附件太多，只收前 %(most)s 个", most=20),
}

MOST_FILES = 20
"""Attachments of one letter that become uploads, as many as the web form takes pages of evidence."""

ANSWERS_A_DAY = 5
"""Answers to one address within ``DAY``; two machines that answer each other stop here at the latest."""

DAY = timedelta(hours=24)

LETTERS_A_DAY = 30
"""Letters of one address within ``DAY`` that are dealt with by themselves; more wait for somebody."""

LOST_AFTER = timedelta(seconds=60)
"""A stored message that no worker dealt with for this long: its job was lost, or its worker died."""

ATTEMPTS_MOST = 5
"""How often a message may end its worker before it is left to people."""


def kind_of(
    *, too_large: bool, empty: bool, bounce: bool, loop: bool, list_mail: bool, automatic: bool
) -> IncomingKind:
    """What a message is, the surest sign first: our own letter that came back is no bounce of itself."""
    if loop:
        return IncomingKind.LOOP
    if bounce:
        return IncomingKind.BOUNCE
    if list_mail:
        return IncomingKind.LIST
    if automatic:
        return IncomingKind.AUTOMATIC
    if too_large:
        return IncomingKind.TOO_LARGE
    return IncomingKind.EMPTY if empty else IncomingKind.LETTER


SET_ASIDE_AT_ONCE: dict[IncomingKind, Reason] = {
    IncomingKind.AUTOMATIC: Reason.AUTOMATIC,
    IncomingKind.LOOP: Reason.LOOP,
    IncomingKind.EMPTY: Reason.EMPTY,
}
"""What nobody has to look at. It stays on the list of what was set aside, where a mistake can be put right."""


def is_answered(kind: IncomingKind, *, sender: str, own: frozenset[str], answers_today: int) -> bool:
    """Whether a message gets an answer by machine: only a person's letter, from an address that is not ours, a few times a day."""
    if kind not in {IncomingKind.LETTER, IncomingKind.TOO_LARGE}:
        return False
    return bool(sender) and sender not in own and answers_today < ANSWERS_A_DAY

"""What may be uploaded for which purpose, by whom and how much; the states of an upload and what pieces must be like."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import NewType

from app.actors import Actor, Role
from app.text import T
from app.uploads.rules.refusals import (
    DayFullError,
    GapError,
    NotWholeError,
    PieceSizeError,
    TooLargeError,
    TooManyOpenError,
    UnknownPurposeError,
)

__all__ = [
    "ATTEMPTS_MOST",
    "DAY",
    "DAY_BYTES",
    "KEPT",
    "KIB",
    "LEASE",
    "LEAST_PIECE_BYTES",
    "LOST_AFTER",
    "MIB",
    "MOST_PIECE_BYTES",
    "OPEN_MOST",
    "PIECE_BYTES",
    "PURPOSES",
    "QUARANTINE_KEPT",
    "STATE_NAMES",
    "STUCK",
    "UNCHECKABLE",
    "UNCLAIMED",
    "FileRole",
    "Purpose",
    "UnknownPurposeError",
    "UploadId",
    "UploadState",
    "is_repeated",
    "postponed_for",
    "purpose",
    "require_may_begin",
    "require_piece",
    "require_room",
    "require_size",
    "require_whole",
]

UploadId = NewType("UploadId", int)

KIB = 1024
MIB = 1024 * KIB

PIECE_BYTES = 256 * KIB
"""What a piece should have: a second on a bad network, and what is lost when it breaks."""

LEAST_PIECE_BYTES = 64 * KIB
"""A shorter piece is taken only as the last one: rows would be more than what they hold."""

MOST_PIECE_BYTES = MIB

OPEN_MOST = 60
"""Uploads of one person in one competition that no form has claimed: a form of ten pages for six members."""

DAY_BYTES = 1024 * MIB
"""What one person may announce within ``DAY``; a leader's thirty members with three photos each need a tenth of it."""

DAY = timedelta(hours=24)

LEASE = timedelta(minutes=4)
"""A check that has not ended after this long died with its worker; ``clean_apart`` ends well before."""

LOST_AFTER = timedelta(seconds=60)
"""A whole upload that nobody has taken up for this long: the broker lost its job."""

ATTEMPTS_MOST = 4
"""How often a check may die before the upload is refused."""

POSTPONED_FIRST = timedelta(seconds=30)
POSTPONED_MOST = timedelta(minutes=15)

KEPT = timedelta(hours=24)
"""An upload that stands still, or that nobody claims, is deleted after this long."""

STUCK = timedelta(days=7)
"""A whole upload that could not be checked for this long, because the scanner or the store was away, is deleted."""

QUARANTINE_KEPT = timedelta(days=30)
"""How long is kept what the scanner said of a file, and its hash; the file itself is deleted at once."""

UNCHECKABLE = "uncheckable"
"""The reason of an upload whose check died ``ATTEMPTS_MOST`` times."""


class UploadState(StrEnum):
    """Where an upload stands; stored, so a value never changes its meaning."""

    RECEIVING = "receiving"
    WAITING = "waiting"
    CHECKING = "checking"
    READY = "ready"
    REFUSED = "refused"
    QUARANTINED = "quarantined"
    DISCARDED = "discarded"


STATE_NAMES: dict[UploadState, T] = {
    UploadState.RECEIVING: T("上传中"),
    UploadState.WAITING: T("检查中"),
    UploadState.CHECKING: T("检查中"),
    UploadState.READY: T("可以提交"),
    UploadState.REFUSED: T("被拒绝"),
    UploadState.QUARANTINED: T("被拒绝"),
    UploadState.DISCARDED: T("已删除"),
}

UNCLAIMED = (UploadState.RECEIVING, UploadState.WAITING, UploadState.CHECKING, UploadState.READY)
"""States that count as open until a form claims the upload."""


class FileRole(StrEnum):
    """What a stored file of an upload is."""

    CONTENT = "content"
    PREVIEW = "preview"
    THUMBNAIL = "thumbnail"


@dataclass(frozen=True, slots=True)
class Purpose:
    """What files of one purpose may be: bytes of a picture and of a PDF, pages of all files of a form together.

    ``roles`` may send them; with none, anybody signed in.
    """

    name: T
    picture_bytes: int
    pdf_bytes: int
    pages: int
    roles: tuple[Role, ...] = ()

    @property
    def most_bytes(self) -> int:
        return max(self.picture_bytes, self.pdf_bytes)

    def within(self, *, megabytes: int, pages: int) -> Purpose:
        """The same for a form whose own limits are narrower."""
        most = megabytes * MIB
        return replace(
            self,
            picture_bytes=min(self.picture_bytes, most),
            pdf_bytes=min(self.pdf_bytes, most),
            pages=min(self.pages, pages),
        )

    @property
    def accepted(self) -> T:
        """What would be accepted, in a sentence."""
        return T(
            "可以提交 JPEG、PNG、HEIC、WebP 照片（每张不超过 %(picture)s MB），或 PDF（不超过 %(pdf)s MB、%(pages)s 页）。",
            picture=self.picture_bytes // MIB,
            pdf=self.pdf_bytes // MIB,
            pages=self.pages,
        )


PURPOSES: dict[str, Purpose] = {
    "proof": Purpose(T("证明材料"), 15 * MIB, 20 * MIB, 20),
    "letter": Purpose(T("盖章公函"), 15 * MIB, 20 * MIB, 5),
    "undertaking": Purpose(T("签名的承诺书"), 15 * MIB, 20 * MIB, 5),
    "evidence": Purpose(T("异议或申诉的证据"), 15 * MIB, 20 * MIB, 20),
    "desk": Purpose(T("现场收取的纸质材料"), 15 * MIB, 20 * MIB, 20, (Role.COMMITTEE,)),
    "announcement": Purpose(T("公告附件"), 15 * MIB, 20 * MIB, 50, (Role.ORGANISER, Role.COMMITTEE)),
}
"""Every purpose, by the code that a form names."""


def purpose(code: str) -> Purpose:
    """Raises ``UnknownPurposeError``."""
    if code not in PURPOSES:
        raise UnknownPurposeError(code, PURPOSES)
    return PURPOSES[code]


def require_may_begin(actor: Actor, competition_id: int, code: str) -> int:
    """The id of the person, who may send files of this purpose. Raises what refuses it."""
    user_id = actor.require_signed_in()
    if roles := purpose(code).roles:
        actor.require(competition_id, *roles)
    return user_id


def most_bytes(wanted: Purpose, name: str) -> int:
    """What a file of this name may have at most; the content is looked at once it is here."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if ending in {"jpg", "jpeg", "png", "webp", "heic", "heif"}:
        return wanted.picture_bytes
    return wanted.pdf_bytes if ending == "pdf" else wanted.most_bytes


def require_size(wanted: Purpose, name: str, size: int) -> int:
    """The limit that holds for this file. Raises ``TooLargeError`` for a larger one, and for an empty one."""
    most = most_bytes(wanted, name)
    if not 0 < size <= most:
        raise TooLargeError(size, most, wanted.accepted)
    return most


def require_room(*, open_uploads: int, day_bytes: int, size: int) -> None:
    """Whether one person may begin one more. Raises ``TooManyOpenError`` or ``DayFullError``."""
    if open_uploads >= OPEN_MOST:
        raise TooManyOpenError(OPEN_MOST)
    if day_bytes + size > DAY_BYTES:
        raise DayFullError(DAY_BYTES // MIB)


def is_repeated(*, received: int, start: int, length: int) -> bool:
    """Whether a piece is here already (True) or comes next (False).

    ``received`` bytes are here, ``start`` is the piece's place, both in bytes. Raises ``GapError`` for a piece that
    does neither: it leaves a gap, or begins within what is here and goes beyond it.
    """
    if start + length <= received:
        return True
    if start != received:
        raise GapError(received)
    return False


def require_piece(*, size: int, start: int, length: int) -> None:
    """Whether a piece fits the announced ``size``. Raises ``PieceSizeError``."""
    last = start + length == size
    if start + length > size:
        raise PieceSizeError(
            T("文件比上传开始时说的要大（%(size)s 字节），多出来的部分没有保存。", size=size)
        )
    if not 0 < length <= MOST_PIECE_BYTES or (length < LEAST_PIECE_BYTES and not last):
        raise PieceSizeError(
            T(
                "每一段应为 %(least)s 到 %(most)s KB，最后一段可以更短。",
                least=LEAST_PIECE_BYTES // KIB,
                most=MOST_PIECE_BYTES // KIB,
            )
        )


def require_whole(*, received: int, size: int) -> None:
    """Raises ``NotWholeError`` while bytes are missing."""
    if received < size:
        raise NotWholeError(received, size)


def postponed_for(times: int) -> timedelta:
    """How long a check waits after it was put off ``times`` times because the scanner or the store was away."""
    doubled: timedelta = POSTPONED_FIRST * 2 ** min(times - 1, 10)
    return min(doubled, POSTPONED_MOST)

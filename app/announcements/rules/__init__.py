"""States of an announcement, who may write one, and what one may be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from app.actors import Role
from app.announcements.rules.refusals import (
    AnnouncementChangedError,
    AnnouncementWithdrawnError,
    AttachmentsError,
    KeyUsedError,
    PublicationTimeError,
    TextRefusedError,
    UnknownAnnouncementError,
)
from app.announcements.rules.texts import days_of_birth, holds_id_number, holds_mobile_number
from app.text import T

__all__ = [
    "FARTHEST",
    "HOME_NEWEST",
    "HOME_PINNED",
    "IN_FEED",
    "LONGEST_BODY",
    "LONGEST_BODY_EN",
    "LONGEST_NAME",
    "LONGEST_REASON",
    "LONGEST_TITLE",
    "LONGEST_TITLE_EN",
    "MOST_FILES",
    "ON_A_PAGE",
    "PURPOSE",
    "STATE_NAMES",
    "WRITERS",
    "AnnouncementChangedError",
    "AnnouncementId",
    "AnnouncementState",
    "AnnouncementText",
    "AnnouncementWithdrawnError",
    "KeyUsedError",
    "UnknownAnnouncementError",
    "file_name",
    "is_public",
    "publication_time",
    "require_changeable",
    "require_files",
    "require_publishable",
    "require_reason",
    "state",
    "unchanged_time",
    "was_public",
]

AnnouncementId = NewType("AnnouncementId", int)

WRITERS = (Role.ORGANISER, Role.COMMITTEE)
"""Who writes, changes and withdraws announcements, and reads them before their time."""

PURPOSE = "announcement"
"""For what attachments are uploaded (``app.uploads.rules.PURPOSES``)."""

LONGEST_TITLE, LONGEST_TITLE_EN = 100, 200
LONGEST_BODY, LONGEST_BODY_EN = 10_000, 20_000
LONGEST_REASON = 200
LONGEST_NAME = 120
MOST_FILES = 10

FARTHEST = timedelta(days=731)
"""A publication time beyond this is a slip of the pen."""

HOME_PINNED, HOME_NEWEST = 3, 3
"""How many the competition's home page shows: pinned ones, and the newest of the others."""

IN_FEED = 50
ON_A_PAGE = 20
"""How many a page lists, for readers and for who writes."""


class AnnouncementState(StrEnum):
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


STATE_NAMES: dict[AnnouncementState, T] = {
    AnnouncementState.SCHEDULED: T("待发布"),
    AnnouncementState.PUBLISHED: T("已发布"),
    AnnouncementState.WITHDRAWN: T("已撤回"),
}


@dataclass(frozen=True, slots=True)
class AnnouncementText:
    """What is written: plain text, whose empty lines part paragraphs. English is both of its parts, or none."""

    title: str
    body: str
    title_en: str | None = None
    body_en: str | None = None

    def tidy(self) -> AnnouncementText:
        """Line ends as ``\\n``; titles on one line."""
        return AnnouncementText(
            " ".join(self.title.split()),
            _lines(self.body),
            " ".join(self.title_en.split()) if self.title_en else None,
            _lines(self.body_en) if self.body_en else None,
        )

    def parts(self) -> dict[str, str]:
        """By field; what is not written is left out."""
        written = {
            "title": self.title,
            "body": self.body,
            "title_en": self.title_en,
            "body_en": self.body_en,
        }
        return {name: text for name, text in written.items() if text}


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def state(publish_at: datetime, withdrawn_at: datetime | None, now: datetime) -> AnnouncementState:
    """From its publication time on (that second included) an announcement is public, unless it was withdrawn."""
    if withdrawn_at is not None:
        return AnnouncementState.WITHDRAWN
    return AnnouncementState.PUBLISHED if publish_at <= now else AnnouncementState.SCHEDULED


def is_public(publish_at: datetime, withdrawn_at: datetime | None, now: datetime) -> bool:
    return state(publish_at, withdrawn_at, now) is AnnouncementState.PUBLISHED


def was_public(publish_at: datetime, withdrawn_at: datetime | None, now: datetime) -> bool:
    """Whether anybody may have read it: then its address goes on to answer after it was withdrawn."""
    return publish_at <= (withdrawn_at or now)


def publication_time(wanted: datetime | None, now: datetime) -> datetime:
    """When it goes public: ``now`` where nothing is wanted. Raises ``PublicationTimeError``.

    The minute that runs is not past: a form knows no seconds.
    """
    if wanted is None:
        return now
    if wanted.year < 2000 or wanted < now.replace(second=0, microsecond=0):
        raise PublicationTimeError(T("这个时间已经过去；要立即发布，请把它空着。"))
    if wanted.year > now.year + 3 or wanted > now + FARTHEST:
        raise PublicationTimeError(T("最多预定两年以后，请核对年份。"))
    return max(wanted, now)


def unchanged_time(wanted: datetime | None, publish_at: datetime) -> None:
    """A published one keeps its publication time. Raises ``PublicationTimeError``."""
    if wanted is not None and wanted != publish_at.replace(
        second=wanted.second, microsecond=wanted.microsecond
    ):
        raise PublicationTimeError(T("已经发布，发布时间不能再改。"))


def require_publishable(text: AnnouncementText, names: Sequence[str], now: datetime, *, phones: bool) -> None:
    """Whether everybody may read this. ``names``: of attachments; ``phones``: the writer has said that the mobile numbers
    in it may be public. Raises ``TextRefusedError`` with a sentence for every field.
    """
    wrong: dict[str, T] = {}
    if (text.title_en is None) != (text.body_en is None):
        missing = "title_en" if text.title_en is None else "body_en"
        wrong[missing] = T("英文的标题和正文要么都写，要么都不写。")
    written = {**text.parts(), "uploads": "\n".join(names)}
    for name, part in written.items():
        if holds_id_number(part, days_of_birth(now)):
            wrong[name] = T("这里有身份证号。公告人人可看，不能写身份证号，请删去。")
    if wrong:
        raise TextRefusedError(wrong)
    if not phones:
        found = [name for name, part in written.items() if holds_mobile_number(part)]
        if found:
            sentence = T("这里有手机号，发布后人人可看。请删去；如果是对外公布的联系电话，请在下面确认。")
            raise TextRefusedError(dict.fromkeys(found, sentence), phones=True)


def require_reason(reason: str, now: datetime) -> str:
    """Why it is withdrawn, which everybody reads. Raises ``TextRefusedError``."""
    tidy = " ".join(reason.split())
    if not tidy:
        raise TextRefusedError({"reason": T("请填写。")})
    if holds_id_number(tidy, days_of_birth(now)) or holds_mobile_number(tidy):
        raise TextRefusedError({"reason": T("撤回原因人人可看，不能写身份证号和手机号，请删去。")})
    return tidy


def require_changeable(
    *, revision: int, base_revision: int, publish_at: datetime, withdrawn_at: datetime | None, now: datetime
) -> AnnouncementState:
    """Its state, where it may be changed. Raises ``AnnouncementWithdrawnError`` or ``AnnouncementChangedError``."""
    found = state(publish_at, withdrawn_at, now)
    if found is AnnouncementState.WITHDRAWN:
        raise AnnouncementWithdrawnError
    if revision != base_revision:
        raise AnnouncementChangedError(revision)
    return found


def require_files(count: int) -> None:
    """Raises ``AttachmentsError``."""
    if count > MOST_FILES:
        raise AttachmentsError(count, MOST_FILES)


_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\u202a-\u202e\u2066-\u2069]+')


def file_name(sent: str, media_type: str, position: int) -> str:
    """What readers see and save: the sender's name, with the ending of the cleaned file."""
    ending = {"image/jpeg": ".jpg", "application/pdf": ".pdf"}.get(media_type, "")
    stem = _NOT_IN_NAMES.sub(" ", sent)
    stem = re.sub(r"\.(jpe?g|png|webp|hei[cf]|pdf)$", "", stem.strip(), flags=re.IGNORECASE)
    stem = " ".join(stem.split()).strip(". ")[: LONGEST_NAME - len(ending)].strip(". ")
    return (stem or f"附件{position}") + ending

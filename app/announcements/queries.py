from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select

from app.announcements import rules
from app.announcements.models import Announcement, AnnouncementFile
from app.announcements.rules import (
    AnnouncementId,
    AnnouncementState,
    AnnouncementText,
    UnknownAnnouncementError,
)
from app.announcements.rules.texts import Paragraph, paragraphs
from app.competitions.queries import EventView
from app.extensions import db
from app.text import T
from app.uploads import queries as uploads
from app.uploads.queries import StoredView
from app.uploads.rules import FileRole, UploadId
from app.waiting import Urgency, Waiting


@dataclass(frozen=True, slots=True)
class AttachmentView:
    """One attachment; ``size`` in bytes, ``upload_id`` names it in addresses."""

    upload_id: UploadId
    name: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Shown:
    """An announcement in one language: ``language`` is ``zh`` where there is no English, whatever was asked for."""

    title: str
    body: str
    language: str

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        return paragraphs(self.body)


@dataclass(frozen=True, slots=True)
class AnnouncementView:
    id: AnnouncementId
    competition_id: int
    text: AnnouncementText
    pinned: bool
    revision: int
    created_at: datetime
    publish_at: datetime
    changed_at: datetime | None
    withdrawn_at: datetime | None
    withdrawn_reason: str | None
    attachments: tuple[AttachmentView, ...]

    def state(self, now: datetime) -> AnnouncementState:
        return rules.state(self.publish_at, self.withdrawn_at, now)

    @property
    def updated_at(self) -> datetime:
        """When readers last got something new of it."""
        return max(filter(None, (self.publish_at, self.changed_at, self.withdrawn_at)))

    def shown(self, language: str) -> Shown:
        return shown(self.text, language)


def shown(text: AnnouncementText, language: str) -> Shown:
    if language == "en" and text.title_en and text.body_en:
        return Shown(text.title_en, text.body_en, "en")
    return Shown(text.title, text.body, "zh")


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a list: page `number` of `pages`, from 1."""

    rows: tuple[AnnouncementView, ...]
    number: int
    pages: int


def public(competition_id: int, now: datetime) -> tuple[AnnouncementView, ...]:
    """What everybody reads: pinned ones first, then the newest first."""
    return _views(_public(competition_id, now))


def public_part(competition_id: int, now: datetime, asked: int) -> Part:
    """A page of what everybody reads, in the same order; of one that is not there, the nearest."""
    return _part(_public(competition_id, now), asked)


def newest(competition_id: int, now: datetime) -> tuple[AnnouncementView, ...]:
    """For feeds: the newest first, pinned or not."""
    return _views(
        _of(competition_id)
        .where(Announcement.publish_at <= now, Announcement.withdrawn_at.is_(None))
        .order_by(Announcement.publish_at.desc(), Announcement.id.desc())
        .limit(rules.IN_FEED)
    )


def for_home(competition_id: int, now: datetime) -> tuple[AnnouncementView, ...]:
    """What the competition's home page shows: a few pinned ones, then a few of the others."""
    readable = _public(competition_id, now)
    pinned = _views(readable.where(Announcement.pinned).limit(rules.HOME_PINNED))
    others = _views(readable.where(~Announcement.pinned).limit(rules.HOME_NEWEST))
    return (*pinned, *others)


def last_change(competition_id: int, now: datetime) -> datetime | None:
    """When what the public reads last changed, by an act or by the clock; None where nothing was ever public."""
    rows = db.session.execute(
        select(Announcement.publish_at, Announcement.changed_at, Announcement.withdrawn_at).where(
            Announcement.competition_id == competition_id, Announcement.publish_at <= now
        )
    ).all()
    moments = [
        max(filter(None, row)) for row in rows if rules.was_public(row.publish_at, row.withdrawn_at, now)
    ]
    return max(moments, default=None)


def for_staff(competition_id: int) -> tuple[AnnouncementView, ...]:
    """Every one, the last written first. Asks no permission."""
    return _views(_all(competition_id))


def staff_part(competition_id: int, asked: int) -> Part:
    """A page of the same. Asks no permission."""
    return _part(_all(competition_id), asked)


def readable(
    competition_id: int, announcement_id: int, now: datetime, *, writer: bool = False
) -> AnnouncementView:
    """One of this competition: public, or withdrawn after it was public; any for a ``writer``.

    Raises ``UnknownAnnouncementError``.
    """
    found = _views(_of(competition_id).where(Announcement.id == announcement_id))
    if not found:
        raise UnknownAnnouncementError
    view = found[0]
    if not writer and not rules.was_public(view.publish_at, view.withdrawn_at, now):
        raise UnknownAnnouncementError
    return view


def attachment(
    competition_id: int, announcement_id: int, upload_id: int, now: datetime, *, writer: bool = False
) -> tuple[str, StoredView]:
    """The name and the cleaned file of an attachment, while its announcement is public; any time for a ``writer``.

    Raises ``UnknownAnnouncementError``.
    """
    view = readable(competition_id, announcement_id, now, writer=writer)
    if not writer and view.state(now) is not AnnouncementState.PUBLISHED:
        raise UnknownAnnouncementError
    for each in view.attachments:
        if each.upload_id == upload_id:
            return each.name, uploads.stored(each.upload_id, FileRole.CONTENT)
    raise UnknownAnnouncementError


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """That some go public by themselves, and when the next does."""
    count, first = db.session.execute(
        select(func.count(), func.min(Announcement.publish_at)).where(
            Announcement.competition_id == event.competition_id,
            Announcement.publish_at > now,
            Announcement.withdrawn_at.is_(None),
        )
    ).one()
    if not count:
        return ()
    return (
        Waiting(
            T("%(count)s 条公告待发布，最近的在 %(at)s", count=count, at=first),
            T("看公告"),
            "announcements.staff_announcements",
            rules.WRITERS,
            Urgency.RUNS,
        ),
    )


def _public(competition_id: int, now: datetime) -> Select[Any]:
    return (
        _of(competition_id)
        .where(Announcement.publish_at <= now, Announcement.withdrawn_at.is_(None))
        .order_by(Announcement.pinned.desc(), Announcement.publish_at.desc(), Announcement.id.desc())
    )


def _all(competition_id: int) -> Select[Any]:
    return _of(competition_id).order_by(Announcement.id.desc())


def _part(statement: Select[Any], asked: int) -> Part:
    size = rules.ON_A_PAGE
    count = db.session.scalar(select(func.count()).select_from(statement.order_by(None).subquery())) or 0
    pages = max(1, -(-count // size))
    number = min(max(asked, 1), pages)
    return Part(_views(statement.limit(size).offset((number - 1) * size)), number, pages)


def _of(competition_id: int) -> Select[Any]:
    return select(Announcement).where(Announcement.competition_id == competition_id)


def _views(statement: Select[Any]) -> tuple[AnnouncementView, ...]:
    rows = db.session.scalars(statement).all()
    files = _attachments([row.id for row in rows])
    return tuple(_view(row, files.get(row.id, ())) for row in rows)


def _attachments(announcement_ids: Iterable[int]) -> Mapping[int, Sequence[AttachmentView]]:
    rows = db.session.scalars(
        select(AnnouncementFile)
        .where(AnnouncementFile.announcement_id.in_(list(announcement_ids)))
        .order_by(AnnouncementFile.position)
    ).all()
    contents = uploads.contents([row.upload_id for row in rows])
    found: dict[int, list[AttachmentView]] = {}
    for row in rows:
        content = contents[row.upload_id]
        found.setdefault(row.announcement_id, []).append(
            AttachmentView(UploadId(row.upload_id), row.name, content.media_type, content.size)
        )
    return found


def _view(row: Announcement, files: Sequence[AttachmentView]) -> AnnouncementView:
    return AnnouncementView(
        id=AnnouncementId(row.id),
        competition_id=row.competition_id,
        text=AnnouncementText(row.title, row.body, row.title_en, row.body_en),
        pinned=row.pinned,
        revision=row.revision,
        created_at=row.created_at,
        publish_at=row.publish_at,
        changed_at=row.changed_at,
        withdrawn_at=row.withdrawn_at,
        withdrawn_reason=row.withdrawn_reason,
        attachments=tuple(files),
    )

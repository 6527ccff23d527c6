"""Announcements as an organiser or the committee writes them. Everything needs an application context."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from app.actors import Actor, Role
from app.announcements import queries, service
from app.announcements.queries import AnnouncementView
from app.announcements.rules import PURPOSE, AnnouncementText
from app.clock import now
from app.commands import command
from app.competitions import queries as competitions
from app.uploads.queries import UploadView
from tests.factories import accounts, uploads
from tests.factories import competitions as competition_factory

TITLE, BODY = "赛前须知", "请提前一小时到场。\n带好身份证件。\n\n路线见 https://example.org/route 。"
TITLE_EN, BODY_EN = "Before the games", "Please arrive an hour early.\n\nRoute: https://example.org/route."

_numbers = count()


def place(slug: str = "beach-2021") -> str:
    return competition_factory.competition(slug=slug).slug


def committee(slug: str) -> Actor:
    return accounts.user(70_000_001, Role.COMMITTEE, competition_id=competitions.competition_id(slug))


def announce(by: Actor, slug: str, title: str = TITLE, body: str = BODY, **changes: Any) -> AnnouncementView:
    english = {name: changes.pop(name, None) for name in ("title_en", "body_en")}
    values = {"idempotency_key": f"announcement-{next(_numbers)}"} | changes
    with command(by) as ctx:
        found = service.announce(ctx, slug, AnnouncementText(title, body, **english), **values)
    return read(slug, found)


def read(slug: str, announcement_id: int) -> AnnouncementView:
    return queries.readable(competitions.competition_id(slug), announcement_id, now(), writer=True)


def change(by: Actor, slug: str, view: AnnouncementView, **changes: Any) -> AnnouncementView:
    parts = {
        "title": view.text.title,
        "body": view.text.body,
        "title_en": view.text.title_en,
        "body_en": view.text.body_en,
    }
    text = AnnouncementText(**{name: changes.pop(name, part) for name, part in parts.items()})
    values = {"base_revision": view.revision, "pinned": view.pinned} | changes
    with command(by) as ctx:
        service.change(ctx, slug, view.id, text, **values)
    return read(slug, view.id)


def withdraw(by: Actor, slug: str, view: AnnouncementView, reason: str = "时间写错了") -> AnnouncementView:
    with command(by) as ctx:
        service.withdraw(ctx, slug, view.id, reason=reason)
    return read(slug, view.id)


def attachment(by: Actor, slug: str, workspace: Path, name: str = "日程.jpg", **changes: Any) -> UploadView:
    """A checked file that is to be attached."""
    return uploads.ready(by, slug, workspace, **({"purpose": PURPOSE, "name": name} | changes))

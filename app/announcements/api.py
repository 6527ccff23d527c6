from __future__ import annotations

from typing import Any

from flask import url_for
from werkzeug.wrappers import Response

from app import clock
from app.announcements import queries, service
from app.announcements.queries import AnnouncementView
from app.announcements.rules import WRITERS, AnnouncementState
from app.announcements.schemas import (
    AnnouncementSchema,
    AnnouncementWithdrawalSchema,
    ChangedAnnouncementSchema,
    NewAnnouncementSchema,
)
from app.commands import command
from app.competitions import queries as competitions
from app.uploads.pages.serving import serve_public
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("announcements_api", __name__, description="公告 announcements of a competition")

ALL = "/competitions/<slug>/announcements"
ONE = f"{ALL}/<int:announcement_id>"


@blueprint.get(ALL)
@public
@blueprint.response(200, AnnouncementSchema(many=True))
def list_announcements(slug: str) -> list[dict[str, Any]]:
    """What is public now: pinned ones first, then the newest first."""
    competition_id = competitions.competition_id(slug)
    return [_document(slug, each) for each in queries.public(competition_id, clock.now())]


@blueprint.get(f"{ALL}/all")
@staff(*WRITERS)
@blueprint.response(200, AnnouncementSchema(many=True))
def list_all(slug: str) -> list[dict[str, Any]]:
    """Every one, scheduled and withdrawn ones too, the last written first."""
    found = queries.for_staff(competitions.competition_id(slug))
    return [_document(slug, each, writer=True) for each in found]


@blueprint.post(ALL)
@staff(*WRITERS)
@blueprint.arguments(NewAnnouncementSchema)
@blueprint.response(201, AnnouncementSchema)
def announce(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Write an announcement; it goes public at its time by itself."""
    with command(current_actor()) as ctx:
        announcement_id = service.announce(ctx, slug, body.pop("text"), **body)
    return _one(slug, announcement_id, writer=True)


@blueprint.get(ONE)
@public
@blueprint.response(200, AnnouncementSchema)
def show(slug: str, announcement_id: int) -> dict[str, Any]:
    """One announcement; a withdrawn one says why. Before its time only who may write reads it."""
    return _one(slug, announcement_id, writer=_is_writer(slug))


@blueprint.put(ONE)
@staff(*WRITERS)
@blueprint.arguments(ChangedAnnouncementSchema)
@blueprint.response(200, AnnouncementSchema)
def change(body: dict[str, Any], slug: str, announcement_id: int) -> dict[str, Any]:
    """Change it; a published one says when it was changed."""
    with command(current_actor()) as ctx:
        service.change(ctx, slug, announcement_id, body.pop("text"), **body)
    return _one(slug, announcement_id, writer=True)


@blueprint.post(f"{ONE}/withdraw")
@staff(*WRITERS)
@blueprint.arguments(AnnouncementWithdrawalSchema)
@blueprint.response(200, AnnouncementSchema)
def withdraw(body: dict[str, Any], slug: str, announcement_id: int) -> dict[str, Any]:
    """Withdraw it with a reason; its address goes on to answer."""
    with command(current_actor()) as ctx:
        service.withdraw(ctx, slug, announcement_id, reason=body["reason"])
    return _one(slug, announcement_id, writer=True)


@blueprint.get(f"{ONE}/attachments/<int:upload_id>")
@public
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="application/octet-stream")
def attachment(slug: str, announcement_id: int, upload_id: int) -> Response:
    """An attachment as it was cleaned (JPEG or PDF), whole or in ranges."""
    competition_id = competitions.competition_id(slug)
    name, file = queries.attachment(
        competition_id, announcement_id, upload_id, clock.now(), writer=_is_writer(slug)
    )
    return serve_public(file, name=name)


def _is_writer(slug: str) -> bool:
    return current_actor().has(competitions.competition_id(slug), *WRITERS)


def _one(slug: str, announcement_id: int, *, writer: bool) -> dict[str, Any]:
    competition_id = competitions.competition_id(slug)
    view = queries.readable(competition_id, announcement_id, clock.now(), writer=writer)
    return _document(slug, view, writer=writer)


def _document(slug: str, view: AnnouncementView, *, writer: bool = False) -> dict[str, Any]:
    state = view.state(clock.now())
    hidden = state is AnnouncementState.WITHDRAWN and not writer
    return {
        "id": view.id,
        "state": state.value,
        "title": None if hidden else view.text.title,
        "body": None if hidden else view.text.body,
        "title_en": None if hidden else view.text.title_en,
        "body_en": None if hidden else view.text.body_en,
        "pinned": view.pinned,
        "revision": view.revision,
        "publish_at": view.publish_at,
        "changed_at": view.changed_at,
        "withdrawn_at": view.withdrawn_at,
        "withdrawn_reason": view.withdrawn_reason,
        "attachments": [
            {
                "id": each.upload_id,
                "name": each.name,
                "media_type": each.media_type,
                "size": each.size,
                "url": url_for(
                    "announcements.attachment", slug=slug, announcement_id=view.id, upload_id=each.upload_id
                ),
            }
            for each in (() if hidden else view.attachments)
        ],
        "url": url_for("announcements.one", slug=slug, announcement_id=view.id),
    }

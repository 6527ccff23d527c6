"""What API and pages do alike: a member's copy as an answer that no cache keeps, and what they ask of later features."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from flask import Response, current_app

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.documents import copying
from app.documents.queries import privacy as queries
from app.documents.service import privacy as service
from app.extensions import db
from app.web import current_actor
from app.web.links import external_url


def copy(slug: str, member_id: int) -> Response:
    """Record who takes it, read what is held, and send it without holding the database."""
    with command(current_actor()) as ctx:
        member = service.take_copy(ctx, slug=slug, member_id=member_id)
    now = clock.now()
    return _sent(queries.copy_of(competitions.competition(slug), member, now), f"{slug}-{member_id}", now)


def copy_unit(slug: str) -> Response:
    """The same of the unit itself."""
    with command(current_actor()) as ctx:
        unit = service.take_unit_copy(ctx, slug=slug)
    now = clock.now()
    return _sent(queries.copy_of_unit(competitions.competition(slug), unit, now), f"{slug}-unit", now)


def _sent(
    found: tuple[Mapping[str, Any], tuple[queries.CopiedFile, ...]], name: str, now: datetime
) -> Response:
    document, files = found
    db.session.rollback()
    answer = Response(copying.archive(document, files, now), mimetype="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}-data.zip"'
    answer.headers["Cache-Control"] = "no-store, private"
    return answer


def published(event_id: int) -> Mapping[int, str]:
    """Which entries of an event are on a list, and whether its window is over, as the later feature says."""
    found: Mapping[int, str] = current_app.extensions["saishi_publication_states"](event_id, clock.now())
    return found


def address_of_answer(slug: str) -> str:
    """Where who asked reads the answer; the message to him says it."""
    return external_url("documents.own_data", slug=slug)

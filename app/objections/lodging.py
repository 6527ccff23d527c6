"""What API and pages do alike: send an objection in and log one that was not taken, and show a page of a file."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.accounts.queries import session_user
from app.commands import command
from app.objections import service
from app.objections.queries.own import token_of
from app.objections.rules.refusals import NotAdmittedError
from app.uploads import queries as uploads
from app.uploads.pages.serving import serve
from app.uploads.rules import FileRole
from app.web import current_actor
from app.web.i18n import language


def send(slug: str, **body: Any) -> str:
    """Lodge an objection; the token of its receipt. What was refused for standing or window leaves an entry of its own."""
    try:
        with command(current_actor()) as ctx:
            objection_id = service.lodge(ctx, slug=slug, language=language(), **body)
    except NotAdmittedError as refusal:
        with command(current_actor()) as ctx:
            service.note_turned_away(ctx, slug=slug, refusal=refusal)
        raise
    return token_of(objection_id)


def picture(slug: str, file_id: int, page: int, what: str) -> Response:
    """One page of a file with the reader's number across it; who looked is on record. Its name says nothing of a case."""
    actor = current_actor()
    with command(actor) as ctx:
        upload_id = service.look(ctx, slug=slug, file_id=file_id, page=page, what=what)
    person = session_user(actor.require_signed_in())
    return serve(
        uploads.stored(upload_id, FileRole(what), page),
        name=f"objection-file-{file_id}-{page}",
        reader=person.phone_masked if person else "",
    )

"""What API and pages of the review do alike: a picture as an answer, and what they ask of later features."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app

from app import clock
from app.accounts.queries import session_user
from app.commands import command
from app.documents import queries
from app.documents.rules import DocumentId
from app.documents.service import review as service
from app.uploads import queries as uploads
from app.uploads.pages.serving import serve
from app.uploads.rules import FileRole
from app.web import current_actor
from app.web.links import external_url


def leader_address(slug: str, document_id: int) -> str:
    """The leader's page that opens just what was flagged; the message to him says it. It names no person."""
    document = queries.document(document_id)
    return external_url("documents.mine_one", slug=slug, subject=str(document.subject), kind=document.kind)


def is_listed(event_id: int) -> bool:
    """Whether the list of the event is published, as the later feature says."""
    return bool(current_app.extensions["saishi_publication_states"](event_id, clock.now()))


def picture(slug: str, document_id: int, **place: Any) -> Response:
    """One page of a document with the reader's name across it; who looked is on record.

    ``place`` is what ``service.look`` takes: revision, position, page, what. The name is the masked number, the only one
    an account has.
    """
    actor = current_actor()
    with command(actor) as ctx:
        upload_id = service.look(ctx, slug=slug, document_id=DocumentId(document_id), **place)
    person = session_user(actor.require_signed_in())
    return serve(
        uploads.stored(upload_id, FileRole(place["what"]), place["page"]),
        name="document-{}-{revision}-{position}-{page}".format(document_id, **place),
        reader=person.phone_masked if person else "",
    )

"""What API and pages do alike: take an appeal in, log one that was not taken, and show a page of a file."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.accounts.queries import session_user
from app.actors import Actor
from app.appeals import service
from app.appeals.rules import Subject
from app.appeals.rules.refusals import NotTakenError
from app.appeals.service import HandedIn, Matter
from app.commands import command
from app.floor import queries as floor
from app.uploads import queries as uploads
from app.uploads.pages.serving import serve
from app.uploads.rules import FileRole


def hand_in(slug: str, actor: Actor, **body: Any) -> HandedIn:
    """Hand an appeal in; what came too late, or lacks the oral one, leaves an entry of its own."""
    try:
        with command(actor) as ctx:
            return service.hand_in(ctx, slug=slug, **body)
    except NotTakenError as refusal:
        _turned_away(slug, actor, refusal)
        raise


def hand_in_for(slug: str, actor: Actor, **body: Any) -> HandedIn:
    """The same to an oral one, by its receipt."""
    try:
        with command(actor) as ctx:
            return service.hand_in_for(ctx, slug=slug, **body)
    except NotTakenError as refusal:
        _turned_away(slug, actor, refusal)
        raise


def log_oral(slug: str, actor: Actor, **body: Any) -> int:
    """Log an oral one."""
    try:
        with command(actor) as ctx:
            return service.log_oral(ctx, slug=slug, **body)
    except NotTakenError as refusal:
        _turned_away(slug, actor, refusal)
        raise


def by_card(body: dict[str, Any], card: str) -> dict[str, Any]:
    """A form that leaves out who appeals: the card says it. Raises ``UnknownPlayerKeyError``."""
    player = floor.player_by_token(card)
    matter = Matter(
        body["stage"], body["round_number"], player.entry_id, Subject(body["subject"]), body["ruling_id"]
    )
    return {
        "matter": matter,
        "text": body["text"],
        "oral_at": body["oral_at"],
        "idempotency_key": body["idempotency_key"],
        "card": card,
    }


def picture(slug: str, actor: Actor, file_id: int, page: int, what: str) -> Response:
    """One page of a file with the reader's number across it; who looked is on record. Its name says nothing of a case."""
    with command(actor) as ctx:
        upload_id = service.look(ctx, slug=slug, file_id=file_id, page=page, what=what)
    person = session_user(actor.require_signed_in())
    return serve(
        uploads.stored(upload_id, FileRole(what), page),
        name=f"appeal-file-{file_id}-{page}",
        reader=person.phone_masked if person else "",
    )


def _turned_away(slug: str, actor: Actor, refusal: NotTakenError) -> None:
    with command(actor) as ctx:
        service.note_turned_away(ctx, slug=slug, refusal=refusal)

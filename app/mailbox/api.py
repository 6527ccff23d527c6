"""Incoming mail as JSON, for whoever sorts it."""

from __future__ import annotations

from typing import Any

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.mailbox import queries, service
from app.mailbox.rules import IncomingState, led_by, why_failing
from app.mailbox.rules.permissions import scopes
from app.mailbox.schemas import (
    AssignSchema,
    IncomingSchema,
    LetterSchema,
    MailboxSchema,
    SetAsideSchema,
    StateSchema,
    incoming_document,
    letter_document,
)
from app.web import current_actor, staff
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint("mailbox_api", __name__, description="来信 letters that came by mail")

SORTERS = (Role.ORGANISER, Role.COMMITTEE)


@blueprint.get("/mail")
@staff(*SORTERS)
@blueprint.arguments(StateSchema, location="query")
@blueprint.response(200, IncomingSchema(many=True))
def list_mail(query: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages that this person sorts, a hundred at most: what waits the oldest first; ``beyond`` leads on."""
    actor = current_actor()
    found = queries.incoming(
        scopes(actor), IncomingState(query["state"]), beyond=query["beyond"], closed=led_by(actor.user_id)
    )
    return [incoming_document(each) for each in found]


@blueprint.get("/mail/<int:incoming_id>")
@staff(*SORTERS)
@blueprint.response(200, LetterSchema)
def read_mail(incoming_id: int) -> dict[str, Any]:
    """Read a message; that somebody did is on record. 409 with the number of the case that has it."""
    with command(current_actor()) as ctx:
        letter = service.look(ctx, incoming_id)
    return letter_document(letter, queries.detail(incoming_id), show)


@blueprint.post("/mail/<int:incoming_id>/assign")
@staff(*SORTERS)
@blueprint.arguments(AssignSchema)
@blueprint.response(200, IncomingSchema)
def assign_mail(body: dict[str, Any], incoming_id: int) -> dict[str, Any]:
    """Give a letter to a competition, and to a unit or a case where that is known; a worker goes on with it."""
    with command(current_actor()) as ctx:
        service.assign(
            ctx,
            incoming_id,
            competition_id=competitions.competition_id(body["competition"]),
            unit_id=body["unit_id"],
            case_number=body["case_number"],
        )
    return incoming_document(queries.detail(incoming_id).view)


@blueprint.post("/mail/<int:incoming_id>/set-aside")
@staff(*SORTERS)
@blueprint.arguments(SetAsideSchema)
@blueprint.response(200, IncomingSchema)
def set_mail_aside(body: dict[str, Any], incoming_id: int) -> dict[str, Any]:
    """Do nothing with a message."""
    with command(current_actor()) as ctx:
        service.set_aside(ctx, incoming_id, note=body["note"])
    return incoming_document(queries.detail(incoming_id).view)


@blueprint.post("/mail/<int:incoming_id>/take-up")
@staff(*SORTERS)
@blueprint.response(200, IncomingSchema)
def take_mail_up(incoming_id: int) -> dict[str, Any]:
    """A message that was set aside is a letter after all."""
    with command(current_actor()) as ctx:
        service.take_up(ctx, incoming_id)
    return incoming_document(queries.detail(incoming_id).view)


@blueprint.get("/mailbox")
@staff(*SORTERS)
@blueprint.response(200, MailboxSchema)
def see_mailbox() -> dict[str, Any]:
    """When the mailbox was last read, and since when it cannot be."""
    found = queries.health()
    failing = found is not None and found.failing_since is not None
    return {
        "polled_at": found.polled_at if found else None,
        "failing_since": found.failing_since if found else None,
        "why": show(why_failing(found.error)) if found and failing else None,
    }

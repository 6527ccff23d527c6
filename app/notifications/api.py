"""The outbox, the kinds of letter and stopping mail, as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import abort, current_app

from app.commands import command
from app.extensions import limiter
from app.notifications import letters, queries, service
from app.notifications.letters import LETTERS, LetterKind, Rendered
from app.notifications.queries import OutboxRow
from app.notifications.rules import STAFF, MessageState, require_may_read
from app.notifications.schemas import (
    LanguageSchema,
    LetterKindsSchema,
    MailChoiceSchema,
    OutboxQuerySchema,
    OutboxRowSchema,
    OutboxSchema,
    RenderedSchema,
)
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint(
    "notifications_api", __name__, description="消息 the outbox and what letters look like"
)


def _shown(row: OutboxRow) -> dict[str, Any]:
    return asdict(row) | {
        "name": show(row.name),
        "reason": None if row.reason is None else show(row.reason),
        "channel": row.channel.value,
        "state": row.state.value,
    }


@blueprint.get("/competitions/<slug>/outbox")
@staff(*STAFF)
@blueprint.arguments(OutboxQuerySchema, location="query")
@blueprint.response(200, OutboxSchema)
def outbox(asked: dict[str, Any], slug: str) -> dict[str, Any]:
    """The messages of a competition, the newest first (发件箱); recipients are masked."""
    return _outbox(asked, current_app.extensions["saishi_competition_id"](slug))


@blueprint.get("/outbox")
@staff(*STAFF)
@blueprint.arguments(OutboxQuerySchema, location="query")
@blueprint.response(200, OutboxSchema)
def outbox_of_none(asked: dict[str, Any]) -> dict[str, Any]:
    """The letters of no competition, for whoever holds a role everywhere."""
    require_may_read(current_actor(), None)
    return _outbox(asked, None)


def _outbox(asked: dict[str, Any], competition_id: int | None) -> dict[str, Any]:
    state = asked.get("state")
    rows = queries.outbox(
        competition_id, state=MessageState(state) if state else None, before=asked.get("before")
    )
    counts = {each.value: count for each, count in queries.outbox_counts(competition_id).items()}
    return {"counts": counts, "messages": [_shown(row) for row in rows]}


@blueprint.post("/competitions/<slug>/outbox/<int:message_id>/resend")
@staff(*STAFF)
@blueprint.response(200, OutboxRowSchema)
def resend(slug: str, message_id: int) -> dict[str, Any]:
    """Try a failed message again, under the same Message-ID (重发)."""
    return _resend(current_app.extensions["saishi_competition_id"](slug), message_id)


@blueprint.post("/outbox/<int:message_id>/resend")
@staff(*STAFF)
@blueprint.response(200, OutboxRowSchema)
def resend_of_none(message_id: int) -> dict[str, Any]:
    """The same for a letter of no competition."""
    return _resend(None, message_id)


def _resend(competition_id: int | None, message_id: int) -> dict[str, Any]:
    with command(current_actor()) as ctx:
        service.resend(ctx, competition_id=competition_id, message_id=message_id)
    return _shown(queries.outbox_row(competition_id, message_id))


@blueprint.get("/letters")
@staff(*STAFF)
@blueprint.response(200, LetterKindsSchema)
def kinds() -> dict[str, Any]:
    """Every kind of letter (邮件样式)."""
    return {
        "kinds": [
            {
                "kind": kind.value,
                "name": show(letter.name),
                "audience": show(letter.audience),
                "essential": letter.essential,
            }
            for kind, letter in LETTERS.items()
        ]
    }


@blueprint.get("/letters/<kind>")
@staff(*STAFF)
@blueprint.arguments(LanguageSchema, location="query")
@blueprint.response(200, RenderedSchema)
def preview(asked: dict[str, Any], kind: str) -> Rendered:
    """One kind of letter with made-up data, as it would be sent."""
    return letters.sample(_kind(kind), asked["language"])


@blueprint.post("/letters/<kind>/tests")
@staff(*STAFF)
@limiter.limit("10/minute")
@blueprint.arguments(LanguageSchema)
@blueprint.response(202)
def send_sample(body: dict[str, Any], kind: str) -> None:
    """Send it with its made-up data to one's own confirmed mailbox (试发); 409 without one."""
    with command(current_actor()) as ctx:
        service.queue_sample(
            ctx,
            kind=_kind(kind),
            language=body["language"],
            to=current_app.extensions["saishi_recipient"](current_actor().require_signed_in()),
        )


@blueprint.post("/mail-choices")
@public
@limiter.limit("60/minute")
@blueprint.arguments(MailChoiceSchema)
@blueprint.response(204)
def choose(body: dict[str, Any]) -> None:
    """Stop mail one can do without, or take it up again, with the token of a letter (退订)."""
    act = service.stop_by_token if body["choice"] == "stop" else service.resume_by_token
    with command(current_actor()) as ctx:
        act(ctx, token=body["token"])


def _kind(written: str) -> LetterKind:
    if written not in set(LetterKind):
        abort(404)
    return LetterKind(written)

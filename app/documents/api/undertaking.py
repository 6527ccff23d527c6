"""Undertakings, for programs: the text, signing it, a link for the member, and checking a fingerprint."""

from __future__ import annotations

from typing import Any

from flask import request

from app.commands import command
from app.documents import queries, service, signing_links
from app.documents.api.handing_in import DOCUMENT
from app.documents.offers import api_view, offer, verified_view
from app.documents.schemas.undertaking import (
    SigningLinkSchema,
    SignSchema,
    UndertakingSchema,
    VerifiedSchema,
)
from app.extensions import limiter
from app.web import current_actor, public, signed_in
from app.web.api import ApiBlueprint
from app.web.links import external_url

blueprint = ApiBlueprint("undertakings_api", __name__, description="承诺书 undertakings signed on the phone")


@blueprint.get(f"{DOCUMENT}/undertaking")
@signed_in
@blueprint.response(200, UndertakingSchema)
def show(slug: str, subject: str, kind: str) -> dict[str, Any]:
    """The text that this member signs, in the reader's language."""
    return api_view(offer(slug, current_actor().require_signed_in(), subject, kind))


@blueprint.post(f"{DOCUMENT}/undertaking")
@signed_in
@blueprint.arguments(SignSchema)
@blueprint.response(201, UndertakingSchema)
def sign(body: dict[str, Any], slug: str, subject: str, kind: str) -> dict[str, Any]:
    """Sign the text that was shown; one that has changed since is refused with what changed."""
    with command(current_actor()) as ctx:
        service.sign(ctx, slug=slug, subject=subject, kind=kind, **body)
    return api_view(offer(slug, current_actor().require_signed_in(), subject, kind))


@blueprint.post(f"{DOCUMENT}/undertaking/link")
@signed_in
@blueprint.response(201, SigningLinkSchema)
def link(slug: str, subject: str, kind: str) -> dict[str, Any]:
    """A link by which the member signs on his own phone, once; it opens his text and nothing else."""
    with command(current_actor()) as ctx:
        user_id, over = service.note_link(ctx, slug=slug, subject=subject, kind=kind)
    key, until = signing_links.issue(slug, subject, kind, user_id, over)
    return {"address": external_url("documents.by_link", slug=slug, key=key), "until": until}


@blueprint.get("/competitions/<slug>/undertaking")
@public
@limiter.limit("60/minute")
@blueprint.response(200, UndertakingSchema)
def show_by_link(slug: str) -> dict[str, Any]:
    """The text behind a signing link (``?key=``)."""
    given = signing_links.read(slug, request.args.get("key", ""))
    return api_view(offer(slug, given.leader_user_id, given.subject, given.kind, link_over=given.over))


@blueprint.post("/competitions/<slug>/undertaking")
@public
@limiter.limit("60/minute")
@blueprint.arguments(SignSchema)
@blueprint.response(201, UndertakingSchema)
def sign_by_link(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Sign by a link (``?key=``); it is used up by that."""
    given = signing_links.read(slug, request.args.get("key", ""))
    with command(current_actor()) as ctx:
        service.sign(
            ctx,
            slug=slug,
            subject=given.subject,
            kind=given.kind,
            leader_user_id=given.leader_user_id,
            over=given.over,
            **body,
        )
    return api_view(offer(slug, given.leader_user_id, given.subject, given.kind, link_over=given.over))


@blueprint.get("/undertakings/<string(maxlength=64):fingerprint>")
@public
@limiter.limit("60/minute")
@blueprint.response(200, VerifiedSchema)
def verify(fingerprint: str) -> dict[str, Any]:
    """Whether a SHA-256, of a text or of the PDF made of it, belongs to a text signed here; nothing about a person."""
    return verified_view(queries.verified(fingerprint))

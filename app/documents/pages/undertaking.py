"""Signing an undertaking (承诺书): on the leader's phone, by a link on the member's own, on paper; checking a fingerprint."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

from flask import Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service, signing_links
from app.documents.offers import Offer, blank, offer
from app.documents.pages.handing_in import ONE
from app.documents.pages.shared import REFUSALS, blueprint
from app.documents.rules import UnknownDocumentError
from app.documents.schemas.undertaking import SignSchema
from app.documents.sheets import blank_sheet
from app.documents.signing_links import SigningLink
from app.errors import SaishiError
from app.extensions import limiter
from app.text import T
from app.web import current_actor, load_form, public, signed_in
from app.web.links import external_url, qr_svg
from app.web.printing import pdf
from app.web.requests import takes_up_to

BY_LINK = "/c/<slug>/undertaking"
VERIFY = "/undertakings"
CHECKED_MEGABYTES = 3


@blueprint.get(f"{ONE}/sign")
@signed_in
def signing(slug: str, subject: str, kind: str) -> str:
    """The text and a field to sign in, on the phone that the leader holds out."""
    return _page(offer(slug, current_actor().require_signed_in(), subject, kind))


@blueprint.post(f"{ONE}/sign")
@signed_in
def sign(slug: str, subject: str, kind: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(SignSchema)
        with command(current_actor()) as ctx:
            service.sign(ctx, slug=slug, subject=subject, kind=kind, **body)
    except REFUSALS as refusal:
        found = offer(slug, current_actor().require_signed_in(), subject, kind)
        return _page(found, refusal), 422 if refusal.fields else refusal.status
    flash(gettext("已签署"), "success")
    return redirect(url_for("documents.mine_one", slug=slug, subject=subject, kind=kind), 303)


@blueprint.post(f"{ONE}/sign/link")
@signed_in
def make_signing_link(slug: str, subject: str, kind: str) -> Answer:
    with command(current_actor()) as ctx:
        user_id, over = service.note_link(ctx, slug=slug, subject=subject, kind=kind)
    key, _ = signing_links.issue(slug, subject, kind, user_id, over)
    return redirect(url_for("documents.signing_link", slug=slug, subject=subject, kind=kind, key=key), 303)


@blueprint.get(f"{ONE}/sign/link")
@signed_in
def signing_link(slug: str, subject: str, kind: str) -> Answer | str:
    """A code that the member scans with his own phone, and the same as a link to send."""
    user_id, key = current_actor().require_signed_in(), request.args.get("key", "")
    if not key:  # the address of the form that makes links, opened by hand
        return redirect(url_for("documents.mine_one", slug=slug, subject=subject, kind=kind), 303)
    link = signing_links.read(slug, key)
    if (link.subject, link.kind, link.leader_user_id) != (subject, kind, user_id):
        raise UnknownDocumentError
    address = external_url("documents.by_link", slug=slug, key=key)
    return render_template(
        "documents/signing_link.html",
        competition=competitions.competition(slug),
        offer=offer(slug, user_id, subject, kind),
        address=address,
        picture="data:image/svg+xml;base64," + base64.b64encode(qr_svg(address)).decode(),
        until=link.until,
    )


@blueprint.get(BY_LINK)
@public
@limiter.limit("60/minute")
def by_link(slug: str) -> Answer | str:
    """The same page for whoever holds the link: the text with the name, and nothing else."""
    link = signing_links.read(slug, request.args.get("key", ""))
    return _page(_offered(link), key=request.args["key"])


@blueprint.post(BY_LINK)
@public
@limiter.limit("60/minute")
def sign_by_link(slug: str) -> Answer | tuple[str, int]:
    key = request.args.get("key", "")
    link = signing_links.read(slug, key)
    try:
        body = load_form(SignSchema)
        with command(current_actor()) as ctx:
            service.sign(
                ctx,
                slug=slug,
                subject=link.subject,
                kind=link.kind,
                leader_user_id=link.leader_user_id,
                over=link.over,
                **body,
            )
    except REFUSALS as refusal:
        return _page(_offered(link), refusal, key=key), 422 if refusal.fields else refusal.status
    return redirect(url_for("documents.by_link", slug=slug, key=key), 303)


@blueprint.get("/c/<slug>/my/undertakings.pdf")
@signed_in
def blank_undertakings(slug: str) -> Response:
    """The texts of all members in one file, a page each, to be printed and signed by hand."""
    texts = blank(slug, current_actor().require_signed_in(), request.args.get("subject"))
    if not texts:
        raise UnknownDocumentError
    return pdf(blank_sheet(texts), f"{slug}-undertakings")


@blueprint.get(VERIFY)
@public
@limiter.limit("60/minute")
def verify() -> str | tuple[str, int]:
    """Whether a fingerprint is of a text that was signed here; it says nothing about a person."""
    fingerprint = request.args.get("fingerprint", "")
    if "fingerprint" in request.args and not fingerprint.strip():
        return _verification("", {"fingerprint": T("请填写或粘贴 64 位指纹。")}), 422
    return _verification(fingerprint)


@blueprint.post(VERIFY)
@public
@limiter.limit("60/minute")
@takes_up_to(CHECKED_MEGABYTES)
def verify_file() -> str | tuple[str, int]:
    """The same for a PDF; its fingerprint is computed and the file is not kept."""
    file = request.files.get("file")
    content = file.stream.read() if file else b""
    if not content:
        wrong = T("这个文件是空的。") if file and file.filename else T("请先选择 PDF 文件。")
        return _verification("", {"file": wrong}), 422
    return _verification(hashlib.sha256(content).hexdigest())


def _offered(link: SigningLink) -> Offer:
    return offer(link.slug, link.leader_user_id, link.subject, link.kind, link_over=link.over)


def _verification(fingerprint: str, errors: Mapping[str, T] | None = None) -> str:
    return render_template(
        "documents/verify.html",
        fingerprint=fingerprint.strip(),
        found=queries.verified(fingerprint) if fingerprint.strip() else None,
        errors=errors or {},
    )


def _page(found: Offer, refusal: SaishiError | None = None, key: str | None = None) -> str:
    values: dict[str, Any] = {"idempotency_key": secrets.token_urlsafe(24), "strokes": ""}
    if refusal is not None:
        values |= {name: request.form.get(name, "") for name in ("idempotency_key", "strokes")}
    return render_template(
        "documents/sign.html",
        competition=found.competition,
        offer=found,
        key=key,
        refusal=refusal,
        values=values,
    )

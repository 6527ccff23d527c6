"""The leader's pages of documents (材料): the checklist, one document, handing it in and taking it back."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from flask import current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.pages.shared import REFUSALS, blueprint
from app.documents.queries.desk import noted_files, pictures_of
from app.documents.rules import PAGES, PLACE_NAMES, PURPOSE, Row, accepts, open_places
from app.documents.schemas.handing_in import HandInSchema, row_values
from app.errors import NotFoundError, SaishiError
from app.registrations import queries as registrations
from app.uploads.pages import FORM_MEGABYTES, field_values, handed_in, without_deleted
from app.web import current_actor, signed_in
from app.web.forms import load, nest
from app.web.i18n import show
from app.web.requests import takes_up_to

ONE = "/c/<slug>/my/documents/<string(maxlength=16):subject>/<string(maxlength=40):kind>"


@blueprint.get("/c/<slug>/my/documents")
@signed_in
def mine(slug: str) -> Answer | str:
    """材料清单: what is missing, for whom, until when; one button to the next missing thing."""
    competition, user_id = competitions.competition(slug), current_actor().require_signed_in()
    lists = queries.my_lists(
        competition, user_id, clock.now(), warn_days=current_app.config["SAISHI"].warn_days
    )
    own = registrations.my(user_id, competition)
    if lists is None:
        return redirect(url_for("registrations.my", slug=slug), 303)
    if not own.consented:  # to the text in force: a newer one asks again
        return redirect(url_for("registrations.notice", slug=slug), 303)
    regulation = competition.event.regulation
    return render_template(
        "documents/mine.html",
        step="documents",
        competition=competition,
        documents=lists,
        documents_url=url_for("documents.mine", slug=slug),
        mine=own,
        pairs=regulation.in_pairs,
        by_players=regulation.by_players,
        entries_open=regulation.calendar.registration_deadline.accepts(clock.now()),
    )


@blueprint.get(ONE)
@signed_in
def mine_one(slug: str, subject: str, kind: str) -> str:
    """One document: why it is asked, what to type, the pictures; after 需补正 only what was flagged is open."""
    return _page(slug, subject, kind)


@blueprint.post(ONE)
@signed_in
@takes_up_to(FORM_MEGABYTES)
def hand_in(slug: str, subject: str, kind: str) -> Answer | str | tuple[str, int]:
    tokens: list[str] = [token for token in request.form.getlist("upload") if token.strip()]
    try:
        tokens = handed_in(slug, PURPOSE, subject=subject, kind=kind)
        if (others := without_deleted(tokens)) is not None:
            return _page(slug, subject, kind, tokens=others)
        body = load(
            HandInSchema,
            {
                "values": nest(request.form).get("values") or {},
                "uploads": tokens,
                "idempotency_key": request.form.get("idempotency_key", ""),
            },
        )
        with command(current_actor()) as ctx:
            service.hand_in(ctx, slug=slug, subject=subject, kind=kind, tokens=body.pop("uploads"), **body)
    except (*REFUSALS, NotFoundError) as refusal:
        return _page(slug, subject, kind, refusal, tokens), 422 if refusal.fields else refusal.status
    flash(gettext("已提交，等待组委会审核"), "success")
    return redirect(url_for("documents.mine", slug=slug), 303)


@blueprint.post(f"{ONE}/withdraw")
@signed_in
def withdraw(slug: str, subject: str, kind: str) -> Answer | tuple[str, int]:
    try:
        with command(current_actor()) as ctx:
            service.withdraw(ctx, slug=slug, subject=subject, kind=kind)
    except REFUSALS as refusal:
        return _page(slug, subject, kind, refusal), refusal.status
    flash(gettext("已撤回，文件已删除"), "success")
    return redirect(url_for("documents.mine_one", slug=slug, subject=subject, kind=kind), 303)


def _page(
    slug: str,
    subject: str,
    kind: str,
    refusal: SaishiError | None = None,
    tokens: Sequence[str] = (),
) -> str:
    competition, settings = competitions.competition(slug), current_app.config["SAISHI"]
    found = queries.my_document(
        competition,
        current_actor().require_signed_in(),
        subject,
        kind,
        clock.now(),
        purge_days=settings.purge_days,
        warn_days=settings.warn_days,
    )
    row = found.row
    places = open_places(row) if row.open and row.required else frozenset()
    correcting = bool(row.reasons)
    labels = {f"values.{each.name}": show(each.label) for each in row.fields}
    pictures = (
        pictures_of(found.document.id, found.document.newest.number)
        if row.handed_in and found.document
        else ()
    )
    return render_template(
        "documents/one.html",
        competition=competition,
        found=found,
        row=row,
        places=places,
        pictures=pictures,
        noted_files=noted_files(pictures),
        correcting=correcting,
        pictures_open=PAGES in places,
        place_names={**PLACE_NAMES, **{each.name: each.label for each in row.fields}},
        choices={
            each.name: [(value, show(name)) for value, name in each.choices.items()] for each in row.fields
        },
        upload=_upload_field(slug, subject, row, tokens) if PAGES in places else None,
        values=_values(row_values(row)),
        errors=refusal.fields if refusal else {},
        labels=labels | {"uploads": show(PLACE_NAMES[PAGES])},
        refusal=refusal,
    )


def _upload_field(slug: str, subject: str, row: Row, tokens: Sequence[str]) -> dict[str, Any]:
    """The upload field with the limits of this document, which may be narrower than those of every proof."""
    shown = field_values(slug, PURPOSE, tokens)
    return shown | {"rule": accepts(row), "subject": subject, "kind": row.kind, "deletes_here": True}


def _values(stored: dict[str, Any]) -> dict[str, str]:
    """What stands in the fields: what was just typed, else what was handed in; and the key of this form."""
    shown = {f"values-{name}": value for name, value in stored.items()} | request.form.to_dict()
    # made with the page: two taps, or a retry after a lost answer, carry the same key
    return {"idempotency_key": secrets.token_urlsafe(24)} | shown

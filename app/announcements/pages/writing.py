"""What the organiser and the committee do: the list with every state, the form, preview, withdrawal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.announcements import queries, service
from app.announcements.pages.shared import blueprint
from app.announcements.queries import AnnouncementView
from app.announcements.rules import (
    LONGEST_BODY,
    LONGEST_BODY_EN,
    LONGEST_REASON,
    LONGEST_TITLE,
    LONGEST_TITLE_EN,
    PURPOSE,
    STATE_NAMES,
    WRITERS,
    AnnouncementChangedError,
    AnnouncementState,
    require_publishable,
)
from app.announcements.schemas import (
    AnnouncementWithdrawalSchema,
    ChangedAnnouncementSchema,
    NewAnnouncementSchema,
)
from app.commands import command
from app.competitions import queries as competitions
from app.errors import NotFoundError, SaishiError
from app.uploads.pages import FORM_MEGABYTES, field_values, handed_in, without_deleted
from app.web import current_actor, load_form, staff
from app.web.forms import load, nest
from app.web.requests import takes_up_to

ALL = "/staff/c/<slug>/announcements"
ONE = f"{ALL}/<int:announcement_id>"


@blueprint.get(ALL)
@staff(*WRITERS)
def staff_announcements(slug: str) -> str:
    """公告: every one with its state, the last written first."""
    competition = competitions.competition(slug)
    return render_template(
        "announcements/staff_list.html",
        competition=competition,
        part=queries.staff_part(competition.id, request.args.get("page", 1, type=int)),
        state_names=STATE_NAMES,
        now=clock.now(),
    )


@blueprint.get(f"{ALL}/new")
@staff(*WRITERS)
def new(slug: str) -> str:
    return _form_page(slug, None)


@blueprint.post(f"{ALL}/new")
@staff(*WRITERS)
@takes_up_to(FORM_MEGABYTES)
def announce(slug: str) -> Answer | str | tuple[str, int]:
    tokens = _tokens()
    try:
        tokens = handed_in(slug, PURPOSE)
        if (others := without_deleted(tokens)) is not None:
            return _form_page(slug, None, tokens=others)
        body = load(NewAnnouncementSchema, _sent() | {"uploads": tokens})
        if "preview" in request.form:
            return _preview_page(slug, None, body, tokens)
        with command(current_actor()) as ctx:
            announcement_id = service.announce(ctx, slug, body.pop("text"), **body)
    except NotFoundError:
        raise
    except SaishiError as refusal:
        return _form_page(slug, None, refusal, tokens), refusal.status
    return _saved(slug, announcement_id)


@blueprint.get(ONE)
@staff(*WRITERS)
def edit(slug: str, announcement_id: int) -> str:
    return _form_page(slug, _view(slug, announcement_id))


@blueprint.post(ONE)
@staff(*WRITERS)
@takes_up_to(FORM_MEGABYTES)
def change(slug: str, announcement_id: int) -> Answer | str | tuple[str, int]:
    view = _view(slug, announcement_id)
    tokens = _tokens()
    try:
        tokens = handed_in(slug, PURPOSE)
        if (others := without_deleted(tokens)) is not None:
            return _form_page(slug, view, tokens=others)
        removed = request.form.getlist("removed")
        body = load(ChangedAnnouncementSchema, _sent() | {"uploads": tokens, "removed": removed})
        if "preview" in request.form:
            return _preview_page(slug, view, body, tokens)
        with command(current_actor()) as ctx:
            service.change(ctx, slug, announcement_id, body.pop("text"), **body)
    except NotFoundError:
        raise
    except SaishiError as refusal:
        return _form_page(slug, _view(slug, announcement_id), refusal, tokens), refusal.status
    return _saved(slug, announcement_id)


@blueprint.post(f"{ONE}/withdraw")
@staff(*WRITERS)
def withdraw(slug: str, announcement_id: int) -> Answer | tuple[str, int]:
    try:
        body = load_form(AnnouncementWithdrawalSchema)
        with command(current_actor()) as ctx:
            service.withdraw(ctx, slug, announcement_id, reason=body["reason"])
    except NotFoundError:
        raise
    except SaishiError as refusal:
        return _form_page(slug, _view(slug, announcement_id), withdrawal=refusal), refusal.status
    flash(gettext("公告已撤回"), "success")
    return redirect(url_for("announcements.staff_announcements", slug=slug), 303)


def _saved(slug: str, announcement_id: int) -> Answer:
    state = _view(slug, announcement_id).state(clock.now())
    published = state is AnnouncementState.PUBLISHED
    flash(gettext("公告已发布") if published else gettext("已保存，到时间自动发布"), "success")
    return redirect(url_for("announcements.staff_announcements", slug=slug), 303)


def _view(slug: str, announcement_id: int) -> AnnouncementView:
    return queries.readable(competitions.competition_id(slug), announcement_id, clock.now(), writer=True)


def _tokens() -> list[str]:
    return [token for token in request.form.getlist("upload") if token.strip()]


_BESIDE = frozenset({"upload", "files", "preview", "removed", "delete-upload"})


def _sent() -> dict[str, Any]:
    return {name: value for name, value in nest(request.form).items() if name not in _BESIDE}


def _preview_page(
    slug: str, view: AnnouncementView | None, body: dict[str, Any], tokens: Sequence[str]
) -> str:
    """The form again, and above it what readers would see. Nothing is saved. Raises what refuses the text."""
    text = body["text"].tidy()
    require_publishable(text, (), clock.now(), phones=body["phones_public"])
    languages = ("zh", "en") if text.title_en else ("zh",)
    kept = [each for each in (view.attachments if view else ()) if each.upload_id not in body["removed"]]
    preview = {"shown": [queries.shown(text, each) for each in languages], "kept": kept}
    return _form_page(slug, view, tokens=tokens, preview=preview)


def _form_page(
    slug: str,
    view: AnnouncementView | None,
    refusal: SaishiError | None = None,
    tokens: Sequence[str] = (),
    *,
    withdrawal: SaishiError | None = None,
    preview: dict[str, Any] | None = None,
) -> str:
    now = clock.now()
    state = view.state(now) if view else None
    conflict = isinstance(refusal, AnnouncementChangedError)
    values = _values(view)
    if view is not None and (conflict or "base_revision" not in values):
        values["base_revision"] = str(view.revision)  # what is shown now is what the next try replaces
    return render_template(
        "announcements/form.html",
        competition=competitions.competition(slug),
        view=view,
        state=state.value if state else "",
        state_names=STATE_NAMES,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        withdrawal=withdrawal,
        withdrawal_errors=withdrawal.fields if withdrawal else {},
        preview=preview,
        conflict=conflict,
        may_confirm_phones="phones_public" in values or getattr(refusal, "phones", False),
        removed=set(request.form.getlist("removed", int)),
        values=values,
        upload=field_values(slug, PURPOSE, tokens) | {"deletes_here": True},
        longest={
            "title": LONGEST_TITLE,
            "title_en": LONGEST_TITLE_EN,
            "body": LONGEST_BODY,
            "body_en": LONGEST_BODY_EN,
            "reason": LONGEST_REASON,
        },
    )


def _values(view: AnnouncementView | None) -> dict[str, Any]:
    """What was just typed; else what is stored. Boxes that are not ticked are not sent, so a sent form has only its own."""
    if request.method == "POST" and "base_revision" in request.form:
        return request.form.to_dict()
    # made with the page: two taps, or a retry after a lost answer, carry the same key
    values = {"idempotency_key": secrets.token_urlsafe(24)}
    if view is None:
        return values | request.form.to_dict()
    text = view.text
    values |= {"title": text.title, "body": text.body}
    values |= {"title_en": text.title_en or "", "body_en": text.body_en or ""}
    values |= {"pinned": "1"} if view.pinned else {}
    if view.state(clock.now()) is AnnouncementState.SCHEDULED:
        values["publish_at"] = _local(view.publish_at)
    return values | request.form.to_dict()


def _local(moment: datetime) -> str:
    local = clock.beijing(moment)
    return f"{local:%Y-%m-%dT%H:%M:%S}" if local.second else f"{local:%Y-%m-%dT%H:%M}"

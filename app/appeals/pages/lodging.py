"""The public page of appeals, the forms of leaders and of players with a card, and the receipt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.appeals import sending, service
from app.appeals.pages.shared import (
    REFUSALS,
    blueprint,
    chosen_round,
    errors_of,
    file_field,
    names,
    round_choices,
    sent_evidence,
    sent_fields,
    sent_tokens,
    subjects,
    with_key,
)
from app.appeals.queries import cases, own, people, rounds
from app.appeals.rules.refusals import NoAppealsError
from app.appeals.schemas.lodging import (
    AppealAdditionSchema,
    AppealWithdrawalSchema,
    CardAppealSchema,
    NewAppealSchema,
    WrittenAppealSchema,
)
from app.appeals.service import HandedIn
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.floor import queries as floor
from app.registrations import queries as registrations
from app.uploads.pages import FORM_MEGABYTES, without_deleted
from app.web import current_actor, load_form, public, signed_in
from app.web.forms import load
from app.web.i18n import language
from app.web.requests import takes_up_to

NEW = "/c/<slug>/appeals/new"
RECEIPT = "/c/<slug>/appeals/r/<string(maxlength=43):token>"
CARD = "/c/<slug>/p/<string(maxlength=43):card>/appeal"
FORM = ("subject", "ruling_id", "text", "oral_at", "idempotency_key")


@blueprint.get("/c/<slug>/appeals")
@public
def index(slug: str) -> str:
    """申诉: the clocks of the current round, how one appeals, the fee; what was decided, without names."""
    competition = competitions.competition(slug)
    event = competition.event
    try:
        current = rounds.current(event)
    except NoAppealsError as none:
        return render_template("appeals/none.html", competition=competition, refusal=none)
    user_id = current_actor().user_id
    return render_template(
        "appeals/index.html",
        competition=competition,
        terms=rounds.terms_of(event.regulation),
        current=current,
        decided=own.outcomes(event.id),
        mine=own.mine(competition.id, event.id, user_id) if user_id is not None else (),
        leads=bool(user_id is not None and people.led_entries(user_id, event.id)),
        now=clock.now(),
        **names(),
    )


@blueprint.get(NEW)
@signed_in
def new(slug: str) -> str:
    """书面申诉, by the leader of who appeals."""
    return _form(slug)


@blueprint.post(NEW)
@signed_in
@takes_up_to(FORM_MEGABYTES)
def hand_in(slug: str) -> Answer | str | tuple[str, int]:
    tokens = sent_tokens()
    try:
        if (others := without_deleted(tokens)) is not None:
            return _form(slug, tokens=others)
        tokens = sent_evidence(slug, tokens)
        sent = sent_fields(*FORM, "entry_id") | chosen_round()
        body = load(NewAppealSchema, sent | {"evidence": tokens})
        made = sending.hand_in(slug, current_actor(), language=language(), **body)
    except REFUSALS as refusal:
        return _form(slug, refusal, tokens), 422 if refusal.fields else refusal.status
    return _taken(slug, own.token_of(made.appeal_id), made)


@blueprint.get(CARD)
@public
def card(slug: str, card: str) -> str:
    """书面申诉, by the player whose card this is."""
    return _card_form(slug, card)


@blueprint.post(CARD)
@public
def hand_in_by_card(slug: str, card: str) -> Answer | str | tuple[str, int]:
    try:
        body = load(CardAppealSchema, sent_fields(*FORM) | chosen_round())
        made = sending.hand_in(slug, current_actor(), language=language(), **sending.by_card(body, card))
    except REFUSALS as refusal:
        return _card_form(slug, card, refusal), 422 if refusal.fields else refusal.status
    return _taken(slug, own.token_of(made.appeal_id), made)


@blueprint.get(RECEIPT)
@public
def receipt(slug: str, token: str) -> str:
    """回执: where an appeal stands, its clock, its fee. Who appeals sees what was written, too, and may go on."""
    return _receipt(slug, token)


@blueprint.post(f"{RECEIPT}/written")
@public
@takes_up_to(FORM_MEGABYTES)
def write(slug: str, token: str) -> Answer | str | tuple[str, int]:
    tokens = sent_tokens()
    try:
        if (others := without_deleted(tokens)) is not None:
            return _receipt(slug, token, tokens=others)
        tokens = _evidence(slug, tokens)
        body = load(WrittenAppealSchema, sent_fields("text", "idempotency_key") | {"evidence": tokens})
        made = sending.hand_in_for(slug, current_actor(), token=token, **body)
    except REFUSALS as refusal:
        return _receipt(slug, token, refusal, tokens), 422 if refusal.fields else refusal.status
    return _taken(slug, token, made)


@blueprint.post(f"{RECEIPT}/additions")
@public
@takes_up_to(FORM_MEGABYTES)
def add(slug: str, token: str) -> Answer | str | tuple[str, int]:
    tokens = sent_tokens()
    try:
        if (others := without_deleted(tokens)) is not None:
            return _receipt(slug, token, tokens=others)
        tokens = _evidence(slug, tokens)
        body = load(AppealAdditionSchema, sent_fields("text") | {"evidence": tokens})
        with command(current_actor()) as ctx:
            service.add(ctx, slug=slug, token=token, **body)
    except REFUSALS as refusal:
        return _receipt(slug, token, refusal, tokens), 422 if refusal.fields else refusal.status
    flash(gettext("已补充"), "success")
    return redirect(url_for("appeals.receipt", slug=slug, token=token), 303)


@blueprint.post(f"{RECEIPT}/withdrawal")
@public
def withdraw(slug: str, token: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(AppealWithdrawalSchema)
        with command(current_actor()) as ctx:
            service.withdraw(ctx, slug=slug, token=token, **body)
    except REFUSALS as refusal:
        return _receipt(slug, token, refusal), 422 if refusal.fields else refusal.status
    flash(gettext("已撤回"), "success")
    return redirect(url_for("appeals.receipt", slug=slug, token=token), 303)


@blueprint.get("/c/<slug>/appeals/files/<int:file_id>/<int:page>/<any(preview,thumbnail):what>")
@signed_in
def picture(slug: str, file_id: int, page: int, what: str) -> Answer:
    """One page of a file of an appeal, for whoever may see it."""
    return sending.picture(slug, current_actor(), file_id, page, what)


def _taken(slug: str, token: str, made: HandedIn) -> Answer:
    if made.pending:
        flash(gettext("书面申诉已收到；照片还在检查，没有附上，请在下面补充"), "warn")
    else:
        flash(gettext("书面申诉已收到，请保存这份回执，并向裁判员交纳申诉费"), "success")
    return redirect(url_for("appeals.receipt", slug=slug, token=token), 303)


def _evidence(slug: str, tokens: Sequence[str]) -> list[str]:
    """Files need an account; a receipt alone sends none."""
    return sent_evidence(slug, tokens) if current_actor().signed_in else list(tokens)


def _form(slug: str, refusal: SaishiError | None = None, tokens: Sequence[str] = ()) -> str:
    competition = competitions.competition(slug)
    event, user_id = competition.event, current_actor().require_signed_in()
    found = rounds.of_event(event)
    led = people.led_entries(user_id, event.id)
    named = registrations.named(led)
    entries = [(each, named[each].name) for each in named]
    return _lodging_page(
        slug,
        refusal,
        found=found,
        entries=entries,
        rulings=_rulings(found, led),
        field=file_field(slug, tokens),
        action=url_for("appeals.hand_in", slug=slug),
        player=None,
    )


def _card_form(slug: str, card: str, refusal: SaishiError | None = None) -> str:
    event = competitions.competition(slug).event
    player = floor.player_by_token(card)
    found = rounds.of_event(event)
    return _lodging_page(
        slug,
        refusal,
        found=found,
        entries=[],
        rulings=_rulings(found, (player.entry_id,)),
        field=None,
        action=url_for("appeals.hand_in_by_card", slug=slug, card=card),
        player=player,
    )


def _rulings(found: Sequence[rounds.RoundClock], entry_ids: tuple[int, ...]) -> list[tuple[int, str]]:
    """The penalties of the newest round that ended, by what a form chooses."""
    ended = next((each for each in found if each.ended_at is not None), None)
    if ended is None or not entry_ids:
        return []
    return [
        (each.id, f"{each.name} · {each.clause} · {each.reason}")
        for each in cases.rulings_at(ended.id, entry_ids)
    ]


def _lodging_page(
    slug: str, refusal: SaishiError | None, *, found: Sequence[rounds.RoundClock], **shown: Any
) -> str:
    competition, now = competitions.competition(slug), clock.now()
    ended = [each for each in found if each.ended_at is not None]
    current = ended[0] if ended else None
    where = f"{current.head.stage}-{current.head.number}" if current else ""
    return render_template(
        "appeals/new.html",
        competition=competition,
        terms=rounds.terms_of(competition.event.regulation),
        current=current,
        where=round_choices(found),
        subjects=subjects(),
        values=with_key({"where": where} | request.form.to_dict()),
        errors=errors_of(refusal),
        refusal=refusal,
        now=now,
        **shown,
        **names(),
    )


def _receipt(slug: str, token: str, refusal: SaishiError | None = None, tokens: Sequence[str] = ()) -> str:
    competition, now = competitions.competition(slug), clock.now()
    view = own.receipt(competition.id, token, current_actor().user_id)
    sends = view.own and view.head.open and current_actor().signed_in
    return render_template(
        "appeals/receipt.html",
        competition=competition,
        receipt=view,
        head=view.head,
        field=file_field(slug, tokens) if sends else None,
        values=with_key(request.form.to_dict()),
        errors=errors_of(refusal),
        refusal=refusal,
        now=now,
        **names(),
    )

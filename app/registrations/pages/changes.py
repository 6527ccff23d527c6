"""The leader's pages of changes after the deadline (变更申请): what is possible, the form, one application."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from flask import current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.accounts import queries as accounts
from app.commands import command
from app.competitions.queries import CompetitionView
from app.errors import NotFoundError, SaishiError
from app.registrations import queries
from app.registrations.pages.shared import REFUSALS, blueprint, own, status_of
from app.registrations.queries import ChangeView, MemberView, MyEntry, MyRegistration
from app.registrations.rules import UnknownPairError, needed_proofs
from app.registrations.rules.changes import (
    CHANGEABLE,
    KIND_NAMES,
    LONGEST_REASON,
    STATE_NAMES,
    ApplicationState,
    ChangeKind,
    ChangeTerms,
    UnknownApplicationError,
    terms_of,
)
from app.registrations.schemas.changes import ChangeApplicationSchema
from app.registrations.service import changes as service
from app.regulations.rules.eligibility import EMPLOYMENT_NAMES
from app.uploads import queries as uploads
from app.uploads.pages import FORM_MEGABYTES, field_values, handed_in, without_deleted
from app.uploads.pages.serving import serve
from app.uploads.rules import FileRole
from app.web import current_actor, signed_in
from app.web.forms import load, nest
from app.web.requests import takes_up_to

PURPOSE = "letter"
MINE = "/c/<slug>/my/changes"
WHICH = "any(add,replace,correct,withdraw)"


@blueprint.get(MINE)
@signed_in
def my_changes(slug: str) -> str:
    """变更申请: which changes the text allows now, and what came of those that were applied for."""
    competition, mine = own(slug)
    return render_template(
        "registrations/changes/list.html",
        competition=competition,
        mine=mine,
        terms=[_terms(competition, kind) for kind in ChangeKind],
        applications=_applications(competition, mine),
        kind_names=KIND_NAMES,
    )


@blueprint.get(f"{MINE}/new/<{WHICH}:kind>")
@signed_in
def new_change(slug: str, kind: str) -> str:
    """The form; before it, where several entries could be meant, which one."""
    return _form_page(slug, ChangeKind(kind))


@blueprint.post(f"{MINE}/new/<{WHICH}:kind>")
@signed_in
@takes_up_to(FORM_MEGABYTES)
def apply_change(slug: str, kind: str) -> Answer | str | tuple[str, int]:
    tokens = [token for token in request.form.getlist("upload") if token.strip()]
    try:
        tokens = handed_in(slug, PURPOSE)
        if (others := without_deleted(tokens)) is not None:
            return _form_page(slug, ChangeKind(kind), tokens=others)
        sent = {key: value for key, value in nest(request.form).items() if key not in {"upload", "files"}}
        body = load(ChangeApplicationSchema, sent | {"kind": kind, "uploads": tokens})
        with command(current_actor()) as ctx:
            number = service.apply(ctx, slug=slug, **body)
    except (*REFUSALS, NotFoundError) as refusal:
        return _form_page(slug, ChangeKind(kind), refusal, tokens), status_of(refusal)
    view = _one(slug, number)[1]
    flash(gettext("已提交，等待组委会答复") if view.waits else gettext("已退赛"), "success")
    return redirect(url_for("registrations.my_change", slug=slug, number=number), 303)


@blueprint.get(f"{MINE}/<int:number>")
@signed_in
def my_change(slug: str, number: int) -> str:
    """One application: where it stands, and which documents are still due with it."""
    return _one_page(slug, number)


@blueprint.post(f"{MINE}/<int:number>/take-back")
@signed_in
def take_back_change(slug: str, number: int) -> Answer | tuple[str, int]:
    try:
        with command(current_actor()) as ctx:
            service.take_back(ctx, slug=slug, number=number)
    except REFUSALS as refusal:
        return _one_page(slug, number, refusal), status_of(refusal)
    flash(gettext("申请已撤回"), "success")
    return redirect(url_for("registrations.my_changes", slug=slug), 303)


@blueprint.get(
    "/c/<slug>/changes/<int:number>/letter/<int:position>/<int:page>/<any(preview,thumbnail,content):what>"
)
@signed_in
def change_letter(slug: str, number: int, position: int, page: int, what: str) -> Answer:
    """One page of the letter with the reader's number across it; that the committee looked is on record."""
    actor = current_actor()
    with command(actor) as ctx:
        upload_id = service.look_at_letter(
            ctx, slug=slug, number=number, position=position, page=page, what=what
        )
    person = accounts.session_user(actor.require_signed_in())
    return serve(
        uploads.stored(upload_id, FileRole(what), page),
        name=f"letter-{number}-{position}-{page}",
        reader=person.phone_masked if person else "",
    )


def _terms(competition: CompetitionView, kind: ChangeKind) -> ChangeTerms:
    event = competition.event
    return terms_of(event.regulation, kind, clock.now(), drawn=event.entries_closed)


def _applications(competition: CompetitionView, mine: MyRegistration) -> tuple[ChangeView, ...]:
    return queries.applications(competition.event, unit_id=mine.unit.id) if mine.unit else ()


def _one(slug: str, number: int) -> tuple[CompetitionView, ChangeView]:
    competition, mine = own(slug)
    found = queries.application(competition.event, number)
    if found is None or mine.unit is None or found.unit_id != mine.unit.id:
        raise UnknownApplicationError
    return competition, found


def _one_page(slug: str, number: int, refusal: SaishiError | None = None) -> str:
    competition, view = _one(slug, number)
    entry_id = view.made_entry_id if view.waits else None
    due = needed_proofs(competition.id, [entry_id], clock.now()) if entry_id else ()
    shown = current_app.extensions["saishi_shown_states"](competition.event.id, clock.now())
    return render_template(
        "registrations/changes/one.html",
        competition=competition,
        view=view,
        proofs=due,
        stands=shown.get(view.standing_entry_id) if view.state is ApplicationState.GRANTED else None,
        documents_url=url_for("documents.mine", slug=slug),
        kind_names=KIND_NAMES,
        state_names=STATE_NAMES,
        refusal=refusal,
    )


def _form_page(
    slug: str, kind: ChangeKind, refusal: SaishiError | None = None, tokens: Sequence[str] = ()
) -> str:
    competition, mine = own(slug)
    regulation = competition.event.regulation
    terms = _terms(competition, kind)
    if refusal is None:
        terms.require()
    chosen = _chosen(mine) if kind is not ChangeKind.ADD else None
    member = _player(chosen)
    return render_template(
        "registrations/changes/new.html",
        competition=competition,
        mine=mine,
        kind=kind,
        kind_names=KIND_NAMES,
        terms=terms,
        chosen=chosen,
        member=member,
        changeable=[entry for entry in mine.entries if entry.state in CHANGEABLE],
        upload=field_values(slug, PURPOSE, tokens) | {"deletes_here": True} if terms.written else None,
        players=2 if kind is ChangeKind.ADD and regulation.in_pairs else 1,
        longest=LONGEST_REASON,
        employment_names=EMPLOYMENT_NAMES,
        asks_employment=regulation.asks_employment,
        by_players=regulation.by_players,
        declared_rules=regulation.declared_rules,
        team=None if regulation.in_pairs else regulation.teams,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=_values(kind, chosen, member),
    )


def _sent(name: str) -> int | None:
    """A number of the form that comes back, or of the address."""
    written = request.form.get(name) or request.args.get(name.removesuffix("_id"), "")
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 11 else None


def _chosen(mine: MyRegistration) -> MyEntry | None:
    """The entry that the form is about; None where it is still to be chosen."""
    entry_id = _sent("entry_id")
    if entry_id is None:
        return None
    entry = mine.entry(entry_id)
    if entry is None:
        raise UnknownPairError
    return entry


def _player(chosen: MyEntry | None) -> MemberView | None:
    """Who leaves or is corrected: the only player of the entry, or the one of a pair that was chosen."""
    if chosen is None:
        return None
    if len(chosen.members) == 1:
        return chosen.members[0]
    member_id = _sent("member_id")
    return next((member for member in chosen.members if member.id == member_id), None)


def _values(kind: ChangeKind, chosen: MyEntry | None, member: MemberView | None) -> dict[str, Any]:
    """What stands in the fields: what was just typed; else, of a correction, the stored data but for numbers. And the key."""
    values: dict[str, Any] = {}
    if kind is ChangeKind.CORRECT and member is not None and request.method == "GET":
        values = {
            "name": member.name,
            "employment": member.employment.value if member.employment else "",
            "unit_name": member.unit_name or "",
            **{f"declared-{rule}": "1" for rule in member.declared},
        }
        if chosen is not None and chosen.in_team:
            values["in_team"] = "1"
        values = {f"members-0-{name}": value for name, value in values.items()}
    # made with the page: two taps, or a retry after a lost answer, carry the same key
    return {"idempotency_key": secrets.token_urlsafe(24)} | values | request.form.to_dict()

"""The public form (我要提出异议), its receipt, completing and withdrawing; what a person has here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.errors import InvalidError, SaishiError
from app.objections import lodging, service
from app.objections.pages.shared import (
    REFUSALS,
    blueprint,
    file_fields,
    sent_files,
    sent_tokens,
    with_key,
)
from app.objections.queries import lists, own, people
from app.objections.queries.lists import ListInForce
from app.objections.rules import (
    FILE_NAMES,
    OPEN,
    REQUIREMENT_NAMES,
    STATE_NAMES,
    STEP_NAMES,
    Lodger,
    Requirement,
)
from app.objections.rules.lodging import (
    LONGEST_NAME,
    LONGEST_TEXT,
    appeal_clause,
    has_standing,
    require_window,
)
from app.objections.rules.refusals import NoListError, WindowClosedError
from app.objections.schemas.lodging import (
    NewObjectionSchema,
    ObjectionAdditionSchema,
    ObjectionWithdrawalSchema,
)
from app.publications.rules import KIND_NAMES, objection_terms
from app.text import T
from app.uploads.pages import FORM_MEGABYTES, without_deleted
from app.web import current_actor, load_form, public, signed_in
from app.web.forms import load
from app.web.requests import takes_up_to

RECEIPT = "/c/<slug>/objections/r/<string(maxlength=43):token>"


@blueprint.get("/c/<slug>/objections/new")
@public
def new(slug: str) -> str:
    """异议: who may object, until when, what it must carry; the form for whoever may."""
    return _form(slug)


@blueprint.post("/c/<slug>/objections/new")
@signed_in
@takes_up_to(FORM_MEGABYTES)
def lodge(slug: str) -> Answer | str | tuple[str, int]:
    tokens = sent_tokens()
    try:
        if (others := without_deleted(tokens)) is not None:
            return _form(slug, tokens=others)
        files = sent_files(slug, tokens)
        tokens = [*files.letters, *files.evidence]
        sent = {
            name: request.form.get(name, "") for name in ("list", "text", "reporter_name", "idempotency_key")
        }
        body = load(
            NewObjectionSchema,
            sent | {"entries": _chosen(slug), "letters": files.letters, "evidence": files.evidence},
        )
        token = lodging.send(slug, **body)
    except REFUSALS as refusal:
        return _form(slug, refusal, tokens), 422 if refusal.fields else refusal.status
    flash(gettext("已收到，请保存这份回执"), "success")
    return redirect(url_for("objections.receipt", slug=slug, token=token), 303)


@blueprint.get(RECEIPT)
@public
def receipt(slug: str, token: str) -> str:
    """回执: where a case stands. Who lodged it sees what was sent, too, and may complete or withdraw it."""
    return _receipt(slug, token)


@blueprint.post(f"{RECEIPT}/additions")
@signed_in
@takes_up_to(FORM_MEGABYTES)
def complete(slug: str, token: str) -> Answer | str | tuple[str, int]:
    tokens = sent_tokens()
    try:
        if (others := without_deleted(tokens)) is not None:
            return _receipt(slug, token, tokens=others)
        files = sent_files(slug, tokens)
        tokens = [*files.letters, *files.evidence]
        sent = {name: request.form.get(name, "") for name in ("text", "idempotency_key")}
        body = load(ObjectionAdditionSchema, sent | {"letters": files.letters, "evidence": files.evidence})
        with command(current_actor()) as ctx:
            service.complete(ctx, slug=slug, token=token, **body)
    except REFUSALS as refusal:
        return _receipt(slug, token, refusal, tokens), 422 if refusal.fields else refusal.status
    flash(gettext("已补充"), "success")
    return redirect(url_for("objections.receipt", slug=slug, token=token), 303)


@blueprint.post(f"{RECEIPT}/withdrawal")
@signed_in
def withdraw(slug: str, token: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(ObjectionWithdrawalSchema)
        with command(current_actor()) as ctx:
            service.withdraw(ctx, slug=slug, token=token, **body)
    except REFUSALS as refusal:
        return _receipt(slug, token, refusal), 422 if refusal.fields else refusal.status
    flash(gettext("已撤回"), "success")
    return redirect(url_for("objections.receipt", slug=slug, token=token), 303)


@blueprint.get("/c/<slug>/objections")
@signed_in
def mine(slug: str) -> str:
    """我的异议: what one lodged here, and what one's unit was asked."""
    competition, user_id = competitions.competition(slug), current_actor().require_signed_in()
    return render_template(
        "objections/mine.html",
        competition=competition,
        receipts=own.mine(competition.id, user_id),
        hearings=own.my_hearings(competition.id, user_id),
        state_names=STATE_NAMES,
    )


@blueprint.get("/c/<slug>/objections/files/<int:file_id>/<int:page>/<any(preview,thumbnail):what>")
@signed_in
def picture(slug: str, file_id: int, page: int, what: str) -> Answer:
    """One page of a file of a case, for whoever may see it."""
    return lodging.picture(slug, file_id, page, what)


_NUMBER = re.compile(r"\d{1,6}")


def _chosen(slug: str) -> list[int]:
    """The entries that a form names: one by choosing it, more by their numbers on the list."""
    against = _against(competitions.competition(slug), request.form.get("list", ""))
    by_number = {each.number: each.entry_id for each in against.view.entries} if against else {}
    entry = request.form.get("entry", "").strip()
    chosen = [int(entry)] if entry.isascii() and entry.isdecimal() and len(entry) < 10 else []
    written = unicodedata.normalize("NFKC", request.form.get("others", ""))
    numbers = [int(each) for each in _NUMBER.findall(written)]
    unknown = [each for each in numbers if each not in by_number]
    if unknown or (written.strip() and not numbers):
        sentence = (
            T("名单上没有第 %(number)s 号。", number=unknown[0])
            if unknown
            else T("请填写名单上的序号，例如 3、12。")
        )
        raise InvalidError(sentence, fields={"others": sentence})
    return list(dict.fromkeys([*chosen, *(by_number[each] for each in numbers)]))


def _against(competition: CompetitionView, number: str) -> ListInForce | None:
    """The list a form is about: the one it names, else one whose window runs, else the newest."""
    found = lists.in_force(competition.event.id)
    named = [each for each in found if str(each.number) == number]
    running = [each for each in found if each.open_at(clock.now())]
    return next(iter([*named, *running, *found]), None)


def _form(slug: str, refusal: SaishiError | None = None, tokens: Sequence[str] = ()) -> str:
    competition, now = competitions.competition(slug), clock.now()
    regulation, user_id = competition.event.regulation, current_actor().user_id
    if not regulation.has("objections"):
        return render_template("objections/none.html", competition=competition)
    terms = regulation.objections
    asked = request.values.get("list", "")
    against = _against(competition, asked)
    lodger = (
        people.lodger_of(user_id, competition.id, competition.event.id)
        if user_id is not None
        else Lodger(None, None, None, takes_part=False)
    )
    closed = _closed(competition, against)
    may = user_id is not None and has_standing(terms, lodger)
    values = with_key(
        {
            "list": str(against.number) if against else "",
            "entry": request.args.get("entry", ""),
            "reporter_name": people.contact_name(user_id, competition.id) if user_id else "",
        }
        | request.form.to_dict()
    )
    shown = may and (closed is None or request.method == "POST")
    return render_template(
        "objections/new.html",
        competition=competition,
        terms=terms,
        objection_terms=objection_terms(terms),
        kind_names=KIND_NAMES,
        against=against,
        running=[each for each in lists.in_force(competition.event.id) if each.open_at(now)],
        closed=closed,
        lodger=lodger,
        may=may,
        signed_in=user_id is not None,
        choices=_choices(against, lodger.unit_id) if against and shown else [],
        fields=file_fields(slug, tokens) if shown else None,
        shown=shown,
        values=values,
        errors=_errors(refusal),
        refusal=refusal,
        longest_text=LONGEST_TEXT,
        longest_name=LONGEST_NAME,
        now=now,
    )


def _errors(refusal: SaishiError | None) -> dict[str, T]:
    """Beside the fields of this form: what is wrong with the entries stands at the first of their two fields."""
    errors = dict(refusal.fields) if refusal else {}
    for path in [each for each in errors if each.startswith("entries")]:
        errors.setdefault("entry", errors.pop(path))
    return errors


def _closed(competition: CompetitionView, against: ListInForce | None) -> SaishiError | None:
    """Why nothing can be objected to now: no list yet, or its window is over."""
    regulation = competition.event.regulation
    if against is None:
        return NoListError(regulation.objections.clause)
    try:
        require_window(
            regulation,
            against=against.view,
            number=against.number,
            final=against.final,
            now=clock.now(),
        )
    except WindowClosedError as closed:
        return closed
    return None


def _choices(against: ListInForce, own_unit: int | None) -> list[tuple[int, str]]:
    """The lines of the list but one's own unit's, as the list numbers them."""
    units = people.units_of_entries([each.entry_id for each in against.view.entries])
    return [
        (each.entry_id, f"{each.number} {each.name} · {each.unit}")
        for each in against.view.entries
        if each.entry_id in units and units[each.entry_id].unit_id != own_unit
    ]


def _receipt(slug: str, token: str, refusal: SaishiError | None = None, tokens: Sequence[str] = ()) -> str:
    competition, now = competitions.competition(slug), clock.now()
    view = own.receipt(competition.id, token, current_actor().user_id)
    completing = view.may_complete(now)
    return render_template(
        "objections/receipt.html",
        competition=competition,
        receipt=view,
        completing=completing,
        fields=file_fields(slug, tokens) if completing else None,
        may_withdraw=view.own and view.state in OPEN,
        state_names=STATE_NAMES,
        step_names=STEP_NAMES,
        requirement_names=REQUIREMENT_NAMES,
        file_names=FILE_NAMES,
        needs_letter=Requirement.SEAL in view.lacking,
        appeal=appeal_clause(competition.event.regulation),
        values=with_key(request.form.to_dict()),
        errors=dict(refusal.fields) if refusal else {},
        refusal=refusal,
        longest_text=LONGEST_TEXT,
        now=now,
    )

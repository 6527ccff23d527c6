"""The clerks' pages (书记): the desk with its clocks, logging an oral appeal, taking papers and fees in, paying refunds out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
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
from app.appeals.queries import board, cases, own, rounds
from app.appeals.queries.cases import Heading
from app.appeals.rules import CLERKS, DESK_READERS, FEE_WAY_NAMES, LEDGER_READERS, PAID_BY
from app.appeals.rules.refusals import NoAppealsError, UnknownAppealError
from app.appeals.schemas.handling import (
    FeeKeptSchema,
    FeeReceiptSchema,
    FeeRefundSchema,
    OralAppealSchema,
    PaperAppealSchema,
)
from app.appeals.schemas.lodging import AppealAdditionSchema
from app.clock import beijing
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.errors import SaishiError
from app.uploads.pages import FORM_MEGABYTES, without_deleted
from app.web import current_actor, staff
from app.web.forms import load
from app.web.i18n import show
from app.web.requests import takes_up_to
from app.web.schemas import Schema

DESK = "/staff/c/<slug>/appeals"
ONE = f"{DESK}/<string(maxlength=20):number>/clerk"


@blueprint.get(DESK)
@staff(*DESK_READERS)
def staff_desk(slug: str) -> str:
    """申诉: every appeal with its clock, the open ones first; for clerks the form to log an oral one."""
    return _desk(slug)


@blueprint.post(DESK)
@staff(*CLERKS)
def log_oral(slug: str) -> Answer | tuple[str, int]:
    """登记口头申诉, with the time it was said."""
    try:
        sent = sent_fields("entry_id", "subject", "said_at", "text", "idempotency_key") | chosen_round()
        appeal_id = sending.log_oral(slug, current_actor(), **load(OralAppealSchema, sent))
    except REFUSALS as refusal:
        return _desk(slug, refusal), 422 if refusal.fields else refusal.status
    rows = board.desk(competitions.competition_id(slug), None)
    number = next(each.head.number for each in rows if each.head.id == appeal_id)
    flash(gettext("口头申诉已登记，编号 %(number)s", number=number), "success")
    return redirect(url_for("appeals.staff_clerk", slug=slug, number=number), 303)


@blueprint.get(ONE)
@staff(*CLERKS)
def staff_clerk(slug: str, number: str) -> str:
    """One appeal for a clerk: its clock, its fee, what was handed in on paper. No text of who appeals."""
    return _page(slug, number)


@blueprint.post(f"{ONE}/paper")
@staff(*CLERKS)
@takes_up_to(FORM_MEGABYTES)
def log_written(slug: str, number: str) -> Answer | str | tuple[str, int]:
    return _with_files(
        slug,
        number,
        PaperAppealSchema,
        form="paper",
        act=service.log_written,
        done=gettext("书面申诉已登记"),
        files="papers",
    )


@blueprint.post(f"{ONE}/evidence")
@staff(*CLERKS)
@takes_up_to(FORM_MEGABYTES)
def add_for(slug: str, number: str) -> Answer | str | tuple[str, int]:
    return _with_files(
        slug,
        number,
        AppealAdditionSchema,
        form="evidence",
        act=service.add_for,
        done=gettext("证据已补充"),
        files="evidence",
    )


@blueprint.post(f"{ONE}/fee")
@staff(*CLERKS)
def receive(slug: str, number: str) -> Answer | tuple[str, int]:
    """收取申诉费: the whole of it, in cash or by transfer."""
    head = _head(slug, number)
    sent = sent_fields("way", "reference", "idempotency_key") | {"amount": head.terms.fen or 1}
    return _act(slug, number, FeeReceiptSchema, sent, form="fee", act=service.receive)


@blueprint.post(f"{ONE}/refund")
@staff(*CLERKS)
def refund(slug: str, number: str) -> Answer | tuple[str, int]:
    sent = sent_fields("way", "reference", "idempotency_key")
    return _act(slug, number, FeeRefundSchema, sent, form="refund", act=service.refund)


@blueprint.post(f"{ONE}/kept")
@staff(*CLERKS)
def keep(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(slug, number, FeeKeptSchema, sent_fields("idempotency_key"), form="kept", act=service.keep)


def _act(
    slug: str, number: str, schema: type[Schema], sent: dict[str, Any], *, form: str, act: Callable[..., str]
) -> Answer | tuple[str, int]:
    try:
        body = load(schema, sent)
        with command(current_actor()) as ctx:
            receipt = act(ctx, slug=slug, number=number, **body)
    except REFUSALS as refusal:
        return _page(slug, number, refusal, form), 422 if refusal.fields else refusal.status
    flash(gettext("已登记，凭证 %(number)s", number=receipt), "success")
    return redirect(url_for("appeals.staff_clerk", slug=slug, number=number), 303)


def _with_files(
    slug: str,
    number: str,
    schema: type[Schema],
    *,
    form: str,
    act: Callable[..., Any],
    done: str,
    files: str,
) -> Answer | str | tuple[str, int]:
    tokens = sent_tokens()
    try:
        if (others := without_deleted(tokens)) is not None:
            return _page(slug, number, None, form, others)
        tokens = sent_evidence(slug, tokens)
        wanted = [name for name in schema().fields if name != files]
        body = load(schema, sent_fields(*wanted) | {files: tokens})
        with command(current_actor()) as ctx:
            act(ctx, slug=slug, number=number, **body)
    except REFUSALS as refusal:
        return _page(slug, number, refusal, form, tokens), 422 if refusal.fields else refusal.status
    flash(done, "success")
    return redirect(url_for("appeals.staff_clerk", slug=slug, number=number), 303)


def _head(slug: str, number: str) -> Heading:
    head = cases.by_number(competitions.competition_id(slug), number)
    if head is None:
        raise UnknownAppealError
    return head


def _desk(slug: str, refusal: SaishiError | None = None) -> str:
    competition, now = competitions.competition(slug), clock.now()
    actor = current_actor()
    try:
        found = rounds.of_event(competition.event)
    except NoAppealsError as none:
        return render_template("appeals/staff_none.html", competition=competition, refusal=none)
    current = next((each for each in found if each.ended_at is not None), found[0] if found else None)
    where = f"{current.head.stage}-{current.head.number}" if current else ""
    values = {"where": where, "said_at": f"{beijing(now):%Y-%m-%dT%H:%M:%S}"} | request.form.to_dict()
    return render_template(
        "appeals/staff_desk.html",
        competition=competition,
        rows=board.desk(competition.id, actor.user_id),
        current=current,
        where=round_choices(found),
        seats=_seats(competition.event.id, current),
        subjects=subjects(),
        clerk=actor.has(competition.id, *CLERKS),
        arbiter=actor.has(competition.id, Role.ARBITRATION),
        reads_ledger=actor.has(competition.id, *LEDGER_READERS),
        values=with_key(values),
        errors=errors_of(refusal),
        refusal=refusal,
        now=now,
        **names(),
    )


def _seats(event_id: int, current: rounds.RoundClock | None) -> list[tuple[int, str]]:
    """Who played in the round, table by table, to choose from."""
    if current is None:
        return []
    drawn = draws.round_of(event_id, current.head.stage, current.head.number)
    if drawn is None:
        return []
    seated = [
        (int(seat.entry_id), gettext("%(table)s 号桌 %(name)s", table=table.number, name=seat.name))
        for table in drawn.tables
        for seat in table.seats
    ]
    return seated + [(int(each.entry_id), each.name) for each in drawn.direct]


def _page(
    slug: str,
    number: str,
    refusal: SaishiError | None = None,
    form: str = "",
    tokens: Sequence[str] = (),
) -> str:
    competition, now = competitions.competition(slug), clock.now()
    head = _head(slug, number)
    values = {"handed_at": f"{beijing(now):%Y-%m-%dT%H:%M:%S}"} | request.form.to_dict()
    return render_template(
        "appeals/staff_clerk.html",
        competition=competition,
        head=head,
        case=cases.case(head.id),
        receipt_token=own.token_of(head.id),
        form=form,
        ways=[(each.value, show(FEE_WAY_NAMES[each])) for each in PAID_BY],
        field=file_field(slug, tokens),
        arbiter=current_actor().has(competition.id, Role.ARBITRATION),
        values=with_key(values),
        errors=errors_of(refusal),
        refusal=refusal,
        now=now,
        **names(),
    )

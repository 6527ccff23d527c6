"""The arbitration committee's page of one appeal: its papers, the sheet's history, the effect of each possible decision, every act."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.appeals import service
from app.appeals.pages import sheets
from app.appeals.pages.shared import REFUSALS, blueprint, errors_of, names, sent_fields, with_key
from app.appeals.queries import cases, effects
from app.appeals.queries.effects import Effect, History
from app.appeals.rules.refusals import AppealConflictError
from app.appeals.schemas.handling import (
    AppealDecisionSchema,
    AppealHearingSchema,
    AppealMinutesSchema,
    AppealRecusalSchema,
    AppealRefusalSchema,
    EffectRequestSchema,
)
from app.clock import beijing
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.web import current_actor, load_form, staff
from app.web.forms import load
from app.web.schemas import Schema

CASE = "/staff/c/<slug>/appeals/<string(maxlength=20):number>"


@blueprint.get(CASE)
@staff(Role.ARBITRATION)
def staff_case(slug: str, number: str) -> str:
    """One appeal: what is appealed against and why, its papers, the sheet's history, what each decision would change."""
    return _page(slug, number)


@blueprint.post(f"{CASE}/hearing")
@staff(Role.ARBITRATION)
def set_hearing(slug: str, number: str) -> Answer | tuple[str, int]:
    done = gettext("已通知双方")
    return _act(slug, number, AppealHearingSchema, service.set_hearing, done, form="hearing")


@blueprint.post(f"{CASE}/minutes")
@staff(Role.ARBITRATION)
def hear(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(slug, number, AppealMinutesSchema, service.hear, gettext("笔录已记下"), form="minutes")


@blueprint.post(f"{CASE}/refusal")
@staff(Role.ARBITRATION)
def refuse(slug: str, number: str) -> Answer | tuple[str, int]:
    done = gettext("已定为不予受理，申诉人会收到通知")
    return _act(slug, number, AppealRefusalSchema, service.refuse, done, form="refusal")


@blueprint.post(f"{CASE}/recusal")
@staff(Role.ARBITRATION)
def recuse(slug: str, number: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(AppealRecusalSchema)
        with command(current_actor()) as ctx:
            service.recuse(ctx, slug=slug, number=number, **body)
    except AppealConflictError:
        raise
    except REFUSALS as refusal:
        return _page(slug, number, refusal, "recusal"), 422 if refusal.fields else refusal.status
    flash(gettext("已回避，这件申诉由其他成员办理"), "success")
    return redirect(url_for("appeals.staff_desk", slug=slug), 303)


@blueprint.post(f"{CASE}/effect")
@staff(Role.ARBITRATION)
def effect(slug: str, number: str) -> str | tuple[str, int]:
    """What the decision that is being written would change; nothing is stored, and what was typed stays."""
    appeal_id = _read(slug, number)
    try:
        sent = {"correction": _correction(appeal_id), "withdrawn": request.form.getlist("withdrawn")}
        body = load(EffectRequestSchema, {name: value for name, value in sent.items() if value})
    except REFUSALS as refusal:
        return _page(slug, number, refusal, "decision"), 422
    return _page(slug, number, None, "decision", effects.effect_of(appeal_id, **body))


@blueprint.post(f"{CASE}/decision")
@staff(Role.ARBITRATION)
def decide(slug: str, number: str) -> Answer | tuple[str, int]:
    """成立 or 驳回. What was typed stays where it is refused."""
    return _act(
        slug,
        number,
        AppealDecisionSchema,
        service.decide,
        gettext("裁定已生效，双方会收到通知"),
        form="decision",
        more=lambda appeal_id: {
            "correction": _correction(appeal_id),
            "withdrawn": request.form.getlist("withdrawn"),
        },
    )


def _correction(appeal_id: int) -> dict[str, Any] | None:
    return sheets.sent_correction(effects.history(appeal_id))


def _act(
    slug: str,
    number: str,
    schema: type[Schema],
    act: Callable[..., Any],
    done: str,
    *,
    form: str,
    more: Callable[[int], dict[str, Any]] | None = None,
) -> Answer | tuple[str, int]:
    extra = more(_read(slug, number)) if more else {}
    try:
        wanted = [name for name in schema().fields if name not in extra]
        sent: dict[str, Any] = sent_fields(*wanted)
        body = load(schema, sent | {name: value for name, value in extra.items() if value})
        with command(current_actor()) as ctx:
            act(ctx, slug=slug, number=number, **body)
    except AppealConflictError:
        raise  # there is no page of the case for him
    except REFUSALS as refusal:
        return _page(slug, number, refusal, form), 422 if refusal.fields else refusal.status
    flash(done, "success")
    return redirect(url_for("appeals.staff_case", slug=slug, number=number), 303)


def _read(slug: str, number: str) -> int:
    with command(current_actor()) as ctx:
        return service.read(ctx, slug=slug, number=number)


def _page(
    slug: str,
    number: str,
    refusal: SaishiError | None = None,
    form: str = "",
    previewed: Effect | None = None,
) -> str:
    """Read the appeal, which is written down, and show it; ``form`` is the act that was refused, or previewed."""
    appeal_id = _read(slug, number)
    competition, now = competitions.competition(slug), clock.now()
    view = cases.case(appeal_id)
    history: History | None = effects.history(appeal_id)
    deciding = view.head.open
    values = {
        "at": f"{beijing(now + timedelta(minutes=15)):%Y-%m-%dT%H:%M}",
        **sheets.form_values(history, {}),
        **request.form.to_dict(),
    }
    return render_template(
        "appeals/staff_case.html",
        competition=competition,
        case=view,
        head=view.head,
        history=history,
        possible=effects.effects(appeal_id) if deciding else (),
        previewed=previewed,
        levels=sheets.level_names(history.sheet) if history else [],
        looks=cases.access_log(appeal_id),
        form=form,
        ticked=request.form.getlist("withdrawn"),
        values=with_key(values),
        errors=errors_of(refusal),
        refusal=refusal,
        now=now,
        **names(),
    )

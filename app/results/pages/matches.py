"""本桌 of 升级 (拖拉机, 八十分): deal by deal, penalties, lateness and forfeits, or only the end; handed in as every sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.commands import command
from app.errors import InvalidError
from app.results import service
from app.results.pages.device import from_here
from app.results.pages.phone import require_same_account
from app.results.pages.showing import conflict_page, held, own_sheet, sheet_page
from app.results.rules import RECORDERS, SheetConflictError
from app.results.rules.confirming import SheetHeldError
from app.results.schemas import SentSchema
from app.results.schemas.matches import (
    LiftedPenaltySchema,
    MatchDealFormSchema,
    MatchEndSchema,
    MatchTermsSchema,
    NewPenaltySchema,
    RemovedDealSchema,
)
from app.web import current_actor, load_form, staff

blueprint = Blueprint("matches", __name__)
blueprint.register_error_handler(SheetHeldError, held)
blueprint.before_request(require_same_account)

TABLE = "/c/<slug>/t/<token>/match"


@blueprint.post(f"{TABLE}/deals")
@staff(*RECORDERS)
def record_deal(slug: str, token: str) -> Response | tuple[str, int]:
    """Record or replace one deal, then show the next."""
    number = request.form.get("deal_number", type=int)
    return _changed(
        slug, token, MatchDealFormSchema, lambda body: _command(service.record_deal, token, body), deal=number
    )


@blueprint.post(f"{TABLE}/deals/removal")
@staff(*RECORDERS)
def remove_deal(slug: str, token: str) -> Response | tuple[str, int]:
    """删去最后一副."""
    return _changed(
        slug, token, RemovedDealSchema, lambda body: _command(service.remove_last_deal, token, body)
    )


@blueprint.post(f"{TABLE}/terms")
@staff(*RECORDERS)
def record_terms(slug: str, token: str) -> Response | tuple[str, int]:
    """弃权、迟到、时间到."""
    return _said(slug, token, MatchTermsSchema, gettext("已记下"))


@blueprint.post(f"{TABLE}/end")
@staff(*RECORDERS)
def record_end(slug: str, token: str) -> Response | tuple[str, int]:
    """只录级数."""
    return _said(slug, token, MatchEndSchema, gettext("最后的级数已记下"))


@blueprint.post(f"{TABLE}/penalties")
@staff(*RECORDERS)
def penalise(slug: str, token: str) -> Response | tuple[str, int]:
    """记一项判罚."""
    return _changed(
        slug,
        token,
        NewPenaltySchema,
        lambda body: _command(service.penalise, token, body),
        gettext("判罚已记下"),
    )


@blueprint.post(f"{TABLE}/penalties/removal")
@staff(*RECORDERS)
def lift_penalty(slug: str, token: str) -> Response | tuple[str, int]:
    """撤销一项判罚; the earlier revisions keep it."""
    return _changed(
        slug,
        token,
        LiftedPenaltySchema,
        lambda body: _command(service.lift_penalty, token, body),
        gettext("判罚已撤销"),
    )


def _said(slug: str, token: str, schema: type[SentSchema], done: str) -> Response | tuple[str, int]:
    """Some of what the sheet says besides its deals, in place of what it said of the same."""
    return _changed(slug, token, schema, lambda body: _command(service.amend_outcome, token, body), done)


def _command(act: Callable[..., Any], token: str, body: Mapping[str, Any]) -> None:
    with command(current_actor()) as ctx:
        act(ctx, token, **body)


def _changed(
    slug: str,
    token: str,
    schema: type[SentSchema],
    change: Callable[[dict[str, Any]], None],
    done: str | None = None,
    *,
    deal: int | None = None,
) -> Response | tuple[str, int]:
    """The change made, and the sheet shown; or the page again with what was refused beside its field."""
    try:
        own_sheet(slug, token)
        change(load_form(schema, **from_here()))
    except SheetConflictError as error:
        return conflict_page(slug, token, error, deal), error.status
    except InvalidError as error:
        page = sheet_page(slug, own_sheet(slug, token), deal, request.form.to_dict(), error)
        return page, error.status
    if done:
        flash(done, "success")
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, flash, redirect, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.commands import CommandContext, command
from app.competitions import queries as competitions
from app.draws.rules import DRAWERS
from app.draws.schemas import ContributionSchema, WithdrawalSchema
from app.errors import SaishiError
from app.standings.pages import stages_page
from app.standings.service import lots as service
from app.web import current_actor, load_form, staff

blueprint = Blueprint("lots", __name__)
HERE = "/staff/c/<slug>/lots"


@blueprint.post(HERE)
@staff(*DRAWERS)
def draw(slug: str) -> Response | tuple[str, int]:
    """抽签定名次: from the committed seed where there is one."""
    return _done(slug, service.draw_lots, gettext("已抽签，名次正在重算"))


@blueprint.post(f"{HERE}/commitment")
@staff(*DRAWERS)
def commit(slug: str) -> Response | tuple[str, int]:
    """种子承诺."""
    return _done(slug, service.commit_lots, gettext("种子承诺已公布"))


@blueprint.post(f"{HERE}/contribution")
@staff(*DRAWERS)
def contribute(slug: str) -> Response | tuple[str, int]:
    """公众数据."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.contribute_to_lots(ctx, event_id, **load_form(ContributionSchema))

    return _done(slug, act, gettext("公众数据已写入并公布"))


@blueprint.post(f"{HERE}/withdrawal")
@staff(*DRAWERS)
def withdraw(slug: str) -> Response | tuple[str, int]:
    """撤销承诺."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.withdraw_lots(ctx, event_id, **load_form(WithdrawalSchema))

    return _done(slug, act, gettext("承诺已撤销，原因和种子已公开"))


def _done(slug: str, act: Callable[[CommandContext, int], object], said: str) -> Response | tuple[str, int]:
    event_id = competitions.competition(slug).event.id
    try:
        with command(current_actor()) as ctx:
            act(ctx, event_id)
    except SaishiError as refusal:
        if refusal.status not in {409, 422}:
            raise
        return stages_page(slug, request.form.to_dict(), refusal), refusal.status
    flash(said, "success")
    return redirect(url_for("standings.staff_stages", slug=slug), 303)

from __future__ import annotations

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app import clock
from app.accounts import tokens
from app.actors import Role
from app.commands import command
from app.competitions.rules import PHASE_NAMES
from app.demonstration import queries, rules, service
from app.demonstration.queries import Cast, CastMember
from app.demonstration.schemas import ClockSchema
from app.errors import InvalidError
from app.text import T
from app.web import current_actor, load_form, public, staff

blueprint = Blueprint("demonstration", __name__)

STARTS: dict[Cast, tuple[str, str | None, T]] = {
    Cast.ORGANISER: ("competitions.board", None, T("创建赛事，发海报，拨时钟")),
    Cast.COMMITTEE: ("registrations.staff_entries", rules.OPEN_SLUG, T("审核报名，公示名单，抽签")),
    Cast.CHIEF_REFEREE: ("draws.staff_draws", rules.PLAYED_SLUG, T("看各桌进度，退回更正，编排下一阶段")),
    Cast.REFEREE: ("results.staff_tables", rules.PLAYED_SLUG, T("在空着的桌录入十副牌")),
    Cast.LEADER: ("registrations.enter", rules.OPEN_SLUG, T("为单位报名")),
    Cast.ARBITRATION: ("competitions.staff_home", rules.PLAYED_SLUG, T("听证申诉，作出裁定")),
}
"""Where each of them begins: the page, its competition, and what there is to do."""


@blueprint.get("/demo")
@public
def show() -> str:
    """演示: who to be, what time it is, what was sent."""
    rules.require_demonstration(current_app.config["SAISHI"].demo)
    return _page({}, {})


@blueprint.post("/demo/clock")
@staff(Role.ORGANISER)
def move_clock() -> Response | tuple[str, int]:
    """拨时钟."""
    rules.require_demonstration(current_app.config["SAISHI"].demo)
    try:
        body = load_form(ClockSchema)
        with command(current_actor()) as ctx:
            service.move_clock(ctx, **body)
    except InvalidError as error:
        return _page(request.form.to_dict(), error.fields), error.status
    flash(gettext("时钟已拨动"), "success")
    return redirect(url_for("demonstration.show"), 303)


@blueprint.get("/demo/outbox")
@public
def outbox() -> str:
    """发件箱: the messages that would have left the house."""
    rules.require_demonstration(current_app.config["SAISHI"].demo)
    return render_template("demonstration/outbox.html", messages=queries.outbox())


def sign_in_links(external: bool = False) -> tuple[tuple[CastMember, str], ...]:
    """One link per role; also for the terminal, which gives its own request context."""
    return tuple((each, _sign_in_link(each, external)) for each in queries.cast())


def _sign_in_link(member: CastMember, external: bool) -> str:
    endpoint, slug, _ = STARTS[member.part]
    token = tokens.issue(current_app.config["SECRET_KEY"], "demo link", member.user_id)
    start = url_for(endpoint, slug=slug) if slug else url_for(endpoint)
    return url_for("accounts.demo_sign_in", token=token, next=start, _external=external)


def _page(values: dict[str, str], errors: dict[str, T]) -> str:
    now = clock.now()
    return render_template(
        "demonstration/show.html",
        links=[(member, link, STARTS[member.part][2]) for member, link in sign_in_links()],
        leaps=queries.leaps(now),
        phase_names=PHASE_NAMES,
        now=now,
        moved=bool(clock.offset()),
        may_move=current_actor().has(None, Role.ORGANISER),
        values=values,
        errors=errors,
    )

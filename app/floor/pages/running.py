"""赛场 of the chief referee: the round that is played, its clock, its referees; and the committee's terms."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app import clock
from app.actors import Role
from app.commands import CommandContext, command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.draws import queries as draws
from app.errors import SaishiError
from app.floor import queries, service
from app.floor.pages.shared import answer, blueprint, chosen_run, new_key, refused, round_key
from app.floor.rules import RUNNERS, Confirmation, Publication
from app.floor.rules.hall import PLACERS
from app.floor.rules.rounds import RUN_STATE_NAMES
from app.floor.rules.terms import CONFIRMATION_NAMES, PUBLICATION_NAMES, TERM_MAKERS, default_terms
from app.floor.schemas import AssignFormSchema, FloorTermsSchema, NewFloorNoticeSchema, RoundScheduleSchema
from app.web import current_actor, load_form, staff

ROUND = "/staff/c/<slug>/floor/<stage>/<int:number>"


@blueprint.get("/staff/c/<slug>/floor")
@staff(*RUNNERS)
def rounds(slug: str) -> str:
    """赛场: one round with everything that moves it on; the newest, or the one asked for."""
    return _rounds(competitions.competition(slug), None)


def _rounds(competition: CompetitionView, refusal: SaishiError | None) -> str:
    event, now = competition.event, clock.now()
    asked = request.view_args or {}
    key = f"{asked['stage']}-{asked['number']}" if "stage" in asked else request.args.get("round", "")
    run = chosen_run(event.id, key)
    tables = draws.round_of(event.id, run.stage, run.number) if run else None
    placed = queries.referees(table.id for table in tables.tables) if tables else {}
    people = {each.user_id: each for each in queries.referees_of(competition.id)}
    return render_template(
        "floor/rounds.html",
        competition=competition,
        runs=queries.runs(event.id),
        run=run,
        state=run.state(now) if run else None,
        state_names=RUN_STATE_NAMES,
        now=now,
        scheduled=f"{clock.beijing(run.moments.scheduled_at):%Y-%m-%dT%H:%M}"
        if run and run.moments.scheduled_at
        else "",
        tables=tables.tables if tables else (),
        placed=placed,
        people=people,
        missing=queries.missing(run.round_id) if run else (),
        late=queries.minutes_late(run.round_id) if run else {},
        calls=queries.open_calls(event.id),
        notices=queries.all_notices(event.id),
        standing={each.id for each in queries.notices(event.id, now)},
        key=new_key(),
        round_key=round_key,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
    )


def _back(slug: str, stage: str, number: int) -> str:
    return url_for("floor.rounds", slug=slug, round=f"{stage}-{number}")


@blueprint.post(f"{ROUND}/schedule")
@staff(*RUNNERS)
def schedule(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """规定到场时间."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.schedule_round(ctx, event_id, stage, number, **load_form(RoundScheduleSchema))

    return answer(slug, _rounds, act, gettext("到场时间已记下"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/open")
@staff(*RUNNERS)
def open_round(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """开赛."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.open_round(ctx, event_id, stage, number)

    return answer(slug, _rounds, act, gettext("本轮已开赛"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/clock")
@staff(*RUNNERS)
def start_clock(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """开始计时."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.start_clock(ctx, event_id, stage, number)

    return answer(slug, _rounds, act, gettext("已开始计时"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/call")
@staff(*RUNNERS)
def call_time(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """提醒最后几分钟."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.call_time(ctx, event_id, stage, number)

    return answer(slug, _rounds, act, gettext("已向所有手机提醒"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/end")
@staff(*RUNNERS)
def end_round(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """宣布本轮结束."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.end_round(ctx, event_id, stage, number)

    return answer(slug, _rounds, act, gettext("已记下本轮结束时刻"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/lock")
@staff(*RUNNERS)
def lock_round(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """锁定."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.lock_round(ctx, event_id, stage, number)

    return answer(slug, _rounds, act, gettext("本轮已锁定"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/referees/spread")
@staff(*PLACERS)
def spread(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """把全体裁判均匀安排到各桌."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.spread_referees(ctx, event_id, stage, number)

    return answer(slug, _rounds, act, gettext("裁判已安排到各桌"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/referees")
@staff(*PLACERS)
def assign(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """把一名裁判安排到一桌，在原有裁判之外."""

    def act(ctx: CommandContext, event_id: int) -> None:
        body = load_form(AssignFormSchema)
        service.add_referee(ctx, event_id, stage, number, **body)

    return answer(slug, _rounds, act, gettext("已安排"), _back(slug, stage, number))


@blueprint.post(f"{ROUND}/referees/release")
@staff(*PLACERS)
def release(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """让一名裁判离开一桌."""

    def act(ctx: CommandContext, event_id: int) -> None:
        body = load_form(AssignFormSchema)
        _, table = draws.standing_table(event_id, stage, number, body["table"])
        service.release_referee(ctx, event_id, table.id, body["user_id"])

    return answer(slug, _rounds, act, gettext("已撤下"), _back(slug, stage, number))


@blueprint.post("/staff/c/<slug>/floor/notices")
@staff(*PLACERS)
def announce(slug: str) -> Response | tuple[str, int]:
    """赛场广播."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.announce(ctx, event_id, **load_form(NewFloorNoticeSchema))

    return answer(slug, _rounds, act, gettext("已广播到所有手机"), url_for("floor.rounds", slug=slug))


@blueprint.post("/staff/c/<slug>/floor/notices/<int:notice_id>/withdrawal")
@staff(*PLACERS)
def withdraw_notice(slug: str, notice_id: int) -> Response | tuple[str, int]:
    """撤下广播."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.withdraw_notice(ctx, event_id, notice_id)

    return answer(slug, _rounds, act, gettext("广播已撤下"), url_for("floor.rounds", slug=slug))


@blueprint.get("/staff/c/<slug>/floor/terms")
@staff(*TERM_MAKERS, Role.CHIEF_REFEREE)
def terms(slug: str) -> str:
    """办赛方式: the committee chooses, the chief referee reads."""
    return _terms(competitions.competition(slug), None)


def _terms(competition: CompetitionView, refusal: SaishiError | None) -> str:
    found, default = queries.terms(competition.event.id), default_terms(competition.event.regulation)
    set_here = {
        "round_minutes": found.round_minutes if found.round_minutes != default.round_minutes else None,
        "call_minutes": found.call_minutes if found.call_minutes != default.call_minutes else None,
    }
    stage = competition.event.regulation.stages[0]
    return render_template(
        "floor/terms.html",
        competition=competition,
        terms=found,
        default=default,
        default_clause=stage.clause,
        may_choose=current_actor().has(competition.id, *TERM_MAKERS),
        confirmations=[(each.value, CONFIRMATION_NAMES[each]) for each in Confirmation],
        publications=[(each.value, PUBLICATION_NAMES[each]) for each in Publication],
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict()
        if refusal
        else {key: value for key, value in set_here.items() if value},
    )


@blueprint.post("/staff/c/<slug>/floor/terms")
@staff(*TERM_MAKERS)
def set_terms(slug: str) -> Response | tuple[str, int]:
    competition = competitions.competition(slug)
    try:
        body = load_form(FloorTermsSchema)
        with command(current_actor()) as ctx:
            service.set_terms(ctx, competition.event.id, **body)
    except SaishiError as refusal:
        return refused(competition, _terms, refusal)
    flash(gettext("办赛方式已保存"), "success")
    return redirect(url_for("floor.terms", slug=slug), 303)

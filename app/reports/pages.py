"""邮件报告: which reports went out, those that would wait, and the final report as files."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.extensions import limiter
from app.reports import queries, service
from app.reports.queries.final import final_report, require_final_report
from app.reports.rules import READERS
from app.web import current_actor, staff
from app.web.i18n import language

blueprint = Blueprint("reports", __name__)

FORMS = ("pdf", "xlsx")


@blueprint.get("/staff/c/<slug>/reports")
@staff(*READERS)
def reports(slug: str) -> str:
    competition = competitions.competition(slug)
    return render_template(
        "reports/reports.html",
        competition=competition,
        rows=queries.rows(competition.id),
        titles={event.name: event.title for event in competition.events},
        over=[event for event in competition.events if final_report(competition, event)],
    )


@blueprint.post("/staff/c/<slug>/reports")
@staff(*READERS)
@limiter.limit("6/minute")
def send(slug: str) -> Answer:
    """立即发送: write what would wait."""
    competition_id = competitions.competition_id(slug)
    minutes = current_app.config["SAISHI"].report_minutes
    prepared = service.prepare(competition_id, clock.now(), report_minutes=minutes, at_once=True)
    with command(current_actor()) as ctx:
        letters = service.send_now(
            ctx,
            competition_id,
            prepared=prepared,
            waits=current_app.extensions["saishi_waiting"],
            report_minutes=minutes,
        )
    if letters:
        flash(gettext("写好 %(count)s 封，已放进发件箱。", count=letters), "success")
    else:
        flash(gettext("没有信要发：该发的都发过了，或者收信人没有邮箱。"), "success")
    return redirect(url_for("reports.reports", slug=slug), 303)


@blueprint.get("/staff/c/<slug>/reports/<code>/final.<form>")
@staff(*READERS)
@limiter.limit("30/minute")
def final(slug: str, code: str, form: str) -> Response:
    """总结报告 of one event, as a PDF or a spreadsheet."""
    competition = competitions.competition(slug)
    event = next((each for each in competition.events if each.code == code), None)
    if event is None or form not in FORMS:
        abort(404)
    files = service.files_of(require_final_report(competition, event).paper, language())
    chosen = files[FORMS.index(form)]
    answer = Response(chosen.content, mimetype=chosen.media_type)
    name = slug if code == slug else f"{slug}-{code}"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}-final.{form}"'
    return answer

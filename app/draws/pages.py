from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries, service
from app.draws.queries import TableView
from app.draws.rules import DRAWERS, DRAWN, UnknownTableError, stage_name
from app.draws.schemas import CommitSchema, ContributionSchema, DrawSchema, WithdrawalSchema
from app.errors import SaishiError
from app.publications import queries as publications
from app.text import T
from app.web import current_actor, load_form, public, staff
from app.web.links import external_url, qr_svg

blueprint = Blueprint("draws", __name__)


@blueprint.get("/c/<slug>/draws")
@public
def show(slug: str) -> str:
    """抽签: every drawn round with its seed, and how to replay it."""
    competition = competitions.competition(slug)
    return render_template(
        "draws/show.html",
        competition=competition,
        rounds=tuple(reversed(queries.rounds(competition.event.id))),
        commitments=tuple(reversed(queries.commitments(competition.event.id))),
        grouping=_grouping(competition.event),
    )


@blueprint.get("/c/<slug>/pairings")
@public
def pairings(slug: str) -> str:
    """对阵: by table, by name, and "my next table" for a name."""
    competition = competitions.competition(slug)
    rounds = queries.rounds(competition.event.id)
    search = request.args.get("q", "").strip()[:30]
    return render_template(
        "draws/pairings.html",
        competition=competition,
        rounds=tuple(reversed(rounds)),
        search=search,
        found=queries.find_by_name(rounds, search) if search else (),
        found_direct=queries.find_direct(rounds, search) if search else (),
    )


@blueprint.get("/staff/c/<slug>/draws")
@staff(*DRAWERS)
def staff_draws(slug: str) -> str:
    """Draw the first stage, or see what is drawn."""
    return _staff_page(slug, {}, None)


@blueprint.post("/staff/c/<slug>/draws")
@staff(*DRAWERS)
def draw(slug: str) -> Answer | tuple[str, int]:
    event = competitions.competition(slug).event
    try:
        body = load_form(DrawSchema)
        with command(current_actor()) as ctx:
            service.draw(ctx, event.id, **body)
    except SaishiError as refusal:
        return _refused(slug, refusal)
    flash(gettext("已抽签"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.post("/staff/c/<slug>/draws/commitments")
@staff(*DRAWERS)
def commit(slug: str) -> Answer | tuple[str, int]:
    """种子承诺: fix the seed of the first stage before it is drawn."""
    event = competitions.competition(slug).event
    try:
        body = load_form(CommitSchema)
        with command(current_actor()) as ctx:
            service.commit_seed(ctx, event.id, **body)
    except SaishiError as refusal:
        return _refused(slug, refusal)
    flash(gettext("种子承诺已公布"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.post("/staff/c/<slug>/draws/<stage>/<int:number>/contribution")
@staff(*DRAWERS)
def contribute(slug: str, stage: str, number: int) -> Answer | tuple[str, int]:
    """公众数据: written once, between the commitment and the draw."""
    event = competitions.competition(slug).event
    try:
        body = load_form(ContributionSchema)
        with command(current_actor()) as ctx:
            service.contribute(ctx, event.id, stage, number, **body)
    except SaishiError as refusal:
        return _refused(slug, refusal)
    flash(gettext("公众数据已写入并公布"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.post("/staff/c/<slug>/draws/<stage>/<int:number>/withdrawal")
@staff(*DRAWERS)
def withdraw(slug: str, stage: str, number: int) -> Answer | tuple[str, int]:
    """撤销承诺: with a reason that everybody reads."""
    event = competitions.competition(slug).event
    try:
        body = load_form(WithdrawalSchema)
        with command(current_actor()) as ctx:
            service.withdraw_commitment(ctx, event.id, stage, number, **body)
    except SaishiError as refusal:
        return _refused(slug, refusal)
    flash(gettext("承诺已撤销，原因和种子已公开"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.get("/staff/c/<slug>/tables")
@staff(*DRAWERS, Role.REFEREE)
def staff_tables(slug: str) -> str:
    """桌卡: a card for each table with the QR code of its score sheet, to print."""
    competition = competitions.competition(slug)
    rounds = queries.rounds(competition.event.id)
    chosen = request.args.get("round", type=int)
    shown = next((each for each in rounds if each.id == chosen), rounds[-1] if rounds else None)
    return render_template(
        "draws/staff_tables.html",
        competition=competition,
        rounds=rounds,
        shown=shown,
        address=lambda table: _sheet_address(slug, table),
    )


@blueprint.get("/staff/c/<slug>/tables/<int:table_id>.svg")
@staff(*DRAWERS, Role.REFEREE)
def table_qr(slug: str, table_id: int) -> Response:
    """The QR code of one table's score sheet."""
    table = queries.table(table_id)
    if table.event_id != competitions.competition(slug).event.id:
        raise UnknownTableError
    return Response(qr_svg(_sheet_address(slug, table)), mimetype="image/svg+xml")


def _sheet_address(slug: str, table: TableView) -> str:
    # the score sheet's page belongs to results, which stand to the right of draws; its address is fixed
    return f"{external_url('competitions.show', slug=slug)}/t/{table.token}"


def _grouping(event: EventView) -> T | None:
    """What the regulation's option says on grouping by order, in words."""
    options = event.regulation.interpretations
    return next((each.meaning() for each in options if each.option == "semifinal_grouping"), None)


def _refused(slug: str, refusal: SaishiError) -> tuple[str, int]:
    """The page again with what was refused; what no form can mend is raised on."""
    if refusal.status not in {409, 422}:
        raise refusal
    return _staff_page(slug, request.form.to_dict(), refusal), refusal.status


def _staff_page(slug: str, values: dict[str, str], refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    event = competition.event
    rounds = queries.rounds(event.id)
    drawn = {each.stage for each in rounds}
    first = next((stage for stage in event.regulation.stages if stage.kind == DRAWN), None)
    return render_template(
        "draws/staff_draws.html",
        competition=competition,
        rounds=tuple(reversed(rounds)),
        open_commitments=tuple(each for each in queries.commitments(event.id) if each.open),
        stage=first if first and first.code not in drawn else None,
        stage_name=stage_name,
        readiness=queries.readiness(event, first, clock.now()) if first and first.code not in drawn else None,
        publication=publications.latest(event.id),
        refusal=refusal,
        values=values,
        errors=refusal.fields if refusal else {},
    )

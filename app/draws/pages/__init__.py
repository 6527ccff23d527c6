from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries, service
from app.draws.queries import RoundView, TableView
from app.draws.rules import (
    DRAWERS,
    DRAWN,
    SWISS,
    UnknownRoundError,
    UnknownTableError,
    entrant_of,
    known_entrant,
    stage_name,
    why_together,
)
from app.draws.schemas import CommitSchema, ContributionSchema, DrawSchema, WithdrawalSchema
from app.errors import SaishiError
from app.publications import queries as publications
from app.text import T
from app.web import current_actor, load_form, public, staff
from app.web.links import external_url, qr_svg

blueprint = Blueprint("draws", __name__)

TABLES_A_PAGE, NAMES_A_PAGE = 30, 100
MOST_FOUND = 20
"""How many tables a search lists; a longer name finds fewer."""

LAST_STEP_BEFORE_TABLES = 3
"""Steps of a ceremony: 1 the commitment, 2 the contribution, 3 the seed; then a table each, and all of them."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a round's pairings: tables, or people with their table number."""

    by_name: bool
    rows: Sequence[Any]
    number: int
    pages: int
    first: int
    total: int


def round_key(round_: RoundView) -> str:
    """A round in an address: ``prelim-1``."""
    return f"{round_.stage}-{round_.number}"


@blueprint.get("/c/<slug>/draws")
@public
def show(slug: str) -> str:
    """抽签: every drawn round with its seed, and how to replay it."""
    competition = competitions.competition(slug)
    return render_template(
        "draws/show.html",
        competition=competition,
        rounds=tuple(reversed(queries.rounds(competition.event.id))),
        void_rounds=tuple(reversed(queries.void_rounds(competition.event.id))),
        commitments=tuple(reversed(queries.commitments(competition.event.id))),
        grouping=_grouping(competition.event),
        most_tables=TABLES_A_PAGE,
    )


@blueprint.get("/c/<slug>/pairings")
@public
def pairings(slug: str) -> str:
    """对阵: one round by table or by name, in parts, and the table of a name."""
    competition = competitions.competition(slug)
    rounds = queries.rounds(competition.event.id)
    search = request.args.get("q", "").strip()[:30]
    asked = request.args.get("round", "")
    shown = next((each for each in rounds if round_key(each) == asked), rounds[-1] if rounds else None)
    by_name = request.args.get("order") == "name"
    found = queries.find_by_name(rounds, search) if search else ()
    found_direct = queries.find_direct(rounds, search) if search else ()
    return render_template(
        "draws/pairings.html",
        competition=competition,
        rounds=tuple(reversed(rounds)),
        shown=shown,
        part=_part(shown, by_name, request.args.get("page", 1, type=int)) if shown else None,
        search=search,
        found=found[:MOST_FOUND],
        found_direct=found_direct[:MOST_FOUND],
        more=max(0, len(found) - MOST_FOUND) + max(0, len(found_direct) - MOST_FOUND),
        why=_why(competition.event),
        round_key=round_key,
        entrant_of=entrant_of,
    )


@blueprint.get("/c/<slug>/pairings/<entrant>")
@public
def entrant(slug: str, entrant: str) -> str:
    """我的下一桌: where one entrant sits, and the code that leads here."""
    competition = competitions.competition(slug)
    found = queries.person(queries.rounds(competition.event.id), known_entrant(entrant))
    return render_template(
        "draws/entrant.html", competition=competition, found=found, why=_why(competition.event)
    )


@blueprint.get("/c/<slug>/pairings/<entrant>.svg")
@public
def entrant_qr(slug: str, entrant: str) -> Response:
    """The QR code of one entrant's page, to keep on a phone or print on a badge."""
    known = known_entrant(entrant)
    queries.person(queries.rounds(competitions.competition(slug).event.id), known)
    address = external_url("draws.entrant", slug=slug, entrant=known)
    return Response(qr_svg(address), mimetype="image/svg+xml")


@blueprint.get("/c/<slug>/draws/<stage>/<int:number>/ceremony")
@public
def ceremony(slug: str, stage: str, number: int) -> str:
    """抽签仪式: what was committed to, what the public said, the seed, the tables one by one; for a projector."""
    competition = competitions.competition(slug)
    event = competition.event
    standing = queries.round_of(event.id, stage, number)
    drawn = standing.as_drawn if standing else None
    commitment = drawn.commitment if drawn else queries.open_commitment(event.id, stage, number)
    if drawn is None and commitment is None:
        raise UnknownRoundError
    last = LAST_STEP_BEFORE_TABLES + (len(drawn.tables) + 1 if drawn else 0)
    step = min(max(request.args.get("step", 1, type=int), 1), last)
    return render_template(
        "draws/ceremony.html",
        competition=competition,
        stage=stage,
        number=number,
        title=stage_name(stage),
        drawn=drawn,
        commitment=commitment,
        step=step,
        last=last,
        table=step - LAST_STEP_BEFORE_TABLES,
        why=_why(event),
        may_act=current_actor().has(event.competition_id, *DRAWERS),
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
    if request.form.get("next") == "ceremony":
        return redirect(url_for("draws.ceremony", slug=slug, stage=stage, number=number, step=2), 303)
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


def _part(shown: RoundView, by_name: bool, asked: int) -> Part:
    """The page asked for; one that does not exist becomes the nearest."""
    rows: Sequence[Any] = shown.by_name if by_name else shown.tables
    size = NAMES_A_PAGE if by_name else TABLES_A_PAGE
    pages = max(1, -(-len(rows) // size))
    number = min(max(asked, 1), pages)
    start = (number - 1) * size
    return Part(by_name, rows[start : start + size], number, pages, start + 1, len(rows))


def _why(event: EventView) -> Callable[[RoundView, TableView], T]:
    """What says of a table why these three share it."""
    scoring = event.regulation.scoring_rules()
    grouping = str(scoring.options.get("semifinal_grouping", "blocks"))

    def why(round_: RoundView, table: TableView) -> T:
        if any(each.number == table.number for each in round_.differences):
            return T("抽签后由人工调整到这一桌，原因见抽签页。")
        rule = scoring.stage(round_.stage)
        return why_together(rule.kind if rule else None, table.number, len(round_.tables), grouping)

    return why


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
        void_rounds=tuple(reversed(queries.void_rounds(event.id))),
        by_points=any(stage.kind == SWISS for stage in event.regulation.stages),
        open_commitments=tuple(each for each in queries.commitments(event.id) if each.open),
        stage=first if first and first.code not in drawn else None,
        stage_name=stage_name,
        readiness=queries.readiness(event, first, clock.now()) if first and first.code not in drawn else None,
        publication=publications.latest(event.id),
        refusal=refusal,
        values=values,
        errors=refusal.fields if refusal else {},
    )

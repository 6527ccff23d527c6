from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
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
from app.draws.pages import record
from app.draws.pages.record import TABLES_A_PAGE, round_key
from app.draws.queries import RoundHead, RoundView, TableView
from app.draws.queries import division as divisions
from app.draws.rules import (
    DRAWERS,
    DRAWN,
    IN_ROUNDS,
    UnknownRoundError,
    UnknownTableError,
    entrant_of,
    known_entrant,
    stage_name,
)
from app.draws.rules.reasons import BIDDERS, seat_word
from app.draws.schemas import CommitSchema, ContributionSchema, DrawSchema, WithdrawalSchema
from app.errors import RefusedError, SaishiError
from app.publications import queries as publications
from app.text import T
from app.web import current_actor, load_form, public, staff
from app.web.links import external_url, qr_svg

blueprint = Blueprint("draws", __name__)

NAMES_A_PAGE = 100
MOST_FOUND = 20
"""How many tables a search lists; a longer name finds fewer."""

LAST_STEP_BEFORE_TABLES = 3
"""Steps of a ceremony: 1 the commitment, 2 the contribution, 3 the seed; then the tables, and the result."""
TABLES_A_SCREEN = 16
"""Eight lines in two columns, read from the last row of a hall."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a round's pairings: tables, or people with their table number."""

    by_name: bool
    rows: Sequence[Any]
    number: int
    pages: int
    first: int
    total: int


@blueprint.get("/c/<slug>/draws")
@public
def show(slug: str) -> str:
    """抽签: every drawn round with its seed, and how to replay it."""
    return record.page(slug)


@blueprint.get("/c/<slug>/pairings")
@public
def pairings(slug: str) -> str:
    """对阵: one round by table or by name, in parts, and the table of a name."""
    competition = competitions.competition(slug)
    event = competition.event
    heads = queries.heads(event.id)
    search = request.args.get("q", "").strip()[:30]
    asked = request.args.get("round", "")
    head = next((each for each in heads if round_key(each) == asked), heads[-1] if heads else None)
    shown = queries.round_of(event.id, head.stage, head.number) if head else None
    by_name = request.args.get("order") == "name"
    found = queries.search(event.id, search, MOST_FOUND) if search else None
    return render_template(
        "draws/pairings.html",
        competition=competition,
        rounds=tuple(reversed(heads)),
        shown=shown,
        part=_part(shown, by_name, request.args.get("page", 1, type=int)) if shown else None,
        cards=queries.cards(shown) if shown else {},
        search=search,
        found=found,
        why=_why(event, found.tables) if found else None,
        competition_numbers=publications.numbers_of(event.id) if by_name else {},
        round_key=round_key,
        entrant_of=entrant_of,
    )


@blueprint.get("/c/<slug>/pairings/<entrant>")
@public
def entrant(slug: str, entrant: str) -> str:
    """我的下一桌: where one entrant sits, and the code that leads here."""
    competition = competitions.competition(slug)
    found = queries.person(competition.event.id, known_entrant(entrant))
    return render_template(
        "draws/entrant.html",
        competition=competition,
        found=found,
        competition_number=publications.numbers_of(competition.event.id).get(found.person.entry_id),
        explained=queries.Explained(competition.event, found.places),
        seat_word=partial(_seat_word, competition.event),
    )


@blueprint.get("/c/<slug>/draws/<stage>/<int:number>/tables/<int:table>")
@public
def why(slug: str, stage: str, number: int, table: int) -> str:
    """为什么同桌: everything that was said of one table when it was drawn."""
    competition = competitions.competition(slug)
    head, here = queries.standing_table(competition.event.id, stage, number, table)
    found = queries.Explained(competition.event, [(head.id, here.number)])
    return render_template(
        "draws/why.html",
        competition=competition,
        drawn=head,
        table=here,
        reasons=found.table(head, here),
        entrant_of=entrant_of,
        round_key=round_key,
    )


@blueprint.get("/c/<slug>/pairings/<entrant>.svg")
@public
def entrant_qr(slug: str, entrant: str) -> Response:
    """The QR code of one entrant's page, to keep on a phone or print on a badge."""
    known = known_entrant(entrant)
    queries.person(competitions.competition(slug).event.id, known)
    address = external_url("draws.entrant", slug=slug, entrant=known)
    return Response(qr_svg(address), mimetype="image/svg+xml")


@blueprint.get("/c/<slug>/draws/<stage>/<int:number>/ceremony")
@public
def ceremony(slug: str, stage: str, number: int) -> str:
    """抽签仪式: what was committed to, what the public said, the seed, the tables; for a projector.

    Groups of three come one by one, rounds of two or by points a screenful at a time, the top tables first.
    """
    competition = competitions.competition(slug)
    event = competition.event
    standing = queries.round_of(event.id, stage, number)
    drawn = standing.as_drawn if standing else None
    before = [each for each in queries.commitments(event.id) if (each.stage, each.number) == (stage, number)]
    commitment = drawn.commitment if drawn else next((each for each in before if each.open), None)
    if drawn is None and commitment is None:
        raise UnknownRoundError
    screens = _screens(drawn) if drawn else ()
    last = LAST_STEP_BEFORE_TABLES + (len(screens) + 1 if drawn else 0)
    step = min(max(request.args.get("step", 1, type=int), 1), last)
    at = step - LAST_STEP_BEFORE_TABLES
    screen = screens[at - 1] if 1 <= at <= len(screens) else ()
    found = queries.Explained(event, [])  # a screen of the groups of three, which follow from the seed alone
    return render_template(
        "draws/ceremony.html",
        competition=competition,
        stage=stage,
        number=number,
        title=stage_name(stage),
        drawn=drawn,
        commitment=commitment,
        withdrawn=sum(each.withdrawn_at is not None for each in before),
        step=step,
        last=last,
        screen=screen,
        screens=len(screens),
        at=at,
        alone=len(screen) == 1 and drawn is not None and one_by_one(drawn),
        why=found.as_drawn,
        head=drawn.head if drawn else None,
        namesakes=_namesakes(drawn) if drawn else frozenset(),
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
        return refused(slug, refusal)
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
        return refused(slug, refusal)
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
        return refused(slug, refusal)
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
        return refused(slug, refusal)
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
        competition_numbers=publications.numbers_of(competition.event.id) if shown else {},
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


def _why(
    event: EventView, shown: Iterable[tuple[RoundHead, TableView]]
) -> Callable[[RoundHead, TableView], T]:
    """What says in a sentence of each of these tables why its people share it."""
    found = queries.Explained(event, [(round_.id, table.number) for round_, table in shown])
    return lambda round_, table: found.table(round_, table)[0].text


def _seat_word(event: EventView, round_: RoundHead, table: TableView, entry_id: int) -> T | None:
    """What somebody's seat is called."""
    scoring = event.regulation.scoring_rules()
    rule = scoring.stage(round_.stage)
    position = next(place for place, seat in enumerate(table.seats) if seat.entry_id == entry_id)
    return seat_word(scoring.game, rule.kind if rule else None, len(table.seats), position)


def one_by_one(drawn: RoundView) -> bool:
    """Whether a ceremony shows table after table: the groups of three that are drawn from the seed alone."""
    return drawn.people_a_table == len(BIDDERS) and not drawn.by_points


def _screens(drawn: RoundView) -> tuple[tuple[TableView, ...], ...]:
    """The tables of a round as a ceremony shows them."""
    size = 1 if one_by_one(drawn) else TABLES_A_SCREEN
    return tuple(drawn.tables[start : start + size] for start in range(0, len(drawn.tables), size))


def _namesakes(drawn: RoundView) -> frozenset[str]:
    """Names that two people of the round have: only their units tell them apart."""
    counts = Counter(person.name for _, person in drawn.people)
    return frozenset(name for name, count in counts.items() if count > 1)


def _sheet_address(slug: str, table: TableView) -> str:
    # the score sheet's page belongs to results, which stand to the right of draws; its address is fixed
    return f"{external_url('competitions.show', slug=slug)}/t/{table.token}"


def _groups_due(event: EventView) -> tuple[int, tuple[int, ...]] | None:
    """How many have to be divided into groups now, and into how many groups they can be; None where nothing is due."""
    if divisions.stage_rule(event) is None or queries.rounds(event.id):
        return None
    try:
        _, entrants = queries.list_from_round_one(event, clock.now())
    except RefusedError:
        return None
    counts = divisions.groups_due(event, len(entrants))
    return (len(entrants), counts) if counts else None


def refused(slug: str, refusal: SaishiError) -> tuple[str, int]:
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
        void_rounds=tuple(reversed(queries.void_heads(event.id))),
        division=divisions.division(event.id),
        groups_due=_groups_due(event),
        by_points=any(stage.kind in IN_ROUNDS for stage in event.regulation.stages),
        open_commitments=tuple(each for each in queries.commitments(event.id) if each.open),
        stage=first if first and first.code not in drawn else None,
        stage_name=stage_name,
        readiness=queries.readiness(event, first, clock.now()) if first and first.code not in drawn else None,
        lists=publications.in_force(event.id),
        planned=publications.plan(event) if not event.entries_closed else None,
        refusal=refusal,
        values=values,
        errors=refusal.fields if refusal else {},
    )

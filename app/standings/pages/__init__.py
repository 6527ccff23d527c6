from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView, EventView
from app.draws import queries as draws
from app.draws.queries import division as divisions
from app.draws.rules import BRACKET, stage_name
from app.errors import InvalidError, RefusedError, SaishiError
from app.extensions import limiter
from app.registrations.queries import EntrantView
from app.results import queries as results
from app.standings import queries, service
from app.standings.pages.cards import matches_in_words, noted_tables, placings_of, rounds_of
from app.standings.queries import SnapshotView, StageBoard
from app.standings.queries import attendance as attendance_queries
from app.standings.queries import lots as lots_queries
from app.standings.rules import (
    DRAWERS,
    OVERALL,
    NoStandingsError,
    UnknownPlacingError,
    criterion_label,
    explain,
    placing_of,
    same_group,
)
from app.standings.rules.brackets import reached_codes, reached_name, rounds_played, trees
from app.standings.schemas import NextStageSchema
from app.text import T
from app.web import current_actor, load_form, public, staff
from app.web.i18n import language
from scoring_engine.stages.next_step import Step

blueprint = Blueprint("standings", __name__)

PAGE = 100
"""Placings shown at once: what a phone refreshes after every confirmed table."""
LONGEST_SEARCH = 30


@dataclass(frozen=True, slots=True)
class Tab:
    """One table of placings: of a stage, or of the whole event."""

    code: str
    placings: list[Mapping[str, Any]]
    stage: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Part:
    """What one page shows of a table: ``places`` are the positions, from 0, of its rows.

    A search shows whom it found, a page the next hundred; ``number`` of ``pages`` is the page, or the page on which
    the first one found stands.
    """

    places: Sequence[int]
    search: str
    number: int
    pages: int
    total: int


@blueprint.get("/c/<slug>/standings")
@public
def show(slug: str) -> str:
    """名次: per stage and overall, a hundred at a time or by name (找我的名次), refreshed while the page is open."""
    competition = competitions.competition(slug)
    event = competition.event
    shown = lots_queries.shown(event, None)
    people = queries.people(event.id) if shown["lots"] else {}
    return render_template("standings/show.html", **_table(competition), **shown, lots_people=people)


@blueprint.get("/c/<slug>/standings/table")
@public
def table(slug: str) -> Response:
    """The shown part, refreshed. 204 to a reader who has ``seen`` this state, 304 to one who sends its ETag."""
    competition = competitions.competition(slug)
    tag = f"{queries.state_tag(competition.event.id)}-{language()}"
    if request.args.get("seen") == tag:
        return Response(status=204)
    if tag in request.if_none_match:
        response = Response(status=304)
    else:
        page = render_template("standings/_table.html", **_table(competition))
        response = Response(page, mimetype="text/html")
    response.set_etag(tag)
    response.headers["Cache-Control"] = "no-cache"
    return response


@blueprint.get("/c/<slug>/standings/why")
@public
def why(slug: str) -> str:
    """为什么: which criterion put one entrant behind another, with both numbers."""
    competition = competitions.competition(slug)
    snapshot = _snapshot(competition)
    tab = _tab(snapshot, request.args.get("stage"))
    above = placing_of(tab.placings, request.args.get("above", ""))
    below = placing_of(tab.placings, request.args.get("below", ""))
    if above is below:
        raise InvalidError(T("请选两名不同的选手比较。"), next_step=T("请从名次表进入。"))
    if not same_group(above, below):
        raise InvalidError(T("两人不在同一组，名次分别排列，不能比较。"), next_step=T("请从名次表进入。"))
    if tab.placings.index(above) > tab.placings.index(below):
        above, below = below, above
    return render_template(
        "standings/why.html",
        competition=competition,
        snapshot=snapshot,
        tab=tab,
        above=above,
        below=below,
        explanation=explain(above, below),
        people=queries.people(competition.event.id),
        rules=competition.event.regulation.scoring_rules(),
        **_words(competition),
    )


@blueprint.get("/c/<slug>/standings/<entrant>")
@public
def entrant(slug: str, entrant: str) -> str:
    """个人成绩单: every deal of one entrant, and what stands between the neighbours in the table."""
    competition = competitions.competition(slug)
    snapshot = _snapshot(competition)
    people = queries.people(competition.event.id)
    if entrant not in people:
        raise UnknownPlacingError
    played = [
        each
        for each in results.tables_in_force(competition.event.id)
        if entrant in results.seats_of(each.table) and each.content is not None
    ]
    matches = matches_in_words(competition, played)
    scored = {(each["stage"], each["round"], each["number"]): each for each in snapshot.result["tables"]}
    return render_template(
        "standings/entrant.html",
        competition=competition,
        snapshot=snapshot,
        entrant=entrant,
        person=people[entrant],
        expelled=next((each for each in expelled_of(snapshot) if each["entrant"] == entrant), None),
        withdrawn_from=attendance_queries.withdrawn(competition.event.id).get(entrant),
        names={key: each.name for key, each in people.items()},
        placings=placings_of(snapshot, entrant),
        rounds=rounds_of(snapshot, entrant) or rounds_played(snapshot.result, entrant),
        matches=matches,
        played=[
            (each, scored.get((each.table.stage, each.table.round_number, each.table.number)))
            for each in played
            if each.deals and not matches
        ],
        **_words(competition),
    )


@blueprint.get("/c/<slug>/bracket")
@public
def bracket(slug: str) -> str:
    """淘汰图: every match with those its two sides came from, as trees that grow down on a phone."""
    competition = competitions.competition(slug)
    snapshot = queries.latest(competition.event.id)
    return render_template(
        "standings/bracket.html",
        competition=competition,
        snapshot=snapshot,
        trees=trees(snapshot.result) if snapshot and _words(competition)["is_bracket"] else (),
        people=queries.people(competition.event.id),
        **_words(competition),
    )


@blueprint.get("/staff/c/<slug>/stages")
@staff(*DRAWERS)
def staff_stages(slug: str) -> str:
    """晋级与下一阶段: who goes on, what is open, and the draw of the next stage."""
    return stages_page(slug, {}, None)


@blueprint.post("/staff/c/<slug>/stages/next")
@staff(*DRAWERS)
def draw_next_stage(slug: str) -> Response | tuple[str, int]:
    """Draw the next stage, or the play-off that is due."""
    event_id = competitions.competition(slug).event.id
    try:
        body = load_form(NextStageSchema)
        with command(current_actor()) as ctx:
            service.draw_stage(ctx, event_id, **body)
    except SaishiError as refusal:
        if refusal.status not in {409, 422}:
            raise
        return stages_page(slug, request.form.to_dict(), refusal), refusal.status
    flash(gettext("已编排，桌卡可以打印"), "success")
    return redirect(url_for("standings.staff_stages", slug=slug), 303)


@blueprint.post("/staff/c/<slug>/stages/commitments")
@staff(*DRAWERS)
def commit_next_stage(slug: str) -> Response | tuple[str, int]:
    """种子承诺: fix the seed of whatever is due before it is drawn."""
    event_id = competitions.competition(slug).event.id
    try:
        body = load_form(NextStageSchema)
        with command(current_actor()) as ctx:
            service.commit_stage(ctx, event_id, **body)
    except SaishiError as refusal:
        if refusal.status not in {409, 422}:
            raise
        return stages_page(slug, request.form.to_dict(), refusal), refusal.status
    flash(gettext("种子承诺已公布"), "success")
    return redirect(url_for("standings.staff_stages", slug=slug), 303)


@blueprint.post("/staff/c/<slug>/draws/<stage>/<int:number>/ceremony")
@staff(*DRAWERS)
def draw_in_ceremony(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """Reveal the seed: draw the round the ceremony shows, and go on there."""
    event_id = competitions.competition(slug).event.id
    try:
        with command(current_actor()) as ctx:
            service.draw_stage(ctx, event_id, stage)
    except SaishiError as refusal:
        if refusal.status not in {409, 422}:
            raise
        return stages_page(slug, {}, refusal), refusal.status
    return redirect(url_for("draws.ceremony", slug=slug, stage=stage, number=number, step=3), 303)


@blueprint.get("/c/<slug>/draws/<stage>/<int:number>/replay")
@public
@limiter.limit("60/minute")
def replay(slug: str, stage: str, number: int) -> str:
    """重新计算: the engine replays one draw from the public event file, and says what differs."""
    competition = competitions.competition(slug)
    drawn, differences = queries.replayed(competition.event, stage, number)
    return render_template(
        "standings/replay.html", competition=competition, drawn=drawn, differences=differences
    )


def _snapshot(competition: CompetitionView) -> SnapshotView:
    snapshot = queries.latest(competition.event.id)
    if snapshot is None:
        raise NoStandingsError
    return snapshot


def _tab(snapshot: SnapshotView, code: str | None) -> Tab:
    """The asked table; by default the overall one once more than one stage has placings, else the stage's."""
    stages = [stage for stage in snapshot.result["stages"] if stage["placings"] or stage["direct"]]
    asked = next((stage for stage in stages if stage["code"] == code), None)
    if asked is None and code != OVERALL and len(stages) == 1:
        asked = stages[0]
    if asked is not None:
        return Tab(asked["code"], asked["placings"], asked)
    return Tab(OVERALL, snapshot.result["placings"], None)


def _words(competition: CompetitionView) -> dict[str, Any]:
    """What templates need to put criteria and stages into words."""
    rules = competition.event.regulation.scoring_rules()
    first = rules.stages[0]
    is_bracket = first.kind == BRACKET
    return {
        "stage_name": stage_name,
        "criterion_label": criterion_label,
        # what a figure of 晋级阶段 stands for: the stages, or the rounds of a bracket and that all were passed
        "reached": reached_codes(first.rounds) if is_bracket else [str(stage.code) for stage in rules.stages],
        "reached_name": reached_name if is_bracket else stage_name,
        "is_bracket": is_bracket,
        "chain": rules.ranking,
    }


def _table(competition: CompetitionView) -> dict[str, Any]:
    """Everything the standings table shows of what the request asks for."""
    event = competition.event
    tag = f"{queries.state_tag(event.id)}-{language()}"
    progress = results.progress(event.id)
    snapshot = queries.latest(event.id)
    shown: dict[str, Any] = {
        "competition": competition,
        "snapshot": snapshot,
        "progress": progress,
        "provisional": progress.provisional or not (snapshot and snapshot.result["complete"]),
        "tag": tag,
        "asked": {
            "stage": request.args.get("stage"),
            "page": request.args.get("page", type=int),
            "q": _search() or None,
        },
        "tab": None,
    } | _words(competition)
    if snapshot is None:
        return shown
    tab = _tab(snapshot, request.args.get("stage"))
    people = queries.people(event.id)
    part = _part(tab.placings, people)
    drawn = [
        str(stage["code"]) for stage in snapshot.result["stages"] if stage["placings"] or stage["direct"]
    ]
    return shown | {
        "tab": tab,
        "tabs": ([OVERALL, *drawn] if len(drawn) > 1 else drawn),
        "people": people,
        "withdrawn": attendance_queries.withdrawn(event.id),
        "expelled": {each["entrant"]: each for each in expelled_of(snapshot)},
        "stage_notes": queries.notes(event.id, tab.stage) if tab.stage and expelled_of(snapshot) else (),
        "teams": snapshot.result["teams"],
        "prizes": [
            each
            for each in snapshot.result.get("prizes", ())
            if each["entrants"] or each.get("teams") or each.get("candidates")
        ],
        "points": snapshot.result.get("points"),
        "part": part,
        "reasons": {
            place: explain(tab.placings[place - 1], tab.placings[place])
            for place in part.places
            if place and same_group(tab.placings[place - 1], tab.placings[place])
        },
        "line": _line(competition, tab, {each["entrant"] for each in expelled_of(snapshot)}),
    }


def expelled_of(snapshot: SnapshotView) -> Sequence[Mapping[str, Any]]:
    """Who was expelled (取消参赛资格), as the score document says it; those let in again too."""
    found: Sequence[Mapping[str, Any]] = snapshot.result.get("expelled", ())
    return found


def _part(placings: Sequence[Mapping[str, Any]], people: Mapping[str, EntrantView]) -> Part:
    """The page or the names the request asks for; a page there is not becomes the nearest there is."""
    search = _search()
    pages = max(1, -(-len(placings) // PAGE))
    if search:
        wanted = search.casefold()
        found = [
            place
            for place, placing in enumerate(placings)
            if wanted in people[placing["entrant"]].name.casefold()
        ]
        return Part(found[:PAGE], search, found[0] // PAGE + 1 if found else 1, pages, len(found))
    number = min(max(request.args.get("page", 1, type=int), 1), pages)
    places = range((number - 1) * PAGE, min(number * PAGE, len(placings)))
    return Part(places, search, number, pages, len(placings))


def _search() -> str:
    return request.args.get("q", "").strip()[:LONGEST_SEARCH]


def _line(competition: CompetitionView, tab: Tab, expelled: Collection[str]) -> int | None:
    """How many placings of a stage stand above the line; None for the last stage and the whole event. An expelled entrant who does not go
    on stands there too."""
    rule = competition.event.regulation.scoring_rules().stage(tab.code)
    if tab.stage is None or rule is None or rule.places is None:
        return None
    line = rule.places - len(tab.stage["direct"])
    on = {*tab.stage["advance"]}
    for placing in tab.placings:
        if placing["entrant"] in expelled and placing["entrant"] not in on and placing["rank"] <= line:
            line += 1
    return line


def _first_refusal(event: EventView, board: StageBoard) -> RefusedError | None:
    """What stands in the way of the first round paired by points; None where it can be drawn, or is no such round."""
    if board.next_step.step is not Step.ROUND or board.drawn:
        return None
    try:
        draws.final_list(event, clock.now())
        divisions.require_divided(event, len(draws.list_from_round_one(event, clock.now())[1]))
    except RefusedError as refusal:
        return refusal
    return None


def stages_page(slug: str, values: dict[str, str], refusal: SaishiError | None) -> str:
    """晋级与下一阶段, with what was refused and typed."""
    competition = competitions.competition(slug)
    event = competition.event
    board = queries.stage_board(event.id)
    return render_template(
        "standings/staff_stages.html",
        first_refusal=_first_refusal(event, board),
        competition=competition,
        board=board,
        committed=draws.open_commitment(event.id, board.due.stage, board.due.number) if board.due else None,
        rounds=draws.rounds(event.id),
        people=queries.people(event.id),
        Step=Step,
        **lots_queries.shown(event, board.snapshot),
        notes=lambda stage: queries.notes(event.id, stage),
        noted=noted_tables(board.snapshot),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=values,
        **_words(competition),
    )

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.accounts import queries as accounts
from app.accounts import service as accounts_service
from app.actors import ROLE_NAMES, Role
from app.commands import command
from app.competitions import queries, service
from app.competitions.queries import CompetitionView, EventView
from app.competitions.rules import PHASE_NAMES, CalendarRefusedError, DraftChangedError, require_role
from app.competitions.schemas import NewCompetitionFormSchema, PublishDraftSchema, StaffSchema
from app.errors import InvalidError, SaishiError
from app.regulations import library
from app.regulations import queries as regulations
from app.regulations.rules import CALENDAR_KEYS
from app.regulations.rules.calendar import MOMENTS
from app.regulations.schemas.sources import title_of
from app.text import T
from app.waiting import Urgency, Waiting
from app.web import current_actor, load_form, public, signed_in, staff
from app.web.links import external_url, only_here, qr_png, qr_svg

blueprint = Blueprint("competitions", __name__)


@blueprint.get("/")
@public
def home() -> str:
    """赛事列表."""
    search = request.args.get("q", "").strip()[:60]
    return render_template(
        "competitions/home.html",
        competitions=queries.competitions(search),
        search=search,
        now=clock.now(),
        phase_names=PHASE_NAMES,
    )


@blueprint.get("/c/<slug>")
@public
def show(slug: str) -> str:
    """赛事主页."""
    now = clock.now()
    competition = queries.competition(slug)
    return render_template(
        "competitions/show.html",
        competition=competition,
        calendar=competition.event.regulation.calendar,
        phase=competition.phase(now),
        phase_names=PHASE_NAMES,
        now=now,
        running_lists=current_app.extensions["saishi_running_lists"](competition),
        announcements=current_app.extensions["saishi_announcements"](competition),
        **_versions(competition.event),
    )


@blueprint.get("/c/<slug>/regulation")
@public
def regulation(slug: str) -> str:
    """规程: generated from the frozen version, with an anchor for every clause."""
    competition = queries.competition(slug)
    event = competition.event
    return render_template(
        "competitions/regulation.html",
        competition=competition,
        event=event,
        regulation=event.regulation,
        page=regulations.rules_page(event.regulation),
        **_versions(event),
    )


@blueprint.get("/c/<slug>/poster")
@public
def poster(slug: str) -> str:
    """海报: a sheet to print, and a picture for phones, with the QR code of the entry form."""
    competition = queries.competition(slug)
    address = _entry_address(slug)
    return render_template(
        "competitions/poster.html",
        competition=competition,
        calendar=competition.event.regulation.calendar,
        address=address,
        only_here=only_here(address),
    )


@blueprint.get("/c/<slug>/qr.svg")
@public
def entry_qr_svg(slug: str) -> Response:
    """The QR code of the entry form, for print."""
    queries.competition_id(slug)
    return Response(qr_svg(_entry_address(slug)), mimetype="image/svg+xml")


@blueprint.get("/c/<slug>/qr.png")
@public
def entry_qr_png(slug: str) -> Response:
    """The QR code of the entry form, as a picture to send on."""
    queries.competition_id(slug)
    return Response(qr_png(_entry_address(slug)), mimetype="image/png")


@blueprint.get("/staff")
@signed_in
def board() -> str:
    """工作台: the competitions in which this person has a role."""
    actor, now = current_actor(), clock.now()
    mine = [each for each in queries.competitions() if actor.has(each.id, *Role)]
    return render_template(
        "competitions/board.html",
        competitions=[(each, sum(item.to_do for item in _waiting(each, now))) for each in mine],
        may_create=actor.has(None, Role.ORGANISER),
        may_sort_mail=actor.has(None, Role.ORGANISER, Role.COMMITTEE),
        now=now,
        phase_names=PHASE_NAMES,
    )


@blueprint.get("/staff/competitions/new")
@staff(Role.ORGANISER)
def new_competition() -> str:
    """Choose a regulation, then its dates."""
    return _new_form({"regulation": request.args.get("regulation", "")}, None)


@blueprint.post("/staff/competitions")
@staff(Role.ORGANISER)
def create_competition() -> Answer | tuple[str, int]:
    try:
        body = load_form(NewCompetitionFormSchema)
        with command(current_actor()) as ctx:
            competition_id = service.create_competition(ctx, **body)
    except InvalidError as error:
        return _new_form(request.form.to_dict(), error), error.status
    return redirect(
        url_for("competitions.staff_home", slug=queries.competition_by_id(competition_id).slug), 303
    )


@blueprint.get("/staff/regulations/<int:draft_id>/competition")
@staff(Role.ORGANISER)
def publish_draft(draft_id: int) -> str:
    """公布规程并创建赛事: the last look before a draft is public."""
    return _publish_form(draft_id, {}, None)


@blueprint.post("/staff/regulations/<int:draft_id>/competition")
@staff(Role.ORGANISER)
def create_from_draft(draft_id: int) -> Answer | tuple[str, int]:
    try:
        body = load_form(PublishDraftSchema)
        with command(current_actor()) as ctx:
            competition_id = service.publish_draft(ctx, draft_id, **body)
    except (InvalidError, DraftChangedError) as error:
        return _publish_form(draft_id, request.form.to_dict(), error), error.status
    return redirect(
        url_for("competitions.staff_home", slug=queries.competition_by_id(competition_id).slug), 303
    )


@blueprint.get("/staff/c/<slug>")
@staff(*Role)
def staff_home(slug: str) -> str:
    """One competition's 工作台."""
    now = clock.now()
    competition = queries.competition(slug)
    waiting = _waiting(competition, now)
    return render_template(
        "competitions/staff_home.html",
        competition=competition,
        to_do=sorted(
            (item for item in waiting if item.to_do), key=lambda item: item.urgency is not Urgency.TODAY
        ),
        running=[item for item in waiting if not item.to_do],
        address=lambda item: url_for(item.endpoint, **{**_place(item.endpoint, slug), **item.values}),
        calendar=competition.event.regulation.calendar,
        phase=competition.phase(now),
        phase_names=PHASE_NAMES,
        now=now,
    )


@blueprint.get("/staff/c/<slug>/people")
@staff(Role.ORGANISER, Role.CHIEF_REFEREE)
def people(slug: str) -> str:
    """Who holds which role."""
    return _people(slug, {}, {})


@blueprint.post("/staff/c/<slug>/people")
@staff(Role.ORGANISER, Role.CHIEF_REFEREE)
def add_person(slug: str) -> Answer | tuple[str, int]:
    competition_id = queries.competition_id(slug)
    try:
        body = load_form(StaffSchema)
        with command(current_actor()) as ctx:
            accounts_service.grant_role(
                ctx, phone=body["phone"], role=Role(body["role"]), competition_id=competition_id
            )
    except InvalidError as error:
        return _people(slug, request.form.to_dict(), error.fields), error.status
    flash(gettext("已添加"), "success")
    return redirect(url_for("competitions.people", slug=slug), 303)


@blueprint.post("/staff/c/<slug>/people/<int:user_id>/<role>/withdraw")
@staff(Role.ORGANISER, Role.CHIEF_REFEREE)
def withdraw_person(slug: str, user_id: int, role: str) -> Answer:
    with command(current_actor()) as ctx:
        accounts_service.withdraw_role(
            ctx, user_id=user_id, role=require_role(role), competition_id=queries.competition_id(slug)
        )
    flash(gettext("已取消"), "success")
    return redirect(url_for("competitions.people", slug=slug), 303)


def _versions(event: EventView) -> dict[str, Any]:
    """Every version of the event's regulation, and the one it runs by: what the notices (公告) are made of."""
    editions = regulations.editions(event.id)
    runs_by = [each for each in editions if each.regulation_version_id == event.regulation_version_id]
    return {"editions": editions, "edition": runs_by[-1]}


def _place(endpoint: str, slug: str) -> dict[str, str]:
    """``slug``, where the page has one: the calendar of workdays is everybody's."""
    return {"slug": slug} if current_app.url_map.is_endpoint_expecting(endpoint, "slug") else {}


def _waiting(competition: CompetitionView, now: datetime) -> list[Waiting]:
    """What waits for this person in the competition, in the order of the work: this feature's own, then each later one's."""
    actor = current_actor()
    return [
        item
        for ask in (queries.waiting, *current_app.extensions["saishi_waiting"])
        for item in ask(competition.event, now)
        if actor.has(competition.id, *item.roles)
    ]


def _people(slug: str, values: Mapping[str, str], errors: Mapping[str, T]) -> str:
    competition = queries.competition(slug)
    return render_template(
        "competitions/people.html",
        competition=competition,
        grants=accounts.staff_of(competition.id),
        role_names=ROLE_NAMES,
        values=values,
        errors=errors,
    )


def _new_form(values: Mapping[str, str], refusal: InvalidError | None) -> str:
    shipped = [each for each in map(library.load, library.shipped()) if each.runs_here]
    chosen = next((each for each in shipped if each.id == values.get("regulation")), None)
    if len(shipped) == 1 and chosen is None:
        chosen = shipped[0]
    return render_template(
        "competitions/new.html",
        shipped=shipped,
        chosen=chosen,
        calendar_keys=CALENDAR_KEYS,
        moments=MOMENTS,
        # dates of a season that is over help nobody: they are named, not filled in
        past=chosen is not None and not chosen.calendar.registration_deadline.accepts(clock.now()),
        values=values,
        errors=refusal.fields if refusal else {},
        refusal=refusal if isinstance(refusal, CalendarRefusedError) else None,
    )


def _publish_form(draft_id: int, values: Mapping[str, str], refusal: SaishiError | None) -> str:
    draft = regulations.draft_for(current_actor(), draft_id)
    own = {"name", "place", "slug", "base_revision"}
    wrong = refusal.fields if refusal else {}
    return render_template(
        "competitions/publish_draft.html",
        draft=draft,
        name=title_of(draft.document),
        values=values,
        errors={path: text for path, text in wrong.items() if path in own},
        in_the_draft=[text for path, text in wrong.items() if path not in own],
        refusal=refusal,
    )


def _entry_address(slug: str) -> str:
    return external_url("registrations.enter", slug=slug)

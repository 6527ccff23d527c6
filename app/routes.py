"""Every blueprint of the product, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, request, url_for

from app.accounts import api as accounts_api
from app.accounts import pages as accounts_pages
from app.accounts import queries as accounts
from app.actors import Role
from app.amendments import api as amendments_api
from app.amendments import pages as amendments_pages
from app.announcements import api as announcements_api
from app.announcements import pages as announcements_pages
from app.announcements import queries as announcements
from app.announcements.rules import WRITERS as ANNOUNCERS
from app.appeals import pages as appeals_pages
from app.appeals.api import handling as appeal_cases_api
from app.appeals.api import lodging as appeals_api
from app.appeals.pages import card as appeals_card
from app.appeals.queries import board as appeals
from app.appeals.rules import DESK_READERS as APPEAL_READERS
from app.appeals.rules import LEDGER_READERS
from app.appeals.service.purging import erase_of_competition as erase_appeals
from app.competitions import api as competitions_api
from app.competitions import pages as competitions_pages
from app.competitions import queries as competitions
from app.control import api as control_api
from app.control import pages as control_pages
from app.control.rules import READERS as DESK_READERS
from app.corrections import api as corrections_api
from app.corrections import pages as corrections_pages
from app.corrections import queries as corrections
from app.corrections.rules import ASKERS as CORRECTION_READERS
from app.demonstration import api as demonstration_api
from app.demonstration import pages as demonstration_pages
from app.documents import pages as documents_pages
from app.documents import queries as documents
from app.documents.api import handing_in as documents_api
from app.documents.api import privacy as privacy_api
from app.documents.api import review as document_review_api
from app.documents.api import undertaking as undertakings_api
from app.documents.queries import deletions as document_deletions
from app.documents.queries import statistics as document_statistics
from app.documents.rules import purging
from app.documents.rules.review import REVIEWERS
from app.documents.service.erasing import erase_of_members
from app.documents.service.looking_again import review_again
from app.documents.service.purging import bind_purgers
from app.draws import api as draws_api
from app.draws import pages as draws_pages
from app.draws import queries as draws
from app.draws.api import division as divisions_api
from app.draws.api import repairs as draw_repairs_api
from app.draws.pages import division as divisions_pages
from app.draws.pages import repairs as draw_repairs_pages
from app.errors import SaishiError
from app.extensions import csrf
from app.floor import api as floor_api
from app.floor import pages as floor_pages
from app.floor import queries as floor
from app.floor.rules import RUNNERS
from app.floor.rules.hall import HALL_STAFF
from app.floor.rules.keys import KEY_MAKERS
from app.judge import api as judge_api
from app.judge import pages as judge_pages
from app.mailbox import api as mailbox_api
from app.mailbox import pages as mailbox_pages
from app.mailbox import queries as mailbox
from app.mailbox.rules import bind_letters
from app.notifications import api as notifications_api
from app.notifications import pages as notifications_pages
from app.notifications import queries as notifications
from app.notifications.rules import STAFF as OUTBOX_READERS
from app.objections import pages as objections_pages
from app.objections.api import handling as objection_cases_api
from app.objections.api import lodging as objections_api
from app.objections.pages import public as objections_public
from app.objections.queries import board as objections
from app.objections.service import CaseLetters
from app.objections.service.purging import erase_of_competition as erase_objections
from app.publications import api as publications_api
from app.publications import pages as publications_pages
from app.publications import queries as publications
from app.publications import rules as publication_rules
from app.publications.pages import public as publications_public
from app.registrations import api as registrations_api
from app.registrations import pages as registrations_pages
from app.registrations import queries as registrations
from app.registrations import rules as registration_rules
from app.registrations import service as registrations_service
from app.registrations.api import changes as registration_changes_api
from app.registrations.service import changes as registration_changes
from app.regulations import api as regulations_api
from app.regulations import pages as regulations_pages
from app.regulations.api import drafts as regulation_drafts_api
from app.regulations.pages import drafts as regulation_drafts_pages
from app.regulations.pages import editing as regulation_editing_pages
from app.rehearsals import api as rehearsals_api
from app.rehearsals import pages as rehearsals_pages
from app.rehearsals.rules import DELETERS as REHEARSAL_DELETERS
from app.reports import api as reports_api
from app.reports import pages as reports_pages
from app.reports.rules import READERS as REPORT_READERS
from app.results import api as results_api
from app.results import pages as results_pages
from app.results import queries as results
from app.results.pages import blind as blind_pages
from app.results.pages import confirming as confirming_pages
from app.results.pages import matches as matches_pages
from app.results.pages import own as own_sheets_pages
from app.results.pages import phone as phone_pages
from app.rulings import api as given_rulings_api
from app.rulings import pages as rulings_pages
from app.rulings import queries as rulings
from app.rulings.rules import READERS as RULING_READERS
from app.standings import api as standings_api
from app.standings import pages as standings_pages
from app.standings import queries as standings_queries
from app.standings.api import attendance as attendance_api
from app.standings.api import lots as lots_api
from app.standings.api import rulings as rulings_api
from app.standings.pages import attendance as attendance_pages
from app.standings.pages import lots as lots_pages
from app.standings.rules.given import bind_expulsions, bind_rulings
from app.standings.service.quitting import quit_rounds
from app.text import T
from app.uploads import api as uploads_api
from app.uploads import pages as uploads_pages
from app.uploads.rules.narrower import bind_narrower
from app.web import current_actor, health
from app.web.api import api
from app.web.i18n import show
from app.workdays import api as workdays_api
from app.workdays import pages as workdays_pages

PAGES = (
    health.blueprint,
    notifications_pages.blueprint,
    accounts_pages.blueprint,
    competitions_pages.blueprint,
    judge_pages.blueprint,
    uploads_pages.blueprint,
    mailbox_pages.blueprint,
    announcements_pages.blueprint,
    registrations_pages.blueprint,
    documents_pages.blueprint,
    publications_pages.blueprint,
    objections_pages.blueprint,
    draws_pages.blueprint,
    draw_repairs_pages.blueprint,
    divisions_pages.blueprint,
    floor_pages.blueprint,
    results_pages.blueprint,
    matches_pages.blueprint,
    confirming_pages.blueprint,
    blind_pages.blueprint,
    own_sheets_pages.blueprint,
    phone_pages.blueprint,
    standings_pages.blueprint,
    rulings_pages.blueprint,
    corrections_pages.blueprint,
    appeals_pages.blueprint,
    control_pages.blueprint,
    amendments_pages.blueprint,
    reports_pages.blueprint,
    rehearsals_pages.blueprint,
    attendance_pages.blueprint,
    lots_pages.blueprint,
    regulations_pages.blueprint,
    regulation_drafts_pages.blueprint,
    regulation_editing_pages.blueprint,
    workdays_pages.blueprint,
    demonstration_pages.blueprint,
)

API = (
    notifications_api.blueprint,
    accounts_api.blueprint,
    workdays_api.blueprint,
    regulations_api.blueprint,
    regulation_drafts_api.blueprint,
    competitions_api.blueprint,
    judge_api.blueprint,
    publications_api.blueprint,
    objections_api.blueprint,
    objection_cases_api.blueprint,
    draws_api.blueprint,
    draw_repairs_api.blueprint,
    divisions_api.blueprint,
    floor_api.blueprint,
    results_api.blueprint,
    standings_api.blueprint,
    given_rulings_api.blueprint,
    corrections_api.blueprint,
    appeals_api.blueprint,
    appeal_cases_api.blueprint,
    control_api.blueprint,
    amendments_api.blueprint,
    reports_api.blueprint,
    rehearsals_api.blueprint,
    attendance_api.blueprint,
    rulings_api.blueprint,
    lots_api.blueprint,
    registrations_api.blueprint,
    registration_changes_api.blueprint,
    document_review_api.blueprint,
    privacy_api.blueprint,
    documents_api.blueprint,
    undertakings_api.blueprint,
    uploads_api.blueprint,
    mailbox_api.blueprint,
    announcements_api.blueprint,
    demonstration_api.blueprint,
)

STAFF_PAGES: tuple[tuple[str, T, tuple[Role, ...]], ...] = (
    ("competitions.staff_home", T("概况"), tuple(Role)),
    ("registrations.staff_entries", T("审核报名"), (Role.COMMITTEE,)),
    ("registrations.staff_changes", T("变更申请"), (Role.COMMITTEE,)),
    ("documents.review_queue", T("审核材料"), REVIEWERS),
    ("documents.asked", T("要求材料"), REVIEWERS),
    ("documents.keeping", T("个人信息"), purging.READERS),
    ("announcements.staff_announcements", T("公告"), ANNOUNCERS),
    ("publications.staff_publication", T("公示"), (Role.COMMITTEE,)),
    ("objections.staff_queue", T("办理异议"), (Role.COMMITTEE,)),
    ("mailbox.of_competition", T("来信"), (Role.COMMITTEE,)),
    ("draws.staff_draws", T("抽签编排"), (Role.COMMITTEE, Role.CHIEF_REFEREE)),
    ("draws.staff_tables", T("桌卡"), (Role.COMMITTEE, Role.CHIEF_REFEREE)),
    ("control.desk", T("裁判长台"), DESK_READERS),
    ("floor.rounds", T("赛场"), RUNNERS),
    ("floor.mine", T("我的桌"), (Role.REFEREE, Role.CHIEF_REFEREE)),
    ("floor.calls", T("呼叫"), HALL_STAFF),
    ("floor.arrivals", T("到场"), HALL_STAFF),
    ("floor.cards", T("选手卡"), KEY_MAKERS),
    ("floor.terms", T("办赛方式"), (Role.COMMITTEE, Role.CHIEF_REFEREE)),
    ("results.staff_tables", T("各桌成绩"), (Role.COMMITTEE, Role.CHIEF_REFEREE, Role.REFEREE)),
    ("rulings.staff_rulings", T("判罚"), RULING_READERS),
    ("corrections.staff_requests", T("更正申请"), CORRECTION_READERS),
    ("appeals.staff_desk", T("申诉"), APPEAL_READERS),
    ("appeals.staff_ledger", T("申诉费台账"), LEDGER_READERS),
    ("standings.staff_stages", T("晋级与下一阶段"), (Role.COMMITTEE, Role.CHIEF_REFEREE)),
    ("amendments.staff_regulation", T("规程"), (Role.ORGANISER, Role.COMMITTEE, Role.CHIEF_REFEREE)),
    ("notifications.outbox", T("发件箱"), OUTBOX_READERS),
    ("reports.reports", T("邮件报告"), REPORT_READERS),
    ("competitions.people", T("人员与身份"), (Role.ORGANISER, Role.CHIEF_REFEREE)),
    ("rehearsals.show", T("演练"), REHEARSAL_DELETERS),
)
"""The 工作台 of one competition: endpoint, name, and the roles that see it."""

ONLY_IN_REHEARSALS = frozenset({"rehearsals.show"})


WAITING = (
    registrations.waiting,
    registrations.waiting_changes,
    document_statistics.waiting,
    document_statistics.failed_sheets,
    document_deletions.waiting,
    publications.waiting,
    objections.waiting,
    mailbox.waiting,
    draws.waiting,
    floor.waiting,
    results.waiting,
    corrections.waiting,
    standings_queries.waiting,
    appeals.waiting,
    announcements.waiting,
)
"""What each feature says is waiting in an event, in the order of the work."""


def register(app: Flask) -> None:
    for blueprint in PAGES:
        app.register_blueprint(blueprint)
    for blueprint in API:
        csrf.exempt(blueprint)  # it takes no cookies, so no other site can make a browser call it
        api.register_blueprint(blueprint)
    app.extensions["saishi_competition_id"] = competitions.competition_id
    app.extensions["saishi_competition"] = competitions.competition
    app.extensions["saishi_recipient"] = accounts.recipient
    app.extensions["saishi_competition_of"] = _competition_of
    # what an earlier feature asks of a later one, which it may not import
    registration_rules.bind_proofs(documents.due_with_entries)
    registrations_service.bind_leaving(erase_of_members)
    publication_rules.bind_open_objections(objections.open_objections)
    bind_letters(CaseLetters())
    bind_purgers(erase_objections, erase_appeals)
    bind_narrower(documents.accepted_for)
    registration_changes.bind_corrected(review_again)
    registration_changes.bind_quitting(quit_rounds)
    bind_rulings(rulings.given)
    bind_expulsions(rulings.expulsions)
    app.extensions["saishi_documents"] = documents_pages.for_registration
    app.extensions["saishi_publication_states"] = publications.entry_states
    app.extensions["saishi_competition_numbers"] = publications.numbers_of
    app.extensions["saishi_running_lists"] = publications_public.home_panel
    app.extensions["saishi_announcements"] = announcements_pages.home_panel
    app.extensions["saishi_shown_states"] = publications.shown_states
    app.extensions["saishi_waiting"] = WAITING
    app.extensions["saishi_mailbox"] = mailbox.health
    app.extensions["saishi_letters_wait"] = notifications.waiting_since
    app.extensions["saishi_event_file"] = standings_queries.event_file
    app.extensions["saishi_open_objections"] = objections.open_count
    app.extensions["saishi_objections_panel"] = objections_public.panel
    app.extensions["saishi_player_panels"] = (own_sheets_pages.panel, appeals_card.panel)
    app.jinja_env.globals["strip_place"] = floor_pages.strip_place
    app.context_processor(_staff_nav)


def _competition_of(place: Mapping[str, Any]) -> str | None:
    """The address of the competition that a route's values name, by itself or by the token of a table."""
    if "slug" in place:
        return str(place["slug"])
    if "token" not in place:
        return None
    try:
        return competitions.address_of_event(draws.table_by_token(place["token"]).event_id)
    except SaishiError:
        return None


def _staff_nav() -> dict[str, Any]:
    """``staff_nav`` for the staff layout: the pages of this competition that the person may open."""
    slug = (request.view_args or {}).get("slug")
    if slug is None or not request.path.startswith("/staff/"):
        return {}
    try:
        actor, competition_id = current_actor(), competitions.competition_id(slug)
    except SaishiError:
        return {}  # the page that says so has nowhere to lead
    pages = [
        (url_for(endpoint, slug=slug), show(name))
        for endpoint, name, roles in STAFF_PAGES
        if actor.has(competition_id, *roles)
        and (endpoint not in ONLY_IN_REHEARSALS or competitions.is_rehearsal(competition_id))
    ]
    return {"staff_nav": pages}

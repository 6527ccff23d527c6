"""What is held of one's own members (我的个人信息): who looked, a copy of everything."""

from __future__ import annotations

from flask import Response, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.accounts.rules import masked_phone
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.documents.handing_out import copy, copy_unit, published
from app.documents.pages.shared import REFUSALS, blueprint
from app.documents.queries import deletions as deletion_queries
from app.documents.queries import privacy as queries
from app.documents.rules import DocumentState, Subject, UnknownDocumentError
from app.documents.rules.privacy import (
    ANSWER_WORKDAYS,
    LAW,
    OWN_EMAIL,
    READER_NAMES,
    NoUnitError,
    Scope,
    rule_for,
)
from app.documents.rules.privacy import Answer as Deletion
from app.documents.schemas.privacy import DeletionSchema, UnitDeletionSchema
from app.documents.service import deletions
from app.errors import SaishiError
from app.registrations import queries as registrations
from app.registrations.queries import held
from app.registrations.queries.held import HeldMember, HeldUnit
from app.registrations.rules import masked_id_number
from app.regulations.rules import DOCUMENT_KINDS
from app.web import current_actor, load_form, signed_in

OWN = "/c/<slug>/my/data"
SHOWN = 50
"""Lines of the access log on the page; the copy has all of them."""


@blueprint.get(OWN)
@signed_in
def own_data(slug: str) -> str:
    """个人信息: the members for whom one acts."""
    competition = competitions.competition(slug)
    purge_days = current_app.config["SAISHI"].purge_days
    user_id = current_actor().require_signed_in()
    unit = held.my_unit(competition, user_id)
    alone = unit is not None and not unit.credit_code  # who entered himself is shown as the player he is
    if unit is not None and alone and not queries.kept_documents(Subject(unit_id=unit.id)):
        unit = None
    return render_template(
        "documents/own/list.html",
        competition=competition,
        members=held.my_members(competition, user_id),
        unit=unit,
        purge_day=registrations.purge_day_of(competition, purge_days),
        email_rule=OWN_EMAIL,
    )


@blueprint.get(f"{OWN}/unit")
@signed_in
def own_unit(slug: str) -> str:
    """The unit itself: its own documents, who looked at them and when, a copy, deletion."""
    competition = competitions.competition(slug)
    unit = held.my_unit(competition, current_actor().require_signed_in())
    if unit is None:
        raise NoUnitError
    log = queries.access_log_of_unit(unit)
    return render_template(
        "documents/own/unit.html",
        competition=competition,
        unit=unit,
        phone=masked_phone(unit.contact_phone) if unit.contact_phone else None,
        documents=queries.kept_documents(Subject(unit_id=unit.id)),
        requests=deletion_queries.requests_of(Subject(unit_id=unit.id)),
        kinds=DOCUMENT_KINDS,
        log=log[:SHOWN],
        more=max(len(log) - SHOWN, 0),
        reader_names=READER_NAMES,
        purge_day=registrations.purge_day_of(competition, current_app.config["SAISHI"].purge_days),
    )


@blueprint.post(f"{OWN}/unit/copy")
@signed_in
def own_unit_copy(slug: str) -> Response:
    """Everything held of the unit itself, as a zip."""
    return copy_unit(slug)


@blueprint.get(f"{OWN}/unit/delete")
@signed_in
def own_unit_deletion(slug: str) -> str:
    """删除: one document of the unit itself (``document_id``), and what is said of it before it is asked."""
    return _unit_deletion_page(slug)


@blueprint.post(f"{OWN}/unit/delete")
@signed_in
def ask_unit_deletion(slug: str) -> Answer | tuple[str, int]:
    """Delete one document of the unit itself."""
    try:
        body = load_form(UnitDeletionSchema)
        with command(current_actor()) as ctx:
            came = deletions.ask_of_unit(ctx, slug=slug, published=published, **body)
    except REFUSALS as refusal:
        return _unit_deletion_page(slug, refusal), refusal.status
    _say(came)
    return redirect(url_for("documents.own_unit", slug=slug), 303)


@blueprint.get(f"{OWN}/<int:member_id>")
@signed_in
def own_member(slug: str, member_id: int) -> str:
    """One member: what is held, who looked at it and when, a copy."""
    return _page(slug, member_id)


@blueprint.post(f"{OWN}/<int:member_id>/copy")
@signed_in
def own_copy(slug: str, member_id: int) -> Response:
    """Everything held of the member, as a zip."""
    return copy(slug, member_id)


@blueprint.get(f"{OWN}/<int:member_id>/delete")
@signed_in
def own_deletion(slug: str, member_id: int) -> str:
    """删除: what would be deleted, and what the law and the regulation say of it, before it is asked."""
    return _deletion_page(slug, member_id)


@blueprint.post(f"{OWN}/<int:member_id>/delete")
@signed_in
def ask_deletion(slug: str, member_id: int) -> Answer | tuple[str, int]:
    """Delete one document (``document_id``), or everything of the member."""
    try:
        body = load_form(DeletionSchema)
        with command(current_actor()) as ctx:
            came = deletions.ask(ctx, slug=slug, member_id=member_id, published=published, **body)
    except REFUSALS as refusal:
        return _deletion_page(slug, member_id, refusal), refusal.status
    _say(came)
    mine = held.my_members(competitions.competition(slug), current_actor().require_signed_in())
    if all(each.id != member_id for each in mine):
        return redirect(url_for("documents.own_data", slug=slug), 303)
    return redirect(url_for("documents.own_member", slug=slug, member_id=member_id), 303)


def _say(came: Deletion) -> None:
    flash(gettext("已删除") if came is Deletion.AT_ONCE else gettext("已提交，等组委会答复"), "success")


def _deletion_page(slug: str, member_id: int, refusal: SaishiError | None = None) -> str:
    competition = competitions.competition(slug)
    member = held.my_member(competition, current_actor().require_signed_in(), member_id)
    chosen = _chosen(Subject(member_id=member.id))
    return _before_it_is_asked(
        competition,
        member,
        chosen,
        refusal,
        back_url=url_for("documents.own_member", slug=slug, member_id=member.id),
        action_url=url_for("documents.ask_deletion", slug=slug, member_id=member.id),
    )


def _unit_deletion_page(slug: str, refusal: SaishiError | None = None) -> str:
    competition = competitions.competition(slug)
    unit = held.my_unit(competition, current_actor().require_signed_in())
    if unit is None:
        raise NoUnitError
    chosen = _chosen(Subject(unit_id=unit.id))
    if chosen is None:
        raise UnknownDocumentError
    return _before_it_is_asked(
        competition,
        unit,
        chosen,
        refusal,
        back_url=url_for("documents.own_unit", slug=slug),
        action_url=url_for("documents.ask_unit_deletion", slug=slug),
    )


def _chosen(whose: Subject) -> queries.KeptDocument | None:
    """The document that ``document_id`` names; None where none is named. Raises ``UnknownDocumentError`` for another's."""
    given = request.values.get("document_id", "")
    number = int(given) if given.isascii() and given.isdecimal() and len(given) < 11 else None
    chosen = next((each for each in queries.kept_documents(whose) if each.id == number), None)
    if number is not None and chosen is None:
        raise UnknownDocumentError
    return chosen


def _before_it_is_asked(
    competition: CompetitionView,
    whose: HeldMember | HeldUnit,
    chosen: queries.KeptDocument | None,
    refusal: SaishiError | None,
    **urls: str,
) -> str:
    stage = deletion_queries.stage(competition, whose, published, clock.now())
    return render_template(
        "documents/own/delete.html",
        competition=competition,
        name=whose.name,
        chosen=chosen,
        kinds=DOCUMENT_KINDS,
        rule=rule_for(
            stage,
            Scope.MEMBER if chosen is None else Scope.DOCUMENT,
            accepted=chosen is not None and chosen.state is DocumentState.ACCEPTED,
        ),
        answers=Deletion,
        law=LAW,
        workdays=ANSWER_WORKDAYS,
        refusal=refusal,
        **urls,
    )


def _page(slug: str, member_id: int) -> str:
    competition = competitions.competition(slug)
    member = held.my_member(competition, current_actor().require_signed_in(), member_id)
    log = queries.access_log(member)
    purge_days = current_app.config["SAISHI"].purge_days
    return render_template(
        "documents/own/member.html",
        competition=competition,
        member=member,
        id_number=masked_id_number(member.id_number) if member.id_number else None,
        phone=masked_phone(member.phone) if member.phone else None,
        documents=queries.kept_documents(Subject(member_id=member.id)),
        kinds=DOCUMENT_KINDS,
        log=log[:SHOWN],
        more=max(len(log) - SHOWN, 0),
        reader_names=READER_NAMES,
        requests=deletion_queries.requests_of(Subject(member_id=member.id)),
        purge_day=registrations.purge_day_of(competition, purge_days),
        now=clock.now(),
    )

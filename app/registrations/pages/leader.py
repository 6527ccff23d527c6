"""The leader's pages (领队): from the privacy notice to the receipt, and 我的."""

from __future__ import annotations

import secrets

from flask import current_app, flash, request
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.accounts import queries as accounts
from app.commands import command
from app.errors import SaishiError
from app.registrations import queries, service
from app.registrations.pages.shared import (
    REFUSALS,
    blueprint,
    competition_numbers,
    own,
    status_of,
    step_page,
    to,
)
from app.registrations.queries import MemberView, MyRegistration
from app.registrations.rules import (
    EntryId,
    MemberId,
    RegistrationState,
    UnknownMemberError,
    UnknownPairError,
    require_open,
)
from app.registrations.schemas import ConsentSchema, MemberSchema, PairSchema, SubmissionSchema, UnitSchema
from app.regulations.rules import Regulation
from app.web import current_actor, load_form, signed_in


@blueprint.get("/c/<slug>/enter")
@signed_in
def enter(slug: str) -> Answer:
    """报名: on to the step that is missing."""
    competition, mine = own(slug)
    regulation = competition.event.regulation
    closed = not regulation.calendar.registration_deadline.accepts(clock.now())
    if mine.unit and closed:
        return to("my", slug)
    require_open(regulation, clock.now())
    return to(_next_step(mine, regulation), slug)


@blueprint.get("/c/<slug>/enter/notice")
@signed_in
def notice(slug: str) -> str:
    """个人信息保护声明."""
    return _notice_page(slug)


@blueprint.post("/c/<slug>/enter/notice")
@signed_in
def agree(slug: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(ConsentSchema)
        with command(current_actor()) as ctx:
            service.agree_to_privacy_notice(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        return _notice_page(slug, refusal), status_of(refusal)
    return to("enter", slug)


@blueprint.get("/c/<slug>/enter/unit")
@signed_in
def unit(slug: str) -> Answer | str:
    """单位."""
    competition, mine = own(slug)
    require_open(competition.event.regulation, clock.now())
    if not mine.consented or competition.event.regulation.by_players:
        return to("enter", slug)
    return _unit_page(slug)


@blueprint.post("/c/<slug>/enter/unit")
@signed_in
def save_unit(slug: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(UnitSchema)
        with command(current_actor()) as ctx:
            service.save_unit(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        return _unit_page(slug, refusal), status_of(refusal)
    flash(gettext("单位已保存"), "success")
    return to("members", slug)


@blueprint.get("/c/<slug>/enter/members")
@signed_in
def members(slug: str) -> Answer | str:
    """队员名单, or the pairs."""
    competition, mine = own(slug)
    require_open(competition.event.regulation, clock.now())
    if not mine.unit:
        return to("enter", slug)
    return step_page("members", competition, mine)


@blueprint.get("/c/<slug>/enter/members/new")
@signed_in
def new_member(slug: str) -> Answer | str:
    competition, mine = own(slug)
    regulation = competition.event.regulation
    require_open(regulation, clock.now())
    if regulation.in_pairs or not _may_fill_in(mine, regulation):
        return to("enter", slug)
    return _member_page(slug, None)


@blueprint.post("/c/<slug>/enter/members/new")
@signed_in
def add_member(slug: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(MemberSchema)
        with command(current_actor()) as ctx:
            service.add_member(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        return _member_page(slug, None, refusal), status_of(refusal)
    flash(gettext("已添加 %(name)s", name=body["name"]), "success")
    return to("members", slug)


@blueprint.get("/c/<slug>/enter/members/<int:member_id>")
@signed_in
def member(slug: str, member_id: int) -> str:
    """One member's form; the stored ID number and phone are shown masked and stay unless typed again."""
    competition, _ = own(slug)
    require_open(competition.event.regulation, clock.now())
    return _member_page(slug, member_id)


@blueprint.post("/c/<slug>/enter/members/<int:member_id>")
@signed_in
def change_member(slug: str, member_id: int) -> Answer | tuple[str, int]:
    try:
        body = load_form(MemberSchema)
        with command(current_actor()) as ctx:
            service.change_member(ctx, slug=slug, member_id=MemberId(member_id), **body)
    except REFUSALS as refusal:
        return _member_page(slug, member_id, refusal), status_of(refusal)
    flash(gettext("已保存 %(name)s", name=body["name"]), "success")
    return to("members", slug)


@blueprint.post("/c/<slug>/enter/members/<int:member_id>/remove")
@signed_in
def remove_member(slug: str, member_id: int) -> Answer:
    with command(current_actor()) as ctx:
        service.remove_member(ctx, slug=slug, member_id=MemberId(member_id))
    flash(gettext("已移除"), "success")
    return to("members", slug)


@blueprint.get("/c/<slug>/enter/pairs/new")
@signed_in
def new_pair(slug: str) -> Answer | str:
    """One form for both players."""
    competition, mine = own(slug)
    regulation = competition.event.regulation
    require_open(regulation, clock.now())
    if not regulation.in_pairs or not _may_fill_in(mine, regulation):
        return to("enter", slug)
    return _pair_page(slug, None)


@blueprint.post("/c/<slug>/enter/pairs/new")
@signed_in
def add_pair(slug: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(PairSchema)
        with command(current_actor()) as ctx:
            service.add_pair(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        return _pair_page(slug, None, refusal), status_of(refusal)
    flash(gettext("已保存，请核对后提交"), "success")
    return to("check", slug)


@blueprint.get("/c/<slug>/enter/pairs/<int:entry_id>")
@signed_in
def pair(slug: str, entry_id: int) -> str:
    """A pair's form; stored ID numbers and phones are shown masked and stay unless typed again."""
    competition, _ = own(slug)
    require_open(competition.event.regulation, clock.now())
    return _pair_page(slug, entry_id)


@blueprint.post("/c/<slug>/enter/pairs/<int:entry_id>")
@signed_in
def change_pair(slug: str, entry_id: int) -> Answer | tuple[str, int]:
    try:
        body = load_form(PairSchema)
        with command(current_actor()) as ctx:
            service.change_pair(ctx, slug=slug, entry_id=EntryId(entry_id), **body)
    except REFUSALS as refusal:
        return _pair_page(slug, entry_id, refusal), status_of(refusal)
    flash(gettext("已保存"), "success")
    return to("members", slug)


@blueprint.post("/c/<slug>/enter/pairs/<int:entry_id>/remove")
@signed_in
def remove_pair(slug: str, entry_id: int) -> Answer:
    with command(current_actor()) as ctx:
        service.remove_pair(ctx, slug=slug, entry_id=EntryId(entry_id))
    flash(gettext("已移除"), "success")
    return to("members", slug)


@blueprint.get("/c/<slug>/enter/check")
@signed_in
def check(slug: str) -> Answer | str:
    """核对提交."""
    competition, mine = own(slug)
    require_open(competition.event.regulation, clock.now())
    if not mine.drafts:
        return to("enter", slug)
    # made with the page: two taps, or a retry after a lost answer, carry the same key
    return step_page("check", competition, mine, values={"idempotency_key": secrets.token_urlsafe(24)})


@blueprint.post("/c/<slug>/enter/check")
@signed_in
def submit(slug: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(SubmissionSchema)
        with command(current_actor()) as ctx:
            service.submit(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        competition, mine = own(slug)
        return step_page("check", competition, mine, refusal, request.form.to_dict()), status_of(refusal)
    return to("receipt", slug)


@blueprint.get("/c/<slug>/enter/receipt")
@signed_in
def receipt(slug: str) -> Answer | str:
    """回执: the number to quote, and a QR code that leads back to 我的."""
    competition, mine = own(slug)
    if mine.state is not RegistrationState.SUBMITTED:
        return to("enter", slug)
    return step_page("receipt", competition, mine, competition_numbers=competition_numbers(competition))


def _next_step(mine: MyRegistration, regulation: Regulation) -> str:
    if not mine.consented:
        return "notice"
    if not mine.unit and not regulation.by_players:
        return "unit"
    if not mine.entries:
        return "new_pair" if regulation.in_pairs else "members" if mine.unit else "new_member"
    return "members" if mine.drafts else "receipt"


def _notice_page(slug: str, refusal: SaishiError | None = None) -> str:
    competition, mine = own(slug)
    if refusal is None and mine.unit is None and not mine.consented:
        # whoever has data here reads the text, and agrees to a newer one, after the deadline too
        require_open(competition.event.regulation, clock.now())
    purge_days = current_app.config["SAISHI"].purge_days
    return step_page(
        "notice",
        competition,
        mine,
        refusal,
        purge_days=purge_days,
        purge_day=queries.purge_day_of(competition, purge_days),
    )


def _unit_page(slug: str, refusal: SaishiError | None = None) -> str:
    competition, mine = own(slug)
    if refusal is not None:
        values = request.form.to_dict()
    elif mine.unit is not None:
        values = {
            "name": mine.unit.name,
            "credit_code": mine.unit.credit_code or "",
            "contact_name": mine.unit.contact_name,
            "contact_phone": mine.unit.contact_phone.removeprefix("+86"),
        }
    else:
        phone = accounts.user_phone(current_actor().require_signed_in())
        values = {"contact_phone": phone.removeprefix("+86")}
    return step_page("unit", competition, mine, refusal, values)


def _member_page(slug: str, member_id: int | None, refusal: SaishiError | None = None) -> str:
    competition, mine = own(slug)
    chosen = None if member_id is None else mine.member(member_id)
    if member_id is not None and chosen is None:
        raise UnknownMemberError
    if refusal is not None:
        values = request.form.to_dict()
    elif chosen is not None:
        entry = mine.entry(chosen.entry_id)
        values = _typed("", chosen) | ({"in_team": "1"} if entry and entry.in_team else {})
    else:
        values = {}
    return step_page("member", competition, mine, refusal, values, member=chosen)


def _pair_page(slug: str, entry_id: int | None, refusal: SaishiError | None = None) -> str:
    competition, mine = own(slug)
    chosen = None if entry_id is None else mine.entry(entry_id)
    if entry_id is not None and (chosen is None or not competition.event.regulation.in_pairs):
        raise UnknownPairError
    values: dict[str, str] = {}
    if refusal is not None:
        values = request.form.to_dict()
    elif chosen is not None:
        for place, player in enumerate(chosen.members):
            values |= _typed(f"members-{place}-", player)
    terms = competition.event.regulation.entry.describe()
    return step_page("pair", competition, mine, refusal, values, entry=chosen, entry_terms=terms)


def _typed(prefix: str, player: MemberView) -> dict[str, str]:
    """What stands in a player's fields before anything is changed; never his numbers."""
    values = {
        "name": player.name,
        "employment": player.employment.value if player.employment else "",
        "unit_name": player.unit_name or "",
        **{f"declared-{rule}": "1" for rule in player.declared},
    }
    return {f"{prefix}{name}": value for name, value in values.items()}


def _may_fill_in(mine: MyRegistration, regulation: Regulation) -> bool:
    return mine.consented and (mine.unit is not None or regulation.by_players)

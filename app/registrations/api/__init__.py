from __future__ import annotations

from typing import Any

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.registrations import queries, service
from app.registrations.queries import MyRegistration
from app.registrations.rules import EntryId, MemberId, UnknownMemberError, UnknownPairError
from app.registrations.schemas import (
    ConsentSchema,
    DecisionsSchema,
    EntryViewSchema,
    MemberSchema,
    MemberViewSchema,
    MySchema,
    PairSchema,
    ReviewListSchema,
    SubmissionSchema,
    UnitSchema,
)
from app.web import current_actor, signed_in, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("registrations_api", __name__, description="报名 units, members and their review")


def _mine(slug: str) -> MyRegistration:
    return queries.my(current_actor().require_signed_in(), competitions.competition(slug))


def _my_member(slug: str, member_id: int) -> queries.MemberView:
    member = _mine(slug).member(member_id)
    if member is None:
        raise UnknownMemberError
    return member


def _my_entry(slug: str, entry_id: int) -> queries.MyEntry:
    entry = _mine(slug).entry(entry_id)
    if entry is None:
        raise UnknownPairError
    return entry


def _review(slug: str) -> dict[str, Any]:
    event = competitions.competition(slug).event
    counted = {state.value: number for state, number in queries.counts(event.id).items()}
    return {"counts": counted, "entries": queries.review_list(event)}


@blueprint.post("/competitions/<slug>/consent")
@signed_in
@blueprint.arguments(ConsentSchema)
@blueprint.response(200, MySchema)
def agree(body: dict[str, Any], slug: str) -> MyRegistration:
    """Agree to the privacy notice (个人信息保护声明) before any personal data is sent."""
    with command(current_actor()) as ctx:
        service.agree_to_privacy_notice(ctx, slug=slug, **body)
    return _mine(slug)


@blueprint.put("/competitions/<slug>/unit")
@signed_in
@blueprint.arguments(UnitSchema)
@blueprint.response(200, MySchema)
def save_unit(body: dict[str, Any], slug: str) -> MyRegistration:
    """Make or change the leader's unit (单位); one per leader and competition."""
    with command(current_actor()) as ctx:
        service.save_unit(ctx, slug=slug, **body)
    return _mine(slug)


@blueprint.post("/competitions/<slug>/members")
@signed_in
@blueprint.arguments(MemberSchema)
@blueprint.response(201, MemberViewSchema)
def add_member(body: dict[str, Any], slug: str) -> queries.MemberView:
    """Add a member (队员); the answer shows the ID number masked."""
    with command(current_actor()) as ctx:
        member_id = service.add_member(ctx, slug=slug, **body)
    return _my_member(slug, member_id)


@blueprint.put("/competitions/<slug>/members/<int:member_id>")
@signed_in
@blueprint.arguments(MemberSchema)
@blueprint.response(200, MemberViewSchema)
def change_member(body: dict[str, Any], slug: str, member_id: int) -> queries.MemberView:
    """Change a member; a submitted entry goes back to review."""
    with command(current_actor()) as ctx:
        service.change_member(ctx, slug=slug, member_id=MemberId(member_id), **body)
    return _my_member(slug, member_id)


@blueprint.delete("/competitions/<slug>/members/<int:member_id>")
@signed_in
@blueprint.response(204)
def remove_member(slug: str, member_id: int) -> None:
    """Remove a member; a submitted entry stays as withdrawn (已退赛)."""
    with command(current_actor()) as ctx:
        service.remove_member(ctx, slug=slug, member_id=MemberId(member_id))


@blueprint.post("/competitions/<slug>/pairs")
@signed_in
@blueprint.arguments(PairSchema)
@blueprint.response(201, EntryViewSchema)
def add_pair(body: dict[str, Any], slug: str) -> queries.MyEntry:
    """Add a pair (一对) where two players are one entry; the answer shows the ID numbers masked."""
    with command(current_actor()) as ctx:
        entry_id = service.add_pair(ctx, slug=slug, **body)
    return _my_entry(slug, entry_id)


@blueprint.put("/competitions/<slug>/pairs/<int:entry_id>")
@signed_in
@blueprint.arguments(PairSchema)
@blueprint.response(200, EntryViewSchema)
def change_pair(body: dict[str, Any], slug: str, entry_id: int) -> queries.MyEntry:
    """Change a pair; a submitted entry goes back to review."""
    with command(current_actor()) as ctx:
        service.change_pair(ctx, slug=slug, entry_id=EntryId(entry_id), **body)
    return _my_entry(slug, entry_id)


@blueprint.delete("/competitions/<slug>/pairs/<int:entry_id>")
@signed_in
@blueprint.response(204)
def remove_pair(slug: str, entry_id: int) -> None:
    """Remove a pair; a submitted entry stays as withdrawn (已退赛)."""
    with command(current_actor()) as ctx:
        service.remove_pair(ctx, slug=slug, entry_id=EntryId(entry_id))


@blueprint.post("/competitions/<slug>/submission")
@signed_in
@blueprint.arguments(SubmissionSchema)
@blueprint.response(200, MySchema)
def submit(body: dict[str, Any], slug: str) -> MyRegistration:
    """Hand in all drafts (提交); the same key again changes nothing."""
    with command(current_actor()) as ctx:
        service.submit(ctx, slug=slug, **body)
    return _mine(slug)


@blueprint.get("/competitions/<slug>/my")
@signed_in
@blueprint.response(200, MySchema)
def my(slug: str) -> MyRegistration:
    """The signed-in leader's registration; ID numbers and phones are masked."""
    return _mine(slug)


@blueprint.get("/competitions/<slug>/entries")
@staff(Role.COMMITTEE)
@blueprint.response(200, ReviewListSchema)
def entries(slug: str) -> dict[str, Any]:
    """All handed-in entries with the judgement of each eligibility rule; without ID numbers and phones."""
    return _review(slug)


@blueprint.post("/competitions/<slug>/decisions")
@staff(Role.COMMITTEE)
@blueprint.arguments(DecisionsSchema)
@blueprint.response(200, ReviewListSchema)
def decide(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Approve or reject entries (审核), all of the batch or none."""
    with command(current_actor()) as ctx:
        service.decide(ctx, slug=slug, **body)
    return _review(slug)

from __future__ import annotations

from typing import Any

from app.accounts import queries as accounts
from app.accounts import service as accounts_service
from app.actors import Role
from app.commands import command
from app.competitions import queries, service
from app.competitions.queries import CompetitionView
from app.competitions.rules import require_role
from app.competitions.schemas import (
    CompetitionSchema,
    NewCompetitionSchema,
    PublishDraftSchema,
    SearchSchema,
    StaffMemberSchema,
    StaffSchema,
)
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("competitions_api", __name__, description="赛事 competitions and their staff")


@blueprint.get("/competitions")
@public
@blueprint.arguments(SearchSchema, location="query")
@blueprint.response(200, CompetitionSchema(many=True))
def list_competitions(query: dict[str, Any]) -> list[CompetitionView]:
    """List competitions (赛事), the newest first."""
    return list(queries.competitions(query["search"]))  # a tuple would mean (body, status) here


@blueprint.post("/competitions")
@staff(Role.ORGANISER)
@blueprint.arguments(NewCompetitionSchema)
@blueprint.response(201, CompetitionSchema)
def create(body: dict[str, Any]) -> CompetitionView:
    """Create a competition from a regulation (规程) with its own dates and options.

    The entry deadline lies ahead, the working days for which the list of entrants is public are of years whose calendar is
    known, and play begins after them.
    """
    with command(current_actor()) as ctx:
        competition_id = service.create_competition(ctx, **body)
    return queries.competition_by_id(competition_id)


@blueprint.post("/regulation-drafts/<int:draft_id>/competition")
@staff(Role.ORGANISER)
@blueprint.arguments(PublishDraftSchema)
@blueprint.response(201, CompetitionSchema)
def publish_draft(body: dict[str, Any], draft_id: int) -> CompetitionView:
    """Publish a draft of a regulation as a new competition."""
    with command(current_actor()) as ctx:
        competition_id = service.publish_draft(ctx, draft_id, **body)
    return queries.competition_by_id(competition_id)


@blueprint.get("/competitions/<slug>")
@public
@blueprint.response(200, CompetitionSchema)
def show(slug: str) -> CompetitionView:
    """One competition."""
    return queries.competition(slug)


@blueprint.get("/competitions/<slug>/staff")
@staff(Role.ORGANISER, Role.CHIEF_REFEREE)
@blueprint.response(200, StaffMemberSchema(many=True))
def list_staff(slug: str) -> list[accounts.GrantView]:
    """Who holds which role (身份)."""
    return list(accounts.staff_of(queries.competition_id(slug)))


@blueprint.post("/competitions/<slug>/staff")
@staff(Role.ORGANISER, Role.CHIEF_REFEREE)
@blueprint.arguments(StaffSchema)
@blueprint.response(201, StaffMemberSchema(many=True))
def add_staff(body: dict[str, Any], slug: str) -> list[accounts.GrantView]:
    """Give a person a role in this competition."""
    competition_id = queries.competition_id(slug)
    with command(current_actor()) as ctx:
        accounts_service.grant_role(
            ctx, phone=body["phone"], role=Role(body["role"]), competition_id=competition_id
        )
    return list(accounts.staff_of(competition_id))


@blueprint.delete("/competitions/<slug>/staff/<int:user_id>/<role>")
@staff(Role.ORGANISER, Role.CHIEF_REFEREE)
@blueprint.response(200, StaffMemberSchema(many=True))
def withdraw_staff(slug: str, user_id: int, role: str) -> list[accounts.GrantView]:
    """Take a role from a person again; the answer is who holds which role now."""
    competition_id = queries.competition_id(slug)
    with command(current_actor()) as ctx:
        accounts_service.withdraw_role(
            ctx, user_id=user_id, role=require_role(role), competition_id=competition_id
        )
    return list(accounts.staff_of(competition_id))

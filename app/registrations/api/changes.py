from __future__ import annotations

from typing import Any

from flask import url_for

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.registrations import queries
from app.registrations.queries import ChangeView
from app.registrations.rules import UnitMissingError
from app.registrations.rules.changes import UnknownApplicationError
from app.registrations.schemas.changes import (
    ChangeApplicationDecisionSchema,
    ChangeApplicationListSchema,
    ChangeApplicationSchema,
    ChangeApplicationViewSchema,
)
from app.registrations.service import changes as service
from app.web import current_actor, signed_in, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint(
    "registration_changes_api", __name__, description="变更申请 changes after the deadline"
)


@blueprint.post("/competitions/<slug>/changes")
@signed_in
@blueprint.arguments(ChangeApplicationSchema)
@blueprint.response(201, ChangeApplicationViewSchema)
def apply(body: dict[str, Any], slug: str) -> ChangeView:
    """Apply for a change after the deadline (变更申请); the same key again answers with the same application."""
    with command(current_actor()) as ctx:
        number = service.apply(ctx, slug=slug, **body)
    return _one(slug, number)


@blueprint.get("/competitions/<slug>/my/changes")
@signed_in
@blueprint.response(200, ChangeApplicationListSchema)
def mine(slug: str) -> dict[str, Any]:
    """The applications of the signed-in leader's unit."""
    competition = competitions.competition(slug)
    unit = queries.my(current_actor().require_signed_in(), competition).unit
    if unit is None:
        raise UnitMissingError
    return {"applications": queries.applications(competition.event, unit_id=unit.id)}


@blueprint.delete("/competitions/<slug>/changes/<int:number>")
@signed_in
@blueprint.response(204)
def take_back(slug: str, number: int) -> None:
    """Take back an application that nobody has answered (撤回)."""
    with command(current_actor()) as ctx:
        service.take_back(ctx, slug=slug, number=number)


@blueprint.get("/competitions/<slug>/changes")
@staff(Role.COMMITTEE)
@blueprint.response(200, ChangeApplicationListSchema)
def applications(slug: str) -> dict[str, Any]:
    """Every application: those that wait first, the oldest first. Numbers are masked."""
    return {"applications": queries.applications(competitions.competition(slug).event)}


@blueprint.post("/competitions/<slug>/changes/<int:number>/decision")
@staff(Role.COMMITTEE)
@blueprint.arguments(ChangeApplicationDecisionSchema)
@blueprint.response(200, ChangeApplicationViewSchema)
def decide(body: dict[str, Any], slug: str, number: int) -> ChangeView:
    """Grant an application, which changes the entry at once, or refuse it; 409 with both where a colleague was faster."""
    with command(current_actor()) as ctx:
        service.decide(
            ctx,
            slug=slug,
            number=number,
            address=url_for("registrations.my_change", slug=slug, number=number),
            **body,
        )
    return _one(slug, number)


def _one(slug: str, number: int) -> ChangeView:
    found = queries.application(competitions.competition(slug).event, number)
    if found is None:
        raise UnknownApplicationError
    return found

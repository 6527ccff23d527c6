"""The known years of working days as JSON, and entering one."""

from __future__ import annotations

from typing import Any

from app.actors import Role
from app.commands import command
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint
from app.workdays import queries, service
from app.workdays.queries import YearView
from app.workdays.schemas import YearDaysSchema, YearSchema, YearsSchema

blueprint = ApiBlueprint("workdays_api", __name__, description="工作日 working days by year")


@blueprint.get("/workdays")
@public
@blueprint.response(200, YearsSchema)
def list_years() -> dict[str, Any]:
    """Every known year: official, or entered by a committee."""
    return {"years": queries.years()}


@blueprint.put("/workdays/<int:year>")
@staff(Role.ORGANISER, Role.COMMITTEE)
@blueprint.arguments(YearDaysSchema)
@blueprint.response(200, YearSchema)
def enter_year(body: dict[str, Any], year: int) -> YearView | None:
    """Enter a year from the State Council's notice (录入放假安排)."""
    with command(current_actor()) as ctx:
        service.enter_year(ctx, year=year, **body)
    return queries.entered_year(year)

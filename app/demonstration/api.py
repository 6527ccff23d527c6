from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import current_app

from app import clock
from app.actors import Role
from app.commands import command
from app.demonstration import service
from app.demonstration.rules import require_demonstration
from app.demonstration.schemas import ClockNowSchema, ClockSchema
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("demonstration_api", __name__, description="演示 the demonstration's movable clock")


@blueprint.get("/demo/clock")
@public
@blueprint.response(200, ClockNowSchema)
def show_clock() -> dict[str, Any]:
    """What time it is in the demonstration."""
    require_demonstration(current_app.config["SAISHI"].demo)
    return _now(clock.now())


@blueprint.post("/demo/clock")
@staff(Role.ORGANISER)
@blueprint.arguments(ClockSchema)
@blueprint.response(200, ClockNowSchema)
def move_clock(body: dict[str, Any]) -> dict[str, Any]:
    """Move the demonstration's clock, or set it back to real time."""
    require_demonstration(current_app.config["SAISHI"].demo)
    with command(current_actor()) as ctx:
        now = service.move_clock(ctx, **body)
    return _now(now)


def _now(now: datetime) -> dict[str, Any]:
    return {"now": now, "ahead_seconds": round(clock.offset().total_seconds())}

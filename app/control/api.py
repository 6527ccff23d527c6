from __future__ import annotations

from app import clock
from app.control import queries
from app.control.queries import Desk
from app.control.rules import READERS
from app.control.schemas import DeskSchema
from app.web import staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("control_api", __name__, description="裁判长台 the chief referee's desk")


@blueprint.get("/competitions/<slug>/control")
@staff(*READERS)
@blueprint.response(200, DeskSchema)
def desk(slug: str) -> Desk:
    """Every table's state, who is missing, calls, and the one thing the next round waits for."""
    return queries.desk(slug, clock.now())

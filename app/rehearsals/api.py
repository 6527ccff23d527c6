from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.rehearsals import service
from app.rehearsals.rules import DELETERS
from app.rehearsals.schemas import ConfirmedSchema, DeletedSchema
from app.rehearsals.service import Deleted
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("rehearsals_api", __name__, description="演练 rehearsals")


@blueprint.delete("/competitions/<slug>")
@staff(*DELETERS)
@blueprint.arguments(ConfirmedSchema, location="query")
@blueprint.response(200, DeletedSchema)
def delete_whole(query: dict[str, Any], slug: str) -> Deleted:
    """Delete a rehearsal (演练) whole: entries, draws, results, messages and files. Refused for any other competition."""
    with command(current_actor()) as ctx:
        return service.delete_whole(ctx, competitions.competition_id(slug), name=query["name"])

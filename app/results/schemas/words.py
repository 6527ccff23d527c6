"""Who said what of a sheet, and whose device writes on it, as they are shown."""

from __future__ import annotations

from app.draws.rules import entrant_of
from app.results.rules.confirming import Said, Way
from app.web.schemas import Schema, fields


class SaidSchema(Schema):
    """What one side said of the newest revision; of a decision on the whole sheet the entrant is null."""

    entrant = fields.Function(lambda word: None if word.entry_id is None else entrant_of(word.entry_id))
    said = fields.Function(
        lambda word: word.said.value, metadata={"description": ", ".join(each.value for each in Said)}
    )
    way = fields.Function(
        lambda word: word.way.value, metadata={"description": ", ".join(each.value for each in Way)}
    )
    note = fields.String()
    at = fields.AwareDateTime(format="iso")


class HolderSchema(Schema):
    """Whose device writes on a sheet, as a recording names people: by role and masked number."""

    role = fields.Function(lambda held: held.role.value if held.role else None)
    phone_masked = fields.String()
    since = fields.AwareDateTime(format="iso", attribute="at")

from __future__ import annotations

from app.control.queries import Desk
from app.web.i18n import show
from app.web.schemas import Schema, fields


class DeskTableSchema(Schema):
    """One table of the newest round."""

    number = fields.Function(lambda each: each.state.table.number)
    token = fields.Function(lambda each: each.state.table.token)
    entrants = fields.Function(lambda each: [seat.name for seat in each.state.table.seats])
    state = fields.String(attribute="shown_state")
    recorded = fields.Function(lambda each: each.state.recorded)
    deals_wanted = fields.Function(lambda each: each.state.deals_wanted)
    referees = fields.List(
        fields.Integer(), metadata={"description": "their numbers in the competition's list"}
    )
    missing = fields.List(fields.String(), metadata={"description": "who has not arrived"})
    calls = fields.Integer()


class DeskSchema(Schema):
    """The chief referee's desk (裁判长台) at this moment."""

    stage = fields.Function(lambda desk: desk.run.stage if desk.run else None)
    round = fields.Function(lambda desk: desk.run.number if desk.run else None)
    clock_ends_at = fields.Method("clock_of")
    tables = fields.List(fields.Nested(DeskTableSchema))
    counts = fields.Dict(keys=fields.String(), values=fields.Integer())
    calls = fields.Function(lambda desk: len(desk.calls))
    corrections = fields.Integer(metadata={"description": "requests that wait for the chief referee"})
    appeals = fields.Integer(metadata={"description": "appeals that are not decided"})
    blocker = fields.Method(
        "blocker_of", metadata={"description": "the one thing the next round waits for, or null"}
    )
    ready = fields.Boolean(metadata={"description": "whether the next round, stage or play-off can be drawn"})

    def clock_of(self, desk: Desk) -> str | None:
        clock = desk.run.clock if desk.run else None
        return clock.ends_at.isoformat() if clock else None

    def blocker_of(self, desk: Desk) -> dict[str, str] | None:
        if desk.blocker is None:
            return None
        return {"kind": desk.blocker.kind.value, "detail": show(desk.blocker.text)}

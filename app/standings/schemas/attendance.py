from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.draws.queries.attendance import ActView
from app.draws.rules.attendance import ActKind
from app.standings.queries.attendance import AttendanceBoard, PersonState
from app.web.i18n import show
from app.web.schemas import Length, OneOf, Range, Schema, fields


class MarkSchema(Schema):
    """One act (出席登记): of one entrant, of a round or from that round on."""

    entrant = fields.String(
        required=True, validate=Length(max=20), metadata={"description": "id in the event file"}
    )
    act = fields.String(
        required=True,
        validate=OneOf([kind.value for kind in ActKind]),
        metadata={
            "description": "absent in this round; from this round on withdrawn, returned, enters (late), or, for the "
            "chief referee, reinstated after forfeits running"
        },
    )
    round = fields.Integer(required=True, validate=Range(min=1, max=999))
    reason = fields.String(
        load_default=None,
        validate=Length(max=500),
        metadata={
            "description": "needed except of an absence; of reinstated it is published, else for the staff"
        },
    )

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "entrant": body["entrant"],
            "kind": ActKind(body["act"]),
            "number": body["round"],
            "reason": body["reason"],
        }


class ActSchema(Schema):
    id = fields.Integer()
    entrant = fields.String()
    act = fields.String()
    round = fields.Integer()
    text = fields.String()
    reason = fields.String(allow_none=True)
    made_as = fields.String()
    made_at = fields.DateTime()


class AwaySchema(Schema):
    entrant = fields.String()
    name = fields.String()
    unit = fields.String()
    why = fields.String(
        metadata={"description": "not_entered, withdrawn, absent, or stands_out after forfeits running"}
    )


class AttendanceSchema(Schema):
    """Attendance as it stands: the round drawn next, who is not paired in it, and every act."""

    round = fields.Integer(
        allow_none=True, metadata={"description": "drawn next; null once every round is drawn"}
    )
    rounds = fields.Integer()
    entrants = fields.Integer(metadata={"description": "how many will be paired in it"})
    away = fields.List(fields.Nested(AwaySchema))
    acts = fields.List(fields.Nested(ActSchema))


def act_document(view: ActView) -> dict[str, Any]:
    """One act as ``ActSchema`` has it."""
    return {
        "id": view.id,
        "entrant": view.entrant,
        "act": view.kind.value,
        "round": view.number,
        "text": show(view.text),
        "reason": view.reason,
        "made_as": view.made_as.value,
        "made_at": view.made_at,
    }


def attendance_document(board: AttendanceBoard) -> dict[str, Any]:
    """Attendance as ``AttendanceSchema`` has it."""
    return {
        "round": board.number,
        "rounds": board.rounds,
        "entrants": board.paired if board.number else 0,
        "away": [_away(each) for each in board.away] if board.number else [],
        "acts": [act_document(each) for each in board.attendance.acts],
    }


def _away(state: PersonState) -> dict[str, Any]:
    return {
        "entrant": state.entrant,
        "name": state.person.name,
        "unit": state.person.unit_name,
        "why": state.away.value if state.away else None,
    }

"""What forms and API send to the floor, and the documents the API answers with. A moment without a zone is Beijing time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from marshmallow import post_load

from app.draws.queries import TableView
from app.draws.rules import entrant_of
from app.floor.queries import CallView, CardView, NoticeView, PlayerView, RunView
from app.floor.queries.hall import ArrivalView
from app.floor.rules import Confirmation, Publication, RunState, Terms
from app.floor.rules.hall import (
    LONGEST_NOTE,
    LONGEST_NOTICE,
    LONGEST_NOTICE_EN,
    LONGEST_OUTCOME,
    ArrivalWay,
    CallKind,
)
from app.floor.rules.terms import LONGEST_MINUTES
from app.text import BEIJING
from app.web.schemas import Length, OneOf, Range, Schema, fields

KEY = Length(min=8, max=80)


def _key() -> fields.String:
    return fields.String(
        required=True,
        validate=KEY,
        metadata={"description": "made once per act; sent again with every retry"},
    )


def _zoned(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=BEIJING) if moment is not None and moment.tzinfo is None else moment


class FloorTermsSchema(Schema):
    """The terms of an event (办赛方式)."""

    confirmation = fields.String(required=True, validate=OneOf([each.value for each in Confirmation]))
    publication = fields.String(required=True, validate=OneOf([each.value for each in Publication]))
    round_minutes = fields.Integer(
        load_default=None,
        allow_none=True,
        validate=Range(min=1, max=LONGEST_MINUTES),
        metadata={"description": "the clock of a round; that of the regulation where it is left out"},
    )
    call_minutes = fields.Integer(
        load_default=None,
        allow_none=True,
        validate=Range(min=1, max=LONGEST_MINUTES),
        metadata={"description": "how many minutes before the end the last deals are announced"},
    )

    @post_load
    def _read(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return body | {
            "confirmation": Confirmation(body["confirmation"]),
            "publication": Publication(body["publication"]),
        }


class RoundScheduleSchema(Schema):
    """When players have to be there (规定的到场时间); nothing: no such time."""

    scheduled_at = fields.DateTime(load_default=None, allow_none=True)

    @post_load
    def _read(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"scheduled_at": _zoned(body["scheduled_at"])}


class RefereesAtTableSchema(Schema):
    table = fields.Integer(required=True, validate=Range(min=1, max=10_000))
    referees = fields.List(fields.Integer(validate=Range(min=1)), required=True, validate=Length(max=20))


class AssignRefereesSchema(Schema):
    """Who is at these tables from now on (执裁安排), in place of whoever was; other tables stay as they are."""

    placed = fields.List(fields.Nested(RefereesAtTableSchema), required=True, validate=Length(max=1000))

    @post_load
    def _read(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"placed": {each["table"]: tuple(each["referees"]) for each in body["placed"]}}


class AssignFormSchema(Schema):
    """One table and one referee, as the page sends them."""

    table = fields.Integer(required=True, validate=Range(min=1, max=10_000))
    user_id = fields.Integer(required=True, validate=Range(min=1))


class NewRefereeCallSchema(Schema):
    """A call from a table (呼叫裁判)."""

    kind = fields.String(
        load_default=CallKind.REFEREE.value, validate=OneOf([CallKind.REFEREE.value, CallKind.CHIEF.value])
    )
    note = fields.String(load_default=None, validate=Length(max=LONGEST_NOTE))
    idempotency_key = _key()

    @post_load
    def _read(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "kind": CallKind(body["kind"]),
            "note": body["note"],
            "key": body["idempotency_key"],
        }


class CloseRefereeCallSchema(Schema):
    outcome = fields.String(
        load_default=None,
        validate=Length(max=LONGEST_OUTCOME),
        metadata={"description": "what came of it; no telephone or ID numbers"},
    )


class NewArrivalSchema(Schema):
    """That an entrant has come (到场), now or at an earlier moment that a referee saw."""

    entrant = fields.String(
        required=True, validate=Length(max=20), metadata={"description": "the id of the event file: e12"}
    )
    way = fields.String(
        load_default=ArrivalWay.REFEREE.value,
        validate=OneOf([ArrivalWay.REFEREE.value, ArrivalWay.CARD.value]),
    )
    at = fields.DateTime(load_default=None, allow_none=True)

    @post_load
    def _read(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return body | {"way": ArrivalWay(body["way"]), "at": _zoned(body["at"])}


class TakeBackArrivalSchema(Schema):
    entrant = fields.String(required=True, validate=Length(max=20))


class NewFloorNoticeSchema(Schema):
    """An announcement to every phone of an event (赛场广播)."""

    text = fields.String(
        required=True,
        validate=Length(max=LONGEST_NOTICE),
        metadata={"description": "public; no telephone or ID numbers"},
    )
    text_en = fields.String(load_default=None, allow_none=True, validate=Length(max=LONGEST_NOTICE_EN))
    idempotency_key = _key()

    @post_load
    def _read(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"text": body["text"], "text_en": body["text_en"], "key": body["idempotency_key"]}


class PlayerPinSchema(Schema):
    """The competition number and the PIN of a card, typed on another phone."""

    number = fields.Integer(required=True, validate=Range(min=1, max=1_000_000))
    pin = fields.String(required=True, validate=Length(max=40))


class RenewSchema(Schema):
    """Whose card is made anew: the page knows people by competition number."""

    number = fields.Integer(required=True, validate=Range(min=1, max=1_000_000))


class FloorTermsViewSchema(Schema):
    confirmation = fields.String(required=True)
    publication = fields.String(required=True)
    round_minutes = fields.Integer(allow_none=True)
    call_minutes = fields.Integer(allow_none=True)


class RoundClockSchema(Schema):
    started_at = fields.DateTime(required=True)
    ends_at = fields.DateTime(required=True)
    call_at = fields.DateTime(allow_none=True)
    seconds_left = fields.Integer(required=True)


class RoundRunSchema(Schema):
    """A round as it is played; each moment is null until it has come."""

    stage = fields.String(required=True)
    number = fields.Integer(required=True)
    state = fields.String(required=True, validate=OneOf([each.value for each in RunState]))
    scheduled_at = fields.DateTime(allow_none=True)
    opened_at = fields.DateTime(allow_none=True)
    ended_at = fields.DateTime(allow_none=True)
    published_at = fields.DateTime(allow_none=True)
    locked_at = fields.DateTime(allow_none=True)
    called_at = fields.DateTime(allow_none=True)
    correction_ends_at = fields.DateTime(allow_none=True)
    held_back = fields.Boolean(
        required=True, metadata={"description": "its results wait until the chief referee publishes it"}
    )
    clock = fields.Nested(RoundClockSchema, allow_none=True)


class FloorNoticeSchema(Schema):
    id = fields.Integer(required=True)
    text = fields.String(required=True)
    text_en = fields.String(allow_none=True)
    made_at = fields.DateTime(required=True)


class FloorSchema(Schema):
    """The floor (赛场) of an event as everybody may see it."""

    terms = fields.Nested(FloorTermsViewSchema, required=True)
    rounds = fields.List(fields.Nested(RoundRunSchema), required=True)
    notices = fields.List(fields.Nested(FloorNoticeSchema), required=True)


class TableRefereesSchema(Schema):
    table = fields.Integer(required=True)
    referees = fields.List(fields.Integer(), required=True)


class MyTableSchema(Schema):
    stage = fields.String(required=True)
    number = fields.Integer(required=True)
    table = fields.Integer(required=True)
    token = fields.String(required=True)
    people = fields.List(fields.String(), required=True)


class RefereeCallSchema(Schema):
    id = fields.Integer(required=True)
    stage = fields.String(required=True)
    number = fields.Integer(required=True)
    table = fields.Integer(required=True)
    kind = fields.String(required=True)
    note = fields.String(allow_none=True)
    caller = fields.String(allow_none=True, metadata={"description": "the player; null where staff called"})
    called_at = fields.DateTime(required=True)
    taken_at = fields.DateTime(allow_none=True)
    closed_at = fields.DateTime(allow_none=True)
    outcome = fields.String(allow_none=True)


class ArrivalSchema(Schema):
    entrant = fields.String(required=True)
    at = fields.DateTime(required=True)
    way = fields.String(required=True)
    minutes_late = fields.String(
        required=True, metadata={"description": "exact, as a fraction: 301/60; 0 for who was in time"}
    )


class ArrivalsSchema(Schema):
    scheduled_at = fields.DateTime(allow_none=True)
    arrived = fields.List(fields.Nested(ArrivalSchema), required=True)
    missing = fields.List(fields.String(), required=True)


class PlayerCardSchema(Schema):
    """A card (选手卡): whoever has its token or PIN acts for the player."""

    entrant = fields.String(required=True)
    number = fields.Integer(allow_none=True)
    token = fields.String(required=True)
    pin = fields.String(required=True)


class OwnTableSchema(Schema):
    stage = fields.String(required=True)
    number = fields.Integer(required=True)
    table = fields.Integer(allow_none=True, metadata={"description": "null for a bye"})
    people = fields.List(fields.String(), required=True)


class OwnCallSchema(Schema):
    id = fields.Integer(required=True)
    kind = fields.String(required=True)
    called_at = fields.DateTime(required=True)
    taken_at = fields.DateTime(allow_none=True)


class PlayerSchema(Schema):
    """A player's own page: his table of the newest round, whether he has arrived, and his open calls."""

    entrant = fields.String(required=True)
    name = fields.String(required=True)
    unit = fields.String(required=True)
    number = fields.Integer(allow_none=True)
    round = fields.Nested(RoundRunSchema, allow_none=True)
    place = fields.Nested(OwnTableSchema, allow_none=True)
    arrived_at = fields.DateTime(allow_none=True)
    calls = fields.List(fields.Nested(OwnCallSchema), required=True)


class PlayerTokenSchema(Schema):
    token = fields.String(required=True)


def terms_document(terms: Terms) -> dict[str, Any]:
    return {
        "confirmation": terms.confirmation.value,
        "publication": terms.publication.value,
        "round_minutes": terms.round_minutes,
        "call_minutes": terms.call_minutes,
    }


def run_document(run: RunView, now: datetime) -> dict[str, Any]:
    moments, clock = run.moments, run.clock
    return {
        "stage": run.stage,
        "number": run.number,
        "state": run.state(now).value,
        "scheduled_at": moments.scheduled_at,
        "opened_at": moments.opened_at,
        "ended_at": moments.ended_at,
        "published_at": moments.published_at,
        "locked_at": moments.locked_at,
        "called_at": moments.called_at,
        "correction_ends_at": run.correction_ends_at,
        "held_back": run.held_back,
        "clock": None
        if clock is None
        else {
            "started_at": clock.started_at,
            "ends_at": clock.ends_at,
            "call_at": clock.call_at,
            "seconds_left": clock.seconds_left(now),
        },
    }


def notice_document(notice: NoticeView) -> dict[str, Any]:
    return {"id": notice.id, "text": notice.text, "text_en": notice.text_en, "made_at": notice.made_at}


def call_document(call: CallView) -> dict[str, Any]:
    return {
        "id": call.id,
        "stage": call.table.stage,
        "number": call.table.round_number,
        "table": call.table.number,
        "kind": call.kind.value,
        "note": call.note,
        "caller": call.caller,
        "called_at": call.called_at,
        "taken_at": call.taken_at,
        "closed_at": call.closed_at,
        "outcome": call.outcome,
    }


def my_table_document(table: TableView) -> dict[str, Any]:
    return {
        "stage": table.stage,
        "number": table.round_number,
        "table": table.number,
        "token": table.token,
        "people": [seat.name for seat in table.seats],
    }


def arrival_document(arrival: ArrivalView, late: object) -> dict[str, Any]:
    return {
        "entrant": entrant_of(arrival.entry_id),
        "at": arrival.at,
        "way": arrival.way.value,
        "minutes_late": str(late),
    }


def card_document(card: CardView) -> dict[str, Any]:
    return {
        "entrant": entrant_of(card.entrant.entry_id),
        "number": card.number,
        "token": card.token,
        "pin": card.pin,
    }


def player_document(player: PlayerView) -> dict[str, Any]:
    return {
        "entrant": entrant_of(player.entry_id),
        "name": player.name,
        "unit": player.unit_name,
        "number": player.number,
    }

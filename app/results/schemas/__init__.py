from __future__ import annotations

from typing import Any

from app import clock
from app.draws.rules import entrant_of
from app.results import queries
from app.results.queries import RevisionView, SheetView
from app.results.rules import BOARD_RESULTS, OUTCOME_KEYS, PASSED_OUT, score
from app.results.schemas.sent import SentSchema
from app.results.schemas.words import HolderSchema, SaidSchema
from app.web.i18n import show
from app.web.schemas import Length, OneOf, Range, Schema, fields
from scoring_engine.event_file.match_shown import match_json
from scoring_engine.landlord.deals import Side
from scoring_engine.records import MatchRecord
from scoring_engine.stages.matches import MatchResult
from scoring_engine.tractor.matches import Ended, Match
from scoring_engine.tractor.penalties import OUTCOMES
from scoring_engine.tractor.units import UnitKind

SIDES = [side.value for side in Side]
UNITS = [unit.value for unit in UnitKind]
ENDINGS = [ended.value for ended in Ended]


class DealFormSchema(SentSchema):
    """The form of one deal: ``landlord`` is an entrant's id (``e12``) or ``passed_out``."""

    deal_number = fields.Integer(required=True, validate=Range(min=1, max=1000))
    landlord = fields.String(validate=Length(max=40))
    bid = fields.Integer()
    winner = fields.String(validate=OneOf(SIDES))
    bombs = fields.Integer(load_default=0)
    rockets = fields.Integer(load_default=0)
    spring = fields.Boolean(load_default=False)
    anti_spring = fields.Boolean(load_default=False)

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        number = body.pop("deal_number")
        passed_out = body.get("landlord") == "passed_out"
        return {"deal_number": number, "deal": dict(PASSED_OUT) if passed_out else body}


class BoardFormSchema(SentSchema):
    """The form of a board: one button, and how often each player broke a rule."""

    result = fields.String(required=True, validate=OneOf(list(BOARD_RESULTS)))
    violations_first = fields.Integer(load_default=0, validate=Range(min=0, max=99))
    violations_second = fields.Integer(load_default=0, validate=Range(min=0, max=99))
    checked = fields.Boolean(load_default=False)

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        violations = body.pop("violations_first"), body.pop("violations_second")
        return body | {"violations": violations}


class AbsencesFormSchema(SentSchema):
    """Who forfeited and who was late, by entrant: ``forfeit-e12``, ``late-e12``."""

    forfeit = fields.Dict(keys=fields.String(), values=fields.Boolean(), load_default=dict)
    late = fields.Dict(keys=fields.String(), values=fields.String(validate=Length(max=10)), load_default=dict)

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        late = {entrant: minutes.strip() for entrant, minutes in body["late"].items() if minutes.strip()}
        forfeits = [entrant for entrant, gone in body["forfeit"].items() if gone]
        return {"outcome": {"forfeits": forfeits, "late": late}}


class HandInFormSchema(SentSchema):
    checked = fields.Boolean(load_default=False)


class ReopenSchema(SentSchema):
    reason = fields.String(required=True, validate=Length(min=2, max=500))


class BottomSchema(Schema):
    """抠底: where the defenders won the last trick."""

    points = fields.Integer(required=True, metadata={"description": "底牌分, before they are multiplied"})
    unit = fields.String(
        required=True, validate=OneOf(UNITS), metadata={"description": "what won the last trick"}
    )
    size = fields.Integer(metadata={"description": "pairs or triples of a run"})


class DealSchema(Schema):
    """One deal as the event file writes it: of 二打一, or from ``banker`` on of 升级."""

    passed_out = fields.Boolean(metadata={"description": "流局: alone, or false"})
    landlord = fields.String(metadata={"description": "庄家, an entrant of the table"})
    bid = fields.Integer(metadata={"description": "叫分"})
    winner = fields.String(validate=OneOf(SIDES), metadata={"description": "胜方"})
    rockets = fields.Integer(metadata={"description": "火箭"})
    bombs = fields.Integer(metadata={"description": "炸弹"})
    spring = fields.Boolean(metadata={"description": "春天"})
    anti_spring = fields.Boolean(metadata={"description": "反春"})
    scores = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "optional: held against the computed points, which add up to 0"},
    )
    banker = fields.String(
        validate=Length(max=40), metadata={"description": "庄家 of 升级, an entrant of the table"}
    )
    points = fields.Integer(metadata={"description": "防家 (旁家) 得分 before the bottom"})
    bottom = fields.Nested(BottomSchema)
    ended = fields.String(
        validate=OneOf(ENDINGS),
        metadata={"description": "how the deal ended; played where it is left out"},
    )
    by = fields.String(validate=Length(max=40), metadata={"description": "who gave the deal up"})
    seat = fields.Integer(validate=Range(min=0, max=3), metadata={"description": "which player banks"})


class PenaltySchema(Schema):
    """判罚 of 升级 at a table; an adjustment in the event file."""

    rule = fields.String(
        required=True, validate=Length(max=40), metadata={"description": "of the regulation"}
    )
    entrant = fields.String(
        required=True, validate=Length(max=40), metadata={"description": "the side that committed it"}
    )
    deal = fields.Integer(metadata={"description": "in which deal, from 1"})
    count = fields.Integer(metadata={"description": "times, cards or pairs; 1 where it is left out"})
    points = fields.Integer(
        metadata={"description": "the referee's own amount, where the text leaves it to him"}
    )
    outcome = fields.String(
        validate=OneOf(OUTCOMES), metadata={"description": "what the referee decided instead of points"}
    )
    insisted = fields.Boolean(metadata={"description": "旁家坚持要打"})


class NewRevisionSchema(SentSchema):
    """The table's content in the event file's form, without its number and seats."""

    deals = fields.List(
        fields.Nested(DealSchema),
        load_default=list,
        validate=Length(max=1000),
        metadata={"description": "各副 of 二打一 and 升级"},
    )
    winner = fields.String(
        allow_none=True,
        validate=Length(max=40),
        metadata={"description": "of a board game: an entrant of the table, or null for a draw (和棋)"},
    )
    forfeits = fields.List(
        fields.String(validate=Length(max=40)),
        validate=Length(max=3),
        metadata={"description": "弃权, entrants of the table; of rounds only"},
    )
    late = fields.Dict(
        keys=fields.String(),
        values=fields.Raw(),
        metadata={
            "description": "迟到: minutes by entrant; of 快乐二打一 and 拖拉机 only",
            "example": {"e2": 5},
        },
    )
    levels = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=Length(max=2)),
        metadata={"description": "级数 of both sides at the end of a match of 升级", "example": {"e1": "9"}},
    )
    bank = fields.String(
        validate=Length(max=40), metadata={"description": "who would bank next, beside ``levels``"}
    )
    past_a = fields.String(validate=Length(max=40), metadata={"description": "打过A, beside ``levels``"})
    announced_in = fields.Integer(
        validate=Range(min=0, max=1000),
        metadata={"description": "时间到: the deal that ran then; 0 before the first"},
    )
    penalties = fields.List(
        fields.Nested(PenaltySchema), validate=Length(max=200), metadata={"description": "判罚 of 升级"}
    )
    violations = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "违例、犯规 by entrant; of board games; adjustments in the event file"},
    )
    handed_in = fields.Boolean(
        load_default=False,
        metadata={"description": "the players have checked it: enters and confirms the sheet"},
    )

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        outcome = {key: body.pop(key) for key in OUTCOME_KEYS if key in body}
        return body | {"outcome": outcome}


class EnteredSchema(Schema):
    """A table at which something was entered: its newest deals, confirmed or not."""

    number = fields.Function(lambda each: each.table.number)
    entrants = fields.Function(lambda each: [entrant_of(seat.entry_id) for seat in each.table.seats])
    state = fields.Function(lambda each: each.state.value)
    deals = fields.Function(lambda each: list(each.deals))
    outcome = fields.Dict()


class LossSchema(Schema):
    """What would no longer count if a round were taken back (作废), and which rounds must be taken back first."""

    stage = fields.Function(lambda loss: loss.round.stage)
    round = fields.Function(lambda loss: loss.round.number)
    seed = fields.Function(lambda loss: loss.round.seed)
    started = fields.Boolean()
    deals = fields.Integer()
    tables = fields.List(fields.Nested(EnteredSchema), attribute="entered")
    confirmed = fields.Integer(metadata={"description": "how many of the tables have a confirmed sheet"})
    later = fields.Function(lambda loss: [{"stage": each.stage, "round": each.number} for each in loss.later])
    commitments = fields.Function(
        lambda loss: [{"stage": each.stage, "round": each.number} for each in loss.commitments],
        metadata={"description": "open commitments to seeds of later rounds, which fall with this round"},
    )


class SeatSchema(Schema):
    entrant = fields.String()
    name = fields.String()
    unit = fields.String()


class SheetSchema(Schema):
    """A table's score sheet (记分表)."""

    token = fields.Function(lambda view: view.table.token)
    stage = fields.Function(lambda view: view.table.stage)
    round = fields.Function(lambda view: view.table.round_number)
    number = fields.Function(lambda view: view.table.number)
    seats = fields.Method("seats_of")
    deals_wanted = fields.Function(lambda view: view.deals_wanted if view.game.counts_deals else 0)
    state = fields.Function(lambda view: view.state.value)
    revision = fields.Integer()
    confirmed_revision = fields.Integer()
    published_revision = fields.Integer(
        metadata={"description": "what is in force: standings and public pages read nothing else"}
    )
    published_at = fields.AwareDateTime(format="iso")
    in_force = fields.Boolean(
        metadata={"description": "nothing of the sheet is being written, confirmed or held back"}
    )
    locked = fields.Function(
        lambda view: view.locked(clock.now()),
        metadata={"description": "已锁定: the round's corrections are over"},
    )
    confirmation = fields.Function(
        lambda view: view.terms.confirmation.value,
        metadata={"description": "how it is confirmed: at_table, players or blind"},
    )
    waiting_for = fields.Function(
        lambda view: [entrant_of(seat.entry_id) for seat in view.waiting_for],
        metadata={"description": "the sides that have not said that the handed-in sheet is right"},
    )
    awaits_second = fields.Boolean(
        metadata={"description": "a second referee has to enter it; who could be that sees nothing of it"}
    )
    words = fields.List(
        fields.Nested(SaidSchema), metadata={"description": "what was said of the newest revision"}
    )
    holder = fields.Function(
        lambda view: HolderSchema().dump(queries.holding(view)) if view.holder else None,
        metadata={"description": "whose device writes on it (记分中); null while nobody's does"},
    )
    deals = fields.Method("deals_of")
    outcome = fields.Dict(
        metadata={
            "description": "what the sheet says besides its deals, in the keys of a new revision; null if nothing"
        }
    )
    totals = fields.Method("totals_of")
    match = fields.Method(
        "match_of",
        metadata={
            "description": "the match of 升级 as the score document has a table, and `faults` by field; null of other games"
        },
    )
    next_first_bidder = fields.Function(
        lambda view: (
            None
            if view.complete or not view.game.counts_deals
            else entrant_of(view.first_bidder(len(view.deals) + 1).entry_id)
        )
    )

    def seats_of(self, view: SheetView) -> list[dict[str, str]]:
        return [
            {"entrant": entrant, "name": seat.name, "unit": seat.unit_name}
            for entrant, seat in view.seats.items()
        ]

    def totals_of(self, view: SheetView) -> dict[str, int]:
        # of a match there are levels instead, in `match`
        return {} if view.match else {str(entrant): points for entrant, points in view.totals.items()}

    def match_of(self, view: SheetView) -> dict[str, Any] | None:
        return match_document(view)

    def deals_of(self, view: SheetView) -> list[dict[str, Any]]:
        if not view.game.counts_deals:
            return list(view.deals)
        seats = tuple(view.seats)
        return [deal | {"scores": dict(score(deal, seats, view.rules).points)} for deal in view.deals]


def match_document(view: SheetView) -> dict[str, Any] | None:
    """The match of a sheet as the score document has a table, besides with what cannot be in it."""
    match = view.match
    if match is None:
        return None
    one, other = view.seats
    table = view.table
    shown: dict[str, Any] = {
        "faults": [
            {"field": key, "detail": show(text), "clause": clause}
            for key, (text, clause) in match.faults.items()
        ]
    }
    if match.score is None:
        return shown
    record = MatchRecord(table.number, Match((one, other)), running=False, path="")
    result = MatchResult(table.stage, table.round_number, record, match.score, ())
    return match_json(result, view.rules) | shown


class RevisionSchema(Schema):
    number = fields.Integer()
    deals = fields.Function(lambda view: list(view.deals))
    outcome = fields.Dict()
    handed_in = fields.Boolean()
    recorded_by = fields.Integer(attribute="recorded_by_id")
    recorded_at = fields.AwareDateTime(format="iso")
    device = fields.String()
    client_time = fields.AwareDateTime(format="iso")
    reason = fields.String()


class SheetHistorySchema(Schema):
    revisions = fields.List(fields.Nested(RevisionSchema))


History = dict[str, tuple[RevisionView, ...]]

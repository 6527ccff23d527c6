"""One deal of 升级 after the other: what it gives, who banks next. Deals here have no faults."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring_engine.tractor.levels import Side, climb
from scoring_engine.tractor.matches.faults import Standing
from scoring_engine.tractor.matches.formats import MatchFormat, next_seat
from scoring_engine.tractor.matches.records import Deal, Ended
from scoring_engine.tractor.matches.results import DealScore
from scoring_engine.tractor.penalties import Effect, Infringement, PenaltyLine, PlayedDeal, apply, record
from scoring_engine.values import EntrantId

_EFFECTS = {Ended.BANK_LOST: Effect.BANK_LOST, Ended.REPLAYED: Effect.REPLAY}


@dataclass(frozen=True, slots=True)
class State:
    """A match between two deals: levels of both sides, who banks, from which seat, who passed A."""

    levels: Mapping[EntrantId, int]
    bank: EntrantId | None = None
    seat: int | None = None
    past_a: EntrantId | None = None

    @property
    def standing(self) -> Standing:
        """What the next deal is checked against."""
        return Standing(self.bank, self.seat, self.past_a)

    def other(self, side: EntrantId) -> EntrantId:
        """The opponents of a side."""
        return next(one for one in self.levels if one != side)


def play_deal(
    state: State,
    number: int,
    deal: Deal,
    format_: MatchFormat,
    *,
    given: Sequence[Infringement] = (),
    late: Sequence[PenaltyLine] = (),
) -> tuple[State, DealScore]:
    """The match after a deal, and the deal's score. late: what lateness costs in this deal."""
    if deal.ended is Ended.GIVEN_UP:
        return _given_up(state, number, deal, format_, given)
    assert deal.banker is not None  # only a deal given up need not name one
    if deal.ended is Ended.REPLAYED:  # dealt anew: a first deal's bank is contended again
        lines = record(given, number, format_.penalties)
        return state, _score(number, deal, state, lines=lines, clause=_ended_clause(deal, lines, format_))
    state = replace(state, bank=deal.banker, seat=state.seat if deal.seat is None else deal.seat)
    if deal.ended is not Ended.PLAYED:
        if deal.ended is Ended.BANK_LOST:
            state = _pass_bank(state, deal.banker, format_, kept=False)
        lines = record(given, number, format_.penalties)
        return state, _score(number, deal, state, lines=lines, clause=_ended_clause(deal, lines, format_))
    assert deal.points is not None
    dug = format_.bottom.won(deal.bottom)
    before = deal.points + dug + sum(line.defenders for line in late)
    adjusted = apply(given, PlayedDeal(number, deal.banker, before), format_.penalties)
    result = format_.levels.result(adjusted.defenders_points)
    levels, side = 0, deal.banker if result.up is Side.BANKER else state.other(deal.banker)
    if result.up is not None:
        state, levels = _lift(state, side, result.levels, format_, banking=side == deal.banker)
    state = _pass_bank(state, deal.banker, format_, kept=not result.defenders_take_bank)
    score = _score(number, deal, state, lines=(*late, *adjusted.lines), clause=result.clause)
    return state, replace(
        score,
        dug=dug,
        defenders_points=adjusted.defenders_points,
        up=result.up if levels else None,
        levels=levels,
    )


def _given_up(
    state: State, number: int, deal: Deal, format_: MatchFormat, given: Sequence[Infringement]
) -> tuple[State, DealScore]:
    """自动放弃: the opponents go up and bank (I-C-8)."""
    assert deal.by is not None
    winner, banker = state.other(deal.by), deal.banker or state.bank
    banks = winner == banker
    state, levels = _lift(state, winner, format_.given_up_levels, format_, banking=banks)
    if banker is None:
        state = replace(state, bank=winner, seat=None)  # nobody had won the bank yet
    else:
        seat = state.seat if deal.seat is None else deal.seat
        state = _pass_bank(replace(state, seat=seat), banker, format_, kept=banks)
    lines = record(given, number, format_.penalties)
    score = _score(number, deal, state, lines=lines, clause=format_.clause_of("given_up"))
    side = Side.BANKER if banks else Side.DEFENDERS
    return state, replace(score, banker=banker, up=side if levels else None, levels=levels)


def _lift(
    state: State, side: EntrantId, levels: int, format_: MatchFormat, *, banking: bool
) -> tuple[State, int]:
    after = climb(
        state.levels[side], levels, banking=banking, must_play=format_.must_play, past_a=format_.past_a
    )
    past_a = side if after.past_a else state.past_a
    return replace(state, levels={**state.levels, side: after.level}, past_a=past_a), after.levels


def _pass_bank(state: State, banker: EntrantId, format_: MatchFormat, *, kept: bool) -> State:
    seat = state.seat
    if seat is not None:
        seat = next_seat(seat, side_keeps_bank=kept, rotation=format_.banker_rotation)
    return replace(state, bank=banker if kept else state.other(banker), seat=seat)


def _ended_clause(deal: Deal, lines: Sequence[PenaltyLine], format_: MatchFormat) -> str:
    """The clause of the penalty that ended a deal, else that of the bank, or of the end of time."""
    if deal.ended is Ended.UNFINISHED:
        return format_.clause_of("time_up")
    ending = (line for line in lines if format_.penalties.rules[line.rule].effect is _EFFECTS[deal.ended])
    return next((line.clause for line in ending), format_.clause_of("bank"))


def _score(
    number: int,
    deal: Deal,
    state: State,
    *,
    lines: Sequence[PenaltyLine],
    clause: str,
) -> DealScore:
    """A deal that nobody goes up in."""
    return DealScore(
        number=number,
        banker=deal.banker,
        ended=deal.ended,
        dug=0,
        defenders_points=None,
        up=None,
        levels=0,
        bank=state.bank,
        seat=state.seat,
        standing=dict(state.levels),
        penalties=tuple(lines),
        clause=clause,
    )

"""What cannot have happened in a match of 升级: order of bankers, points, bottoms, ends of deals, penalties."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring_engine.documents import key_path
from scoring_engine.tractor.bottom import bottom_faults
from scoring_engine.tractor.levels import ACE, level_name
from scoring_engine.tractor.matches.formats import PLAYERS, MatchFormat
from scoring_engine.tractor.matches.records import Deal, Ended, Match
from scoring_engine.tractor.penalties import (
    Effect,
    Infringement,
    effect_of,
    infringement_faults,
    side_fault,
)
from scoring_engine.tractor.rows import step_fault
from scoring_engine.values import EntrantId, Text

TIMES_THE_PACKS = 10
"""Points beyond so many times the packs' total, either way, are a slip of the pen: no deal has that many penalties."""

_ENDED_BY = {
    Effect.BANK_LOST: Ended.BANK_LOST,
    Effect.REPLAY: Ended.REPLAYED,
    Effect.DEAL_LOST: Ended.GIVEN_UP,
}


class Fault(NamedTuple):
    """One thing that cannot be: its path (`deals[2].banker`, `penalties[0].deal`), a sentence, the clause behind it."""

    path: str
    text: Text
    clause: str


class ImpossibleMatchError(ValueError):
    """A match that cannot have happened; `faults` holds everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("；".join(f"{fault.path}：{fault.text.zh}" for fault in self.faults))


class Standing(NamedTuple):
    """Before a deal: who must bank and from which seat, None where that is not known; who passed A."""

    bank: EntrantId | None
    seat: int | None
    past_a: EntrantId | None


def order_faults(
    path: str, deal: Deal, standing: Standing, format_: MatchFormat, *, further: int, last: bool
) -> Iterator[Fault]:
    """Whether a deal is played at all: not after A was passed, nor after time was up. further: which one since then."""
    if standing.past_a is not None:
        text = Text(
            f"{standing.past_a} 已打过A，比赛结束。", f"{standing.past_a} passed A; the match is over."
        )
        yield Fault(path, text, format_.clause_of("past_a"))
    if further > format_.further_deals:
        most = format_.further_deals
        text = Text(f"时间到后只再打{most}副。", f"Only {most} deals are played after time is called.")
        yield Fault(path, text, format_.clause_of("further_deals"))
    if deal.ended is Ended.UNFINISHED and format_.time_up == "finish":
        text = Text("时间到时正在打的一副应打完。", "The deal that runs when time is called is finished.")
        yield Fault(f"{path}.ended", text, format_.clause_of("time_up"))
    elif deal.ended is Ended.UNFINISHED and not last:
        text = Text("只有最后一副可以没打完。", "Only the last deal can be unfinished.")
        yield Fault(f"{path}.ended", text, format_.clause_of("time_up"))


def banker_faults(
    path: str, deal: Deal, standing: Standing, match: Match, format_: MatchFormat
) -> Iterator[Fault]:
    """Whether the side, and the player, bank whose turn it is; in the first deal the bank is contended."""
    clause = format_.clause_of("bank")
    strangers = [
        (key, side)
        for key, side in (("banker", deal.banker), ("by", deal.by))
        if side is not None and side not in match.sides
    ]
    for key, side in strangers:
        yield Fault(f"{path}.{key}", Text(f"{side} 不在本桌。", f"{side} is not at this table."), clause)
    if strangers:
        return
    banker = deal.banker or standing.bank
    if deal.banker is None and deal.ended is not Ended.GIVEN_UP:
        yield Fault(f"{path}.banker", Text("请写明庄家。", "Name the banker."), clause)
    elif standing.bank is not None and banker != standing.bank:
        text = Text(
            f"这一副应由 {standing.bank} 坐庄，不是 {banker}。", f"{standing.bank} must bank, not {banker}."
        )
        yield Fault(f"{path}.banker", text, clause)
    elif deal.seat is not None:
        if deal.seat not in range(PLAYERS) or banker != match.sides[deal.seat % 2]:
            text = Text(f"座位 {deal.seat} 不是庄家一方的。", f"Seat {deal.seat} is not the banker's side's.")
            yield Fault(f"{path}.seat", text, clause)
        elif standing.seat is not None and deal.seat != standing.seat:
            text = Text(f"这一副应由座位 {standing.seat} 坐庄。", f"Seat {standing.seat} must bank.")
            yield Fault(f"{path}.seat", text, clause)


def points_faults(path: str, deal: Deal, format_: MatchFormat) -> Iterator[Fault]:
    """Whether the points and the bottom can be, and stand where the deal was played out."""
    clause, deck = format_.clause_of("deck"), format_.deck
    if (deal.by is None) == (deal.ended is Ended.GIVEN_UP):
        text = Text(
            "放弃的一副、也只有这样的一副，要写明放弃的一方。",
            "A deal given up, and no other, names the side that did.",
        )
        yield Fault(f"{path}.by", text, format_.clause_of("given_up"))
    if deal.ended is not Ended.PLAYED:
        void = Text("没有打完的一副不计分。", "A deal that was not played out has no points.")
        if deal.points is not None:
            yield Fault(f"{path}.points", void, clause)
        if deal.bottom is not None:
            yield Fault(f"{path}.bottom", void, clause)
        return
    if deal.points is None:
        yield Fault(f"{path}.points", Text("请写明防家得分。", "Give the defenders' points."), clause)
    elif (fault := step_fault(deal.points)) is not None:
        yield Fault(f"{path}.points", fault, clause)
    elif abs(deal.points) > (most := TIMES_THE_PACKS * deck.points):
        text = Text(
            f"全副牌共{deck.points}分，连同判罚也不能是{deal.points}分；应在−{most}分到{most}分之间。",
            f"The packs hold {deck.points} points; {deal.points} cannot be, penalties included (−{most}…{most}).",
        )
        yield Fault(f"{path}.points", text, clause)
    if deal.bottom is not None:
        for key, text in bottom_faults(deal.bottom, deck):
            yield Fault(f"{path}.bottom.{key}", text, format_.bottom.clause)


def penalty_faults(index: int, one: Infringement, match: Match, format_: MatchFormat) -> list[Fault]:
    """What is wrong with a penalty before its deal is looked at."""
    book = format_.penalties
    found = infringement_faults(one, book)
    if one.offender not in match.sides:
        found.append(("entrant", Text(f"{one.offender} 不在本桌。", f"{one.offender} is not at this table.")))
    if not found and one.deal is not None:
        if match.deals is None:
            text = Text(
                "本桌只记了最后的级数，判罚已在其中；请补录各副。",
                "Only the end of this match is known, penalties included; give its deals.",
            )
            found.append(("deal", text))
        elif one.deal < 1:
            found.append(("deal", Text("副数从1起。", "Deals are counted from 1.")))
    clause = book.rules[one.rule].clause if one.rule in book.rules else format_.clause
    return [Fault(f"penalties[{index}].{key}", text, clause) for key, text in found]


def committed_faults(
    index: int, one: Infringement, deal: Deal, banker: EntrantId | None, format_: MatchFormat
) -> Iterator[Fault]:
    """Whether the side can have committed this in its deal, and the deal ended as the penalty says."""
    rule, path = format_.penalties.rules[one.rule], f"penalties[{index}]"
    if banker is not None and (fault := side_fault(rule, offender_banks=one.offender == banker)) is not None:
        yield Fault(f"{path}.entrant", fault, rule.clause)
    ended = _ENDED_BY.get(effect_of(one, format_.penalties))
    if ended is None or (deal.ended is ended and (ended is not Ended.GIVEN_UP or deal.by == one.offender)):
        return
    text = Text(
        f"按此判罚，第{one.deal}副应记为 {ended}。", f"With this penalty deal {one.deal} ended as {ended}."
    )
    yield Fault(f"{path}.deal", text, rule.clause)


def end_faults(
    match: Match, levels: dict[EntrantId, int], standing: Standing, format_: MatchFormat
) -> Iterator[Fault]:
    """Whether the recorded end can be, and, where the deals are known, is what they add up to."""
    end = match.end
    if end is None:
        return
    clause = format_.clause
    for side in match.sides:
        level = end.levels.get(side)
        if level not in range(format_.start, ACE + 1):
            text = Text(
                f"级数为{level_name(format_.start)}—A。", f"A level is {level_name(format_.start)}…A."
            )
            yield Fault(key_path("levels", side), text, format_.clause_of("start"))
        elif match.deals is not None and level != levels[side]:
            shown = level_name(levels[side])
            text = Text(f"各副相加打到{shown}，与此不符。", f"The deals lead to {shown}.")
            yield Fault(key_path("levels", side), text, clause)
    if end.past_a is not None and end.levels.get(end.past_a) != ACE:
        text = Text("打过A的一方级数为A。", "The side that passed A stands at A.")
        yield Fault("past_a", text, format_.clause_of("past_a"))
    for key, named in (("bank", end.bank), ("past_a", end.past_a)):
        if named is not None and named not in match.sides:
            yield Fault(key, Text(f"{named} 不在本桌。", f"{named} is not at this table."), clause)
    if match.deals is None:
        return
    for key, said, found in (("bank", end.bank, standing.bank), ("past_a", end.past_a, standing.past_a)):
        if said is not None and said != found:
            text = Text(
                f"按各副应为{'无' if found is None else f' {found}'}。",
                f"By the deals this is {found or 'nobody'}.",
            )
            yield Fault(key, text, clause)

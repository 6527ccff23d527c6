"""One deal of 二打一 (一副牌): who bids first, who becomes landlord, what each player scores.

A defender scores bid × (+1 if the defenders win, −1 if not) × 2^n; the landlord the negative of both together.
n counts the rockets and bombs played, 春天 and 反春 (A, 四(二)比赛通则7). A deal that the rules or the cards
in hand make impossible is refused, never corrected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring_engine.values import EntrantId, Text

SEATS = 3
HAND = 17  # 手牌: seventeen cards each
LANDLORD_HAND = 20  # with the three cards of the bottom (底牌)
RANKS = 13  # ranks that four cards exist of, so thirteen bombs at most
DOUBLINGS = ("rockets", "bombs", "spring", "anti_spring")
DEAL_KEYS = ("landlord", "bid", "winner", *DOUBLINGS)
BIDDING_KEYS = ("first_bidder", "bids")
CLAUSE_KEYS = (*DEAL_KEYS, *BIDDING_KEYS)
"""What a deal may hold that a regulation can give a clause of its own."""


class Side(StrEnum):
    """The side that won a deal (胜方)."""

    LANDLORD = "landlord"
    DEFENDERS = "defenders"


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal as it is written on the score sheet; `landlord` None is a passed-out deal (流局).

    seats: the three entrants, counter-clockwise. rockets, bombs: how many were played, by anyone.
    spring 春天: the landlord went out and the defenders played nothing. anti_spring 反春: the landlord played only his
    first hand and the defenders won.
    """

    seats: tuple[EntrantId, ...]
    landlord: EntrantId | None
    bid: int = 0
    winner: Side | None = None
    rockets: int = 0
    bombs: int = 0
    spring: bool = False
    anti_spring: bool = False

    @classmethod
    def passed_out(cls, seats: tuple[EntrantId, ...]) -> "Deal":
        """A deal in which all three passed: a draw, 0 for everyone."""
        return cls(seats, None)


@dataclass(frozen=True, slots=True)
class DealScore:
    """Points of each entrant in one deal, and who won it; the points of the three add up to 0."""

    points: Mapping[EntrantId, int]
    landlord: EntrantId | None
    winners: frozenset[EntrantId]


class ImpossibleDealError(ValueError):
    """A deal that cannot have happened; `faults` lists every (key of the deal, sentence)."""

    def __init__(self, faults: Sequence[tuple[str, Text]]) -> None:
        self.faults = tuple(faults)
        super().__init__("；".join(text.zh for _, text in self.faults))


class BiddingError(ValueError):
    """A call that the bidding rules do not allow; `call` is its index, `text` says why."""

    def __init__(self, call: int, text: Text) -> None:
        self.call = call
        self.text = text
        super().__init__(text.zh)


@dataclass(frozen=True, slots=True)
class Auction:
    """The bidding so far (叫牌): `finished`, and then the landlord's seat, or None where all three passed."""

    finished: bool
    landlord_seat: int | None
    bid: int


def first_bidder(deal_number: int, first_seat: int = 0) -> int:
    """Seat (0…2) that bids first in a deal (1, 2, …).

    `first_seat` is the seat drawn for deal 1; then the first bid goes round counter-clockwise, as the seats are
    numbered. A passed-out deal counts: the next deal has the next first bidder (A, 四(二)术语3 首叫, I-A-2).
    """
    if deal_number < 1 or first_seat not in range(SEATS):
        raise ValueError(f"deal {deal_number}, seat {first_seat}")
    return (first_seat + deal_number - 1) % SEATS


def auction(calls: Sequence[int], first_seat: int = 0, bids: Sequence[int] = (1, 2, 3)) -> Auction:
    """The bidding after these calls, in order from the first bidder; 0 is a pass (不叫).

    Each player calls once, higher than every call before or a pass; the highest bid ends the bidding at once
    (A, 四(二)比赛通则2). Raises BiddingError for the first call that is not allowed.
    """
    highest, holder = 0, None
    for index, call in enumerate(calls):
        if index >= SEATS:
            raise BiddingError(index, Text("每人只有一次叫牌权利。", "Each player calls once."))
        if highest == max(bids):
            raise BiddingError(
                index, Text(f"已叫到{highest}分，叫牌结束。", f"A bid of {highest} ended the bidding.")
            )
        if call != 0 and call not in bids:
            raise BiddingError(index, Text(f"没有{call}分的叫分。", f"There is no bid of {call}."))
        if call != 0 and call <= highest:
            raise BiddingError(
                index,
                Text(f"叫分必须高于{highest}分或不叫。", f"A bid must be higher than {highest}, or a pass."),
            )
        if call:
            highest, holder = call, (first_seat + index) % SEATS
    finished = len(calls) == SEATS or highest == max(bids)
    return Auction(finished, holder if finished else None, highest if finished else 0)


def most_bombs(deal: Deal) -> int:
    """The most bombs that can have been played in a deal with this winner, rocket and spring.

    Counted from the hands alone: the landlord has 20 cards, a defender 17, so a defender holds four bombs and one
    more card, the landlord five. 春天: only the landlord's cards were played. 反春: one hand of the landlord (his only
    bomb, and no rocket, for nothing beats a rocket and he would have to lead again) and the defenders' cards.
    Where the defenders win, the landlord keeps a card. Whoever holds the rocket has two cards less for bombs.
    """
    defender = HAND // 4
    if deal.spring:
        return (LANDLORD_HAND - 2 * deal.rockets) // 4
    if deal.anti_spring:
        holder = (HAND - 2 * deal.rockets) // 4
        return 1 + holder + defender
    if deal.winner == Side.DEFENDERS:
        return (LANDLORD_HAND - 1) // 4 + 2 * defender
    return RANKS - deal.rockets


def faults_of(deal: Deal, bids: Sequence[int] = (1, 2, 3)) -> list[tuple[str, Text]]:
    """Everything that makes a deal impossible, as (key of the deal, sentence); empty where it can have happened."""
    if deal.landlord is None:
        return []
    faults: list[tuple[str, Text]] = []
    if deal.landlord not in deal.seats:
        faults.append(
            (
                "landlord",
                Text(f"庄家 {deal.landlord} 不在本桌。", f"Landlord {deal.landlord} is not at this table."),
            )
        )
    if deal.bid not in bids:
        shown = "、".join(str(bid) for bid in bids)
        faults.append(
            (
                "bid",
                Text(
                    f"庄家的叫分只能是{shown}分，不能是{deal.bid}分。",
                    f"A landlord's bid is one of {', '.join(map(str, bids))}, not {deal.bid}.",
                ),
            )
        )
    if deal.rockets not in (0, 1):
        faults.append(
            ("rockets", Text("一副牌最多打出一个火箭。", "At most one rocket can be played in a deal."))
        )
    if deal.spring and deal.anti_spring:
        faults.append(
            (
                "anti_spring",
                Text("春天与反春不能同时成立。", "Spring and anti-spring cannot both stand."),
            )
        )
    elif deal.spring and deal.winner != Side.LANDLORD:
        faults.append(("spring", Text("庄家未获胜，不能是春天。", "Spring needs the landlord to win.")))
    elif deal.anti_spring and deal.winner != Side.DEFENDERS:
        faults.append(
            ("anti_spring", Text("防守方未获胜，不能是反春。", "Anti-spring needs the defenders to win."))
        )
    if deal.bombs < 0:
        faults.append(("bombs", Text("炸弹数不能小于0。", "The number of bombs cannot be below 0.")))
    elif not faults and deal.bombs > (most := most_bombs(deal)):
        faults.append(
            (
                "bombs",
                Text(
                    f"按手牌张数，本副牌最多打出{most}个炸弹，不能是{deal.bombs}个。",
                    f"From the cards in hand at most {most} bombs can be played in this deal, not {deal.bombs}.",
                ),
            )
        )
    return faults


def score_deal(
    deal: Deal, bids: Sequence[int] = (1, 2, 3), doublings: Sequence[str] = DOUBLINGS
) -> DealScore:
    """Points of the three players in one deal (A, 四(二)比赛通则7). Raises ImpossibleDealError."""
    if len(set(deal.seats)) != SEATS:
        raise ValueError(f"a table has three entrants, not {deal.seats}")
    if deal.landlord is None:
        return DealScore(dict.fromkeys(deal.seats, 0), None, frozenset())
    faults = faults_of(deal, bids)
    if deal.winner is None:
        faults.append(("winner", Text("未写明胜方。", "The winner is missing.")))
    if faults:
        raise ImpossibleDealError(faults)
    counts = {
        "rockets": deal.rockets,
        "bombs": deal.bombs,
        "spring": int(deal.spring),
        "anti_spring": int(deal.anti_spring),
    }
    n = sum(counts[key] for key in doublings)
    sign = 1 if deal.winner == Side.DEFENDERS else -1
    defender_points = deal.bid * sign * 2**n
    points = {seat: -2 * defender_points if seat == deal.landlord else defender_points for seat in deal.seats}
    won_by_landlord = deal.winner == Side.LANDLORD
    winners = frozenset(seat for seat in deal.seats if (seat == deal.landlord) == won_by_landlord)
    return DealScore(points, deal.landlord, winners)

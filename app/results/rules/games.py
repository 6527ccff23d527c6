"""How a table of each game is entered, checked and written into the event file: one row of ``GAMES`` a game.

| game | the sheet holds | complete |
|---|---|---|
| 二打一, knock-out | the deals (各副) | every deal is in |
| 二打一 by points (快乐二打一) | the deals; who forfeited, minutes late (附件4八(六)) | every deal is in, or somebody forfeited |
| 围棋, 象棋 | the winner, or a draw; who forfeited; violations | one of them is there |
| 拖拉机, 八十分 (`rules.matches`) | the deals, or both levels at the end; penalties, lateness, forfeits | any of them is there |

Besides its deals a sheet says an ``Outcome``, in the keys of the event file: ``winner`` (null is a draw), ``forfeits``,
``late``, ``levels``, ``bank``, ``past_a``, ``announced_in``; and ``violations`` (违例、犯规 by player) and ``penalties`` (判罚),
which the event file has among its adjustments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from app.errors import InvalidError
from app.results.rules.content import (
    Content,
    Faults,
    InvalidOutcomeError,
    Names,
    Outcome,
    ResultMissingError,
)
from app.results.rules.matches import (
    END_KEYS,
    MATCH_KEYS,
    MatchResultMissingError,
    complete_match,
    match_faults,
    penalties_json,
    with_match_outcome,
)
from app.results.rules.matches import checked_deal as checked_match_deal
from app.results.rules.matches import checked_outcome as checked_match
from app.results.rules.sheets import (
    DealRecord,
    DealsMissingError,
    NotCheckedError,
    checked_deal,
    complete,
    counted,
)
from app.text import T
from scoring_engine.documents import exact_number
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules import Format, PenaltyRule, ScoringRules
from scoring_engine.values import EntrantId, decimal_text

_ADJUSTMENTS = ("violations", "penalties")
"""What of an outcome the event file has among its adjustments."""

MOST_VIOLATIONS = 99
MOST_MINUTES = 600
OUTCOME_KEYS = ("winner", "forfeits", "late", "violations", *END_KEYS, "announced_in", "penalties")


class Kind(StrEnum):
    """What a sheet is about: so many deals, one game at a board, or a match (升级)."""

    DEALS = "deals"
    BOARD = "board"
    MATCH = "match"


class BothNotCheckedError(NotCheckedError):
    """Handing in without the check of both players (双方核对)."""

    sentence = T("请让双方选手核对后，勾选“双方已核对”。")


class SidesNotCheckedError(NotCheckedError):
    """Handing in a match without the check of both sides."""

    sentence = T("请让双方核对后，勾选“双方已核对”。")


def _no_faults(_content: Content, _names: Names, _rules: ScoringRules) -> Faults:
    return {}


def _as_recorded(before: Content, outcome: Outcome | None, _rules: ScoringRules) -> Content:
    return replace(before, outcome=outcome)


@dataclass(frozen=True, slots=True)
class Game:
    """How one game's tables are kept.

    kind: what its pages and answers look like. page: the template of the sheet. keys: what an outcome may hold. check: the
    outcome as it is stored, every fault beside its field. complete: whether it can be handed in. seats: the seats in the
    keys of the event file. not_checked: what handing in without the players' check answers. adjustments: what of a sheet
    the event file has among its adjustments. deal: one deal as it is stored, None where none are recorded. faults: what
    cannot be in the sheet as a whole. with_outcome: a content with another outcome.
    """

    kind: Kind
    page: str
    keys: tuple[str, ...]
    check: Callable[[Outcome, Names, ScoringRules], dict[str, Any]]
    complete: Callable[[Content, int, ScoringRules], bool]
    seats: Callable[[Sequence[EntrantId]], dict[str, Any]]
    not_checked: type[NotCheckedError]
    adjustments: Callable[[str, int, int, Content, ScoringRules], list[dict[str, Any]]]
    deal: Callable[[Mapping[str, Any], Mapping[EntrantId, str], ScoringRules, str], DealRecord] | None = None
    faults: Callable[[Content, Names, ScoringRules], Faults] = _no_faults
    with_outcome: Callable[[Content, Outcome | None, ScoringRules], Content] = _as_recorded

    @property
    def plays_deals(self) -> bool:
        """Whether deals are recorded, one by one."""
        return self.deal is not None

    @property
    def counts_deals(self) -> bool:
        """Whether a table has a number of deals."""
        return self.kind is Kind.DEALS

    def missing(self, content: Content, deals: int, rules: ScoringRules, clause: str) -> InvalidError:
        """What handing in ``content``, which is not complete, is answered."""
        match self.kind:
            case Kind.DEALS:
                return DealsMissingError(counted(content.deals, rules), deals, clause=clause)
            case Kind.MATCH:
                return MatchResultMissingError(clause=clause)
            case Kind.BOARD:
                return ResultMissingError(clause=clause)

    def checked(self, sent: Outcome, names: Names, rules: ScoringRules) -> Outcome | None:
        """``sent`` as it is stored, None where it says nothing. Raises ``InvalidOutcomeError``."""
        strange = [key for key in OUTCOME_KEYS if key in sent and key not in self.keys]
        if strange:
            faults = {key: T("这个项目的记分表没有这一项。") for key in strange}
            raise InvalidOutcomeError(faults, clause=rules.scoring_clause)
        return self.check(sent, names, rules) or None

    def table_json(self, number: int, seats: Sequence[EntrantId], content: Content | None) -> dict[str, Any]:
        """The table as the event file writes it; ``content`` is the confirmed one, None while there is none."""
        shown: dict[str, Any] = {"number": number, **self.seats(seats)}
        if content is None:
            return shown
        if self.plays_deals and (content.deals or not content.outcome):
            shown["deals"] = list(content.deals)
        return shown | {
            key: value for key, value in (content.outcome or {}).items() if key not in _ADJUSTMENTS
        }


BOARD_RESULTS: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "first": ("first", ()),
    "draw": ("draw", ()),
    "second": ("second", ()),
    "first_forfeits": ("", (0,)),
    "second_forfeits": ("", (1,)),
    "both_forfeit": ("", (0, 1)),
}
"""What the buttons of a board say: who won, and which seats forfeited."""


def board_outcome(result: str, seats: Sequence[EntrantId], violations: Sequence[int]) -> dict[str, Any]:
    """The outcome of a board by its button and the violations of each seat."""
    won, forfeits = BOARD_RESULTS[result]
    winners = {"first": seats[0], "second": seats[1], "draw": None}
    said: dict[str, Any] = (
        {"winner": winners[won]} if won else {"forfeits": [seats[place] for place in forfeits]}
    )
    counted = {seat: count for seat, count in zip(seats, violations, strict=True) if count}
    return said | ({"violations": counted} if counted else {})


def board_result(outcome: Outcome | None, seats: Sequence[EntrantId]) -> str | None:
    """Which button an outcome is; None where there is none yet."""
    said = {key: value for key, value in (outcome or {}).items() if key != "violations"}
    found = (result for result in BOARD_RESULTS if board_outcome(result, seats, (0,) * len(seats)) == said)
    return next(found, None)


def game_of(rules: ScoringRules) -> Game:
    """How the tables of this regulation are kept."""
    return GAMES[rules.game, rules.format]


def violation_rule(rules: ScoringRules) -> PenaltyRule | None:
    """The penalty that is counted in the ranking (违例、犯规), where the regulation has one."""
    return next((rule for rule in rules.penalties.values() if rule.effect is Effect.VIOLATION), None)


def violations_json(
    stage: str, round_number: int, table: int, content: Content, rules: ScoringRules
) -> list[dict[str, Any]]:
    """The violations of a table as adjustments of the event file."""
    rule = violation_rule(rules)
    if rule is None:
        return []
    return [
        {
            "id": f"{rule.id}-{stage}-{round_number}-{table}-{entrant}",
            "rule": rule.id,
            "entrant": entrant,
            "stage": stage,
            "round": round_number,
            "count": count,
        }
        for entrant, count in (content.outcome or {}).get("violations", {}).items()
    ]


def _nothing(_sent: Outcome, _names: Names, _rules: ScoringRules) -> dict[str, Any]:
    return {}


def _check_board(sent: Outcome, names: Names, rules: ScoringRules) -> dict[str, Any]:
    faults: dict[str, T] = {}
    forfeits = _seated(sent, "forfeits", names, faults)
    winner = sent.get("winner")
    if winner is not None and winner not in names:
        faults["winner"] = T("胜方不在本桌，本桌是 %(names)s。", names="、".join(names.values()))
    elif winner is not None and winner in forfeits:
        faults["winner"] = T("弃权的一方不能是胜方。")
    elif "winner" in sent and winner is None and forfeits:
        faults["winner"] = T("有人弃权，不是和棋。")
    violations = _violations(sent, names, rules, faults)
    if faults:
        raise InvalidOutcomeError(faults, clause=rules.scoring_clause)
    found: dict[str, Any] = {}
    if forfeits:
        found["forfeits"] = forfeits
    elif "winner" in sent:
        found["winner"] = winner
    return found | ({"violations": violations} if violations else {})


def _check_rounds(sent: Outcome, names: Names, rules: ScoringRules) -> dict[str, Any]:
    faults: dict[str, T] = {}
    forfeits = _seated(sent, "forfeits", names, faults)
    late: dict[str, Any] = {}
    for entrant, written in (sent.get("late") or {}).items():
        minutes = exact_number(written)
        if entrant not in names:
            faults[f"late.{entrant}"] = T(
                "迟到的选手不在本桌，本桌是 %(names)s。", names="、".join(names.values())
            )
        elif minutes is None or not 0 <= minutes <= MOST_MINUTES:
            faults[f"late.{entrant}"] = T("迟到分钟数应为 0 到 %(most)s 的数。", most=MOST_MINUTES)
        elif minutes:
            late[entrant] = int(minutes) if minutes.denominator == 1 else decimal_text(minutes)
    if faults:
        raise InvalidOutcomeError(faults, clause=rules.rounds.forfeits.clause)
    ordered = {entrant: late[entrant] for entrant in names if entrant in late}
    return ({"forfeits": forfeits} if forfeits else {}) | ({"late": ordered} if ordered else {})


def _seated(sent: Outcome, key: str, names: Names, faults: dict[str, T]) -> list[str]:
    """The entrants under a key, in seat order."""
    written = list(sent.get(key) or ())
    if any(entrant not in names for entrant in written):
        faults[key] = T("弃权的选手不在本桌，本桌是 %(names)s。", names="、".join(names.values()))
    return [entrant for entrant in names if entrant in written]


def _violations(sent: Outcome, names: Names, rules: ScoringRules, faults: dict[str, T]) -> dict[str, int]:
    found: dict[str, int] = {}
    for entrant, count in (sent.get("violations") or {}).items():
        if violation_rule(rules) is None:
            faults["violations"] = T("规程没有计入名次的违例。")
        elif entrant not in names:
            faults[f"violations.{entrant}"] = T(
                "违例的选手不在本桌，本桌是 %(names)s。", names="、".join(names.values())
            )
        elif not 0 <= count <= MOST_VIOLATIONS:
            faults[f"violations.{entrant}"] = T("违例次数应为 0 到 %(most)s。", most=MOST_VIOLATIONS)
        elif count:
            found[entrant] = count
    return {entrant: found[entrant] for entrant in names if entrant in found}


def _all_deals(content: Content, deals: int, rules: ScoringRules) -> bool:
    return complete(content.deals, deals, rules)


def _deals_or_forfeit(content: Content, deals: int, rules: ScoringRules) -> bool:
    return complete(content.deals, deals, rules) or bool(forfeited(content, rules))


def forfeited(content: Content, rules: ScoringRules) -> tuple[str, ...]:
    """Who forfeited at a table of 快乐二打一: said to have, or too late by the regulation's minutes (附件4八(六))."""
    late = (content.outcome or {}).get("late", {})
    lateness = rules.rounds.lateness
    too_late = [
        entrant
        for entrant, minutes in late.items()
        if (exact := exact_number(minutes)) is not None and lateness.is_forfeit(exact)
    ]
    return tuple(dict.fromkeys([*content.forfeits, *too_late]))


def _board_result(content: Content, _deals: int, _rules: ScoringRules) -> bool:
    outcome = content.outcome or {}
    return "winner" in outcome or "forfeits" in outcome


def _in_seats(seats: Sequence[EntrantId]) -> dict[str, Any]:
    return {"seats": list(seats)}


def _at_a_board(seats: Sequence[EntrantId]) -> dict[str, Any]:
    first, second = seats
    return {"first": first, "second": second}


def _in_sides(seats: Sequence[EntrantId]) -> dict[str, Any]:
    return {"sides": list(seats)}


_DEALS = Game(
    kind=Kind.DEALS,
    page="results/sheet.html",
    keys=(),
    check=_nothing,
    complete=_all_deals,
    seats=_in_seats,
    not_checked=NotCheckedError,
    adjustments=violations_json,
    deal=checked_deal,
)
_BOARD = Game(
    kind=Kind.BOARD,
    page="results/board.html",
    keys=("winner", "forfeits", "violations"),
    check=_check_board,
    complete=_board_result,
    seats=_at_a_board,
    not_checked=BothNotCheckedError,
    adjustments=violations_json,
)
_MATCH = Game(
    kind=Kind.MATCH,
    page="results/match.html",
    keys=MATCH_KEYS,
    check=checked_match,
    complete=complete_match,
    seats=_in_sides,
    not_checked=SidesNotCheckedError,
    adjustments=penalties_json,
    deal=checked_match_deal,
    faults=match_faults,
    with_outcome=with_match_outcome,
)

GAMES: Mapping[tuple[str, Format], Game] = {
    ("landlord", Format.KNOCK_OUT): _DEALS,
    ("landlord", Format.SWISS): replace(
        _DEALS, keys=("forfeits", "late"), check=_check_rounds, complete=_deals_or_forfeit
    ),
    ("go", Format.SWISS): _BOARD,
    ("xiangqi", Format.SWISS): _BOARD,
    ("tractor", Format.SWISS): _MATCH,
    ("eighty", Format.BRACKET): _MATCH,
}
"""How the tables of each game are kept, by the game and the format of the regulation."""

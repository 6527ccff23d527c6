"""How a table of each game is entered, checked and written into the event file: one row of ``GAMES`` a game.

| game | the sheet holds | complete |
|---|---|---|
| 二打一, knock-out | the deals (各副) | every deal is in |
| 二打一 by points (快乐二打一) | the deals; who forfeited, minutes late (附件4八(六)) | every deal is in, or somebody forfeited |
| 围棋, 象棋 | the winner, or a draw; who forfeited; violations | one of them is there |

Besides its deals a sheet says an ``Outcome``, in the keys of the event file: ``winner`` (null is a draw), ``forfeits``,
``late``; and ``violations`` (违例、犯规 by player), which the event file has among its adjustments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.errors import InvalidError
from app.results.rules.sheets import DealRecord, NotCheckedError, complete
from app.text import T
from scoring_engine.documents import exact_number
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules import Format, PenaltyRule, ScoringRules
from scoring_engine.values import EntrantId, decimal_text

Outcome = Mapping[str, Any]
Names = Mapping[EntrantId, str]
"""The entrants of a table in seat order, with their names."""

MOST_VIOLATIONS = 99
MOST_MINUTES = 600
OUTCOME_KEYS = ("winner", "forfeits", "late", "violations")


@dataclass(frozen=True, slots=True)
class Content:
    """What a revision of a sheet says: its deals, and everything else."""

    deals: tuple[DealRecord, ...] = ()
    outcome: Outcome | None = None

    @property
    def empty(self) -> bool:
        return not self.deals and not self.outcome

    @property
    def forfeits(self) -> tuple[str, ...]:
        return tuple((self.outcome or {}).get("forfeits", ()))


class InvalidOutcomeError(InvalidError):
    """A result that cannot be; ``fields`` says where."""

    def __init__(self, fields: Mapping[str, T], *, clause: str | None) -> None:
        super().__init__(next(iter(fields.values())), clause=clause, fields=fields)


class ResultMissingError(InvalidError):
    """Handing in a board without a result."""

    def __init__(self, *, clause: str | None) -> None:
        text = T("请选择本台的结果。")
        super().__init__(text, clause=clause, fields={"winner": text})


class BothNotCheckedError(NotCheckedError):
    """Handing in without the check of both players (双方核对)."""

    sentence = T("请让双方选手核对后，勾选“双方已核对”。")


@dataclass(frozen=True, slots=True)
class Game:
    """How one game's tables are kept.

    page: the template of the sheet. plays_deals: whether deals are recorded, one by one. keys: what an outcome may
    hold. check: the outcome as it is stored, every fault beside its field. complete: whether it can be handed in.
    seats: the seats in the keys of the event file. not_checked: what handing in without the players' check answers.
    """

    page: str
    plays_deals: bool
    keys: tuple[str, ...]
    check: Callable[[Outcome, Names, ScoringRules], dict[str, Any]]
    complete: Callable[[Content, int, ScoringRules], bool]
    seats: Callable[[Sequence[EntrantId]], dict[str, Any]]
    not_checked: type[NotCheckedError]

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
        return shown | {key: value for key, value in (content.outcome or {}).items() if key != "violations"}


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


_DEALS = Game("results/sheet.html", True, (), _nothing, _all_deals, _in_seats, NotCheckedError)
_DEALS_IN_ROUNDS = Game(
    "results/sheet.html",
    True,
    ("forfeits", "late"),
    _check_rounds,
    _deals_or_forfeit,
    _in_seats,
    NotCheckedError,
)
_BOARD = Game(
    page="results/board.html",
    plays_deals=False,
    keys=("winner", "forfeits", "violations"),
    check=_check_board,
    complete=_board_result,
    seats=_at_a_board,
    not_checked=BothNotCheckedError,
)

GAMES: Mapping[tuple[str, Format], Game] = {
    ("landlord", Format.KNOCK_OUT): _DEALS,
    ("landlord", Format.SWISS): _DEALS_IN_ROUNDS,
    ("go", Format.SWISS): _BOARD,
    ("xiangqi", Format.SWISS): _BOARD,
}
"""How the tables of each game are kept, by the game and the format of the regulation."""

"""What a regulation says of a match of 升级, and the options for what it leaves open.

`MatchFormat.read` takes a regulation document: its `scoring` (`decks`, `bottom_cards`, `clause`, `clauses`, and the tables
`levels`, `bottom`, `match`), its `penalties` and its `lateness`. A reading of a silent sentence is an option: the key then
stands among the resolved options instead of in `scoring.match`, which holds what the text says itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring_engine.documents import Node, Problems
from scoring_engine.tractor.bottom import BottomMultipliers, Deck
from scoring_engine.tractor.lateness import LATE_MINUTES, Lateness
from scoring_engine.tractor.levels import ACE, MOST_LEVELS, PAST_A, LevelTable, level_of
from scoring_engine.tractor.penalties import WARNED_PER, PenaltyBook
from scoring_engine.tractor.rows import raise_problems, refuse_other_keys
from scoring_engine.tractor.tricks.formats import CLAUSE_KEYS as TRICK_CLAUSE_KEYS

PLAYERS = 4
MOST_FURTHER_DEALS = 10
BANKER_ROTATION = ("partner", "same_player")
TIME_UP = ("finish", "stop")
EQUAL_LEVELS = ("draw", "bank")
MUST_PLAY = ("hold_bank", "free")

OPTIONS: Mapping[str, tuple[Mapping[str, str], tuple[str, ...] | range]] = {
    # 必打 levels: left only by holding the bank there and winning, never skipped; or no restriction.
    "must_play": ({"D": "I-D-2"}, MUST_PLAY),
    # The side keeps the bank: the banker's partner banks next, or the same player. In C the text says it (八(十)3).
    "banker_rotation": ({"D": "I-D-4"}, BANKER_ROTATION),
    # Equal levels at the end: a draw, or the side in the bank wins. In D the text says it (五3).
    "equal_levels": ({"C": "I-C-3"}, EQUAL_LEVELS),
    # Passing A: only from A, where every side stops; or levels beyond A from anywhere.
    "past_a": ({"C": "I-C-13", "D": "I-D-13"}, PAST_A),
    # The deal that runs when time is up: finished, or void. C finishes it (再打二副牌, 打完结束).
    "time_up": ({"D": "I-D-5"}, TIME_UP),
    # How many deals are played after it; 1 in C counts the running deal as one of the two.
    "further_deals": ({"C": "I-C-18"}, range(MOST_FURTHER_DEALS + 1)),
    # Levels of the opponents where a side gave up a deal.
    "given_up_levels": ({"C": "I-C-8", "D": "I-D-31"}, range(MOST_LEVELS)),
    # Whether a minute begun counts.
    "late_minutes": ({"C": "I-C-8"}, LATE_MINUTES),
    # 第一次警告: the first of the round, or of each deal.
    "warned_per": ({"C": "I-C-31"}, WARNED_PER),
}
"""Option -> its interpretation in regulations C and D, and the values it may take."""

_CHOICES = {
    "must_play": MUST_PLAY,
    "banker_rotation": BANKER_ROTATION,
    "equal_levels": EQUAL_LEVELS,
    "past_a": PAST_A,
    "time_up": TIME_UP,
}
_NUMBERS = {"further_deals": MOST_FURTHER_DEALS, "given_up_levels": MOST_LEVELS - 1}
CLAUSE_KEYS = ("start", "deck", "bank", "past_a", "points", "given_up", "forfeit", *_CHOICES, "further_deals")
_SCORING_KEYS = ("decks", "bottom_cards", "clause", "clauses", "levels", "bottom", "match")
_MATCH_KEYS = ("start", "must_play_levels", "points", *_CHOICES, *_NUMBERS)
_POINT_KEYS = ("win", "draw", "loss", "bye")


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """Points of a round (积分): C gives 2, 1, 0, and 2 for a bye (八(二), I-C-14)."""

    win: int
    draw: int
    loss: int
    bye: int


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """Everything one match (一轮, 一场) is judged by.

    start: the level both sides begin with in every match (I-C-3). must_play: the 必打 levels, empty where the option frees
    them. time_up, further_deals: what is still played when time is up. points: None in a knock-out. The other fields are
    described at OPTIONS.
    """

    deck: Deck
    levels: LevelTable
    bottom: BottomMultipliers
    penalties: PenaltyBook
    lateness: Lateness | None
    start: int
    must_play: frozenset[int]
    banker_rotation: str
    time_up: str
    further_deals: int
    equal_levels: str
    past_a: str
    given_up_levels: int
    points: MatchPoints | None
    clause: str
    clauses: Mapping[str, str]

    @classmethod
    def from_mapping(
        cls,
        mapping: Mapping[str, Any],
        options: Mapping[str, bool | int | str] | None = None,
        path: str = "$",
    ) -> "MatchFormat":
        """The format of a regulation document. Raises DocumentError with every problem."""
        root = Node(mapping, path, Problems())
        format_ = cls.read(root, options or {})
        raise_problems(root.problems)
        assert format_ is not None
        return format_

    @classmethod
    def read(cls, root: Node, options: Mapping[str, bool | int | str]) -> "MatchFormat | None":
        """The format of a regulation document with these options resolved; None where something is wrong."""
        before = len(root.problems.found)
        scoring = root.node("scoring")
        penalties = PenaltyBook.read(root, "penalties", options)
        lateness = _part(root, "lateness")
        late = None if lateness is None else Lateness.read(lateness, options)
        if scoring is None:
            return None
        refuse_other_keys(scoring, _SCORING_KEYS)
        clause, clauses = scoring.text("clause"), _clauses(scoring)
        deck = Deck.read(scoring)
        levels, bottom, match = (scoring.node(key) for key in ("levels", "bottom", "match"))
        table = None if levels is None else LevelTable.read(levels)
        multipliers = None if bottom is None or deck is None else BottomMultipliers.read(bottom, deck)
        if match is None:
            return None
        refuse_other_keys(match, _MATCH_KEYS)
        start = _level(match.at("start"), match.value.get("start"), match)
        must_play = frozenset(_level(path, item, match) for path, item in match.items("must_play_levels"))
        words = {key: _word(match, key, allowed, options) for key, allowed in _CHOICES.items()}
        numbers = {key: _number(match, key, most, options) for key, most in _NUMBERS.items()}
        points = _points(match)
        if words["time_up"] == "stop" and numbers["further_deals"]:
            match.problems.add(
                match.at("further_deals"),
                "时间到即停止，之后不再打。",
                "Where play stops at once, no further deals are played.",
            )
        if len(root.problems.found) > before or penalties is None:
            return None
        assert deck is not None
        assert table is not None
        assert multipliers is not None
        free = words["must_play"] == "free"
        return cls(
            deck=deck,
            levels=table,
            bottom=multipliers,
            penalties=penalties,
            lateness=late,
            start=start,
            must_play=frozenset() if free else must_play,
            banker_rotation=words["banker_rotation"],
            time_up=words["time_up"],
            further_deals=numbers["further_deals"],
            equal_levels=words["equal_levels"],
            past_a=words["past_a"],
            given_up_levels=numbers["given_up_levels"],
            points=points,
            clause=clause or "",
            clauses=clauses,
        )

    def clause_of(self, key: str) -> str:
        """The clause behind one rule of the match or its tricks (CLAUSE_KEYS of both): its own, else that of the scoring."""
        return self.clauses.get(key, self.clause)


def _part(node: Node, key: str) -> Node | None:
    return node.node(key) if node.has(key) else None


def _clauses(scoring: Node) -> dict[str, str]:
    part = _part(scoring, "clauses")
    if part is None:
        return {}
    refuse_other_keys(part, (*CLAUSE_KEYS, *TRICK_CLAUSE_KEYS))
    found = {str(key): part.text(str(key)) for key in part.value}
    return {key: clause for key, clause in found.items() if clause is not None}


def _level(path: str, value: object, node: Node) -> int:
    """The level of a name; 0 where it is none, which is noted."""
    level = level_of(value) if isinstance(value, str) else None
    if level is None:
        node.problems.add(
            path, "级数应为 2、3 … 10、J、Q、K、A。", "A level is one of 2, 3 … 10, J, Q, K, A."
        )
        return 0
    return level


def _chosen(match: Node, key: str, options: Mapping[str, bool | int | str]) -> Node:
    """The object a key is read from: the options where they have it, else the document."""
    if key in options:
        return Node(options, "$.options", match.problems)
    return match


def _word(match: Node, key: str, allowed: tuple[str, ...], options: Mapping[str, bool | int | str]) -> str:
    source = _chosen(match, key, options)
    if key == "must_play" and not source.has(key):
        return allowed[0]  # a regulation without 必打 levels need not say how they work
    return source.choice(key, allowed) or ""


def _number(match: Node, key: str, most: int, options: Mapping[str, bool | int | str]) -> int:
    return _chosen(match, key, options).integer(key, 0, most) or 0


def _points(match: Node) -> MatchPoints | None:
    part = _part(match, "points")
    if part is None:
        return None
    refuse_other_keys(part, _POINT_KEYS)
    found = [part.integer(key, 0) for key in _POINT_KEYS]
    if None in found:
        return None
    win, draw, loss, bye = (number or 0 for number in found)
    if not loss <= draw <= win:
        part.problems.add(
            part.path, "胜、平、负的积分应依次不增。", "A win is worth a draw at least, a draw a loss."
        )
        return None
    return MatchPoints(win, draw, loss, bye)


def next_seat(seat: int, *, side_keeps_bank: bool, rotation: str) -> int:
    """Who banks next (轮庄), as a seat 0…3 in the order of play, which is counter-clockwise (D 五16).

    The side loses the bank: the banker's 下家 (C 八(十)4). It keeps it: the partner (八(十)3), or the same player (固定庄,
    D 五19, I-D-4). Raises ValueError for another seat or rotation.
    """
    if seat not in range(PLAYERS) or rotation not in BANKER_ROTATION:
        raise ValueError(f"seat {seat}, rotation {rotation!r}")
    if not side_keeps_bank:
        return (seat + 1) % PLAYERS
    return (seat + 2) % PLAYERS if rotation == "partner" else seat


__all__ = [
    "ACE",
    "CLAUSE_KEYS",
    "OPTIONS",
    "PLAYERS",
    "MatchFormat",
    "MatchPoints",
    "next_seat",
]

"""What the two texts say of a trick, and the options for what they leave open.

`THREE_DECKS` is regulation C, `TWO_DECKS` regulation D, each with its defaults; `with_options` chooses others.
`OPTIONS` names every option with its interpretation and the values the engine can follow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring_engine.tractor.cards import LEVEL_GAP, TRUMP_RUN, Suit, Trumps


class Duty(StrEnum):
    """What a play can break; an illegal play names the first one it broke."""

    CARD_COUNT = "card_count"  # 牌张数目不符
    NOT_IN_HAND = "not_in_hand"  # 手中没有的牌
    FOLLOW_SUIT = "follow_suit"  # 有同花色未跟
    FOLLOW_TRIPLE_RUN = "follow_triple_run"  # 有连刻未跟
    FOLLOW_TRACTOR = "follow_tractor"  # 有拖拉机未跟
    FOLLOW_TRIPLE = "follow_triple"  # 有三条未跟
    FOLLOW_PAIR = "follow_pair"  # 有对子未跟
    LEAD_ONE_SUIT = "lead_one_suit"  # 首引不是同一花色
    THROW_SINGLES = "throw_singles"  # 只可甩散张
    DECLARE_STRUCTURE = "declare_structure"  # 甩牌未说明结构
    DECLARED_STRUCTURE = "declared_structure"  # 说明的结构与牌不符


OPTIONS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    # Whether the ranks on both sides of the absent level rank are neighbours.
    "level_gap": ("21", LEVEL_GAP),
    # How far up a run of trumps may reach.
    "trump_run": ("22", TRUMP_RUN),
    # A run of pairs led, and none as long in hand: the longest shorter one first, then pairs; or pairs at once; or
    # pairs are enough even with a run in hand.
    "run_following": ("23", ("longest_first", "full_length", "pairs")),
    # 444333 led, neither 连刻 nor 拖拉机 in hand: as many triples as there are; the same and pairs for the missing ones;
    # or one triple is enough.
    "triple_run_fill": ("24", ("triples", "triples_then_pairs", "one_triple")),
    # A throw led: each unit is followed as if it were led alone, the most significant first; or the suit alone is.
    "throw_following": ("25", ("as_units", "suit_only")),
    # A 俘虏, or cards of several structures, thrown without saying which.
    "undeclared_throw": ("26", ("refuse", "most_significant")),
    # Which unit of a throw that does not stand is played.
    "failed_throw": ("27", ("next_player_chooses", "smallest_beaten")),
    # Two ruffs of a throw: the highest unit of each kind in turn; only of the most significant kind; or all units.
    "ruff_comparison": ("28", ("by_kind", "top_kind_only", "every_unit")),
    # 连对子大于两个不相连的对子: a play without the led structure never wins; two ruffs of pairs are compared by it; a
    # throw of unconnected pairs is beaten by it as well.
    "connected_pairs": ("29", ("structure", "ruffs", "always")),
    # What may be thrown; D speaks of thrown singles (散张) alone, C names every unit.
    "throw_units": ("30", ("any", "singles")),
    # The last trick won by a throw, or a ruff of one: which unit counts for the bottom.
    "throw_digs": ("12", ("best_unit", "least_unit")),
}
"""Option -> the number of its interpretation (I-C-… and I-D-…) and the values it may take."""


@dataclass(frozen=True, slots=True)
class TrickFormat:
    """How tricks are played under one regulation: the number of decks, the options of OPTIONS, the clauses."""

    letter: str
    decks: int
    run_following: str
    failed_throw: str
    clauses: Mapping[Duty, str]
    throw_clause: str
    trick_clause: str
    bottom_clause: str
    level_gap: str = "closed"
    trump_run: str = "whole"
    triple_run_fill: str = "triples"
    throw_following: str = "as_units"
    undeclared_throw: str = "refuse"
    ruff_comparison: str = "by_kind"
    connected_pairs: str = "structure"
    throw_units: str = "any"
    throw_digs: str = "best_unit"

    def __post_init__(self) -> None:
        for option, (_, allowed) in OPTIONS.items():
            if getattr(self, option) not in allowed:
                raise ValueError(
                    f"{option} ({self.interpretation_of(option)}) can only be: {', '.join(allowed)}"
                )

    def with_options(self, options: Mapping[str, str]) -> "TrickFormat":
        """The same format with these options. Raises ValueError for a name or value that OPTIONS does not have."""
        for option in options:
            if option not in OPTIONS:
                raise ValueError(f"there is no option {option!r} of tricks")
        # Every option is a text; `replace` is typed for all fields at once.
        return replace(self, **dict(options))  # type: ignore[arg-type]

    def interpretation_of(self, option: str) -> str:
        """The id of the interpretation behind an option: I-C-23."""
        return f"I-{self.letter}-{OPTIONS[option][0]}"

    def rules(self, trump: Suit, level: int) -> "TrickRules":
        """The rules of one deal: this trump suit, and level 0…12 for 2…A. Raises ValueError; 不打无主."""
        return TrickRules(self, Trumps(trump, level, self.level_gap, self.trump_run))


@dataclass(frozen=True, slots=True)
class TrickRules:
    """Everything a trick of one deal is judged by."""

    format: TrickFormat
    trumps: Trumps

    def for_player(self, player: int, lowered_player: int | None) -> "TrickRules":
        """The rules as they hold for one player; the level cards of `lowered_player` are lowest (D 五18)."""
        return replace(self, trumps=self.trumps.as_lowered()) if player == lowered_player else self


THREE_DECKS = TrickFormat(
    letter="C",
    decks=3,
    run_following="longest_first",
    failed_throw="next_player_chooses",
    clauses={
        Duty.CARD_COUNT: "八(二十一)",
        Duty.NOT_IN_HAND: "八(十九)",
        Duty.FOLLOW_SUIT: "八(十九)",
        Duty.FOLLOW_TRIPLE_RUN: "八(十二)",
        Duty.FOLLOW_TRACTOR: "八(十二)",
        Duty.FOLLOW_TRIPLE: "八(十四)",
        Duty.FOLLOW_PAIR: "八(十三)",
        Duty.LEAD_ONE_SUIT: "八(十五)",
        Duty.THROW_SINGLES: "八(十五)",
        Duty.DECLARE_STRUCTURE: "八(十六)",
        Duty.DECLARED_STRUCTURE: "八(十六)",
    },
    throw_clause="八(二十)",
    trick_clause="八(十七)",
    bottom_clause="八(十八)",
)
"""C, `baiyun-tractor-2016`: 拖拉机 with three decks."""

TWO_DECKS = TrickFormat(
    letter="D",
    decks=2,
    run_following="pairs",
    failed_throw="smallest_beaten",
    # D does not ask for a word with a throw: the most significant structure is meant.
    undeclared_throw="most_significant",
    clauses={
        Duty.CARD_COUNT: "五23",
        Duty.NOT_IN_HAND: "五12",
        Duty.FOLLOW_SUIT: "五12",
        Duty.FOLLOW_TRIPLE_RUN: "五7",
        Duty.FOLLOW_TRACTOR: "五7",
        Duty.FOLLOW_TRIPLE: "五7",
        Duty.FOLLOW_PAIR: "五7",
        Duty.LEAD_ONE_SUIT: "五8",
        Duty.THROW_SINGLES: "五8",
        Duty.DECLARE_STRUCTURE: "五8",
        Duty.DECLARED_STRUCTURE: "五8",
    },
    throw_clause="五12",
    trick_clause="五7",
    bottom_clause="五15",
)
"""D, `siming-eighty-2023`: 八十分 with two decks."""

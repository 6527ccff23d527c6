"""What a regulation says of a trick, and the options for what the texts leave open.

`ScoringRules.tricks` builds the format of a regulation: the packs, the options in force, and the clauses of its
interpretations and of `scoring.clauses`. `OPTIONS` names every option with the values the engine can follow; defaults
stand in the regulation alone.
"""

from collections.abc import Callable, Mapping
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


OPTIONS: Mapping[str, tuple[str, ...]] = {
    # Whether the ranks on both sides of the absent level rank are neighbours.
    "level_gap": LEVEL_GAP,
    # How far up a run of trumps may reach.
    "trump_run": TRUMP_RUN,
    # A run of pairs led, and none as long in hand: the longest shorter one first, then pairs; or pairs at once; or
    # pairs are enough even with a run in hand.
    "run_following": ("longest_first", "full_length", "pairs"),
    # 444333 led, neither 连刻 nor 拖拉机 in hand: as many triples as there are; the same and pairs for the missing ones;
    # or one triple is enough.
    "triple_run_fill": ("triples", "triples_then_pairs", "one_triple"),
    # A throw led: each unit is followed as if it were led alone, the most significant first; or the suit alone is.
    "throw_following": ("as_units", "suit_only"),
    # A 俘虏, or cards of several structures, thrown without saying which.
    "undeclared_throw": ("refuse", "most_significant"),
    # Which unit of a throw that does not stand is played.
    "failed_throw": ("next_player_chooses", "smallest_beaten"),
    # Two ruffs of a throw: the highest unit of each kind in turn; only of the most significant kind; or all units.
    "ruff_comparison": ("by_kind", "top_kind_only", "every_unit"),
    # 连对子大于两个不相连的对子: a play without the led structure never wins; two ruffs of pairs are compared by it; a
    # throw of unconnected pairs is beaten by it as well.
    "connected_pairs": ("structure", "ruffs", "always"),
    # What may be thrown; D speaks of thrown singles (散张) alone, C names every unit.
    "throw_units": ("any", "singles"),
    # The last trick won by a throw, or a ruff of one: which unit counts for the bottom.
    "throw_digs": ("best_unit", "least_unit"),
}
"""Option -> the values it may take; the interpretations of a regulation say which is its default (I-C-21 …, I-D-21 …)."""

_READ_BY = {
    Duty.FOLLOW_TRIPLE_RUN: "triple_run_fill",
    Duty.FOLLOW_TRACTOR: "run_following",
    Duty.LEAD_ONE_SUIT: "throw_units",
    Duty.THROW_SINGLES: "throw_units",
    Duty.DECLARE_STRUCTURE: "undeclared_throw",
    Duty.DECLARED_STRUCTURE: "undeclared_throw",
}
"""Duty -> the option that reads its sentence: the duty stands in the clause of that interpretation."""

LOWERED = "lowered_levels"
CLAUSE_KEYS = (*(duty.value for duty in Duty if duty not in _READ_BY), LOWERED)
"""Keys of `scoring.clauses` for what needs no interpretation. Only a text with `lowered_levels` has the rule of D 五18."""


@dataclass(frozen=True, slots=True)
class TrickFormat:
    """How tricks are played under one regulation: the packs, the options of OPTIONS, the clauses.

    triple_run_fill: None where the regulation leaves it out, for two packs have no triples. readings: option -> the id of
    its interpretation. lowered_clause: of the banker whose level cards are the lowest trumps (D 五18), None where the
    text has no such rule.
    """

    decks: int
    level_gap: str
    trump_run: str
    run_following: str
    triple_run_fill: str | None
    throw_following: str
    undeclared_throw: str
    failed_throw: str
    ruff_comparison: str
    connected_pairs: str
    throw_units: str
    throw_digs: str
    readings: Mapping[str, str]
    clauses: Mapping[Duty, str]
    throw_clause: str
    trick_clause: str
    bottom_clause: str
    lowered_clause: str | None

    @classmethod
    def build(
        cls,
        decks: int,
        options: Mapping[str, object],
        readings: Mapping[str, tuple[str, str]],
        clause_of: Callable[[str], str],
        lowered_clause: str | None,
    ) -> "TrickFormat":
        """The format of a regulation whose options were checked as it was read.

        options: in force. readings: option -> (id, clause) of its interpretation; an empty clause, or no entry, leaves it to
        `clause_of`, which gives the clause of a key of CLAUSE_KEYS, and for any other key that of the whole scoring.
        """

        def read_in(option: str) -> str:
            return readings.get(option, ("", ""))[1] or clause_of(option)

        filled = options.get("triple_run_fill")
        chosen = {name: str(options[name]) for name in OPTIONS if name != "triple_run_fill"}
        return cls(
            decks=decks,
            triple_run_fill=None if filled is None else str(filled),
            readings={option: readings[option][0] for option in OPTIONS if option in readings},
            clauses={
                duty: read_in(_READ_BY[duty]) if duty in _READ_BY else clause_of(duty.value) for duty in Duty
            },
            throw_clause=read_in("failed_throw"),
            trick_clause=read_in("ruff_comparison"),
            bottom_clause=read_in("throw_digs"),
            lowered_clause=lowered_clause,
            **chosen,
        )

    def interpretation_of(self, duty: Duty) -> str | None:
        """The id of the interpretation that reads the sentence of a duty: I-C-23; None where the text says it all."""
        return self.readings.get(_READ_BY.get(duty, ""))

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

"""The rule profile of combinations: what planes and fours may carry (带牌), and where a text says so.

The texts of A and B differ, and are read differently, in that alone. A regulation's options choose: `joker_wings`
(I-A-7), `repeated_wings` (I-A-8), `chain_rank_wings` (I-A-9), `four_with_equal_singles` (I-A-10), `adjacent_triple_wings`;
`play_profile` (I-B-17) is a whole profile by name. What a regulation has no option for is as its profile says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scoring_engine.documents import Problems, key_path
from scoring_engine.landlord.plays.kinds import Kind
from scoring_engine.rules import OptionValue, RulesError


class JokerWings(StrEnum):
    """Which jokers planes and fours may carry (I-A-7)."""

    NONE = "none"
    ONE = "one"
    ROCKET = "rocket_allowed"


@dataclass(frozen=True, slots=True, eq=False)
class Clauses:
    """Where a text defines each combination, and where it compares them. One object per text."""

    kinds: Mapping[Kind, str]
    general: str
    comparison: str


A_TEXT = Clauses(dict.fromkeys(Kind, "四(二)比赛通则4"), "四(二)比赛通则4", "四(二)比赛通则5")
_B = "附件4八(四)4"
B_TEXT = Clauses(
    {
        Kind.ROCKET: f"{_B}(1)",
        Kind.BOMB: f"{_B}(2)",
        Kind.SINGLE: f"{_B}(3)",
        Kind.PAIR: f"{_B}(4)",
        Kind.TRIPLE: f"{_B}(5)",
        Kind.TRIPLE_WITH_SINGLE: f"{_B}(6)",
        Kind.TRIPLE_WITH_PAIR: f"{_B}(6)",
        Kind.RUN: f"{_B}(7)",
        Kind.PAIR_RUN: f"{_B}(8)",
        Kind.PLANE: f"{_B}(9)",
        Kind.PLANE_WITH_SINGLES: f"{_B}(10)",
        Kind.PLANE_WITH_PAIRS: f"{_B}(10)",
        Kind.FOUR_WITH_SINGLES: f"{_B}(11)",
        Kind.FOUR_WITH_PAIRS: f"{_B}(11)",
    },
    _B,
    # B states no order of its own: 执行2011年……《中国二打一扑克竞赛规则》.
    "附件4一",
)


@dataclass(frozen=True, slots=True)
class PlayRules:
    """What planes and fours may carry.

    joker_wings: no joker, one of them, or both (the rocket).
    equal_wings: how many single wings of a plane may share a rank: 1, 3, or 4, which is a bomb (I-A-8).
    adjacent_triple_wings: whether three of them may be the rank next to the plane (与飞机连续的三张). Three 2s always
        may: 2 stands in no plane, so 222 is not consecutive with AAA.
    chain_rank_wings: whether the fourth card of a rank of the plane may be a wing (I-A-9).
    four_with_equal_singles: whether the two singles of 四带二 may share a rank (I-A-10).

    Pairs that are carried always differ in rank: two equal ones are four of a kind, and no text calls them two pairs.
    """

    joker_wings: JokerWings
    equal_wings: int
    adjacent_triple_wings: bool
    chain_rank_wings: bool
    four_with_equal_singles: bool
    clauses: Clauses = A_TEXT

    @classmethod
    def from_options(cls, options: Mapping[str, OptionValue]) -> "PlayRules":
        """The rules that a regulation's resolved options choose; options about anything else are not looked at.

        Raises RulesError naming `$.options.<name>` and its possible values.
        """
        problems = Problems()
        rules = RESTRICTED
        if "play_profile" in options:
            rules = replace(_choice(options, "play_profile", PROFILES, problems) or rules, clauses=B_TEXT)
        for name, (knob, choices) in PLAY_OPTIONS.items():
            if name in options:
                value = _choice(options, name, choices, problems)
                rules = rules if value is None else replace(rules, **{knob: value})
        if problems:
            raise RulesError(problems.found)
        return rules


def _choice(
    options: Mapping[str, OptionValue], name: str, choices: Mapping[str, Any], problems: Problems
) -> Any:
    value = options[name]
    if not isinstance(value, str) or value not in choices:
        words = ", ".join(choices)
        problems.add(
            key_path("$.options", name), f"{name} 只能取：{words}。", f"{name} can only be: {words}."
        )
        return None
    return choices[value]


RESTRICTED = PlayRules(
    JokerWings.ONE,
    equal_wings=3,
    adjacent_triple_wings=False,
    chain_rank_wings=False,
    four_with_equal_singles=True,
)
"""Regulation A with its defaults: 不包含双王、炸弹以及与飞机连续的三张 (四(二)比赛通则4). 27,471 plays."""

LITERAL = replace(
    RESTRICTED, joker_wings=JokerWings.ROCKET, equal_wings=4, adjacent_triple_wings=True, clauses=B_TEXT
)
"""Regulation B read literally: 三顺带同数量的单牌或对牌, nothing excluded (附件4八(四)4(10)). 29,984 plays."""

PROFILES: Mapping[str, PlayRules] = {"restricted": RESTRICTED, "literal": LITERAL}
"""The values of `play_profile`."""

_YES_NO = {"allowed": True, "barred": False}
PLAY_OPTIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "joker_wings": ("joker_wings", {word.value: word for word in JokerWings}),
    "repeated_wings": ("equal_wings", {"allowed": 3, "barred": 1, "bomb_allowed": 4}),
    "chain_rank_wings": ("chain_rank_wings", _YES_NO),
    "adjacent_triple_wings": ("adjacent_triple_wings", _YES_NO),
    "four_with_equal_singles": ("four_with_equal_singles", _YES_NO),
}
"""Each option: the field it sets, and what its words mean."""

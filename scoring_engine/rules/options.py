"""The interpretation options the engine needs of a regulation, and the values it can follow.

Defaults are not here: a regulation document gives them (`interpretations`), so that no reading of a silent sentence
hides in code.
"""

from collections.abc import Mapping
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.pairing.bracket import LATER_ROUNDS
from scoring_engine.pairing.byes import BYE_READINGS
from scoring_engine.rules.stage_kinds import Format
from scoring_engine.tractor.matches.formats import OPTIONS as MATCH_OPTIONS
from scoring_engine.tractor.tricks.formats import OPTIONS as TRICK_OPTIONS

OptionValue = bool | int | str

PLAY_VALUES: Mapping[str, tuple[str, ...]] = {
    # I-A-7: which jokers planes and fours may carry.
    "joker_wings": ("one", "none", "rocket_allowed"),
    # I-A-8: how many single wings of a plane may share a rank: three, one, or four, which is a bomb.
    "repeated_wings": ("allowed", "barred", "bomb_allowed"),
    # I-A-8: whether three of them may be the rank next to the plane (与飞机连续的三张).
    "adjacent_triple_wings": ("barred", "allowed"),
    # I-A-9: whether the fourth card of a rank of the plane may be a wing.
    "chain_rank_wings": ("barred", "allowed"),
    # I-A-10: whether the two singles of 四带二 may share a rank.
    "four_with_equal_singles": ("allowed", "barred"),
    # I-B-17: all of these at once; the others, where a regulation has them too, differ from it.
    "play_profile": ("restricted", "literal"),
}
"""What combinations (牌型) may carry, `landlord.plays.PlayRules`; a regulation has those its text leaves open."""

_Allowed = tuple[str, ...] | range


def _of_matches(letter: str, *without: str) -> dict[str, _Allowed]:
    """The options of a match, and of its tricks, that the text of this letter leaves open."""
    match = {name: values for name, (read_as, values) in MATCH_OPTIONS.items() if letter in read_as}
    tricks = {name: values for name, values in TRICK_OPTIONS.items() if name not in without}
    return {**match, **tricks}


OPTIONS: Mapping[tuple[str, Format], Mapping[str, _Allowed]] = {
    ("landlord", Format.KNOCK_OUT): {
        # I-A-1: 局 is one deal; how many make a stage.
        "deals_per_stage": range(1, 101),
        # I-A-2: a passed-out deal is one of the ten, or is dealt again.
        "passed_out": ("counts", "replay"),
        # I-A-3: fewer entrants than places in the next stage: the committee rules.
        "small_field": ("ruling",),
        # I-A-4: 1-2-3/4-5-6/7-8-9, 1-6-7/2-5-8/3-4-9 or 1-4-7/2-5-8/3-6-9.
        "semifinal_grouping": ("blocks", "snake", "deal_out"),
        # I-A-5: where direct entrants stand in the seeding of the next stage, in draw order.
        "direct_seeding": ("last", "first"),
        # I-A-6: the formula needs two tied and one eliminated; else the committee rules, or three tied play.
        "cut_off_tie": ("ruling", "three_tied_play"),
        # I-A-11: within what time warnings are counted, and how often three of them cost points.
        "warnings_per": ("deal", "stage"),
        "warnings_repeat": ("every_third", "once"),
        # I-A-12: 记为零分 is 0 even for a negative score, or never helps the offender.
        "zero_score": ("exact", "not_above_zero"),
        # I-A-13: whether a penalty on a deal also changes that deal in 单副最高得分.
        "penalties_in_best_deals": ("excluded", "included"),
        # I-A-15: a deal is won by every player of the winning side, or by a landlord only.
        "deals_won": ("side", "landlord"),
        # I-A-16: 4th to 9th by the semifinal, or all shared.
        "semifinal_places": ("by_result", "shared"),
        # I-A-18: forfeits (弃权), of which the text says nothing: the committee rules, or missing deals count 0.
        "forfeits": ("ruling", "zero"),
    },
    ("landlord", Format.SWISS): {
        # I-B-22: a passed-out deal is one of the twelve, or is dealt again.
        "passed_out": ("counts", "replay"),
    },
    # Board games need no option by name: their rows refer to options, `{ option = "bye_points" }`.
    ("go", Format.SWISS): {},
    ("xiangqi", Format.SWISS): {},
    # 升级: those of `tractor.matches` and `tractor.tricks`; two packs have no triples to fill up with (I-C-24).
    ("tractor", Format.SWISS): _of_matches("C"),
    ("eighty", Format.BRACKET): {
        **_of_matches("D", "triple_run_fill"),
        # I-D-14: the rounds after the first, which alone is said to be drawn.
        "later_rounds": LATER_ROUNDS,
        # I-D-15: among whom the bye of an odd number is drawn.
        "bye_reading": BYE_READINGS,
    },
}

EXPULSION_VALUES: Mapping[Format, Mapping[str, tuple[str, ...]]] = {
    Format.KNOCK_OUT: {
        # I-A-27: whose is the place of who was expelled: the next placed moves up, or the committee rules.
        "expelled_place": ("next_up", "ruling"),
        # I-A-28: whether who was expelled keeps a rank.
        "expelled_rank": ("none", "kept"),
    },
    Format.BRACKET: {
        # I-D-36: the place stays empty, or whom he beat last goes on in his stead.
        "expelled_place": ("empty", "opponent"),
        # I-D-37: as I-A-28.
        "expelled_rank": ("none", "kept"),
    },
}
"""Expulsion (取消参赛资格), by format; a regulation without these options is read by the first of each."""

OPTIONAL: Mapping[str, Mapping[str, _Allowed]] = {"landlord": PLAY_VALUES}
"""Options, by game, that a regulation may have or not; where it has one, the engine follows these values alone."""


def resolved(node: Node, key: str, options: Mapping[str, OptionValue]) -> Any:
    """The value at a key; `{ option = "name" }` is what the option says. An unknown option is a problem and None."""
    value = node.value.get(key)
    if not isinstance(value, Mapping) or set(value) != {"option"}:
        return value
    name = value["option"]
    if not isinstance(name, str) or name not in options:
        node.problems.add(node.at(key), f"没有选项 {name}。", f"There is no option {name}.")
        return None
    return options[name]

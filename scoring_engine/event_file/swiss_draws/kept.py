"""The rules of pairing that a round as played is held to."""

from dataclasses import dataclass

from scoring_engine.pairing.two_player_swiss import UnitRule
from scoring_engine.rules.pairing_parts import PairingRules


@dataclass(frozen=True, slots=True)
class KeptRules:
    """What a round should keep. rematch: nobody meets the same opponent again. units: two of one unit do not meet.
    longest_run: how often running one may have the same side, None where nobody moves first. one_bye: nobody has a second
    bye at all; else not while somebody else has had none. by_points: equal points meet, as far as can be. points_first: a
    rematch gives way to equal points, so that the engine's own draws have some."""

    rematch: bool
    units: bool
    longest_run: int | None
    one_bye: bool
    by_points: bool = False
    points_first: bool = False


def kept_on_boards(pairing: PairingRules, number: int) -> KeptRules:
    """Of 围棋 and 象棋."""
    return KeptRules(
        rematch=True,
        units=_heeds_units(pairing, number),
        longest_run=pairing.number("longest_run"),
        one_bye=True,
        by_points=number > _accelerated(pairing),
    )


def kept_in_tractor(pairing: PairingRules, number: int) -> KeptRules:
    """Of 拖拉机: cards heed neither earlier opponents nor units."""
    by_points = number > 1 and pairing.word("later_rounds") == "points"
    return KeptRules(
        rematch=by_points,
        units=by_points and _heeds_units(pairing, number),
        longest_run=None,
        one_bye=by_points,
        by_points=by_points,
    )


def kept_at_threes(pairing: PairingRules, number: int) -> KeptRules:
    """Of 快乐二打一: units never meet (附件4五), a rematch is avoided; by two of three readings points come first (I-B-18)."""
    return KeptRules(
        rematch=True,
        units=True,
        longest_run=None,
        one_bye=False,
        by_points=number > 1,
        points_first=pairing.word("rematch") != "hard",
    )


def _accelerated(pairing: PairingRules) -> int:
    """The last round in which unequal points meet on purpose; in round 1 nobody has points of games."""
    return pairing.number("accelerated_rounds") if pairing.word("first_round") == "accelerated" else 1


def _heeds_units(pairing: PairingRules, number: int) -> bool:
    rounds = pairing.number("unit_rounds")
    rule = UnitRule(pairing.word("unit"))
    return rule is not UnitRule.OFF and (not rounds or number <= rounds)

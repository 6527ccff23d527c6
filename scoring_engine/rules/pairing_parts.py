"""Reads how the rounds of a Swiss event are paired (`pairing`), for each game its own keys; see `PAIRING_KEYS`."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring_engine.documents import Node
from scoring_engine.pairing.byes import BYE_READINGS
from scoring_engine.pairing.card_draw import PARTNERS
from scoring_engine.rules.options import OptionValue, resolved
from scoring_engine.rules.stage_kinds import Format
from scoring_engine.values import Text

_Allowed = tuple[str, ...] | range
_COUNTED = ("counted", "not_counted")

_EVERYBODY: Mapping[str, _Allowed] = {
    # I-B-19: after how many forfeits running somebody is not paired until he is reinstated; 0 for never.
    "stands_out_after": range(10),
    # I-B-19: whether those of a forfeited game have met, so that a rematch is one.
    "forfeit_met": _COUNTED,
}
_TWO_AT_A_TABLE: Mapping[str, _Allowed] = {
    **_EVERYBODY,
    "unit": ("hard", "soft", "off"),
    # In how many rounds, from the first, units are heeded; 0 for all.
    "unit_rounds": range(100),
    # Whether who won by a forfeit may have a bye: counted is no.
    "forfeit_win_bye": ("not_counted", "counted"),
    "equal_points": ("lots", "half_split"),
}
_BOARD: Mapping[str, _Allowed] = {
    **_TWO_AT_A_TABLE,
    "first_round": ("draw", "half_split", "accelerated"),
    "accelerated_rounds": range(1, 100),
    "accelerated_points": range(1, 100),
    "longest_run": range(1, 100),
}

PAIRING_KEYS: Mapping[str, Mapping[str, _Allowed]] = {
    "go": _BOARD,
    "xiangqi": _BOARD,
    "landlord": {**_EVERYBODY, "rematch": ("soft", "last", "hard")},
    "tractor": {
        **_TWO_AT_A_TABLE,
        # I-C-2: whether only the first round is drawn with cards, or every round.
        "later_rounds": ("points", "cards"),
        "card_opponents": tuple(PARTNERS),
        "bye_reading": BYE_READINGS,
    },
}
"""What a Swiss regulation says of pairing, by game: each key with the values the engine can follow."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """How rounds are paired; options resolved. values: those of `PAIRING_KEYS` of the game. clause: where the text says it."""

    values: Mapping[str, OptionValue]
    clause: str

    def word(self, key: str) -> str:
        """The word at a key."""
        return str(self.values[key])

    def number(self, key: str) -> int:
        """The number at a key."""
        value = self.values[key]
        if not isinstance(value, int):
            raise TypeError(f"{key} is no number")
        return value


def read_pairing(
    root: Node, options: Mapping[str, OptionValue], game: str | None, format_: Format | None
) -> PairingRules | None:
    """`[pairing]`: every key of the game and a `clause`; a value may refer to an option. None where there is no such table:
    the event can be scored, and not paired."""
    node = root.node("pairing") if root.has("pairing") else None
    if node is None:
        return None
    keys = PAIRING_KEYS.get(game or "") if format_ is Format.SWISS else None
    if keys is None:
        root.problems.add(
            node.path,
            "只有积分编排赛有 pairing。",
            "Only a Swiss event has a pairing table.",
        )
        return None
    for key in node.value:
        if key not in (*keys, "clause"):
            root.problems.add(
                node.at(str(key)),
                f"这个项目的编排没有 {key} 这一项；可用的有：{'、'.join(keys)}。",
                f"The pairing of this game has no key {key}; there are {', '.join(keys)}.",
            )
    clause = node.text("clause")
    values: dict[str, OptionValue] = {}
    for key, allowed in keys.items():
        value = resolved(node, key, options)
        usable = isinstance(value, str | int) and not isinstance(value, bool) and value in allowed
        if usable:
            values[key] = value
            continue
        shown = f"{allowed.start}…{allowed.stop - 1}" if isinstance(allowed, range) else "、".join(allowed)
        lacking = Text("", "") if node.has(key) else Text("缺少这一项，", "This is missing; it ")
        said = "应为" if lacking.zh else "这里应为"
        root.problems.add(
            node.at(key),
            f"{lacking.zh}{said}：{shown}。",
            f"{lacking.en or 'This '}must be one of: {shown.replace('、', ', ')}.",
        )
    if clause is None or len(values) < len(keys):
        return None
    return PairingRules(values, clause)

"""Tricks of 升级 (一轮出牌) under regulations C and D: leads and throws, follow duty, ruffs, who wins, what digs.

`ScoringRules.tricks.rules(Suit.HEARTS, level)` gives the rules of a deal; then `read_lead` and
`judge_throw` for the leader, `must_follow`, `judge_follow` and `legal_follows` for the others, `decide_trick` for the
trick and `bottom_dug` for the last one. `questions.answer` asks them all with plain texts (`saishi judge`).
"""

from scoring_engine.tractor.tricks.breaches import Breach, IllegalPlayError
from scoring_engine.tractor.tricks.follows import Obligation, judge_follow, legal_follows, must_follow
from scoring_engine.tractor.tricks.formats import (
    OPTIONS,
    Duty,
    TrickFormat,
    TrickRules,
)
from scoring_engine.tractor.tricks.leads import Lead, ThrowVerdict, forced_lead, judge_throw, read_lead
from scoring_engine.tractor.tricks.winning import BottomDug, TrickResult, bottom_dug, decide_trick

__all__ = [
    "OPTIONS",
    "BottomDug",
    "Breach",
    "Duty",
    "IllegalPlayError",
    "Lead",
    "Obligation",
    "ThrowVerdict",
    "TrickFormat",
    "TrickResult",
    "TrickRules",
    "bottom_dug",
    "decide_trick",
    "forced_lead",
    "judge_follow",
    "judge_throw",
    "legal_follows",
    "must_follow",
    "read_lead",
]

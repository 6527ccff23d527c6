"""The kinds of stage (阶段): one explicit table, kind -> the format of the event it belongs to.

| kind | stage |
|---|---|
| `drawn` | 初赛: groups of three by draw |
| `seeded` | 复赛: groups of three by the order of the stage before |
| `final` | 决赛: one table |
| `swiss` | 积分编排: several rounds, high meets high |
| `bracket` | 单场淘汰: two sides a table, the winner goes on to the next round |
"""

from collections.abc import Mapping
from enum import StrEnum


class Format(StrEnum):
    """How an event comes to its placings."""

    KNOCK_OUT = "knock_out"  # 淘汰: stage after stage, fewer entrants in each
    SWISS = "swiss"  # 积分编排: everybody plays every round
    BRACKET = "bracket"  # 单场淘汰: one stage of rounds, half as many entrants in each


STAGE_KINDS: Mapping[str, Format] = {
    "drawn": Format.KNOCK_OUT,
    "seeded": Format.KNOCK_OUT,
    "final": Format.KNOCK_OUT,
    "swiss": Format.SWISS,
    "bracket": Format.BRACKET,
}


def format_of(kind: str) -> Format:
    """The format a stage of this kind belongs to."""
    return STAGE_KINDS[kind]

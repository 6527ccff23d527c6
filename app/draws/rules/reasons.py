"""Why people meet, as it is told at the table.

| draw | told by |
|---|---|
| a round paired by points, drawn with cards, or of a bracket | the engine's sentences, kept with the round when it was drawn (`kept`) |
| 初赛, later stages and play-offs of 二打一 | the kind of the stage, the table's number and the option of grouping (`from_seed`) |
| a table changed by hand (人工调整) | the public changes that touched it (`changed`) |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.draws.rules import DRAWN, SEEDED, SWISS, entrant_of, why_together, with_names
from app.draws.rules.repairs import Change
from app.registrations.rules import EntryId
from app.regulations.rules import Bilingual
from app.text import T
from scoring_engine.pairing.reasons import Topic
from scoring_engine.values import EntrantId

WHOLE_ROUND = 0
"""The number under which is kept what is said of a round, not of one of its tables."""
BY_HAND = "by_hand"
"""What a sentence on a repair is about."""
NOT_PAIRED = "not_paired"

LABELS: Mapping[str, T] = {
    Topic.MEETING: T("为什么相遇"),
    Topic.FLOAT: T("浮动"),
    Topic.AVOIDED: T("避开"),
    Topic.REMATCH: T("重复相遇"),
    Topic.SIDE: T("先后手"),
    Topic.SEATS: T("座位"),
    Topic.NUMBER: T("桌号"),
    Topic.BYE: T("轮空"),
    Topic.BROKEN: T("没能遵守"),
    BY_HAND: T("人工调整"),
    NOT_PAIRED: T("没有编排"),
}
"""What a sentence is about, in a word."""

AWAY: Mapping[str, T] = {
    "not_entered": T("这一轮还没有参加。"),
    "withdrawn": T("已退赛，不再编排。"),
    "absent": T("这一轮缺席，没有编排。"),
    "bye_requested": T("这一轮申请了轮空，没有编排。"),
    "stands_out": T("连续弃权，在恢复编排之前不编排。"),
}
"""Why somebody was not paired in a round (`swiss_draws.history.Away`)."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence on a table, a bye or an absence. ``about``: a key of ``LABELS``."""

    about: str
    text: T

    @property
    def label(self) -> T:
        return LABELS[self.about]


def kept(report: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """What is kept of the engine's report (``swiss_draws.answers``), by the number of the table."""
    rows = {each["number"]: _without_text(each) for each in report["reasons"]}
    rows[WHOLE_ROUND] = {
        "method": report["method"],
        "byes": [_without_text(each) for each in report["bye_reasons"]],
        "absent": list(report["absent"]),
        "totals": [dict(group["totals"]) for group in report["groups"]],
    }
    return rows


def _without_text(reason: Mapping[str, Any]) -> dict[str, Any]:
    """A reason sentence by sentence; the whole text is these in turn."""
    return {key: value for key, value in reason.items() if key not in {"why", "why_en", "number"}}


def told(reason: Mapping[str, Any], names: Mapping[EntryId, str]) -> tuple[Reason, ...]:
    """A kept reason in people's names."""
    return tuple(
        Reason(each["about"], with_names(Bilingual(each["zh"], each["en"]), names)) for each in reason["said"]
    )


def told_of_bye(
    whole: Mapping[str, Any] | None, entrant: EntrantId, names: Mapping[EntryId, str]
) -> tuple[Reason, ...]:
    """Why somebody has a bye in a round paired by points; empty where nothing was kept."""
    byes = whole["byes"] if whole else ()
    return next((told(each, names) for each in byes if each["entrant"] == entrant), ())


def told_of_absence(whole: Mapping[str, Any] | None, entrant: EntrantId) -> tuple[Reason, ...]:
    """Why somebody was not paired in a round; empty where nothing was kept."""
    absent = whole["absent"] if whole else ()
    return tuple(Reason(NOT_PAIRED, AWAY[each["reason"]]) for each in absent if each["entrant"] == entrant)


def from_seed(kind: str | None, table: int, tables: int, grouping: str) -> tuple[Reason, ...]:
    """Why three share a table, sit so and have this number, by the kind of the stage; None is a play-off."""
    found = [Reason(Topic.MEETING, why_together(kind, table, tables, grouping))]
    if kind == DRAWN:
        found += [
            Reason(Topic.SEATS, T("按抽到的先后逆时针坐，第一位在第一副先叫。")),
            Reason(Topic.NUMBER, T("按抽到的先后：最先抽到的三位在第 1 桌，依次往后。")),
        ]
    elif kind != SWISS:
        found.append(
            Reason(Topic.SEATS, T("谁在第一副先叫由种子抽出，他坐第一位，其余两位按原来的先后逆时针坐。"))
        )
    if kind == SEEDED:
        found.append(Reason(Topic.NUMBER, T("按每组名次最前的一位，从第 1 桌往后排。")))
    return tuple(found)


def straight_on(tables: int, direct: int) -> tuple[Reason, ...]:
    """Why somebody goes straight on from the first stage."""
    text = T(
        "全体洗牌后三人一桌，坐满 %(tables)s 桌，最后抽到的 %(direct)s 位直接进入下一阶段。",
        tables=tables,
        direct=direct,
    )
    return (Reason(Topic.BYE, text),)


def changed(
    changes: Iterable[tuple[Change, T, str]], number: int | None, people: Sequence[int]
) -> tuple[Reason, ...]:
    """That a table (None: a bye) is not as it was drawn: the changes that name it or somebody who sits there, with reasons."""
    here = {entrant_of(entry_id) for entry_id in people} | ({number} if number is not None else set())
    found = [
        Reason(BY_HAND, T("%(change)s。原因：%(reason)s", change=text, reason=reason))
        for change, text, reason in changes
        if here & set(_named(change))
    ]
    start = T("抽签后由人工调整为轮空或直接晋级。") if number is None else T("抽签后由人工调整到这一桌。")
    return (Reason(BY_HAND, start), *found)


def _named(part: object) -> Iterable[object]:
    """Every id and every table number in a change."""
    if isinstance(part, Mapping):
        part = list(part.values())
    if not isinstance(part, list | tuple):
        return (part,)
    return (inner for each in part for inner in _named(each))


SIDES = (T("先手"), T("后手"))
WINDS = (T("西"), T("南"), T("东"))
BIDDERS = (T("第一位（第一副先叫）"), T("第二位"), T("第三位"))


def seat_word(game: str, kind: str | None, people: int, position: int) -> T | None:
    """What a seat is called, from 0 in the order drawn; None where the order says nothing (拖拉机)."""
    if people == len(SIDES):
        return SIDES[position] if game in {"go", "xiangqi"} else None
    return (WINDS if kind == SWISS else BIDDERS)[position]

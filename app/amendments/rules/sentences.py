"""The impact of a version in sentences (影响), for the committee with names, for everybody without those of entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from app.amendments.rules.impact import OVERALL, window_name
from app.draws.rules import stage_name
from app.regulations.rules import Bilingual
from app.text import T, until


@dataclass(frozen=True, slots=True)
class Lines:
    """One kind of what is affected, and a sentence for each case."""

    title: T
    rows: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """Who stands behind the ids of an impact: entrants and teams by the event file's ids, entries by number.

    ``entry`` is None for a reader who may not know which entries are meant.
    """

    entrant: Callable[[str], str]
    team: Callable[[str], str]
    entry: Callable[[int], str] | None = None
    unit: Callable[[int], str] | None = None


def impact_lines(impact: Mapping[str, Any], names: Names) -> tuple[Lines, ...]:
    """Everything that is affected, in the order of the work; nothing where nobody is."""
    kinds: tuple[tuple[T, Iterable[T]], ...] = (
        (T("日程和时限"), (_window(each) for each in impact["windows"])),
        (T("报名"), _entries(impact["entries"], names)),
        (T("得分改变的桌"), _tables(impact["tables"])),
        (T("对阵"), (_draw(each) for each in impact["draws"])),
        (T("名次"), (_placing(each, names.entrant, "entrant") for each in impact["placings"])),
        (
            Bilingual("团体名次", "Team result"),
            (_placing(each, names.team, "team") for each in impact["teams"]),
        ),
        (T("晋级"), (row for each in impact["advance"] for row in _advance(each, names))),
        (T("奖励"), (_prize(each, names) for each in impact["prizes"])),
    )
    found = (Lines(title, tuple(rows)) for title, rows in kinds)
    return tuple(lines for lines in found if lines.rows)


def _window(moved: Mapping[str, Any]) -> T:
    before, after = (_shown(moved["key"], moved[side]) for side in ("before", "after"))
    return T(
        "%(name)s：%(before)s 改为 %(after)s", name=window_name(moved["key"]), before=before, after=after
    )


def _shown(key: str, value: Any) -> T:
    if value is None:
        return T("（无）")
    if key.startswith("windows."):
        return T("%(minutes)s 分钟", minutes=value)
    if key.startswith("fees."):
        return T("%(amount)s 元", amount=value)
    if key == "publication":
        return T("%(at)s", at=until(datetime.fromisoformat(value)))
    at = datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)
    return T("%(at)s", at=at)


def _entries(entries: Mapping[str, Any], names: Names) -> Iterator[T]:
    if over := entries.get("over_limit"):
        yield T(
            "已有 %(entries)s 个报名，超过总数 %(limit)s（规程 %(clause)s）",
            entries=over["entries"],
            limit=over["limit"],
            clause=over["clause"],
        )
    if names.entry is None:
        if entries["ineligible"]:
            yield T("%(count)s 个报名不再符合参赛资格", count=len(entries["ineligible"]))
        if entries["over_quota"]:
            yield T("%(count)s 个单位超过报名人数", count=len(entries["over_quota"]))
        return
    for each in entries["ineligible"]:
        yield T("%(name)s不再符合规程 %(clause)s", name=names.entry(each["entry"]), clause=each["clause"])
    for each in entries["over_quota"]:
        yield T(
            "%(unit)s已报 %(entries)s 人，超过每单位 %(limit)s 人",
            unit=names.unit(each["unit"]) if names.unit else str(each["unit"]),
            entries=each["entries"],
            limit=each["limit"],
        )
    if entries["unjudged"]:
        yield T("%(count)s 个报名没有证件信息，无法判断", count=entries["unjudged"])


def _tables(tables: Iterable[Mapping[str, Any]]) -> Iterator[T]:
    for (stage, number), group in groupby(tables, key=lambda each: (each["stage"], each["round"])):
        yield T(
            "%(stage)s第 %(round)s 轮：%(tables)s 号桌",
            stage=stage_name(stage),
            round=number,
            tables="、".join(str(each["number"]) for each in group),
        )


def _draw(drawn: Mapping[str, Any]) -> T:
    return T(
        "%(stage)s第 %(round)s 轮按新版会抽出不同的对阵；已抽的不变，仍按抽签时的版本复核",
        stage=stage_name(drawn["stage"]),
        round=drawn["round"],
    )


def _placing(change: Mapping[str, Any], named: Callable[[str], str], key: str) -> T:
    sentence = T(
        "%(name)s：%(before)s 改为 %(after)s",
        name=named(change[key]),
        before=_rank(change["before"]),
        after=_rank(change["after"]),
    )
    ranking = change.get("ranking", OVERALL)
    if ranking == OVERALL:
        return sentence
    return T("%(stage)s %(change)s", stage=stage_name(ranking), change=sentence)


def _rank(rank: int | None) -> T:
    return T("无名次") if rank is None else T("第 %(first)s 名", first=rank)


def _advance(change: Mapping[str, Any], names: Names) -> Iterator[T]:
    stage = stage_name(change["stage"])
    if change["in"]:
        yield T("%(names)s从%(stage)s晋级", names=_listed(change["in"], names), stage=stage)
    if change["out"]:
        yield T("%(names)s不再从%(stage)s晋级", names=_listed(change["out"], names), stage=stage)


def _prize(change: Mapping[str, Any], names: Names) -> T:
    before, after = change["before"], change["after"]
    shown = after or before
    return T(
        "%(name)s：%(before)s 改为 %(after)s",
        name=Bilingual(shown["label"], shown["label_en"]),
        before=_winners(before, names),
        after=_winners(after, names),
    )


def _winners(prize: Mapping[str, Any] | None, names: Names) -> T:
    if prize is None:
        return T("（无）")
    who = _listed(prize["entrants"], names) if prize["entrants"] else "—"
    if prize["amount"] is None:
        return Bilingual(who, who)
    return T("%(who)s，%(amount)s 元", who=who, amount=prize["amount"])


def _listed(entrants: Iterable[str], names: Names) -> str:
    return "、".join(names.entrant(each) for each in entrants)

"""The impact of a version in sentences (影响), for the committee with names, for everybody without those of entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from app.amendments.rules.impact import window_name
from app.draws.rules import stage_name
from app.standings.rules import impact_words
from app.standings.rules.impact_words import Lines, lines_of, score_lines
from app.text import T, until


@dataclass(frozen=True, slots=True)
class Names(impact_words.Names):
    """Who stands behind the ids of an impact, entries by number.

    ``entry`` is None for a reader who may not know which entries are meant.
    """

    entry: Callable[[int], str] | None = None
    unit: Callable[[int], str] | None = None


def impact_lines(impact: Mapping[str, Any], names: Names) -> tuple[Lines, ...]:
    """Everything that is affected, in the order of the work; nothing where nobody is."""
    own = (
        (T("日程和时限"), (_window(each) for each in impact["windows"])),
        (T("报名"), _entries(impact["entries"], names)),
    )
    return (*lines_of(own), *score_lines(impact, names, _draw))


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


def _draw(drawn: Mapping[str, Any]) -> T:
    return T(
        "%(stage)s第 %(round)s 轮按新版会抽出不同的对阵；已抽的不变，仍按抽签时的版本复核",
        stage=stage_name(drawn["stage"]),
        round=drawn["round"],
    )

"""What separates two computations of an event (影响) in sentences, with the names of who plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from app.draws.rules import stage_name
from app.regulations.rules import Bilingual
from app.standings.rules import OVERALL
from app.text import T


@dataclass(frozen=True, slots=True)
class Lines:
    """One kind of what is affected, and a sentence for each case."""

    title: T
    rows: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """Who stands behind the ids of an impact: entrants and teams by the event file's ids."""

    entrant: Callable[[str], str]
    team: Callable[[str], str]


def lines_of(kinds: Iterable[tuple[T, Iterable[T]]]) -> tuple[Lines, ...]:
    """The kinds of which there is anything."""
    found = (Lines(title, tuple(rows)) for title, rows in kinds)
    return tuple(lines for lines in found if lines.rows)


def score_lines(
    impact: Mapping[str, Any], names: Names, drawn: Callable[[Mapping[str, Any]], T]
) -> tuple[Lines, ...]:
    """What of the results is affected, in the order of the work; ``drawn`` says it of one round of ``draws``."""
    return lines_of(
        (
            (T("得分改变的桌"), _tables(impact["tables"])),
            (T("对阵"), (drawn(each) for each in impact["draws"])),
            (T("名次"), (_placing(each, names.entrant, "entrant") for each in impact["placings"])),
            (
                Bilingual("团体名次", "Team result"),
                (
                    *(_placing(each, names.team, "team") for each in impact["teams"]),
                    *(_members(each, names) for each in impact.get("members", ())),
                ),
            ),
            (T("晋级"), (row for each in impact["advance"] for row in _advance(each, names))),
            (T("奖励"), (_prize(each, names) for each in impact["prizes"])),
            (T("积分和等级"), (_points(each, names) for each in impact.get("points", ()))),
        )
    )


def drawn_line(drawn: Mapping[str, Any]) -> T:
    """That a later round, drawn already, would be drawn otherwise."""
    return T(
        "%(stage)s第 %(round)s 轮：%(tables)s 号桌会编排成不同的对阵；已编排的不变",
        stage=stage_name(drawn["stage"]),
        round=drawn["round"],
        tables="、".join(map(str, drawn["tables"])),
    )


def _tables(tables: Iterable[Mapping[str, Any]]) -> Iterator[T]:
    for (stage, number), group in groupby(tables, key=lambda each: (each["stage"], each["round"])):
        yield T(
            "%(stage)s第 %(round)s 轮：%(tables)s 号桌",
            stage=stage_name(stage),
            round=number,
            tables="、".join(str(each["number"]) for each in group),
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


def _members(change: Mapping[str, Any], names: Names) -> T:
    return T(
        "%(team)s计入团体成绩的人：%(before)s 改为 %(after)s",
        team=names.team(change["team"]),
        before=_listed(change["before"], names),
        after=_listed(change["after"], names),
    )


def _points(change: Mapping[str, Any], names: Names) -> T:
    return T(
        "%(name)s：%(before)s 改为 %(after)s",
        name=names.entrant(change["entrant"]),
        before=_worth(change["before"]),
        after=_worth(change["after"]),
    )


def _worth(worth: Mapping[str, Any] | None) -> T:
    if worth is None:
        return T("（无）")
    points = T("%(points)s 分", points=worth["points"])
    if worth["grade"] is None:
        return points
    return T("%(points)s（%(grade)s）", points=points, grade=Bilingual(worth["grade"], worth["grade_en"]))


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

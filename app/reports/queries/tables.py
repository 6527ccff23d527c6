"""Placings and results as the tables of a paper, from one stored computation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.competitions.queries import EventView
from app.draws.queries import RoundView
from app.draws.rules import BRACKET, entrant_of, stage_name
from app.registrations.queries import EntrantView
from app.regulations.rules import Bilingual
from app.reports.paper import Cell, Figure, Table
from app.standings.queries import SnapshotView
from app.standings.rules import criterion_label
from app.standings.rules.brackets import reached_codes, reached_name
from app.text import T
from scoring_engine.tie_breaks import CRITERIA

People = Mapping[str, EntrantView]
MOST_OF_LIST = 5
"""Numbers of a list that is compared in turn."""


def placings_of(snapshot: SnapshotView, stage: str) -> Sequence[Mapping[str, Any]]:
    """The placings a round of this stage is told with: the stage's own; of a play-off, or before there are any, the event's."""
    found = snapshot.stage(stage)
    own: Sequence[Mapping[str, Any]] = found["placings"] if found else ()
    whole: Sequence[Mapping[str, Any]] = snapshot.result["placings"]
    return own or whole


def worder(event: EventView) -> Callable[[str, Any], Cell]:
    """What puts a value of a criterion into a cell, in the words of the event's regulation."""
    rules = event.regulation.scoring_rules()
    first = rules.stages[0]
    bracket = first.kind == BRACKET
    reached = reached_codes(first.rounds) if bracket else [str(stage.code) for stage in rules.stages]
    name = reached_name if bracket else stage_name

    def cell(criterion: str, value: Any) -> Cell:
        if value is None:
            return None
        if criterion == "round_reached":
            return name(reached[int(value) - 1])
        if isinstance(value, list):
            told = " ".join(str(each) for each in value[:MOST_OF_LIST])
            return f"{told} …" if len(value) > MOST_OF_LIST else told
        return Figure(str(value))

    return cell


def placings_table(event: EventView, placings: Sequence[Mapping[str, Any]], people: People) -> Table:
    """名次: rank, name, unit, and each criterion that counted for anybody."""
    cell = worder(event)
    criteria = list(
        dict.fromkeys(
            value["criterion"] for each in placings for value in each["values"] if value["value"] is not None
        )
    )
    groups = any(each.get("group") for each in placings)
    rows = []
    for each in placings:
        person = people[each["entrant"]]
        values = {value["criterion"]: value["value"] for value in each["values"]}
        rows.append(
            (
                each["rank"],
                *([each.get("group")] if groups else []),
                person.name,
                person.unit_name,
                *(cell(code, values.get(code)) for code in criteria),
            )
        )
    head = (
        T("名次"),
        *([T("组别")] if groups else []),
        T("选手"),
        T("单位"),
        *map(criterion_label, criteria),
    )
    return Table(T("名次"), head, tuple(rows))


def points_of(result: Mapping[str, Any], round_: RoundView) -> dict[str, dict[str, str]]:
    """What each entrant got at his table of a round, by criterion; nothing of who had a bye."""
    return {
        entrant: {code: str(value) for code, value in got.items() if code in CRITERIA and value is not None}
        for table in result["tables"]
        if (table["stage"], table["round"]) == (round_.stage, round_.number)
        for entrant, got in table["entrants"].items()
    }


def round_table(round_: RoundView, result: Mapping[str, Any], people: People) -> Table:
    """本轮成绩: who sat where and what he got, table by table; a bye last."""
    points = points_of(result, round_)
    criteria = list(dict.fromkeys(code for got in points.values() for code in got))
    rows: list[tuple[Cell, ...]] = [
        (
            table.number,
            people[entrant_of(seat.entry_id)].name,
            people[entrant_of(seat.entry_id)].unit_name,
            *(_figure(points.get(entrant_of(seat.entry_id), {}).get(code)) for code in criteria),
        )
        for table in round_.tables
        for seat in table.seats
    ]
    bye = T("轮空") if round_.head.in_rounds else T("直接晋级")
    rows += [(bye, each.name, each.unit_name, *(None for _ in criteria)) for each in round_.direct]
    head = (T("桌"), T("选手"), T("单位"), *map(criterion_label, criteria))
    return Table(T("本轮成绩"), head, tuple(rows))


def teams_table(event: EventView, result: Mapping[str, Any], people: People) -> Table:
    cell = worder(event)
    teams = result["teams"]
    criteria = list(dict.fromkeys(value["criterion"] for team in teams for value in team["values"]))
    rows = []
    for team in teams:
        values = {value["criterion"]: value["value"] for value in team["values"]}
        members = "、".join(people[each].name for each in team["members"])
        unit = people[team["members"][0]].unit_name
        rows.append((team["rank"], unit, members, *(cell(code, values.get(code)) for code in criteria)))
    head = (T("名次"), T("单位"), T("计分队员"), *map(criterion_label, criteria))
    return Table(T("团体名次"), head, tuple(rows))


def prizes_table(result: Mapping[str, Any], people: People) -> Table:
    """奖励: who gets what by which clause, and what is still to be drawn or ruled on."""
    units = {team["team"]: people[team["members"][0]].unit_name for team in result["teams"]}
    rows = []
    for each in result.get("prizes", ()):
        who = [people[one].name for one in each["entrants"]]
        who += [units[team] for team in each.get("teams", ()) if team in units]
        waiting = "、".join(people[one].name for one in each.get("candidates", ()))
        if not who and not waiting:
            continue
        open_ = T("%(places)s 个名额，从 %(names)s 中确定", places=each.get("places"), names=waiting)
        amount = Figure(str(each["amount"])) if each["amount"] is not None else None
        rows.append(
            (
                Bilingual(each["label"], each["label_en"]),
                "、".join(who) if who else open_,
                amount,
                str(each["clause"]),
            )
        )
    return Table(T("奖励"), (T("奖项"), T("获奖者"), T("金额（元）"), T("条款")), tuple(rows))


def points_table(result: Mapping[str, Any], people: People) -> Table:
    """积分与等级, where the organiser's tables give any."""
    given = (result.get("points") or {}).get("entrants", ())
    rows = tuple(
        (
            each["rank"],
            people[each["entrant"]].name,
            people[each["entrant"]].unit_name,
            Figure(str(each["points"])),
            Bilingual(each["grade"], each["grade_en"]) if each["grade"] else None,
        )
        for each in given
    )
    return Table(T("积分与等级"), (T("名次"), T("选手"), T("单位"), T("积分"), T("等级")), rows)


def penalties_table(result: Mapping[str, Any], people: People) -> Table:
    rows = tuple(
        (
            people[each["entrant"]].name if each.get("entrant") in people else None,
            T("%(stage)s第 %(number)s 轮", stage=stage_name(each["stage"]), number=each["round"])
            if each.get("stage") and each.get("round")
            else None,
            Bilingual(each["name"], each["name_en"]),
            _figure(each.get("points")),
            str(each["clause"]),
        )
        for each in result["adjustments"]
    )
    return Table(T("处罚"), (T("选手"), T("轮次"), T("事由"), T("扣分"), T("条款")), rows)


def _figure(value: Any) -> Cell:
    return None if value is None else Figure(str(value))

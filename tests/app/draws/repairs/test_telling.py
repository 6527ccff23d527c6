"""What a repair tells: the audit, the event file and verify, broken rules, and who is waited for."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.competitions import queries as competitions
from app.draws import queries
from app.draws.queries import RoundView, repairs
from app.draws.rules.breaches import Warnings, warnings_of
from app.standings import queries as standings
from scoring_engine import event_file
from scoring_engine.event_file import Breach
from scoring_engine.values import EntrantId, Text
from tests.factories import draws
from tests.factories import repairs as repairs_factory


def test_every_act_is_in_the_audit_without_names(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    draws.change({"swap_tables": [1, 2]})
    draws.confirm(chief)
    entries = repairs_factory.db_rows(AuditEntry)
    acts = [entry.action for entry in entries if entry.subject_type == "DrawRepair"]
    assert acts == [AuditAction.REPAIR_OPENED, AuditAction.REPAIR_CHANGED, AuditAction.REPAIR_CONFIRMED]
    told = "".join(str(entry.details) for entry in entries if entry.subject_type == "DrawRepair")
    assert not any(name in told for name in drawn.names.values())


def test_the_event_file_holds_the_draw_the_changes_and_the_tables_as_played(
    drawn: RoundView, chief: Actor
) -> None:
    one, other = drawn.placed.tables[0][0], drawn.placed.byes[0]
    draws.open_repair()
    draws.change({"swap": [one, other]})
    after = draws.confirm(chief)
    document = standings.event_file(repairs_factory.event_id())
    (told,) = document["draws"]
    assert told["tables"] == [list(seats) for seats in drawn.placed.tables]
    assert told["byes"] == list(drawn.placed.byes)
    assert told["repaired"]["byes"] == [one]
    (repair,) = told["repairs"]
    assert repair["change"] == {"swap": [one, other]}
    assert repair["by"] == "组委会"
    assert repair["reason"] == "两人是夫妻"
    assert datetime.fromisoformat(repair["at"]) == after.changes[0].made_at
    (played,) = document["stages"][0]["rounds"]
    assert played["byes"] == [one]
    assert played["tables"][0]["seats"][0] == other


def test_what_a_round_breaks_is_said_with_table_names_and_clause() -> None:
    found = [
        Breach(
            "rematch",
            ids("e1", "e2"),
            Text("e1与e2再次相遇。", "e1 and e2 meet again."),
            table=1,
            clause="附件2一2",
        ),
        Breach(
            "second_bye", ids("e3"), Text("e3再次轮空。", "e3 has a second bye."), bye=0, clause="附件2一2"
        ),
        Breach(
            "float", ids("e1", "e2"), Text("e1、e2不等。", "Unequal."), kept=False, table=1, clause="附件2一2"
        ),
    ]
    warned = warnings_of(found, {"e1": "甲", "e2": "乙", "e3": "丙"})
    assert list(map(str, warned.rules)) == [
        "第 2 桌：甲与乙再次相遇。（规程 附件2一2）",
        "丙再次轮空。（规程 附件2一2）",
    ]
    assert list(map(str, warned.aims)) == ["第 2 桌：甲、乙不等。（规程 附件2一2）"]


def ids(*each: str) -> tuple[EntrantId, ...]:
    return tuple(map(EntrantId, each))


def test_a_round_whose_seats_the_seed_alone_decides_breaks_nothing(drawn: RoundView) -> None:
    def no_file(_: int) -> dict[str, Any]:
        raise AssertionError("the event file need not be built")

    assert repairs.warnings(drawn, drawn.placed, no_file) == Warnings()


def test_verify_follows_the_changes_from_the_draw_to_the_tables(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    draws.change({"swap": [drawn.placed.tables[0][0], drawn.placed.byes[0]]})
    draws.change({"swap_tables": [1, 2]})
    draws.confirm(chief)
    draws.open_repair()
    draws.change({"set_table": {"number": 3, "entrants": list(reversed(drawn.placed.tables[2]))}})
    draws.confirm(chief)
    rules = competitions.event(repairs_factory.event_id()).regulation.scoring_rules()
    document = standings.event_file(repairs_factory.event_id())
    assert event_file.verify(document, rules) == []
    del document["draws"][0]["repairs"][1]
    assert event_file.verify(document, rules) != []


def test_an_open_repair_stands_in_the_overview_of_whoever_may_confirm_it(drawn: RoundView) -> None:
    event = competitions.event(repairs_factory.event_id())
    assert not any("人工调整" in str(each.text) for each in queries.waiting(event, drawn.drawn_at))
    draws.open_repair()
    (told,) = queries.waiting(event, drawn.drawn_at)
    assert str(told.text) == "初赛第 1 轮已开始人工调整，还没有改动"
    draws.change({"swap_tables": [1, 2]})
    (told,) = queries.waiting(event, drawn.drawn_at)
    assert str(told.text) == "初赛第 1 轮正在人工调整，已有 1 项改动，等第二人确认"
    assert (told.endpoint, told.to_do) == ("draw_repairs.show", True)
    assert told.roles == (Role.COMMITTEE, Role.CHIEF_REFEREE)

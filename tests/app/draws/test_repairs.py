"""Repair of a drawn round (人工调整): previewed, given a reason, confirmed by a second person, public afterwards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import SYSTEM, Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries
from app.draws.models import DrawChange, DrawRepair
from app.draws.queries import RoundView, repairs
from app.draws.rules import UnknownRoundError
from app.draws.rules.breaches import Warnings, warnings_of
from app.draws.rules.repairs import (
    BadChangeError,
    NoRepairError,
    NothingChangedError,
    PrivateReasonError,
    RepairConflictError,
    RepairingError,
    RoundStartedError,
    SamePersonError,
    UndoneRepairError,
    UnfinishedRepairError,
)
from app.draws.service import repairs as service
from app.draws.service.repairs import Based
from app.errors import ForbiddenError, SignInRequiredError
from app.extensions import db
from app.results import service as results_service
from app.standings import queries as standings
from scoring_engine import event_file
from scoring_engine.event_file import Breach
from scoring_engine.values import EntrantId, Text
from tests.factories import accounts, draws, registrations, results

Travel = Callable[[datetime], None]


@pytest.fixture
def drawn(session: Any, travel: Travel) -> RoundView:
    """Ten people: three tables, and one goes straight on."""
    return draws.drawn_prelim(travel, 10, 2)


@pytest.fixture
def committee(drawn: RoundView) -> Actor:
    return registrations.committee()


@pytest.fixture
def chief(drawn: RoundView) -> Actor:
    return results.chief()


def event_id() -> int:
    return competitions.competition("beach").event.id


def standing() -> RoundView:
    return repairs.standing_round(event_id(), "prelim", 1)


def test_two_people_change_places_once_a_second_person_confirms(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    draws.open_repair()
    one, other = drawn.placed.tables[0][0], drawn.placed.tables[2][1]
    view = draws.change({"swap": [one, other]})
    assert view.placed.tables[0][0] == other
    assert [each.number for each in view.differences] == [1, 3]
    assert standing().placed == drawn.placed, "nothing changes before the confirmation"
    after = draws.confirm(chief)
    assert after.placed == view.placed
    assert after.drawn == drawn.placed
    assert after.proof == drawn.proof
    assert [each.token for each in after.tables] == [each.token for each in drawn.tables]
    assert [(each.reason, each.made_as) for each in after.changes] == [("两人是夫妻", Role.COMMITTEE)]


def test_somebody_at_a_table_and_the_direct_entrant_change_places(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    seated, direct = drawn.placed.tables[1][2], drawn.placed.byes[0]
    draws.open_repair()
    draws.change({"bye": seated, "instead_of": direct})
    after = draws.confirm(chief)
    assert after.placed.byes == (seated,)
    assert after.placed.tables[1][2] == direct
    draws.open_repair()
    draws.change({"swap": [seated, direct]})
    assert draws.confirm(chief).placed == drawn.placed, "and back in a second repair"
    assert len(standing().changes) == 2


def test_tables_change_numbers_and_a_table_is_set_in_another_order(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    draws.change({"swap_tables": [1, 3]})
    first, second, third = drawn.placed.tables[1]
    draws.change({"set_table": {"number": 2, "entrants": [third, first, second]}})
    after = draws.confirm(chief)
    assert after.placed.tables == (
        drawn.placed.tables[2],
        (third, first, second),
        drawn.placed.tables[0],
    )


def test_a_table_that_takes_people_from_elsewhere_leaves_work_that_is_named(
    drawn: RoundView, chief: Actor
) -> None:
    draws.open_repair()
    one, two, _ = drawn.placed.tables[0]
    moved = drawn.placed.tables[1][0]
    view = draws.change({"set_table": {"number": 1, "entrants": [one, two, moved]}})
    left = drawn.names[drawn.placed.tables[0][2]]
    assert [str(each) for each in view.open_points] == [f"还没有位置：{left}", "第 2 桌有 2 人，应为 3 人"]
    with pytest.raises(UnfinishedRepairError, match=f"还没有位置：{left}"):
        draws.confirm(chief)
    rest = [*drawn.placed.tables[1][1:], drawn.placed.tables[0][2]]
    draws.change({"set_table": {"number": 2, "entrants": rest}})
    assert draws.confirm(chief).placed.tables[1] == tuple(rest)


def test_a_table_emptied_in_between_keeps_its_number(drawn: RoundView) -> None:
    draws.open_repair()
    view = draws.change({"set_table": {"number": 1, "entrants": list(drawn.placed.tables[1])}})
    assert [len(table) for table in view.placed.tables] == [3, 0, 3]
    view = draws.change({"set_table": {"number": 2, "entrants": list(drawn.placed.tables[0])}})
    assert view.open_points == ()


def test_whoever_made_a_change_cannot_confirm_and_a_second_person_can(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    draws.open_repair(by=committee)
    draws.change({"swap_tables": [1, 2]}, by=committee)
    with pytest.raises(SamePersonError, match="不能由您确认"):
        draws.confirm(committee)
    draws.change({"swap_tables": [2, 3]}, by=chief)
    with pytest.raises(SamePersonError):
        draws.confirm(chief)
    third = accounts.user(7411, Role.COMMITTEE, competition_id=competitions.competition_id("beach"))
    assert draws.confirm(third).changes[1].made_as is Role.CHIEF_REFEREE


def test_the_system_is_no_second_person(drawn: RoundView) -> None:
    draws.open_repair()
    draws.change({"swap_tables": [1, 2]})
    with pytest.raises(SignInRequiredError):
        draws.confirm(SYSTEM)


def test_a_repair_without_a_change_is_cancelled_not_confirmed(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    with pytest.raises(NothingChangedError):
        draws.confirm(chief)
    with command(chief) as ctx:
        service.cancel(ctx, event_id(), "prelim", 1, reason="不需要了", based=Based(0, "cancel-0001"))
    assert not standing().repairing
    with pytest.raises(NoRepairError):
        draws.change({"swap_tables": [1, 2]})


def test_cancelling_restores_the_draw_and_keeps_what_was_tried(drawn: RoundView, committee: Actor) -> None:
    draws.open_repair()
    draws.change({"swap_tables": [1, 2]})
    for _ in range(2):
        with command(committee) as ctx:
            service.cancel(ctx, event_id(), "prelim", 1, reason="不需要了", based=Based(1, "cancel-0001"))
    after = standing()
    assert (after.placed, after.changes, after.repairing) == (drawn.placed, (), False)
    assert standings.event_file(event_id())["draws"][0].get("repairs") is None
    kept = db_rows(DrawRepair)
    assert [(row.cancelled_reason, row.after, len(row.changes)) for row in kept] == [("不需要了", None, 1)]


def db_rows(model: type[Any]) -> list[Any]:
    return list(db.session.scalars(select(model)))


def test_no_sheet_is_started_while_a_repair_is_open(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    table = drawn.tables[0]
    referee = results.referee()
    with pytest.raises(RepairingError, match="正在人工调整") as refused, command(referee) as ctx:
        results_service.record_sheet(
            ctx,
            table.token,
            deals=results.deals(table),
            handed_in=True,
            sent=results_service.Sent(0, "test-key-locked"),
        )
    assert refused.value.status == 409
    draws.change({"swap": [drawn.placed.tables[0][0], drawn.placed.tables[1][0]]})
    draws.confirm(chief)
    seated = queries.table(table.id)
    results.confirmed(seated)
    assert standing().started_at is not None


def test_a_round_that_has_started_is_not_repaired(drawn: RoundView) -> None:
    results.recorded(drawn.tables[0], results.deals(drawn.tables[0])[:1])
    with pytest.raises(RoundStartedError, match="已经开始记分") as refused:
        draws.open_repair()
    assert refused.value.clause == "四(二)初赛"


def test_of_two_changes_at_once_the_second_gets_both_versions(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    draws.open_repair()
    draws.change({"swap_tables": [1, 2]}, by=committee)
    with pytest.raises(RepairConflictError) as refused, command(chief) as ctx:
        service.change(
            ctx,
            event_id(),
            "prelim",
            1,
            change={"swap_tables": [2, 3]},
            reason="直播桌",
            based=Based(0, "change-late"),
        )
    told = refused.value.extra
    assert (told["base_revision"], told["current"]["revision"]) == (0, 1)
    assert told["current"]["changes"] == [{"change": {"swap_tables": [1, 2]}, "reason": "两人是夫妻"}]
    assert told["sent"] == {"change": {"swap_tables": [2, 3]}, "reason": "直播桌"}
    with pytest.raises(RepairConflictError), command(chief) as ctx:
        service.confirm(ctx, event_id(), "prelim", 1, based=Based(0, "confirm-late"))


def test_the_same_request_twice_is_one_change_and_another_under_its_key_a_conflict(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    draws.open_repair()

    def send(change: dict[str, Any]) -> int:
        with command(committee) as ctx:
            return service.change(
                ctx,
                event_id(),
                "prelim",
                1,
                change=change,
                reason="直播桌",
                based=Based(0, "change-again"),
            )

    assert send({"swap_tables": [1, 2]}) == send({"swap_tables": [1, 2]}) == 1
    with pytest.raises(RepairConflictError):
        send({"swap_tables": [1, 3]})
    assert len(db_rows(DrawChange)) == 1
    for _ in range(2):
        with command(chief) as ctx:
            service.confirm(ctx, event_id(), "prelim", 1, based=Based(1, "confirm-again"))
    assert draws.open_repair().revision == 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "请选择一种调整"),
        ({"swap_tables": [1, 2], "bye": "e1"}, "请选择一种调整"),
        ({"swap": ["A", "A"]}, "两个不同的人"),
        ({"swap": ["A", "e999999"]}, "e999999不在本轮之中"),
        ({"swap_tables": [2, 2]}, "两张不同的桌子"),
        ({"swap_tables": [1, 4]}, "没有第 4 桌"),
        ({"set_table": {"number": 4, "entrants": ["A", "B", "C"]}}, "没有第 4 桌"),
        ({"set_table": {"number": 1, "entrants": ["A", "B"]}}, "每桌 3 人"),
        ({"set_table": {"number": 1, "entrants": ["A", "B", "B"]}}, "不能坐两个座位"),
        ({"bye": "D"}, "已经轮空"),
        ({"bye": "A", "instead_of": "B"}, "没有轮空"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused_in_names(
    drawn: RoundView, change: dict[str, Any], sentence: str
) -> None:
    people = dict(zip("ABC", drawn.placed.tables[0], strict=True)) | {"D": drawn.placed.byes[0]}

    def with_ids(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: with_ids(each) for key, each in value.items()}
        if isinstance(value, list):
            return [with_ids(each) for each in value]
        return people.get(value, value) if isinstance(value, str) else value

    draws.open_repair()
    with pytest.raises(BadChangeError, match=sentence) as refused:
        draws.change(with_ids(change))
    shown = str(refused.value.text)
    assert not any(entrant in shown for entrant in people.values())


def test_where_nobody_goes_straight_on_there_is_no_bye_to_give(session: Any, travel: Travel) -> None:
    drawn = draws.drawn_prelim(travel, 9, 3)
    draws.open_repair()
    with pytest.raises(BadChangeError, match="没有轮空"):
        draws.change({"bye": drawn.placed.tables[0][0]})


@pytest.mark.parametrize(
    "reason",
    ["电话 13800000000", "138 0000 0000 说的", "138–0000－0000", "138\u30000000\n0000", "11010519491231002X"],
)
def test_a_reason_with_a_telephone_or_id_number_is_refused(drawn: RoundView, reason: str) -> None:
    draws.open_repair()
    with pytest.raises(PrivateReasonError):
        draws.change({"swap_tables": [1, 2]}, reason=reason)


def test_referees_leaders_and_strangers_do_not_repair(drawn: RoundView) -> None:
    with pytest.raises(ForbiddenError, match="组委会或裁判长"):
        draws.open_repair(by=results.referee())
    with pytest.raises(ForbiddenError):
        draws.open_repair(by=accounts.user(7412))
    with pytest.raises(UnknownRoundError), command(registrations.committee()) as ctx:
        service.open_repair(ctx, event_id(), "final", 1)


def test_opening_twice_is_one_repair(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    draws.open_repair(by=chief)
    assert len(db_rows(DrawRepair)) == 1


def test_every_act_is_in_the_audit_without_names(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    draws.change({"swap_tables": [1, 2]})
    draws.confirm(chief)
    entries = db_rows(AuditEntry)
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
    document = standings.event_file(event_id())
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
    rules = competitions.event(event_id()).regulation.scoring_rules()
    document = standings.event_file(event_id())
    assert event_file.verify(document, rules) == []
    del document["draws"][0]["repairs"][1]
    assert event_file.verify(document, rules) != []


def test_changes_that_undo_each_other_are_cancelled_not_published(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    for _ in range(2):
        draws.change({"swap_tables": [1, 2]})
    with pytest.raises(UndoneRepairError, match="互相抵消"):
        draws.confirm(chief)
    draws.change({"swap_tables": [1, 2]})
    assert draws.confirm(chief).placed.tables[0] == drawn.placed.tables[1]


def test_a_change_sent_again_after_the_repair_was_closed_was_stored_once(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    draws.open_repair()

    def send(reason: str) -> int:
        with command(committee) as ctx:
            based = Based(0, "answer-lost-1")
            return service.change(
                ctx, event_id(), "prelim", 1, change={"swap_tables": [1, 2]}, reason=reason, based=based
            )

    assert send("直播桌") == 1
    draws.confirm(chief)
    assert send("直播桌") == 1
    with pytest.raises(NoRepairError):
        send("别的原因")
    assert len(db_rows(DrawChange)) == 1


def test_seats_of_one_table_are_exchanged_and_a_seat_with_itself_is_none(
    drawn: RoundView, chief: Actor
) -> None:
    draws.open_repair()
    one, two, three = drawn.placed.tables[0]
    draws.change({"swap": [one, three]})
    assert draws.confirm(chief).placed.tables[0] == (three, two, one)


def test_an_open_repair_stands_in_the_overview_of_whoever_may_confirm_it(drawn: RoundView) -> None:
    event = competitions.event(event_id())
    assert not any("人工调整" in str(each.text) for each in queries.waiting(event, drawn.drawn_at))
    draws.open_repair()
    (told,) = queries.waiting(event, drawn.drawn_at)
    assert str(told.text) == "初赛第 1 轮已开始人工调整，还没有改动"
    draws.change({"swap_tables": [1, 2]})
    (told,) = queries.waiting(event, drawn.drawn_at)
    assert str(told.text) == "初赛第 1 轮正在人工调整，已有 1 项改动，等第二人确认"
    assert (told.endpoint, told.to_do) == ("draw_repairs.show", True)
    assert told.roles == (Role.COMMITTEE, Role.CHIEF_REFEREE)

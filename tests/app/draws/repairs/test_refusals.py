"""What a repair refuses: a round that has started, a second act at once, a change that cannot be, the wrong person."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from app.actors import SYSTEM, Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries
from app.draws.models import DrawChange
from app.draws.queries import RoundView
from app.draws.rules import UnknownRoundError
from app.draws.rules.repairs import (
    BadChangeError,
    NoRepairError,
    PrivateReasonError,
    RepairConflictError,
    RepairingError,
    RoundStartedError,
    SamePersonError,
    UndoneRepairError,
)
from app.draws.service import repairs as service
from app.draws.service.repairs import Based
from app.errors import ForbiddenError, SignInRequiredError
from app.results import service as results_service
from tests.factories import accounts, draws, registrations, results
from tests.factories import repairs as repairs_factory

Travel = Callable[[datetime], None]


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
    assert repairs_factory.standing().started_at is not None


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
            repairs_factory.event_id(),
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
        service.confirm(ctx, repairs_factory.event_id(), "prelim", 1, based=Based(0, "confirm-late"))


def test_the_same_request_twice_is_one_change_and_another_under_its_key_a_conflict(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    draws.open_repair()

    def send(change: dict[str, Any]) -> int:
        with command(committee) as ctx:
            return service.change(
                ctx,
                repairs_factory.event_id(),
                "prelim",
                1,
                change=change,
                reason="直播桌",
                based=Based(0, "change-again"),
            )

    assert send({"swap_tables": [1, 2]}) == send({"swap_tables": [1, 2]}) == 1
    with pytest.raises(RepairConflictError):
        send({"swap_tables": [1, 3]})
    assert len(repairs_factory.db_rows(DrawChange)) == 1
    for _ in range(2):
        with command(chief) as ctx:
            service.confirm(ctx, repairs_factory.event_id(), "prelim", 1, based=Based(1, "confirm-again"))
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
        service.open_repair(ctx, repairs_factory.event_id(), "final", 1)


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
                ctx,
                repairs_factory.event_id(),
                "prelim",
                1,
                change={"swap_tables": [1, 2]},
                reason=reason,
                based=based,
            )

    assert send("直播桌") == 1
    draws.confirm(chief)
    assert send("直播桌") == 1
    with pytest.raises(NoRepairError):
        send("别的原因")
    assert len(repairs_factory.db_rows(DrawChange)) == 1

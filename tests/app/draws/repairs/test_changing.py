"""Repair of a drawn round (人工调整): what is changed, cancelled and confirmed, and what the tables are then."""

from __future__ import annotations

import pytest

from app.actors import Actor, Role
from app.commands import command
from app.draws.models import DrawRepair
from app.draws.queries import RoundView
from app.draws.rules.repairs import (
    NoRepairError,
    NothingChangedError,
    UnfinishedRepairError,
)
from app.draws.service import repairs as service
from app.draws.service.repairs import Based
from app.standings import queries as standings
from tests.factories import draws
from tests.factories import repairs as repairs_factory


def test_two_people_change_places_once_a_second_person_confirms(
    drawn: RoundView, committee: Actor, chief: Actor
) -> None:
    draws.open_repair()
    one, other = drawn.placed.tables[0][0], drawn.placed.tables[2][1]
    view = draws.change({"swap": [one, other]})
    assert view.placed.tables[0][0] == other
    assert [each.number for each in view.differences] == [1, 3]
    assert repairs_factory.standing().placed == drawn.placed, "nothing changes before the confirmation"
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
    assert len(repairs_factory.standing().changes) == 2


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


def test_a_repair_without_a_change_is_cancelled_not_confirmed(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    with pytest.raises(NothingChangedError):
        draws.confirm(chief)
    with command(chief) as ctx:
        service.cancel(
            ctx, repairs_factory.event_id(), "prelim", 1, reason="不需要了", based=Based(0, "cancel-0001")
        )
    assert not repairs_factory.standing().repairing
    with pytest.raises(NoRepairError):
        draws.change({"swap_tables": [1, 2]})


def test_cancelling_restores_the_draw_and_keeps_what_was_tried(drawn: RoundView, committee: Actor) -> None:
    draws.open_repair()
    draws.change({"swap_tables": [1, 2]})
    for _ in range(2):
        with command(committee) as ctx:
            service.cancel(
                ctx, repairs_factory.event_id(), "prelim", 1, reason="不需要了", based=Based(1, "cancel-0001")
            )
    after = repairs_factory.standing()
    assert (after.placed, after.changes, after.repairing) == (drawn.placed, (), False)
    assert standings.event_file(repairs_factory.event_id())["draws"][0].get("repairs") is None
    kept = repairs_factory.db_rows(DrawRepair)
    assert [(row.cancelled_reason, row.after, len(row.changes)) for row in kept] == [("不需要了", None, 1)]


def test_opening_twice_is_one_repair(drawn: RoundView, chief: Actor) -> None:
    draws.open_repair()
    draws.open_repair(by=chief)
    assert len(repairs_factory.db_rows(DrawRepair)) == 1


def test_seats_of_one_table_are_exchanged_and_a_seat_with_itself_is_none(
    drawn: RoundView, chief: Actor
) -> None:
    draws.open_repair()
    one, two, three = drawn.placed.tables[0]
    draws.change({"swap": [one, three]})
    assert draws.confirm(chief).placed.tables[0] == (three, two, one)

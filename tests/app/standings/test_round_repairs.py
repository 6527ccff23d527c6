"""A round paired by points, changed by hand or taken back: its rules warn, the file verifies, the next round follows it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pytest

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import RoundView, repairs
from app.draws.rules.repairs import Change
from app.draws.service import repairs as repairs_service
from app.draws.service.repairs import Based
from app.draws.service.voiding import Voiding
from app.results import service as results_service
from app.standings import queries
from scoring_engine import event_file
from tests.factories import draws as draws_factory
from tests.factories import registrations, results, rounds
from tests.factories.publications import Travel

_keys = itertools.count(1)


@pytest.fixture
def two_rounds(session: Any, travel: Travel) -> tuple[RoundView, RoundView]:
    """Nine people of 象棋: round 1 is played, round 2 is drawn."""
    rounds.field(travel, rounds.XIANGQI, 9)
    first = rounds.drawn(seed=draws_factory.SEED)
    rounds.played(first)
    return first, rounds.drawn(seed="ab" * 32)


def opened(round_: RoundView) -> repairs.RepairView:
    with command(registrations.committee(rounds.SLUG)) as ctx:
        repairs_service.open_repair(ctx, round_.event_id, round_.stage, round_.number)
    return repairs.repair(round_.event_id, round_.stage, round_.number)


def change_and_confirm(round_: RoundView, change: Change) -> RoundView:
    place = (round_.event_id, round_.stage, round_.number)
    with command(registrations.committee(rounds.SLUG)) as ctx:
        based = Based(0, f"round-change-{next(_keys)}")
        repairs_service.change(ctx, *place, change=change, reason="到场情况有变", based=based)
    with command(results.chief(rounds.SLUG)) as ctx:
        repairs_service.confirm(ctx, *place, based=Based(1, f"round-confirm-{next(_keys)}"))
    return repairs.standing_round(*place)


def test_a_rematch_and_a_second_bye_are_warnings_of_the_preview(
    two_rounds: tuple[RoundView, RoundView],
) -> None:
    first, second = two_rounds
    view = opened(second)
    (had_bye,) = first.placed.byes
    said = warned(view, {"bye": had_bye, "instead_of": second.placed.byes[0]})
    assert f"{second.names[had_bye]}再次轮空。（规程 附件3一2）" in said.rules
    one, other = next(pair for pair in first.placed.tables if set(pair).isdisjoint(second.placed.byes))
    number, place = next(
        (number, table.index(one)) for number, table in enumerate(second.placed.tables, 1) if one in table
    )
    opponent = second.placed.tables[number - 1][1 - place]
    said = warned(view, {"swap": [opponent, other]})
    assert any(
        each.startswith(f"第 {number} 桌：") and "再次相遇" in each and second.names[one] in each
        for each in said.rules
    )


def test_points_and_sides_a_change_gives_away_are_told_of_the_changed_tables_alone(
    two_rounds: tuple[RoundView, RoundView],
) -> None:
    """After round 1 half have 2 points; who has moved first would move first again."""
    _, second = two_rounds
    view = opened(second)
    top, last = second.placed.tables[0], second.placed.tables[-1]
    said = warned(view, {"swap": [top[0], last[0]]})
    assert any(each.startswith("第 1 桌：积分不同而同桌") for each in said.aims)
    assert not any(each.startswith(("第 2 桌", "第 3 桌")) for each in said.aims)


@dataclass(frozen=True)
class Said:
    rules: list[str]
    aims: list[str]


def warned(view: repairs.RepairView, change: Change) -> Said:
    """What one more change would break, in words."""
    found = repairs.warnings(view.round, repairs.preview(view, change).placed, queries.event_file)
    return Said(list(map(str, found.rules)), list(map(str, found.aims)))


def test_a_repaired_round_verifies_and_the_next_one_is_paired_after_it(
    two_rounds: tuple[RoundView, RoundView],
) -> None:
    _, second = two_rounds
    opened(second)
    seated, free = second.placed.tables[0][0], second.placed.byes[0]
    after = change_and_confirm(second, {"bye": seated, "instead_of": free})
    assert after.placed.byes == (seated,)
    rules = competitions.competition(rounds.SLUG).event.regulation.scoring_rules()
    document = queries.event_file(second.event_id)
    assert event_file.verify(document, rules) == []
    assert [note.more["rule"] for note in event_file.notes(document, rules)][:1] == ["repaired"]
    rounds.played(after)
    third = rounds.drawn()
    assert third.placed.byes != (seated,), "who had the bye by hand has no second one"
    assert event_file.verify(queries.event_file(second.event_id), rules) == []


def test_a_played_round_is_taken_back_with_its_results_and_drawn_again(
    two_rounds: tuple[RoundView, RoundView],
) -> None:
    _, second = two_rounds
    rounds.confirmed(second.tables[0])
    with command(results.chief(rounds.SLUG)) as ctx:
        results_service.undraw(
            ctx,
            second.event_id,
            "swiss",
            2,
            voiding=Voiding(second.seed, "名单有误", "round-undraw-1"),
            deals=1,
        )
    assert [each.number for each in draws.rounds(second.event_id)] == [1]
    again = rounds.drawn(seed="cd" * 32)
    assert (again.number, again.seed) == (2, "cd" * 32)
    rules = competitions.competition(rounds.SLUG).event.regulation.scoring_rules()
    assert event_file.verify(queries.event_file(second.event_id), rules) == []

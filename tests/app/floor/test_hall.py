"""The hall: referees at tables, the queue of calls, who has arrived and how late, and what every phone is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from app import clock
from app.actors import ANONYMOUS, Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.draws.rules import UnknownTableError
from app.errors import ForbiddenError, InvalidError, SignInRequiredError
from app.floor import queries, service
from app.floor.rules.hall import (
    ArrivalAheadError,
    ArrivalWay,
    CallClosedError,
    CallKind,
    CallTakenError,
    NoRefereesError,
    NotARefereeError,
    NotArrivedError,
    NotAssignedError,
    NotAtTableError,
    NotInRoundError,
    UnknownCallError,
    UnknownNoticeError,
    spread,
)
from tests.app.results.test_concurrency import at_once
from tests.factories import accounts, floor, results

Travel = Callable[[datetime], None]


def referees(count: int) -> list[Actor]:
    beach = competitions.competition_id("beach")
    return [accounts.user(9200 + each, Role.REFEREE, competition_id=beach) for each in range(count)]


@pytest.fixture
def drawn(session: Any, travel: Travel) -> RoundView:
    """A drawn prelim of twelve at four tables; nine go on."""
    return results.prelim(travel, 12)


def placed(drawn: RoundView) -> list[tuple[int, ...]]:
    found = queries.referees([table.id for table in drawn.tables])
    return [found.get(table.id, ()) for table in drawn.tables]


def call(drawn: RoundView, by: Actor = ANONYMOUS, **more: Any) -> int:
    """A call from table 1, by its first seat where nobody else is named."""
    table = drawn.tables[0]
    values: dict[str, Any] = {
        "kind": CallKind.REFEREE,
        "key": results.key(),
        "caller_entry_id": table.seats[0].entry_id if by is ANONYMOUS else None,
    } | more
    with command(by) as ctx:
        return service.call_referee(ctx, table.id, **values)


def arrive(drawn: RoundView, entry_id: int, by: Actor | None = None, **more: Any) -> datetime:
    with command(by or results.referee()) as ctx:
        return service.record_arrival(
            ctx, drawn.id, entry_id, way=more.pop("way", ArrivalWay.REFEREE), **more
        )


@given(referees=st.integers(0, 40), tables=st.integers(0, 40))
def test_referees_are_spread_as_evenly_as_it_goes(referees: int, tables: int) -> None:
    found = spread(range(100, 100 + referees), range(1, tables + 1))
    assert list(found) == list(range(1, tables + 1))
    a_table = [len(each) for each in found.values()]
    a_referee = [sum(user in each for each in found.values()) for user in range(100, 100 + referees)]
    if referees and tables:
        assert max(a_table) - min(a_table) <= 1
        assert max(a_referee) - min(a_referee) <= 1
        assert min(a_table) >= 1
        assert min(a_referee) >= 1
    else:
        assert sum(a_table) == 0
    order = [user for each in found.values() for user in each]
    assert order == sorted(order)  # whoever has several tables has neighbours


def test_all_referees_are_spread_over_all_tables_without_the_chief_referee(drawn: RoundView) -> None:
    first, second = (each.user_id for each in referees(2))
    floor.act("spread_referees", drawn)
    assert placed(drawn) == [(first,), (first,), (second,), (second,)]
    floor.act("spread_referees", drawn)
    assert placed(drawn) == [(first,), (first,), (second,), (second,)]
    mine = queries.tables_of_referee(drawn.event_id, first or 0)
    assert [table.number for table in mine] == [1, 2]


def test_without_referees_nobody_is_spread(drawn: RoundView) -> None:
    with pytest.raises(NoRefereesError):
        floor.act("spread_referees", drawn)


def test_referees_are_assigned_table_by_table_and_the_others_stay(drawn: RoundView) -> None:
    first, second = (each.user_id for each in referees(2))
    floor.act("assign_referees", drawn, placed={1: [first], 2: [first, second]})
    floor.act("assign_referees", drawn, placed={1: [second]})
    assert placed(drawn) == [(second,), (first, second), (), ()]
    with command(results.chief()) as ctx:
        service.release_referee(ctx, drawn.event_id, drawn.tables[1].id, first)
    assert placed(drawn) == [(second,), (second,), (), ()]
    with pytest.raises(NotAssignedError), command(results.chief()) as ctx:
        service.release_referee(ctx, drawn.event_id, drawn.tables[1].id, first)


def test_only_referees_sit_at_tables_that_there_are_and_only_the_chief_referee_puts_them_there(
    drawn: RoundView,
) -> None:
    someone = accounts.user(9300).user_id
    (known,) = referees(1)
    with pytest.raises(NotARefereeError):
        floor.act("assign_referees", drawn, placed={1: [someone]})
    with pytest.raises(UnknownTableError):
        floor.act("assign_referees", drawn, placed={9: [known.user_id]})
    with pytest.raises(ForbiddenError):
        floor.act("spread_referees", drawn, by=known)
    assert placed(drawn) == [(), (), (), ()]


def test_calls_are_answered_first_come_first_served(drawn: RoundView, travel: Travel) -> None:
    began = clock.now()
    first = call(drawn, note="对方换牌了")
    travel(began + timedelta(seconds=5))
    second = call(drawn, results.referee(), kind=CallKind.CHIEF)
    queue = queries.open_calls(drawn.event_id)
    assert [each.id for each in queue] == [first, second]
    assert queue[0].caller == drawn.tables[0].seats[0].name
    assert queue[0].note == "对方换牌了"
    assert queue[1].caller is None
    with command(results.referee()) as ctx:
        service.take_call(ctx, first)
    taken = queries.open_calls(drawn.event_id)[0]
    assert taken.taken_at == clock.now()
    with command(results.referee()) as ctx:
        service.close_call(ctx, first, outcome="解释了规则")
    assert [each.id for each in queries.open_calls(drawn.event_id)] == [second]
    assert queries.calls_of_table(drawn.tables[0].id)[0].outcome == "解释了规则"


def test_a_second_tap_is_the_same_call_and_so_is_another_while_it_is_open(drawn: RoundView) -> None:
    key = results.key()
    first = call(drawn, key=key)
    assert call(drawn, key=key) == first
    assert call(drawn) == first
    assert call(drawn, kind=CallKind.CHIEF) != first
    with command(results.chief()) as ctx:
        service.close_call(ctx, first)
    assert call(drawn, key=key) == first  # sent late by a phone that was offline
    assert call(drawn) != first


def test_a_player_calls_only_from_his_own_table(drawn: RoundView) -> None:
    with pytest.raises(NotAtTableError):
        call(drawn, caller_entry_id=drawn.tables[1].seats[0].entry_id)
    with pytest.raises(SignInRequiredError):
        call(drawn, caller_entry_id=None)


def test_another_referee_is_told_that_somebody_is_on_the_way(drawn: RoundView) -> None:
    first, second = referees(2)
    call_id = call(drawn)
    for _ in range(2):
        with command(first) as ctx:
            service.take_call(ctx, call_id)
    with pytest.raises(CallTakenError), command(second) as ctx:
        service.take_call(ctx, call_id)
    with command(first) as ctx:
        service.close_call(ctx, call_id)
    with pytest.raises(CallClosedError), command(second) as ctx:
        service.take_call(ctx, call_id)


def test_only_the_chief_referee_answers_for_the_chief_referee(drawn: RoundView) -> None:
    call_id = call(drawn, kind=CallKind.DISPUTE)
    with pytest.raises(ForbiddenError), command(results.referee()) as ctx:
        service.take_call(ctx, call_id)
    with command(results.chief()) as ctx:
        service.take_call(ctx, call_id)


def test_a_player_takes_his_own_call_back_and_nobody_elses(drawn: RoundView) -> None:
    call_id = call(drawn)
    mine, other = (seat.entry_id for seat in drawn.tables[0].seats[:2])
    with pytest.raises(UnknownCallError), command(ANONYMOUS) as ctx:
        service.withdraw_call(ctx, call_id, caller_entry_id=other)
    with command(ANONYMOUS) as ctx:
        service.withdraw_call(ctx, call_id, caller_entry_id=mine)
    assert queries.open_calls(drawn.event_id) == ()


def test_a_decided_dispute_leaves_the_queue(drawn: RoundView) -> None:
    referee = call(drawn)
    call(drawn, kind=CallKind.DISPUTE)
    with command(results.chief()) as ctx:
        service.close_disputes(ctx, drawn.tables[0].id, outcome="维持原记录")
    assert [each.id for each in queries.open_calls(drawn.event_id)] == [referee]


def test_lateness_is_counted_exactly_from_the_scheduled_time(drawn: RoundView, travel: Travel) -> None:
    at = clock.now() + timedelta(minutes=10)
    floor.act("schedule_round", drawn, scheduled_at=at)
    early, exact, late = (seat.entry_id for seat in drawn.tables[0].seats)
    arrive(drawn, early)
    travel(at)
    arrive(drawn, exact, way=ArrivalWay.CARD)
    travel(at + timedelta(minutes=5, seconds=1))
    arrive(drawn, late)
    assert queries.minutes_late(drawn.id) == {late: Fraction(301, 60)}
    assert queries.arrivals(drawn.id)[exact] == at
    assert queries.arrival_views(drawn.id)[exact].way is ArrivalWay.CARD
    assert len(queries.missing(drawn.id)) == 9


def test_without_a_scheduled_time_nobody_is_late(drawn: RoundView) -> None:
    arrive(drawn, drawn.tables[0].seats[0].entry_id)
    assert queries.minutes_late(drawn.id) == {}


def test_who_has_arrived_stays_arrived_at_that_moment(drawn: RoundView, travel: Travel) -> None:
    entry_id = drawn.tables[0].seats[0].entry_id
    first = arrive(drawn, entry_id)
    travel(first + timedelta(minutes=3))
    assert arrive(drawn, entry_id) == first
    assert queries.arrivals(drawn.id) == {entry_id: first}


def test_an_arrival_noted_by_mistake_is_taken_back_and_noted_anew(drawn: RoundView, travel: Travel) -> None:
    entry_id = drawn.tables[0].seats[0].entry_id
    first = arrive(drawn, entry_id)
    with command(results.referee()) as ctx:
        service.take_back_arrival(ctx, drawn.id, entry_id)
    assert queries.arrivals(drawn.id) == {}
    with pytest.raises(NotArrivedError), command(results.referee()) as ctx:
        service.take_back_arrival(ctx, drawn.id, entry_id)
    travel(first + timedelta(minutes=3))
    seen = first + timedelta(minutes=2)
    assert arrive(drawn, entry_id, at=seen) == seen
    with pytest.raises(ArrivalAheadError):
        arrive(drawn, drawn.tables[0].seats[1].entry_id, at=first + timedelta(minutes=4))


def test_a_player_arrives_by_his_own_card_now_and_never_earlier(drawn: RoundView) -> None:
    entry_id = drawn.tables[0].seats[0].entry_id
    arrive(drawn, entry_id, ANONYMOUS, own=True, at=clock.now() - timedelta(minutes=9), way=ArrivalWay.CARD)
    view = queries.arrival_views(drawn.id)[entry_id]
    assert (view.at, view.way) == (clock.now(), ArrivalWay.OWN)


def test_only_who_is_seated_arrives_and_only_staff_note_it(drawn: RoundView) -> None:
    with pytest.raises(NotInRoundError):
        arrive(drawn, 999_999)
    with pytest.raises(SignInRequiredError):
        arrive(drawn, drawn.tables[0].seats[0].entry_id, ANONYMOUS)


def test_an_announcement_stands_for_two_hours_or_until_it_is_withdrawn(
    drawn: RoundView, travel: Travel
) -> None:
    key = results.key()
    for _ in range(2):
        with command(results.chief()) as ctx:
            notice_id = service.announce(
                ctx, drawn.event_id, text="第二轮 10:30 开始", text_en="Round 2 at 10:30", key=key
            )
    with command(results.chief()) as ctx:
        other = service.announce(ctx, drawn.event_id, text="请到 3 号桌领水", key=results.key())
    told = queries.notices(drawn.event_id, clock.now())
    assert [each.id for each in told] == [other, notice_id]
    assert [each.in_language("en") for each in told] == ["请到 3 号桌领水", "Round 2 at 10:30"]
    with command(results.chief()) as ctx:
        service.withdraw_notice(ctx, drawn.event_id, other)
    assert [each.id for each in queries.notices(drawn.event_id, clock.now())] == [notice_id]
    travel(clock.now() + timedelta(hours=2))
    assert queries.notices(drawn.event_id, clock.now()) == ()
    assert len(queries.all_notices(drawn.event_id)) == 2
    with pytest.raises(UnknownNoticeError), command(results.chief()) as ctx:
        service.withdraw_notice(ctx, drawn.event_id, 999_999)


@pytest.mark.parametrize("text", ["", "  ", "字" * 201, "请 12 号选手拨 138 0000 0001 1"])
def test_an_announcement_without_words_or_with_a_number_of_a_person_is_refused(
    drawn: RoundView, text: str
) -> None:
    with pytest.raises(InvalidError) as refused, command(results.chief()) as ctx:
        service.announce(ctx, drawn.event_id, text=text, key=results.key())
    assert "text" in refused.value.fields


def test_a_referee_does_not_speak_to_every_phone(drawn: RoundView) -> None:
    with pytest.raises(ForbiddenError), command(results.referee()) as ctx:
        service.announce(ctx, drawn.event_id, text="开饭了", key=results.key())


def test_what_two_phones_send_at_once_is_stored_once(app: Flask, travel: Travel) -> None:
    with app.app_context():
        drawn = results.prelim(travel)
        people = [results.referee(), results.chief()]
    table = drawn.tables[0]
    entry_id = table.seats[0].entry_id

    def calling(place: int) -> Callable[[], int]:
        return lambda: call(drawn, caller_entry_id=table.seats[place].entry_id)

    def arriving(by: Actor) -> Callable[[], datetime]:
        return lambda: arrive(drawn, entry_id, by)

    raised = at_once(app, *(calling(place) for place in range(3)), *(arriving(by) for by in people))
    assert raised == [None] * 5
    with app.app_context():
        assert len(queries.open_calls(drawn.event_id)) == 1
        assert list(queries.arrivals(drawn.id)) == [entry_id]

"""Score sheets: what is refused where it is typed, what two devices do to each other, and that nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.actors import ANONYMOUS
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions.models import Event
from app.draws import queries as draws
from app.draws.queries import TableView
from app.draws.service import voiding as draws_voiding
from app.errors import ForbiddenError, SaishiError, SignInRequiredError
from app.extensions import db
from app.jobs import Job
from app.results import queries, service
from app.results.models import Sheet, SheetRevision
from app.results.rules import (
    CorrectionClosedError,
    DealNumberError,
    DealsMissingError,
    InvalidDealError,
    NotCheckedError,
    SheetClosedError,
    SheetConflictError,
    SheetState,
)
from app.results.service import Sent
from tests.factories import accounts, publications, results

Travel = Callable[[datetime], None]


@pytest.fixture
def table(session: Any, travel: Travel) -> TableView:
    """The first table of a drawn prelim of nine."""
    return results.prelim(travel).tables[0]


def record(table: TableView, number: int, deal: dict[str, Any], **changes: Any) -> service.Saved:
    with command(results.referee()) as ctx:
        return service.record_deal(
            ctx, table.token, deal_number=number, deal=deal, sent=results.sent(table, **changes)
        )


def stored_revisions() -> int:
    return db.session.scalar(select(func.count()).select_from(SheetRevision)) or 0


def test_every_saved_deal_appends_a_revision_that_holds_all_deals_so_far(table: TableView) -> None:
    first, second, third = results.seats(table)
    record(table, 1, results.deal(first))
    record(table, 2, results.deal(second, bid=2, bombs=1))
    told = queries.revisions(table.token)
    assert [len(revision.deals) for revision in told] == [1, 2]
    sheet = queries.sheet(table.token)
    assert sheet.scores == ({first: 2, second: -1, third: -1}, {first: -4, second: 8, third: -4})
    assert sheet.totals == {first: -2, second: 7, third: -5}
    assert sheet.shown_state == "running"


def test_a_deal_is_replaced_while_the_sheet_is_open_and_the_old_revision_stays_readable(
    table: TableView,
) -> None:
    first, second, _ = results.seats(table)
    record(table, 1, results.deal(first, bid=3))
    record(table, 1, results.deal(second, bid=1))
    assert queries.sheet(table.token).deals[0]["landlord"] == second
    assert queries.revisions(table.token)[0].deals[0]["landlord"] == first


def test_who_when_and_which_device_are_kept_with_the_revision(table: TableView, travel: Travel) -> None:
    moment = publications.WINDOW_OVER + timedelta(days=27)
    travel(moment)
    typed = moment - timedelta(minutes=3)
    record(table, 1, results.deal(results.seats(table)[0]), device="phone", client_time=typed)
    revision = queries.revisions(table.token)[0]
    assert revision.recorded_by_id == results.referee().user_id
    assert (revision.recorded_at, revision.device, revision.client_time) == (moment, "phone", typed)


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"bid": 4}, "bid", "没有 4 分"),
        ({"bid": 0}, "bid", "没有 0 分"),
        ({"landlord": "e999"}, "landlord", "庄家不在本桌"),
        ({"landlord": None}, "landlord", "请选择庄家"),
        ({"bid": None}, "bid", "请选择叫分"),
        ({"winner": None}, "winner", "请选择胜方"),
        ({"winner": "defenders", "spring": True}, "spring", "不能是春天"),
        ({"anti_spring": True}, "anti_spring", "不能是反春"),
        ({"rockets": 2}, "rockets", "最多打出一个火箭"),
        ({"bombs": 14}, "bombs", "炸弹"),
        ({"scores": {"first": 2, "second": -1, "third": 0}}, "scores", "之和应为 0"),
        ({"scores": {"first": 4, "second": -2, "third": -2}}, "scores", "不符"),
    ],
)
def test_an_impossible_deal_is_refused_beside_its_field_with_the_clause(
    table: TableView, change: dict[str, Any], field: str, words: str
) -> None:
    places = dict(zip(("first", "second", "third"), results.seats(table), strict=True))
    if "scores" in change:
        change = {"scores": {places[place]: points for place, points in change["scores"].items()}}
    with pytest.raises(InvalidDealError) as refused:
        record(table, 1, results.deal(places["first"]) | change)
    assert words in str(refused.value.fields[field])
    assert refused.value.clause
    assert refused.value.clause.startswith("四")
    assert stored_revisions() == 0


def test_an_eleventh_deal_is_refused_with_the_clause_of_the_stage(table: TableView) -> None:
    results.recorded(table, results.deals(table))
    with pytest.raises(DealNumberError) as refused:
        record(table, 11, results.deal(results.seats(table)[0]))
    assert str(refused.value.fields["deal_number"]) == "本阶段每桌 10 副，没有第 11 副。"
    assert refused.value.clause == "四(二)初赛"
    with command(results.referee()) as ctx, pytest.raises(DealNumberError):
        service.record_sheet(
            ctx,
            table.token,
            deals=results.deals(table, count=11),
            handed_in=False,
            sent=results.sent(table),
        )


def test_a_deal_that_would_leave_a_gap_is_refused(table: TableView) -> None:
    with pytest.raises(DealNumberError, match="请先录入第 1 副"):
        record(table, 3, results.deal(results.seats(table)[0]))


def test_a_sheet_with_deals_missing_cannot_be_handed_in(table: TableView) -> None:
    results.recorded(table, results.deals(table, count=9))
    with command(results.referee()) as ctx, pytest.raises(DealsMissingError, match="还差 1 副"):
        service.hand_in(ctx, table.token, checked=True, sent=results.sent(table))


def test_a_sheet_the_players_have_not_checked_cannot_be_handed_in(table: TableView) -> None:
    results.recorded(table, results.deals(table))
    with command(results.referee()) as ctx, pytest.raises(NotCheckedError) as refused:
        service.hand_in(ctx, table.token, checked=False, sent=results.sent(table))
    assert refused.value.clause == "四(二)8(九)"


def test_handing_in_confirms_raises_the_results_version_and_queues_the_standings(
    table: TableView, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    results.recorded(table, results.deals(table))
    before = db.session.get_one(Event, table.event_id).results_version
    sent_jobs.clear()
    with command(results.referee()) as ctx:
        saved = service.hand_in(ctx, table.token, checked=True, sent=results.sent(table))
    assert saved.state is SheetState.CONFIRMED
    assert db.session.get_one(Event, table.event_id).results_version == before + 1
    assert sent_jobs == [(Job.RECOMPUTE_STANDINGS, {"event_id": table.event_id})]
    assert list(queries.in_force(table.event_id)) == [table.id]
    actions = db.session.scalars(select(AuditEntry.action)).all()
    assert AuditAction.SHEET_HANDED_IN.value in actions


def test_nothing_is_confirmed_before_the_sheet_is_handed_in(table: TableView) -> None:
    results.recorded(table, results.deals(table))
    assert queries.in_force(table.event_id) == {}
    assert queries.progress(table.event_id).confirmed == 0


def test_a_sheet_that_was_handed_in_takes_no_more_deals(table: TableView) -> None:
    results.confirmed(table)
    with pytest.raises(SheetClosedError):
        record(table, 1, results.deal(results.seats(table)[1]))
    with command(results.referee()) as ctx, pytest.raises(SheetClosedError):
        service.hand_in(ctx, table.token, checked=True, sent=results.sent(table))


def test_the_same_request_twice_is_stored_once_with_the_same_answer(table: TableView) -> None:
    deal = results.deal(results.seats(table)[0])
    once = Sent(base_revision=0, idempotency_key="one-tap-0001")
    answers = []
    for _ in range(2):
        with command(results.referee()) as ctx:
            answers.append(service.record_deal(ctx, table.token, deal_number=1, deal=deal, sent=once))
    assert [answer.revision for answer in answers] == [1, 1]
    assert [answer.repeated for answer in answers] == [False, True]
    assert stored_revisions() == 1


def test_a_used_key_with_other_content_is_a_conflict_and_never_dropped(table: TableView) -> None:
    first, second, _ = results.seats(table)
    record(table, 1, results.deal(first), idempotency_key="one-tap-0001")
    with pytest.raises(SheetConflictError):
        record(table, 1, results.deal(second), idempotency_key="one-tap-0001")


def test_an_outdated_change_is_a_conflict_that_carries_both_versions(table: TableView) -> None:
    first, second, _ = results.seats(table)
    record(table, 1, results.deal(first, bid=2))
    with pytest.raises(SheetConflictError) as refused:
        record(table, 1, results.deal(second, bid=3), base_revision=0)
    assert refused.value.extra["current"]["revision"] == 1
    assert refused.value.extra["current"]["deals"][0]["landlord"] == first
    assert refused.value.extra["sent"]["deal"]["landlord"] == second
    assert stored_revisions() == 1


def test_a_passed_out_deal_scores_nothing_and_counts(table: TableView) -> None:
    record(table, 1, {"passed_out": True})
    sheet = queries.sheet(table.token)
    assert set(sheet.scores[0].values()) == {0}
    assert sheet.first_bidder(2).entry_id == table.seats[1].entry_id


def test_the_first_bid_goes_round_counter_clockwise_from_the_drawn_seat(table: TableView) -> None:
    sheet = queries.sheet(table.token)
    order = [sheet.first_bidder(number).entry_id for number in (1, 2, 3, 4)]
    seats = [seat.entry_id for seat in table.seats]
    assert order == [*seats, seats[0]]


def test_only_people_with_a_role_record(table: TableView) -> None:
    deal = results.deal(results.seats(table)[0])
    once = Sent(base_revision=0, idempotency_key="one-tap-0001")
    with command(ANONYMOUS) as ctx, pytest.raises(SignInRequiredError, match="裁判员"):
        service.record_deal(ctx, table.token, deal_number=1, deal=deal, sent=once)
    with command(accounts.user(77)) as ctx, pytest.raises(ForbiddenError, match="裁判员"):
        service.record_deal(ctx, table.token, deal_number=1, deal=deal, sent=once)


def reopen(table: TableView, by: Any = None) -> service.Saved:
    with command(by or results.chief()) as ctx:
        return service.reopen(ctx, table.token, reason="第3副叫分记错", sent=results.sent(table))


def test_a_correction_is_opened_up_to_the_last_second_of_its_window(table: TableView, travel: Travel) -> None:
    published = publications.WINDOW_OVER + timedelta(days=27, hours=10, minutes=3)
    travel(published)
    results.confirmed(table)
    travel(published + timedelta(minutes=10, seconds=1))
    with pytest.raises(CorrectionClosedError) as refused:
        reopen(table)
    assert refused.value.clause == "四(二)8(九)"
    travel(published + timedelta(minutes=10))
    assert reopen(table).state is SheetState.OPEN


def test_a_sheet_under_correction_keeps_its_confirmed_result_in_force_until_it_is_handed_in_again(
    table: TableView,
) -> None:
    results.confirmed(table)
    before = queries.in_force(table.event_id)[table.id]
    reopen(table)
    second = results.seats(table)[1]
    record(table, 1, results.deal(second, bid=3))
    assert queries.in_force(table.event_id)[table.id] == before
    assert queries.progress(table.event_id).provisional
    with command(results.referee()) as ctx:
        service.hand_in(ctx, table.token, checked=True, sent=results.sent(table))
    assert queries.in_force(table.event_id)[table.id].deals[0]["landlord"] == second
    assert [bool(each.reason) for each in queries.revisions(table.token)] == [False, True, False, False]


def test_a_referee_does_not_open_corrections(table: TableView) -> None:
    results.confirmed(table)
    with pytest.raises(ForbiddenError, match="裁判长"):
        reopen(table, results.referee())


def test_the_sheet_of_a_table_is_made_once(table: TableView) -> None:
    record(table, 1, results.deal(results.seats(table)[0]))
    record(table, 2, results.deal(results.seats(table)[0]))
    assert db.session.scalar(select(func.count()).select_from(Sheet)) == 1


def test_a_round_that_has_started_is_not_started_again(table: TableView) -> None:
    record(table, 1, results.deal(results.seats(table)[0]))
    before = draws.round_of(table.event_id, "prelim", 1)
    assert before is not None
    assert before.started_at is not None
    with command(results.referee()) as ctx:  # a change without an audit entry would be refused
        draws_voiding.start_round(ctx, table.round_id)
    assert draws.round_of(table.event_id, "prelim", 1) == before


def at_once(app: Flask, acts: list[Callable[[], service.Saved]]) -> list[service.Saved | SaishiError]:
    """Each act in a thread of its own, started together."""
    start = threading.Barrier(len(acts))
    answers: list[service.Saved | SaishiError] = []

    def work(act: Callable[[], service.Saved]) -> None:
        with app.app_context():
            start.wait()
            try:
                answers.append(act())
            except SaishiError as error:
                answers.append(error)

    workers = [threading.Thread(target=work, args=(act,)) for act in acts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return answers


def first_deals(app: Flask, travel: Travel, keys: list[str]) -> list[service.Saved | SaishiError]:
    """The first deal of one table, sent at once under each of these keys."""
    with app.app_context():
        table = results.prelim(travel).tables[0]
        referee = results.referee()
    deal = results.deal(results.seats(table)[0])

    def send(key: str) -> Callable[[], service.Saved]:
        def act() -> service.Saved:
            with command(referee) as ctx:
                once = Sent(base_revision=0, idempotency_key=key)
                return service.record_deal(ctx, table.token, deal_number=1, deal=deal, sent=once)

        return act

    return at_once(app, [send(key) for key in keys])


def test_two_devices_that_send_the_first_deal_at_once_store_one_and_tell_the_other(
    app: Flask, travel: Travel
) -> None:
    answers = first_deals(app, travel, ["device-one-1", "device-two-1"])
    assert sorted(type(answer).__name__ for answer in answers) == ["Saved", "SheetConflictError"]
    with app.app_context():
        assert stored_revisions() == 1


def test_a_double_tap_on_the_first_deal_is_answered_twice_and_stored_once(app: Flask, travel: Travel) -> None:
    answers = first_deals(app, travel, ["one-tap-0001", "one-tap-0001"])
    assert [answer.revision for answer in answers if isinstance(answer, service.Saved)] == [1, 1]
    with app.app_context():
        assert stored_revisions() == 1

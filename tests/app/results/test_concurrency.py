"""Two people at once: different tables, a correction against a draw, a decision against a draw."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, text

from app import clock
from app.actors import SYSTEM, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.draws import queries as draws
from app.draws.rules.repairs import (
    NoRepairError,
    RepairConflictError,
    RepairingError,
    RepairOpenError,
    RoundStartedError,
    VoidTableError,
)
from app.draws.service import repairs as repairs_service
from app.draws.service.repairs import Based
from app.draws.service.voiding import Voiding
from app.errors import SaishiError
from app.extensions import db
from app.registrations import service as registrations_service
from app.registrations.rules import Decision, DecisionKind, EntriesDrawnError
from app.results import queries, service
from app.results.models import Sheet
from app.results.rules import (
    CorrectionClosedError,
    LaterRoundDrawnError,
    NothingToRestoreError,
    SheetState,
    UndrawingNotTypedError,
)
from app.standings import service as standings
from tests.factories import draws as draws_factory
from tests.factories import registrations, results
from tests.factories.publications import Travel


def at_once(app: Flask, *acts: Callable[[], Any]) -> list[BaseException | None]:
    """Runs the acts at the same moment, each in a thread with a context of its own; what each raised."""
    start = threading.Barrier(len(acts))
    raised: list[BaseException | None] = [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        with app.app_context():
            start.wait()
            try:
                act()
            except Exception as error:
                raised[place] = error

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_ten_tables_handed_in_at_the_same_moment_are_all_stored(app: Flask, travel: Travel) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 30)
        referee = results.referee()

    def hand_in(place: int) -> Callable[[], None]:
        table = drawn.tables[place]

        def act() -> None:
            with command(referee) as ctx:
                service.record_sheet(
                    ctx,
                    table.token,
                    deals=results.deals(table),
                    handed_in=True,
                    sent=service.Sent(base_revision=0, idempotency_key=f"table-{place:04d}"),
                )

        return act

    assert at_once(app, *(hand_in(place) for place in range(10))) == [None] * 10
    with app.app_context():
        assert queries.progress(drawn.event_id).confirmed == 10
        assert competitions.event(drawn.event_id).results_version == 11  # the draw and ten sheets


@pytest.mark.parametrize("act", ["hand_in", "record_sheet", "reopen"])
def test_what_changes_the_results_waits_for_the_event_before_it_takes_the_sheet(
    app: Flask, travel: Travel, act: str
) -> None:
    """The first deal takes the event and then the sheet: the other way round, each could wait for the other for ever."""
    with app.app_context():
        drawn = results.prelim(travel)
        table, referee, chief = drawn.tables[0], results.referee(), results.chief()
        with command(referee) as ctx:
            done = act == "reopen"
            service.record_sheet(
                ctx,
                table.token,
                deals=results.deals(table),
                handed_in=done,
                sent=service.Sent(base_revision=0, idempotency_key="the-first"),
            )
        event_id, sqlite = drawn.event_id, db.engine.dialect.name == "sqlite"
    if sqlite:
        return  # one writer at a time: nobody waits for a row

    held = threading.Event()

    def change() -> None:
        sent = service.Sent(base_revision=1, idempotency_key="the-second")
        held.wait()
        with command(chief if act == "reopen" else referee) as ctx:
            if act == "reopen":
                service.reopen(ctx, table.token, reason="第三副记错", sent=sent)
            elif act == "hand_in":
                service.hand_in(ctx, table.token, checked=True, sent=sent)
            else:
                deals = results.deals(table)
                service.record_sheet(ctx, table.token, deals=deals, handed_in=True, sent=sent)

    def hold() -> None:
        with command(SYSTEM) as ctx:
            competitions_service.lock_event(ctx, event_id)
            held.set()
            waiting = text(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            for _ in range(500):
                if ctx.session.scalar(waiting):
                    break
                time.sleep(0.01)
            else:
                raise AssertionError("nobody waits for the event")
            free = select(Sheet.id).where(Sheet.table_id == table.id).with_for_update(nowait=True)
            assert ctx.session.scalar(free) is not None

    assert at_once(app, hold, change) == [None, None]


def test_a_sheet_is_either_reopened_or_drawn_from_never_both(app: Flask, travel: Travel) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 9)
        for table in drawn.tables:
            results.confirmed(table)
        chief = results.chief()
        sent = results.sent(drawn.tables[0])

    def reopen() -> None:
        with command(chief) as ctx:
            service.reopen(ctx, drawn.tables[0].token, reason="记错一副", sent=sent)

    def draw() -> None:
        with command(chief) as ctx:
            standings.draw_stage(ctx, drawn.event_id)

    raised = at_once(app, reopen, draw)
    assert [error is None for error in raised].count(True) == 1, raised
    assert all(error is None or isinstance(error, SaishiError) for error in raised), raised


def test_a_correction_is_handed_in_within_the_window_or_the_confirmed_scores_stand(
    session: Any, travel: Travel
) -> None:
    drawn = results.prelim(travel, 9)
    table = drawn.tables[0]
    results.confirmed(table)
    before = queries.in_force(drawn.event_id)[table.id].deals
    published = clock.now()
    chief = results.chief()
    travel(published + timedelta(minutes=9))
    with command(chief) as ctx:
        service.reopen(ctx, table.token, reason="记错一副", sent=results.sent(table))
    travel(published + timedelta(minutes=10, seconds=1))
    other = results.deals(table, bid=3)
    with pytest.raises(CorrectionClosedError), command(chief) as ctx:
        service.record_sheet(ctx, table.token, deals=other, handed_in=True, sent=results.sent(table))
    with pytest.raises(CorrectionClosedError), command(chief) as ctx:
        service.record_deal(ctx, table.token, deal_number=1, deal=other[0], sent=results.sent(table))
    with command(chief) as ctx:
        service.restore(ctx, table.token, reason="逾时", sent=results.sent(table))
    assert queries.sheet(table.token).state is SheetState.CONFIRMED
    assert queries.in_force(drawn.event_id)[table.id].deals == before
    with pytest.raises(NothingToRestoreError), command(chief) as ctx:
        service.restore(ctx, table.token, reason="再来", sent=results.sent(table))


def test_a_correction_in_the_last_second_counts(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel, 9)
    table = drawn.tables[0]
    results.confirmed(table)
    published = clock.now()
    chief = results.chief()
    with command(chief) as ctx:
        service.reopen(ctx, table.token, reason="记错一副", sent=results.sent(table))
    travel(published + timedelta(minutes=10))
    other = results.deals(table, bid=3)
    with command(chief) as ctx:
        service.record_sheet(ctx, table.token, deals=other, handed_in=True, sent=results.sent(table))
    assert queries.in_force(drawn.event_id)[table.id].deals[0]["bid"] == 3


def test_after_the_draw_no_entry_is_decided_any_more(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel, 9)
    entry_id = drawn.tables[0].seats[0].entry_id
    with pytest.raises(EntriesDrawnError), command(registrations.committee()) as ctx:
        registrations_service.decide(
            ctx, slug="beach", decisions=[Decision(entry_id, DecisionKind.REJECT, reason="材料不符")]
        )


def test_a_reopened_sheet_of_an_earlier_round_stays_closed(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel, 9)
    for table in drawn.tables:
        results.confirmed(table)
    with command(results.chief()) as ctx:
        standings.draw_stage(ctx, drawn.event_id)
    with pytest.raises(LaterRoundDrawnError), command(results.chief()) as ctx:
        service.reopen(ctx, drawn.tables[0].token, reason="记错一副", sent=results.sent(drawn.tables[0]))


def test_a_repair_and_the_first_deal_at_the_same_moment_are_never_both_taken(
    app: Flask, travel: Travel
) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 9)
        event_id = drawn.event_id
        referee, chief = results.referee(), results.chief()
    table = drawn.tables[1]

    def record() -> None:
        with command(referee) as ctx:
            service.record_sheet(
                ctx,
                table.token,
                deals=results.deals(table)[:1],
                handed_in=False,
                sent=service.Sent(0, "first-deal-at-once"),
            )

    def open_repair() -> None:
        with command(chief) as ctx:
            repairs_service.open_repair(ctx, event_id, "prelim", 1)

    raised = at_once(app, record, open_repair)
    refusals = [each for each in raised if each is not None]
    assert len(refusals) == 1
    assert isinstance(refusals[0], RepairingError | RoundStartedError), refusals[0]
    with app.app_context():
        (standing,) = draws.rounds(event_id)
        assert (standing.started_at is None) == standing.repairing


def test_deals_recorded_while_the_round_is_taken_back_are_counted_in_or_refused(
    app: Flask, travel: Travel
) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 9)
        event_id = drawn.event_id
        referee, chief = results.referee(), results.chief()
        results.recorded(drawn.tables[0], results.deals(drawn.tables[0])[:2])
    table = drawn.tables[0]

    def record() -> None:
        with command(referee) as ctx:
            service.record_sheet(
                ctx,
                table.token,
                deals=results.deals(table)[:3],
                handed_in=False,
                sent=service.Sent(1, "third-deal-at-once"),
            )

    def undraw() -> None:
        with command(chief) as ctx:
            voiding = Voiding(drawn.seed, "名单有误", "undraw-at-once")
            service.undraw(ctx, event_id, "prelim", 1, voiding=voiding, deals=2)

    recorded, undrawn = at_once(app, record, undraw)
    if recorded is None:
        assert isinstance(undrawn, UndrawingNotTypedError), "two deals were typed, three were there"
    else:
        assert isinstance(recorded, VoidTableError)
        assert undrawn is None


@pytest.mark.parametrize("other", ["confirm", "cancel", "change", "undraw"])
def test_of_two_acts_on_one_repair_at_the_same_moment_one_is_told_of_the_other(
    app: Flask, travel: Travel, other: str
) -> None:
    """A second change is on its way while the first is confirmed, given up, or followed by another; or the round is undrawn."""
    with app.app_context():
        drawn = results.prelim(travel, 9)
        event_id = drawn.event_id
        committee, chief = registrations.committee(), results.chief()
        draws_factory.open_repair()
        draws_factory.change({"swap_tables": [1, 2]})
    place = (event_id, "prelim", 1)

    def change(by: Actor, key: str) -> None:
        with command(by) as ctx:
            repairs_service.change(
                ctx, *place, change={"swap_tables": [2, 3]}, reason="直播桌", based=Based(1, key)
            )

    def act() -> None:
        if other == "change":
            change(chief, "at-once-second")
            return
        with command(chief) as ctx:
            if other == "confirm":
                repairs_service.confirm(ctx, *place, based=Based(1, "at-once-confirm"))
            elif other == "cancel":
                repairs_service.cancel(ctx, *place, reason="不需要了", based=Based(1, "at-once-cancel"))
            else:
                voiding = Voiding(drawn.seed, "名单有误", "at-once-undraw")
                service.undraw(ctx, *place, voiding=voiding)

    changed, acted = at_once(app, lambda: change(committee, "at-once-first"), act)
    if other == "undraw":
        assert (changed, type(acted)) == (None, RepairOpenError)
    else:
        (refused,) = [each for each in (changed, acted) if each is not None]
        assert isinstance(refused, RepairConflictError | NoRepairError), refused
    with app.app_context():
        (standing,) = draws.rounds(event_id)
        assert standing.repairing is (other in {"change", "undraw"} or acted is not None)
        made = len(standing.changes)
        assert made == (1 if other == "confirm" and acted is None else 0)

"""Standings: one snapshot per results version, whatever runs twice, at once or not at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.actors import SYSTEM
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.models import Event
from app.draws import queries as draws
from app.draws.queries import RoundView
from app.draws.rules import AlreadyDrawnError, UnknownStageError
from app.errors import ForbiddenError, SaishiError
from app.extensions import db
from app.jobs import Job
from app.results import queries as results_queries
from app.standings import queries, service
from app.standings.models import StandingsSnapshot
from app.standings.rules import AnotherStageDueError, NextStageRefusedError
from scoring_engine import event_file
from scoring_engine.pairing.groups_of_three import group_by_order
from scoring_engine.stages.next_step import Step
from scoring_engine.stages.seeding import from_first_bidder
from scoring_engine.values import EntrantId
from tests.factories import publications, registrations, results
from tests.statements import noted_statements

Travel = Callable[[datetime], None]


@pytest.fixture
def prelim(session: Any, travel: Travel) -> RoundView:
    """A drawn prelim of ten: three tables and one who goes straight on."""
    return results.prelim(travel, 10)


def recompute(event_id: int) -> int | None:
    with command(SYSTEM) as ctx:
        return service.recompute(ctx, event_id)


def snapshots() -> int:
    return db.session.scalar(select(func.count()).select_from(StandingsSnapshot)) or 0


def play(event_id: int) -> None:
    """Every open table, and the standings after it."""
    results.all_confirmed(event_id)
    recompute(event_id)


def test_the_snapshot_equals_the_engine_on_the_public_event_file(prelim: RoundView) -> None:
    results.confirmed(prelim.tables[0])
    recompute(prelim.event_id)
    snapshot = queries.latest(prelim.event_id)
    assert snapshot is not None
    rules = competitions.event(prelim.event_id).regulation.scoring_rules()
    assert snapshot.result == event_file.score(queries.event_file(prelim.event_id), rules)
    assert snapshot.input_sha256 == queries.event_file_download(prelim.event_id).sha256
    assert snapshot.result["placings"][0]["rank"] == 1


def test_the_public_event_file_verifies_and_names_units_but_nothing_private(prelim: RoundView) -> None:
    play(prelim.event_id)
    document = queries.event_file(prelim.event_id)
    rules = competitions.event(prelim.event_id).regulation.scoring_rules()
    assert event_file.verify(document, rules) == []
    assert {key for entrant in document["entrants"] for key in entrant} == {"id", "name", "unit"}
    assert document["stages"][0]["rounds"][0]["byes"] == [f"e{prelim.direct[0].entry_id}"]
    assert document["regulation"]["id"] == "beach-games-landlord-2021"


def test_unconfirmed_deals_never_reach_the_event_file(prelim: RoundView) -> None:
    results.recorded(prelim.tables[0], results.deals(prelim.tables[0]))
    document = queries.event_file(prelim.event_id)
    assert all("deals" not in table for table in document["stages"][0]["rounds"][0]["tables"])
    recompute(prelim.event_id)
    snapshot = queries.latest(prelim.event_id)
    assert snapshot is not None
    assert snapshot.result["placings"] == []


def test_recomputing_twice_stores_one_snapshot(prelim: RoundView) -> None:
    results.confirmed(prelim.tables[0])
    assert recompute(prelim.event_id) is not None
    assert recompute(prelim.event_id) is None
    assert snapshots() == 1


def test_a_crash_before_the_commit_leaves_nothing_and_the_next_run_does_it(
    prelim: RoundView, monkeypatch: pytest.MonkeyPatch
) -> None:
    results.confirmed(prelim.tables[0])

    def crash(*_: Any) -> None:
        raise MemoryError("the machine ended the worker")

    with monkeypatch.context() as patched:
        patched.setattr(service.event_file, "score", crash)
        with pytest.raises(MemoryError):
            recompute(prelim.event_id)
    assert snapshots() == 0
    assert recompute(prelim.event_id) is not None


def test_two_workers_at_once_store_one_snapshot(app: Flask, travel: Travel) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 10)
        results.confirmed(drawn.tables[0])
        event_id = drawn.event_id
    start = threading.Barrier(2)
    answers: list[int | None] = []

    def work() -> None:
        with app.app_context():
            start.wait()
            answers.append(recompute(event_id))

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with app.app_context():
        assert snapshots() == 1
    assert sorted(answer is None for answer in answers) == [False, True]


def test_the_state_of_the_standings_is_told_from_counts_alone(prelim: RoundView) -> None:
    before = queries.state_tag(prelim.event_id)
    with noted_statements() as statements:
        assert queries.state_tag(prelim.event_id) == before
    assert len(statements) == 2
    assert all("count(" in each or "LIMIT" in each for each in statements)
    results.confirmed(prelim.tables[0])
    assert queries.state_tag(prelim.event_id) != before


def test_people_are_read_once_for_all_that_is_said_of_a_stage(prelim: RoundView) -> None:
    seats = [seat for table in prelim.tables for seat in table.seats]
    notes = [
        {"reason": f"e{each.entry_id}再次轮空。", "reason_en": f"e{each.entry_id} again."} for each in seats
    ]
    with noted_statements() as statements:
        told = queries.notes(prelim.event_id, {"notes": notes})
        assert queries.notes(prelim.event_id, {"notes": []}) == ()
    assert [each.zh for each in told] == [f"{each.name}再次轮空。" for each in seats]
    assert len(statements) == 1


def test_the_sweep_queues_what_was_lost_and_nothing_else(
    prelim: RoundView, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    results.confirmed(prelim.tables[0])
    sent_jobs.clear()
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 1
    assert sent_jobs == [(Job.RECOMPUTE_STANDINGS, {"event_id": prelim.event_id})]
    recompute(prelim.event_id)
    sent_jobs.clear()
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 0
    assert sent_jobs == []


def test_a_correction_reaches_the_standings(prelim: RoundView) -> None:
    table = prelim.tables[0]
    results.confirmed(table)
    recompute(prelim.event_id)
    before = queries.latest(prelim.event_id)
    with command(results.chief()) as ctx:
        from_reopening = results.sent(table)
        results.service.reopen(ctx, table.token, reason="叫分记错", sent=from_reopening)
    first = results.seats(table)[0]
    results.confirmed(table, [results.deal(first, bid=3) for _ in range(10)])
    recompute(prelim.event_id)
    after = queries.latest(prelim.event_id)
    assert before is not None
    assert after is not None
    assert after.results_version > before.results_version
    assert after.result["placings"][0]["entrant"] == first
    assert after.result["placings"][0]["values"][0]["value"] == "60"


def draw_next(event_id: int, by: Any = None, seed: str | None = None) -> int:
    with command(by or results.chief()) as ctx:
        return service.draw_stage(ctx, event_id, seed=seed)


def test_the_next_stage_waits_for_every_sheet_and_names_tables_and_people(prelim: RoundView) -> None:
    results.confirmed(prelim.tables[0])
    results.confirmed(prelim.tables[1])
    with pytest.raises(NextStageRefusedError) as refused:
        draw_next(prelim.event_id)
    assert "1 桌没有确认：3 号桌（" in str(refused.value.text)
    for seat in prelim.tables[2].seats:
        assert seat.name in str(refused.value.text)
    assert refused.value.clause == "四(二)初赛"


def test_the_next_stage_is_drawn_by_the_committee_or_the_chief_referee_only(prelim: RoundView) -> None:
    play(prelim.event_id)
    with pytest.raises(ForbiddenError):
        draw_next(prelim.event_id, results.referee())


def test_a_whole_event_is_played_to_its_medals_and_verifies(
    prelim: RoundView, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    event_id = prelim.event_id
    rules = competitions.event(event_id).regulation.scoring_rules()
    for _ in range(8):
        play(event_id)
        if queries.stage_board(event_id).next_step.step is Step.OVER:
            break
        sent_jobs.clear()
        draw_next(event_id)
        assert (Job.RECOMPUTE_STANDINGS, {"event_id": event_id}) in sent_jobs
    assert {each.stage for each in draws.rounds(event_id)} >= {"prelim", "semifinal", "final"}
    snapshot = queries.latest(event_id)
    assert snapshot is not None
    assert snapshot.result["complete"]
    assert [placing["rank"] for placing in snapshot.result["placings"][:3]] == [1, 2, 3]
    assert event_file.verify(queries.event_file(event_id), rules) == []
    with pytest.raises(NextStageRefusedError, match="已结束"):
        draw_next(event_id)


def test_a_tie_for_the_last_place_is_played_off_by_the_two_and_the_best_eliminated(
    session: Any, travel: Travel
) -> None:
    # N = 12: 9th and 10th are never apart (both always defenders), 11th is the best eliminated; three deals, one place
    drawn = results.prelim(travel, 12)
    losing, beaten, quiet, level = drawn.tables
    results.confirmed(losing, [results.deal(results.seats(losing)[2], bid=3, winner="defenders")] * 10)
    results.confirmed(beaten, [results.deal(results.seats(beaten)[2], bid=2, winner="defenders")] * 10)
    results.confirmed(quiet, [results.deal(results.seats(quiet)[0], bid=1)] * 10)
    results.confirmed(level, [results.deal(results.seats(level)[0], bid=2)] * 10)
    recompute(drawn.event_id)
    expected = sorted([*results.seats(level)[1:], results.seats(beaten)[2]])
    upcoming = queries.stage_board(drawn.event_id).next_step
    assert (upcoming.step, list(upcoming.entrants)) == (Step.PLAYOFF, expected)
    draw_next(drawn.event_id)
    playoff = draws.rounds(drawn.event_id)[-1]
    assert (playoff.stage, list(playoff.entrants)) == ("playoff", expected)
    sheet = results_queries.sheet(playoff.tables[0].token)
    assert sheet.deals_wanted == 3
    play(drawn.event_id)
    winner = results.seats(playoff.tables[0])[0]
    upcoming = queries.stage_board(drawn.event_id).next_step
    assert (upcoming.step, upcoming.stage) == (Step.STAGE, "semifinal")
    assert len(upcoming.entrants) == 9
    assert winner in upcoming.entrants
    draw_next(drawn.event_id)
    rules = competitions.event(drawn.event_id).regulation.scoring_rules()
    assert event_file.verify(queries.event_file(drawn.event_id), rules) == []


def test_drawing_twice_at_once_gives_one_round(app: Flask, travel: Travel) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 10)
        event_id = drawn.event_id
        play(event_id)
        results.chief()
    start = threading.Barrier(2)
    refusals: list[SaishiError] = []

    def press() -> None:
        with app.app_context():
            chief = results.chief()
            start.wait()
            try:
                draw_next(event_id, chief)
            except SaishiError as error:
                refusals.append(error)

    hands = [threading.Thread(target=press) for _ in range(2)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    with app.app_context():
        assert [each.stage for each in draws.rounds(event_id)] == ["prelim", "semifinal"]
    assert len(refusals) == 1


def draw_stage(event_id: int, stage: str) -> int:
    with command(results.chief()) as ctx:
        return service.draw_stage(ctx, event_id, stage)


def test_a_stage_drawn_by_name_raises_the_results_version_too(prelim: RoundView) -> None:
    play(prelim.event_id)
    before = db.session.get_one(Event, prelim.event_id).results_version
    draw_stage(prelim.event_id, "semifinal")
    assert db.session.get_one(Event, prelim.event_id).results_version > before
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 1


def test_a_stage_asked_for_by_name_has_to_be_the_one_that_is_due(prelim: RoundView) -> None:
    with pytest.raises(NextStageRefusedError, match="3 桌没有确认"):
        draw_stage(prelim.event_id, "semifinal")
    play(prelim.event_id)
    for stage in ("final", "playoff"):
        with pytest.raises(AnotherStageDueError, match="现在应编排的是复赛"):
            draw_stage(prelim.event_id, stage)
    with pytest.raises(AlreadyDrawnError, match="初赛"):
        draw_stage(prelim.event_id, "prelim")
    with pytest.raises(UnknownStageError):
        draw_stage(prelim.event_id, "swiss")
    draw_stage(prelim.event_id, "semifinal")
    with pytest.raises(AlreadyDrawnError, match="复赛"):
        draw_stage(prelim.event_id, "semifinal")
    assert [each.stage for each in draws.rounds(prelim.event_id)] == ["prelim", "semifinal"]


def test_before_the_first_draw_the_board_waits_for_it_and_draws_by_name(session: Any, travel: Travel) -> None:
    event_id = publications.published_field(travel).event_id
    travel(publications.WINDOW_OVER)
    assert queries.stage_board(event_id).next_step.step is Step.FIRST_DRAW
    with pytest.raises(NextStageRefusedError, match="初赛还没有抽签"):
        draw_next(event_id, registrations.committee())
    with command(registrations.committee()) as ctx:
        service.draw_stage(ctx, event_id, "prelim")
    assert [each.stage for each in draws.rounds(event_id)] == ["prelim"]


def test_the_board_announces_the_next_stage_in_the_order_it_is_seeded(prelim: RoundView) -> None:
    play(prelim.event_id)
    upcoming = queries.stage_board(prelim.event_id).next_step
    snapshot = queries.latest(prelim.event_id)
    assert snapshot is not None
    assert [list(group) for group in upcoming.groups] == snapshot.result["next"]["entrants"]
    assert upcoming.entrants[-1] == f"e{prelim.direct[0].entry_id}"  # direct entrants stand last (I-A-5)
    draw_next(prelim.event_id)
    seated = [f"e{seat.entry_id}" for table in draws.tables(prelim.event_id)[3:] for seat in table.seats]
    assert set(seated) == set(upcoming.entrants)
    grouping = competitions.event(prelim.event_id).regulation.scoring_rules().option("semifinal_grouping")
    tables = group_by_order([EntrantId(each) for each in upcoming.entrants], grouping)
    alone = {group[0] for group in upcoming.groups if len(group) == 1}
    for index, table in enumerate(draws.rounds(prelim.event_id)[-1].tables):
        here = [f"e{seat.entry_id}" for seat in table.seats]
        if alone.issuperset(tables[index]):
            # the same way round the table, counted from whoever bids first
            start = here.index(tables[index][0])
            assert (*here[start:], *here[:start]) == tables[index]
        assert alone.intersection(here) == alone.intersection(tables[index])


def test_whom_the_draw_names_sits_first_and_so_bids_first_in_deal_one(prelim: RoundView) -> None:
    play(prelim.event_id)
    before = queries.event_file(prelim.event_id)
    rules = competitions.event(prelim.event_id).regulation.scoring_rules()
    draw_next(prelim.event_id)
    drawn = draws.rounds(prelim.event_id)[-1]
    again = event_file.pair(before, rules, bytes.fromhex(drawn.seed))
    first = [f"e{table.seats[0].entry_id}" for table in drawn.tables]
    assert first == [table["first_bidder"] for table in again["tables"]]
    assert event_file.verify(queries.event_file(prelim.event_id), rules) == []


def test_seats_are_counted_from_the_first_bidder_the_same_way_round() -> None:
    seen = {from_first_bidder(("e1", "e2", "e3"), EntrantId(first)) for first in ("e1", "e2", "e3")}
    assert seen == {("e1", "e2", "e3"), ("e2", "e3", "e1"), ("e3", "e1", "e2")}


def test_standings_that_are_not_computed_yet_hold_up_the_board(prelim: RoundView) -> None:
    results.all_confirmed(prelim.event_id)
    board = queries.stage_board(prelim.event_id)
    assert (board.behind, board.next_step.step, board.waiting) == (True, Step.SHEETS, ())
    draw_next(prelim.event_id)  # which computes them first


def test_a_ruling_that_is_needed_names_people_and_not_ids(prelim: RoundView) -> None:
    # N = 10: eight of the nine who played go on, the last two are tied, and nobody is eliminated (I-A-6)
    for bid, table in enumerate(prelim.tables, start=1):
        results.confirmed(table, [results.deal(results.seats(table)[0], bid=bid)] * 10)
    recompute(prelim.event_id)
    tied = prelim.tables[2].seats[1:]
    with pytest.raises(NextStageRefusedError, match=f"{tied[0].name}、{tied[1].name}并列") as refused:
        draw_next(prelim.event_id)
    assert refused.value.clause == "四(二)初赛"
    assert str(refused.value.next_step) == "建议抽签。"


def test_a_sheet_cannot_be_reopened_once_the_next_stage_is_drawn_from_it(prelim: RoundView) -> None:
    play(prelim.event_id)
    draw_next(prelim.event_id)
    table = prelim.tables[0]
    with command(results.chief()) as ctx, pytest.raises(SaishiError, match="已按这一桌的成绩抽签"):
        results.service.reopen(ctx, table.token, reason="叫分记错", sent=results.sent(table))
    assert results_queries.sheet(table.token).state == "confirmed"


def test_after_each_draw_the_worker_stores_what_the_public_file_holds(
    prelim: RoundView, travel: Travel
) -> None:
    def in_step() -> bool:
        recompute(prelim.event_id)
        snapshot = queries.latest(prelim.event_id)
        assert snapshot is not None
        return snapshot.input_sha256 == queries.event_file_download(prelim.event_id).sha256

    assert in_step()
    play(prelim.event_id)
    assert in_step()
    with command(results.chief()) as ctx:
        service.draw_stage(ctx, prelim.event_id)
    assert in_step()
    snapshot = queries.latest(prelim.event_id)
    assert snapshot is not None
    assert any(table["stage"] == "semifinal" for table in snapshot.result["tables"])

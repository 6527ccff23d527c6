"""Drawing (抽签编排): from the final list only, once, and replayable from the seed with the engine alone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.actors import ANONYMOUS, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries, rules, service
from app.draws.models import Round, Seat, Table
from app.draws.queries import RoundView
from app.errors import ForbiddenError, SignInRequiredError
from app.extensions import db
from app.registrations.models import Entry
from scoring_engine import event_file
from scoring_engine.pairing.commitments import entrants_sha256
from scoring_engine.pairing.groups_of_three import draw_groups
from tests.factories import accounts, draws, publications, registrations

Travel = Callable[[datetime], None]
Document = dict[str, Any]


def event_id() -> int:
    return competitions.competition("beach").event.id


def seats_of(round_: RoundView) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"e{seat.entry_id}" for seat in table.seats) for table in round_.tables)


def counts() -> tuple[int, ...]:
    return tuple(
        db.session.scalar(select(func.count()).select_from(model)) or 0 for model in (Round, Table, Seat)
    )


def event_document(*rounds: RoundView) -> Document:
    """The event file of drawn rounds in which the first seat of every table won 20 points."""
    stages: dict[str, list[Document]] = {}
    for each in rounds:
        tables = [
            {
                "number": table.number,
                "seats": list(seats),
                "game_points": dict(zip(seats, points(table.number), strict=True)),
            }
            for table, seats in zip(each.tables, seats_of(each), strict=True)
        ]
        byes = [f"e{person.entry_id}" for person in each.direct]
        stages.setdefault(each.stage, []).append({"number": each.number, "tables": tables, "byes": byes})
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": "beach-games-landlord-2021",
        "entrants": [{"id": entrant, "name": person.name} for entrant, person in rounds[0].people],
        "stages": [{"code": code, "rounds": played} for code, played in stages.items()],
        "draws": [
            {
                "stage": each.stage,
                "round": each.number,
                "seed": each.seed,
                "entrants": list(each.entrants),
                "tables": [list(seats) for seats in seats_of(each)],
                "byes": [f"e{person.entry_id}" for person in each.direct],
                "proof": each.proof,
            }
            for each in rounds
        ],
    }


def points(table: int) -> tuple[int, int, int]:
    """Different at every table, so that nobody is tied."""
    return 30 * table, -3 * table, -27 * table


def draw_from_list(stage: str) -> None:
    with command(registrations.committee()) as ctx:
        service.draw(ctx, event_id(), stage)


def test_thirty_four_entrants_make_eleven_tables_and_one_goes_straight_on(
    session: Any, travel: Travel
) -> None:
    drawn = draws.drawn_prelim(travel, 34, 12)
    assert [table.number for table in drawn.tables] == list(range(1, 12))
    assert len(drawn.direct) == 1
    everyone = [seat.entry_id for table in drawn.tables for seat in table.seats]
    everyone += [each.entry_id for each in drawn.direct]
    assert len(set(everyone)) == 34
    assert drawn.publication_numbers == (1,)


def test_the_engine_alone_replays_the_draw_from_the_seed(session: Any, travel: Travel) -> None:
    drawn = draws.drawn_prelim(travel, 11, 3)
    replayed = draw_groups([rules.EntrantId(each) for each in drawn.entrants], bytes.fromhex(drawn.seed))
    assert seats_of(drawn) == replayed.tables
    assert tuple(f"e{each.entry_id}" for each in drawn.direct) == replayed.direct
    assert (
        event_file.verify(event_document(drawn), competitions.event(event_id()).regulation.scoring_rules())
        == []
    )


def test_without_a_seed_thirty_two_random_bytes_are_made(session: Any, travel: Travel) -> None:
    publications.published_field(travel)
    travel(publications.WINDOW_OVER)
    seed = draws.draw(seed=None).seed
    assert len(bytes.fromhex(seed)) == 32
    assert seed != draws.SEED


def test_the_last_second_of_the_window_is_too_early_and_the_next_is_not(session: Any, travel: Travel) -> None:
    publications.published_field(travel)
    travel(publications.LAST_SECOND)
    with pytest.raises(rules.PublicationRunningError, match="11月5日（周五）24:00") as refused:
        draws.draw()
    assert refused.value.clause == "三(四)2"
    assert counts() == (0, 0, 0)
    travel(publications.WINDOW_OVER)
    assert len(draws.draw().tables) == 3


def test_without_a_published_list_nothing_is_drawn(session: Any, travel: Travel) -> None:
    publications.field()
    travel(publications.WINDOW_OVER)
    with pytest.raises(rules.NotPublishedError) as refused:
        draws.draw()
    assert refused.value.clause == "三(四)2"


def test_whoever_lost_the_entry_after_the_list_came_out_is_not_drawn(session: Any, travel: Travel) -> None:
    listed = publications.published_field(travel, 10, 2)
    barred = listed.entries[4].entry_id
    registrations.decision(registrations.committee(), barred, "reject", "举报属实")
    travel(publications.WINDOW_OVER)
    drawn = draws.draw()
    assert len(drawn.entrants) == 9
    assert f"e{barred}" not in drawn.entrants


def test_whoever_was_approved_after_the_list_came_out_is_not_drawn(session: Any, travel: Travel) -> None:
    publications.field(10, 2, approve=False)
    late = db.session.scalars(select(Entry.id).order_by(Entry.id)).first()
    registrations.decision(registrations.committee(), late, "reject", "材料不符")
    publications.approve_all()
    travel(publications.AFTER_CLOSING)
    publications.publish()
    registrations.decision(registrations.committee(), late, "approve")
    travel(publications.WINDOW_OVER)
    with pytest.raises(rules.UnlistedError):  # nor is anybody passed over in silence
        draws.draw()
    registrations.decision(registrations.committee(), late, "reject", "来不及公示")
    drawn = draws.draw()
    assert len(drawn.entrants) == 9
    assert f"e{late}" not in drawn.entrants


@pytest.mark.parametrize(
    ("entrants", "says"), [(3, "三人直接进行决赛"), (6, "六人分两桌"), (8, "请组委会裁定。")]
)
def test_fewer_than_nine_entrants_ask_for_a_ruling(
    session: Any, travel: Travel, entrants: int, says: str
) -> None:
    publications.published_field(travel, entrants, 2)
    travel(publications.WINDOW_OVER)
    with pytest.raises(rules.RulingNeededError, match=rf"只有{entrants}名参赛者.*I-A-3") as refused:
        draws.draw()
    assert refused.value.clause == "四(二)初赛"
    assert says in str(refused.value.next_step)
    assert counts() == (0, 0, 0)


def test_a_stage_is_never_drawn_again(session: Any, travel: Travel) -> None:
    drawn = draws.drawn_prelim(travel)
    with pytest.raises(rules.AlreadyDrawnError, match=r"初赛第 1 轮.*共 3 桌") as refused:
        draws.draw(seed="ff" * 32)
    assert refused.value.extra == {"stage": "prelim", "round": 1, "tables": 3}
    assert queries.rounds(event_id()) == (drawn,)


@pytest.mark.parametrize("seed", ["00" * 15, "00" * 65, "0" * 33, "zz" * 16, "00 " * 16, "抽签"])
def test_a_seed_is_hexadecimal_of_sixteen_to_sixty_four_bytes(
    session: Any, travel: Travel, seed: str
) -> None:
    publications.published_field(travel)
    travel(publications.WINDOW_OVER)
    with pytest.raises(rules.BadSeedError) as refused:
        draws.draw(seed=seed)
    assert list(refused.value.fields) == ["seed"]
    assert counts() == (0, 0, 0)


@pytest.mark.parametrize("seed", ["00" * 16, "AB" * 64, f"  {'0f' * 20}\n"])
def test_a_seed_may_be_short_long_or_in_capitals(session: Any, travel: Travel, seed: str) -> None:
    publications.published_field(travel)
    travel(publications.WINDOW_OVER)
    assert draws.draw(seed=seed).seed == seed.strip().lower()


def test_an_unknown_stage_is_refused_with_those_there_are(session: Any, travel: Travel) -> None:
    publications.published_field(travel)
    with pytest.raises(rules.UnknownStageError, match="prelim、semifinal、final、playoff"):
        draw_from_list("swiss")


def test_a_later_stage_is_not_drawn_from_the_list(session: Any, travel: Travel) -> None:
    draws.drawn_prelim(travel)
    for stage in ("semifinal", "final", "playoff"):
        with pytest.raises(rules.StageFromStandingsError):
            draw_from_list(stage)


def test_the_committee_and_the_chief_referee_draw_and_nobody_else(session: Any, travel: Travel) -> None:
    competition_id = competitions.competition_by_id(publications.published_field(travel).event_id).id
    travel(publications.WINDOW_OVER)
    for serial, role in enumerate((Role.ORGANISER, Role.REFEREE)):
        with pytest.raises(ForbiddenError, match="组委会或裁判长"):
            draws.draw(by=accounts.user(7100 + serial, role, competition_id=competition_id))
    with pytest.raises(SignInRequiredError):
        draws.draw(by=ANONYMOUS)
    assert counts() == (0, 0, 0)
    assert draws.draw(by=accounts.user(7200, Role.CHIEF_REFEREE, competition_id=competition_id)).tables


def test_nothing_is_half_saved_when_the_command_fails(session: Any, travel: Travel) -> None:
    publications.published_field(travel)
    travel(publications.WINDOW_OVER)
    committee = registrations.committee()

    def draw_and_fail() -> None:
        with command(committee) as ctx:
            service.draw(ctx, event_id(), "prelim")
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power"):
        draw_and_fail()
    assert counts() == (0, 0, 0)


def test_the_draw_is_recorded_with_seed_entrants_and_proof(session: Any, travel: Travel) -> None:
    drawn = draws.drawn_prelim(travel)
    entry = db.session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.ROUND_DRAWN.value)
    ).one()
    assert entry.details["seed"] == drawn.seed
    assert entry.details["entrants_sha256"] == drawn.entrants_sha256
    assert entry.details["proof"] == drawn.proof


def test_every_table_has_a_token_that_leads_to_it_alone(session: Any, travel: Travel) -> None:
    drawn = draws.drawn_prelim(travel)
    tokens = {table.token for table in drawn.tables}
    assert len(tokens) == 3
    assert all(len(token) >= 22 for token in tokens)
    for table in queries.tables(event_id()):
        assert queries.table_by_token(table.token) == table
        assert queries.table(table.id) == table
    with pytest.raises(rules.UnknownTableError):
        queries.table_by_token("x")
    with pytest.raises(rules.UnknownTableError):
        queries.table(0)


def test_people_are_found_by_part_of_their_name(session: Any, travel: Travel) -> None:
    drawn = draws.drawn_prelim(travel, 10, 2)
    wanted = drawn.tables[1].seats[2]
    spaced = "　".join(wanted.name)
    for written in (f" {wanted.name} ", spaced):
        found = queries.search(event_id(), written, 20)
        assert [table for _, table in found.tables] == [drawn.tables[1]]
        assert (found.direct, found.more) == ((), 0)
    direct = drawn.direct[0]
    assert [each for _, each in queries.search(event_id(), direct.name, 20).direct] == [direct]
    nobody = queries.search(event_id(), " ", 20)
    assert (nobody.tables, nobody.direct, nobody.more) == ((), (), 0)
    assert len(drawn.by_name) == 10
    assert {person.name: number for person, number in drawn.by_name}[direct.name] is None


def test_a_table_names_its_three_without_reading_the_whole_field(
    session: Any, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = draws.drawn_prelim(travel, 12, 2)

    def whole_field(_: int) -> None:
        raise AssertionError("every entrant of the event was read")

    monkeypatch.setattr(queries.registrations, "entrants", whole_field)
    for table in drawn.tables:
        assert queries.table_by_token(table.token) == queries.table(table.id) == table
        head, here = queries.standing_table(event_id(), "prelim", 1, table.number)
        assert (head, here) == (drawn.head, table)
        seat = table.seats[0]
        mine = queries.person(event_id(), rules.entrant_of(seat.entry_id))
        assert (mine.person, mine.rounds, mine.in_latest) == (seat, ((drawn.head, table),), True)


def test_before_any_draw_there_is_nothing(session: Any) -> None:
    competition = registrations.competition()
    assert queries.rounds(competition.event.id) == ()
    assert queries.tables(competition.event.id) == ()


def test_the_proof_changes_with_the_entrants_and_not_with_their_order() -> None:
    assert entrants_sha256(["e2", "e10"]) == entrants_sha256(["e10", "e2"])
    assert entrants_sha256(["e2", "e10"]) != entrants_sha256(["e2", "e11"])


def test_two_presses_at_once_draw_once(app: Flask, travel: Travel) -> None:
    with app.app_context():
        publications.published_field(travel)
        committee = registrations.committee()
    travel(publications.WINDOW_OVER)
    gate = Barrier(2)

    def press(_: int) -> str:
        with app.app_context():
            gate.wait()
            try:
                return draws.draw(by=committee, seed=None).seed
            except rules.AlreadyDrawnError:
                return "refused"

    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(press, range(2)))
    assert answers.count("refused") == 1
    with app.app_context():
        assert [each.seed for each in queries.rounds(event_id())] == [
            answer for answer in answers if answer != "refused"
        ]

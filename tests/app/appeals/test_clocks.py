"""Until when one may appeal: counted from the recorded end of the round, the last second is in time (四(二)8(十))."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from app.actors import SYSTEM
from app.appeals import sending, service
from app.appeals.queries import rounds
from app.appeals.rules import terms_of
from app.appeals.rules.clocks import Clocks, require_oral
from app.appeals.rules.refusals import (
    AppealLateError,
    NoAppealsError,
    OralMissingError,
    RoundRunningError,
    SaidLaterError,
)
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.draws import queries as draws
from app.extensions import db
from app.regulations import library
from app.text import BEIJING
from tests.app.appeals.conftest import END, Scene, Travel
from tests.factories import appeals as make
from tests.factories import results

REGULATION = library.load("beach-games-landlord-2021")
CLAUSE = "四(二)8(十)"


def at(clock: str) -> datetime:
    """A time of the day in Beijing, as ``10:05:00``."""
    return datetime.combine(END.date(), datetime.strptime(clock, "%H:%M:%S").time(), BEIJING)  # noqa: DTZ007 - the zone is set beside it


@pytest.mark.parametrize(
    ("clock", "oral", "written"),
    [
        ("10:00:00", True, True),
        ("10:05:00", True, True),
        ("10:05:01", False, True),
        ("10:10:00", False, True),
        ("10:10:01", False, False),
    ],
)
def test_each_window_ends_with_its_last_second(clock: str, oral: bool, written: bool) -> None:
    clocks = Clocks(terms_of(REGULATION), END)
    assert (clocks.oral_open(at(clock)), clocks.written_open(at(clock))) == (oral, written)


def test_a_fraction_of_the_last_second_is_in_time() -> None:
    clocks = Clocks(terms_of(REGULATION), END)
    assert clocks.oral_open(at("10:05:00") + timedelta(microseconds=999_999))


def test_without_a_recorded_end_no_window_is_open() -> None:
    clocks = Clocks(terms_of(REGULATION), None)
    assert (clocks.oral, clocks.written) == (None, None)
    assert not clocks.written_open(END)


def test_the_fee_is_that_of_the_regulation() -> None:
    terms = terms_of(REGULATION)
    assert (terms.fen, terms.clause) == (make.FEE, CLAUSE)


@pytest.mark.parametrize(
    ("regulation", "clause", "whom"),
    [
        ("dongcheng-go-2021", "附件1九2", "东城区棋牌运动协会"),
        ("dongcheng-xiangqi-2021", "附件1九2", "东城区棋牌运动协会"),
        ("dongcheng-landlord-2021", "附件1九2", "东城区棋牌运动协会"),
        ("baiyun-tractor-2016", "十三", "主办单位"),
        ("siming-eighty-2023", "八", "思明区总工会"),
    ],
)
def test_a_text_without_appeals_says_so_and_whom_to_ask(regulation: str, clause: str, whom: str) -> None:
    with pytest.raises(NoAppealsError) as refusal:
        terms_of(library.load(regulation))
    assert refusal.value.clause == clause
    assert "没有申诉的条文" in str(refusal.value.text)
    assert whom in str(refusal.value.next_step)
    assert "裁判长" in str(refusal.value.next_step)


@pytest.mark.parametrize("clock", ["09:40:00", "10:00:00", "10:05:00"])
def test_an_oral_appeal_counts_from_when_it_was_said(scene: Scene, travel: Travel, clock: str) -> None:
    travel(at("10:07:00"))
    number = make.said(scene.table, at(clock))
    row = make.row(number)
    assert (row.state, row.oral_at, row.ended_at) == ("oral", at(clock), END)


def test_an_oral_appeal_one_second_late_is_refused_with_its_clause_and_what_remains(
    scene: Scene, travel: Travel
) -> None:
    travel(at("10:05:01"))
    with pytest.raises(AppealLateError) as refusal:
        make.said(scene.table, at("10:05:01"))
    assert refusal.value.clause == CLAUSE
    assert refusal.value.extra["window"] == "oral"
    # the score was published at 10:00:00, so a correction may still be asked for until 10:10:00
    assert "更正" in str(refusal.value.next_step)
    assert "四(二)8(九)" in str(refusal.value.next_step)


def test_after_the_correction_window_what_remains_is_to_write_to_the_committee(
    scene: Scene, travel: Travel
) -> None:
    travel(at("10:10:01"))
    with pytest.raises(AppealLateError) as refusal:
        make.said(scene.table, at("10:10:01"))
    assert "更正" not in str(refusal.value.next_step)
    assert "组委会" in str(refusal.value.next_step)


def test_what_was_said_cannot_lie_ahead(scene: Scene) -> None:
    with pytest.raises(SaidLaterError):
        make.said(scene.table, END + timedelta(seconds=1))


def test_a_written_appeal_in_the_last_second_counts(scene: Scene, travel: Travel) -> None:
    number = make.said(scene.table, END)
    travel(at("10:10:00"))
    make.handed_in(scene.table, scene.leader())
    row = make.row(number)
    assert (row.state, row.written_at) == ("received", at("10:10:00"))


def test_a_written_appeal_one_second_late_is_refused(scene: Scene, travel: Travel) -> None:
    number = make.said(scene.table, END)
    travel(at("10:10:01"))
    with pytest.raises(AppealLateError) as refusal:
        make.handed_in(scene.table, scene.leader())
    assert (refusal.value.clause, refusal.value.extra["window"]) == (CLAUSE, "written")
    assert make.row(number).text is None


def test_a_written_appeal_on_paper_counts_from_when_it_was_handed_over(scene: Scene, travel: Travel) -> None:
    number = make.said(scene.table, END)
    travel(at("10:25:00"))
    for clock, state in (("10:10:01", "oral"), ("10:10:00", "received")):
        try:
            with command(results.referee()) as ctx:
                service.log_written(ctx, slug="beach", number=number, handed_at=at(clock), text="见申诉书。")
        except AppealLateError:
            pass
        assert make.row(number).state == state


def test_a_written_appeal_names_the_oral_one(scene: Scene, travel: Travel) -> None:
    travel(at("10:06:00"))
    with pytest.raises(OralMissingError) as refusal:
        make.handed_in(scene.table, scene.leader())
    assert refusal.value.clause == CLAUSE
    with pytest.raises(AppealLateError):
        make.handed_in(scene.table, scene.leader(), oral_at=at("10:05:01"))
    made = make.handed_in(scene.table, scene.leader(), oral_at=at("10:05:00"))
    row = make.row(make.number_of(made.appeal_id))
    assert (row.state, row.oral_at) == ("received", None), "the clerk has to confirm it"
    assert make.said(scene.table, at("10:05:00")) == row.number
    assert make.row(row.number).oral_at == at("10:05:00")


def test_nothing_is_appealed_while_the_round_runs(session: object, travel: Travel) -> None:
    round_ = results.prelim(travel)
    table = draws.table(round_.tables[0].id)
    with pytest.raises(RoundRunningError) as refusal:
        make.said(table, END - timedelta(days=10))
    assert refusal.value.clause == CLAUSE
    assert "裁判长" in str(refusal.value.next_step)


def test_a_round_that_ends_anew_moves_the_deadlines(scene: Scene, travel: Travel) -> None:
    number = make.said(scene.table, END)
    make.ended(scene.round, at("10:20:00"))
    travel(at("10:30:00"))
    make.handed_in(scene.table, scene.leader())
    assert make.row(number).state == "received"


def test_an_oral_appeal_that_no_written_one_follows_lapses(scene: Scene, travel: Travel) -> None:
    number = make.said(scene.table, END)
    for clock, count in (("10:10:00", 0), ("10:10:59", 0), ("10:12:00", 1), ("10:12:00", 0)):
        travel(at(clock))
        with command(SYSTEM) as ctx:
            assert service.lapse(ctx) == count
    row = make.row(number)
    assert (row.state, row.clause) == ("lapsed", CLAUSE)


def test_the_clocks_of_the_newest_round_that_ended_are_shown(scene: Scene) -> None:
    found = rounds.current(scene.competition.event)
    assert found is not None
    assert found.clocks.oral is not None
    assert found.clocks.written is not None
    assert (found.clocks.oral.at, found.clocks.written.at) == (at("10:05:00"), at("10:10:00"))


def test_who_is_turned_away_leaves_an_entry_without_his_words(scene: Scene, travel: Travel) -> None:
    travel(at("10:10:01"))
    with pytest.raises(AppealLateError):
        sending.hand_in(
            "beach",
            scene.leader(),
            matter=make.matter(scene.table),
            text="记分有误。",
            idempotency_key=make.key(),
            language="zh",
        )
    entry = db.session.query(AuditEntry).filter_by(action=AuditAction.APPEAL_TURNED_AWAY.value).one()
    assert entry.details == {"lacked": "written", "clause": CLAUSE}


def test_where_the_organiser_chose_so_a_written_appeal_may_come_alone() -> None:
    """I-A-25."""
    terms = terms_of(REGULATION.with_changes(options={"appeal_oral_first": "not_required"}))
    require_oral(Clocks(terms, END), None, None)
    with pytest.raises(OralMissingError):
        require_oral(Clocks(terms_of(REGULATION), END), None, None)

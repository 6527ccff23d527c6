"""Taking a round back (作废): freely before it starts; afterwards the chief referee, who typed what is lost."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import func, select

from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import RoundView
from app.draws.rules import SeedUsedError, UnknownRoundError
from app.draws.rules.repairs import (
    AnotherDrawError,
    LaterRoundsStandError,
    PrivateReasonError,
    RepairOpenError,
    VoidTableError,
)
from app.draws.service.voiding import Voiding
from app.errors import ForbiddenError
from app.extensions import db
from app.registrations.rules import EntriesDrawnError
from app.results import queries, service
from app.results.models import SheetRevision
from app.results.rules import UndrawingNotTypedError
from app.standings import queries as standings
from app.standings import service as standings_service
from tests.factories import draws as draws_factory
from tests.factories import registrations, results

Travel = Callable[[datetime], None]
_keys = itertools.count(1)


@pytest.fixture
def drawn(session: Any, travel: Travel) -> RoundView:
    return draws_factory.drawn_prelim(travel, 10, 2)


def event_id() -> int:
    return competitions.competition("beach").event.id


def undraw(
    drawn: RoundView, by: Actor, *, deals: int | None = None, reason: str = "名单有误", **more: Any
) -> int:
    values = {"seed": drawn.seed, "reason": reason, "idempotency_key": f"undraw-{next(_keys):06d}"} | more
    with command(by) as ctx:
        return service.undraw(
            ctx, event_id(), drawn.stage, drawn.number, voiding=Voiding(**values), deals=deals
        )


def test_before_it_starts_the_committee_takes_the_draw_back_and_draws_again(drawn: RoundView) -> None:
    undraw(drawn, registrations.committee())
    assert draws.rounds(event_id()) == ()
    (void,) = draws.void_rounds(event_id())
    assert (void.stage, void.number, void.seed, void.placed) == ("prelim", 1, drawn.seed, drawn.placed)
    assert void.void is not None
    assert (void.void.reason, void.void.tables, void.void.deals) == ("名单有误", 0, 0)
    other = "ff" * 32
    draws_factory.commit(seed=other)
    again = draws_factory.draw(seed=None)
    assert (again.number, again.seed, again.proof == drawn.proof) == (1, other, False)
    assert queries.progress(event_id()).tables == 3
    assert [each["seed"] for each in standings.event_file(event_id())["draws"]] == [other]


def test_entries_are_decided_again_while_no_round_stands(drawn: RoundView) -> None:
    barred = drawn.tables[0].seats[0].entry_id
    with pytest.raises(EntriesDrawnError):
        registrations.decision(registrations.committee(), barred, "reject", "举报属实")
    undraw(drawn, registrations.committee())
    registrations.decision(registrations.committee(), barred, "reject", "举报属实")
    again = draws_factory.draw(seed="ee" * 32)
    assert f"e{barred}" not in again.entrants
    with pytest.raises(EntriesDrawnError):
        registrations.decision(registrations.committee(), again.tables[0].seats[0].entry_id, "reject", "不行")


def test_once_scores_are_entered_the_loss_is_named_table_by_table(drawn: RoundView) -> None:
    results.confirmed(drawn.tables[0])
    results.recorded(drawn.tables[2], results.deals(drawn.tables[2])[:4])
    lost = queries.loss(event_id(), "prelim", 1)
    assert [(each.table.number, len(each.deals)) for each in lost.entered] == [(1, 10), (3, 4)]
    assert (lost.started, lost.deals, lost.later) == (True, 14, ())


def test_once_started_it_takes_the_chief_referee_who_typed_the_deals(drawn: RoundView) -> None:
    results.confirmed(drawn.tables[0])
    with pytest.raises(ForbiddenError, match="裁判长身份"):
        undraw(drawn, registrations.committee(), deals=10)
    for typed in (None, 9):
        with pytest.raises(UndrawingNotTypedError, match="副数 10"):
            undraw(drawn, results.chief(), deals=typed)
    round_id = undraw(drawn, results.chief(), deals=10)
    assert draws.rounds(event_id()) == ()
    void = draws.void_round(event_id(), round_id)
    assert void.void is not None
    assert (void.void.tables, void.void.deals) == (1, 10)


def test_what_was_entered_is_kept_and_counts_no_more(drawn: RoundView) -> None:
    results.confirmed(drawn.tables[0])
    revisions = select(func.count()).select_from(SheetRevision)
    before = db.session.scalar(revisions)
    round_id = undraw(drawn, results.chief(), deals=10)
    assert db.session.scalar(revisions) == before
    (kept,) = queries.entered(draws.void_round(event_id(), round_id))
    assert len(kept.deals) == 10
    assert standings.event_file(event_id())["stages"] == []
    with command(results.chief()) as ctx:
        standings_service.recompute(ctx, event_id())
    again = draws_factory.draw(seed="ee" * 32)
    progress = queries.progress(event_id())
    assert (progress.confirmed, progress.tables) == (0, len(again.tables))
    assert all(
        "deals" not in each for each in standings.event_file(event_id())["stages"][0]["rounds"][0]["tables"]
    )


def test_a_card_of_the_void_round_says_so_and_takes_no_score(drawn: RoundView) -> None:
    table = drawn.tables[0]
    undraw(drawn, registrations.committee())
    with pytest.raises(VoidTableError, match="已作废的初赛第 1 轮") as refused:
        queries.sheet(table.token)
    assert refused.value.status == 409
    with pytest.raises(VoidTableError), command(results.referee()) as ctx:
        service.hand_in(ctx, table.token, checked=True, sent=service.Sent(0, "test-key-void"))


def test_later_rounds_are_taken_back_first(drawn: RoundView) -> None:
    results.all_confirmed(event_id())
    with command(results.chief()) as ctx:
        standings_service.draw_stage(ctx, event_id())
    later = draws.rounds(event_id())[-1]
    deals = queries.loss(event_id(), "prelim", 1).deals
    with pytest.raises(LaterRoundsStandError, match="须先作废：") as refused:
        undraw(drawn, results.chief(), deals=deals)
    assert refused.value.extra["later"] == [{"stage": later.stage, "round": later.number}]
    undraw(later, registrations.committee())
    undraw(drawn, results.chief(), deals=deals)
    assert draws.rounds(event_id()) == ()


def test_an_open_repair_is_decided_before_its_round_is_taken_back(drawn: RoundView) -> None:
    draws_factory.open_repair()
    with pytest.raises(RepairOpenError):
        undraw(drawn, registrations.committee())


def test_a_repaired_round_keeps_its_repair_when_it_is_void(drawn: RoundView) -> None:
    draws_factory.open_repair()
    draws_factory.change({"swap_tables": [1, 2]})
    draws_factory.confirm(results.chief())
    undraw(drawn, registrations.committee())
    (void,) = draws.void_rounds(event_id())
    assert (void.drawn, len(void.changes)) == (drawn.placed, 1)


def test_an_outdated_page_does_not_take_the_new_draw_back(drawn: RoundView) -> None:
    undraw(drawn, registrations.committee())
    again = draws_factory.draw(seed="ee" * 32)
    with pytest.raises(AnotherDrawError) as refused:
        undraw(drawn, registrations.committee())
    assert refused.value.extra == {"current": {"seed": again.seed}, "sent": {"seed": drawn.seed}}
    assert len(draws.rounds(event_id())) == 1


def test_the_same_request_twice_takes_one_round_back(drawn: RoundView) -> None:
    first = undraw(drawn, registrations.committee(), idempotency_key="undraw-again")
    draws_factory.draw(seed="ab" * 32)
    assert undraw(drawn, registrations.committee(), idempotency_key="undraw-again") == first
    assert len(draws.rounds(event_id())) == 1


def test_what_cannot_be_taken_back(drawn: RoundView) -> None:
    with pytest.raises(ForbiddenError):
        undraw(drawn, results.referee())
    with pytest.raises(PrivateReasonError):
        undraw(drawn, registrations.committee(), reason="13800000000 的家长要求")
    undraw(drawn, registrations.committee())
    with pytest.raises(UnknownRoundError):
        undraw(drawn, registrations.committee())


def test_it_is_in_the_audit(drawn: RoundView) -> None:
    results.confirmed(drawn.tables[1])
    undraw(drawn, results.chief(), deals=10)
    entry = db.session.scalars(select(AuditEntry).where(AuditEntry.action == AuditAction.ROUND_VOIDED)).one()
    assert entry.details["reason"] == "名单有误"
    assert (entry.details["seed"], entry.details["deals"]) == (drawn.seed, 10)
    assert entry.user_id == results.chief().user_id
    assert Role.CHIEF_REFEREE not in entry.details.values()


def test_a_commitment_to_a_later_round_falls_with_the_round_it_hung_on(drawn: RoundView) -> None:
    """The list of the semifinal was frozen from results that count no more; its seed is shown, and never used again."""
    results.all_confirmed(event_id())
    secret = "ab" * 32
    with command(results.chief()) as ctx:
        standings_service.commit_stage(ctx, event_id(), "semifinal", secret)
    deals = queries.loss(event_id(), "prelim", 1).deals
    assert [each.stage for each in queries.loss(event_id(), "prelim", 1).commitments] == ["semifinal"]
    undraw(drawn, results.chief(), deals=deals, reason="名单有误")
    (fallen,) = draws.commitments(event_id())
    assert (fallen.open, fallen.committed_seed, fallen.withdrawn_reason) == (False, secret, "名单有误")
    assert str(fallen.fell_with) == "初赛第 1 轮"
    acts = db.session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.DRAW_COMMITMENT_WITHDRAWN)
    ).all()
    assert [each.details["fell_with"] for each in acts] == ["prelim-1"]

    for used in (drawn.seed, secret):
        with pytest.raises(SeedUsedError, match="不能再用") as refused:
            draws_factory.draw(seed=used)
        assert "seed" in refused.value.fields
        with pytest.raises(SeedUsedError):
            draws_factory.commit(seed=used)
    draws_factory.commit(seed="cd" * 32)
    again = draws_factory.draw(seed=None)
    assert again.commitment is not None
    assert again.seed == "cd" * 32
    results.all_confirmed(event_id())
    with command(results.chief()) as ctx:
        standings_service.commit_stage(ctx, event_id(), "semifinal")
    assert draws.open_commitment(event_id(), "semifinal", 1) is not None


def test_a_seed_that_was_mixed_with_words_of_the_public_is_used_up_on_both_sides(drawn: RoundView) -> None:
    undraw(drawn, registrations.committee())
    draws_factory.commit(seed="ab" * 32)
    draws_factory.contribute("一二三")
    mixed = draws_factory.draw(seed=None)
    undraw(mixed, registrations.committee())
    for used in ("ab" * 32, mixed.seed):
        with pytest.raises(SeedUsedError):
            draws_factory.draw(seed=used)

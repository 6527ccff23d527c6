"""Corrections (更正): asked for in time, decided by the chief referee who saw what they change, and then in the standings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.actors import ANONYMOUS, SYSTEM, Actor
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.corrections import queries, service
from app.corrections.rules import (
    ImpactUnseenError,
    NothingChangesError,
    NothingPublishedError,
    RequestClosedError,
    RequestState,
)
from app.corrections.service import Proposal
from app.draws.queries import RoundView, TableView
from app.errors import ForbiddenError
from app.results import queries as results_queries
from app.results.rules import CorrectionClosedError, SheetConflictError, SheetState
from app.results.rules.confirming import NotAtTableError
from app.standings import queries as standings
from app.standings import service as standings_service
from tests.factories import results, sheets

Travel = Callable[[datetime], None]


@pytest.fixture
def round_(session: Any, travel: Travel) -> RoundView:
    """A prelim of nine, every table confirmed."""
    drawn = results.prelim(travel)
    for table in drawn.tables:
        results.confirmed(table)
    return drawn


def asked(table: TableView, by: Actor | None = None, **changes: Any) -> int:
    values: dict[str, Any] = {"text": "第 2 副叫分应为 3 分", "key": results.key()} | changes
    with command(by or results.referee()) as ctx:
        return service.ask(ctx, table.token, **values)


def proposal(table: TableView) -> Proposal:
    """The published deals, but the second one was bid 3 and won by the defenders."""
    content = results_queries.sheet(table.token).published
    assert content is not None
    deals = [dict(deal) for deal in content.deals]
    deals[1] |= {"bid": 3, "winner": "defenders"}
    return Proposal(deals, content.outcome)


def seen(table: TableView, request_id: int, wanted: Proposal | None = None) -> str:
    request = queries.request(table.event_id, request_id)
    return service.preview(request, wanted or proposal(table)).fingerprint


def granted(table: TableView, request_id: int, by: Actor | None = None, **changes: Any) -> int:
    values: dict[str, Any] = {"reason": "核对记录，叫分记错", "key": results.key()} | changes
    values.setdefault("proposal", proposal(table))
    values.setdefault("base_revision", results_queries.sheet(table.token).revision)
    if "seen" not in values:
        values["seen"] = seen(table, request_id)
    with command(by or results.chief()) as ctx:
        return service.grant(ctx, request_id, **values)


def published_at(table: TableView) -> datetime:
    found = results_queries.sheet(table.token).published_at
    assert found is not None
    return found


def state(table: TableView, request_id: int) -> RequestState:
    return queries.request(table.event_id, request_id).state


@pytest.mark.parametrize(("seconds", "in_time"), [(600, True), (601, False)])
def test_it_is_asked_for_within_ten_minutes_of_publication_the_last_second_included(
    round_: RoundView, travel: Travel, seconds: int, in_time: bool
) -> None:
    table = round_.tables[0]
    travel(published_at(table) + timedelta(seconds=seconds))
    if in_time:
        assert state(table, asked(table)) is RequestState.OPEN
        return
    with pytest.raises(CorrectionClosedError) as refused:
        asked(table)
    assert refused.value.clause == "四(二)8(九)"
    assert queries.requests(table.event_id) == ()


def test_what_was_asked_in_time_is_granted_later_and_the_standings_follow(
    round_: RoundView, travel: Travel
) -> None:
    table = round_.tables[0]
    with command(SYSTEM) as ctx:
        standings_service.recompute(ctx, table.event_id)
    before = standings.latest(table.event_id)
    request_id = asked(table)
    travel(published_at(table) + timedelta(hours=2))
    revision = granted(table, request_id)
    sheet = results_queries.sheet(table.token)
    assert (sheet.state, sheet.published_revision) == (SheetState.CONFIRMED, revision)
    with command(SYSTEM) as ctx:
        standings_service.recompute(ctx, table.event_id)
    after = standings.latest(table.event_id)
    assert before is not None
    assert after is not None
    assert after.result["placings"] != before.result["placings"]
    request = queries.request(table.event_id, request_id)
    assert (request.state, request.granted_revision) == (RequestState.GRANTED, revision)
    assert request.impact is not None
    assert request.impact["placings"]


def test_every_revision_before_it_stays_readable(round_: RoundView) -> None:
    table = round_.tables[0]
    before = results_queries.revisions(table.token)
    granted(table, asked(table))
    assert results_queries.revisions(table.token)[:-1] == before


def test_the_chief_referee_grants_only_what_he_has_seen_the_effect_of(round_: RoundView) -> None:
    table = round_.tables[0]
    request_id = asked(table)
    for unseen in (None, "0" * 64):
        with pytest.raises(ImpactUnseenError):
            granted(table, request_id, seen=unseen)
    looked_at = seen(table, request_id)
    other = round_.tables[1]
    granted(other, asked(other))  # what the first one changes is no longer what was looked at
    with pytest.raises(ImpactUnseenError):
        granted(table, request_id, seen=looked_at)
    assert state(table, request_id) is RequestState.OPEN


def test_a_player_asks_with_his_card_for_his_own_table_alone(round_: RoundView) -> None:
    table, other = round_.tables[:2]
    mine, theirs = sheets.sides(table)[0], sheets.sides(other)[0]
    request_id = asked(table, ANONYMOUS, entry_id=mine)
    assert queries.request(table.event_id, request_id).asked_as == "player"
    with pytest.raises(NotAtTableError):
        asked(table, ANONYMOUS, entry_id=theirs)


@pytest.mark.parametrize("by", ["referee", "nobody"])
def test_only_the_chief_referee_decides(round_: RoundView, by: str) -> None:
    table = round_.tables[0]
    request_id = asked(table)
    actor = results.referee() if by == "referee" else ANONYMOUS
    with pytest.raises(ForbiddenError if by == "referee" else Exception):
        granted(table, request_id, by=actor)
    with pytest.raises(ForbiddenError if by == "referee" else Exception), command(actor) as ctx:
        service.refuse(ctx, request_id, reason="不成立")
    assert state(table, request_id) is RequestState.OPEN


def test_refused_it_leaves_the_result_and_is_not_decided_again(round_: RoundView) -> None:
    table = round_.tables[0]
    request_id, before = asked(table), results_queries.sheet(table.token)
    for _ in range(2):
        with command(results.chief()) as ctx:
            service.refuse(ctx, request_id, reason="原始记录无误")
    assert results_queries.sheet(table.token).revision == before.revision
    with pytest.raises(RequestClosedError):
        granted(table, request_id)
    assert state(table, request_id) is RequestState.REFUSED


def test_the_same_decision_sent_twice_is_one_revision(round_: RoundView) -> None:
    table = round_.tables[0]
    request_id = asked(table)
    sent = {
        "proposal": proposal(table),
        "seen": seen(table, request_id),
        "base_revision": results_queries.sheet(table.token).revision,
        "key": results.key(),
    }
    assert granted(table, request_id, **sent) == granted(table, request_id, **sent)
    with pytest.raises(SheetConflictError):
        granted(table, request_id, **(sent | {"key": results.key()}))


def test_asked_twice_with_one_key_it_is_one_request(round_: RoundView) -> None:
    table, key = round_.tables[0], results.key()
    assert asked(table, key=key) == asked(table, key=key)
    assert len(queries.requests(table.event_id)) == 1


def test_what_is_published_already_is_no_correction(round_: RoundView) -> None:
    table = round_.tables[0]
    request_id = asked(table)
    content = results_queries.sheet(table.token).published
    assert content is not None
    with pytest.raises(NothingChangesError):
        granted(table, request_id, proposal=Proposal(content.deals), seen=None)


def test_before_publication_there_is_nothing_to_correct(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    results.recorded(drawn.tables[0], results.deals(drawn.tables[0])[:3])
    with pytest.raises(NothingPublishedError):
        asked(drawn.tables[0])


def test_whoever_asked_takes_it_back_and_nobody_else(round_: RoundView) -> None:
    table = round_.tables[0]
    one, other = sheets.sides(table)[:2]
    request_id = asked(table, ANONYMOUS, entry_id=one)
    with pytest.raises(ForbiddenError), command(ANONYMOUS) as ctx:
        service.withdraw(ctx, request_id, entry_id=other)
    with command(ANONYMOUS) as ctx:
        service.withdraw(ctx, request_id, entry_id=one)
    assert state(table, request_id) is RequestState.WITHDRAWN
    with pytest.raises(RequestClosedError):
        granted(table, request_id)


def test_each_step_leaves_its_entry_without_what_was_written(round_: RoundView, session: Any) -> None:
    table = round_.tables[0]
    granted(table, asked(table))
    entries = session.query(AuditEntry).filter(AuditEntry.action.like("correction.%")).all()
    assert [each.action for each in entries] == [
        AuditAction.CORRECTION_ASKED.value,
        AuditAction.CORRECTION_GRANTED.value,
    ]
    assert "叫分" not in "".join(str(each.details) for each in entries)

"""A handed-in sheet is confirmed by its sides or a second referee, disputed, decided; and nothing is public before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app import clock
from app.actors import ANONYMOUS, Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.documents.rules.refusals import UnsignedError
from app.draws.queries import RoundView
from app.errors import ForbiddenError, SignInRequiredError
from app.extensions import db
from app.floor import queries as floor
from app.floor.rules import Confirmation, Publication, UnknownPlayerKeyError, WrongPinError
from app.results import queries, service
from app.results.models import BlindEntry, SheetConfirmation
from app.results.rules import SheetClosedError, SheetConflictError, SheetState
from app.results.rules.confirming import (
    AlreadyPublicError,
    AwaitsSecondRefereeError,
    Decision,
    NoSecondRefereeError,
    NotAtTableError,
    OutdatedWordError,
    ReasonMissingError,
    RoundNotReadyError,
    Said,
    SamePersonError,
    SheetHeldError,
    Way,
    WordKeyUsedError,
)
from app.results.service import Sent, Voice
from app.standings import queries as standings
from app.standings import service as standings_service
from tests.factories import accounts, results, sheets
from tests.factories.publications import Travel


@pytest.fixture
def drawn(session: Any, travel: Travel) -> RoundView:
    """A drawn prelim of nine, whose players confirm for themselves."""
    round_ = results.prelim(travel)
    sheets.terms(round_.event_id, confirmation=Confirmation.PLAYERS)
    return round_


def second_referee() -> Actor:
    return accounts.user(9102, Role.REFEREE, competition_id=competitions.competition_id("beach"))


def version(round_: RoundView) -> int:
    return competitions.event(round_.event_id).results_version


def test_by_default_handing_in_confirms_and_publishes(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    results.confirmed(table)
    view = queries.sheet(table.token)
    assert view.in_force
    assert (view.state, view.confirmed_revision, view.published_revision) == (SheetState.CONFIRMED, 1, 1)
    assert view.published == view.content


def test_a_sheet_waits_for_every_side_and_is_public_with_the_last(drawn: RoundView) -> None:
    table = drawn.tables[0]
    before = version(drawn)
    sheets.handed_in(table)
    first, second, third = sheets.sides(table)
    view = queries.sheet(table.token)
    assert view.state is SheetState.ENTERED
    assert [seat.entry_id for seat in view.waiting_for] == [first, second, third]
    for side, left in ((first, [second, third]), (third, [second])):
        sheets.said(table, side)
        assert [seat.entry_id for seat in queries.sheet(table.token).waiting_for] == left
    assert queries.in_force(table.event_id) == {}
    assert version(drawn) == before
    sheets.said(table, second)
    view = queries.sheet(table.token)
    assert view.in_force
    assert {each.way for each in view.confirmations} == {Way.CARD}
    assert list(queries.in_force(table.event_id)) == [table.id]
    assert version(drawn) == before + 1


def test_what_waits_is_in_no_standings_and_no_event_file(drawn: RoundView) -> None:
    for table in drawn.tables:
        sheets.handed_in(table)
    file = standings.event_file(drawn.event_id)
    tables = [table for stage in file["stages"] for part in stage["rounds"] for table in part["tables"]]
    assert all("deals" not in table for table in tables)
    assert queries.progress(drawn.event_id).confirmed == 0
    assert [each.table.id for each in standings.stage_board(drawn.event_id).waiting] == [
        table.id for table in drawn.tables
    ]
    chief = results.chief()
    with pytest.raises(Exception, match="桌"), command(chief) as ctx:
        standings_service.draw_stage(ctx, drawn.event_id)


def test_a_side_confirms_by_pin_or_by_a_signature_on_the_referees_phone(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    first, second, third = sheets.sides(table)
    pin = sheets.cards(table.event_id)[first].pin
    with command(ANONYMOUS) as ctx:
        service.confirm(
            ctx, table.token, voice=Voice(entry_id=first, pin=pin), revision=1, key="by-pin-0001"
        ).require()
    sign = Voice(entry_id=second, signature=sheets.STROKES)
    with pytest.raises(SignInRequiredError), command(ANONYMOUS) as ctx:
        service.confirm(ctx, table.token, voice=sign, revision=1, key="signed-0001")
    with pytest.raises(UnsignedError), command(results.referee()) as ctx:
        service.confirm(ctx, table.token, voice=Voice(entry_id=second), revision=1, key="unsigned-01")
    with command(results.referee()) as ctx:
        service.confirm(ctx, table.token, voice=sign, revision=1, key="signed-0001")
    ways = {each.entry_id: each.way for each in queries.sheet(table.token).confirmations}
    assert ways == {first: Way.PIN, second: Way.SIGNATURE}
    assert [seat.entry_id for seat in queries.sheet(table.token).waiting_for] == [third]


def test_a_wrong_pin_says_nothing_and_is_counted(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    first = sheets.sides(table)[0]
    right = sheets.cards(table.event_id)[first].pin
    wrong = f"{(int(right) + 1) % 10**6:06d}"
    for left in (4, 3):
        with command(ANONYMOUS) as ctx:
            spoken = service.confirm(
                ctx, table.token, voice=Voice(entry_id=first, pin=wrong), revision=1, key=results.key()
            )
        with pytest.raises(WrongPinError, match=str(left)):
            spoken.require()
    assert queries.sheet(table.token).words == ()


def test_only_who_sits_at_the_table_confirms_its_sheet(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    stranger = sheets.sides(drawn.tables[1])[0]
    with pytest.raises(NotAtTableError):
        sheets.said(table, stranger)
    with pytest.raises(UnknownPlayerKeyError):
        sheets.said(table, sheets.sides(table)[0], voice=Voice(card="nobody"))
    with pytest.raises(NotAtTableError):
        sheets.disputed(table, stranger)


def test_a_side_confirms_what_it_saw_and_nothing_else(drawn: RoundView) -> None:
    table = drawn.tables[0]
    with pytest.raises(SheetClosedError, match="还没有交"):
        sheets.said(table, sheets.sides(table)[0], revision=0)
    assert queries.sheet(table.token).revision == 0
    sheets.handed_in(table)
    with command(results.chief()) as ctx:
        service.reopen(ctx, table.token, reason="第三副记错", sent=results.sent(table))
    sheets.handed_in(table, records=results.deals(table, bid=3))
    with pytest.raises(OutdatedWordError):
        sheets.said(table, sheets.sides(table)[0], revision=1)


def test_an_earlier_word_counts_for_no_later_revision(drawn: RoundView) -> None:
    table = drawn.tables[0]
    first, second, third = sheets.sides(table)
    sheets.handed_in(table)
    sheets.said(table, first)
    sheets.said(table, second)
    with command(results.chief()) as ctx:
        service.reopen(ctx, table.token, reason="第三副记错", sent=results.sent(table))
    sheets.handed_in(table)
    sheets.said(table, third)
    assert [seat.entry_id for seat in queries.sheet(table.token).waiting_for] == [first, second]


def test_the_same_word_twice_is_stored_once(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    first = sheets.sides(table)[0]
    assert not sheets.said(table, first, key="the-same-one").repeated
    assert sheets.said(table, first, key="the-same-one").repeated
    assert sheets.said(table, first).repeated, "the page was opened again"
    with pytest.raises(WordKeyUsedError):
        sheets.said(table, sheets.sides(table)[1], key="the-same-one")
    stored = db.session.scalars(select(SheetConfirmation)).all()
    assert len(stored) == 1


def test_a_dispute_blocks_publication_and_calls_the_chief_referee(drawn: RoundView) -> None:
    table = drawn.tables[0]
    first, second, third = sheets.sides(table)
    sheets.handed_in(table)
    sheets.said(table, first)
    sheets.disputed(table, second, note="第三副是我坐庄")
    view = queries.sheet(table.token)
    assert view.state is SheetState.DISPUTED
    assert view.dispute is not None
    assert view.dispute.note == "第三副是我坐庄"
    (call,) = floor.open_calls(table.event_id)
    assert (call.table.id, call.kind.value) == (table.id, "dispute")
    with pytest.raises(SheetClosedError, match="有争议"):
        sheets.said(table, third)
    assert queries.in_force(table.event_id) == {}
    waiting = queries.waiting(competitions.event(drawn.event_id), clock.now())
    assert any("1 桌成绩有争议" in str(each.text) for each in waiting)


@pytest.mark.parametrize("decision", Decision)
def test_the_chief_referee_upholds_a_disputed_sheet_or_sends_it_back(
    drawn: RoundView, decision: Decision
) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    sheets.disputed(table, sheets.sides(table)[0])
    with pytest.raises(ForbiddenError), command(results.referee()) as ctx:
        service.decide_dispute(
            ctx, table.token, decision=decision, reason="核对原牌", sent=results.sent(table)
        )
    with pytest.raises(ReasonMissingError):
        sheets.decided(table, decision, reason=" ")
    sent = results.sent(table)
    sheets.decided(table, decision, sent=sent)
    assert sheets.decided(table, decision, sent=sent).repeated
    assert floor.open_calls(table.event_id) == ()
    view = queries.sheet(table.token)
    if decision is Decision.UPHOLD:
        assert view.in_force
        assert [each.said for each in view.words] == [Said.DISPUTED, Said.DECIDED]
    else:
        assert view.state is SheetState.OPEN
        assert queries.in_force(table.event_id) == {}
        assert queries.revisions(table.token)[-1].reason == "核对原牌"


def test_a_decision_on_an_older_revision_is_a_conflict(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    sheets.disputed(table, sheets.sides(table)[0])
    with pytest.raises(SheetConflictError):
        sheets.decided(table, Decision.UPHOLD, sent=Sent(0, "decided-early"))


def test_the_chief_referee_speaks_for_who_is_away_with_a_reason(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    first, *others = sheets.sides(table)
    for side in others:
        sheets.said(table, side)

    def speak(by: Actor, reason: str) -> None:
        with command(by) as ctx:
            service.confirm_for(ctx, table.token, entry_id=first, reason=reason, revision=1, key="away-0001")

    with pytest.raises(ForbiddenError):
        speak(results.referee(), "已离开赛场")
    with pytest.raises(ReasonMissingError):
        speak(results.chief(), "")
    speak(results.chief(), "已离开赛场")
    assert queries.sheet(table.token).in_force


def test_the_chief_referee_confirms_the_whole_of_a_sheet_he_did_not_write(drawn: RoundView) -> None:
    one, other = drawn.tables[:2]
    sheets.handed_in(one)
    sheets.handed_in(other, by=results.chief())
    for table, taken in ((one, True), (other, False)):
        try:
            with command(results.chief()) as ctx:
                service.confirm_for(
                    ctx, table.token, entry_id=None, reason="选手都已离场", revision=1, key="whole-0001"
                )
        except SamePersonError:
            assert not taken
        assert queries.sheet(table.token).in_force is taken


def test_a_round_held_back_is_public_as_a_whole_or_not_at_all(session: Any, travel: Travel) -> None:
    round_ = results.prelim(travel)
    sheets.terms(round_.event_id, publication=Publication.BY_ROUND)
    *early, last = round_.tables
    before = version(round_)
    for table in early:
        sheets.handed_in(table)
    assert [queries.sheet(table.token).state for table in early] == [SheetState.CONFIRMED] * len(early)
    assert queries.in_force(round_.event_id) == {}
    with pytest.raises(RoundNotReadyError, match=str(last.number)):
        sheets.published(last)
    sheets.handed_in(last)
    assert version(round_) == before
    with pytest.raises(ForbiddenError), command(results.referee()) as ctx:
        service.publish_round(ctx, round_.event_id, "prelim", 1)
    assert sheets.published(last) == tuple(table.number for table in round_.tables)
    assert version(round_) == before + 1
    assert sheets.published(last) == ()
    assert len(queries.in_force(round_.event_id)) == len(round_.tables)
    moments = floor.run(round_.id).moments
    assert moments.published_at == clock.now()
    assert moments.ended_at is not None


def test_only_the_last_round_of_all_is_held_back(session: Any, travel: Travel) -> None:
    round_ = results.prelim(travel)
    sheets.terms(round_.event_id, publication=Publication.LAST_ROUND)
    results.all_confirmed(round_.event_id)
    assert len(queries.in_force(round_.event_id)) == len(round_.tables)


def test_a_confirmed_sheet_is_disputed_until_it_is_public(session: Any, travel: Travel) -> None:
    round_ = results.prelim(travel)
    sheets.terms(round_.event_id, publication=Publication.BY_ROUND)
    results.all_confirmed(round_.event_id)
    table = round_.tables[0]
    sheets.disputed(table, sheets.sides(table)[0])
    assert queries.sheet(table.token).confirmed_revision is None
    with pytest.raises(RoundNotReadyError) as refused:
        sheets.published(table)
    assert refused.value.extra == {"tables": [table.number], "disputed": [table.number]}
    sheets.decided(table, Decision.UPHOLD)
    sheets.published(table)
    with pytest.raises(AlreadyPublicError):
        sheets.disputed(table, sheets.sides(table)[0])


def test_a_correction_of_a_public_sheet_is_public_with_its_confirmation(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    for side in sheets.sides(table):
        sheets.said(table, side)
    before = queries.in_force(table.event_id)[table.id]
    with command(results.chief()) as ctx:
        service.reopen(ctx, table.token, reason="第三副记错", sent=results.sent(table))
    sheets.handed_in(table, records=results.deals(table, bid=3))
    assert queries.in_force(table.event_id)[table.id] == before, "nobody has confirmed the correction"
    sheets.disputed(table, sheets.sides(table)[0])
    assert queries.in_force(table.event_id)[table.id] == before
    with command(results.chief()) as ctx:
        service.restore(ctx, table.token, reason="维持原成绩", sent=results.sent(table))
    view = queries.sheet(table.token)
    assert view.in_force
    assert view.content == before
    assert floor.open_calls(table.event_id) == ()


def test_a_locked_round_is_not_reopened_and_the_refusal_says_what_is_left(
    session: Any, travel: Travel
) -> None:
    round_ = results.prelim(travel)
    results.all_confirmed(round_.event_id)
    table = round_.tables[0]
    assert not queries.sheet(table.token).locked(clock.now())
    travel(clock.now() + timedelta(minutes=10, seconds=1))
    assert queries.sheet(table.token).locked(clock.now())
    with pytest.raises(Exception, match="10 分钟内可以更正") as refused, command(results.chief()) as ctx:
        service.reopen(ctx, table.token, reason="第三副记错", sent=results.sent(table))
    assert getattr(refused.value, "clause", None)
    assert getattr(refused.value, "next_step", None)


# --- judged elsewhere ---


def correct(table: Any, **changes: Any) -> service.Saved:
    values: dict[str, Any] = {
        "deals": results.deals(table, bid=3),
        "reason": "更正申请成立",
        "act": AuditAction.SHEET_REVISED,
        "key": results.key(),
    } | changes
    with command(results.chief()) as ctx:
        return service.correct(ctx, table.token, **values)


def test_a_granted_correction_is_in_force_at_once_whatever_the_window_and_the_later_draw(
    session: Any, travel: Travel
) -> None:
    round_ = results.prelim(travel)
    results.all_confirmed(round_.event_id)
    table = round_.tables[0]
    published_at = queries.sheet(table.token).published_at
    with command(results.chief()) as ctx:
        standings_service.draw_stage(ctx, round_.event_id)
    travel(clock.now() + timedelta(hours=1))
    with pytest.raises(Exception, match="更正"), command(results.chief()) as ctx:
        service.reopen(ctx, table.token, reason="第三副记错", sent=results.sent(table))
    before = version(round_)
    saved = correct(table, key="granted-0001")
    assert correct(table, key="granted-0001").repeated
    assert (saved.revision, saved.state) == (2, SheetState.CONFIRMED)
    assert queries.in_force(round_.event_id)[table.id].deals[0]["bid"] == 3
    assert queries.sheet(table.token).published_at == published_at, "the window does not begin again"
    assert version(round_) == before + 1
    with pytest.raises(SheetConflictError):
        correct(table, base_revision=1)


@pytest.mark.parametrize("state", ["untouched", "open", "entered", "disputed"])
def test_a_ruling_settles_a_sheet_in_any_state(drawn: RoundView, state: str) -> None:
    table = drawn.tables[0]
    if state == "open":
        results.recorded(table, results.deals(table)[:3])
    elif state != "untouched":
        sheets.handed_in(table)
    if state == "disputed":
        sheets.disputed(table, sheets.sides(table)[0])
    correct(table)
    assert queries.sheet(table.token).in_force
    assert floor.open_calls(table.event_id) == ()


def test_a_ruling_in_a_round_that_is_held_back_is_public_with_the_round(session: Any, travel: Travel) -> None:
    round_ = results.prelim(travel)
    sheets.terms(round_.event_id, publication=Publication.BY_ROUND)
    table = round_.tables[0]
    correct(table)
    view = queries.sheet(table.token)
    assert (view.state, view.published_revision) == (SheetState.CONFIRMED, None)
    results.all_confirmed(round_.event_id)
    sheets.published(table)
    assert queries.sheet(table.token).in_force


# --- a second referee ---


@pytest.fixture
def blind(session: Any, travel: Travel) -> RoundView:
    round_ = results.prelim(travel)
    sheets.terms(round_.event_id, confirmation=Confirmation.BLIND)
    return round_


def enter(table: Any, by: Actor, deals: list[dict[str, Any]], **changes: Any) -> service.Spoken:
    with command(by) as ctx:
        return service.enter_blind(ctx, table.token, deals=deals, sent=results.sent(table, **changes))


def test_a_second_referee_who_enters_the_same_confirms_it(blind: RoundView) -> None:
    table = blind.tables[0]
    deals = results.deals(table)
    sheets.handed_in(table, records=deals)
    assert queries.sheet(table.token).awaits_second
    with pytest.raises(SamePersonError):
        enter(table, results.referee(), deals)
    with pytest.raises(AwaitsSecondRefereeError):
        sheets.said(table, sheets.sides(table)[0])
    with pytest.raises(OutdatedWordError):
        enter(table, second_referee(), deals, base_revision=0)
    enter(table, second_referee(), deals, idempotency_key="second-0001")
    assert enter(table, second_referee(), deals, idempotency_key="second-0001").repeated
    assert queries.sheet(table.token).in_force
    (stored,) = db.session.scalars(select(BlindEntry)).all()
    assert stored.equal


def test_a_second_referee_who_enters_something_else_calls_the_chief_referee(blind: RoundView) -> None:
    table = blind.tables[0]
    deals = results.deals(table)
    sheets.handed_in(table, records=deals)
    other = [deals[0] | {"bid": 3}, *deals[1:]]
    enter(table, second_referee(), other)
    view = queries.sheet(table.token)
    assert view.state is SheetState.DISPUTED
    assert view.dispute is not None
    assert view.dispute.note == "两次录入不一致：第 1 副。"
    assert len(floor.open_calls(table.event_id)) == 1


def test_a_second_referee_does_not_see_what_the_first_entered(blind: RoundView) -> None:
    table = blind.tables[0]
    sheets.handed_in(table)
    view = queries.sheet(table.token)
    assert queries.blinded(view, second_referee().user_id).content.empty
    assert queries.blinded(view, results.referee().user_id) == view


def test_nobody_enters_a_sheet_twice_where_the_sides_confirm(drawn: RoundView) -> None:
    table = drawn.tables[0]
    sheets.handed_in(table)
    with pytest.raises(NoSecondRefereeError):
        enter(table, second_referee(), results.deals(table))


# --- who writes ---


def record(table: Any, device: str | None, number: int = 1, by: Actor | None = None) -> service.Saved:
    with command(by or results.referee()) as ctx:
        return service.record_deal(
            ctx,
            table.token,
            deal_number=number,
            deal=results.deal(results.seats(table)[0]),
            sent=results.sent(table, device_id=device),
        )


def take(table: Any, device: str, reason: str = "手机没电", by: Actor | None = None) -> bool:
    with command(by or results.referee()) as ctx:
        return service.take_over(ctx, table.token, device=device, reason=reason)


def test_another_device_takes_a_sheet_over_before_it_writes_on_it(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    record(table, "phone-one")
    with pytest.raises(SheetHeldError, match="另一台设备") as own:
        record(table, "phone-two", 2)
    assert own.value.extra["same_person"]
    with pytest.raises(SheetHeldError, match=r"裁判员 138\*\*\*\*9100") as other:
        record(table, "phone-two", 2, by=second_referee())
    assert not other.value.extra["same_person"]
    with pytest.raises(ReasonMissingError):
        take(table, "phone-two", "")
    assert take(table, "phone-two")
    assert not take(table, "phone-two"), "it holds it already"
    record(table, "phone-two", 2)
    with pytest.raises(SheetHeldError):
        record(table, "phone-one", 3)
    assert len(queries.sheet(table.token).deals) == 2


def test_handing_in_lets_go_of_the_sheet(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    record(table, "phone-one")
    with command(results.referee()) as ctx:
        service.record_sheet(
            ctx,
            table.token,
            deals=results.deals(table),
            handed_in=True,
            sent=results.sent(table, device_id="phone-one"),
        )
    assert queries.sheet(table.token).holder is None
    with pytest.raises(SheetClosedError):
        take(table, "phone-two")


def test_a_program_that_names_no_device_is_told_of_changes_by_the_revision_alone(
    session: Any, travel: Travel
) -> None:
    table = results.prelim(travel).tables[0]
    record(table, "phone-one")
    record(table, None, 2)
    assert queries.sheet(table.token).holder is not None
    with pytest.raises(SheetHeldError):
        record(table, "phone-two", 3)

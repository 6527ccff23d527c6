"""The ledger of fees balances whatever is done, and nothing of it is ever changed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.appeals import service
from app.appeals.queries import ledger
from app.appeals.rules import ledger as rules
from app.appeals.rules import terms_of
from app.appeals.rules.ledger import Entry, Totals, totals, yuan
from app.appeals.rules.refusals import (
    FeeAmountError,
    FeeNotDueError,
    FeeReceivedError,
    FeeReferenceError,
    NothingHeldError,
    NotReversibleError,
)
from app.appeals.rules.states import AppealState, FeeKind, FeeWay
from app.commands import command
from app.errors import SaishiError
from app.regulations import library
from tests.app.appeals.conftest import END, Scene
from tests.factories import appeals as make
from tests.factories import registrations, results

TERMS = terms_of(library.load("beach-games-landlord-2021"))
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["receive", "refund", "keep", "reverse"]),
        st.integers(0, 2),
        st.sampled_from(list(AppealState)),
        st.integers(1, 30),
    ),
    max_size=40,
)


@given(ACTS)
def test_whatever_is_done_received_is_refunded_and_kept_and_held(
    acts: list[tuple[str, int, AppealState, int]],
) -> None:
    entries: list[Entry] = []
    for act, appeal, state, entry_id in acts:
        own = [each for each in entries if each.appeal_id == appeal]
        number = len(entries) + 1
        try:
            if act == "receive":
                rules.require_receivable(state, own, TERMS, amount=TERMS.fen, way=FeeWay.CASH, reference="")
                entries.append(Entry(number, appeal, FeeKind.RECEIVED, TERMS.fen))
            elif act == "reverse":
                taken = rules.require_reversible(own, entry_id)
                entries.append(Entry(number, appeal, FeeKind.REVERSAL, taken.amount, taken.id))
            else:
                kind = FeeKind.REFUNDED if act == "refund" else FeeKind.KEPT
                held = rules.require_settleable(state, own, TERMS, kind)
                entries.append(Entry(number, appeal, kind, held))
        except SaishiError:
            continue
        of_all = totals(entries)
        of_each = [totals(each for each in entries if each.appeal_id == place) for place in range(3)]
        for found in (of_all, *of_each):
            assert found.received == found.refunded + found.kept + found.held
            assert min(found.received, found.refunded, found.kept, found.held) >= 0
        assert of_all.held == sum(each.held for each in of_each)
        assert all(each.received in {0, TERMS.fen} for each in of_each), "one fee for one appeal"


def test_a_reversal_of_nothing_is_no_ledger() -> None:
    with pytest.raises(ValueError, match="reverses nothing"):
        totals([Entry(1, 1, FeeKind.REVERSAL, 100, 7)])


@pytest.mark.parametrize(("fen", "shown"), [(50_000, "500"), (50_050, "500.50"), (5, "0.05"), (-100, "−1")])
def test_amounts_are_shown_in_yuan(fen: int, shown: str) -> None:
    assert yuan(fen) == shown


@pytest.fixture
def number(scene: Scene) -> str:
    return make.said(scene.table, END)


def test_receipts_have_consecutive_numbers(scene: Scene, number: str) -> None:
    other = make.said(scene.table, END, seat=1)
    found = [make.paid(number), make.paid(other, way=FeeWay.TRANSFER, reference="流水 0001")]
    competition_id = scene.competition.id
    assert found == [f"SJ2021-{competition_id}-0001", f"SJ2021-{competition_id}-0002"]
    view = ledger.ledger(competition_id)
    assert [(line.number, line.kind, line.amount, line.appeal) for line in view.lines] == [
        (found[0], "received", make.FEE, number),
        (found[1], "received", make.FEE, other),
    ]
    assert view.totals == Totals(received=2 * make.FEE)
    assert "流水" not in repr(view)


def test_the_same_form_twice_is_one_receipt(scene: Scene, number: str) -> None:
    assert make.paid(number, idempotency_key="fee-form-1") == make.paid(number, idempotency_key="fee-form-1")
    assert len(ledger.of_appeal(make.row(number).id)) == 1


def test_a_fee_is_registered_once_and_whole(scene: Scene, number: str) -> None:
    with pytest.raises(FeeAmountError) as refusal:
        make.paid(number, amount=make.FEE - 1)
    assert refusal.value.clause == "四(二)8(十)"
    with pytest.raises(FeeReferenceError):
        make.paid(number, way=FeeWay.TRANSFER)
    make.paid(number)
    with pytest.raises(FeeReceivedError):
        make.paid(number)


def test_nothing_goes_back_while_the_appeal_is_open(scene: Scene, number: str) -> None:
    make.paid(number)
    with pytest.raises(FeeNotDueError), command(results.referee()) as ctx:
        service.refund(ctx, slug="beach", number=number, way=FeeWay.CASH, idempotency_key=make.key())


def refund(number: str, key: str | None = None) -> str:
    with command(results.referee()) as ctx:
        return service.refund(
            ctx, slug="beach", number=number, way=FeeWay.CASH, idempotency_key=key or make.key()
        )


def withdrawn(number: str) -> None:
    row = make.row(number)
    with command(results.referee()) as ctx:
        service.withdraw(ctx, slug="beach", token=row.token)


def test_the_fee_of_an_appeal_that_was_never_heard_goes_back_once(scene: Scene, number: str) -> None:
    make.paid(number)
    withdrawn(number)
    view = ledger.ledger(scene.competition.id)
    assert [(each.appeal, each.kind, each.amount) for each in view.due] == [(number, "refunded", make.FEE)]
    assert view.due_back == make.FEE
    receipt = refund(number, "refund-form")
    assert refund(number, "refund-form") == receipt
    with pytest.raises(NothingHeldError):
        refund(number)
    view = ledger.ledger(scene.competition.id)
    assert (view.totals, view.totals.held, view.due) == (Totals(make.FEE, make.FEE, 0), 0, ())


def reverse(entry: str, reason: str = "收据开错。") -> str:
    with command(registrations.committee()) as ctx:
        return service.reverse(ctx, slug="beach", entry=entry, reason=reason, idempotency_key=make.key())


def test_what_was_entered_wrong_is_reversed_and_stays_readable(scene: Scene, number: str) -> None:
    first = make.paid(number)
    taken_back = reverse(first)
    again = make.paid(number, way=FeeWay.TRANSFER, reference="流水 0002")
    lines = ledger.of_appeal(make.row(number).id)
    assert [(line.number, line.kind, line.reverses, line.reversed_by) for line in lines] == [
        (first, "received", None, taken_back),
        (taken_back, "reversal", first, None),
        (again, "received", None, None),
    ]
    assert ledger.ledger(scene.competition.id).totals == Totals(received=make.FEE)
    for entry in (first, taken_back):
        with pytest.raises(NotReversibleError):
            reverse(entry)


def test_a_receipt_whose_money_went_back_is_not_reversed_before_the_refund_is(
    scene: Scene, number: str
) -> None:
    first = make.paid(number)
    withdrawn(number)
    back = refund(number)
    with pytest.raises(NotReversibleError):
        reverse(first)
    reverse(back, "款项没有交到本人。")
    assert ledger.ledger(scene.competition.id).due_back == make.FEE
    reverse(first)
    assert ledger.ledger(scene.competition.id).totals == Totals()


def test_only_the_chief_referee_and_the_committee_reverse(scene: Scene, number: str) -> None:
    receipt = make.paid(number)
    for who in (results.referee(), scene.arbiter, scene.leader()):
        with pytest.raises(SaishiError) as refusal, command(who) as ctx:
            service.reverse(ctx, slug="beach", entry=receipt, reason="错", idempotency_key=make.key())
        assert refusal.value.status == 403


def test_a_receipt_names_who_paid(scene: Scene, number: str) -> None:
    view = ledger.receipt(scene.competition.id, make.paid(number))
    seat = scene.table.seats[0]
    assert (view.payer, view.unit_name, view.line.appeal) == (seat.name, seat.unit_name, number)


def test_time_has_no_part_in_it(scene: Scene, number: str, travel) -> None:  # type: ignore[no-untyped-def]  # a fixture
    travel(END + timedelta(days=30))
    assert make.paid(number).startswith("SJ2022-"), "the year in Beijing"


@pytest.mark.parametrize(("option", "kind"), [("refunded", FeeKind.REFUNDED), ("kept", FeeKind.KEPT)])
@pytest.mark.parametrize("state", [AppealState.REFUSED, AppealState.LAPSED, AppealState.WITHDRAWN])
def test_what_becomes_of_the_fee_of_an_appeal_nobody_heard_is_an_option(
    option: str, kind: FeeKind, state: AppealState
) -> None:
    """I-A-26: the text is silent."""
    regulation = library.load("beach-games-landlord-2021").with_changes(
        options={"appeal_fee_unheard": option}
    )
    assert rules.settled_as(state, terms_of(regulation)) is kind

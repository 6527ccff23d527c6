"""Two acts on a handed-in sheet at the same moment: both are taken in some order, or one is told of the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from app.actors import ANONYMOUS, Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.errors import SaishiError
from app.floor import queries as floor
from app.floor.rules import Confirmation, Publication
from app.results import queries, service
from app.results.rules import SheetClosedError, SheetState
from app.results.rules.confirming import (
    AlreadyPublicError,
    OutdatedWordError,
    RoundNotReadyError,
    SheetHeldError,
)
from app.results.service import Sent, Voice
from tests.app.results.test_concurrency import at_once
from tests.factories import accounts, results, sheets
from tests.factories.publications import Travel

Act = Callable[[], Any]


def confirming(round_: RoundView, entry_id: int, cards: dict[int, Any]) -> Act:
    table = round_.tables[0]

    def act() -> None:
        with command(ANONYMOUS) as ctx:
            voice = Voice(card=cards[entry_id].token)
            service.confirm(ctx, table.token, voice=voice, revision=1, key=f"at-once-{entry_id:04d}")

    return act


@pytest.fixture
def drawn(app: Flask, travel: Travel) -> RoundView:
    with app.app_context():
        return results.prelim(travel)


def entered(app: Flask, round_: RoundView) -> dict[int, Any]:
    """The first table handed in, to be confirmed by its sides; everybody's card."""
    with app.app_context():
        sheets.terms(round_.event_id, confirmation=Confirmation.PLAYERS)
        sheets.handed_in(round_.tables[0])
        return sheets.cards(round_.event_id)


def test_all_sides_confirm_at_once_and_the_sheet_is_confirmed_once(app: Flask, drawn: RoundView) -> None:
    cards = entered(app, drawn)
    table = drawn.tables[0]
    with app.app_context():
        before = competitions.event(drawn.event_id).results_version
    raised = at_once(app, *(confirming(drawn, side, cards) for side in sheets.sides(table)))
    assert raised == [None] * 3
    with app.app_context():
        assert queries.sheet(table.token).in_force
        assert len(queries.sheet(table.token).confirmations) == 3
        assert competitions.event(drawn.event_id).results_version == before + 1


def test_the_last_confirmation_and_a_reopening_are_never_mixed(app: Flask, drawn: RoundView) -> None:
    cards = entered(app, drawn)
    table = drawn.tables[0]
    *early, last = sheets.sides(table)
    with app.app_context():
        for side in early:
            sheets.said(table, side)
        chief = results.chief()

    def reopen() -> None:
        with command(chief) as ctx:
            service.reopen(ctx, table.token, reason="第三副记错", sent=Sent(1, "reopen-at-once"))

    confirmed, reopened = at_once(app, confirming(drawn, last, cards), reopen)
    assert reopened is None
    assert confirmed is None or isinstance(confirmed, OutdatedWordError | SheetClosedError)
    with app.app_context():
        view = queries.sheet(table.token)
        assert view.state is SheetState.OPEN
        assert view.published_revision == (1 if confirmed is None else None)
        assert view.words == (), "no word counts for the revision that is open now"


def test_a_dispute_before_publication_blocks_it_and_one_after_it_is_refused(
    app: Flask, drawn: RoundView
) -> None:
    table = drawn.tables[0]
    with app.app_context():
        sheets.terms(drawn.event_id, publication=Publication.BY_ROUND)
        results.all_confirmed(drawn.event_id)
        cards = sheets.cards(drawn.event_id)
        chief = results.chief()
    side = sheets.sides(table)[0]

    def dispute() -> None:
        with command(ANONYMOUS) as ctx:
            voice = Voice(card=cards[side].token)
            service.dispute(
                ctx, table.token, voice=voice, note="第三副记错", revision=1, key="dispute-at-once"
            )

    def publish() -> None:
        with command(chief) as ctx:
            service.publish_round(ctx, drawn.event_id, "prelim", 1)

    disputed, published = at_once(app, dispute, publish)
    assert (disputed is None) is not (published is None), (disputed, published)
    assert isinstance(disputed or published, AlreadyPublicError | RoundNotReadyError)
    with app.app_context():
        view = queries.sheet(table.token)
        assert (view.state is SheetState.DISPUTED) is (disputed is None)
        assert bool(queries.in_force(drawn.event_id)) is (published is None)
        assert bool(floor.open_calls(drawn.event_id)) is (disputed is None)


def test_the_round_is_public_once_however_its_last_tables_come(app: Flask, drawn: RoundView) -> None:
    with app.app_context():
        referee = results.referee()

    def hand_in(place: int) -> Act:
        table = drawn.tables[place]

        def act() -> None:
            with command(referee) as ctx:
                service.record_sheet(
                    ctx,
                    table.token,
                    deals=results.deals(table),
                    handed_in=True,
                    sent=Sent(0, f"last-tables-{place}"),
                )

        return act

    assert at_once(app, *(hand_in(place) for place in range(3))) == [None] * 3
    with app.app_context():
        moments = floor.run(drawn.id).moments
        assert moments.opened_at is not None
        assert moments.ended_at is not None
        assert moments.published_at is not None


def test_a_takeover_and_a_write_at_once_leave_one_holder_and_lose_nothing(
    app: Flask, drawn: RoundView
) -> None:
    table = drawn.tables[0]
    with app.app_context():
        referee = results.referee()
        second = accounts.user(9102, Role.REFEREE, competition_id=competitions.competition_id("beach"))
        first_seat = results.seats(table)[0]
        with command(referee) as ctx:
            service.record_deal(
                ctx,
                table.token,
                deal_number=1,
                deal=results.deal(first_seat),
                sent=Sent(0, "hold-deal-0001", device_id="phone-one"),
            )

    def write() -> None:
        with command(referee) as ctx:
            service.record_deal(
                ctx,
                table.token,
                deal_number=2,
                deal=results.deal(first_seat),
                sent=Sent(1, "hold-deal-0002", device_id="phone-one"),
            )

    def take() -> None:
        with command(second) as ctx:
            service.take_over(ctx, table.token, device="phone-two", reason="手机没电")

    wrote, took = at_once(app, write, take)
    assert took is None
    assert wrote is None or isinstance(wrote, SheetHeldError)
    with app.app_context():
        view = queries.sheet(table.token)
        assert view.holder is not None
        assert view.holder.device == "phone-two"
        assert len(view.deals) == (2 if wrote is None else 1)


def test_two_referees_enter_the_same_sheet_again_at_once_and_it_is_confirmed_once(
    app: Flask, drawn: RoundView
) -> None:
    table = drawn.tables[0]
    with app.app_context():
        sheets.terms(drawn.event_id, confirmation=Confirmation.BLIND)
        deals = results.deals(table)
        sheets.handed_in(table, records=deals)
        beach = competitions.competition_id("beach")
        others = [accounts.user(serial, Role.REFEREE, competition_id=beach) for serial in (9102, 9103)]

    def enter(place: int) -> Act:
        def act() -> None:
            with command(others[place]) as ctx:
                service.enter_blind(ctx, table.token, deals=deals, sent=Sent(1, f"blind-at-once-{place}"))

        return act

    raised = at_once(app, enter(0), enter(1))
    assert sorted(type(each).__name__ for each in raised) == ["NoneType", "SheetClosedError"]
    assert all(each is None or isinstance(each, SaishiError) for each in raised)
    with app.app_context():
        assert queries.sheet(table.token).in_force

"""What happens at once, with real threads and locks: one of two decisions stands, a fee goes back once, the last second counts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from app.actors import SYSTEM
from app.appeals import service
from app.appeals.queries import ledger, people, rounds
from app.appeals.rules import FeeWay
from app.appeals.rules.refusals import (
    AlreadyAppealedError,
    AppealChangedError,
    FeeReceivedError,
    NothingHeldError,
)
from app.appeals.service import cases, lodging
from app.commands import command
from tests.app.appeals.conftest import END, Scene, Travel
from tests.app.appeals.test_deciding import decision, heard
from tests.app.documents.test_leaving_races import in_the_middle
from tests.factories import appeals as make
from tests.factories import results

postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""SQLite lets one command begin after another, so nothing is in the middle."""


@postgresql
def test_of_two_decisions_at_once_the_first_stands(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = heard(scene)
    seen = make.row(number).revision

    def decide(*, upheld: bool, colleague: bool) -> Callable[[], str]:
        who = scene.colleague if colleague else scene.arbiter
        wanted = decision(upheld, **({"measure": "警告。"} if upheld else {}))

        def act() -> str:
            with command(who) as ctx:
                service.decide(ctx, slug="beach", number=number, revision=seen, decision=wanted)
            return "decided"

        return act

    first, second = in_the_middle(
        app,
        monkeypatch,
        decide(upheld=False, colleague=False),
        (people, "standing_of"),
        decide(upheld=True, colleague=True),
    )
    assert first == "decided"
    assert isinstance(second, AppealChangedError)
    assert make.row(number).state == "dismissed"
    assert ledger.ledger(scene.competition.id).totals.kept == make.FEE


def refund(number: str) -> Callable[[], str]:
    who, key = results.referee(), make.key()

    def act() -> str:
        with command(who) as ctx:
            return service.refund(ctx, slug="beach", number=number, way=FeeWay.CASH, idempotency_key=key)

    return act


@postgresql
def test_a_fee_goes_back_once_though_two_referees_pay_it_at_once(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = heard(scene)
    token = make.row(number).token
    with command(scene.leader()) as ctx:
        service.withdraw(ctx, slug="beach", token=token)
    first, second = in_the_middle(
        app, monkeypatch, refund(number), (cases.people, "standing_of"), refund(number)
    )
    assert str(first).startswith("SJ2021-")
    assert isinstance(second, NothingHeldError)
    totals = ledger.ledger(scene.competition.id).totals
    assert (totals.refunded, totals.held) == (make.FEE, 0)


@postgresql
def test_a_fee_is_registered_once_though_two_referees_do(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = make.said(scene.table, END)
    first, second = in_the_middle(
        app,
        monkeypatch,
        lambda: make.paid(number),
        (cases.people, "standing_of"),
        lambda: make.paid(number),
    )
    assert str(first).endswith("-0001")
    assert isinstance(second, FeeReceivedError)


@postgresql
def test_two_forms_about_the_same_matter_are_one_appeal(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    leader = scene.leader()

    def act() -> object:
        return make.handed_in(scene.table, leader, oral_at=END, evidence=[])

    first, second = in_the_middle(app, monkeypatch, act, (lodging, "_repeated"), act)
    assert isinstance(first, service.HandedIn)
    assert isinstance(second, AlreadyAppealedError)


@postgresql
def test_what_is_handed_in_in_the_last_instant_does_not_lapse(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch, travel: Travel
) -> None:
    number = make.said(scene.table, END)
    leader = scene.leader()
    travel(END + timedelta(minutes=10))

    def sweep() -> int:
        travel(END + timedelta(minutes=10, seconds=1))
        with command(SYSTEM) as ctx:
            return service.lapse(ctx)

    handed, lapsed = in_the_middle(
        app,
        monkeypatch,
        lambda: make.handed_in(scene.table, leader, evidence=[]),
        (rounds, "of_round"),
        sweep,
    )
    assert isinstance(handed, service.HandedIn)
    assert lapsed == 0
    assert make.row(number).state == "received"

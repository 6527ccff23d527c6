"""What happens at once, with real threads and locks: one of two decisions stands, and what was in time is in time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from app.actors import SYSTEM
from app.commands import command
from app.objections import service
from app.objections.queries import people
from app.objections.rules.refusals import CaseChangedError, CaseStateError
from app.objections.service import Files, lodging
from app.publications import queries as publications
from app.publications import service as publications_service
from tests.app.documents.test_leaving_races import in_the_middle
from tests.app.objections.conftest import Scene, Travel
from tests.factories import mail
from tests.factories import objections as make
from tests.factories.publications import LAST_SECOND, WINDOW_OVER

postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""SQLite lets one command begin after another, so nothing is in the middle."""


def decide(scene: Scene, number: str, *, upheld: bool, by_colleague: bool = False) -> Callable[[], str]:
    entries = scene.entries(1)[:1]
    who = scene.colleague if by_colleague else scene.member

    def act() -> str:
        with command(who) as ctx:
            service.decide(
                ctx,
                slug="beach",
                number=number,
                revision=2,
                decision=make.decision(upheld, entries, unheard="证据确凿。"),
            )
        return "decided"

    return act


def finish() -> int:
    with command(SYSTEM) as ctx:
        return publications_service.finish_due(ctx)


@postgresql
def test_of_two_decisions_at_once_the_first_stands(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = make.accepted(scene.leaders[0], scene.entries(1)[:1], scene.member)
    first, second = in_the_middle(
        app,
        monkeypatch,
        decide(scene, number, upheld=True),
        (people, "standing_of"),
        decide(scene, number, upheld=False, by_colleague=True),
    )
    assert first == "decided"
    assert isinstance(second, CaseChangedError)
    assert make.row(number).state == "upheld"
    assert [each.number for each in publications.in_force(scene.competition.event.id)] == [2]


@postgresql
@pytest.mark.parametrize("committee_first", [True, False], ids=["the committee first", "the reporter first"])
def test_a_withdrawal_and_a_decision_at_once_leave_one_of_them(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch, committee_first: bool
) -> None:
    number = make.accepted(scene.leaders[0], scene.entries(1)[:1], scene.member)
    token = make.token_of(number)

    def withdraw() -> str:
        with command(scene.leaders[0]) as ctx:
            service.withdraw(ctx, slug="beach", token=token)
        return "withdrawn"

    decision = decide(scene, number, upheld=True)
    if committee_first:
        outcomes = in_the_middle(app, monkeypatch, decision, (people, "standing_of"), withdraw)
        assert outcomes[0] == "decided"
        assert isinstance(outcomes[1], CaseStateError)
    else:
        outcomes = in_the_middle(app, monkeypatch, withdraw, (people, "is_lodger"), decision)
        assert outcomes[0] == "withdrawn"
        assert isinstance(outcomes[1], CaseChangedError)
    row = make.row(number)
    assert row.state == ("upheld" if committee_first else "withdrawn")
    assert (row.superseding_id is not None) is committee_first
    assert len(publications.in_force(scene.competition.event.id)) == 1


@postgresql
def test_an_objection_of_the_last_instant_is_in_time_though_the_list_was_made_final_first(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch, travel: Travel
) -> None:
    files = make.papers(scene.leaders[0])
    travel(LAST_SECOND)
    numbers = len(publications.numbers_of(scene.competition.event.id))

    def midnight() -> int:
        travel(WINDOW_OVER)
        return finish()

    # the objection knows its moment, and does not hold the event yet
    lodged, made_final = in_the_middle(
        app,
        monkeypatch,
        lambda: make.lodged(scene.leaders[0], scene.entries(1)[:1], files=files),
        (lodging.rules, "terms_of"),
        midnight,
    )
    assert made_final == 1
    row = make.row(str(lodged))
    assert (row.state, row.received_at) == ("received", LAST_SECOND)
    (view,) = publications.in_force(scene.competition.event.id)
    assert view.final_at is None
    assert finish() == 0, "the case holds it"
    given = publications.numbers_of(scene.competition.event.id)
    assert len(given) > numbers
    with command(scene.leaders[0]) as ctx:
        service.withdraw(ctx, slug="beach", token=make.token_of(row.number))
    assert finish() == 1
    assert publications.numbers_of(scene.competition.event.id) == given, "numbers are given once"


@postgresql
def test_what_is_completed_in_the_last_instant_is_not_refused_by_the_sweep(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch, travel: Travel
) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1], files=Files())
    files, token = make.papers(scene.leaders[0]), make.token_of(number)
    travel(LAST_SECOND)

    def complete() -> str:
        with command(scene.leaders[0]) as ctx:
            service.complete(
                ctx, slug="beach", token=token, text="", files=files, idempotency_key="key-complete"
            )
        return "completed"

    def sweep() -> int:
        travel(WINDOW_OVER)
        with command(SYSTEM) as ctx:
            return service.expire(ctx)

    outcomes = in_the_middle(app, monkeypatch, complete, (lodging.competitions, "competition_id"), sweep)
    assert outcomes == ["completed", 0]
    assert make.row(number).state == "received"


def test_a_letter_that_came_in_time_and_was_read_after_the_list_was_final_holds_it_again(
    scene: Scene, travel: Travel
) -> None:
    name = next(line.name for line in scene.publication.entries if line.entry_id == scene.entries(1)[0])
    travel(LAST_SECOND)
    incoming = mail.stored(mail.letter(text=f"“{scene.competition.name}”：{name}不是该单位员工。"))
    travel(WINDOW_OVER + timedelta(minutes=5))
    assert finish() == 0, "the list waits for the letter"
    with command(scene.member) as ctx:
        event_id = scene.competition.event.id
        publications_service.finish_by_hand(ctx, event_id, 1, reason="邮箱读不出，不再等待。")
    mail.process(incoming)
    (view,) = publications.in_force(scene.competition.event.id)
    assert view.final_at is None
    assert finish() == 0

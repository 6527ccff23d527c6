"""Two devices at once, on both databases: one wins, the other is told, nothing is doubled."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from flask import Flask

from app.commands import command
from app.errors import SaishiError
from app.extensions import db
from app.registrations import service
from app.registrations.rules import (
    DuplicatePersonError,
    UnitTakenError,
)
from tests.app.registrations.stored import rows
from tests.factories import accounts
from tests.factories import registrations as make

pytestmark = pytest.mark.usefixtures("session")


def at_once(app: Flask, *acts: Callable[[], object]) -> list[object]:
    """Runs the acts in threads of their own, starting together; what each returned or was refused with."""
    db.session.remove()
    start = threading.Barrier(len(acts))
    outcomes: list[object] = []

    def run(act: Callable[[], object]) -> None:
        with app.app_context():
            start.wait()
            try:
                outcomes.append(act())
            except SaishiError as error:
                outcomes.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == len(acts)
    return outcomes


def refusals(outcomes: list[object]) -> list[type]:
    return [type(each) for each in outcomes if isinstance(each, SaishiError)]


def test_of_two_leaders_entering_one_person_at_once_one_is_told(app: Flask) -> None:
    make.competition()
    first, second = make.leader(1), make.leader(2)
    outcomes = at_once(app, lambda: make.member(first, 1), lambda: make.member(second, 1))
    assert refusals(outcomes) == [DuplicatePersonError]
    assert rows()["Member"] == rows()["Entry"] == rows()["EntryMember"] == 1


def test_of_two_leaders_claiming_one_unit_at_once_one_is_told(app: Flask) -> None:
    make.competition()
    first, second = make.leader(1, with_unit=False), make.leader(2, with_unit=False)
    outcomes = at_once(app, lambda: make.unit(first, 7), lambda: make.unit(second, 7))
    assert refusals(outcomes) == [UnitTakenError]
    assert rows()["Unit"] == rows()["Registration"] == 1


def test_a_leader_saving_the_unit_on_two_devices_has_one(app: Flask) -> None:
    make.competition()
    person = make.leader(1, with_unit=False)
    outcomes = at_once(app, lambda: make.unit(person), lambda: make.unit(person))
    assert refusals(outcomes) == []
    assert rows()["Unit"] == rows()["Registration"] == 1


def test_two_taps_on_submit_hand_in_once(app: Flask) -> None:
    make.competition()
    person = make.leader(1)
    make.member(person, 1)
    outcomes = at_once(app, *[lambda: make.submission(person)] * 3)
    assert refusals(outcomes) == []
    assert rows()["Submission"] == 1


def test_two_taps_on_agree_are_one_agreement(app: Flask) -> None:
    make.competition()
    person = accounts.user(1)

    def agree() -> None:
        with command(person) as ctx:
            service.agree_to_privacy_notice(ctx, slug="beach")

    assert refusals(at_once(app, agree, agree)) == []
    assert rows()["Consent"] == 1

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from app import clock
from app.accounts import queries, service
from app.accounts.models import RoleGrant, SignInCode, User
from app.accounts.rules import (
    BadPhoneError,
    CodeRefusedError,
    NotHeldError,
    TooManyCodesError,
    masked_phone,
    normal_phone,
)
from app.actors import ANONYMOUS, SYSTEM, Role
from app.audit.models import AuditEntry
from app.commands import command
from app.errors import ForbiddenError
from app.jobs import Job
from tests.factories import accounts, competitions, people

Travel = Callable[[datetime], None]
PHONE = people.phone(1)


def ask(phone: str = PHONE) -> str:
    with command(ANONYMOUS) as ctx:
        return service.request_code(ctx, phone=phone)


def attempt(code: str, phone: str = PHONE) -> int | CodeRefusedError:
    with command(ANONYMOUS) as ctx:
        return service.try_code(ctx, phone=phone, code=code)


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


@pytest.mark.parametrize(
    "written",
    ["13800138000", "138 0013 8000", "+86 138-0013-8000", "008613800138000", "１３８００１３８０００"],
)
def test_a_mobile_number_is_understood_however_it_is_typed(written: str) -> None:
    assert normal_phone(written) == "+8613800138000"


@pytest.mark.parametrize(
    "written", ["", "1380013800", "138001380000", "01065551234", "+1 212 555 0100", "abc", "12800138000"]
)
def test_what_is_no_mobile_number_is_refused(written: str) -> None:
    with pytest.raises(BadPhoneError):
        normal_phone(written)


def test_the_right_code_signs_in_and_the_same_number_stays_the_same_person(
    session: Any, travel: Travel
) -> None:
    first = attempt(ask())
    travel(clock.now() + timedelta(minutes=2))
    second = attempt(ask("+86 " + PHONE))
    assert isinstance(first, int)
    assert first == second


def test_a_code_has_six_digits_and_is_kept_only_as_a_hash(session: Any) -> None:
    code = ask()
    assert len(code) == 6
    assert code.isdigit()
    stored = session.query(SignInCode).one()
    assert code not in stored.code_hash


def test_a_code_works_once(session: Any) -> None:
    code = ask()
    assert isinstance(attempt(code), int)
    assert isinstance(attempt(code), CodeRefusedError)


def test_a_code_works_until_its_last_second_and_not_after_five_minutes(session: Any, travel: Travel) -> None:
    start = clock.now()
    code = ask()
    travel(start + timedelta(minutes=5))
    assert isinstance(attempt(code), CodeRefusedError)
    travel(start + timedelta(minutes=4, seconds=59))
    assert isinstance(attempt(code), int)


def test_after_five_wrong_tries_even_the_right_code_is_refused(session: Any) -> None:
    code = ask()
    for left in (4, 3, 2, 1, 0):
        refused = attempt(wrong(code))
        assert isinstance(refused, CodeRefusedError)
        assert refused.fields["code"].params == ({"left": left} if left else {"tries": 5})
    assert isinstance(attempt(code), CodeRefusedError)


def test_only_the_newest_code_counts(session: Any, travel: Travel) -> None:
    old = ask()
    travel(clock.now() + timedelta(seconds=31))
    new = ask()
    if old != new:
        assert isinstance(attempt(old), CodeRefusedError)
    assert isinstance(attempt(new), int)


def test_asking_again_at_once_or_too_often_is_refused(session: Any, travel: Travel) -> None:
    start = clock.now()
    ask()
    travel(start + timedelta(seconds=29))
    with pytest.raises(TooManyCodesError):
        ask()
    for number in range(1, 10):
        travel(start + timedelta(minutes=number))
        ask()
    travel(start + timedelta(minutes=11))
    with pytest.raises(TooManyCodesError):
        ask()
    travel(start + timedelta(minutes=61))
    ask()


def test_the_code_leaves_through_the_outbox_after_the_commit(
    session: Any, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    ask()
    assert [job for job, _ in sent_jobs] == [Job.SEND_MESSAGE]


def test_phone_numbers_are_encrypted_in_the_database(session: Any) -> None:
    attempt(ask())
    rows = session.execute(text("SELECT phone, phone_hash FROM users")).all()
    assert len(rows) == 1
    assert all(PHONE not in str(value) for value in rows[0])
    assert session.query(User).one().phone == "+86" + PHONE


def test_a_phone_is_shown_masked() -> None:
    assert masked_phone("+8613800138000") == "138****8000"


def test_granting_a_role_twice_is_the_same_as_once(session: Any) -> None:
    made = competitions.competition()
    for _ in range(2):
        with command(SYSTEM) as ctx:
            service.grant_role(ctx, phone=PHONE, role=Role.REFEREE, competition_id=made.id)
    assert [grant.role for grant in queries.staff_of(made.id)].count(Role.REFEREE) == 1


def test_the_database_keeps_a_role_held_everywhere_once(session: Any) -> None:
    person = accounts.user(3, Role.ORGANISER).require_signed_in()
    with pytest.raises(IntegrityError), session.begin_nested():
        session.add(RoleGrant(user_id=person, competition_id=None, role=Role.ORGANISER.value))


def test_a_role_nobody_holds_is_not_withdrawn_and_leaves_no_trace(session: Any) -> None:
    made = competitions.competition()
    before = session.query(AuditEntry).count()
    with pytest.raises(NotHeldError), command(SYSTEM) as ctx:
        service.withdraw_role(ctx, user_id=10**6, role=Role.REFEREE, competition_id=made.id)
    assert session.query(AuditEntry).count() == before


def test_a_chief_referee_names_referees_but_no_committee(session: Any) -> None:
    made = competitions.competition()
    chief = accounts.user(3, Role.CHIEF_REFEREE, competition_id=made.id)
    with command(chief) as ctx:
        service.grant_role(ctx, phone=PHONE, role=Role.REFEREE, competition_id=made.id)
    with pytest.raises(ForbiddenError), command(chief) as ctx:
        service.grant_role(ctx, phone=PHONE, role=Role.COMMITTEE, competition_id=made.id)


def test_codes_are_forgotten_after_a_day(session: Any, travel: Travel) -> None:
    ask()
    travel(clock.now() + timedelta(hours=25))
    with command(SYSTEM) as ctx:
        assert service.purge_codes(ctx) == 1
    assert session.query(SignInCode).count() == 0


def test_a_clock_that_was_set_back_does_not_lock_anyone_out(session: Any, travel: Travel) -> None:
    start = clock.now()
    travel(start + timedelta(days=10))
    ask()
    travel(start)
    assert isinstance(attempt(ask()), int)


def test_two_taps_at_once_send_one_code(app: Flask) -> None:
    outcomes: list[str] = []

    def tap() -> None:
        with app.app_context():
            try:
                ask()
                outcomes.append("sent")
            except TooManyCodesError:
                outcomes.append("refused")

    threads = [threading.Thread(target=tap) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 5 + ["sent"]

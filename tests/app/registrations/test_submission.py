"""Handing in, and the registration window to its last second, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from app.clock import BEIJING
from app.commands import command
from app.competitions import queries as competitions
from app.registrations import service
from app.registrations.rules import (
    NothingToSubmitError,
    RegistrationClosedError,
    RegistrationState,
)
from tests.app.registrations.stored import entry_states, mine, refused, rows
from tests.factories import accounts
from tests.factories import registrations as make

LAST_SECOND = datetime(2021, 10, 31, 18, 0, 0, 999_999, tzinfo=BEIJING)
TOO_LATE = datetime(2021, 10, 31, 18, 0, 1, tzinfo=BEIJING)

pytestmark = pytest.mark.usefixtures("session")


@pytest.fixture
def competition(session: object) -> competitions.CompetitionView:
    return make.competition()


@pytest.mark.usefixtures("competition")
class TestSubmission:
    def test_a_submission_gives_a_receipt_number_and_hands_in_the_drafts(self) -> None:
        person = make.submitted(1, members=3)
        registration = mine(person)
        assert registration.state is RegistrationState.SUBMITTED
        assert registration.number is not None
        assert registration.number.startswith("BG-")
        assert entry_states(person) == ["submitted"] * 3

    def test_sent_twice_is_stored_once(self) -> None:
        person = make.submitted(1, members=2)
        before = rows()
        make.submission(person)
        assert rows() == before

    def test_a_late_retry_of_an_accepted_submission_is_still_answered(
        self, travel: Callable[[datetime], None]
    ) -> None:
        person = make.submitted(1)
        before = rows()
        travel(TOO_LATE)
        make.submission(person)
        assert rows() == before

    def test_a_later_submission_adds_the_new_members_and_keeps_the_number(self) -> None:
        person = make.submitted(1)
        number = mine(person).number
        make.member(person, 7)
        assert entry_states(person) == ["submitted", "draft"]
        make.submission(person, key="key-00000002")
        assert entry_states(person) == ["submitted", "submitted"]
        assert mine(person).number == number

    def test_an_old_key_sent_again_does_not_hand_in_newer_drafts(self) -> None:
        person = make.submitted(1)
        make.member(person, 7)
        make.submission(person)
        assert entry_states(person) == ["submitted", "draft"]

    def test_nothing_to_submit_is_said(self) -> None:
        person = make.leader()
        with refused(NothingToSubmitError) as error:
            make.submission(person)
        assert "还没有队员" in str(error.value.text)
        make.member(person, 1)
        make.submission(person)
        with refused(NothingToSubmitError) as error:
            make.submission(person, key="key-00000002")
        assert "没有需要提交的新队员" in str(error.value.text)

    def test_units_get_different_numbers(self) -> None:
        assert mine(make.submitted(1)).number != mine(make.submitted(2)).number


@pytest.mark.usefixtures("competition")
class TestWindow:
    def test_everything_is_accepted_in_the_last_second(self, travel: Callable[[datetime], None]) -> None:
        travel(LAST_SECOND)
        person = make.submitted(1, members=2)
        [first, _] = mine(person).members
        make.unit(person, name="改名厂")
        with command(person) as ctx:
            service.change_member(
                ctx,
                slug="beach",
                member_id=first.id,
                **make.member_form(1, name="赵改", id_number="", phone=""),
            )
        with command(person) as ctx:
            service.remove_member(ctx, slug="beach", member_id=first.id)
        assert entry_states(person) == ["withdrawn", "submitted"]

    def test_nothing_is_accepted_a_second_later(self, travel: Callable[[datetime], None]) -> None:
        person = make.submitted(1)
        [member] = mine(person).members
        make.member(person, 7)
        stranger = accounts.user(5)
        travel(TOO_LATE)
        form = make.member_form(8)
        acts: list[Callable[[], object]] = [
            lambda: make.unit(person, name="改名厂"),
            lambda: make.member(person, 8),
            lambda: make.submission(person, key="key-00000002"),
        ]
        for act in acts:
            with refused(RegistrationClosedError) as error:
                act()
            assert error.value.clause == "三(三)1"
            assert "书面申请" in str(error.value.next_step)
        with refused(RegistrationClosedError), command(person) as ctx:
            service.change_member(ctx, slug="beach", member_id=member.id, **form)
        with refused(RegistrationClosedError), command(person) as ctx:
            service.remove_member(ctx, slug="beach", member_id=member.id)
        with refused(RegistrationClosedError), command(stranger) as ctx:
            service.agree_to_privacy_notice(ctx, slug="beach")

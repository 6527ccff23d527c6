"""The commands of a leader on units and members, on both databases: who may, and nothing half-saved."""

from __future__ import annotations

from datetime import date

import pytest
from sqlalchemy import select

from app.actors import ANONYMOUS
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.errors import NotFoundError, SignInRequiredError
from app.extensions import db
from app.registrations import service
from app.registrations.rules import (
    ConsentMissingError,
    DuplicatePersonError,
    EntryState,
    MemberRefusedError,
    MemberWithdrawnError,
    UnitMissingError,
    UnitRefusedError,
    UnitTakenError,
)
from tests.app.registrations.stored import actions, mine, refused, rows
from tests.factories import accounts, people
from tests.factories import registrations as make

pytestmark = pytest.mark.usefixtures("session")


@pytest.fixture
def competition(session: object) -> competitions.CompetitionView:
    return make.competition()


@pytest.mark.usefixtures("competition")
class TestConsent:
    def test_no_unit_is_taken_before_the_privacy_notice_was_agreed_to(self) -> None:
        person = accounts.user(1)
        with refused(ConsentMissingError):
            make.unit(person)

    def test_not_agreeing_is_no_agreement(self) -> None:
        person = accounts.user(1)
        with refused(ConsentMissingError), command(person) as ctx:
            service.agree_to_privacy_notice(ctx, slug="beach", agreed=False)

    def test_agreeing_twice_is_stored_once(self) -> None:
        person = make.leader(with_unit=False)
        before = rows()
        with command(person) as ctx:
            service.agree_to_privacy_notice(ctx, slug="beach")
        assert rows() == before
        assert mine(person).consented

    def test_nobody_agrees_without_signing_in(self) -> None:
        with refused(SignInRequiredError), command(ANONYMOUS) as ctx:
            service.agree_to_privacy_notice(ctx, slug="beach")


@pytest.mark.usefixtures("competition")
class TestUnit:
    def test_a_unit_is_saved_once_per_leader_and_changed_in_place(self) -> None:
        person = make.leader()
        first = mine(person).unit
        make.unit(person, name="第一机械总厂")
        changed = mine(person).unit
        assert first is not None
        assert changed is not None
        assert (changed.id, changed.name) == (first.id, "第一机械总厂")
        assert rows()["Unit"] == rows()["Registration"] == 1

    def test_without_a_contact_phone_the_leaders_own_is_taken(self) -> None:
        person = make.leader(with_unit=False)
        make.unit(person, contact_phone="")
        unit = mine(person).unit
        assert unit is not None
        assert unit.contact_phone == "+86" + people.phone(1)

    def test_a_second_leader_of_the_same_unit_is_told_so_without_a_name_or_phone(self) -> None:
        make.leader(1)
        second = make.leader(2, with_unit=False)
        with refused(UnitTakenError) as error:
            make.unit(second, 1, name="另一个名字", contact_phone=people.phone(2))
        said = f"{error.value.text}{error.value.next_step}{error.value.fields}"
        assert "另一位领队" in said
        assert people.phone(1) not in said
        assert people.person_name(1) not in said
        assert "组委会" in str(error.value.next_step)

    def test_a_leader_cannot_move_to_a_code_that_another_leads(self) -> None:
        make.leader(1)
        second = make.leader(2)
        with refused(UnitTakenError):
            make.unit(second, 2, credit_code=people.credit_code(1))
        unit = mine(second).unit
        assert unit is not None
        assert unit.credit_code == people.credit_code(2)

    def test_two_units_may_have_the_same_name(self) -> None:
        make.leader(1)
        second = make.leader(2, with_unit=False)
        make.unit(second, 2, name="第1机械厂")
        assert rows()["Unit"] == 2

    def test_the_same_unit_may_register_for_another_competition(self) -> None:
        make.leader(1)
        make.competition("second")
        make.leader(1, "second")
        assert rows()["Unit"] == 2

    def test_wrong_fields_are_refused_and_nothing_is_stored(self) -> None:
        person = make.leader(with_unit=False)
        with refused(UnitRefusedError) as error:
            make.unit(person, name="", credit_code="1")
        assert list(error.value.fields) == ["name", "credit_code"]


@pytest.mark.usefixtures("competition")
class TestMembers:
    def test_a_member_begins_as_a_draft_with_numbers_masked_for_the_leader(self) -> None:
        person = make.leader()
        make.member(person, 1)
        [member] = mine(person).members
        number = people.id_number(1)
        assert member.state is EntryState.DRAFT
        assert member.id_number_masked == f"{number[:4]}**********{number[-4:]}"
        assert number not in repr(mine(person))

    def test_what_identifies_a_person_is_not_readable_in_the_table(self) -> None:
        person = make.leader()
        make.member(person, 1)
        stored = str(db.session.execute(db.text("SELECT * FROM members")).one()._asdict())
        assert people.id_number(1) not in stored
        assert people.phone(1001) not in stored

    def test_members_need_a_unit(self) -> None:
        person = make.leader(with_unit=False)
        with refused(UnitMissingError):
            make.member(person)

    def test_wrong_fields_are_refused_and_nothing_is_stored(self) -> None:
        person = make.leader()
        with refused(MemberRefusedError) as error:
            make.member(person, id_number=people.id_number(1)[:-1], employment="seconded")
        assert list(error.value.fields) == ["id_number", "employment"]

    def test_a_person_is_on_a_list_once(self) -> None:
        person = make.leader()
        make.member(person, 1)
        with refused(DuplicatePersonError) as error:
            make.member(person, 1, name="换个名字", phone=people.phone(7))
        assert "您的名单" in str(error.value.text)
        assert error.value.clause == "二"

    def test_a_person_enters_an_event_for_one_unit_and_the_other_is_not_named(self) -> None:
        first, second = make.leader(1), make.leader(2)
        make.member(first, 1)
        with refused(DuplicatePersonError) as error:
            make.member(second, 1)
        assert "其他单位" in str(error.value.text)
        assert "第1机械厂" not in f"{error.value.text}{error.value.next_step}{error.value.fields}"

    def test_a_small_x_or_spaces_do_not_make_another_person(self) -> None:
        person = make.leader()
        number = next(each for each in map(people.id_number, range(1, 99)) if each.endswith("X"))
        make.member(person, 1, id_number=number)
        with refused(DuplicatePersonError):
            make.member(person, 2, id_number=f"{number[:10]} {number[10:].lower()}")

    def test_a_change_to_another_members_number_is_refused(self) -> None:
        person = make.leader()
        make.member(person, 1)
        second = make.member(person, 2)
        with refused(DuplicatePersonError), command(person) as ctx:
            service.change_member(ctx, slug="beach", member_id=second, **make.member_form(1))

    def test_a_change_keeps_numbers_that_are_left_empty(self) -> None:
        person = make.leader()
        member = make.member(person, 1)
        with command(person) as ctx:
            service.change_member(
                ctx,
                slug="beach",
                member_id=member,
                **make.member_form(1, name="赵改名", id_number="", phone=""),
            )
        [changed] = mine(person).members
        assert changed.name == "赵改名"
        assert changed.id_number_masked.endswith(people.id_number(1)[-4:])

    def test_a_change_that_changes_nothing_leaves_no_trace(self) -> None:
        person = make.leader()
        member = make.member(person, 1)
        before = rows()
        with command(person) as ctx:
            service.change_member(ctx, slug="beach", member_id=member, **make.member_form(1))
        assert rows() == before

    def test_a_change_frees_the_old_number(self) -> None:
        first, second = make.leader(1), make.leader(2)
        member = make.member(first, 1)
        with command(first) as ctx:
            service.change_member(ctx, slug="beach", member_id=member, **make.member_form(3))
        make.member(second, 1)

    def test_another_leaders_member_does_not_exist(self) -> None:
        member = make.member(make.leader(1), 1)
        stranger = make.leader(2)
        with refused(NotFoundError), command(stranger) as ctx:
            service.change_member(ctx, slug="beach", member_id=member, **make.member_form(9))
        with refused(NotFoundError), command(stranger) as ctx:
            service.remove_member(ctx, slug="beach", member_id=member)

    def test_a_removed_draft_is_gone_and_the_person_is_free(self) -> None:
        first, second = make.leader(1), make.leader(2)
        member = make.member(first, 1)
        with command(first) as ctx:
            service.remove_member(ctx, slug="beach", member_id=member)
        assert mine(first).members == ()
        make.member(second, 1)

    def test_a_removed_submitted_member_stays_as_withdrawn_without_numbers_and_is_free(self) -> None:
        first, second = make.submitted(1), make.leader(2)
        [member] = mine(first).members
        with command(first) as ctx:
            service.remove_member(ctx, slug="beach", member_id=member.id)
        [left] = mine(first).members
        assert (left.state, left.id_number_masked, left.phone_masked) == (EntryState.WITHDRAWN, "", "")
        make.member(second, 100)
        with refused(MemberWithdrawnError), command(first) as ctx:
            service.change_member(ctx, slug="beach", member_id=member.id, **make.member_form(5))
        make.member(first, 101)


def test_every_act_is_recorded_without_personal_data() -> None:
    make.competition()
    person = make.submitted(1)
    [member] = mine(person).members
    with command(person) as ctx:
        service.change_member(
            ctx, slug="beach", member_id=member.id, **make.member_form(3, born=date(1970, 1, 1))
        )
    with command(person) as ctx:
        service.remove_member(ctx, slug="beach", member_id=member.id)
    assert set(actions()) >= {
        AuditAction.PRIVACY_NOTICE_AGREED,
        AuditAction.UNIT_SAVED,
        AuditAction.MEMBER_ADDED,
        AuditAction.REGISTRATION_SUBMITTED,
        AuditAction.MEMBER_CHANGED,
        AuditAction.MEMBER_REMOVED,
    }
    written = "".join(str(details) for details in db.session.scalars(select(AuditEntry.details)))
    for secret in (people.id_number(100), people.phone(1100), people.person_name(100), people.phone(1)):
        assert secret not in written

"""The committee's decisions, its looks at personal data, what other features read, and the erasure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

import pytest
from sqlalchemy import func, select, text

from app.accounts.models import User
from app.actors import ANONYMOUS, SYSTEM, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.clock import BEIJING
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.database import encrypt, person_hash
from app.errors import ForbiddenError, SignInRequiredError
from app.extensions import db
from app.registrations import queries, service
from app.registrations.models import Member
from app.registrations.rules import (
    Decision,
    DecisionKind,
    DecisionRefusedError,
    EntryChangedError,
    EntryId,
    EntryState,
    UnknownEntryError,
)
from tests.factories import accounts, people
from tests.factories import competitions as competition_factory
from tests.factories import registrations as make

pytestmark = pytest.mark.usefixtures("session", "competition")


@pytest.fixture
def competition(session: object) -> competitions.CompetitionView:
    return make.competition()


def event() -> EventView:
    return competitions.competition("beach").event


def review() -> tuple[queries.ReviewView, ...]:
    return queries.review_list(event())


def entries_recorded(action: AuditAction) -> int:
    return db.session.scalar(select(func.count()).where(AuditEntry.action == action.value)) or 0


def test_approval_and_rejection_with_its_reason() -> None:
    make.submitted(1, members=2)
    first, second = review()
    make.decision(make.committee(), first.entry_id)
    make.decision(make.committee(), second.entry_id, "reject", "  劳动合同单位不符 ")
    first, second = review()
    assert (first.state, first.reason) == (EntryState.APPROVED, None)
    assert (second.state, second.reason) == (EntryState.REJECTED, "劳动合同单位不符")
    assert first.decided_at is not None
    assert entries_recorded(AuditAction.ENTRY_APPROVED) == entries_recorded(AuditAction.ENTRY_REJECTED) == 1


def test_a_decision_may_be_taken_back_and_repeating_it_changes_nothing() -> None:
    make.approved(1)
    [entry] = review()
    make.decision(make.committee(), entry.entry_id)
    assert entries_recorded(AuditAction.ENTRY_APPROVED) == 1
    make.decision(make.committee(), entry.entry_id, "reject", "补查不符")
    assert review()[0].state is EntryState.REJECTED


def test_a_rejection_needs_a_reason_and_a_batch_is_all_or_nothing() -> None:
    make.submitted(1, members=2)
    first, second = review()
    with pytest.raises(DecisionRefusedError) as refused, command(make.committee()) as ctx:
        service.decide(
            ctx,
            slug="beach",
            decisions=[
                Decision(first.entry_id, DecisionKind.APPROVE),
                Decision(second.entry_id, DecisionKind.REJECT, "  "),
                Decision(EntryId(99999), DecisionKind.APPROVE),
                Decision(first.entry_id, DecisionKind.REJECT, "两次"),
            ],
        )
    assert list(refused.value.fields) == [
        "decisions.1.reason",
        "decisions.2.entry_id",
        "decisions.3.entry_id",
    ]
    assert [entry.state for entry in review()] == [EntryState.SUBMITTED] * 2
    assert entries_recorded(AuditAction.ENTRY_APPROVED) == 0


def test_a_draft_cannot_be_decided_and_is_not_on_the_list() -> None:
    make.member(make.leader(1), 1)
    entry_id = db.session.execute(text("SELECT id FROM entries")).scalar_one()
    assert review() == ()
    with pytest.raises(DecisionRefusedError):
        make.decision(make.committee(), entry_id)


def test_an_ineligible_person_is_never_approved_and_the_clause_is_named() -> None:
    make.submitted(1)
    young = people.id_number(1, date(2004, 1, 1))
    db.session.execute(text("UPDATE members SET id_number = :number"), {"number": encrypt(young)})
    db.session.commit()
    [entry] = review()
    assert not entry.eligible
    assert entry.broken is not None
    assert entry.broken.clause == "三(一)1"
    with pytest.raises(DecisionRefusedError) as refused:
        make.decision(make.committee(), entry.entry_id)
    assert refused.value.clause == "三(一)1"
    assert review()[0].state is EntryState.SUBMITTED


def test_a_change_before_the_deadline_returns_a_decided_entry_to_review() -> None:
    leader = make.approved(1, members=2)
    member = db.session.scalars(select(Member.id).order_by(Member.id)).first()
    assert member is not None
    with command(leader) as ctx:
        service.change_member(
            ctx, slug="beach", member_id=member, **make.member_form(1, name="赵改名", id_number="", phone="")
        )
    first, second = review()
    assert (first.state, first.decided_at) == (EntryState.SUBMITTED, None)
    assert second.state is EntryState.APPROVED


def test_another_name_of_the_unit_returns_all_its_entries_to_review_and_another_contact_does_not() -> None:
    leader = make.approved(1, members=2)
    make.unit(leader, contact_name="赵联系")
    assert {entry.state for entry in review()} == {EntryState.APPROVED}
    make.unit(leader, name="改名总厂")
    assert {entry.state for entry in review()} == {EntryState.SUBMITTED}


def test_a_decision_on_what_was_changed_since_is_a_conflict_and_stores_nothing() -> None:
    leader = make.submitted(1)
    [seen] = review()
    member = db.session.scalars(select(Member.id)).one()
    with command(leader) as ctx:
        service.change_member(ctx, slug="beach", member_id=member, **make.member_form(9))
    with pytest.raises(EntryChangedError) as refused, command(make.committee()) as ctx:
        service.decide(
            ctx,
            slug="beach",
            decisions=[Decision(seen.entry_id, DecisionKind.APPROVE, revision=seen.revision)],
        )
    assert refused.value.extra == {"entries": [{"entry_id": seen.entry_id, "seen": 1, "now": 2}]}
    assert review()[0].state is EntryState.SUBMITTED


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (Role.COMMITTEE, True),
        (Role.ORGANISER, False),
        (Role.CHIEF_REFEREE, False),
        (Role.REFEREE, False),
        (None, False),
    ],
)
def test_only_the_committee_of_this_competition_decides_and_looks(role: Role | None, allowed: bool) -> None:
    make.submitted(1)
    make.competition("other")
    here, there = competitions.competition_id("beach"), competitions.competition_id("other")
    [entry] = review()
    person = accounts.user(50, *([role] if role else []), competition_id=here)
    stranger = accounts.user(51, Role.COMMITTEE, competition_id=there)
    for actor, may in ((person, allowed), (stranger, False)):
        if may:
            make.decision(actor, entry.entry_id)
            with command(actor) as ctx:
                service.read_personal_data(ctx, slug="beach", entry_id=entry.entry_id)
            continue
        with pytest.raises(ForbiddenError):
            make.decision(actor, entry.entry_id)
        with pytest.raises(ForbiddenError), command(actor) as ctx:
            service.read_personal_data(ctx, slug="beach", entry_id=entry.entry_id)
    with pytest.raises(SignInRequiredError):
        make.decision(ANONYMOUS, entry.entry_id)


def test_a_committee_cannot_reach_another_competitions_entry_through_its_own() -> None:
    make.submitted(1)
    [entry] = review()
    make.competition("other")
    committee = make.committee("other")
    with pytest.raises(DecisionRefusedError):
        make.decision(committee, entry.entry_id, slug="other")
    with pytest.raises(UnknownEntryError), command(committee) as ctx:
        service.read_personal_data(ctx, slug="other", entry_id=entry.entry_id)


def test_looking_at_personal_data_shows_it_and_is_recorded_each_time() -> None:
    make.submitted(1)
    [entry] = review()
    assert people.id_number(100) not in repr(entry)
    for _ in range(2):
        with command(make.committee()) as ctx:
            private = service.read_personal_data(ctx, slug="beach", entry_id=entry.entry_id)
    (player,) = private.players
    assert (player.id_number, player.phone) == (people.id_number(100), "+86" + people.phone(1100))
    assert player.birth_date == date(1985, 6, 15)
    assert people.id_number(100) not in repr(private)
    looks = db.session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.PERSONAL_DATA_READ)
    ).all()
    assert [(look.subject_type, look.subject_id) for look in looks] == [("Entry", str(entry.entry_id))] * 2


def test_every_rule_is_judged_with_its_clause_and_age_is_that_of_the_first_day_of_play() -> None:
    leader = make.leader(1)
    make.member(leader, 1, id_number=people.id_number(1, date(1990, 12, 4)))
    make.submission(leader)
    [entry] = review()
    assert [judged.clause for judged in entry.judgements] == [
        *("三(一)1", "三(一)2", "三(一)3", "三(一)4", "三(一)5", "三(二)1")
    ]
    assert entry.eligible
    assert entry.only.age == 30


def test_approved_entries_come_by_registration_then_entry() -> None:
    first, second = make.leader(1), make.leader(2)
    for person, serial in ((second, 20), (first, 10), (second, 21), (first, 11)):
        make.member(person, serial)
    make.submission(second)
    make.submission(first)
    with command(make.committee()) as ctx:
        service.decide(
            ctx, slug="beach", decisions=[Decision(each.entry_id, DecisionKind.APPROVE) for each in review()]
        )
    approved = queries.approved_entries(event().id)
    assert [entry.name for entry in approved] == [people.person_name(serial) for serial in (10, 11, 20, 21)]
    make.decision(make.committee(), approved[0].entry_id, "reject", "不符")
    assert queries.approved_entries(event().id) == approved[1:]
    assert list(queries.entrants(event().id)) == [entry.entry_id for entry in approved]


def test_counts_name_every_state() -> None:
    make.approved(1, members=2)
    make.submitted(2)
    make.member(make.leader(3), 3)
    assert {state.value: number for state, number in queries.counts(event().id).items()} == {
        "draft": 1,
        "submitted": 1,
        "approved": 2,
        "rejected": 0,
        "withdrawn": 0,
    }


def beijing(month: int, day: int, year: int = 2022) -> datetime:
    return datetime(year, month, day, 0, 0, tzinfo=BEIJING)


def purge() -> int:
    """Every competition that is due, as the nightly job does it. How many members."""
    erased = 0
    for competition_id in queries.with_personal_data():
        with command(SYSTEM) as ctx:
            if queries.is_purge_due(competition_id, ctx.now, 90):
                erased += service.erase_personal_data(ctx, competition_id, purge_days=90).members
    return erased


def test_personal_data_is_erased_with_proof_ninety_whole_days_after_play(
    travel: Callable[[datetime], None],
) -> None:
    make.approved(1, members=2)
    assert purge() == 0
    travel(datetime(2022, 3, 5, 23, 59, 59, tzinfo=BEIJING))
    assert purge() == 0
    travel(beijing(3, 6))
    assert purge() == 2
    stored = db.session.scalars(select(Member)).all()
    assert {(member.id_number, member.phone) for member in stored} == {(None, None)}
    assert person_hash(people.id_number(100)) not in {member.person_hash for member in stored}
    contacts = db.session.execute(text("SELECT contact_name, contact_phone FROM units")).all()
    assert [tuple(row) for row in contacts] == [(None, None)]
    proof = db.session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.PERSONAL_DATA_PURGED)
    ).one()
    assert proof.details == {"members": 2, "contacts": 1, "days": 90}
    assert len(queries.approved_entries(event().id)) == 2
    [entry, _] = review()
    assert (entry.only.age, entry.eligible, entry.judgements) == (None, False, ())


def test_erasing_twice_finds_nothing_and_records_nothing(travel: Callable[[datetime], None]) -> None:
    make.submitted(1)
    travel(beijing(3, 6))
    assert purge() == 1
    before = db.session.scalar(select(func.count()).select_from(AuditEntry))
    assert purge() == 0
    assert db.session.scalar(select(func.count()).select_from(AuditEntry)) == before


def phones() -> list[str]:
    return [user.phone for user in db.session.scalars(select(User).order_by(User.id))]


def test_a_leaders_own_number_is_forgotten_with_the_last_competition_it_served(
    travel: Callable[[datetime], None],
) -> None:
    make.approved(1, members=1)
    leader, staff = people.phone(1), people.phone(make.ORGANISER)
    assert {f"+86{leader}", f"+86{staff}"} <= set(phones())
    travel(beijing(3, 6))
    purge()
    assert f"+86{leader}" not in phones()
    assert f"+86{staff}" in phones()
    purge()


def test_a_leader_of_another_running_competition_is_kept(travel: Callable[[datetime], None]) -> None:
    make.approved(1, members=1)
    later = {"check_in": "2022-06-01", "play_from": "2022-06-02", "play_to": "2022-06-03"}
    competition_factory.competition(slug="later", calendar=later | {"leave_by": "2022-06-04T12:00:00+08:00"})
    make.leader(1, "later")
    travel(beijing(3, 6))
    assert purge() == 1
    assert f"+86{people.phone(1)}" in phones()
    travel(beijing(9, 3))
    purge()
    assert f"+86{people.phone(1)}" not in phones()

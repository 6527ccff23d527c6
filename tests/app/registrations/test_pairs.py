"""Entries of two players: both in one form, one person in one entry, the newest form where the text says so."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.actors import SYSTEM, Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.errors import SaishiError
from app.extensions import db
from app.notifications.models import Message
from app.registrations import queries, service
from app.registrations.models import EntryMember, Member
from app.registrations.rules import (
    Decision,
    DecisionKind,
    DuplicatePersonError,
    EntryId,
    EntryShapeError,
    MemberRefusedError,
    NothingToSubmitError,
    NoUnitAskedError,
    PairWithdrawnError,
    QuotaFullError,
    RegistrationClosedError,
    UnitMissingError,
    UnknownPairError,
)
from app.regulations import library
from app.regulations.rules import Regulation
from app.standings import queries as standings
from app.text import BEIJING
from tests.app.registrations.test_races import at_once, refusals
from tests.factories import competitions as competitions_factory
from tests.factories import pairs, people, registrations
from tests.factories.pairs import EIGHTY, SLUG, TRACTOR
from tests.factories.publications import Travel

BOTH = pytest.mark.parametrize("regulation", [TRACTOR, EIGHTY])
pytestmark = pytest.mark.usefixtures("session")


def mine(person: Actor) -> queries.MyRegistration:
    return queries.my(person.require_signed_in(), competitions.competition(SLUG))


def review() -> tuple[queries.ReviewView, ...]:
    return queries.review_list(competitions.competition(SLUG).event)


def states(person: Actor) -> list[tuple[str, bool]]:
    return [(each.state.value, each.replaced) for each in mine(person).entries]


def told() -> dict[str, str]:
    """Text messages by the number they went to."""
    return {row.recipient: row.body for row in db.session.scalars(select(Message).order_by(Message.id))}


def change(person: Actor, entry_id: EntryId, members: list[dict[str, Any]]) -> None:
    with command(person) as ctx:
        service.change_pair(ctx, slug=SLUG, entry_id=entry_id, members=pairs.typed(members))


def together(first: int, second: int) -> list[dict[str, Any]]:
    """The form of two people by number, whoever was paired with whom before."""
    return [pairs.player(first), pairs.player(second)]


def add(person: Actor, members: list[dict[str, Any]]) -> EntryId:
    with command(person) as ctx:
        return service.add_pair(ctx, slug=SLUG, members=pairs.typed(members))


@BOTH
def test_an_approved_pair_is_one_entrant_with_both_names(travel: Travel, regulation: str) -> None:
    made = pairs.field(travel, regulation, pairs=3)
    found = queries.approved_entries(made.event.id)
    assert [each.name for each in found] == [
        f"{people.person_name(2 * serial - 1)} / {people.person_name(2 * serial)}" for serial in (1, 2, 3)
    ]
    assert found[0].unit_name == ("第1机械厂" if regulation == TRACTOR else "第1厂工会 / 第2厂工会")
    publication, entrants = draws.final_list(made.event, pairs.PLAY[regulation])
    assert publication is None  # neither text has a published list
    assert set(entrants) == {f"e{each.entry_id}" for each in found}


@BOTH
def test_a_form_with_one_player_names_every_field_of_the_other(travel: Travel, regulation: str) -> None:
    pairs.competition(travel, regulation)
    person = pairs.entrant(1)
    with pytest.raises(MemberRefusedError) as refused:
        add(person, [pairs.player(1)])
    wanted = {"name", "id_number", "phone"} | ({"unit_name"} if regulation == EIGHTY else set())
    assert wanted <= {path.removeprefix("members.1.") for path in refused.value.fields}
    assert all(path.startswith("members.1.") for path in refused.value.fields)
    assert mine(person).entries == ()


def test_a_form_without_the_second_player_is_refused_with_the_sentence_of_the_text(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    with pytest.raises(MemberRefusedError) as refused:
        add(pairs.entrant(1), [pairs.player(1), pairs.player(2, phone="", declared={"union_members": True})])
    assert list(refused.value.fields) == ["members.1.phone"]
    with pytest.raises(MemberRefusedError) as refused:
        add(pairs.entrant(1), [])
    assert refused.value.clause in {"六2", "四"}
    assert {path.split(".")[1] for path in refused.value.fields} == {"0", "1"}


def test_problems_of_both_stand_beside_the_right_player(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    with pytest.raises(MemberRefusedError) as refused:
        add(
            pairs.entrant(1),
            [
                pairs.player(1, name="1", declared={}),
                pairs.player(2, id_number="11010119850615013", unit_name=""),
            ],
        )
    assert list(refused.value.fields) == [
        "members.0.name",
        "members.0.declared.union_members",
        "members.1.id_number",
        "members.1.unit_name",
    ]
    assert refused.value.clause == "四"
    assert str(refused.value.fields["members.0.declared.union_members"]).endswith("（规程 四）")


def test_one_person_is_not_a_pair(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    with pytest.raises(MemberRefusedError) as refused:
        add(pairs.entrant(1), together(1, 1))
    assert list(refused.value.fields) == ["members.1.id_number"]
    assert refused.value.clause == "六2"


def test_a_player_of_tractor_is_18_on_the_day_of_the_deadline(travel: Travel) -> None:
    pairs.competition(travel, TRACTOR)
    person = pairs.entrant(1)
    with pytest.raises(MemberRefusedError) as refused:
        add(person, [pairs.player(1), pairs.player(2, born=date(1998, 5, 19))])
    assert list(refused.value.fields) == ["members.1.id_number"]
    assert refused.value.clause == "七"
    add(person, [pairs.player(1), pairs.player(2, born=date(1998, 5, 18))])


def test_without_a_second_form_in_the_text_a_person_stands_in_one_pair(travel: Travel) -> None:
    pairs.competition(travel, TRACTOR)
    first, second = pairs.entrant(1), pairs.entrant(2)
    add(first, together(1, 2))
    with pytest.raises(DuplicatePersonError) as refused:
        add(first, together(3, 2))
    assert list(refused.value.fields) == ["members.1.id_number"]
    assert "已在您的名单中" in str(refused.value)
    with pytest.raises(DuplicatePersonError) as refused:
        add(second, together(1, 3))
    assert list(refused.value.fields) == ["members.0.id_number"]
    assert "其他单位" in str(refused.value)
    assert refused.value.clause == "六"


def test_a_newer_form_voids_every_older_one_with_either_player_and_a_dropped_partner_is_told(
    travel: Travel,
) -> None:
    pairs.competition(travel, EIGHTY)
    person = pairs.entrant(1)
    add(person, together(1, 2))
    registrations.submission(person, SLUG, "key-00000001")
    add(person, together(1, 3))
    assert states(person) == [("submitted", False), ("draft", False)]  # a draft holds nobody
    registrations.submission(person, SLUG, "key-00000002")
    assert states(person) == [("withdrawn", True), ("submitted", False)]
    messages = told()
    assert list(messages) == ["+86" + people.phone(1002)]
    assert "不再在报名名单上" in messages["+86" + people.phone(1002)]
    assert [each.name for each in review() if each.state == "submitted"] == [
        f"{people.person_name(1)} / {people.person_name(3)}"
    ]
    actions = list(db.session.scalars(select(AuditEntry.action)))
    assert actions.count("entry.replaced") == 1
    # the older form keeps the names and nothing else
    assert [each.id_number_masked for each in mine(person).entries[0].members] == ["", ""]


def test_a_form_that_somebody_else_sent_is_told_to_the_player_it_keeps(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    pairs.submitted(1)  # people 1 and 2
    other = pairs.entrant(2)
    add(other, [pairs.player(1, phone=people.phone(7777)), pairs.player(5)])
    registrations.submission(other, SLUG)
    messages = told()
    leader = "+86" + people.phone(1)  # who sent the older form, for another unit
    assert set(messages) == {"+86" + people.phone(1001), "+86" + people.phone(1002), leader}
    assert "已被较新的一份取代" in messages[leader]
    assert "如不是您或同伴填写的" in messages["+86" + people.phone(1001)]  # the number of the older form


def test_by_pair_only_the_same_two_are_replaced(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY, options={"resubmission": "latest_per_pair"})
    first, second = pairs.entrant(1), pairs.entrant(2)
    add(first, together(1, 2))
    registrations.submission(first, SLUG)
    with pytest.raises(DuplicatePersonError) as refused:
        add(second, together(3, 1))
    assert list(refused.value.fields) == ["members.1.id_number"]
    add(second, together(2, 1))
    registrations.submission(second, SLUG)
    assert (states(first), states(second)) == ([("withdrawn", True)], [("submitted", False)])


def test_two_newer_forms_with_one_player_at_once_leave_one(app: Flask, travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    first, second = pairs.entrant(1), pairs.entrant(2)
    add(first, together(1, 2))
    add(second, together(1, 3))
    outcomes = at_once(
        app, lambda: registrations.submission(first, SLUG), lambda: registrations.submission(second, SLUG)
    )
    assert refusals(outcomes) == []
    assert sorted(states(first) + states(second)) == [("submitted", False), ("withdrawn", True)]


def test_a_form_changed_while_the_committee_decides_waits_for_it_or_is_waited_for(
    app: Flask, travel: Travel
) -> None:
    pairs.competition(travel, EIGHTY)
    first, second = pairs.submitted(1), pairs.submitted(2)
    committee = registrations.committee(SLUG)
    ids = [each.entry_id for each in review()]
    (entry,) = mine(second).entries

    def decide() -> None:
        with command(committee) as ctx:
            service.decide(ctx, slug=SLUG, decisions=[Decision(each, DecisionKind.APPROVE) for each in ids])

    for name in ("甲改", "乙改", "丙改"):
        renamed = [pairs.player(3, name=name), pairs.player(4)]
        assert refusals(at_once(app, decide, lambda: change(second, entry.entry_id, renamed))) == []  # noqa: B023 - run before the loop goes on
    assert states(first) == [("approved", False)]


def test_the_deadline_of_a_form_ends_with_its_second(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    deadline = datetime(2023, 10, 18, 17, 0, tzinfo=BEIJING)
    person = pairs.entrant(1)
    travel(deadline + timedelta(milliseconds=999))
    add(person, together(1, 2))
    registrations.submission(person, SLUG)
    travel(deadline + timedelta(seconds=1))
    with pytest.raises(RegistrationClosedError) as refused:
        add(person, together(3, 4))
    assert refused.value.clause == "六2"


def test_a_changed_pair_goes_back_to_review_and_players_may_change_places(travel: Travel) -> None:
    pairs.competition(travel, TRACTOR)
    person = pairs.submitted(1)
    pairs.approve()
    (entry,) = mine(person).entries
    unchanged = [pairs.player(serial, id_number="", phone="", unit_name="") for serial in (1, 2)]
    change(person, entry.entry_id, unchanged)
    assert states(person) == [("approved", False)]
    change(person, entry.entry_id, together(2, 1))
    (entry,) = mine(person).entries
    assert (entry.name, entry.state.value) == (
        f"{people.person_name(2)} / {people.person_name(1)}",
        "submitted",
    )


def test_a_changed_form_of_eighty_counts_as_the_newest(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    first, second = pairs.submitted(1), pairs.submitted(2)
    (entry,) = mine(second).entries
    change(second, entry.entry_id, together(3, 1))
    assert (states(first), states(second)) == ([("withdrawn", True)], [("submitted", False)])
    # both players, and who had sent the older form
    assert set(told()) == {"+86" + people.phone(each) for each in (1001, 1002, 1)}


@BOTH
def test_a_removed_pair_is_free_again(travel: Travel, regulation: str) -> None:
    pairs.competition(travel, regulation)
    first, second = pairs.entrant(1), pairs.entrant(2)
    draft = add(first, together(1, 2))
    with command(first) as ctx:
        service.remove_pair(ctx, slug=SLUG, entry_id=draft)
    assert mine(first).entries == ()
    standing = add(first, together(1, 2))
    registrations.submission(first, SLUG)
    with command(first) as ctx:
        service.remove_pair(ctx, slug=SLUG, entry_id=standing)
    assert states(first) == [("withdrawn", False)]
    add(second, together(1, 2))
    registrations.submission(second, SLUG)
    with pytest.raises(PairWithdrawnError):
        change(first, standing, together(1, 2))
    with pytest.raises(UnknownPairError):
        change(second, standing, together(1, 2))
    with pytest.raises(UnknownPairError):
        change(second, EntryId(2**40), together(1, 2))


def test_what_is_entered_has_the_shape_of_the_regulation(travel: Travel) -> None:
    pairs.competition(travel, TRACTOR)
    with pytest.raises(EntryShapeError) as refused:
        registrations.member(pairs.entrant(1), 1, SLUG)
    assert refused.value.clause == "六"
    with pytest.raises(UnitMissingError):
        add(registrations.leader(2, SLUG, with_unit=False), together(1, 2))
    with pytest.raises(NothingToSubmitError):
        registrations.submission(pairs.entrant(3), SLUG)


def test_single_players_enter_no_pairs(travel: Travel) -> None:
    registrations.competition(SLUG)
    with pytest.raises(EntryShapeError):
        add(registrations.leader(1, SLUG), together(1, 2))


def test_players_who_enter_themselves_have_no_unit_to_fill_in(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    with pytest.raises(NoUnitAskedError) as refused:
        registrations.leader(1, SLUG)
    assert refused.value.clause == "六1"


def test_by_the_other_reading_players_of_tractor_enter_themselves(travel: Travel) -> None:
    pairs.field(travel, TRACTOR, pairs=2, options={"registered_by": "player"})
    assert [each.unit_name for each in queries.approved_entries(competitions.competition(SLUG).event.id)] == [
        "第1厂工会 / 第2厂工会",
        "第3厂工会 / 第4厂工会",
    ]


def test_two_of_one_unit_name_it_once(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    person = pairs.entrant(1)
    add(
        person,
        [
            pairs.player(1, unit_name="区图书馆工会"),
            pairs.player(2, unit_name="区图书馆工会"),
        ],
    )
    registrations.submission(person, SLUG)
    pairs.approve()
    (entrant,) = queries.approved_entries(competitions.competition(SLUG).event.id)
    assert entrant.unit_name == "区图书馆工会"


def test_two_pairs_that_one_person_enters_have_their_own_units_in_the_event_file(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    pairs.submitted(1, pairs=2)
    pairs.approve()
    document = standings.event_file(competitions.competition(SLUG).event.id)
    named = {each["id"]: each["name"] for each in document["units"]}
    assert [named[each["unit"]] for each in document["entrants"]] == [
        "第1厂工会 / 第2厂工会",
        "第201厂工会 / 第202厂工会",
    ]


def limited(regulation: str, limit: int) -> Regulation:
    document = library.load(regulation).document
    document["registration"]["entries_per_unit"]["limit"] = limit
    return Regulation.from_document(document)


def test_a_quota_counts_pairs(travel: Travel) -> None:
    travel(pairs.DURING_ENTRIES[TRACTOR])
    competitions_factory.competition(
        regulation=limited(TRACTOR, 1), slug=SLUG, calendar=pairs.DAYS_OF_PLAY[TRACTOR]
    )
    person = pairs.entrant(1)
    add(person, together(1, 2))
    with pytest.raises(QuotaFullError, match="1 对") as refused:
        add(person, together(3, 4))
    assert refused.value.clause == "七"


def test_each_player_is_judged_and_a_pair_with_an_ineligible_one_is_not_approved(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    pairs.submitted(1)
    (entry,) = review()
    assert [player.name for player in entry.players] == [people.person_name(1), people.person_name(2)]
    assert [[judged.clause for judged in player.judgements] for player in entry.players] == [
        ["四", "五1"],
        ["四", "五1"],
    ]
    assert entry.eligible
    db.session.scalars(select(Member).order_by(Member.id.desc())).first().declared = None
    db.session.commit()
    (entry,) = review()
    assert (entry.eligible, entry.broken and entry.broken.clause) == (False, "四")
    with command(registrations.committee(SLUG)) as ctx, pytest.raises(SaishiError) as refused:
        service.decide(ctx, slug=SLUG, decisions=[Decision(entry.entry_id, DecisionKind.APPROVE)])
    assert refused.value.clause == "四"


def test_the_committee_sees_both_numbers_on_demand_and_they_are_erased_afterwards(travel: Travel) -> None:
    pairs.field(travel, EIGHTY, pairs=1)
    (entry,) = review()
    with command(registrations.committee(SLUG)) as ctx:
        private = service.read_personal_data(ctx, slug=SLUG, entry_id=entry.entry_id)
    assert [player.id_number for player in private.players] == [people.id_number(1), people.id_number(2)]
    assert people.id_number(1) not in repr(private)
    travel(pairs.PLAY[EIGHTY] + timedelta(days=91))
    with command(SYSTEM) as ctx:
        competition_id = competitions.competition_id(SLUG)
        assert queries.is_purge_due(competition_id, ctx.now, 90)
        assert service.erase_personal_data(ctx, competition_id, purge_days=90).members == 2
    assert set(db.session.scalars(select(Member.id_number))) == {None}
    assert set(db.session.scalars(select(EntryMember.person_hash))) == set(
        db.session.scalars(select(Member.person_hash))
    )


def test_the_second_tap_of_submit_hands_in_once(travel: Travel) -> None:
    pairs.competition(travel, EIGHTY)
    person = pairs.submitted(1)
    number = mine(person).number
    registrations.submission(person, SLUG)
    assert (mine(person).number, states(person)) == (number, [("submitted", False)])

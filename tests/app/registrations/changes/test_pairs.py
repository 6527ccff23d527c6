"""Changes of pairs after the deadline, by a text that allows them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from app.actors import Role
from app.competitions import queries as competitions
from app.extensions import db
from app.registrations import queries
from app.registrations.models import Member
from app.registrations.rules import EntryState
from app.registrations.rules.changes import ChangeRefusedError
from app.regulations import library
from app.regulations.rules import Regulation
from tests.app.registrations.stored import refused
from tests.factories import accounts, changes, pairs, people, registrations
from tests.factories import competitions as factory

Travel = Callable[[datetime], None]
SLUG = pairs.SLUG


def late(travel: Travel, *, written: bool = True) -> Any:
    """One approved pair of a unit; the deadline of the text, which allows changes, was a second ago."""
    document = library.load(pairs.TRACTOR).document
    document["registration"]["changes"] = {
        "after_deadline": not written,
        "by_written_application": True,
        "clause": "十一",
    }
    travel(pairs.DURING_ENTRIES[pairs.TRACTOR])
    made = factory.competition(
        accounts.user(registrations.ORGANISER, Role.ORGANISER),
        regulation=Regulation.from_document(document),
        slug=SLUG,
        calendar=pairs.DAYS_OF_PLAY[pairs.TRACTOR],
    )
    person = pairs.submitted(1)
    pairs.approve()
    travel(made.event.regulation.calendar.registration_closes + timedelta(seconds=1))
    return person


def member_ids(person: Any) -> list[int]:
    return [each.id for each in queries.my(person.user_id, competitions.competition(SLUG)).entries[0].members]


def test_a_pair_keeps_the_player_who_stays(session: Any, travel: Travel) -> None:
    person = late(travel)
    leaves, stays = member_ids(person)
    typed = pairs.typed([pairs.player(50)])
    with refused(ChangeRefusedError):
        changes.applied(person, "replace", slug=SLUG, member_id=leaves, tokens=[], members=typed)
    view = changes.applied(person, "replace", slug=SLUG, member_id=leaves, members=typed)
    changes.decided(view.number, slug=SLUG)
    old, new = queries.my(person.user_id, competitions.competition(SLUG)).entries
    assert (old.state, new.state) == (EntryState.WITHDRAWN, EntryState.APPROVED)
    assert [each.name for each in new.members] == [people.person_name(2), people.person_name(50)]
    assert sorted(each.name for each in old.members) == sorted([people.person_name(1), people.person_name(2)])
    assert new.members[0].id == stays, "with the documents that hang on him"
    db.session.rollback()
    assert db.session.get_one(Member, stays).id_number == people.id_number(2)
    assert db.session.get_one(Member, leaves).id_number is None


def test_a_correction_names_the_player_and_leaves_the_other_alone(session: Any, travel: Travel) -> None:
    person = late(travel)
    first, second = member_ids(person)
    typed = pairs.typed([pairs.player(2, name="更正名", id_number="", phone="")])
    view = changes.applied(person, "correct", slug=SLUG, member_id=second, members=typed)
    changes.decided(view.number, slug=SLUG)
    (entry,) = queries.my(person.user_id, competitions.competition(SLUG)).entries
    assert entry.name == f"{people.person_name(1)} / 更正名"
    assert [each.id for each in entry.members] == [first, second]


def test_a_whole_pair_is_added_with_every_wrong_field_of_both(session: Any, travel: Travel) -> None:
    person = late(travel)
    with refused(ChangeRefusedError) as caught:
        changes.applied(
            person, slug=SLUG, tokens=[], members=pairs.typed(pairs.form(30, second={"phone": "1"}))
        )
    assert set(caught.value.fields) == {"uploads", "members.1.phone"}
    view = changes.applied(person, slug=SLUG, members=pairs.typed(pairs.form(30)))
    changes.decided(view.number, slug=SLUG)
    assert changes.states(SLUG) == ["approved", "approved"]


def test_where_entries_stay_open_neither_letter_nor_reason_is_asked(session: Any, travel: Travel) -> None:
    person = late(travel, written=False)
    typed = pairs.typed(pairs.form(30))
    view = changes.applied(person, slug=SLUG, reason="", tokens=[], members=typed)
    assert view.waits
    changes.decided(view.number, slug=SLUG)
    assert changes.states(SLUG) == ["approved", "approved"]

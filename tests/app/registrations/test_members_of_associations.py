"""Entries by regulations that ask nobody who employs them (东城区): individual members, no employment, a quota."""

from __future__ import annotations

from typing import Any

import pytest

from app.commands import command
from app.competitions import queries as competitions
from app.registrations import queries, service
from app.registrations.rules import EventFullError, QuotaFullError, UnitRefusedError, UnitTakenError
from app.regulations import library
from tests.factories import competitions as competitions_factory
from tests.factories import registrations, rounds
from tests.factories.publications import Travel


@pytest.fixture
def go(session: Any, travel: Travel) -> str:
    """A competition of Go, entries open from the first moment on."""
    travel(rounds.DURING_ENTRIES)
    competitions_factory.competition(regulation=rounds.GO, slug=rounds.SLUG)
    return rounds.SLUG


def test_an_individual_member_enters_without_a_code_and_without_an_employment(go: str) -> None:
    person = registrations.leader(1, go, with_unit=False)
    registrations.unit(person, 1, go, credit_code="")
    registrations.member(person, 1, go, employment="")
    competition = competitions.competition(go)
    mine = queries.my(person.require_signed_in(), competition)
    assert mine.unit is not None
    assert mine.unit.credit_code is None
    assert mine.members[0].employment is None
    registrations.submission(person, go)
    assert [each.eligible for each in queries.review_list(competition.event)] == [True]


def test_a_code_that_is_given_is_checked(go: str) -> None:
    person = registrations.leader(1, go, with_unit=False)
    with pytest.raises(UnitRefusedError) as refused:
        registrations.unit(person, 1, go, credit_code="91110000000000000A")
    assert list(refused.value.fields) == ["credit_code"]


def test_two_leaders_without_codes_cannot_use_one_name(go: str) -> None:
    first, second = (registrations.leader(serial, go, with_unit=False) for serial in (1, 2))
    registrations.unit(first, 1, go, credit_code="", name="甲棋社")
    registrations.unit(second, 2, go, credit_code="", name="乙棋社")
    with pytest.raises(UnitTakenError) as taken:
        registrations.unit(second, 2, go, credit_code="", name="甲棋社")
    assert list(taken.value.fields) == ["name"]


def test_a_unit_enters_two(go: str) -> None:
    person = registrations.leader(1, go)
    for serial in (1, 2):
        registrations.member(person, serial, go)
    with pytest.raises(QuotaFullError) as full:
        registrations.member(person, 3, go)
    assert full.value.clause == "附件1七1"


def test_an_event_with_a_quota_of_its_own_is_full_whoever_comes_and_free_again_after_a_withdrawal(
    session: Any, travel: Travel
) -> None:
    travel(rounds.DURING_ENTRIES)
    document = library.load(rounds.GO).document
    document["registration"]["entries_in_all"] = {"limit": 2, "clause": "附件2一3"}
    small = library.parse_document(document, "small.json")
    competitions_factory.competition(regulation=small, slug=rounds.SLUG)
    first, second = (registrations.leader(serial, rounds.SLUG) for serial in (1, 2))
    registrations.member(first, 1, rounds.SLUG)
    kept = registrations.member(second, 2, rounds.SLUG)
    with pytest.raises(EventFullError) as full:
        registrations.member(second, 3, rounds.SLUG)
    assert full.value.clause == "附件2一3"
    assert "2 人" in str(full.value.text)
    with command(second) as ctx:
        service.remove_member(ctx, slug=rounds.SLUG, member_id=kept)
    registrations.member(first, 3, rounds.SLUG)

"""A list becomes final by itself, and its entries get their competition numbers (参赛号)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.competitions import queries as competitions
from app.draws.rules import ObjectionsOpenError, PublicationRunningError
from app.extensions import db
from app.publications import queries
from app.publications.models import CompetitionNumber, Publication
from app.publications.rules import PublicationState, window_open
from app.registrations import queries as registrations_queries
from app.registrations.models import Entry
from app.text import BEIJING
from tests.factories import draws, duels, publications, registrations, rounds

Travel = Callable[[datetime], None]
LAST_MOMENT = publications.LAST_SECOND.replace(microsecond=999999)


def event_id() -> int:
    return competitions.competition("beach").event.id


def in_order(numbers: dict[int, int]) -> list[int]:
    return [entry for entry, _ in sorted(numbers.items(), key=lambda pair: pair[1])]


@pytest.mark.parametrize(
    ("moment", "open_"),
    [
        (publications.DEADLINE, False),
        (publications.AFTER_CLOSING, True),
        (publications.LAST_SECOND, True),
        (LAST_MOMENT, True),
        (publications.WINDOW_OVER, False),
    ],
)
def test_the_window_is_open_from_its_first_to_its_last_moment(
    session: Any, travel: Travel, moment: datetime, open_: bool
) -> None:
    assert window_open(publications.published_field(travel, 3, 1), moment) is open_


def test_at_the_last_second_nothing_is_final_and_at_24_o_clock_everything_is(
    session: Any, travel: Travel
) -> None:
    published = publications.published_field(travel, 4, 2)
    travel(LAST_MOMENT)
    assert publications.finish() == 0
    assert queries.numbers_of(event_id()) == {}
    travel(publications.WINDOW_OVER)
    assert publications.finish() == 1
    assert queries.publication(event_id(), 1).final_at == publications.WINDOW_OVER
    numbers = queries.numbers_of(event_id())
    assert numbers == {line.entry_id: line.number for line in published.entries}


def test_finishing_twice_is_once(session: Any, travel: Travel) -> None:
    publications.published_field(travel, 3, 1)
    travel(publications.WINDOW_OVER)
    assert [publications.finish(), publications.finish()] == [1, 0]
    assert (
        db.session.scalar(
            select(func.count())
            .select_from(AuditEntry)
            .where(AuditEntry.action.in_([AuditAction.LIST_FINAL, AuditAction.NUMBERS_GIVEN]))
        )
        == 2
    )


def test_two_workers_at_once_finish_once(app: Flask, travel: Travel) -> None:
    with app.app_context():
        publications.published_field(travel, 6, 2)
    travel(publications.WINDOW_OVER)
    gate = Barrier(2)

    def work(_: int) -> int:
        with app.app_context():
            gate.wait()
            return publications.finish()

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(work, range(2))) == [0, 1]
    with app.app_context():
        assert sorted(queries.numbers_of(event_id()).values()) == [1, 2, 3, 4, 5, 6]


def test_a_list_held_by_an_open_objection_becomes_final_when_the_case_is_decided(
    session: Any, travel: Travel
) -> None:
    published = publications.published_field(travel, 3, 1)
    travel(publications.WINDOW_OVER)
    with publications.held(published.id) as open_:
        assert publications.finish() == 0
        view = queries.publication(event_id(), 1)
        assert view.status(publications.WINDOW_OVER).state is PublicationState.OBJECTED
        assert set(queries.entry_states(event_id(), publications.WINDOW_OVER).values()) == {"objected"}
        with pytest.raises(ObjectionsOpenError, match="第 1 号名单还有异议"):
            draws.draw()
        open_.clear()
        assert publications.finish() == 1
    assert set(queries.entry_states(event_id(), publications.WINDOW_OVER).values()) == {"confirmed"}
    assert len(queries.numbers_of(event_id())) == 3


def test_what_was_said_against_a_list_holds_the_one_that_took_its_place(session: Any, travel: Travel) -> None:
    published = publications.published_field(travel, 3, 1)
    publications.supersede(1, [published.entries[0].entry_id])
    travel(publications.WINDOW_OVER)
    with publications.held(published.id) as open_:
        assert publications.finish() == 0
        open_.clear()
        assert publications.finish() == 1


def test_a_superseded_list_never_becomes_final_and_gives_no_numbers(session: Any, travel: Travel) -> None:
    published = publications.published_field(travel, 4, 1)
    gone = published.entries[0].entry_id
    publications.supersede(1, [gone])
    travel(publications.WINDOW_OVER)
    assert publications.finish() == 1
    assert queries.publication(event_id(), 1).final_at is None
    numbers = queries.numbers_of(event_id())
    assert gone not in numbers
    assert sorted(numbers.values()) == [1, 2, 3]
    assert {row.publication_id for row in db.session.scalars(select(CompetitionNumber))} == {
        queries.publication(event_id(), 2).id
    }


def test_numbers_are_kept_over_a_correction_and_never_given_again(session: Any, travel: Travel) -> None:
    published = publications.published_field(travel, 4, 1)
    travel(publications.WINDOW_OVER)
    publications.finish()
    before = queries.numbers_of(event_id())
    last = published.entries[-1].entry_id
    corrected = publications.supersede(1, [last])
    assert corrected.final_at == publications.WINDOW_OVER  # its window was over with the old one's
    registrations.decision(registrations.committee(), last)
    publications.supplement()
    travel(datetime(2021, 11, 13, tzinfo=BEIJING))
    assert publications.finish() == 1
    assert queries.numbers_of(event_id()) == before


def test_a_supplementary_list_gives_the_next_numbers(session: Any, travel: Travel) -> None:
    publications.field(4, 1, approve=False)
    entries = list(db.session.scalars(select(Entry.id).order_by(Entry.id)))
    registrations.decision(registrations.committee(), entries[0], "reject", "材料不符")
    publications.approve_all()
    travel(publications.AFTER_CLOSING)
    publications.publish()
    registrations.decision(registrations.committee(), entries[0])
    publications.supplement()
    travel(publications.WINDOW_OVER)
    assert publications.finish() == 2  # both lists end on Friday: the second came out on the Sunday too
    assert in_order(queries.numbers_of(event_id())) == [*entries[1:], entries[0]]


def test_an_entry_withdrawn_while_its_list_runs_gets_no_number_and_the_text_stays(
    session: Any, travel: Travel
) -> None:
    published = publications.published_field(travel, 3, 1)
    gone = published.entries[1].entry_id
    registrations.decision(registrations.committee(), gone, "reject", "退赛")
    travel(publications.WINDOW_OVER)
    publications.finish()
    after = queries.publication(event_id(), 1)
    assert (after.canonical, after.entries) == (published.canonical, published.entries)
    assert in_order(queries.numbers_of(event_id())) == [
        published.entries[0].entry_id,
        published.entries[2].entry_id,
    ]
    planned = queries.plan(competitions.event(event_id()))
    assert [line.entry_id for line in planned.stale[0][1].left_out] == [gone]


def test_a_draw_waits_for_every_list_in_force_and_draws_from_all(session: Any, travel: Travel) -> None:
    publications.field(10, 1, approve=False)
    entries = list(db.session.scalars(select(Entry.id).order_by(Entry.id)))
    registrations.decision(registrations.committee(), entries[0], "reject", "材料不符")
    publications.approve_all()
    travel(publications.AFTER_CLOSING)
    publications.publish()
    travel(datetime(2021, 11, 4, 9, tzinfo=BEIJING))
    registrations.decision(registrations.committee(), entries[0])
    publications.supplement()
    travel(publications.WINDOW_OVER)
    with pytest.raises(PublicationRunningError, match="11月11日"):
        draws.draw()
    travel(datetime(2021, 11, 12, tzinfo=BEIJING))
    drawn = draws.draw()
    assert len(drawn.entrants) == 10
    assert drawn.publication_numbers == (1, 2)


def test_the_draw_gives_numbers_where_no_worker_came_first(session: Any, travel: Travel) -> None:
    draws.drawn_prelim(travel)
    assert sorted(queries.numbers_of(event_id()).values()) == list(range(1, 10))
    assert db.session.scalars(select(Publication)).one().final_at is not None


@pytest.mark.parametrize("regulation", [rounds.LANDLORD, duels.TRACTOR])
def test_where_the_text_has_no_list_the_draw_closes_the_entries_and_gives_the_numbers(
    session: Any, travel: Travel, regulation: str
) -> None:
    """东城区 has single players and teams, 白云 has pairs: an entry, not a person, has a number."""
    slug = rounds.SLUG if regulation == rounds.LANDLORD else duels.SLUG
    if regulation == rounds.LANDLORD:
        rounds.field(travel, regulation)
    else:
        duels.field(travel, regulation)
    event = competitions.competition(slug).event
    assert publications.finish() == 0
    assert queries.numbers_of(event.id) == {}
    rounds.drawn(slug)
    approved = [each.entry_id for each in registrations_queries.approved_entries(event.id)]
    assert in_order(queries.numbers_of(event.id)) == approved
    assert sorted(queries.numbers_of(event.id).values()) == list(range(1, len(approved) + 1))
    assert {row.publication_id for row in db.session.scalars(select(CompetitionNumber))} == {None}

"""Publishing the list (公示): when it may come out, how its days are counted, and that it stays as it was hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from app.actors import ANONYMOUS, SYSTEM, Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.models import Event
from app.errors import ForbiddenError, SignInRequiredError
from app.extensions import db
from app.publications import queries, rules, service
from app.publications.models import Publication
from app.publications.rules import CountedFrom, LatePublication, PublicationState
from app.registrations import queries as registrations_queries
from app.registrations.models import Entry, Member, Unit
from app.regulations import library
from app.regulations import service as regulations_service
from app.regulations.models import RegulationVersion
from app.regulations.rules import Regulation
from app.text import BEIJING
from app.workdays.official import official_calendar
from app.workdays.rules import UnknownWorkdayYearError
from tests.factories import accounts, publications, registrations

Travel = Callable[[datetime], None]


def regulation_a() -> Regulation:
    return library.load("beach-games-landlord-2021")


def with_deadline(closes: str) -> Regulation:
    """Regulation A with another deadline; later dates are out of the way."""
    document = regulation_a().document
    document["calendar"]["registration_closes"]["at"] = f"{closes}T18:00:00+08:00"
    return Regulation.from_document(document)


def event_id() -> int:
    return competitions.competition("beach").event.id


def test_the_list_is_refused_at_the_last_second_of_registration_with_its_clause_and_the_moment(
    session: Any, travel: Travel
) -> None:
    publications.field(3, 1)
    travel(publications.DEADLINE)
    with pytest.raises(rules.RegistrationStillOpenError) as refused:
        publications.publish()
    assert refused.value.clause == "三(三)1"
    assert "2021年10月31日（周日）18:00" in str(refused.value)
    assert queries.latest(event_id()) is None


def test_the_list_comes_out_one_second_later_and_ends_on_friday_24_o_clock(
    session: Any, travel: Travel
) -> None:
    publication = publications.published_field(travel, 4, 2)
    assert publication.number == 1
    assert publication.counted_from is CountedFrom.DEADLINE
    assert publication.days == tuple(date(2021, 11, day) for day in range(1, 6))
    assert publication.ends_at == publications.WINDOW_OVER
    assert [entry.number for entry in publication.entries] == [1, 2, 3, 4]


def test_entries_that_wait_for_review_are_counted_in_the_refusal(session: Any, travel: Travel) -> None:
    publications.field(3, 1, approve=False)
    travel(publications.AFTER_CLOSING)
    with pytest.raises(rules.ReviewPendingError, match="还有 3 名队员等待审核") as refused:
        publications.publish()
    assert refused.value.clause == "三(四)1"
    assert refused.value.next_step is not None


def test_without_an_approved_entry_there_is_nothing_to_publish(session: Any, travel: Travel) -> None:
    registrations.competition()
    travel(publications.AFTER_CLOSING)
    with pytest.raises(rules.NothingToPublishError):
        publications.publish()


def test_a_rejected_entry_is_not_on_the_list(session: Any, travel: Travel) -> None:
    publications.field(3, 1, approve=False)
    first, *others = registrations_queries.review_list(competitions.event(event_id()))
    registrations.decision(registrations.committee(), first.entry_id, "reject", "材料不符")
    publications.approve_all()
    travel(publications.AFTER_CLOSING)
    listed = {entry.entry_id for entry in publications.publish().entries}
    assert listed == {each.entry_id for each in others}


def test_a_second_list_is_refused_naming_the_first(session: Any, travel: Travel) -> None:
    publications.published_field(travel, 3, 1)
    with pytest.raises(rules.AlreadyPublishedError, match="第 1 号名单"):
        publications.publish()
    travel(publications.WINDOW_OVER)
    with pytest.raises(rules.AlreadyPublishedError):
        publications.publish()
    assert len(queries.publications(event_id())) == 1


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.CHIEF_REFEREE, Role.REFEREE])
def test_only_the_committee_publishes(session: Any, travel: Travel, role: Role) -> None:
    competition = publications.field(3, 1)
    travel(publications.AFTER_CLOSING)
    other = accounts.user(7001, role, competition_id=competition.id)
    with pytest.raises(ForbiddenError, match="组委会"):
        publications.publish(by=other)
    with pytest.raises(SignInRequiredError):
        publications.publish(by=ANONYMOUS)
    elsewhere = Actor("person", 1, frozenset({(competition.id + 1, Role.COMMITTEE)}))
    with pytest.raises(ForbiddenError):
        publications.publish(by=elsewhere)
    assert queries.latest(competition.event.id) is None


def test_anyone_can_compute_the_hash_from_the_canonical_text(session: Any, travel: Travel) -> None:
    publication = publications.published_field(travel, 3, 1)
    assert hashlib.sha256(publication.canonical.encode()).hexdigest() == publication.sha256
    document = json.loads(publication.canonical)
    again = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert again == publication.canonical
    assert document["window"]["ends"] == "2021-11-06T00:00:00+08:00"


def test_the_text_holds_names_and_units_and_nothing_private(session: Any, travel: Travel) -> None:
    publication = publications.published_field(travel, 3, 1)
    entries = json.loads(publication.canonical)["entries"]
    assert {key for entry in entries for key in entry} == {"number", "entrant", "name", "unit", "event"}
    for member in db.session.scalars(select(Member)):
        assert member.id_number
        assert member.phone
        assert member.id_number not in publication.canonical
        assert member.phone not in publication.canonical
        assert member.phone.removeprefix("+86") not in publication.canonical


def test_later_changes_of_names_and_entries_leave_the_list_alone(session: Any, travel: Travel) -> None:
    before = publications.published_field(travel, 3, 1)
    with command(registrations.committee()) as ctx:
        for member in ctx.session.scalars(select(Member)):
            member.name = "改了名"
        for unit in ctx.session.scalars(select(Unit)):
            unit.name = "改名厂"
        ctx.session.scalars(select(Entry)).first().state = "withdrawn"  # type: ignore[union-attr]  # there are three
        ctx.record(AuditAction.UNIT_SAVED, ("Unit", 1))
    db.session.expire_all()
    assert queries.latest(event_id()) == before


def test_publishing_is_recorded_with_the_hash(session: Any, travel: Travel) -> None:
    publication = publications.published_field(travel, 3, 1)
    entry = db.session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.LIST_PUBLISHED.value)
    ).one()
    assert entry.details["sha256"] == publication.sha256
    assert entry.details["entries"] == 3


def test_nothing_is_saved_when_a_later_part_of_the_command_fails(session: Any, travel: Travel) -> None:
    publications.field(3, 1)
    travel(publications.AFTER_CLOSING)
    committee = registrations.committee()

    def publish_and_fail() -> None:
        with command(committee) as ctx:
            service.publish(ctx, event_id())
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power"):
        publish_and_fail()
    assert db.session.scalar(select(func.count()).select_from(Publication)) == 0


def test_the_last_second_of_the_window_is_running_and_the_next_is_final(session: Any, travel: Travel) -> None:
    publication = publications.published_field(travel, 3, 1)
    last = publication.status(publications.LAST_SECOND)
    assert (last.state, last.day, last.of) == (PublicationState.RUNNING, 5, 5)
    assert publication.status(publications.WINDOW_OVER).state is PublicationState.FINAL


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2021, 10, 31, 23, 59, 59, tzinfo=BEIJING), 0),
        (datetime(2021, 11, 1, tzinfo=BEIJING), 1),
        (datetime(2021, 11, 3, 12, tzinfo=BEIJING), 3),
    ],
)
def test_days_are_numbered_from_the_first_workday(
    session: Any, travel: Travel, moment: datetime, day: int
) -> None:
    publication = publications.published_field(travel, 3, 1)
    status = publication.status(moment)
    assert (status.day, status.running) == (day, True)


def test_on_a_day_off_the_day_before_counts_on() -> None:
    days = rules.window_of(with_deadline("2023-10-18"), official_calendar(), closing("2023-10-18"))[0].days
    saturday = datetime(2023, 10, 21, 12, tzinfo=BEIJING)
    assert rules.status_at(days, rules.midnight(date(2023, 10, 26)), saturday).day == 2


def closing(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T18:00:01+08:00")


@pytest.mark.parametrize(
    ("deadline", "last_day"),
    [
        ("2021-10-31", "2021-11-05"),
        ("2021-09-30", "2021-10-13"),
        ("2021-04-30", "2021-05-11"),
        ("2021-02-09", "2021-02-22"),
        ("2023-10-18", "2023-10-25"),
        ("2024-12-31", "2025-01-08"),
    ],
)
def test_the_windows_of_the_worked_examples(deadline: str, last_day: str) -> None:
    window, counted_from = rules.window_of(with_deadline(deadline), official_calendar(), closing(deadline))
    assert window.last_day.isoformat() == last_day
    assert counted_from is CountedFrom.DEADLINE


def test_a_worked_example_through_the_service(session: Any, travel: Travel) -> None:
    competition = publications.field(3, 1)
    assert competition.event.regulation.calendar.registration_closes == publications.DEADLINE
    travel(datetime(2021, 11, 1, 23, 59, 59, tzinfo=BEIJING))  # the last second of the first day is in time
    assert publications.publish().last_day == date(2021, 11, 5)


def test_a_list_that_comes_out_after_the_first_day_is_counted_from_its_own_day(
    session: Any, travel: Travel
) -> None:
    publications.field(3, 1)
    travel(datetime(2021, 11, 2, tzinfo=BEIJING))
    publication = publications.publish()
    assert publication.counted_from is CountedFrom.PUBLICATION
    assert publication.days == tuple(date(2021, 11, day) for day in (3, 4, 5, 8, 9))


def test_the_other_reading_keeps_the_literal_days_of_a_late_list() -> None:
    regulation = regulation_a().with_changes(options={"late_publication": "from_deadline"})
    assert rules.late_publication(regulation) is LatePublication.FROM_DEADLINE
    published_at = datetime(2021, 11, 4, 9, tzinfo=BEIJING)
    window, counted_from = rules.window_of(regulation, official_calendar(), published_at)
    assert (window.last_day, counted_from) == (date(2021, 11, 5), CountedFrom.DEADLINE)
    with pytest.raises(rules.WindowOverError, match="11月5日（周五）24:00"):
        rules.window_of(regulation, official_calendar(), publications.WINDOW_OVER)


def test_the_text_itself_is_read_as_recount() -> None:
    assert rules.late_publication(regulation_a()) is LatePublication.RECOUNT


def test_the_other_reading_is_an_option_of_the_competition(session: Any, travel: Travel) -> None:
    publications.field(3, 1)
    version = db.session.scalars(select(RegulationVersion)).one()
    literal = regulation_a().with_changes(options={"late_publication": "from_deadline"})
    with command(SYSTEM) as ctx:
        event = ctx.session.scalars(select(Event)).one()
        event.regulation_version_id = regulations_service.freeze(ctx, literal)
    assert event.regulation_version_id != version.id
    travel(datetime(2021, 11, 4, 9, tzinfo=BEIJING))
    publication = publications.publish()
    assert publication.counted_from is CountedFrom.DEADLINE
    assert publication.last_day == date(2021, 11, 5)


@given(
    st.dates(date(2019, 1, 1), date(2024, 12, 31)),
    st.integers(0, 30 * 24 * 3600),
)
def test_no_day_that_is_counted_was_over_before_the_list_came_out(closes: date, late: int) -> None:
    published_at = closing(closes.isoformat()) + timedelta(seconds=late)
    window, _ = rules.window_of(with_deadline(closes.isoformat()), official_calendar(), published_at)
    assert len(window.days) == 5
    assert all(rules.midnight(day + timedelta(days=1)) > published_at for day in window.days)


def test_i_a_14_may_count_the_day_of_the_deadline() -> None:
    document = with_deadline("2021-11-05").document  # a Friday
    document["options"] = {"deadline_day": "counted"}
    window, _ = rules.window_of(
        Regulation.from_document(document), official_calendar(), closing("2021-11-05")
    )
    assert window.first_day == date(2021, 11, 5)


def test_a_year_without_a_calendar_is_refused_and_named(session: Any, travel: Travel) -> None:
    competition = publications.field(3, 1)
    unknown = max(official_calendar().years) + 1
    travel(datetime(unknown, 1, 4, 12, tzinfo=BEIJING))  # so late that the days are counted anew
    with pytest.raises(UnknownWorkdayYearError, match=str(unknown)) as refused:
        publications.publish()
    assert refused.value.extra["page"] == "/staff/workdays"
    assert queries.latest(competition.event.id) is None
    readiness = queries.readiness(competition.event.id, datetime(unknown, 1, 4, 12, tzinfo=BEIJING))
    assert isinstance(readiness.refusal, UnknownWorkdayYearError)
    assert readiness.window is None


def test_readiness_says_what_publishing_would_answer(session: Any, travel: Travel) -> None:
    competition = publications.field(3, 1, approve=False)
    early = queries.readiness(competition.event.id, publications.DEADLINE)
    assert isinstance(early.refusal, rules.RegistrationStillOpenError)
    assert early.window is not None
    assert early.window.last_day == date(2021, 11, 5)
    waiting = queries.readiness(competition.event.id, publications.AFTER_CLOSING)
    assert (waiting.approved, waiting.waiting) == (0, 3)
    assert isinstance(waiting.refusal, rules.ReviewPendingError)
    publications.approve_all()
    assert queries.readiness(competition.event.id, publications.AFTER_CLOSING).refusal is None


def test_who_may_object_and_how_is_said_in_words() -> None:
    said = "".join(str(term) for term in rules.objection_terms(regulation_a().objections))
    for words in ("任何参赛单位", "书面", "公章", "可供核实的依据"):
        assert words in said


def test_an_unknown_list_is_not_found(session: Any) -> None:
    competition = registrations.competition()
    with pytest.raises(rules.UnknownPublicationError):
        queries.publication(competition.event.id, 1)
    assert queries.latest(competition.event.id) is None


def test_the_window_has_no_gap_between_running_and_final(session: Any, travel: Travel) -> None:
    publication = publications.published_field(travel, 3, 1)
    just_before = publication.ends_at - timedelta(microseconds=1)
    assert publication.status(just_before).running
    assert not publication.status(publication.ends_at).running


def test_two_presses_at_once_publish_one_list(app: Flask, travel: Travel) -> None:
    with app.app_context():
        publications.field(3, 1)
        committee = registrations.committee()
    travel(publications.AFTER_CLOSING)
    gate = Barrier(2)

    def press(_: int) -> str:
        with app.app_context():
            gate.wait()
            try:
                publications.publish(by=committee)
            except rules.AlreadyPublishedError:
                return "refused"
            return "published"

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(press, range(2))) == ["published", "refused"]
    with app.app_context():
        assert len(queries.publications(event_id())) == 1

"""Publishing the next version of a regulation (规程变更): who may, what it affects, and that nothing stored changes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import SYSTEM, Actor, Role
from app.amendments import queries, service
from app.amendments.rules import (
    AnotherRegulationError,
    DeadlineFixedError,
    DeadlinePastError,
    DraftMovedError,
    NothingChangedError,
    NotScoreableError,
    RulingUnconfirmedError,
    VersionPendingError,
)
from app.amendments.rules.impact import affects_nobody
from app.amendments.rules.sentences import impact_lines
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.rules import WorkdaysMissingError
from app.errors import ForbiddenError, InvalidError
from app.extensions import db
from app.registrations import queries as registrations_queries
from app.registrations.models import Registration
from app.regulations import queries as regulations
from app.regulations.rules import RegulationFileError
from app.regulations.rules.drafts import DraftClosedError
from app.results import queries as results_queries
from app.standings import queries as standings
from app.text import BEIJING
from app.workdays import queries as workdays
from tests.app.amendments.playing import SLUG, event_of, recomputed, two_rounds, verified
from tests.factories import accounts, amendments, publications, registrations, results, rounds
from tests.factories.amendments import chain, date, drafted, option, published
from tests.factories.publications import Travel


def test_a_change_is_the_next_version_with_its_reason_and_the_event_runs_by_it(session: Any) -> None:
    before = registrations.competition().event
    edition = published("beach", date("play_to", "2021-12-06"), reason="场地改期")
    after = event_of("beach")
    assert (edition.number, edition.reason, edition.ruling) == (2, "场地改期", False)
    assert edition.published_as is Role.CHIEF_REFEREE
    assert after.regulation_version_id == edition.regulation_version_id
    assert after.regulation.calendar.play_to.isoformat() == "2021-12-06"
    assert regulations.edition(after.id, 1).regulation == before.regulation
    assert edition.sha256 == after.regulation.sha256 != before.regulation.sha256
    assert edition.impact is not None
    assert edition.impact["windows"] == [
        {"key": "calendar.play_to", "before": "2021-12-05", "after": "2021-12-06"}
    ]
    assert edition.impact["changed"] == ["calendar"]


def test_a_draft_is_published_once(session: Any) -> None:
    registrations.competition()
    draft_id = drafted("beach", date("play_to", "2021-12-06"))
    edition = published("beach", date("play_to", "2021-12-06"))
    closed = regulations.draft(draft_id)
    assert (closed.open, closed.edition_id) == (False, edition.id)
    assert regulations.open_draft(edition.event_id) is None
    with pytest.raises(DraftClosedError), command(amendments.chief("beach")) as ctx:
        service.publish(ctx, draft_id, reason="再来一次", base_revision=closed.revision)


def test_what_was_registered_keeps_its_version_and_what_comes_later_names_the_new_one(session: Any) -> None:
    registrations.competition()
    first = registrations.leader(1)
    registrations.member(first, 1)
    registrations.submission(first)
    edition = published("beach", date("play_to", "2021-12-06"))
    second = registrations.leader(2)
    registrations.member(second, 2)
    registrations.submission(second)
    competition = competitions.competition("beach")
    named = [
        registrations_queries.my(each.user_id, competition).regulation_number for each in (first, second)
    ]
    assert named == [1, 2]
    versions = db.session.scalars(select(Registration.regulation_version_id).order_by(Registration.id)).all()
    assert versions == [
        regulations.edition(edition.event_id, 1).regulation_version_id,
        edition.regulation_version_id,
    ]


def test_entries_that_a_new_rule_refuses_are_listed_with_its_clause(session: Any, travel: Travel) -> None:
    publications.field(3, 1)

    def older(document: dict[str, Any]) -> None:
        rule = next(row for row in document["eligibility"] if row["rule"] == "born_on_or_before")
        rule["date"] = "1980-01-01"

    edition = published("beach", older)
    assert edition.impact is not None
    refused = edition.impact["entries"]["ineligible"]
    assert len(refused) == 3
    assert {each["state"] for each in refused} == {"approved"}
    assert all(each["clause"] for each in refused)
    assert edition.impact["entries"]["unjudged"] == 0


def test_units_with_more_entries_than_allowed_are_listed(session: Any) -> None:
    publications.field(5, 2)

    def two_each(document: dict[str, Any]) -> None:
        document["registration"]["entries_per_unit"]["limit"] = 2

    edition = published("beach", two_each)
    assert edition.impact is not None
    assert [(each["entries"], each["limit"]) for each in edition.impact["entries"]["over_quota"]] == [(3, 2)]


@pytest.mark.parametrize(("limit", "listed"), [(5, False), (4, True)])
def test_more_entries_than_the_event_takes_in_all_are_listed(
    session: Any, *, limit: int, listed: bool
) -> None:
    publications.field(5, 5)

    def so_many(document: dict[str, Any]) -> None:
        document["registration"]["entries_in_all"] = {"limit": limit, "clause": "三(二)2"}

    edition = published("beach", so_many)
    assert edition.impact is not None
    over = {"entries": 5, "limit": limit, "clause": "三(二)2"} if listed else None
    assert edition.impact["entries"]["over_limit"] == over
    assert affects_nobody(edition.impact) is not listed
    for names in (queries.staff_names(edition.event_id), queries.public_names(edition.event_id)):
        said = [str(row) for lines in impact_lines(edition.impact, names) for row in lines.rows]
        assert said == ([f"已有 5 个报名，超过总数 {limit}（规程 三(二)2）"] if listed else [])


def test_the_window_of_the_list_moves_with_the_deadline(session: Any) -> None:
    registrations.competition()
    edition = published("beach", date("registration_closes", "2021-11-01T18:00:00+08:00"))
    assert edition.impact is not None
    assert {each["key"]: (each["before"], each["after"]) for each in edition.impact["windows"]} == {
        "calendar.registration_closes": ("2021-10-31T18:00:00+08:00", "2021-11-01T18:00:00+08:00"),
        "publication": ("2021-11-06T00:00:00+08:00", "2021-11-09T00:00:00+08:00"),
    }


def test_days_of_a_year_without_a_calendar_are_refused_with_the_clause_and_the_page_to_enter_them(
    session: Any,
) -> None:
    registrations.competition()
    unknown = max(workdays.calendar().years) + 1

    def edit(document: dict[str, Any]) -> None:
        document["calendar"]["registration_closes"]["at"] = f"{unknown}-03-01T18:00:00+08:00"
        for key, day in {
            "check_in": "04",
            "play_from": "05",
            "play_to": "06",
            "leave_by": "07T12:00:00+08:00",
        }.items():
            document["calendar"][key]["at"] = f"{unknown}-04-{day}"

    with pytest.raises(WorkdaysMissingError, match=str(unknown)) as refused:
        published("beach", edit)
    assert refused.value.clause == "三(四)1"
    assert refused.value.extra["page"] == "/staff/workdays"


def test_the_deadline_stays_once_the_list_is_public(session: Any, travel: Travel) -> None:
    publications.published_field(travel, 9, 3)
    with pytest.raises(DeadlineFixedError):
        published("beach", date("registration_closes", "2021-11-02T18:00:00+08:00"))


def test_a_deadline_is_not_moved_into_the_past(session: Any, travel: Travel) -> None:
    registrations.competition()
    travel(datetime(2021, 10, 28, 9, 0, tzinfo=BEIJING))
    with pytest.raises(DeadlinePastError) as refused:
        published("beach", date("registration_closes", "2021-10-27T18:00:00+08:00"))
    assert refused.value.clause == "三(三)1"
    edition = published("beach", date("registration_closes", "2021-10-29T18:00:00+08:00"))
    assert edition.number == 2


def test_a_round_that_is_being_played_is_finished_under_the_new_version(session: Any, travel: Travel) -> None:
    """One table has handed in its ten deals, one has recorded five of them, one none."""
    prelim = results.prelim(travel)
    results.confirmed(prelim.tables[0])
    results.recorded(prelim.tables[1], results.deals(prelim.tables[1])[:5])
    with pytest.raises(NotScoreableError):  # the first table has played more than eight
        published("beach", option("deals_per_stage", 8))
    published("beach", option("deals_per_stage", 12))
    assert results_queries.sheet(prelim.tables[0].token).deals_wanted == 12
    for table in prelim.tables[1:]:
        results.confirmed(table, results.deals(table, count=12))
    snapshot = recomputed("beach")
    assert snapshot.result["placings"]
    assert standings.replayed(event_of("beach"), "prelim", 1)[1] == []
    assert verified(event_of("beach"))["verified"]


def test_deals_on_an_open_sheet_are_not_too_many_by_the_new_version(session: Any, travel: Travel) -> None:
    """Nothing is confirmed, but nine deals are recorded at a table that would only play eight."""
    prelim = results.prelim(travel)
    results.recorded(prelim.tables[1], results.deals(prelim.tables[1])[:9])
    published("beach", option("deals_per_stage", 8))
    results.confirmed(prelim.tables[1])


def test_a_chain_changed_after_the_first_result_is_the_chief_referees_ruling(
    session: Any, travel: Travel
) -> None:
    two_rounds(travel)
    organiser = registrations.committee(SLUG)
    with pytest.raises(ForbiddenError):
        published(SLUG, chain("match_points", "violations"), organiser)
    draft = regulations.open_draft(event_of(SLUG).id)
    assert draft is not None
    with pytest.raises(RulingUnconfirmedError), command(amendments.chief(SLUG)) as ctx:
        service.publish(ctx, draft.id, reason="改", base_revision=draft.revision)
    assert len(regulations.editions(event_of(SLUG).id)) == 1


def test_before_the_first_result_the_committee_changes_the_chain(session: Any, travel: Travel) -> None:
    rounds.field(travel)
    edition = published(
        SLUG, chain("match_points", "violations"), registrations.committee(SLUG), ruling=False
    )
    assert not edition.ruling


def test_results_that_the_new_version_cannot_read_refuse_it(session: Any, travel: Travel) -> None:
    prelim = results.prelim(travel)
    results.confirmed(prelim.tables[0])
    with pytest.raises(NotScoreableError) as refused:
        published("beach", option("deals_per_stage", 4))
    assert refused.value.fields
    assert len(regulations.editions(prelim.event_id)) == 1


def test_stages_that_were_drawn_stay(session: Any, travel: Travel) -> None:
    results.prelim(travel)

    def renamed(document: dict[str, Any]) -> None:
        document["stages"] = document["stages"][:2]
        document["stages"][1]["kind"] = "final"

    with pytest.raises((NotScoreableError, RegulationFileError)):
        published("beach", renamed)


def test_a_wrong_draft_is_refused_with_every_problem(session: Any) -> None:
    registrations.competition()

    def broken(document: dict[str, Any]) -> None:
        document["calendar"]["play_to"]["at"] = "2020-01-01"
        document["registration"]["entries_per_unit"]["limit"] = -3

    with pytest.raises(RegulationFileError) as refused:
        published("beach", broken)
    assert len(refused.value.problems) >= 1


def test_a_draft_like_the_version_in_force_is_no_version(session: Any) -> None:
    registrations.competition()
    with pytest.raises(NothingChangedError):
        published("beach", lambda document: None)


def test_another_regulation_is_no_version_of_this_one(session: Any) -> None:
    registrations.competition()
    with pytest.raises(AnotherRegulationError):
        published("beach", lambda document: document.update(id="something-else-2021"))


def test_a_draft_saved_after_its_impact_was_shown_is_not_published(session: Any) -> None:
    registrations.competition()
    with pytest.raises(DraftMovedError) as refused:
        published("beach", date("play_to", "2021-12-06"), base_revision=1)
    assert refused.value.extra == {"revision": 2}


@pytest.mark.parametrize("reason", ["", "  ", "长" * 501])
def test_a_version_needs_its_reason(session: Any, reason: str) -> None:
    registrations.competition()
    with pytest.raises(InvalidError) as refused:
        published("beach", date("play_to", "2021-12-06"), reason=reason)
    assert "reason" in refused.value.fields


def test_a_referee_publishes_nothing(session: Any) -> None:
    registrations.competition()
    draft_id = drafted("beach", date("play_to", "2021-12-06"))
    referee = accounts.user(9300, Role.REFEREE, competition_id=competitions.competition_id("beach"))
    with pytest.raises(ForbiddenError), command(referee) as ctx:
        service.publish(ctx, draft_id, reason="改", base_revision=2)


def put_in_force(by: Actor = SYSTEM) -> int:
    with command(by) as ctx:
        return service.put_in_force(ctx)


def test_a_version_comes_into_force_at_the_moment_it_says(session: Any, travel: Travel) -> None:
    registrations.competition()
    starts = datetime(2021, 10, 26, 8, 0, tzinfo=BEIJING)
    edition = published("beach", date("play_to", "2021-12-06"), in_force_from=starts)
    event = event_of("beach")
    assert event.regulation_version_id != edition.regulation_version_id
    assert put_in_force() == 0
    with pytest.raises(VersionPendingError):
        published("beach", date("play_to", "2021-12-07"))
    travel(starts)
    assert queries.pending(event.id, starts) is None
    assert put_in_force() == 1
    assert event_of("beach").regulation_version_id == edition.regulation_version_id
    assert put_in_force() == 0


@pytest.mark.parametrize("away", [timedelta(minutes=-5), timedelta(days=61)])
def test_a_version_comes_into_force_neither_in_the_past_nor_far_away(session: Any, away: timedelta) -> None:
    registrations.competition()
    moment = datetime(2021, 10, 25, 12, 0, tzinfo=BEIJING) + away
    with pytest.raises(InvalidError) as refused:
        published("beach", date("play_to", "2021-12-06"), in_force_from=moment)
    assert "in_force_from" in refused.value.fields


def test_a_change_back_is_a_version_of_its_own(session: Any) -> None:
    registrations.competition()
    published("beach", date("play_to", "2021-12-06"))
    third = published("beach", date("play_to", "2021-12-05"))
    assert third.number == 3
    assert third.regulation_version_id == regulations.edition(third.event_id, 1).regulation_version_id
    assert event_of("beach").regulation_version_id == third.regulation_version_id

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from app.actors import ANONYMOUS, Role
from app.commands import command
from app.competitions import queries, service
from app.competitions.models import Competition
from app.competitions.rules import Phase, UnknownCompetitionError, phase
from app.errors import ForbiddenError, InvalidError, SignInRequiredError
from tests.factories import accounts
from tests.factories import competitions as factory

BEIJING_CLOSE = datetime(2021, 10, 31, 10, 0, tzinfo=UTC)  # 18:00 in Beijing


def test_a_competition_freezes_its_regulation_with_the_organisers_dates(session: Any) -> None:
    made = factory.competition(calendar={"registration_closes": "2021-10-30T18:00:00+08:00"})
    calendar = made.event.regulation.calendar
    assert calendar.registration_closes.isoformat() == "2021-10-30T18:00:00+08:00"
    assert calendar.play_from.isoformat() == "2021-12-03"
    assert made.event.name == "公开个人赛"


def test_the_creator_becomes_organiser_and_committee_of_it(session: Any) -> None:
    by = factory.organiser()
    made = factory.competition(by)
    person = accounts.actor(by.require_signed_in())
    assert person.has(made.id, Role.COMMITTEE)
    assert not person.has(made.id, Role.REFEREE)


def test_a_second_competition_of_the_same_regulation_gets_its_own_address(session: Any) -> None:
    first = factory.competition(slug=None)
    second = factory.competition(slug=None)
    assert (first.slug, second.slug) == ("beach-games-landlord-2021", "beach-games-landlord-2021-2")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"regulation": "no-such-regulation"}, "regulation"),
        ({"slug": "Not A Slug"}, "slug"),
        ({"calendar": {"registration_closes": "2022-01-01T18:00:00+08:00"}}, "calendar.check_in"),
        ({"calendar": {"registration_closes": "yesterday"}}, "calendar.registration_closes"),
        ({"options": {"deals_per_stage": "many"}}, "options.deals_per_stage"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field_and_nothing_is_saved(
    session: Any, changes: dict[str, Any], field: str
) -> None:
    by = factory.organiser()
    with pytest.raises(InvalidError) as refused:
        factory.competition(by, **changes)
    assert field in refused.value.fields
    assert session.query(Competition).count() == 0


def test_an_address_is_given_once(session: Any) -> None:
    factory.competition()
    with pytest.raises(InvalidError) as refused:
        factory.competition()
    assert "slug" in refused.value.fields


def test_only_an_organiser_creates_competitions(session: Any) -> None:
    with pytest.raises(ForbiddenError), command(accounts.user(1)) as ctx:
        service.create_competition(ctx, regulation=factory.REGULATION, place="三亚")
    with pytest.raises(SignInRequiredError), command(ANONYMOUS) as ctx:
        service.create_competition(ctx, regulation=factory.REGULATION, place="三亚")


def test_an_unknown_address_is_not_found(session: Any) -> None:
    with pytest.raises(UnknownCompetitionError):
        queries.competition("nowhere")


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2021, 10, 1, tzinfo=UTC), Phase.ANNOUNCED),
        (BEIJING_CLOSE, Phase.OPEN),
        (BEIJING_CLOSE.replace(second=1), Phase.CLOSED),
        (datetime(2021, 12, 2, 15, 59, 59, tzinfo=UTC), Phase.CLOSED),
        (datetime(2021, 12, 2, 16, 0, tzinfo=UTC), Phase.PLAYING),
        (datetime(2021, 12, 5, 15, 59, 59, tzinfo=UTC), Phase.PLAYING),
        (datetime(2021, 12, 5, 16, 0, tzinfo=UTC), Phase.OVER),
    ],
)
def test_the_phase_changes_at_the_regulations_moments(
    session: Any, moment: datetime, expected: Phase
) -> None:
    calendar = factory.competition().event.regulation.calendar
    assert phase(calendar, moment) is expected

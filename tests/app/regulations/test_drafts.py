"""Drafts of regulations (规程草稿) and the chain of an event's versions (第 n 版)."""

from __future__ import annotations

import pytest
from sqlalchemy.orm import Session

from app.actors import ANONYMOUS, Actor, Role
from app.commands import command
from app.errors import ForbiddenError, InvalidError, SignInRequiredError
from app.regulations import library, queries, service
from app.regulations.rules.drafts import (
    DraftClosedError,
    DraftConflictError,
    DraftOpenError,
    UnknownDraftError,
    UnknownEditionError,
)
from tests.factories import accounts, competitions

BEACH = library.load("beach-games-landlord-2021")


def started(by: Actor, event_id: int | None = None, **options: object) -> int:
    with command(by) as ctx:
        return service.start_draft(ctx, event_id=event_id, **options)  # type: ignore[arg-type]  # regulation=…


def saved(by: Actor, draft_id: int, document: dict[str, object], base: int) -> int:
    with command(by) as ctx:
        return service.save_draft(ctx, draft_id, document, base)


def test_a_competition_is_created_with_version_1_of_its_regulation(session: Session) -> None:
    competition = competitions.competition()
    (first,) = queries.editions(competition.event.id)
    assert (first.number, first.competition_id, first.reason, first.impact) == (1, competition.id, None, None)
    assert first.regulation_version_id == competition.event.regulation_version_id
    assert first.regulation == competition.event.regulation
    assert first.in_force_from == competition.created_at
    assert queries.edition(competition.event.id, 1) == first
    with pytest.raises(UnknownEditionError):
        queries.edition(competition.event.id, 2)


def test_a_draft_begins_as_the_newest_version_and_beginning_again_goes_on_with_it(session: Session) -> None:
    organiser = competitions.organiser()
    event = competitions.competition(organiser).event
    draft_id = started(organiser, event.id)
    draft = queries.draft(draft_id)
    assert draft.document == event.regulation.document
    assert (draft.event_id, draft.revision, draft.open) == (event.id, 1, True)
    assert started(organiser, event.id) == draft_id
    assert queries.open_draft(event.id) == draft


def test_a_draft_from_another_text_is_refused_while_one_is_open(session: Session) -> None:
    organiser = competitions.organiser()
    event = competitions.competition(organiser).event
    draft_id = started(organiser, event.id)
    with pytest.raises(DraftOpenError) as refused:
        started(organiser, event.id, regulation=library.load("dongcheng-go-2021"))
    assert refused.value.extra == {"draft": draft_id}


def test_what_was_typed_is_kept_even_where_it_is_wrong(session: Session) -> None:
    organiser = competitions.organiser()
    draft_id = started(organiser, competitions.competition(organiser).event.id)
    assert saved(organiser, draft_id, {"calendar": "不知道"}, 1) == 2
    assert queries.draft(draft_id).document == {"calendar": "不知道"}


def test_saving_on_an_outdated_revision_is_refused_with_both_documents(session: Session) -> None:
    organiser = competitions.organiser()
    draft_id = started(organiser, competitions.competition(organiser).event.id)
    saved(organiser, draft_id, {"id": "first"}, 1)
    with pytest.raises(DraftConflictError) as refused:
        saved(organiser, draft_id, {"id": "second"}, 1)
    assert refused.value.extra == {
        "base_revision": 1,
        "current": {"revision": 2, "document": {"id": "first"}},
        "sent": {"document": {"id": "second"}},
    }
    assert queries.draft(draft_id).document == {"id": "first"}


def test_the_same_save_twice_is_stored_once(session: Session) -> None:
    organiser = competitions.organiser()
    draft_id = started(organiser, competitions.competition(organiser).event.id)
    assert saved(organiser, draft_id, {"id": "once"}, 1) == 2
    assert saved(organiser, draft_id, {"id": "once"}, 1) == 2


@pytest.mark.parametrize(
    "document", [{"id": "\ud800"}, {"id": "a\x00b"}, {"id": float("nan")}, {"id": "长" * 200_000}]
)
def test_what_no_database_can_hold_is_refused(session: Session, document: dict[str, object]) -> None:
    organiser = competitions.organiser()
    draft_id = started(organiser, competitions.competition(organiser).event.id)
    with pytest.raises(InvalidError):
        saved(organiser, draft_id, document, 1)


def test_a_discarded_draft_cannot_be_written_on_and_leaves_room_for_another(session: Session) -> None:
    organiser = competitions.organiser()
    event = competitions.competition(organiser).event
    draft_id = started(organiser, event.id)
    for _ in range(2):
        with command(organiser) as ctx:
            service.discard_draft(ctx, draft_id)
    assert not queries.draft(draft_id).open
    with pytest.raises(DraftClosedError):
        saved(organiser, draft_id, {}, 1)
    assert started(organiser, event.id) != draft_id


def test_a_draft_without_an_event_is_an_organisers(session: Session) -> None:
    organiser = competitions.organiser()
    draft_id = started(organiser, regulation=BEACH)
    assert queries.draft(draft_id).competition_id is None
    assert organiser.user_id is not None
    assert [each.id for each in queries.drafts_of(organiser.user_id)] == [draft_id]
    referee = accounts.user(90_000_002, Role.COMMITTEE)
    with pytest.raises(ForbiddenError):
        saved(referee, draft_id, {}, 1)


def test_only_the_competitions_own_people_write_its_draft(session: Session) -> None:
    organiser = competitions.organiser()
    competition = competitions.competition(organiser)
    draft_id = started(organiser, competition.event.id)
    with pytest.raises(SignInRequiredError):
        saved(ANONYMOUS, draft_id, {}, 1)
    elsewhere = Actor("user", 7, frozenset({(competition.id + 1, Role.COMMITTEE)}))
    with pytest.raises(ForbiddenError):
        saved(elsewhere, draft_id, {}, 1)
    with pytest.raises(UnknownDraftError):
        queries.draft(draft_id + 1000)

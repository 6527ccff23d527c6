"""A draft that becomes a competition while somebody else is at it, on both databases: nothing is published unseen, or twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from flask import Flask

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries, service
from app.competitions.rules import DraftChangedError
from app.regulations import library
from app.regulations import queries as regulations
from app.regulations import service as regulations_service
from app.regulations.rules.drafts import DraftClosedError
from app.text import BEIJING
from tests.app.registrations.test_races import at_once, refusals
from tests.factories import accounts

pytestmark = pytest.mark.usefixtures("session")

BEFORE = datetime(2021, 10, 20, 9, 0, tzinfo=BEIJING)


@pytest.fixture
def organiser(travel: Callable[[datetime], None]) -> Actor:
    travel(BEFORE)
    return accounts.user(1, Role.ORGANISER)


def begun(organiser: Actor) -> int:
    with command(organiser) as ctx:
        return regulations_service.start_draft(ctx, regulation=library.load("beach-games-landlord-2021"))


def publishing(person: Actor, draft_id: int, slug: str) -> Callable[[], object]:
    def publish() -> object:
        with command(person) as ctx:
            return service.publish_draft(ctx, draft_id, base_revision=1, place="县体育馆", slug=slug)

    return publish


def test_of_two_who_publish_one_draft_at_once_one_is_told_and_there_is_one_competition(
    app: Flask, organiser: Actor
) -> None:
    draft_id = begun(organiser)
    outcomes = at_once(app, *(publishing(organiser, draft_id, slug) for slug in ("one", "other")))
    assert refusals(outcomes) == [DraftClosedError]
    assert len(queries.competitions()) == 1


def test_what_is_saved_while_a_draft_is_published_is_published_or_told(app: Flask, organiser: Actor) -> None:
    draft_id = begun(organiser)
    document = regulations.draft(draft_id).document
    document["calendar"]["play_to"]["at"] = "2021-12-07"

    def save() -> None:
        with command(organiser) as ctx:
            regulations_service.save_draft(ctx, draft_id, document, 1)

    outcomes = at_once(app, publishing(organiser, draft_id, "one"), save)
    draft = regulations.draft(draft_id)
    if draft.open:
        assert refusals(outcomes) == [DraftChangedError]
        assert (draft.revision, draft.document) == (2, document)
        assert queries.competitions() == ()
    else:
        assert refusals(outcomes) == [DraftClosedError]
        assert queries.competition("one").event.regulation.document == draft.document


def test_the_draft_is_read_under_its_lock(organiser: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the chances of the races above: nobody can save between the reading and the end."""
    draft_id, seen = begun(organiser), list[str]()

    def noting(real: Callable[..., object], name: str) -> Callable[..., object]:
        def noted(*given: object) -> object:
            seen.append(name)
            return real(*given)

        return noted

    for module, name in ((regulations_service, "lock_draft"), (regulations, "draft_for")):
        monkeypatch.setattr(module, name, noting(getattr(module, name), name))
    publishing(organiser, draft_id, "one")()
    assert seen[:2] == ["lock_draft", "draft_for"]

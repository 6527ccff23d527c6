"""Two people at one draft at the same moment, on both databases: one is told, nothing is published unseen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from app.actors import Actor
from app.amendments import service
from app.amendments.rules import DraftMovedError
from app.commands import command
from app.regulations import queries as regulations
from app.regulations import service as regulations_service
from app.regulations.rules.drafts import DraftClosedError
from tests.app.registrations.test_races import at_once, refusals
from tests.factories import registrations
from tests.factories.amendments import chief, date, drafted

pytestmark = pytest.mark.usefixtures("session")


def publishing(person: Actor, draft_id: int, revision: int) -> Callable[[], object]:
    def publish() -> object:
        with command(person) as ctx:
            return service.publish(ctx, draft_id, reason="场馆改期", base_revision=revision)

    return publish


def test_of_two_who_publish_one_draft_at_once_one_is_told(app: Flask) -> None:
    event = registrations.competition().event
    draft_id = drafted("beach", date("play_to", "2021-12-06"))
    publish = publishing(chief("beach"), draft_id, 2)
    assert refusals(at_once(app, publish, publish)) == [DraftClosedError]
    assert [each.number for each in regulations.editions(event.id)] == [1, 2]


def test_what_is_saved_while_somebody_publishes_is_published_or_told(app: Flask) -> None:
    event = registrations.competition().event
    draft_id = drafted("beach", date("play_to", "2021-12-06"))
    person, other = chief("beach"), registrations.committee("beach")
    document = regulations.draft(draft_id).document
    document["calendar"]["play_to"]["at"] = "2021-12-07"

    def save() -> None:
        with command(other) as ctx:
            regulations_service.save_draft(ctx, draft_id, document, 2)

    outcomes = at_once(app, publishing(person, draft_id, 2), save)
    draft = regulations.draft(draft_id)
    if draft.open:
        assert refusals(outcomes) == [DraftMovedError]
        assert draft.document == document
    else:
        assert refusals(outcomes) == [DraftClosedError]
        assert regulations.editions(event.id)[-1].regulation.document == draft.document

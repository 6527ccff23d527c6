"""Two who write at once, with real threads and locks: neither text is lost without a word, and a withdrawal stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from app.actors import Actor, Role
from app.announcements import service
from app.announcements.queries import AnnouncementView
from app.announcements.rules import AnnouncementChangedError, AnnouncementText, AnnouncementWithdrawnError
from app.commands import command
from app.competitions import queries as competitions
from tests.app.documents.test_leaving_races import in_the_middle
from tests.factories import accounts
from tests.factories import announcements as make

pytestmark = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""SQLite lets one command begin after another, so nothing is in the middle."""

Scene = tuple[str, Actor, Actor, AnnouncementView]
LOCKED = (service, "_files")
"""Called once the announcement is in the hands of its writer."""


@pytest.fixture
def scene(session: object) -> Scene:
    slug = make.place()
    first = make.committee(slug)
    second = accounts.user(70_000_002, Role.COMMITTEE, competition_id=competitions.competition_id(slug))
    return slug, first, second, make.announce(first, slug)


def changing(slug: str, by: Actor, view: AnnouncementView, body: str) -> Callable[[], str]:
    def act() -> str:
        with command(by) as ctx:
            text = AnnouncementText(view.text.title, body)
            service.change(ctx, slug, view.id, text, base_revision=view.revision)
        return "changed"

    return act


def withdrawing(slug: str, by: Actor, view: AnnouncementView) -> Callable[[], str]:
    def act() -> str:
        with command(by) as ctx:
            service.withdraw(ctx, slug, view.id, reason="时间写错了")
        return "withdrawn"

    return act


def test_of_two_who_change_one_at_once_the_second_is_told_and_overwrites_nothing(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug, one, other, view = scene
    outcomes = in_the_middle(
        app,
        monkeypatch,
        changing(slug, one, view, "改到九点。"),
        LOCKED,
        changing(slug, other, view, "改到十点。"),
    )
    assert outcomes[0] == "changed"
    assert isinstance(outcomes[1], AnnouncementChangedError)
    found = make.read(slug, view.id)
    assert (found.text.body, found.revision) == ("改到九点。", view.revision + 1)


def test_what_is_withdrawn_while_it_is_changed_is_withdrawn_with_its_last_words(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug, one, other, view = scene
    outcomes = in_the_middle(
        app, monkeypatch, changing(slug, one, view, "改到九点。"), LOCKED, withdrawing(slug, other, view)
    )
    assert outcomes == ["changed", "withdrawn"]
    found = make.read(slug, view.id)
    assert (found.text.body, found.withdrawn_reason) == ("改到九点。", "时间写错了")


def test_what_is_changed_while_it_is_withdrawn_stays_as_it_was(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug, one, other, view = scene
    outcomes = in_the_middle(
        app,
        monkeypatch,
        withdrawing(slug, one, view),
        (service.rules, "require_reason"),
        changing(slug, other, view, "改到九点。"),
    )
    assert outcomes[0] == "withdrawn"
    assert isinstance(outcomes[1], AnnouncementWithdrawnError)
    assert make.read(slug, view.id).text == view.text


def test_one_written_twice_at_once_under_one_key_is_there_once(
    app: Flask, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug, one, _, _ = scene

    def publish() -> int:
        with command(one) as ctx:
            text = AnnouncementText("改期通知", "改到九点。")
            return service.announce(ctx, slug, text, idempotency_key="one-tap-twice")

    first, second = in_the_middle(app, monkeypatch, publish, (service.rules, "publication_time"), publish)
    assert first == second

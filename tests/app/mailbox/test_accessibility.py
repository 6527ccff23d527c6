"""The pages on which letters are sorted, for people who cannot see, or use no mouse, or have a phone: axe finds nothing there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from app.actors import Role
from app.commands import command
from app.frontend.build import build
from app.mailbox import service
from app.mailbox.rules import bind_letters
from tests import axe, services
from tests.app.documents.serving import SITE, attach
from tests.conftest import ROOT
from tests.factories import accounts, competitions, mail
from tests.factories.uploads import photo

pytestmark = pytest.mark.browser

ARTIFACTS = services.ROOT / "test-artifacts" / "mailbox"
LONG = "https://files.example.cn/" + "a1b2c3d4e5" * 30


@pytest.fixture
def show(client: FlaskClient, chromium: Browser) -> Iterator[Callable[[int, str], Page]]:
    """``show(width, language)``: a page of that width whose requests the application answers."""
    build(ROOT)
    client.application.extensions.pop("saishi_manifest", None)  # the sources may just have been built
    opened = []

    def start(width: int, language: str) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": 800})
        opened.append(context)
        attach(context, client, ROOT / "app" / "static")
        client.set_cookie("lang", language)
        return context.new_page()

    yield start
    for each in opened:
        each.close()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("width", "language"), [(360, "zh"), (1280, "en")])
def test_axe_finds_nothing_where_letters_are_sorted_and_long_lines_break(
    app: Flask, client: FlaskClient, show: Callable[[int, str], Page], width: int, language: str
) -> None:
    with app.app_context():
        competition = competitions.competition()
        reader = accounts.user(1, Role.COMMITTEE)
        files = (("公" * 60 + ".jpg", photo()), ("x" * 140 + ".pdf", b"%PDF"), ("空.pdf", b""))
        bind_letters(mail.Cases(competition.id, takes=False))
        placed = mail.processed(
            mail.letter(1, subject="标题" + "很长" * 60, text=f"见 {LONG}\n\n说明。", files=files)
        )
        bind_letters(mail.Cases(None, takes=False))
        sender = "a" * 60 + "@" + "b" * 60 + ".example.cn"
        unplaced = mail.processed(
            mail.letter(2, subject="Q" * 300, text="W" * 2000, sender=f"{'N' * 90} <{sender}>")
        )
        aside = mail.processed(mail.letter(3, text="广告"))
        with command(reader) as ctx:
            service.set_aside(ctx, aside, note="垃圾邮件" * 30 + "z" * 150)
            service.note_failure(ctx, "INBOX", "no_tls")
    page = show(width, language)
    page.emulate_media(color_scheme="dark" if width == 360 else "light")
    accounts.sign_in(client, reader)
    told: dict[str, list[str]] = {}
    for number, path in enumerate(
        (
            *("/staff/mail", "/staff/mail?state=processed", "/staff/mail?state=set_aside"),
            f"/staff/c/{competition.slug}/mail",
            *(f"/staff/mail/{each}" for each in (placed, unplaced, aside)),
        )
    ):
        opened = page.goto(SITE + path)
        assert opened is not None
        assert opened.status == 200, path
        assert page.locator("h1").count() == 1, path
        told[path] = axe.violations(page)
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            told[path].append(f"{wide} wide")
        page.screenshot(path=ARTIFACTS / f"{width}-{number}.png", full_page=True)
    assert {path: found for path, found in told.items() if found} == {}

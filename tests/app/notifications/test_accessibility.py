"""E-mail settings, outbox, previews and opting out for people who cannot see, or use no mouse: axe finds nothing there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from app.actors import SYSTEM
from app.commands import command
from app.frontend.build import build
from app.notifications import letters, links, queries, service
from app.notifications.letters import LETTERS, Address, LetterKind
from app.notifications.rules import Recipient, Refusal
from tests import axe
from tests.app.documents.serving import SITE, attach
from tests.conftest import ROOT
from tests.factories import accounts, competitions

pytestmark = pytest.mark.browser


@pytest.fixture
def show(client: FlaskClient, chromium: Browser) -> Iterator[Callable[[int, str], Page]]:
    """``show(width, language)``: a page of that width whose requests the application answers."""
    build(ROOT)
    client.application.extensions.pop(
        "saishi_manifest", None
    )  # read anew: the sources may just have been built
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
def test_axe_finds_nothing_on_the_pages_about_mail(
    app: Flask, client: FlaskClient, show: Callable[[int, str], Page], width: int, language: str
) -> None:
    with app.app_context():
        organiser = competitions.organiser()
        competition = competitions.competition(organiser)
        for refusal in (
            None,
            Refusal("RCPT 550 5.1.1", permanent=True),
            Refusal("end of DATA", uncertain=True),
        ):
            with command(SYSTEM) as ctx:
                queued = service.queue_letter(
                    ctx,
                    kind=LetterKind.CONFIRM_EMAIL,
                    to=Recipient(None, "leader@example.org", None),
                    competition_id=competition.id,
                    context={"link_to": Address("/me/email/confirm/x"), "hours": 24},
                )
                assert queued is not None
                sent = service.claim(ctx, queued)
                assert sent is not None
                service.record_delivery(ctx, sent, refusal)
        stop = links.stop_path(queries.address_hash("leader@example.org"))
    page = show(width, language)
    page.emulate_media(color_scheme="dark" if width == 360 else "light")
    accounts.sign_in(client, organiser)
    told: dict[str, list[str]] = {}
    for path in (
        *("/me/email", "/me/email/confirm/x", stop, f"/staff/c/{competition.slug}/outbox", "/staff/letters"),
        "/staff/letters/confirm_email",
    ):
        opened = page.goto(SITE + path)
        assert opened is not None
        assert opened.status == 200, path
        assert page.locator("h1").count() == 1, path
        told[path] = axe.violations(page)
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            told[path].append(f"{wide} wide")
    assert {path: found for path, found in told.items() if found} == {}


@pytest.mark.parametrize("kind", list(LetterKind))
def test_a_letter_fits_a_phone_and_its_words_stand_out_on_light_and_dark(
    chromium: Browser, kind: LetterKind
) -> None:
    for scheme in ("light", "dark"):
        page = chromium.new_page(viewport={"width": 360, "height": 640}, color_scheme=scheme)
        for language in letters.LANGUAGES:
            stop = None if LETTERS[kind].essential else Address("/mail/sample")
            made = letters.render(kind, language, LETTERS[kind].sample, stop=stop, reply_to=True)
            page.set_content(made.html)
            assert page.evaluate("document.documentElement.scrollWidth") == 360
            wrong = [each for each in axe.violations(page) if "contrast" in each]
            assert wrong == [], (scheme, language)
        page.close()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("width", [360, 1280])
def test_the_frame_of_a_preview_is_as_high_as_its_letter(
    app: Flask, client: FlaskClient, show: Callable[[int, str], Page], width: int
) -> None:
    with app.app_context():
        organiser = competitions.organiser()
    page = show(width, "zh")
    accounts.sign_in(client, organiser)
    for kind in (LetterKind.CONFIRM_EMAIL, LetterKind.ROUND_RESULTS):
        page.goto(f"{SITE}/staff/letters/{kind.value}")
        page.wait_for_function("document.querySelector('[data-fit]').style.height !== ''")
        frame, letter = page.evaluate(
            "() => { const f = document.querySelector('[data-fit]'), d = f.contentDocument.documentElement;"
            " return [f.clientHeight, Math.ceil(d.getBoundingClientRect().height)] }"
        )
        assert letter <= frame, "nothing of it has to be scrolled to"
        assert page.evaluate(
            "document.querySelector('[data-fit]').contentDocument.scripts.length === 0"
            " && !document.querySelector('[data-fit]').sandbox.contains('allow-scripts')"
        )

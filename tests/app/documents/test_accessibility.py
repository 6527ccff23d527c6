"""Signing and privacy for people who cannot see, or use no mouse: axe finds nothing on any of their pages, in either language."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from app.actors import Actor, Role
from app.clock import BEIJING
from app.competitions import queries as competitions
from app.documents.queries import deletions as deletion_queries
from app.documents.queries import purging
from app.frontend.build import build
from tasks import registrations as purge_tasks
from tests import axe
from tests.app.documents import reviewing
from tests.app.documents.serving import SITE, attach
from tests.app.documents.test_deletions import AFTER_DEADLINE, ask
from tests.conftest import NOON, ROOT
from tests.factories import accounts, documents, reviews
from tests.factories import registrations as make
from tests.factories import undertakings as undertakings_factory

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]
API = "/api/v1/competitions/beach/my/documents"
Seen = list[tuple[Actor | None, str, dict[str, str] | None]]
"""Who opens which page; what he sends there first, where the page is what comes back of it."""


@pytest.fixture(scope="session")
def static() -> Path:
    build(ROOT)
    return ROOT / "app" / "static"


class Site:
    """A leader of two members, one of whom has signed; a proof that was looked at, a request, a competition that was purged."""

    def __init__(self, app: Flask, client: FlaskClient, travel: Any) -> None:
        self.app, self.client, self.travel = app, client, travel
        with app.app_context():
            make.competition("over")
            reviews.document(make.submitted(20, slug="over"), slug="over")
            travel(datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING))
            purge_tasks.purge.run()
            [self.report] = purging.reports(competitions.competition("over"))
            travel(NOON)
            make.competition()
            self.leader = make.submitted(1, members=2)
            self.organiser = accounts.user(make.ORGANISER, Role.ORGANISER)
            self.first = documents.first_member(self.leader)
            proof = reviews.document(self.leader, picture=reviews.photo(90, 120))
            self.form = reviews.document(self.leader, "entry_form", {}, member=None)
            reviewing.look_at(reviews.reviewer(), proof, 0, 1)
            self.proof = proof
            self.bearer = accounts.bearer(app, self.leader)
        made = client.post(f"{API}/m{self.first}/waiver/undertaking/link", headers=self.bearer)
        parts = urlsplit(made.json["address"])
        self.link = f"{parts.path}?{parts.query}"
        self.one = f"/c/beach/my/documents/m{self.first}/waiver"

    def unsigned(self) -> Seen:
        """Signing, and everything of privacy that a leader reads."""
        own = "/c/beach/my/data"
        return [
            (self.leader, self.one, None),
            (self.leader, f"{self.one}/sign", None),
            (self.leader, f"{self.one}/sign", {"strokes": "[]"}),
            (
                self.leader,
                f"{self.one}/sign",
                {"text": "an older text", "strokes": undertakings_factory.STROKES},
            ),
            (self.leader, f"{self.one}/sign/link?{self.link.partition('?')[2]}", None),
            (None, self.link, None),
            (None, "/undertakings", None),
            (None, "/undertakings?fingerprint=", None),
            (None, f"/undertakings?fingerprint={'0' * 64}", None),
            (self.leader, own, None),
            (self.leader, f"{own}/{self.first}", None),
            (self.leader, f"{own}/unit", None),
            (self.leader, f"{own}/{self.first}/delete", None),
            (self.leader, f"{own}/{self.first}/delete?document_id={self.proof}", None),
            (self.leader, f"{own}/unit/delete?document_id={self.form}", None),
        ]

    def signed(self) -> Seen:
        """The same once it is signed, and what the committee sees of requests, holds and reports."""
        fingerprint = undertakings_factory.text_of(self.leader).sha256
        undertakings_factory.sign(self.leader)
        return [
            (self.leader, f"{self.one}/sign", None),
            (None, self.link, None),
            (None, f"/undertakings?fingerprint={fingerprint}", None),
        ]

    def kept(self) -> Seen:
        self.travel(AFTER_DEADLINE)
        ask(self.leader, self.first)
        [asked] = deletion_queries.requests(competitions.competition("beach"))
        staff, request = "/staff/c/beach/privacy", f"/staff/c/beach/privacy/requests/{asked.id}"
        return [
            (self.organiser, staff, None),
            (self.organiser, f"{staff}/hold", {"reason": "", "until": "x"}),
            (self.organiser, request, None),
            (self.organiser, request, {}),
            (self.organiser, request, {"grant": "0"}),
            (self.organiser, "/staff/c/over/privacy", None),
            (self.organiser, f"/staff/c/over/privacy/reports/{self.report.id}", None),
            (self.leader, f"/c/beach/my/data/{self.first}", None),
        ]


@pytest.fixture
def site(app: Flask, client: FlaskClient, travel: Any) -> Site:
    app.extensions.pop("saishi_manifest", None)  # read anew: the sources may just have been built
    return Site(app, client, travel)


@pytest.mark.parametrize(("width", "language"), [(360, "zh"), (1280, "en")])
def test_axe_finds_nothing_on_the_pages_of_signing_and_privacy(
    site: Site, chromium: Browser, static: Path, width: int, language: str
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800})
    attach(context, site.client, static)
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if width == 360 else "light")
    site.client.set_cookie("lang", language)
    told: dict[str, list[str]] = {}
    for pages in (site.unsigned, site.signed, site.kept):
        with site.app.app_context():
            seen = pages()
        for person, path, sent in seen:
            with site.client.session_transaction() as cookies:
                cookies.clear()
            if person is not None:
                accounts.sign_in(site.client, person)
            opened = page.goto(SITE + path.removesuffix("/hold"))
            assert opened is not None
            assert opened.status in {200, 422}, path
            if sent is not None:
                with page.expect_navigation():
                    page.evaluate(SEND, [path, sent])
            assert page.locator("h1").count() == 1, path
            told[f"{path} {sent or ''}"] = axe.violations(page)
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                told[f"{path} {sent or ''}"].append(f"{wide} wide")
    context.close()
    assert {path: found for path, found in told.items() if found} == {}


SEND = """([path, sent]) => {
  const form = [...document.forms].find((each) => new URL(each.action).pathname === path);
  for (const [name, value] of Object.entries(sent)) {
    const field = form.elements[name];
    if (field && 'value' in field && field.type !== 'submit') field.value = value;
    else form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  setTimeout(() => HTMLFormElement.prototype.submit.call(form));
}"""

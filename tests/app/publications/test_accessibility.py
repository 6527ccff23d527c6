"""Lists, their desk, a hearing and the reports for people who cannot see, or use no mouse: axe finds nothing, nothing is too wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from app.actors import Actor
from app.frontend.build import build
from app.registrations import queries as registrations_queries
from tests import axe
from tests.app.documents.serving import SITE, attach
from tests.app.registrations.overriding import young_field
from tests.conftest import ROOT
from tests.factories import accounts, objections, publications, registrations, reports
from tests.factories.publications import Travel

pytestmark = pytest.mark.browser

STAFF, PUBLIC = "/staff/c/beach", "/c/beach"


@pytest.fixture
def show(client: FlaskClient, chromium: Browser) -> Iterator[Callable[[int, str], Page]]:
    """``show(width, language)``: a page of that width whose requests the application answers."""
    build(ROOT)
    # read anew: the sources may just have been built
    client.application.extensions.pop("saishi_manifest", None)
    opened = []

    def start(width: int, language: str) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme="dark" if width == 360 else "light"
        )
        opened.append(context)
        attach(context, client, ROOT / "app" / "static")
        client.set_cookie("lang", language)
        return context.new_page()

    yield start
    for each in opened:
        each.close()


def wrong(page: Page, width: int) -> list[str]:
    found = axe.violations(page)
    if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
        found.append(f"{wide} wide")
    return found


def looked_at(page: Page, width: int, *paths: str) -> dict[str, list[str]]:
    """What is wrong with each of these pages; nothing of a page that is in order."""
    told = {}
    for path in paths:
        opened = page.goto(SITE + path)
        assert opened is not None
        assert opened.status == 200, path
        assert page.locator("h1").count() == 1, path
        told[path] = wrong(page, width)
    return {path: found for path, found in told.items() if found}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("as_seen", [(360, "zh"), (360, "en"), (1280, "en")])
def test_axe_finds_nothing_on_a_list_its_desk_its_hearing_and_its_reports(
    app: Flask,
    client: FlaskClient,
    show: Callable[[int, str], Page],
    travel: Travel,
    as_seen: tuple[int, str],
) -> None:
    width, language = as_seen
    with app.app_context():
        first = publications.published_field(travel, 6, 3)
        leader, other = (registrations.leader(serial, with_unit=False) for serial in (1, 2))
        for each in (leader, other):
            reports.mailbox(each)
        committee, member = registrations.committee(), objections.member()
        publications.supersede(1, [first.entries[-1].entry_id])
        gone = first.entries[0].entry_id
        case = objections.accepted(other, [gone], member)
        (entry,) = registrations_queries.named([gone]).values()
        hearing = objections.heard(case, member, entry.unit_id)
        reports.write()
    page = show(width, language)
    told = looked_at(
        page,
        width,
        *(f"{PUBLIC}/publications", f"{PUBLIC}/publications/1", f"{PUBLIC}/publications/2"),
        *(f"{PUBLIC}/publications/2/verify", f"{PUBLIC}/publications/2/verify?sha={'0' * 64}"),
        f"{PUBLIC}/publications/1/verify?sha={first.sha256}",
    )

    def signed_in(person: Actor, *paths: str) -> None:
        accounts.sign_in(client, person)
        told.update(looked_at(page, width, *paths))

    signed_in(
        committee,
        *(f"{STAFF}/publication", f"{STAFF}/publication/1/correction", f"{STAFF}/publication/2/correction"),
        *(f"{STAFF}/publication/2/finish", f"{STAFF}/reports", f"{STAFF}/outbox"),
    )
    signed_in(member, f"{STAFF}/objections", f"{STAFF}/objections/{case}", f"{STAFF}/mail")
    signed_in(
        leader, f"{PUBLIC}/objections", f"{PUBLIC}/objections/hearings/{hearing}", f"{PUBLIC}/objections/new"
    )
    assert told == {}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_axe_finds_nothing_in_the_dialog_of_an_override_and_in_its_refusal(
    app: Flask, client: FlaskClient, show: Callable[[int, str], Page], language: str
) -> None:
    with app.app_context():
        committee, entry_id = young_field()
    accounts.sign_in(client, committee)
    page = show(360, language)
    page.goto(f"{SITE}{STAFF}/entries/{entry_id}")
    page.locator("[data-dialog=override]").click()
    dialog = page.locator("dialog#override")
    dialog.wait_for()
    assert wrong(page, 360) == []
    dialog.locator("button[type=submit]").click()
    page.locator(
        "dialog#override[open] .is-wrong, dialog#override[open] [aria-invalid=true]"
    ).first.wait_for()
    assert wrong(page, 360) == []

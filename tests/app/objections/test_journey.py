"""A unit objects by phone with photos of its letter and evidence; the committee upholds; the public page shows it without names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import select

from app.actors import Actor
from app.competitions import queries as competitions
from app.extensions import db
from app.frontend.build import build
from app.objections.models import Objection
from app.registrations import queries as registrations
from app.uploads import queries as uploads_queries
from app.uploads.models import Upload
from tests import axe
from tests.app.documents.serving import SITE, attach
from tests.conftest import ROOT
from tests.factories import accounts, publications, uploads
from tests.factories import objections as make

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]

Travel = Callable[[datetime], None]


@pytest.fixture(scope="session")
def static() -> Path:
    build(ROOT)
    return ROOT / "app" / "static"


class Hands:
    """One phone that changes hands, and the worker that checks what it sends."""

    def __init__(self, app: Flask, client: FlaskClient, browser: Browser, static: Path, folder: Path) -> None:
        self.app, self.client, self.folder = app, client, folder
        self.context: BrowserContext = browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, locale="zh-CN"
        )
        attach(self.context, client, static)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def open(self, person: Actor | None, path: str) -> Page:
        if person is not None:
            accounts.sign_in(self.client, person)
        self.page.goto(SITE + path)
        return self.page

    def check_uploads(self, person: Actor) -> None:
        """What the worker does with everything this person has sent."""
        with self.app.app_context():
            tokens = list(db.session.scalars(select(Upload.token).where(Upload.user_id == person.user_id)))
            for token in tokens:
                uploads.check(
                    uploads_queries.mine(person.require_signed_in(), token), self.folder / "checking"
                )

    def photograph(self, place: str, serial: int, person: Actor) -> None:
        """Take a photo in the field ``place``, and wait until it may be handed in."""
        field = self.page.locator(f"#upload-{place}")
        field.locator("input[data-file][multiple]").set_input_files(
            [{"name": "照片.jpg", "mimeType": "image/jpeg", "buffer": uploads.photo(serial)}]
        )
        shown = field.locator("[data-page]")
        expect(shown).to_have_attribute("data-state", re.compile("waiting|checking"), timeout=20_000)
        self.check_uploads(person)
        expect(shown).to_have_attribute("data-state", "ready", timeout=20_000)

    def look(self, person: Actor | None, name: str, path: str) -> None:
        """The page at 360 px in both languages: nothing sideways, nothing that axe finds; a picture to look at."""
        self.page.set_viewport_size({"width": 360, "height": 780})
        for language in ("zh", "en"):
            page = self.open(person, f"{path}?lang={language}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, (name, language)
            assert axe.violations(page) == [], (name, language)
            page.screenshot(path=str(self.folder / f"{name}-{language}.png"), full_page=True)
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.open(person, f"{path}?lang=zh")


@pytest.fixture
def phone(
    app: Flask, client: FlaskClient, chromium: Browser, static: Path, tmp_path: Path
) -> Iterator[Hands]:
    app.extensions.pop("saishi_manifest", None)
    (tmp_path / "checking").mkdir()
    hands = Hands(app, client, chromium, static, tmp_path)
    yield hands
    hands.context.close()
    assert hands.faults == []


def test_a_unit_objects_by_phone_and_the_list_is_superseded(phone: Hands, app: Flask, travel: Travel) -> None:
    with app.app_context():
        publications.published_field(travel, entrants=6)
        event = competitions.competition("beach").event
        units = registrations.led_units(event.competition_id)
        reporter, other = (accounts.actor(each.leader_user_id) for each in units[:2])
        entry = next(e for e in registrations.approved_entries(event.id) if e.unit_id == units[1].id)
        member = make.member(0)
    phone.look(None, "stranger", "/c/beach/objections/new")
    phone.look(reporter, "new", "/c/beach/objections/new")
    page = phone.page
    page.get_by_label("选手").select_option(str(entry.entry_id))
    page.get_by_label("内容和理由").fill("该选手不是该单位的正式员工。")
    page.get_by_label("真实姓名").fill("钱试举")
    phone.photograph("objection-letter", 1, reporter)
    phone.photograph("objection-evidence", 2, reporter)
    page.get_by_role("button", name="实名提交异议").click()
    expect(page.get_by_role("heading", name=re.compile("异议 YY2021-"))).to_be_visible()
    with app.app_context():
        number = db.session.scalars(select(Objection.number)).one()
        receipt = f"/c/beach/objections/r/{make.token_of(number)}"
    phone.look(reporter, "receipt", receipt)
    phone.look(member, "queue", "/staff/c/beach/objections")
    case = f"/staff/c/beach/objections/{number}"
    phone.look(member, "case", case)
    page.get_by_role("button", name="受理", exact=True).click()
    expect(page.get_by_text("已受理", exact=True)).to_be_visible()
    page.locator("#ask summary").click()
    page.locator("#ask").get_by_label("询问").fill("请说明该选手与贵单位的用工关系。")
    page.get_by_role("button", name="发出询问").click()
    expect(page.get_by_text("已向对方征求意见", exact=True)).to_be_visible()
    phone.look(other, "mine", "/c/beach/objections")
    page.locator("a[href*='/objections/hearings/']").click()
    hearing = page.url.removeprefix(SITE).partition("?")[0]
    phone.look(other, "hearing", hearing)
    expect(page.locator("main")).not_to_contain_text("钱试举")
    expect(page.locator("main")).not_to_contain_text(units[0].name)
    page.get_by_label("您单位的意见").fill("该选手是借调来的。")
    page.get_by_role("button", name="提交答复").click()
    expect(page.get_by_text("已答复")).to_be_visible()
    phone.look(member, "answered", case)
    decide = page.locator("#decide")
    decide.locator("input[name=upheld][value=true]").check(force=True)
    decide.locator("[name=reasons]").fill("经核实，该选手是借调人员，不符合规程。")
    decide.locator("[name=summary]").fill("一名选手不符合用工要求，取消资格。")
    page.get_by_role("button", name="作出决定").click()
    expect(page.get_by_text("决定已生效")).to_be_visible()
    phone.look(member, "decided", case)
    accounts.sign_in(phone.client, reporter)
    phone.look(reporter, "closed", receipt)
    with phone.client.session_transaction() as cookies:
        cookies.clear()
    phone.look(None, "public", "/c/beach/publications")
    shown = page.locator("main")
    expect(shown).to_contain_text("一名选手不符合用工要求，取消资格。")
    expect(shown).not_to_contain_text("钱试举")
    expect(page.locator("[data-list]")).not_to_contain_text(entry.name)

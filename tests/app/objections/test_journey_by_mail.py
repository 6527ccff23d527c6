"""A unit objects by mail: a real IMAP server, worker and SMTP server; the committee decides in a browser, and the public reads it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from app import jobs
from app.accounts.models import User
from app.actors import SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.database import person_hash
from app.extensions import db
from app.frontend.build import build
from app.jobs import Job
from app.objections.models import Objection
from app.objections.queries import cases
from app.registrations import queries as registrations
from tests import services
from tests.app.documents.serving import SITE, attach
from tests.conftest import ROOT, SECRET
from tests.factories import accounts, mail, publications
from tests.factories import objections as make
from tests.factories.uploads import photo
from tests.imap import imap_server
from tests.mail_servers import Handler, server

pytestmark = [
    pytest.mark.browser,
    pytest.mark.journey,
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]

Travel = Callable[[datetime], None]
SENDER = "office@unit1.example.cn"
SLOW = 90.0

WORKER = """
import sys
from datetime import datetime

from app import clock
from app.jobs import Queue

clock.now = lambda: datetime.fromisoformat(sys.argv[1])
from tasks import celery

celery.worker_main(
    ["--quiet", "worker", "--pool", "threads", "--concurrency", "2", "--loglevel", "INFO"]
    + ["--queues", ",".join(Queue)]
    + ["--without-gossip", "--without-mingle", "--without-heartbeat"]
)
"""
"""The product's worker, at the moment at which the test stands."""


@contextmanager
def worker(app: Flask, imap: str, smtp: str, now: datetime) -> Iterator[services.Program]:
    settings = app.config["SAISHI"]
    environment = services.environment(
        settings.instance,
        SAISHI_SECRET_KEY=SECRET,
        SAISHI_DATABASE_URL=settings.database_url,
        SAISHI_BROKER_URL=settings.broker_url,
        SAISHI_BASE_URL=settings.base_url,
        SAISHI_IMAP_URL=imap,
        SAISHI_SMTP_URL=smtp,
        SAISHI_MAIL_TO="office@saishi.example.cn",
        SAISHI_MAIL_FROM="saishi@saishi.example.cn",
    )
    with services.program(
        sys.executable, "-W", "ignore", "-c", WORKER, now.isoformat(), environment=environment
    ) as running:
        running.wait_for_line("ready.")
        yield running


def confirm(person: Actor) -> None:
    """The account confirmed ``SENDER`` as its own."""
    with command(SYSTEM) as ctx:
        user = ctx.session.get_one(User, person.user_id)
        user.email, user.email_hash, user.email_confirmed_at = SENDER, person_hash(SENDER), ctx.now
        ctx.session.flush()
        ctx.record(AuditAction.SIGNED_IN, user)


def wait_for(app: Flask, holds: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + SLOW
    while time.monotonic() < end:
        with app.app_context():
            if found := holds():
                return found
        time.sleep(0.2)
    raise AssertionError(what)


def case_with_files() -> str | None:
    row = db.session.scalar(select(Objection))
    if row is None:
        return None
    files = cases.case(row.id).files
    return str(row.number) if len(files) == 2 and all(each.ready for each in files) else None


def test_a_unit_objects_by_mail_and_the_public_reads_what_came_of_it(
    app: Flask, client: FlaskClient, chromium: Browser, travel: Travel, tmp_path: Path
) -> None:
    build(ROOT)
    app.extensions.pop("saishi_manifest", None)
    now = publications.AFTER_CLOSING.astimezone(UTC)
    with app.app_context():
        publications.published_field(travel, entrants=6)
        event = competitions.competition("beach").event
        units = registrations.led_units(event.competition_id)
        reporter = accounts.actor(units[0].leader_user_id)
        entry = next(e for e in registrations.approved_entries(event.id) if e.unit_id == units[1].id)
        name, reporting = entry.name, units[0].name
        member = make.member(0)
        confirm(reporter)
    taken = Handler()
    with (
        imap_server() as imap,
        server(taken) as smtp,
        worker(app, imap.url(), smtp, now) as running,
    ):
        papers = (("盖章公函.jpg", photo(1)), ("证明.jpg", photo(2)))
        said = f"我单位反映：{name}不是该单位的正式员工，见附件。"
        imap.put(mail.letter(sender=SENDER, subject="Objection", text=said, files=papers))
        jobs.send(Job.POLL_MAILBOX)
        try:
            number = wait_for(app, case_with_files, "the letter is a case, its files are checked")
            wait_for(app, lambda: SENDER in taken.recipients, "the answer is sent")
        except AssertionError as error:
            error.add_note("\n".join(running.lines[-60:]))
            raise
        assert imap.subjects() == []
        answers = [letter for letter, to in zip(taken.taken, taken.recipients, strict=True) if to == SENDER]
        assert number in words(answers[0])
        assert answers[0]["In-Reply-To"] == "<1@unit1.example.cn>"
        with app.app_context():
            row = make.row(number)
            assert (row.state, row.unit_id, row.channel) == ("received", units[0].id, "mail")
        _decide_in_a_browser(client, chromium, member, number, tmp_path)
        wait_for(app, lambda: len(_to(taken, SENDER)) >= 3, "the reporter reads of the decision")
        for letter, to in zip(taken.taken, taken.recipients, strict=True):
            if to != SENDER:
                assert reporting not in words(letter)
    with client.session_transaction() as cookies:
        cookies.clear()
    for language in ("zh", "en"):
        public = client.get(f"/c/beach/publications?lang={language}").text
        assert "一名选手不符合用工要求，取消资格。" in public
        assert "unit1.example.cn" not in public
    corrected = client.get("/api/v1/competitions/beach/publications/2").json
    assert name not in str(corrected["entries"])


def words(letter: EmailMessage) -> str:
    """Subject and texts of a letter, decoded."""
    texts = [part.get_content() for part in letter.walk() if part.get_content_maintype() == "text"]
    return "\n".join([str(letter["Subject"]), *texts])


def _to(taken: Handler, address: str) -> list[str]:
    return [each for each in taken.recipients if each == address]


def _decide_in_a_browser(
    client: FlaskClient, chromium: Browser, member: Actor, number: str, folder: Path
) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 780}, has_touch=True, locale="zh-CN")
    try:
        attach(context, client, ROOT / "app" / "static")
        accounts.sign_in(client, member)
        page = context.new_page()
        page.goto(f"{SITE}/staff/c/beach/objections/{number}?lang=zh")
        expect(page.locator("#reporter")).to_contain_text(SENDER)
        expect(page.locator("#text img")).to_have_count(2)
        page.get_by_role("button", name="受理", exact=True).click()
        expect(page.get_by_text("已受理", exact=True)).to_be_visible()
        page.locator("#decide summary").click()
        decide = page.locator("#decide")
        decide.locator("input[name=upheld][value=true]").check(force=True)
        decide.locator("[name=reasons]").fill("经核实，该选手是借调人员，不符合规程。")
        decide.locator("[name=summary]").fill("一名选手不符合用工要求，取消资格。")
        decide.locator("[name=unheard]").fill("用工证明已由社保记录证实。")
        page.screenshot(path=str(folder / "decide.png"), full_page=True)
        page.get_by_role("button", name="作出决定").click()
        expect(page.get_by_text("决定已生效")).to_be_visible()
        page.screenshot(path=str(folder / "decided.png"), full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    finally:
        context.close()

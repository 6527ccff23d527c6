"""Uploads with real processes: killed in the middle and gone on with, 200 at once, and a phone on a bad network."""

from __future__ import annotations

import hashlib
import os
import random
import re
import secrets
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import create_engine, text

from app import jobs
from app.jobs import Job
from app.settings import Settings
from tests import services
from tests.app.files.corpus import documents
from tests.factories.uploads import photo, pieces
from tests.journeys import driver
from tests.journeys.clients import NOTHING_KEPT
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import ENGINES, POSTGRESQL, SQLITE

pytestmark = pytest.mark.journey

KIB = 1024
PATIENCE = 60.0
ARTIFACTS = services.ROOT / "test-artifacts" / "uploads"


@dataclass
class Site:
    """An instance whose processes can be killed and started again on the same data and the same port."""

    environment: dict[str, str]
    folder: Path
    web: services.Program | None = None
    worker: services.Program | None = None
    journey: Any = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.environment['SAISHI_PORT']}"

    def start_web(self) -> None:
        self.web = services.Program([*services.SAISHI, "web"], environment=self.environment)
        self.web.wait_until(lambda: services.answers(self.url), what="the site answers")

    def start_worker(self) -> None:
        self.worker = services.Program([*services.SAISHI, "worker"], environment=self.environment)
        self.worker.wait_for_line("ready.")

    def stop(self) -> None:
        for running in (self.web, self.worker):
            if running is not None:
                running.stop()

    def prepare(self) -> None:
        self.journey = Journey(Instance(self.url, self.environment, self.folder))
        self.journey.appoint_organiser()
        self.journey.move_clock(driver.DURING_ENTRIES)
        self.journey.create()

    def phone(self, serial: int) -> Phone:
        self.journey.sign_in(serial)
        token = self.journey.instance.tokens[driver.people.phone(serial)]
        return Phone(self.url, self.journey.slug, token)

    def send_job(self, job: Job) -> None:
        jobs.make_celery(Settings.from_environment(self.environment)).send_task(job.value, retry=False)


def kill(running: services.Program | None) -> None:
    """End it and all it started, as a machine does that runs out of memory: nobody can say goodbye."""
    assert running is not None
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()


@contextmanager
def site(engine: str, folder: Path, **settings: str) -> Iterator[Site]:
    with ExitStack() as stack:
        settings = {"SAISHI_DEMO": "1", "SAISHI_LANGUAGE": "zh", **settings}
        if engine == POSTGRESQL:
            settings["SAISHI_DATABASE_URL"] = stack.enter_context(services.shared_postgresql()).new_database()
            settings["SAISHI_BROKER_URL"] = stack.enter_context(services.redis())
        environment = services.environment(folder / "instance", **settings)
        services.migrate(environment)
        environment["SAISHI_PORT"] = str(services.free_port())
        started = Site(environment, folder)
        stack.callback(started.stop)
        started.start_web()
        started.prepare()
        yield started


class Phone:
    """What a phone does over the API, trying again as long as nobody answers."""

    def __init__(self, url: str, slug: str, token: str) -> None:
        self.begin_at = f"{url}/api/v1/competitions/{slug}/uploads"
        self.uploads = f"{url}/api/v1/uploads"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.client = httpx.Client(
            headers=self.headers, timeout=PATIENCE, trust_env=False, verify=False, limits=NOTHING_KEPT
        )

    def ask(self, method: str, url: str, **options: Any) -> httpx.Response:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.client.request(method, url, **options)
                if answer.status_code not in {429, 503}:
                    return answer
            except httpx.TransportError:
                pass
            assert time.monotonic() < deadline, f"{method} {url} is not answered"
            time.sleep(0.1 + random.random() / 5)

    def begin(self, content: bytes, key: str = "") -> str:
        body = {
            "purpose": "proof",
            "size": len(content),
            "name": "照片.jpg",
            "idempotency_key": key or secrets.token_hex(16),
        }
        answer = self.ask("POST", self.begin_at, json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    def send(self, token: str, start: int, content: bytes) -> int:
        answer = self.ask(
            "PATCH", f"{self.uploads}/{token}", content=content, headers={"Upload-Offset": str(start)}
        )
        assert answer.status_code == 204, answer.text
        return int(answer.headers["Upload-Offset"])

    def see(self, token: str) -> dict[str, Any]:
        seen: dict[str, Any] = self.ask("GET", f"{self.uploads}/{token}").json()
        return seen

    def go_on(self, token: str, content: bytes, *, between: Callable[[int], None] = lambda _: None) -> None:
        """From the offset the server names, to the end."""
        offset = self.see(token)["offset"]
        while offset < len(content):
            between(offset)
            offset = self.send(token, offset, content[offset : offset + 64 * KIB])
        answer = self.ask("POST", f"{self.uploads}/{token}/finish")
        assert answer.status_code == 200, answer.text

    def wait_for(self, token: str, *states: str, within: float = PATIENCE) -> dict[str, Any]:
        deadline = time.monotonic() + within
        while (seen := self.see(token))["state"] not in states:
            assert time.monotonic() < deadline, f"{seen} is not {states}"
            time.sleep(0.02)
        return seen


@pytest.mark.parametrize("engine", ENGINES)
def test_whoever_is_killed_in_the_middle_nothing_is_lost(engine: str, tmp_path: Path) -> None:
    with site(engine, tmp_path) as running:
        phone = running.phone(driver.FIRST_LEADER)
        content = photo(1, 3000, 2200, 95, 300)
        token = phone.begin(content, key="key-of-the-first-photo")
        killed: list[int] = []

        def kill_the_web_once(offset: int) -> None:
            if offset >= 256 * KIB and not killed:
                killed.append(offset)
                kill(running.web)
                running.start_web()

        phone.go_on(token, content, between=kill_the_web_once)
        assert killed
        assert phone.see(token)["offset"] == len(content)
        assert phone.begin(content, key="key-of-the-first-photo") == token

        # the worker is killed while it cleans; the next one finds what it left
        running.start_worker()
        phone.wait_for(token, "checking")
        kill(running.worker)
        assert phone.see(token)["state"] == "checking"
        running.start_worker()
        running.journey.move_clock(driver.DURING_ENTRIES + timedelta(minutes=10))
        running.send_job(Job.SWEEP_UPLOADS)
        seen = phone.wait_for(token, "ready")
        assert (seen["pages"], seen["media_type"]) == (1, "image/jpeg")
        running.send_job(Job.SWEEP_UPLOADS)
        left = tmp_path / "instance" / "checking"
        deadline = time.monotonic() + PATIENCE
        while left.is_dir() and any(left.iterdir()):
            assert time.monotonic() < deadline, list(left.iterdir())
            time.sleep(0.05)


UPLOADS = 200
PEOPLE = 8


@pytest.mark.parametrize("engine", ENGINES)
def test_200_uploads_at_once_on_two_web_processes_arrive_whole(engine: str, tmp_path: Path) -> None:
    with site(engine, tmp_path, SAISHI_WEB_WORKERS="2") as running:
        assert all_at_once(running).whole == UPLOADS
        audited = services.saishi("audit", environment=running.environment)
        assert audited.returncode == 0, audited.stdout + audited.stderr


@dataclass(frozen=True)
class Burst:
    """How many of ``UPLOADS`` uploads arrived whole, of how many bytes in how many seconds."""

    whole: int
    size: int
    seconds: float


def all_at_once(running: Site) -> Burst:
    """Each of two or three pieces; whole is what has, for every piece, the hash of what was sent in the database."""
    phones = [running.phone(driver.FIRST_LEADER + number) for number in range(PEOPLE)]
    contents = [photo(serial, 900, 700, 80) for serial in range(UPLOADS)]

    def send(serial: int) -> str:
        phone, content = phones[serial % PEOPLE], contents[serial]
        token = phone.begin(content)
        phone.go_on(token, content)
        return token

    started = time.monotonic()
    with ThreadPoolExecutor(UPLOADS) as pool:
        tokens = list(pool.map(send, range(UPLOADS)))
    seconds = time.monotonic() - started
    stored = hashes_of_pieces(running.environment)
    whole = {
        token
        for token, content in zip(tokens, contents, strict=True)
        if stored.get(token)
        == ("waiting", [hashlib.sha256(part).hexdigest() for _, part in pieces(content, 64 * KIB)])
    }
    return Burst(len(whole), sum(map(len, contents)), seconds)


PIECES = text(
    "SELECT uploads.token, uploads.state, stored_files.sha256 FROM uploads"
    " JOIN upload_pieces ON upload_pieces.upload_id = uploads.id"
    " JOIN stored_files ON stored_files.id = upload_pieces.file_id ORDER BY upload_pieces.start"
)


def hashes_of_pieces(environment: dict[str, str]) -> dict[str, tuple[str, list[str]]]:
    engine = create_engine(Settings.from_environment(environment).database_url)
    found: dict[str, tuple[str, list[str]]] = {}
    with engine.connect() as connection:
        for token, state, sha256 in connection.execute(PIECES):
            found.setdefault(token, (state, []))[1].append(sha256)
    engine.dispose()
    return found


# --- a phone on a bad network ---


@pytest.fixture
def photos(tmp_path: Path) -> list[Path]:
    """Photos as a phone makes them, too large to be sent as they are."""
    made = []
    for serial in (1, 2):
        path = tmp_path / f"IMG_{serial}.jpg"
        path.write_bytes(photo(serial, 4000, 3000, 92, 400))
        made.append(path)
    return made


@pytest.mark.browser
def test_a_phone_on_a_slow_breaking_network_brings_its_photos_in(
    chromium: Browser, tmp_path: Path, photos: list[Path]
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    with site(SQLITE, tmp_path) as running:
        running.start_worker()
        page = signed_in_phone(chromium, running)
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")

        def throttle(kilobytes: float, *, offline: bool = False) -> None:
            network.send(
                "Network.emulateNetworkConditions",
                {
                    "offline": offline,
                    "latency": 150,
                    "downloadThroughput": kilobytes * KIB,
                    "uploadThroughput": kilobytes * KIB,
                },
            )

        throttle(80)
        chooser = page.locator("[data-file][multiple]")
        chooser.set_input_files([str(path) for path in photos])
        chooser.set_input_files([str(photos[0])])  # the same photo again, by a second tap
        files = page.locator("[data-page]")
        expect(files).to_have_count(2)
        expect(files.first.locator("[data-words]")).to_have_text(
            re.compile(r"上传中 [1-9]\d* %"), timeout=60_000
        )
        page.screenshot(path=ARTIFACTS / "sending.png", full_page=True)

        throttle(0, offline=True)
        expect(files.first.locator("[data-words]")).to_have_text(re.compile("等待网络"), timeout=60_000)
        page.screenshot(path=ARTIFACTS / "offline.png", full_page=True)
        page.get_by_role("button", name="暂停上传").tap()
        throttle(80)
        page.evaluate("window.dispatchEvent(new Event('online'))")
        expect(files.first.locator("[data-words]")).to_have_text("已暂停", timeout=60_000)
        page.get_by_role("button", name="继续上传").tap()
        expect(files.first.locator("[data-words]")).to_have_text(re.compile(r"上传中"), timeout=60_000)

        page.reload()
        expect(files).to_have_count(2)
        throttle(4000)
        for number in range(2):
            expect(files.nth(number)).to_have_attribute("data-state", "ready", timeout=90_000)
        page.screenshot(path=ARTIFACTS / "ready.png", full_page=True)
        fits(page)
        names = [page.locator("[data-name]").nth(number).inner_text() for number in range(2)]
        assert sorted(names) == ["IMG_1.jpg", "IMG_2.jpg"]

        sizes = stored_sizes(running.environment)
        assert len(sizes) == 2
        assert max(sizes) < photos[0].stat().st_size / 2, "they were made smaller on the phone"

        files.first.get_by_role("button", name="下移").tap()
        assert page.locator("[data-name]").first.inner_text() == names[1]
        tokens = page.locator("input[name=upload]").evaluate_all("all => all.map(each => each.value)")
        assert len(set(tokens)) == 2
        with page.expect_response(lambda answer: answer.request.method == "DELETE"):
            files.first.get_by_role("button", name="删除").tap()
        expect(files).to_have_count(1)
        page.reload()
        expect(files).to_have_count(1)
        expect(files.first).to_have_attribute("data-state", "ready")
        kept = page.evaluate(BLOBS)
        assert kept == 0, "no picture stays on the phone once the server has it"
        page.context.close()


@pytest.mark.browser
def test_what_is_refused_says_why_in_the_list_and_the_form_waits(
    chromium: Browser, tmp_path: Path, photos: list[Path]
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    with site(SQLITE, tmp_path) as running:
        page = signed_in_phone(chromium, running)
        script = tmp_path / "id.svg.png"
        script.write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>" + bytes(100))
        empty = tmp_path / "empty.jpg"
        empty.write_bytes(b"")
        changed = tmp_path / "changed.pdf"
        changed.write_bytes(documents.pdf(documents.attachment))
        sent = [str(each) for each in (script, empty, photos[0], changed)]
        page.locator("[data-file][multiple]").set_input_files(sent)
        files = page.locator("[data-page]")
        expect(files.first.locator("[data-words]")).to_have_text("检查中", timeout=60_000)
        running.start_worker()
        expect(files.nth(0).locator("[data-words]")).to_have_text(re.compile("被拒绝.*SVG"), timeout=60_000)
        expect(files.nth(1).locator("[data-words]")).to_have_text(
            re.compile("被拒绝.*0 字节"), timeout=60_000
        )
        expect(files.nth(2)).to_have_attribute("data-state", "ready", timeout=60_000)
        expect(files.nth(2).locator("[data-notes]")).to_be_hidden()
        expect(files.nth(3).locator("[data-notes]")).to_have_text(re.compile("附件已去掉"), timeout=60_000)
        fits(page)
        page.screenshot(path=ARTIFACTS / "refused.png", full_page=True)
        page.locator("form[enctype]").evaluate("form => form.requestSubmit()")
        expect(page.locator("[data-says]")).to_have_text(re.compile("请先删除被拒绝的文件"))
        page.goto(f"/c/{running.journey.slug}/uploads?lang=en")
        expect(files.first.locator("[data-words]")).to_have_text(
            re.compile(r"Refused: .*\. Upload"), timeout=60_000
        )
        fits(page)
        page.screenshot(path=ARTIFACTS / "english.png", full_page=True)
        page.context.close()


BLOBS = """() => new Promise((resolve) => {
  const open = indexedDB.open("saishi-uploads");
  open.onsuccess = () => {
    const all = open.result.transaction("files").objectStore("files").getAll();
    all.onsuccess = () => resolve(all.result.filter((each) => each.blob).length);
  };
})"""


def signed_in_phone(chromium: Browser, running: Site) -> Page:
    """The page of one's own uploads on the narrowest phone."""
    context = chromium.new_context(
        viewport={"width": 360, "height": 740},
        is_mobile=True,
        has_touch=True,
        locale="zh-CN",
        base_url=running.url,
    )
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"/sign-in?next=/c/{running.journey.slug}/uploads")
    page.fill("[name=phone]", driver.people.phone(driver.FIRST_LEADER))
    page.get_by_role("button", name="获取验证码").tap()
    page.fill("[name=code]", page.locator("[data-code]").inner_text())
    page.get_by_role("button", name="登录").first.tap()
    page.wait_for_url(re.compile(r"^[^?]*/uploads"))
    return page


def fits(page: Page) -> None:
    too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert too_wide <= 0, f"{too_wide} px too wide"


def stored_sizes(environment: dict[str, str]) -> list[int]:
    path = Path(environment["SAISHI_INSTANCE"]) / "saishi.db"
    with closing(sqlite3.connect(path)) as database:
        return [size for (size,) in database.execute("SELECT size FROM uploads ORDER BY id")]

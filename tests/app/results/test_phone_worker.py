"""The worker of the tables' pages: what it keeps, for whom, until when, and what opening a page costs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from app.draws.queries import RoundView
from tests.app.results.phones import Hall, NewPhone, Phone
from tests.conftest import ROOT
from tests.factories import results
from tests.factories.publications import Travel

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]

KEPT_PAGES = """async () => {
  const names = (await caches.keys()).filter((name) => name === "saishi-tables");
  const found = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)));
  return found.flat().sort();
}"""
STATIC = ROOT / "app" / "static"


@pytest.fixture
def prelim(app: Flask, travel: Travel) -> RoundView:
    with app.app_context():
        return results.prelim(travel)


@pytest.fixture
def path(prelim: RoundView) -> str:
    return f"/c/beach/t/{prelim.tables[0].token}"


@pytest.fixture
def phone(app: Flask, new_phone: NewPhone, path: str) -> Phone:
    """At the table, with its page kept."""
    with app.app_context():
        made = new_phone(results.referee())
    made.open(path)
    made.kept()
    return made


def no_page(page: Page, address: str) -> bool:
    try:
        page.goto(address)
    except Exception as error:
        return "ERR_" in str(error)
    return False


def test_the_worker_is_served_under_one_address_and_asked_for_anew(app: Flask) -> None:
    answer = app.test_client().get("/table-worker.js", buffered=True)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    listed = set(re.findall(r"/static/[\w-]+-[0-9A-Z]{8}\.\w+", answer.text))
    manifest = json.loads((STATIC / "manifest.json").read_text(encoding="utf-8"))
    assert {f"/static/{manifest[name]}" for name in ("app.css", "app.js", "sheet.js", "icon.svg")} <= listed
    imported = {
        f"/static/{name}"
        for file in listed
        if file.endswith(".js")
        for name in re.findall(r'["\']\./(shared-[0-9A-Z]{8}\.js)', (ROOT / "app" / file[1:]).read_text())
    }
    assert imported <= listed, "a module that the page loads is not kept with it"


def test_nothing_but_pages_of_tables_is_kept(phone: Phone, path: str) -> None:
    for other in (f"{path}/history", "/c/beach", "/staff"):
        phone.open(other)
    phone.open(path)
    assert phone.page.evaluate(KEPT_PAGES) == [path]
    phone.offline()
    assert no_page(phone.page, f"{phone.hall.url}{path}/history")
    assert no_page(phone.page, f"{phone.hall.url}/c/beach")


def test_the_network_is_asked_first_and_what_it_says_is_shown(
    app: Flask, phone: Phone, prelim: RoundView
) -> None:
    with app.app_context():
        results.recorded(prelim.tables[0], [results.deal(results.seats(prelim.tables[0])[0], bid=3)])
    phone.page.reload()
    expect(phone.page.locator("[data-save]")).to_have_text("记下第 2 副")
    assert phone.page.locator("html").get_attribute("data-kept-at") is None
    phone.offline()
    phone.page.reload()
    expect(phone.page.locator("[data-save]")).to_have_text("记下第 2 副")
    assert phone.page.locator("html").get_attribute("data-kept-at") is not None


def test_signing_out_deletes_the_pages_and_keeps_what_was_typed(hall: Hall, phone: Phone, path: str) -> None:
    phone.offline()
    page = phone.page
    page.locator("[name=landlord]").first.check()
    page.locator('[name=bid][value="2"]').check()
    page.locator('[name=winner][value="landlord"]').check()
    page.click("[data-save]")
    hall.fail_posts = True
    phone.offline(off=False)
    phone.state("已存本机，服务器忙，稍后自动上传")
    hall.fail_posts = False
    phone.context.route("**/deals", lambda route: route.abort())
    page.get_by_role("button", name="退出登录").click()
    page.wait_for_url(phone.hall.url + "/")
    assert page.evaluate(KEPT_PAGES) == []
    phone.offline()
    assert no_page(page, phone.hall.url + path)
    phone.offline(off=False)
    page.goto(phone.hall.url + "/")
    assert page.evaluate(f'localStorage.getItem("sheet:{path.rsplit("/", 1)[-1]}")') is not None


def test_a_page_whose_role_is_gone_is_not_kept(app: Flask, phone: Phone, path: str) -> None:
    phone.context.clear_cookies()
    phone.page.reload()
    expect(phone.page.locator("[data-problem]")).to_be_visible()
    assert phone.page.evaluate(KEPT_PAGES) == []


def test_a_newer_build_takes_over_and_the_older_page_goes_with_its_files(
    app: Flask, hall: Hall, phone: Phone, path: str
) -> None:
    files = "() => caches.keys().then((names) => names.filter((name) => name.startsWith('saishi-files-')))"
    (old,) = phone.page.evaluate(files)
    hall.worker = lambda text: text.replace(old.removeprefix("saishi-files-"), "newer")
    phone.page.reload()
    phone.page.wait_for_function(f"({files})().then((names) => names.join() === 'saishi-files-newer')")
    phone.page.reload()
    phone.kept()
    phone.offline()
    phone.page.reload()
    expect(phone.page.locator("[data-kept]")).to_contain_text("没有网络：本页是")


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    with capsys.disabled():
        print(capsys.readouterr().out)


def test_what_opening_the_tables_page_costs(hall: Hall, phone: Phone, path: str, printed: None) -> None:
    """Bounds that a change has to raise knowingly; docs/architecture.md says the numbers."""
    first = list(hall.requests)
    pages = [where for _, where in first if where == path]
    files = {where for _, where in first if where.startswith("/static/")}
    packed = sum(len(gzip.compress((ROOT / "app" / name[1:]).read_bytes())) for name in files)
    hall.requests.clear()
    phone.page.reload()
    phone.kept()
    again = [where for _, where in hall.requests if where != "/table-worker.js"]
    html = phone.page.content().encode()
    print(
        f"\nfirst: {len(first)} requests, {packed // 1024} KiB of files packed, page {len(html) // 1024} KiB,"
    )
    print(f"{len(gzip.compress(html)) // 1024} KiB packed; again: {len(again)} requests")
    assert len(pages) == 2, "the page, and once more for the copy where the worker is new"
    assert len(files) <= 10
    assert packed < 90 * 1024
    assert len(gzip.compress(html)) < 12 * 1024
    assert [where for where in again if where.startswith("/static/")] == []

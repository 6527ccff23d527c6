"""The small modules every page runs, in a real browser: drafts, double taps, dialogs, countdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

pytestmark = pytest.mark.browser

SITE = "http://page.example"
HEAD = """<!doctype html><html lang="zh" class="no-js"><head><title>t</title>
<link rel="stylesheet" href="{{ asset('app.css') }}"><script type="module" src="{{ asset('app.js') }}"></script></head>
<body data-text-day="天" data-text-over="已截止" data-text-draft="已恢复" data-text-busy="正在提交">
<div id="toast" class="toast" role="status" hidden></div>
{% from "components/forms.html" import csrf, field, submit %}{% from "components/dialogs.html" import dialog, dialog_button %}"""
FORM = """<form method="post" action="/save" data-keep="member">{{ csrf() }}
{{ field("name", "姓名", values, errors, required=true) }}{{ field("phone", "手机号", values, errors, type="tel") }}
{{ field("id_number", "身份证号", values, errors, private=true) }}{{ submit("保存") }}</form>"""


class Site:
    """Pages by path; every POST is counted and answered by ``answer``."""

    def __init__(self, static: Path) -> None:
        self.static = static
        self.pages: dict[str, str] = {}
        self.posts = 0
        self.answer = "<!doctype html><title>done</title><p>done"

    def handle(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/static/"):
            route.fulfill(path=str(self.static / path.removeprefix("/static/")))
        elif route.request.method == "POST":
            self.posts += 1
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=self.answer)
        else:
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=self.pages[path])


@pytest.fixture
def site(static: Path) -> Site:
    return Site(static)


@pytest.fixture
def page(chromium: Browser, site: Site) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 360, "height": 780})
    context.route("**/*", site.handle)
    yield context.new_page()
    context.close()


Render = Callable[..., str]


def test_typed_text_survives_a_reload_but_never_an_id_or_phone_number(
    page: Page, site: Site, render: Render
) -> None:
    site.pages["/form"] = render(HEAD + FORM)
    page.goto(SITE + "/form")
    page.fill("[name=name]", "测试甲")
    page.fill("[name=phone]", "13800000000")
    page.fill("[name=id_number]", "11010519491231002X")
    page.reload()
    expect(page.locator("[name=name]")).to_have_value("测试甲")
    expect(page.locator("[name=phone]")).to_have_value("")
    expect(page.locator("[name=id_number]")).to_have_value("")
    kept = page.evaluate("JSON.stringify(localStorage)")
    assert "测试甲" in kept
    assert "13800000000" not in kept
    assert "11010519491231002X" not in kept


def test_whoever_goes_back_to_a_refused_form_finds_the_form_and_what_was_typed(
    page: Page, site: Site, render: Render
) -> None:
    site.pages["/form"] = render(HEAD + FORM)
    site.pages["/rules"] = render(HEAD + "<p>rules")
    refused = FORM.replace("values, errors, required=true", "{}, {'name': '请填写'}, required=true")
    site.answer = render(HEAD.replace("<body ", '<body data-form-page="/form?list=2" ') + refused)
    page.goto(SITE + "/form?list=2")
    page.fill("[name=name]", "测试甲")
    page.get_by_role("button", name="保存").click()
    expect(page.locator("[aria-invalid]")).to_have_count(1)
    page.wait_for_url(f"{SITE}/form?list=2")  # not the address that the form is sent to, which is no page
    page.goto(SITE + "/rules")  # as by the link to the clause
    page.go_back()
    expect(page.locator("[name=name]")).to_have_value("测试甲")
    page.reload()
    assert site.posts == 1, "nothing is sent again"


def test_any_page_deletes_photos_that_were_left_on_the_phone_a_day_ago(
    page: Page, site: Site, render: Render
) -> None:
    site.pages["/form"] = render(HEAD + FORM)
    page.goto(SITE + "/form")
    assert page.evaluate("indexedDB.databases()") == [], "a page without photos keeps no database"
    page.evaluate(
        """() => new Promise((resolve) => {
          const opening = indexedDB.open("saishi-uploads", 1);
          opening.onupgradeneeded = () => opening.result.createObjectStore("files", { keyPath: "key" });
          opening.onsuccess = () => {
            const change = opening.result.transaction("files", "readwrite");
            for (const [key, hours] of [["old", 25], ["young", 23]])
              change.objectStore("files").put({ key, blob: new Blob(["x"]), at: Date.now() - hours * 3600e3 });
            change.oncomplete = () => resolve(opening.result.close());
          };
        })"""
    )
    page.reload()
    keys = """() => new Promise((resolve) => {
      const opening = indexedDB.open("saishi-uploads", 1);
      opening.onsuccess = () => {
        const asked = opening.result.transaction("files").objectStore("files").getAllKeys();
        asked.onsuccess = () => resolve(asked.result.join());
      };
    })"""
    page.wait_for_function(f"({keys})().then((found) => found === 'young')")


def test_a_draft_is_dropped_once_it_was_accepted(page: Page, site: Site, render: Render) -> None:
    site.pages["/form"] = render(HEAD + FORM)
    site.answer = render(HEAD + "<p id=done>done</p>")
    page.goto(SITE + "/form")
    page.fill("[name=name]", "测试甲")
    page.click("[type=submit]")
    expect(page.locator("#done")).to_be_visible()
    page.goto(SITE + "/form")
    expect(page.locator("[name=name]")).to_have_value("")


def test_a_refused_form_keeps_what_was_typed_and_marks_the_field(
    page: Page, site: Site, render: Render
) -> None:
    errors = {"id_number": "校验位不对。"}
    site.pages["/form"] = render(HEAD + FORM)
    site.answer = render(HEAD + FORM, values={"name": "测试甲", "id_number": "1"}, errors=errors)
    page.goto(SITE + "/form")
    page.fill("[name=name]", "测试甲")
    page.click("[type=submit]")
    wrong = page.locator("[name=id_number]")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#" + (wrong.get_attribute("aria-describedby") or ""))).to_have_text("校验位不对。")
    expect(page.locator("[name=name]")).to_have_value("测试甲")


def test_a_double_tap_sends_a_form_once(page: Page, site: Site, render: Render) -> None:
    site.pages["/form"] = render(HEAD + FORM)
    page.goto(SITE + "/form")
    page.fill("[name=name]", "测试甲")
    page.evaluate(
        """() => { const button = document.querySelector("[type=submit]"); button.click(); button.click(); }"""
    )
    expect(page).to_have_title("done")
    assert site.posts == 1


def test_a_dialog_opens_and_closes(page: Page, site: Site, render: Render) -> None:
    template = '{{ dialog_button("sure", "交表") }}{% call dialog("sure", "核对") %}<p>好</p>{% endcall %}'
    site.pages["/dialog"] = render(HEAD + template)
    page.goto(SITE + "/dialog")
    expect(page.locator("dialog")).to_be_hidden()
    page.click("[data-dialog]")
    expect(page.locator("dialog")).to_be_visible()
    page.click("[data-close]")
    expect(page.locator("dialog")).to_be_hidden()


def test_a_countdown_follows_the_servers_clock(page: Page, site: Site, render: Render) -> None:
    times = [
        ("2021-10-31T10:00:00Z", "2021-10-29T09:00:00Z"),
        ("2021-10-31T10:00:00Z", "2021-10-31T10:00:00Z"),
    ]
    places = "".join(f'<time data-countdown="{end}" data-now="{now}"></time>' for end, now in times)
    site.pages["/countdown"] = render(HEAD + places)
    page.goto(SITE + "/countdown")
    running, over = page.locator("time").all()
    assert (running.text_content() or "").startswith(("2 天 01:00:00", "2 天 00:59:"))
    expect(over).to_have_text("已截止")

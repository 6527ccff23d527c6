"""The upload field in a real browser before a made-up server: what it makes smaller, and what it keeps on the phone for how long."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.factories.uploads import photo

pytestmark = pytest.mark.browser

SITE = "http://page.example"
UPLOADS = "/c/x/uploads"
TEMPLATE = """<!doctype html><html lang="zh" class="no-js"><head><title>t</title>
<script type="module" src="{{ asset('upload.js') }}"></script></head><body>
{% from "components/upload.html" import upload_field with context %}
<form method="post" action="/save" enctype="multipart/form-data">{{ upload_field(field, "照片", "member-7-identity_card") }}
<button type="submit" id="send">提交</button></form></body></html>"""
TEXTS = {
    name: name
    for name in ("queued", "checking", "ready", "sending", "shrinking", "resumed", "removed", "empty")
} | {
    "refused": "refused: {why}",
    "tooLarge": "{size} of {most}.",
    "tooMany": "at most {n}, left: {names}",
    "comma": ", ",
}
ACCEPTED = "JPEG or PDF."


class Server:
    """Takes files in pieces and has them ready at once; ``accepts`` says what becomes of the form."""

    def __init__(self, static: Path, render: Callable[..., str]) -> None:
        self.static, self.render = static, render
        self.files: dict[str, dict[str, Any]] = {}
        self.accepts = True

    def handle(self, route: Route) -> None:
        request, path = route.request, urlsplit(route.request.url).path
        if path.startswith("/static/"):
            route.fulfill(path=str(self.static / path.removeprefix("/static/")))
        elif path.startswith(UPLOADS):
            self.take(route, request, path.removeprefix(UPLOADS).strip("/"))
        elif path == "/save":
            tokens = re.findall(r'name="upload"\r\n\r\n(\S+)\r\n', request.post_data or "")
            if self.accepts:
                for token in tokens:
                    self.files[token]["claimed"] = True
            self.page(route, "" if self.accepts else self.form(tokens))
        else:
            self.page(route, self.form([]) if path == "/form" else "")

    def take(self, route: Route, request: Request, rest: str) -> None:
        token, _, act = rest.partition("/")
        if request.method == "POST" and not token:
            token = f"token{len(self.files)}"
            name = json.loads(request.post_data or "{}")["name"]
            self.files[token] = {"name": name, "content": b"", "state": "receiving", "claimed": False}
        file = self.files[token]
        if request.method == "PATCH":
            file["content"] += request.post_data_buffer or b""
        elif act == "finish":
            file["state"] = "ready"
        elif act == "thumbnail":
            route.fulfill(status=404, body="")
            return
        seen = {
            "token": token,
            "state": file["state"],
            "offset": len(file["content"]),
            "claimed": file["claimed"],
            "piece_bytes": 262144,
            "pages": 1,
            "notes": [],
        }
        headers = {"Upload-Offset": str(len(file["content"])), "Content-Type": "application/json"}
        route.fulfill(status=200, headers=headers, body=json.dumps(seen))

    def form(self, tokens: list[str]) -> str:
        uploads = [
            SimpleNamespace(
                token=token, name=self.files[token]["name"], state=SimpleNamespace(value="ready"),
                pages=1, notes=(), sentence=None, postponed=False,
            )
            for token in tokens
        ]  # fmt: skip
        rule = SimpleNamespace(pages=9, picture_bytes=15 << 20, pdf_bytes=1 << 20, accepted=ACCEPTED)
        field = SimpleNamespace(
            slug="x", purpose="proof", rule=rule, person=1, texts=TEXTS, uploads=uploads, deletes_here=True
        )

        def url_for(endpoint: str, **given: str) -> str:
            token = given.get("upload")
            return UPLOADS + (f"/{token}/{endpoint.rpartition('.')[2]}" if token else "")

        return self.render(TEMPLATE, field=field, url_for=url_for, get_locale=lambda: "zh")

    def page(self, route: Route, body: str) -> None:
        route.fulfill(status=200, content_type="text/html; charset=utf-8", body=body or "<title>done</title>")


@pytest.fixture
def server(static: Path, render: Callable[..., str]) -> Server:
    return Server(static, render)


@pytest.fixture
def phone(chromium: Browser, server: Server) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 360, "height": 780})
    context.route("**/*", server.handle)
    page = context.new_page()
    page.goto(f"{SITE}/form")
    yield page
    context.close()


def choose(phone: Page, *files: tuple[str, str, bytes]) -> None:
    before = phone.locator("[data-page]").count()
    phone.locator("[data-file][multiple]").set_input_files(
        [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files]
    )
    for number in range(before, before + len(files)):
        expect(phone.locator("[data-page]").nth(number)).to_have_attribute("data-state", "ready")


KEPT = """() => new Promise((resolve) => {
  const open = indexedDB.open("saishi-uploads");
  open.onsuccess = () => {
    const all = open.result.transaction("files").objectStore("files").getAll();
    all.onsuccess = () => {
      open.result.close();
      resolve(all.result.map((each) => [each.name, Boolean(each.blob)]));
    };
  };
})"""


def moving(kind: str) -> bytes:
    """Two frames that are wider than what is sent of a photo."""
    out = io.BytesIO()
    first, second = (Image.new("RGB", (3000, 40), colour) for colour in ("white", "black"))
    first.save(out, kind, save_all=True, append_images=[second], duration=100)
    return out.getvalue()


def still(kind: str) -> bytes:
    """A picture of one frame, larger than what is sent."""
    out = io.BytesIO()
    Image.open(io.BytesIO(photo(1, 3000, 2000, 92, 300))).save(out, kind)
    return out.getvalue()


def test_a_picture_that_moves_is_sent_as_it_is_and_the_server_says_what_becomes_of_it(
    phone: Page, server: Server
) -> None:
    chosen = {kind: moving(kind) for kind in ("PNG", "WEBP", "GIF")}
    choose(phone, *((kind, f"image/{kind.lower()}", content) for kind, content in chosen.items()))
    assert {each["name"]: each["content"] for each in server.files.values()} == chosen


def test_a_picture_that_stands_still_is_made_smaller_whatever_its_format(phone: Page, server: Server) -> None:
    choose(
        phone,
        ("a.png", "image/png", still("PNG")),
        ("b.webp", "image/webp", still("WEBP")),
        ("c.jpg", "image/jpeg", photo(1, 3000, 2000, 92, 300)),
    )
    for each in server.files.values():
        with Image.open(io.BytesIO(each["content"])) as sent:
            assert (sent.format, max(sent.size)) == ("JPEG", 2600)


def test_the_phone_keeps_no_picture_that_has_arrived_and_forgets_a_file_once_a_form_has_it(
    phone: Page, server: Server
) -> None:
    choose(phone, ("a.jpg", "image/jpeg", photo(1)), ("b.jpg", "image/jpeg", photo(2)))
    assert sorted(phone.evaluate(KEPT)) == [["a.jpg", False], ["b.jpg", False]]
    phone.click("#send")
    phone.wait_for_url(f"{SITE}/save")
    assert all(each["claimed"] for each in server.files.values())
    phone.goto(f"{SITE}/form")
    phone.wait_for_function(f"({KEPT})().then((found) => found.length === 0)")
    expect(phone.locator("[data-page]")).to_have_count(0)


def test_a_refused_form_has_its_files_once_and_they_outlive_a_reload(phone: Page, server: Server) -> None:
    choose(phone, ("a.jpg", "image/jpeg", photo(1)))
    server.accepts = False
    phone.click("#send")
    phone.wait_for_url(f"{SITE}/save")
    expect(phone.locator("[data-page]")).to_have_count(1)
    assert phone.evaluate(KEPT) == [["a.jpg", False]]
    phone.goto(f"{SITE}/form")
    expect(phone.locator("[data-page]")).to_have_count(1)
    expect(phone.locator("[data-page]")).to_have_attribute("data-state", "ready")
    server.accepts = True
    phone.click("#send")
    phone.wait_for_url(f"{SITE}/save")
    assert [each["claimed"] for each in server.files.values()] == [True]


def test_a_file_that_is_taken_out_of_the_list_leaves_the_phone(phone: Page, server: Server) -> None:
    choose(phone, ("a.jpg", "image/jpeg", photo(1)))
    with phone.expect_request(lambda request: request.method == "DELETE"):
        phone.locator("[data-remove]").click()
    phone.wait_for_function(f"({KEPT})().then((found) => found.length === 0)")


def test_files_beyond_the_limit_are_named_until_the_list_changes(phone: Page, server: Server) -> None:
    chosen = [(f"{number}.jpg", "image/jpeg", photo(number, 300, 200)) for number in range(11)]
    phone.locator("[data-file][multiple]").set_input_files(
        [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in chosen]
    )
    expect(phone.locator("[data-page][data-state=ready]")).to_have_count(9)
    left = phone.locator("[data-left]")
    expect(left).to_be_visible()
    expect(left).to_have_text("at most 9, left: 9.jpg, 10.jpg")
    phone.locator("[data-remove]").first.click()
    expect(left).to_be_hidden()


def test_what_the_phone_refuses_itself_says_what_would_be_accepted(phone: Page, server: Server) -> None:
    phone.locator("[data-file][multiple]").set_input_files(
        [
            {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b""},
            {"name": "b.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7" + bytes(1 << 20)},
        ]
    )
    words = phone.locator("[data-words]")
    expect(words.nth(0)).to_have_text(f"refused: empty{ACCEPTED}")
    expect(words.nth(1)).to_have_text(f"refused: 1.1 of 1.{ACCEPTED}")
    assert not server.files

"""A table that answers as the server does, and a referee's hand at it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import BrowserContext, Page, Route, expect

OpenPhone = Callable[..., Page]

SITE = "http://table.example"
PAGE = "/c/cup/t/token"
SEATS = [{"id": "e1", "name": "甲一"}, {"id": "e2", "name": "乙二"}, {"id": "e3", "name": "丙三"}]
CSP = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'"
TEMPLATE = """<!doctype html><html lang="zh" class="no-js"><head><title>t</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="{{ asset('app.css') }}"><script type="module" src="{{ asset('app.js') }}"></script>
<script type="module" src="{{ asset('sheet.js') }}"></script></head><body data-text-busy="…">
{% from "components/score_entry.html" import score_sheet %}<main class="page">{{ score_sheet(**sheet) }}</main><div id="toast" hidden></div></body></html>"""


class Table:
    """One table's server: revisions, idempotency keys, refusals, a session with its CSRF token.

    ``online = False`` drops every request; ``refusals`` are the statuses of the next posts, whatever they hold.
    """

    def __init__(self, static: Path, render: Callable[..., str]) -> None:
        self.static = static
        self.render = render
        self.deals: list[dict[str, Any]] = []
        self.written: list[int] = []
        self.revision = 0
        self.answers: dict[str, int] = {}
        self.posts: list[dict[str, str]] = []
        self.state = "open"
        self.online = True
        self.lose_next_answer = False
        self.signed_in = True
        self.csrf = "csrf"
        self.refusals: list[int] = []
        self.wanted = 10

    def attach(self, context: BrowserContext) -> None:
        context.route("**/*", self.handle)

    def handle(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/static/"):
            route.fulfill(path=str(self.static / path.removeprefix("/static/")))
        elif not self.online:
            route.abort("internetdisconnected")
        elif path == "/sign-in":
            self.sign_in(route)
        elif route.request.method == "POST":
            self.post(route, path, dict(parse_qsl(route.request.post_data or "")))
        elif not self.signed_in:
            self.refuse(route, 401, "请先登录。")
        else:
            query = dict(parse_qsl(urlsplit(route.request.url).query))
            self.show(route, int(query.get("deal", 0)) or None)

    def show(self, route: Route, asked: int | None = None, errors: dict[str, str] | None = None) -> None:
        number = asked or (len(self.deals) + 1 if len(self.deals) < self.wanted else None)
        scores = [points(deal) for deal in self.deals]
        sheet = {
            "token": "token", "seats": SEATS, "deals": self.deals, "scores": scores,
            "totals": {seat["id"]: sum(score[seat["id"]] for score in scores) for seat in SEATS},
            "deals_per_stage": self.wanted, "errors": errors, "revision": self.revision, "save_url": f"{PAGE}/deals", "state": self.state,
            "hand_in_url": f"{PAGE}/hand-in", "page_url": PAGE, "deal_number": number, "title": "1号桌",
            "key": f"page-{self.revision}", "hand_in_key": "hand-in", "first_seat": 0,
            "recorded": [f"裁判员 138****0000，18:{revision:02}" for revision in self.written],
        }  # fmt: skip
        body = self.render(TEMPLATE, sheet=sheet).replace(
            'name="csrf_token" value="csrf"', f'name="csrf_token" value="{self.csrf}"'
        )
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": CSP}
        route.fulfill(status=422 if errors else 200, headers=headers, body=body)

    def sign_in(self, route: Route) -> None:
        """A new session: a form of the old one is refused from now on."""
        self.signed_in = True
        self.csrf = "csrf of the new session"
        back = dict(parse_qsl(urlsplit(route.request.url).query))["next"]
        route.fulfill(
            content_type="text/html; charset=utf-8", body=f"<!doctype html><a id=back href='{back}'>go</a>"
        )

    def refuse(self, route: Route, status: int, text: str) -> None:
        body = f"<!doctype html><meta charset=utf-8><p data-problem>{text}</p>"
        route.fulfill(status=status, content_type="text/html; charset=utf-8", body=body)

    def post(self, route: Route, path: str, form: dict[str, str]) -> None:
        self.posts.append(form)
        if form["csrf_token"] != self.csrf:
            self.refuse(route, 400, "这个页面打开得太久，为了安全没有保存。")
            return
        if not self.signed_in:
            self.refuse(route, 401, "请先登录。")
            return
        if self.refusals:
            self.refuse(route, self.refusals.pop(0), "现在不行。")
            return
        if self.state != "open":
            self.refuse(route, 409, "这张记分表已交，不能再改。")
            return
        if path.endswith("/hand-in"):
            if "checked" not in form:
                self.show(route, errors={"checked": "请让三名选手核对后勾选。"})
                return
            self.state = "entered"
        elif form["idempotency_key"] not in self.answers:
            if int(form["base_revision"]) != self.revision:
                self.refuse(route, 409, "别的设备已保存了新的一版。")
                return
            if form.get("bombs") == "13":
                self.refuse(route, 422, "炸弹太多。")
                return
            self.save(int(form["deal_number"]), written(form), form["idempotency_key"])
        if self.lose_next_answer:
            self.lose_next_answer = False
            route.abort("connectionreset")
            return
        # Playwright cannot answer with a redirect that fetch follows, so the page it leads to is given at once.
        self.show(route)

    def save(self, number: int, deal: dict[str, Any], key: str) -> None:
        self.deals[number - 1 : number] = [deal]
        self.revision += 1
        self.written[number - 1 : number] = [self.revision]
        self.answers[key] = self.revision


def written(form: dict[str, str]) -> dict[str, Any]:
    if form["landlord"] == "passed_out":
        return {"passed_out": True}
    return {
        "landlord": form["landlord"],
        "bid": int(form["bid"]),
        "winner": form["winner"],
        "bombs": int(form["bombs"]),
        "rockets": int(form.get("rockets", 0)),
        "spring": "spring" in form,
        "anti_spring": "anti_spring" in form,
    }


def points(deal: dict[str, Any]) -> dict[str, int]:
    if deal.get("passed_out"):
        return {seat["id"]: 0 for seat in SEATS}
    doublings = deal["bombs"] + deal["rockets"] + deal["spring"] + deal["anti_spring"]
    defender = deal["bid"] * (1 if deal["winner"] == "defenders" else -1) * 2**doublings
    return {seat["id"]: -2 * defender if seat["id"] == deal["landlord"] else defender for seat in SEATS}


def choose(page: Page, landlord: str, bid: int = 1, winner: str = "landlord") -> None:
    page.locator(f'[name=landlord][value="{landlord}"]').check()
    if landlord != "passed_out":
        page.locator(f'[name=bid][value="{bid}"]').check()
        page.locator(f'[name=winner][value="{winner}"]').check()


def record(page: Page, landlord: str, bid: int = 1, winner: str = "landlord") -> None:
    choose(page, landlord, bid, winner)
    page.click("[data-save]")


def hand_in(page: Page) -> None:
    """The players looked at the totals."""
    page.click("[data-hand-in-open]")
    page.locator("[name=checked]").check()
    page.click("[data-hand-in] [type=submit]")


def expect_state(page: Page, text: str) -> None:
    # longer than the first two times it is sent again by itself
    expect(page.locator("[data-sheet-state]")).to_have_text(text, timeout=10_000)


def come_back(page: Page) -> None:
    """The referee looks at the page again, after another tab or another program."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def recorded(table: Table) -> list[tuple[str, int]]:
    return [(deal["landlord"], deal["bid"]) for deal in table.deals]


def live(page: Page) -> list[str]:
    return page.locator("[data-live] [data-points]").all_inner_texts()

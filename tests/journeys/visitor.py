"""Walks the pages as a browser without JavaScript: every form is the one the page shows, with its CSRF token."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from app.demonstration import people
from tests.journeys import driver
from tests.journeys.clients import Browser, Form, Page


class Visitor:
    """One person at a phone, in one competition."""

    def __init__(self, url: str, slug: str, serial: int) -> None:
        self.browser = Browser(url)
        self.slug = slug
        self.phone = people.phone(serial)

    def open(self, path: str) -> Page:
        page = self.browser.get(path)
        assert page.status == 200, f"{page.status} at {path}"
        return page

    def send(self, page: Page, form: Form, **values: str | None) -> Page:
        return self.browser.send(page, form, **values)

    def submitted(self, page: Page, form: Form, **values: str | None) -> Page:
        """The page after a form that must be accepted."""
        after = self.send(page, form, **values)
        assert after.status == 200, f"{after.status} after {form.action}: {words(after)}"
        return after

    def sign_in_at(self, path: str) -> Page:
        """Open ``path`` signed out, follow its offer to sign in, and come back to it signed in."""
        asked = self.browser.get(path)
        assert asked.status == 401, asked.status
        (offer,) = {link for link in asked.links if link.startswith("/sign-in?")}
        page = self.open(offer)
        page = self.submitted(page, page.form("/sign-in/code"), phone=self.phone)
        code = re.search(r"<strong data-code>(\d{6})</strong>", page.text)
        assert code, "the demonstration shows the code on the page"
        return self.submitted(page, page.form("/sign-in"), code=code[1])

    # --- the team leader ---

    def enter(self, path: str, number: int, serials: Sequence[int]) -> str:
        """From the poster's address to the receipt; returns its number."""
        page = self.sign_in_at(path)
        page = self.submitted(page, page.form_with("agreed"), agreed="1")
        page = self.submitted(page, page.form_with("credit_code"), **driver.unit(number))
        for serial in serials:
            page = self.open(f"/c/{self.slug}/enter/members/new")
            page = self.submitted(page, page.form_with("id_number"), **driver.member_posted(serial))
        page = self.open(f"/c/{self.slug}/enter/check")
        form = page.form_with("idempotency_key")
        first = self.submitted(page, form)
        again = self.submitted(page, form)  # a double tap sends the same form twice
        receipt = re.search(r"[A-Z]{2}-\d{4,}", first.text)
        assert receipt, words(first)
        assert receipt[0] in again.text
        return receipt[0]

    # --- the committee ---

    def approve_all(self) -> Page:
        page = self.open(f"/staff/c/{self.slug}/entries")
        return self.submitted(page, page.form("/decisions"))

    def publish(self) -> Page:
        page = self.open(f"/staff/c/{self.slug}/publication")
        return self.submitted(page, page.form("/publication"))

    def draw(self, seed: str) -> Page:
        page = self.open(f"/staff/c/{self.slug}/draws")
        return self.submitted(page, page.form_with("stage", "seed"), seed=seed)

    def table_addresses(self) -> list[str]:
        """The paths on the table cards, in the order of the tables."""
        page = self.open(f"/staff/c/{self.slug}/tables")
        paths = (urlsplit(link).path for link in page.links)
        return list(dict.fromkeys(path for path in paths if f"/c/{self.slug}/t/" in path))

    # --- the referee ---

    def record(self, path: str, made: Sequence[Mapping[str, Any]]) -> Page:
        """Ten deals one after the other, then the sheet is handed in."""
        page = self.open(path)
        for deal in made:
            page = self.submitted(page, page.form_with("landlord", "bid"), **typed(deal))
        form = page.form_with("checked")
        return self.submitted(page, form, checked="1")


def typed(deal: Mapping[str, Any]) -> dict[str, str | None]:
    """A deal as the score form sends it; an unticked box sends nothing."""
    if deal.get("passed_out"):
        return {"landlord": "passed_out", "bid": None, "winner": None}
    return {
        "landlord": deal["landlord"],
        "bid": str(deal["bid"]),
        "winner": deal["winner"],
        "bombs": str(deal["bombs"]),
        "rockets": "1" if deal["rockets"] else None,
        "spring": "1" if deal["spring"] else None,
        "anti_spring": "1" if deal["anti_spring"] else None,
    }


def words(page: Page) -> str:
    """The page's text, for messages."""
    body = re.sub(r"(?s)<(script|style).*?</\1>", " ", page.text)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body)).strip()[:2000]

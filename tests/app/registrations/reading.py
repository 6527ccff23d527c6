"""What a test reads from a page."""

from __future__ import annotations

import html
import re
from typing import Any

from flask import Flask

from app.competitions import queries as competitions
from app.registrations import queries


def review(app: Flask) -> tuple[queries.ReviewView, ...]:
    with app.app_context():
        return queries.review_list(competitions.competition("beach").event)


def text_of(answer: Any) -> str:
    return html.unescape(answer.get_data(as_text=True))


def value_of(page: str, name: str) -> str:
    """What stands in a field of the page."""
    found = re.search(rf'<input[^>]*name="{re.escape(name)}"[^>]*value="([^"]*)"', page)
    assert found is not None, name
    return found[1]


def error_beside(page: str, name: str) -> str:
    """The sentence beside a field, with the words of the clause it links to; empty if there is none."""
    found = re.search(rf'id="f-{re.escape(name)}-error">(.*?)</p>', page, re.DOTALL)
    return re.sub(r"<[^>]+>", "", found[1]) if found else ""


LEADER_PAGES = (
    "enter",
    "enter/notice",
    "enter/unit",
    "enter/members",
    "enter/members/new",
    "enter/check",
    "enter/receipt",
    "my",
)

"""Every page that a link of the seeded demonstration leads to opens, for each role and on awkward dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask

from app.actors import SYSTEM
from app.commands import command
from app.demonstration import service
from app.demonstration.queries import Cast
from app.text import BEIJING
from tests.factories import accounts
from tests.factories.demonstration import user_of

DATES = [
    datetime(2026, 11, 30, 12, 0, tzinfo=BEIJING),
    datetime(2026, 12, 31, 23, 59, 59, tzinfo=BEIJING),
    datetime(2030, 10, 1, 0, 0, 0, tzinfo=BEIJING),
]
OF_A_KIND = 2
"""Pages visited of one kind: every entrant has a page, and they are built alike."""

LINK = re.compile(r'(?:href|src|action)="([^"#]+)')
ROLES: list[Cast | None] = [None, *Cast]


@pytest.mark.parametrize("start", DATES, ids=str)
def test_every_link_leads_to_a_page(app: Flask, start: datetime, travel: Callable[[datetime], None]) -> None:
    travel(start)
    app_settings = app.config["SAISHI"]
    app.config["SAISHI"] = replace(app_settings, demo=True)
    try:
        with app.app_context(), command(SYSTEM) as ctx:
            service.seed(ctx)
        found = {role: crawl(app, role) for role in ROLES}
    finally:
        app.config["SAISHI"] = app_settings
    broken = [path for pages in found.values() for path, status in pages.items() if status != 200]
    assert broken == []
    assert len(found[Cast.COMMITTEE]) > 60, "the links were not followed"


def crawl(app: Flask, role: Cast | None) -> dict[str, int]:
    """Status of every page reachable by ``role``; what a link offers but a role may not open is left out."""
    client = app.test_client()
    if role is not None:
        with app.app_context():
            actor = accounts.actor(user_of(role))
        accounts.sign_in(client, actor)
    waiting, kinds, found = ["/", "/demo", "/staff/workdays"], Counter[str](), {}
    while waiting:
        path = waiting.pop()
        if path in found or kinds[kind(path)] >= OF_A_KIND:
            continue
        kinds[kind(path)] += 1
        answer = client.get(path)
        if answer.status_code in {301, 302, 303, 304}:
            waiting.append(urljoin(path, answer.headers["Location"]))
            continue
        if answer.status_code in {401, 403, 405, 409}:
            # a role one has not, a form's address, a step that is not open: each says so in a sentence
            assert "data-problem" in answer.get_data(as_text=True), path
            continue
        found[path] = answer.status_code
        if answer.mimetype == "text/html":
            links = (
                urlsplit(urljoin(path, link.replace("&amp;", "&"))) for link in LINK.findall(answer.text)
            )
            waiting += [
                link.path + (f"?{link.query}" if link.query else "") for link in links if inside(link)
            ]
    return found


def inside(link: object) -> bool:
    path, query = link.path, link.query  # type: ignore[attr-defined]  # the result of urlsplit
    # the preview of a letter leads to a made-up competition, "sample"
    made_up = ("/c/sample/", "/staff/c/sample/")
    elsewhere = path.startswith(("/static/", "/demo/sign-in/", "/sign-in", "/sign-out", "/api/"))
    elsewhere = elsewhere or f"{path}/".startswith(made_up)
    return path.startswith("/") and not elsewhere and "lang=" not in query


def kind(path: str) -> str:
    """``/c/demo-play/t/AbC…`` and ``/c/demo-play/t/XyZ…`` are pages of one kind."""
    shape = re.sub(r"/t/[\w-]+", "/t/*", path)
    return re.sub(r"\d+", "*", shape)

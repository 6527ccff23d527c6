"""The built assets, and a browser that is given pages without a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader
from playwright.sync_api import Browser, BrowserContext, Page

from app.frontend.build import build
from app.web.i18n import signed
from tests.frontend.sheets import PAGE, SITE, OpenPhone, Table

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def static() -> Path:
    """``app/static`` as its sources say."""
    build(ROOT)
    return ROOT / "app" / "static"


@pytest.fixture
def render(static: Path) -> Callable[..., str]:
    """``render(template, **context)``: a template text with the components, without the application."""
    manifest = json.loads((static / "manifest.json").read_text(encoding="utf-8"))

    def page(template: str, **context: Any) -> str:
        loader = ChoiceLoader([DictLoader({"page": template}), FileSystemLoader(ROOT / "templates")])
        environment = Environment(loader=loader, autoescape=True, extensions=["jinja2.ext.i18n"])
        environment.install_gettext_callables(  # type: ignore[attr-defined]  # the i18n extension adds it
            lambda text: text, lambda one, many, n: one if n == 1 else many, newstyle=True
        )
        environment.filters |= {"t": str, "cited": str, "beijing": str, "signed": signed}
        environment.globals |= {
            "csrf_token": lambda: "csrf",
            "asset": lambda name: f"/static/{manifest[name]}",
        }
        return environment.get_template("page").render(**context)

    return page


@pytest.fixture
def table(static: Path, render: Callable[..., str]) -> Table:
    return Table(static, render)


@pytest.fixture
def open_phone(chromium: Browser, table: Table) -> Iterator[OpenPhone]:
    """``open_phone()`` is a new phone at the table; the test fails on an error in its console."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def phone(**options: Any) -> Page:
        context = chromium.new_context(viewport={"width": 360, "height": 780}, **options)
        contexts.append(context)
        table.attach(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda message: faults.append(message.text) if "Content Security" in message.text else None,
        )
        page.goto(SITE + PAGE)
        return page

    yield phone
    for context in contexts:
        context.close()
    assert faults == []

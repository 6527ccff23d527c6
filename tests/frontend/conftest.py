"""The built assets, and a browser that is given pages without a server."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader
from playwright.sync_api import Browser, sync_playwright

from app.frontend.build import build
from app.web.i18n import signed

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


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
        environment.filters |= {"t": str, "beijing": str, "signed": signed}
        environment.globals |= {
            "csrf_token": lambda: "csrf",
            "asset": lambda name: f"/static/{manifest[name]}",
        }
        return environment.get_template("page").render(**context)

    return page


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium on this machine, and CI=true asks for the browser tests")
        pytest.skip("not run: no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()

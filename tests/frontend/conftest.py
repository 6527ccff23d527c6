"""The built assets, and a browser that is given pages without a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader
from playwright.sync_api import Browser

from app.frontend.build import build
from app.web.i18n import signed
from tests.chromium import browser

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
        environment.filters |= {"t": str, "beijing": str, "signed": signed}
        environment.globals |= {
            "csrf_token": lambda: "csrf",
            "asset": lambda name: f"/static/{manifest[name]}",
        }
        return environment.get_template("page").render(**context)

    return page


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started

"""The built assets, and a browser that is given pages without a server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from app.frontend.build import build

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def static() -> Path:
    """``app/static`` as its sources say."""
    build(ROOT)
    return ROOT / "app" / "static"


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

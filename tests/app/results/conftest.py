"""A hall with referees' phones (tests/app/results/phones.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser

from app.actors import Actor
from app.frontend.build import build
from tests.app.results.phones import Hall, NewPhone, Phone, opened_hall
from tests.conftest import ROOT


@pytest.fixture
def hall(app: Flask) -> Iterator[Hall]:
    """The program at a real address, with the tokens of its forms."""
    build(ROOT)
    app.extensions.pop("saishi_manifest", None)  # read anew: the sources may just have been built
    app.config["WTF_CSRF_ENABLED"] = True
    with opened_hall(app) as opened:
        yield opened
    app.config["WTF_CSRF_ENABLED"] = False


@pytest.fixture
def new_phone(chromium: Browser, hall: Hall, tmp_path: Path) -> Iterator[NewPhone]:
    """``new_phone(referee)`` is another phone, signed in; the test fails on an error in its console."""
    phones: list[Phone] = []

    def made(person: Actor | None) -> Phone:
        phones.append(Phone(chromium, hall, tmp_path / f"phone-{len(phones)}", person))
        return phones[-1]

    yield made
    for phone in phones:
        phone.close()

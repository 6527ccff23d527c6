from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from app.mailbox.rules import bind_letters, bound_letters
from app.settings import Settings
from tests.imap import Imap, imap_server


@pytest.fixture(scope="session")
def _imap() -> Iterator[Imap]:
    with imap_server() as server:
        yield server


@pytest.fixture
def imap(_imap: Imap) -> Imap:
    """An empty mailbox on a real server."""
    _imap.empty()
    return _imap


@pytest.fixture
def looking_at(app: Flask) -> Callable[..., Settings]:
    """The settings of this installation with a mailbox."""

    def settings(url: str, **changes: Any) -> Settings:
        mail = {"mail_to": "office@saishi.example.cn", "mail_from": "赛事小站 <saishi@saishi.example.cn>"}
        return replace(app.config["SAISHI"], imap_url=url, **(mail | changes))

    return settings


@pytest.fixture(autouse=True)
def _own_letters() -> Iterator[None]:
    """What a test binds, the others do not meet."""
    before = bound_letters()
    yield
    bind_letters(before)

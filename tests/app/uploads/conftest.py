from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.actors import Actor
from tests.factories import accounts, competitions


@pytest.fixture
def place(session: Any) -> str:
    return competitions.competition().slug


@pytest.fixture
def sender(place: str) -> Actor:
    return accounts.user(1)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "checking"

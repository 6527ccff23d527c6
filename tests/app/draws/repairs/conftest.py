"""A drawn round of ten people, and the two who repair it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from app.actors import Actor
from app.draws.queries import RoundView
from tests.factories import draws, registrations, results

Travel = Callable[[datetime], None]


@pytest.fixture
def drawn(session: Any, travel: Travel) -> RoundView:
    """Ten people: three tables, and one goes straight on."""
    return draws.drawn_prelim(travel, 10, 2)


@pytest.fixture
def committee(drawn: RoundView) -> Actor:
    return registrations.committee()


@pytest.fixture
def chief(drawn: RoundView) -> Actor:
    return results.chief()

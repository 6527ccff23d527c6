"""Competitions to judge in: one of each shipped text, while entries are open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.competitions.queries import CompetitionView
from app.regulations import library
from tests.factories import competitions as factory
from tests.factories import pairs
from tests.factories.publications import Travel

Held = Callable[..., CompetitionView]


@pytest.fixture
def held(app: Flask, travel: Travel) -> Held:
    """``held("siming-eighty-2023", must_play="free")``: a competition at ``/c/judged`` with these options."""

    def competition(regulation_id: str, **options: Any) -> CompetitionView:
        travel(library.load(regulation_id).calendar.registration_closes - timedelta(days=3))
        with app.app_context():
            return factory.competition(
                regulation=regulation_id,
                slug="judged",
                calendar=pairs.DAYS_OF_PLAY.get(regulation_id, {}),
                options=options,
            )

    return competition

"""Documents of pairs, and of players who enter themselves (思明区八十分, 白云区拖拉机)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app import clock
from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.queries import UnitLists
from app.documents.rules import ChecklistState
from tests.factories import pairs, uploads

Travel = Callable[[datetime], None]
CARD = "identity_card"


def lists(person: Actor) -> UnitLists:
    found = queries.my_lists(competitions.competition(pairs.SLUG), person.require_signed_in(), clock.now())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("regulation", "clause"),
    [(pairs.EIGHTY, "四"), (pairs.TRACTOR, "七")],
)
def test_each_player_of_a_pair_hands_in_his_own(
    session: Any, travel: Travel, tmp_path: Path, regulation: str, clause: str
) -> None:
    pairs.competition(travel, regulation, options={"identity_proof": "everyone"})
    person = pairs.submitted(1)
    both = lists(person).lists
    assert [[row.kind for row in each.rows] for each in both] == [[CARD], [CARD]]
    assert {row.clause for each in both for row in each.rows} == {clause}
    with command(person) as ctx:
        service.hand_in(
            ctx,
            slug=pairs.SLUG,
            subject=str(both[1].subject),
            kind=CARD,
            tokens=[uploads.ready(person, pairs.SLUG, tmp_path).token],
            idempotency_key="key-00000001",
        )
    states = [row.state for each in lists(person).lists for row in each.rows]
    assert states == [ChecklistState.MISSING, ChecklistState.UPLOADED]


def test_where_an_option_asks_for_nothing_nothing_is_asked(session: Any, travel: Travel) -> None:
    pairs.competition(travel, pairs.EIGHTY)
    assert lists(pairs.submitted(1)).lists == ()

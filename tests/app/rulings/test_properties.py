"""Whatever is ruled: points taken off never raise their offender, and what is withdrawn leaves no trace in the standings."""

from __future__ import annotations

import random
from typing import Any

import pytest

from app.competitions import queries as competitions
from tests.factories import results, rulings
from tests.factories.publications import Travel


def ranks(result: dict[str, Any]) -> dict[str, int]:
    return {each["entrant"]: each["rank"] for each in result["placings"]}


@pytest.mark.parametrize("seed", range(3))
def test_points_taken_off_never_raise_their_offender_and_withdrawing_restores_everything(
    session: Any, travel: Travel, seed: int
) -> None:
    chance = random.Random(seed)
    tables = results.prelim(travel, 12).tables
    event = competitions.competition("beach").event
    results.all_confirmed(event.id)
    told, made = [rulings.standing()], []
    for _ in range(6):
        table = chance.choice(tables)
        one = chance.choice(results.seats(table))
        code, more = chance.choice(
            [
                ("smoking", {"count": chance.randint(1, 9)}),
                ("abuse", {}),
                ("timeouts", {"deal": chance.randint(1, 10), "count": chance.randint(1, 7)}),
                ("alcohol", {}),
            ]
        )
        made += rulings.given(table, code, one, **more)
        told.append(rulings.standing())
        assert ranks(told[-1])[one] >= ranks(told[-2])[one], (code, more)
    for ruling in reversed(made):
        told.pop()
        rulings.withdrawn(ruling)
        assert rulings.standing() == told[-1]

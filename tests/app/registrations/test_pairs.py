"""Entries of two players: both in one form, one person in one entry, the newest form where the text says so."""

from __future__ import annotations

from typing import Any

import pytest

from app.draws import queries as draws
from app.registrations import queries
from tests.factories import pairs, people
from tests.factories.pairs import EIGHTY, TRACTOR
from tests.factories.publications import Travel

BOTH = pytest.mark.parametrize("regulation", [TRACTOR, EIGHTY])


@BOTH
def test_an_approved_pair_is_one_entrant_with_both_names(
    session: Any, travel: Travel, regulation: str
) -> None:
    made = pairs.field(travel, regulation, pairs=3)
    found = queries.approved_entries(made.event.id)
    assert [each.name for each in found] == [
        f"{people.person_name(2 * serial - 1)} / {people.person_name(2 * serial)}" for serial in (1, 2, 3)
    ]
    units = "第1机械厂" if regulation == TRACTOR else "第1厂工会 / 第2厂工会"
    assert found[0].unit_name == units
    publication, entrants = draws.final_list(made.event, pairs.PLAY[regulation])
    assert publication is None  # neither text has a published list
    assert set(entrants) == {f"e{each.entry_id}" for each in found}

"""A round of many tables while parts of the system are killed with SIGKILL: no sheet is lost or doubled, and the standings are those
of a round in which nothing died. ``python -m tests.benchmarks.hall`` does the same with 300 tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.hall import faults_of, hall, play_round, quiet_placings
from tests.journeys.instances import ENGINES

pytestmark = pytest.mark.journey

ENTRANTS = 48
SEED = "a-bad-day"


@pytest.mark.parametrize("engine", ENGINES)
def test_whatever_is_killed_every_sheet_is_stored_once_and_the_standings_are_those_of_a_quiet_day(
    engine: str, tmp_path: Path
) -> None:
    wanted = quiet_placings(tmp_path, ENTRANTS, SEED)
    with hall(engine, tmp_path, ENTRANTS) as (bad, parts):
        phones = play_round(bad, SEED, deaths=parts, pause=1.0)
        assert parts.deaths == dict.fromkeys(parts.deadly(), 1)
        assert placed(bad.wait_for_all()["placings"]) == placed(wanted)
        assert faults_of(bad, phones, SEED) == []


def placed(placings: Iterable[Mapping[str, Any]]) -> list[tuple[int, str]]:
    return [(each["rank"], each["entrant"]) for each in placings]

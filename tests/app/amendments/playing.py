"""An event of points with rounds played, for versions that come after results."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

from app.actors import SYSTEM
from app.cli import cli
from app.commands import command
from app.competitions import queries as competitions
from app.standings import queries as standings
from app.standings import service as standings_service
from tests.event_files import schema
from tests.factories import rounds
from tests.factories.publications import Travel

SLUG = rounds.SLUG


def seed(number: int) -> str:
    """A seed of a round's own, by which eight can be paired three times."""
    return f"{number:02x}" * 32


def event_of(slug: str) -> competitions.EventView:
    return competitions.competition(slug).event


def recomputed(slug: str) -> standings.SnapshotView:
    event = event_of(slug)
    with command(SYSTEM) as ctx:
        standings_service.recompute(ctx, event.id)
    snapshot = standings.latest(event.id)
    assert snapshot is not None
    return snapshot


def two_rounds(travel: Travel) -> None:
    """A Xiangqi event of eight with two rounds played."""
    rounds.field(travel, entrants=8)
    for number in (1, 2):
        rounds.played(rounds.drawn(seed=seed(number)))
        recomputed(SLUG)


def verified(event: competitions.EventView) -> dict[str, Any]:
    """What `saishi verify` prints of the event file as anybody downloads it."""
    content = standings.event_file_download(event.id).content
    assert schema.refused(json.loads(content)) == []
    done = CliRunner().invoke(cli, ["verify", "-"], input=content)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found

"""The line on the page of draws that makes them again: taken from the page, run, and run on a file somebody changed."""

from __future__ import annotations

import html
import json
import re
import shlex
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.competitions import queries as competitions
from app.standings import service
from tests import services
from tests.factories import draws, registrations, rounds
from tests.factories.publications import Travel


def line_of(page: str) -> list[str]:
    found = re.search(r"data-replay-command>([^<]+)<", page)
    assert found is not None
    return shlex.split(html.unescape(found[1]))


def run(client: FlaskClient, slug: str, folder: Path) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The line of the page of draws, with the download answered by this application."""
    words = line_of(client.get(f"/c/{slug}/draws").text)
    curl, verify = words[: words.index("&&")], words[words.index("&&") + 1 :]
    assert curl[:3] == ["curl", "-fsS", "-o"]
    file = folder / curl[3]
    address = urlsplit(curl[4])
    assert address.netloc == "localhost"
    answer = client.get(address.path)
    assert answer.status_code == 200
    file.write_bytes(answer.data)
    assert verify == ["saishi", "verify", file.name]
    return file, services.saishi("verify", str(file), environment={})


@pytest.fixture
def two_rounds(app: Flask, travel: Travel) -> None:
    """Round 1 committed to and played, round 2 drawn after words of the public."""
    with app.app_context():
        rounds.field(travel, rounds.XIANGQI, 7)
        event = competitions.competition(rounds.SLUG).event
        for number in (1, 2):
            with command(registrations.committee(rounds.SLUG)) as ctx:
                service.commit_stage(ctx, event.id)
            with command(registrations.committee(rounds.SLUG)) as ctx:
                service.draws.contribute(ctx, event.id, "swiss", number, "开奖号码 <42> & 'ä'")
            drawn = rounds.drawn()
            if number == 1:
                rounds.played(drawn)


@pytest.mark.usefixtures("two_rounds")
def test_the_line_on_the_page_makes_the_draws_of_rounds_by_points_again(
    client: FlaskClient, tmp_path: Path
) -> None:
    file, verified = run(client, rounds.SLUG, tmp_path)
    assert verified.returncode == 0, verified.stdout
    assert json.loads(verified.stdout)["verified"] is True
    document = json.loads(file.read_text(encoding="utf-8"))
    document["draws"][1]["contribution"] = "开奖号码 43"
    file.write_text(json.dumps(document), encoding="utf-8")
    again = services.saishi("verify", str(file), environment={})
    assert again.returncode == 1
    assert {each["path"] for each in json.loads(again.stdout)["differences"]} == {"$.draws[1].seed"}


def test_the_line_on_the_page_makes_the_groups_of_three_again(
    app: Flask, travel: Travel, client: FlaskClient, tmp_path: Path
) -> None:
    with app.app_context():
        draws.drawn_prelim(travel, 11, 3)
    _, verified = run(client, "beach", tmp_path)
    assert verified.returncode == 0, verified.stdout

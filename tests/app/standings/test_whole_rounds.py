"""A whole competition paired by points by its API: late, absent, withdrawn, forfeiting, and a round by ruling.

At the end anybody who downloads the event file replays every draw and computes the same placings from it.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.cli import cli
from app.commands import command
from app.competitions import queries as competitions
from app.demonstration import deals
from app.regulations import library
from app.regulations.rules import Regulation
from app.standings import service
from tests.factories import accounts, registrations, results, rounds
from tests.factories import competitions as competitions_factory
from tests.factories.publications import Travel

BASE = f"/api/v1/competitions/{rounds.SLUG}"
_keys = itertools.count(1)


@dataclass
class Event:
    """One event and the phones around it."""

    app: Flask
    client: FlaskClient
    committee: Mapping[str, str]
    chief: Mapping[str, str]
    referee: Mapping[str, str]
    chance: random.Random
    entrants: dict[str, list[str]] = field(default_factory=dict)
    """The ids of each unit's people."""

    def get(self, path: str) -> Any:
        answer = self.client.get(f"{BASE}{path}", headers=self.chief)
        assert answer.status_code == 200, answer.text
        return answer.json

    def post(self, path: str, by: Mapping[str, str] | None = None, /, **body: Any) -> Any:
        answer = self.client.post(f"{BASE}{path}", json=body, headers=by or self.committee)
        assert answer.status_code in {201, 204}, answer.text
        return answer.json

    def refused(self, path: str, by: Mapping[str, str] | None = None, /, **body: Any) -> Any:
        answer = self.client.post(f"{BASE}{path}", json=body, headers=by or self.committee)
        assert answer.status_code == 409, answer.text
        return answer.json

    def mark(self, entrant: str, act: str, number: int, by: Mapping[str, str] | None = None) -> None:
        self.post("/attendance", by, entrant=entrant, act=act, round=number, reason="按组委会登记")

    def draw(self) -> Any:
        made = self.post("/stages/next")
        return self.drawn(made["round"])

    def rule(self, reason: str) -> Any:
        """The round that is due, drawn by the ruling of the chief referee."""
        assert self.refused("/stages/next")["needs_ruling"]
        self.post("/commitments")
        question = self.get("/ruling")
        assert question["needed"]
        made = self.post("/ruling", self.chief, proof=question["proof"], reason=reason)
        drawn = self.drawn(made["round"])
        assert drawn["ruling"]["reason"] == reason
        assert [[seat["entrant"] for seat in table["seats"]] for table in drawn["tables"]] == question[
            "tables"
        ]
        return drawn

    def drawn(self, number: int) -> Any:
        (found,) = (each for each in self.get("/draws") if each["round"] == number)
        return found

    def play(self, drawn: Any, forfeits: str | None = None) -> None:
        """Every table of a round, handed in by the referee's phone."""
        for table in drawn["tables"]:
            seats = [seat["entrant"] for seat in table["seats"]]
            said = {"forfeits": [forfeits]} if forfeits in seats else self.result(table["token"], seats)
            sent = {"base_revision": 0, "idempotency_key": f"whole-{next(_keys):08d}", "handed_in": True}
            answer = self.client.post(
                f"/api/v1/tables/{table['token']}/revisions", json=sent | said, headers=self.referee
            )
            assert answer.status_code in {200, 201}, answer.text

    def result(self, token: str, seats: list[str]) -> dict[str, Any]:
        if len(seats) == 2:
            return {"winner": self.chance.choice([*seats, *seats, None])}
        sheet = self.client.get(f"/api/v1/tables/{token}", headers=self.referee).json
        return {"deals": deals.sheet(seats, sheet["deals_wanted"], str(self.chance.random()))}

    def settle(self) -> None:
        """The standings of the newest results, as the worker computes them."""
        with self.app.app_context():
            by = registrations.committee(rounds.SLUG)
            with command(by) as ctx:
                service.recompute(ctx, competitions.competition(rounds.SLUG).event.id)

    def require_the_file_says_it_all(self, folder: Path) -> dict[str, Any]:
        """`saishi verify` finds nothing, `saishi score` gives the placings of the site. Returns the file."""
        self.settle()
        path = folder / "event.json"
        path.write_bytes(self.client.get(f"{BASE}/event-file").data)
        run = CliRunner()
        verified = run.invoke(cli, ["verify", str(path)])
        assert verified.exit_code == 0, verified.output
        scored = json.loads(run.invoke(cli, ["score", str(path)]).output)
        shown = self.get("/standings")
        assert [(each["rank"], each["entrant"], each["values"]) for each in scored["placings"]] == [
            (each["rank"], each["entrant"], each["values"]) for each in shown["placings"]
        ]
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return document


def begun(app: Flask, client: FlaskClient, travel: Travel, regulation: str, units: tuple[int, ...]) -> Event:
    """Reviewed entries of these many people from each unit; the first day of play."""
    with app.app_context():
        travel(rounds.DURING_ENTRIES)
        by = accounts.user(registrations.ORGANISER, Role.ORGANISER)
        competitions_factory.competition(by, regulation=roomy(regulation), slug=rounds.SLUG, name="演练赛")
        for number, size in enumerate(units, start=1):
            registrations.approved(number, size, rounds.SLUG)
        travel(rounds.PLAY)
        people: list[Actor] = [
            registrations.committee(rounds.SLUG),
            results.chief(rounds.SLUG),
            results.referee(rounds.SLUG),
        ]
        committee, chief, referee = (accounts.bearer(app, each) for each in people)
    event = Event(app, client, committee, chief, referee, random.Random(regulation))
    for entrant in event.get("/event-file")["entrants"]:
        event.entrants.setdefault(entrant["unit"], []).append(entrant["id"])
    assert sorted(map(len, event.entrants.values())) == sorted(units)
    return event


def roomy(regulation: str) -> Regulation:
    """The regulation with room for a large unit."""
    document = library.load(regulation).document
    limit = document["registration"].get("entries_per_unit")
    if limit is not None:
        limit["limit"] = 9
    return Regulation.from_document(document)


def test_seventeen_of_five_units_play_threes_with_everything_that_happens_on_a_day(
    app: Flask, client: FlaskClient, travel: Travel, tmp_path: Path
) -> None:
    event = begun(app, client, travel, rounds.LANDLORD, (6, 3, 3, 3, 2))
    _, second, third, fourth, fifth = event.entrants.values()
    late, absent, gone = second[0], third[0], fourth[0]
    event.mark(late, "enters", 2)
    drawn = event.draw()
    assert (len(drawn["entrants"]), len(drawn["tables"])) == (16, 5)
    event.play(drawn)

    event.mark(absent, "absent", 2)
    drawn = event.draw()
    assert (late in drawn["entrants"], absent in drawn["entrants"]) == (True, False)
    event.play(drawn)

    drawn = event.draw()
    assert len(drawn["entrants"]) == 17
    event.play(drawn)

    event.mark(gone, "withdrawn", 4)
    event.refused("/attendance", entrant=gone, act="absent", round=3)
    for each in (second[1], third[1], fifth[0]):
        event.mark(each, "absent", 4)
    # thirteen are left: four tables, and one bye for six people of one unit
    drawn = event.rule("该单位六人四桌，无法分开")
    assert (len(drawn["entrants"]), len(drawn["tables"])) == (13, 4)
    event.play(drawn)

    document = event.require_the_file_says_it_all(tmp_path)
    said = {each["id"]: each for each in document["entrants"]}
    assert said[late]["enters_in"] == 2
    assert said[gone]["withdrawn_after"] == 3
    parts = document["stages"][0]["rounds"]
    assert parts[1]["absent"] == [absent]
    assert len(parts[3]["absent"]) == 3
    assert [each.get("ruling", {}).get("by") for each in document["draws"]] == [None, None, None, "裁判长"]
    placed = [each["entrant"] for each in event.get("/standings")["placings"]]
    assert {late, absent, gone} <= set(placed)
    assert len(placed) == 17


def test_seven_play_go_with_forfeits_running_and_a_ruling_on_the_size_of_the_field(
    app: Flask, client: FlaskClient, travel: Travel, tmp_path: Path
) -> None:
    event = begun(app, client, travel, rounds.GO, (2, 2, 2, 1))
    first, second, third, _ = event.entrants.values()
    late, away = first[0], second[0]
    event.mark(late, "enters", 2)
    drawn = event.rule("七人按一组进行")
    assert (late in drawn["entrants"], len(drawn["direct"])) == (False, 0)
    event.play(drawn, forfeits=away)
    event.mark(third[0], "absent", 2)
    drawn = event.draw()
    assert (len(drawn["entrants"]), len(drawn["direct"])) == (6, 0)
    event.play(drawn, forfeits=away)
    assert [(each["entrant"], each["why"]) for each in event.get("/attendance")["away"]] == [
        (away, "stands_out")
    ]
    drawn = event.draw()
    assert away not in drawn["entrants"]
    event.play(drawn)
    event.mark(away, "reinstated", 4, event.chief)
    drawn = event.draw()
    assert away in drawn["entrants"]
    event.play(drawn)
    document = event.require_the_file_says_it_all(tmp_path)
    assert document["stages"][0]["rounds"][3]["reinstated"] == [away]

"""The three individual formats paired by points, from creation to final placings, by the JSON API of one instance."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.demonstration import deals, people
from app.regulations import library
from app.text import BEIJING
from scoring_engine import event_file
from tests.journeys import driver, instances
from tests.journeys.clients import Refused
from tests.journeys.driver import Instance, Journey

pytestmark = pytest.mark.journey

DURING_ENTRIES = datetime(2021, 5, 25, 9, 0, tzinfo=BEIJING)
PLAY = datetime(2021, 6, 12, 9, 0, tzinfo=BEIJING)

Result = Callable[[Mapping[str, Any], random.Random], dict[str, Any]]


def board(sheet: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """A game won by either side, drawn, or forfeited; now and then a violation."""
    first, second = (seat["entrant"] for seat in sheet["seats"])
    made: dict[str, Any] = chance.choice(
        [
            *[{"winner": first}, {"winner": second}] * 5,
            *[{"winner": None}] * 2,
            {"forfeits": [second]},
        ]
    )
    return made | ({"violations": {first: 1}} if chance.random() < 0.1 else {})


def cards(sheet: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """Twelve deals, somebody late at times; or a forfeit and no deals."""
    seats = [seat["entrant"] for seat in sheet["seats"]]
    if chance.random() < 0.1:
        return {"forfeits": [chance.choice(seats)]}
    late = {"late": {chance.choice(seats): 4}} if chance.random() < 0.2 else {}
    return {"deals": deals.sheet(seats, sheet["deals_wanted"], str(chance.random()))} | late


@dataclass(frozen=True)
class Format:
    regulation: str
    entrants: int
    units: int
    people_a_table: int
    result: Result


FORMATS = (
    Format("dongcheng-go-2021", 20, 10, 2, board),
    Format("dongcheng-xiangqi-2021", 13, 7, 2, board),
    Format("dongcheng-landlord-2021", 14, 5, 3, cards),
)


@dataclass
class Points(Journey):
    """A competition paired by points on its way."""

    format: Format = field(default=FORMATS[0])

    def create_by(self) -> None:
        made = self.organiser.post(
            "/competitions",
            regulation=self.format.regulation,
            place="示例市体育馆",
            slug=self.slug,
            name="演练赛",
        )
        assert made["events"][0]["regulation"] == self.format.regulation
        for role, serial in driver.STAFF.items():
            self.organiser.post(f"/competitions/{self.slug}/staff", phone=people.phone(serial), role=role)
        self.staff = {role: self.sign_in(serial) for role, serial in driver.STAFF.items()}

    def enter_members(self) -> None:
        """Units with and without a credit code; nobody is asked who employs them."""
        for number, serials in enumerate(shared(range(1, self.format.entrants + 1), self.format.units)):
            leader = self.sign_in(driver.FIRST_LEADER + number)
            base = f"/competitions/{self.slug}"
            leader.post(f"{base}/consent", agreed=True)
            asked = driver.unit(number)
            leader.put(f"{base}/unit", **(asked if number % 2 else asked | {"credit_code": ""}))
            for serial in serials:
                declared = {"employment": "", "declared": {"residence_days": True}}
                leader.post(f"{base}/members", **(driver.member(serial) | declared))
            self.submit(leader)

    def draw_round(self) -> dict[str, Any]:
        """The next round, as the committee sees it."""
        made = self.staff["chief_referee"].post(f"/competitions/{self.slug}/stages/next")
        rounds = self.staff["committee"].get(f"/competitions/{self.slug}/draws")
        (drawn,) = (each for each in rounds if each["round"] == made["round"])
        assert drawn["stage"] == "swiss"
        return dict(drawn)

    def post_results(self, drawn: Mapping[str, Any], chance: random.Random) -> None:
        referee = self.staff["referee"]
        for table in drawn["tables"]:
            path = f"/tables/{table['token']}"
            said = self.format.result(referee.get(path), chance)
            sent = {"base_revision": 0, "idempotency_key": uuid.uuid4().hex, "handed_in": True, **said}
            assert referee.post(f"{path}/revisions", **sent)["state"] == "confirmed"
        assert referee.post(f"{path}/revisions", **sent)["revision"] == 1, "the same request was stored twice"

    def require_verified(self, number: int) -> None:
        """The public event file as it is now: the draw of this round replays. The whole file is verified at the end."""
        document = event_file.parse(self.download_event_file().read_text())
        rules = library.load(self.format.regulation).scoring_rules()
        assert event_file.verify_draw(document, rules, "swiss", number) == []


def shared(serials: Sequence[int], units: int) -> Iterable[Sequence[int]]:
    """Serials dealt out to units as evenly as can be."""
    return (serials[number::units] for number in range(units))


def test_three_formats_by_points_go_from_creation_to_their_final_placings(tmp_path: Path) -> None:
    with instances.running(instances.SQLITE, tmp_path) as instance:
        Journey(instance).appoint_organiser()
        for format_ in FORMATS:
            play(instance, format_)


def play(instance: Instance, format_: Format) -> None:
    chance = random.Random(format_.regulation)
    journey = Points(instance, slug=format_.regulation, format=format_)
    journey.organiser = journey.sign_in(1)
    journey.move_clock(DURING_ENTRIES)
    journey.create_by()
    journey.enter_members()
    assert journey.approve_all() == format_.entrants
    assert refused(journey).problem["clause"] == "附件1七4", "entries are still open"
    journey.move_clock(PLAY)
    no_list = refused_publication(journey)
    assert "没有公示名单的条文" in no_list.problem["detail"]
    rounds = library.load(format_.regulation).stages[0].rounds
    seated = 0
    for number in range(1, rounds + 1):
        drawn = journey.draw_round()
        assert drawn["round"] == number
        assert {len(table["seats"]) for table in drawn["tables"]} == {format_.people_a_table}
        if number == 1:
            assert len(drawn["direct"]) == format_.entrants % format_.people_a_table
        waiting = refused(journey)
        assert len(waiting.problem["waiting"]) == len(drawn["tables"])
        journey.post_results(drawn, chance)
        journey.require_verified(number)
        seated += len(drawn["tables"])
    assert "没有下一轮" in refused(journey).problem["detail"]
    shown = journey.wait_for_standings()
    assert shown["provisional"] is False
    assert len(shown["placings"]) == format_.entrants
    assert shown["tables"] == shown["confirmed"] == seated
    (stage,) = shown["stages"]
    assert all(len(placing["rounds"]) == rounds for placing in stage["placings"])
    assert bool(shown["teams"]) == (format_.people_a_table == 3)
    journey.require_recomputable(shown)
    pages_show(instance, journey, shown)


def pages_show(instance: Instance, journey: Points, shown: Mapping[str, Any]) -> None:
    """The public pages of a competition that is over open."""
    first = shown["placings"][0]
    there = "/draws", "/pairings", "/standings", f"/standings/{first['entrant']}", "/draws/swiss/2/replay"
    with httpx.Client(base_url=instance.url, trust_env=False, timeout=30) as visitor:
        for path in there:
            page = visitor.get(f"/c/{journey.slug}{path}")
            assert page.status_code == 200, (path, page.text)
        assert 'data-replayed="identical"' in page.text


def refused(journey: Points) -> Refused:
    with pytest.raises(Refused) as refusal:
        journey.staff["chief_referee"].post(f"/competitions/{journey.slug}/stages/next")
    assert refusal.value.status == 409
    return refusal.value


def refused_publication(journey: Points) -> Refused:
    with pytest.raises(Refused) as refusal:
        journey.publish()
    assert refusal.value.status == 409
    return refusal.value

"""Plays the whole job through the JSON API of a running demonstration instance.

From the organiser's first act to the final placings: create, poster, sign-up of 34 members of 12 units, review,
publication, draw, score sheets, standings, later stages. Every step checks what it was answered.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from app.demonstration import deals, people
from app.regulations import library
from app.text import BEIJING
from tests import services
from tests.journeys import posters
from tests.journeys.clients import Api, Refused

REGULATION = "beach-games-landlord-2021"
CALENDAR = library.load(REGULATION).calendar
DURING_ENTRIES = datetime(2021, 10, 25, 9, 0, tzinfo=BEIJING)
DEADLINE = CALENDAR.registration_closes
WINDOW_ENDS = datetime(2021, 11, 6, 0, 0, tzinfo=BEIJING)
"""Five working days after 31 October 2021, a Sunday: until 24:00 of 5 November."""

PLAY = datetime(2021, 12, 3, 9, 0, tzinfo=BEIJING)
SEED = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
STAFF = {"committee": 2, "chief_referee": 3, "referee": 4}
"""Role -> serial of the made-up phone; the organiser has 1, team leaders begin at 11."""

FIRST_LEADER = 11
MEMBERS = 34


@dataclass
class Instance:
    """A running instance and the folder and environment of its command line."""

    url: str
    environment: Mapping[str, str]
    folder: Path
    tokens: dict[str, str] = field(default_factory=dict)
    """Phone -> bearer token: codes are sent sparingly, so each person signs in once."""


@dataclass
class Journey:
    """The state of one competition on its way."""

    instance: Instance
    slug: str = "journey"
    organiser: Api = field(init=False)
    staff: dict[str, Api] = field(default_factory=dict)
    leaders: list[Api] = field(default_factory=list)

    # --- people ---

    def sign_in(self, serial: int) -> Api:
        """With phone and one-time code; the demonstration shows the code. Once per person."""
        phone = people.phone(serial)
        tokens = self.instance.tokens
        if phone not in tokens:
            nobody = Api(self.instance.url)
            code = nobody.post("/sign-in/codes", phone=phone)["code"]
            tokens[phone] = nobody.post("/sign-in/sessions", phone=phone, code=code)["token"]
        return Api(self.instance.url, tokens[phone])

    def appoint_organiser(self) -> None:
        """The first organiser is named on the command line, everybody else on the site."""
        done = services.saishi("organiser", people.phone(1), environment=self.instance.environment)
        assert done.returncode == 0, done.stderr
        self.organiser = self.sign_in(1)

    def move_clock(self, moment: datetime) -> None:
        self.organiser.post("/demo/clock", moment=moment.isoformat())

    # --- 1. organiser ---

    def create(self) -> None:
        made = self.organiser.post(
            "/competitions", regulation=REGULATION, place="示例市体育馆", slug=self.slug, name="演练赛"
        )
        assert made["slug"] == self.slug
        assert made["events"][0]["calendar"]["registration_closes"] == DEADLINE.isoformat()
        for role, serial in STAFF.items():
            self.organiser.post(f"/competitions/{self.slug}/staff", phone=people.phone(serial), role=role)
        self.staff = {role: self.sign_in(serial) for role, serial in STAFF.items()}

    def follow_poster(self) -> str:
        """Scan the poster as printed and open where it leads. Returns the path."""
        with httpx.Client(base_url=self.instance.url, trust_env=False, timeout=30) as camera:
            poster = camera.get(f"/c/{self.slug}/poster")
            assert poster.status_code == 200
            assert f"/c/{self.slug}/qr.svg" in poster.text
            assert camera.get(f"/c/{self.slug}/qr.svg").headers["content-type"].startswith("image/svg+xml")
            address = posters.read_at_3_cm(camera.get(f"/c/{self.slug}/qr.png").content)
            assert address.startswith(self.instance.url), address
            followed = camera.get(urlsplit(address).path, follow_redirects=True)
            assert followed.status_code in {200, 401}, followed.status_code  # asks to sign in
        return urlsplit(address).path

    # --- 2. team leaders ---

    def enter_all(self) -> None:
        """Twelve leaders sign up 34 members."""
        serial = 0
        for number, size in enumerate(people.sizes_of_units(MEMBERS)):
            leader = self.enter_unit(number, range(serial + 1, serial + size + 1))
            self.submit(leader)
            serial += size

    def enter_unit(self, number: int, serials: range) -> Api:
        leader = self.sign_in(FIRST_LEADER + number)
        base = f"/competitions/{self.slug}"
        leader.post(f"{base}/consent", agreed=True)
        leader.put(f"{base}/unit", **unit(number))
        for serial in serials:
            leader.post(f"{base}/members", **member_json(serial))
        self.leaders.append(leader)
        return leader

    def submit(self, leader: Api) -> dict[str, Any]:
        """Handing in twice with one key is handing in once."""
        key = uuid.uuid4().hex
        path = f"/competitions/{self.slug}/submission"
        first = leader.post(path, idempotency_key=key)
        again = leader.post(path, idempotency_key=key)
        assert first["number"] == again["number"]
        assert {each["state"] for each in again["members"]} == {"submitted"}
        return dict(again)

    def late_entry(self) -> Refused:
        """At 18:00:01 the door is shut, with its clause; nothing is stored."""
        self.move_clock(DEADLINE + timedelta(seconds=1))
        leader = self.leaders[0]
        path = f"/competitions/{self.slug}/members"
        before = leader.get(f"/competitions/{self.slug}/my")
        try:
            leader.post(path, **member_json(900))
        except Refused as refusal:
            assert leader.get(f"/competitions/{self.slug}/my") == before
            return refusal
        raise AssertionError("an entry after the deadline was accepted")

    # --- 3. committee ---

    def approve_all(self) -> int:
        committee = self.staff["committee"]
        entries = committee.get(f"/competitions/{self.slug}/entries")["entries"]
        decisions = [{"entry_id": each["entry_id"], "decision": "approve"} for each in entries]
        answer = committee.post(f"/competitions/{self.slug}/decisions", decisions=decisions)
        return int(answer["counts"]["approved"])

    def publish(self) -> dict[str, Any]:
        return dict(self.staff["committee"].post(f"/competitions/{self.slug}/publications"))

    def draw(self, stage: str = "prelim", seed: str = SEED) -> dict[str, Any]:
        return dict(self.staff["committee"].post(f"/competitions/{self.slug}/draws", stage=stage, seed=seed))

    # --- 4. referees ---

    def record_table(self, token: str, *, seed: str) -> None:
        """Ten deals, then the sheet is handed in: what a phone sends when the network comes and goes."""
        referee = self.staff["referee"]
        path = f"/tables/{token}"
        sheet = referee.get(path)
        seats = [seat["entrant"] for seat in sheet["seats"]]
        made = deals.sheet(seats, sheet["deals_wanted"], seed)
        half = len(made) // 2
        saved = referee.post(
            f"{path}/revisions", base_revision=0, idempotency_key=uuid.uuid4().hex, deals=made[:half]
        )
        whole = {"base_revision": saved["revision"], "idempotency_key": uuid.uuid4().hex, "deals": made}
        done = referee.post(f"{path}/revisions", **whole, handed_in=True)
        again = referee.post(f"{path}/revisions", **whole, handed_in=True)
        assert done["state"] == "confirmed"
        assert again["revision"] == done["revision"], "the same request twice was stored twice"

    def record_round(self, drawn: Mapping[str, Any]) -> None:
        """Every table of a drawn round."""
        for table in drawn["tables"]:
            self.record_table(table["token"], seed=f"{self.slug} {drawn['stage']} {table['number']}")

    def draw_next(self) -> dict[str, Any]:
        """The next stage, or the play-off that is due, as the standings have it."""
        chief = self.staff["chief_referee"]
        drawn = len(chief.get(f"/competitions/{self.slug}/draws"))
        seed = hashlib.sha256(f"{SEED} {drawn}".encode()).hexdigest()  # a seed is used once
        made = chief.post(f"/competitions/{self.slug}/stages/next", seed=seed)
        rounds = chief.get(f"/competitions/{self.slug}/draws")
        return dict(next(each for each in rounds if each["stage"] == made["stage"]))

    # --- 5. the public ---

    def wait_for_standings(self, *, within: float = 30.0) -> dict[str, Any]:
        """The public standings, once they are those of the public event file as it is now."""
        public = Api(self.instance.url)
        wanted = hashlib.sha256(self.download_event_file().read_bytes()).hexdigest()
        deadline = time.monotonic() + within
        while True:
            shown = public.get(f"/competitions/{self.slug}/standings")
            if shown["input_sha256"] == wanted:
                return dict(shown)
            assert time.monotonic() < deadline, f"{wanted} not shown after {within:.0f} s: {shown}"
            time.sleep(0.02)

    def download_event_file(self) -> Path:
        path = self.instance.folder / f"{self.slug}.json"
        path.write_bytes(Api(self.instance.url).raw(f"/competitions/{self.slug}/event-file"))
        return path

    def require_recomputable(self, shown: Mapping[str, Any]) -> None:
        """The public standings are what anyone computes from the public event file, with no instance at hand."""
        event_file = self.download_event_file()
        done = services.saishi("score", str(event_file), environment={})
        assert done.returncode == 0, done.stderr
        computed = json.loads(done.stdout)
        assert bare(shown["placings"]) == bare(computed["placings"])
        assert [stage["code"] for stage in shown["stages"]] == [stage["code"] for stage in computed["stages"]]
        for ours, theirs in zip(shown["stages"], computed["stages"], strict=True):
            assert bare(ours["placings"]) == bare(theirs["placings"])
            assert (ours["direct"], ours["advance"]) == (theirs["direct"], theirs["advance"])
        verified = services.saishi("verify", str(event_file), environment={})
        assert verified.returncode == 0, verified.stdout + verified.stderr


def bare(placings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Placings as the engine writes them, without the names that the site adds."""
    return [
        {key: value for key, value in placing.items() if key not in {"name", "unit"}} for placing in placings
    ]


def unit(number: int) -> dict[str, str]:
    """Unit ``number`` (from 0) as its leader types it."""
    return {
        "name": people.UNIT_NAMES[number],
        "credit_code": people.credit_code(number + 1),
        "contact_name": people.person_name(900 + number),
        "contact_phone": people.phone(FIRST_LEADER + number),
    }


DECLARED = ("healthy", "not_in_region")
"""What regulation A has each player declare (三(一)4, 三(一)5)."""


def member_posted(serial: int) -> dict[str, str]:
    """Made-up member ``serial`` as a leader types them into the page."""
    return member(serial) | {f"declared-{rule}": "1" for rule in DECLARED}


def member_json(serial: int) -> dict[str, Any]:
    """The same for the API."""
    return member(serial) | {"declared": dict.fromkeys(DECLARED, True)}


def member(serial: int) -> dict[str, str]:
    """What is typed of made-up member ``serial``."""
    return {
        "name": people.person_name(serial),
        "id_number": people.id_number(serial),
        "phone": people.phone(200 + serial),
        "employment": "full_time",
    }

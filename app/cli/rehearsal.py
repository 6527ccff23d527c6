"""A whole rehearsal event (演练) through the public API of a running demonstration: entries, draws, results, placings.

Nothing here knows a regulation: who may enter, how many stages and what a table plays come from the file and from what the
instance answers. People, cards and results are made up, all from one seed, so that the same seed plays the same event.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from app.cli.foresight import ruling_ahead
from app.cli.rehearsal_after import After
from app.cli.rehearsal_day import Day
from app.cli.rehearsal_hall import Hall
from app.cli.rehearsal_sheets import Sheets
from app.demonstration import people
from app.regulations.rules import CalendarKey, Regulation
from app.text import BEIJING

PATIENCE = 60.0
"""Seconds for one answer, and for the standings to follow the results."""

AT_THE_DOOR = 150.0
"""Seconds to wait where the site lets in only so many a minute from one address: here all users of an event come from one."""

ORGANISER = 1
"""Serial of the made-up phone of the demonstration's organiser, who is the committee and the chief referee of the rehearsal."""

ROLES = ("committee", "chief_referee")
LEADERS_APART, ARBITER, REFEREES = 1_000, 999, (997, 998)
"""Phones between one rehearsal and the next: nobody of one is asked for a code again by another."""

FIRST_LEADER, LAST_LEADER = 1_000_000, 90_000_000
FIRST_PHONE, CODE_AGAIN = 10_000, 31.0
ONLY_A_DEMONSTRATION = "%s: 演练只能在演示实例（saishi demo）上进行。"
OPENER = build_opener(ProxyHandler({}))


class RehearsalStoppedError(Exception):
    """The event could not be played on; ``sentence`` says why."""

    def __init__(self, sentence: str, status: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        """Of the answer, None where there was none."""


class Api:
    """``/api/v1`` of an instance, as one person or as nobody."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.token = token

    def raw(self, path: str) -> bytes:
        return self._send("GET", path, None)

    def get(self, path: str) -> Any:
        return json.loads(self._send("GET", path, None))

    def post(self, path: str, **body: Any) -> Any:
        answer = self._send("POST", path, body)
        return json.loads(answer) if answer else None

    def put(self, path: str, **body: Any) -> Any:
        return json.loads(self._send("PUT", path, body))

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> bytes:
        headers = {"Content-Type": "application/json", "Accept-Language": "zh"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.url}/api/v1{path}", data, headers, method=method)  # noqa: S310 - the user's own address
        given_up = time.monotonic() + AT_THE_DOOR
        while True:
            try:
                with OPENER.open(request, timeout=PATIENCE) as answer:
                    held: bytes = answer.read()
                    return held
            except HTTPError as error:
                wait = _told_to_wait(error)
                if wait is None or time.monotonic() + wait > given_up:
                    raise RehearsalStoppedError(_sentence(path, error), error.code) from error
            except (URLError, TimeoutError) as error:
                raise RehearsalStoppedError(f"{self.url}: 连不上：{error}") from error
            time.sleep(wait)


def _told_to_wait(error: HTTPError) -> float | None:
    """Seconds after which the site takes the request, which it has not looked at; None where it was refused for another reason."""
    told = error.headers.get("Retry-After", "")
    return float(told) if error.code == HTTPStatus.TOO_MANY_REQUESTS and told.isdigit() else None


def _sentence(path: str, error: HTTPError) -> str:
    try:
        problem = json.loads(error.read())
        told = [problem["detail"], *(each["detail"] for each in problem.get("errors", ()))]
    except (ValueError, KeyError):
        told = [str(error)]
    return f"{path}: {' '.join(dict.fromkeys(told))}"


@dataclass
class Rehearsal:
    """One made-up event on its way."""

    url: str
    regulation: Regulation
    entrants: int
    seed: str
    token: str | None = None
    confirmation: str = "players"
    publication: str = "at_once"
    slug: str = ""
    draws: int = 0
    keys: int = 0
    told: Mapping[str, int] = field(default_factory=dict)
    """How often what happened on the day, once it is played."""

    chance: random.Random = field(init=False)
    organiser: Api = field(init=False)
    arbiter: Api | None = None

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 - a made-up event that must repeat, nothing secret

    def play(self) -> dict[str, Any]:
        """The public standings at the end; the clock is then as far ahead as it was. Raises ``RehearsalStoppedError``."""
        ahead = self._require_demonstration()
        self._require_no_ruling()
        self.organiser = Api(self.url, self.token) if self.token else self._sign_in_again()
        try:
            return self._whole_event()
        except RehearsalStoppedError as error:
            if self.slug:
                error.sentence += f" 演练赛没有打完，留在 {self.url}/c/{self.slug}。"
            raise
        finally:
            self._move_back(ahead)

    def _whole_event(self) -> dict[str, Any]:
        self._move(self._during_entries())
        self._create()
        self._enter()
        self._approve()
        self._publish()
        self._move(self._first_day())
        return self._rounds()

    def event_file(self) -> bytes:
        """The public event file as it is now."""
        return Api(self.url).raw(f"{self._base}/event-file")

    @property
    def _base(self) -> str:
        return f"/competitions/{self.slug}"

    # --- people and clock ---

    def _sign_in(self, serial: int) -> Api:
        nobody = Api(self.url)
        phone = people.phone(serial)
        code = nobody.post("/sign-in/codes", phone=phone).get("code")
        if code is None:
            raise RehearsalStoppedError(ONLY_A_DEMONSTRATION % self.url)
        return Api(self.url, nobody.post("/sign-in/sessions", phone=phone, code=code)["token"])

    def _require_demonstration(self) -> int:
        """Only a demonstration has a clock that moves; nobody's own competitions stand there. How far it is ahead (s)."""
        try:
            return int(Api(self.url).get("/demo/clock")["ahead_seconds"])
        except RehearsalStoppedError as error:
            if error.status is None:
                raise
            raise RehearsalStoppedError(ONLY_A_DEMONSTRATION % self.url) from error

    def _require_no_ruling(self) -> None:
        """Nothing is created of an event that would stop at a question of its text, such as a field too small for it."""
        units = {f"e{serial}": unit for unit, serials in enumerate(self._shares()) for serial in serials}
        found = ruling_ahead(self.regulation, units, self.seed)
        if found is not None:
            reason, clause = found
            raise RehearsalStoppedError(
                f"{self.regulation.id}: {self.entrants} 个参赛者打不到底，要由组委会裁定，没有创建演练赛。"
                f"{reason}（规程 {clause}）"
            )

    def _sign_in_again(self) -> Api:
        """The organiser; after another rehearsal a moment ago, once a new code is given."""
        try:
            return self._sign_in(ORGANISER)
        except RehearsalStoppedError:
            time.sleep(CODE_AGAIN)
            return self._sign_in(ORGANISER)

    @property
    def first_leader(self) -> int:
        """Phones of the leaders: others for each rehearsal of an instance, whose addresses all differ."""
        number = int.from_bytes(hashlib.sha256(self.slug.encode()).digest()[:8], "big")
        return FIRST_LEADER + number % ((LAST_LEADER - FIRST_LEADER) // LEADERS_APART) * LEADERS_APART

    def _move(self, moment: datetime) -> None:
        self.organiser.post("/demo/clock", moment=moment.isoformat())

    def _move_back(self, ahead: int) -> None:
        """Other rehearsals play the same days: a clock left there would refuse them a code, seconds after this one's."""
        shown = Api(self.url).get("/demo/clock")
        self._move(datetime.fromisoformat(shown["now"]) + timedelta(seconds=ahead - shown["ahead_seconds"]))

    def _during_entries(self) -> datetime:
        calendar = self.regulation.calendar
        opens, closes = calendar.registration_opens, calendar.registration_closes
        wanted = closes - timedelta(days=3)
        return wanted if opens is None or opens < wanted else opens

    def _first_day(self) -> datetime:
        return datetime.fromisoformat(self._days()["play_from"]).replace(hour=9, tzinfo=BEIJING)

    def _days(self) -> dict[str, str]:
        """The days of play; where the text leaves them to a further notice, two weeks after the deadline."""
        calendar = self.regulation.calendar
        held = {each.key.value: each.at for each in calendar.in_order()}
        later = (calendar.registration_closes + timedelta(days=14)).date()
        keys = (CalendarKey.PLAY_FROM.value, CalendarKey.PLAY_TO.value)
        return {key: held.get(key, later).isoformat() for key in keys}

    # --- before play ---

    def _create(self) -> None:
        made = self.organiser.post(
            "/competitions",
            regulation=self.regulation.id,
            name=f"演练赛 {self.seed}",
            place="示例市体育馆",
            rehearsal=True,
            calendar=self._days(),
        )
        self.slug = made["slug"]
        for role in ROLES:
            self.organiser.post(f"{self._base}/staff", phone=people.phone(ORGANISER), role=role)

    def _enter(self) -> None:
        pairs = self.regulation.entry.shape == "pair"
        for number, serials in enumerate(self._shares()):
            leader = self._sign_in(self.first_leader + number)
            leader.post(f"{self._base}/consent", agreed=True)
            if self.regulation.registration.by != "player":
                leader.put(f"{self._base}/unit", **self._unit(number))
            for serial in serials:
                if pairs:
                    members = [self._member(2 * serial - 1), self._member(2 * serial)]
                    leader.post(f"{self._base}/pairs", members=members)
                else:
                    leader.post(f"{self._base}/members", **self._member(serial))
            leader.post(f"{self._base}/submission", idempotency_key=self._key())

    def _shares(self) -> Iterator[Sequence[int]]:
        """The entrants of each unit: as many units as the quota and the pairing need; one each who enter by themselves."""
        terms = self.regulation.registration
        most = terms.entries_per_unit or 3
        units = self.entrants if terms.by == "player" else -(-self.entrants // min(most, 3))
        serials = range(1, self.entrants + 1)
        return (serials[number::units] for number in range(units))

    def _unit(self, number: int) -> dict[str, str]:
        return {
            "name": f"示例{number + 1}厂",
            "credit_code": people.credit_code(number + 1),
            "contact_name": people.person_name(900 + number),
            "contact_phone": people.phone(self.first_leader + number),
        }

    def _member(self, serial: int) -> dict[str, Any]:
        rules = self.regulation.eligibility
        return {
            "name": people.person_name(serial),
            "id_number": people.id_number(serial),
            "phone": people.phone(FIRST_PHONE + serial),
            "employment": "full_time" if self.regulation.asks_employment else "",
            "unit_name": f"示例{serial}厂工会" if self.regulation.registration.by == "player" else "",
            "declared": {rule.rule: True for rule in rules if rule.declaration is not None},
        }

    def _approve(self) -> None:
        entries = self.organiser.get(f"{self._base}/entries")["entries"]
        decisions = [{"entry_id": each["entry_id"], "decision": "approve"} for each in entries]
        self.organiser.post(f"{self._base}/decisions", decisions=decisions)

    def _publish(self) -> None:
        self._move(self.regulation.calendar.registration_closes + timedelta(seconds=1))
        if self.regulation.has("publication"):
            self.organiser.post(f"{self._base}/publications")

    # --- play ---

    def _rounds(self) -> dict[str, Any]:
        hall = self._hall()
        self.told = hall.told
        day, sheets, after = Day(hall), Sheets(hall, self.chance), After(hall)
        day.prepare()
        drawn, first, final = self._first_round(), True, False
        while True:
            day.open(drawn, first=first)
            sheets.play(drawn, first=first)
            day.publish(drawn)
            if first:
                after.settle(drawn)
            shown = self._standings()
            if not shown["provisional"] and not final:
                final = True
                after.after_final(drawn)
                shown = self._standings()
            if not shown["provisional"]:
                return shown
            before, drawn = drawn, self._next_round()
            if first:
                after.correct_after_draw(before)
            first = False

    def _hall(self) -> Hall:
        first, second = (self._appointed(serial, "referee") for serial in REFEREES)
        return Hall(
            slug=self.slug,
            game=self.regulation.game,
            staff=self.organiser,
            nobody=Api(self.url),
            referees=(first, second),
            arbiter=self._arbiter,
            move=self._move,
            key=self._key,
            placings=self._placings,
            refusal=RehearsalStoppedError,
            # apart from the results: what happens beside them changes none
            chance=random.Random(f"{self.seed} day"),  # noqa: S311 - as above
            upheld=hashlib.sha256(f"appeal {self.seed}".encode()).digest()[0] % 2 == 0,
            confirmation=self.confirmation,
            publication=self.publication,
        )

    def _arbiter(self) -> Api:
        """A member of the arbitration committee, who kept no sheet and leads nobody."""
        if self.arbiter is None:
            self.arbiter = self._appointed(ARBITER, "arbitration")
        return self.arbiter

    def _appointed(self, number: int, role: str) -> Api:
        serial = self.first_leader + number
        self.organiser.post(f"{self._base}/staff", phone=people.phone(serial), role=role)
        return self._sign_in(serial)

    def _key(self) -> str:
        """An idempotency key: another one each time, the same ones for the same seed."""
        self.keys += 1
        return hashlib.sha256(f"key {self.seed} {self.keys} {self.slug}".encode()).hexdigest()[:32]

    def _seed(self) -> str:
        self.draws += 1
        return hashlib.sha256(f"{self.seed} {self.draws} {self.slug}".encode()).hexdigest()

    def _first_round(self) -> dict[str, Any]:
        first = self.regulation.stages[0]
        if first.kind != "drawn":
            return self._next_round()
        made = self.organiser.post(f"{self._base}/draws", stage=first.code, seed=self._seed())
        return dict(made)

    def _next_round(self) -> dict[str, Any]:
        made = self.organiser.post(f"{self._base}/stages/next", seed=self._seed())
        rounds = self.organiser.get(f"{self._base}/draws")
        return dict(
            next(
                each
                for each in rounds
                if (each["stage"], each["round"]) == (made["stage"], made.get("round", 1))
            )
        )

    def _placings(self) -> dict[str, Any]:
        """The placings at the end, of every stage, and of the teams."""
        shown = self._standings()
        return {part: shown[part] for part in ("placings", "stages", "teams")}

    def _standings(self) -> dict[str, Any]:
        """The public standings, once they are those of the public event file as it is now."""
        public, ends = Api(self.url), time.monotonic() + PATIENCE
        wanted = hashlib.sha256(self.event_file()).hexdigest()
        while time.monotonic() < ends:
            shown = public.get(f"{self._base}/standings")
            if shown["input_sha256"] == wanted:
                return dict(shown)
            time.sleep(0.05)
        raise RehearsalStoppedError(f"{self.url}: 等了 {PATIENCE:.0f} 秒，名次没有更新。")

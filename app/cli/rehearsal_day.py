"""The day of a rehearsal (演练) as its many users play it: arrivals, confirmations by card, a dispute, a correction, rulings, an appeal.

Nothing here knows a regulation: which penalties there are, and whether one may appeal, is what the instance answers. What a text has
not is left out. Everything comes from one seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from app.cli.rehearsal_results import RESULTS

SETTLING = timedelta(minutes=15)
"""From the time when players have to be there until the last one has come and play begins."""

LATE, LATEST = 3, 12
"""Minutes."""

FEW = 5
"""One in so many comes late, or has left before his sheet is confirmed."""

REFUSED = (409, 422)
APART = {"late", "forfeit", "expulsion"}
"""Rulings that change who plays on: a rehearsal gives none of them."""

SIMPLE = {"deal", "count"}
"""What a penalty may need that is known without seeing the play."""


class Caller(Protocol):
    """``/api/v1`` as one person or as nobody (``rehearsal.Api``)."""

    def get(self, path: str) -> Any: ...
    def post(self, path: str, **body: Any) -> Any: ...
    def put(self, path: str, **body: Any) -> Any: ...


@dataclass
class Day:
    """The competition day of one made-up event. ``staff`` is its every official, ``nobody`` whoever has only a card."""

    slug: str
    game: str
    staff: Caller
    nobody: Caller
    arbiter: Callable[[], Caller]
    move: Callable[[datetime], None]
    key: Callable[[], str]
    refusal: type[Exception]
    """What a refused request raises; its ``status`` says how."""

    chance: random.Random
    upheld: bool
    """Whether the appeal is."""

    cards: dict[str, str] = field(default_factory=dict)
    said: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was handed in at each table of the round, by token."""

    @property
    def _base(self) -> str:
        return f"/competitions/{self.slug}"

    def prepare(self) -> None:
        """The terms of the day, once; sheets are confirmed by the players."""
        self.staff.put(f"{self._base}/floor/terms", confirmation="players", publication="at_once")

    def open(self, drawn: Mapping[str, Any]) -> None:
        """Open a round and record who comes, some of them late."""
        if not self.cards:
            made = self.staff.post(f"{self._base}/player-cards")
            self.cards = {each["entrant"]: each["token"] for each in made}
        place = f"{self._base}/rounds/{drawn['stage']}/{drawn['round']}"
        due = datetime.fromisoformat(self.nobody.get("/demo/clock")["now"])
        self.staff.put(f"{place}/schedule", scheduled_at=due.isoformat())
        self.move(due + SETTLING)
        self.staff.post(f"{place}/opening")
        for table in drawn["tables"]:
            for seat in table["seats"]:
                late = self.chance.randrange(FEW) == 0
                minutes = self.chance.randint(LATE, LATEST) if late else 0
                at = due + timedelta(minutes=minutes)
                self.staff.post(f"{place}/arrivals", entrant=seat["entrant"], at=at.isoformat())

    def confirm(self, token: str, sheet: Mapping[str, Any], *, dispute: bool) -> None:
        """Every side says that its sheet is right, by card; of who has left, the chief referee. ``dispute``: one says it is wrong."""
        sides = [seat["entrant"] for seat in sheet["seats"]]
        revision = sheet["revision"]
        if dispute:
            self.nobody.post(
                f"/tables/{token}/disputes",
                card=self.cards[sides[0]],
                revision=revision,
                note="有一副记错了（演练）",
                idempotency_key=self.key(),
            )
            self.staff.post(
                f"/tables/{token}/dispute-decisions",
                decision="uphold",
                reason="核对记录，成绩无误（演练）",
                base_revision=revision,
                idempotency_key=self.key(),
            )
            return
        for side in sides:
            if self.chance.randrange(FEW) == 0:
                self.staff.post(
                    f"/tables/{token}/confirmations-by-ruling",
                    entrant=side,
                    reason="选手已离场（演练）",
                    revision=revision,
                    idempotency_key=self.key(),
                )
            else:
                self.nobody.post(
                    f"/tables/{token}/confirmations",
                    card=self.cards[side],
                    revision=revision,
                    idempotency_key=self.key(),
                )

    def settle(self, drawn: Mapping[str, Any]) -> None:
        """After a round: one correction, two rulings of which one is withdrawn, one appeal. Only what the regulation has."""
        tables = drawn["tables"]
        table = self.chance.choice(tables[1:] or tables)  # the first one had the dispute
        self._correct(table["token"])
        standing = self._rule(table)
        self._appeal(drawn, table, standing)

    # --- a correction ---

    def _correct(self, token: str) -> None:
        sheet = self.staff.get(f"/tables/{token}")
        other = RESULTS[self.game](sheet, self.chance)
        while other == self.said[token]:
            other = RESULTS[self.game](sheet, self.chance)
        sent = {"base_revision": sheet["revision"], **other}
        asked = self.staff.post(
            f"/tables/{token}/corrections", text="成绩录错了（演练）", idempotency_key=self.key(), **sent
        )
        request = f"{self._base}/corrections/{asked['id']}"
        seen = self.staff.post(f"{request}/impact", idempotency_key=self.key(), **sent)
        self.staff.post(
            f"{request}/grant",
            seen=seen["fingerprint"],
            reason="核对纸质记录后更正（演练）",
            idempotency_key=self.key(),
            **sent,
        )

    # --- rulings ---

    def _rule(self, table: Mapping[str, Any]) -> tuple[int, int] | None:
        """A penalty that is withdrawn again, and one that stands: its id and the entry it is about."""
        entries = [int(seat["entrant"][1:]) for seat in table["seats"]]
        choices = [
            each
            for each in self.nobody.get(f"{self._base}/rulings/choices")
            if each["code"] not in APART and set(each["needs"]) <= SIMPLE
        ]
        self.chance.shuffle(choices)
        for choice in choices:
            entry = self.chance.choice(entries)
            first = self._give(table["token"], choice, entry)
            if first is None:
                continue
            self.staff.post(f"{self._base}/rulings/{first}/withdrawal", reason="认错了人（演练）")
            other = self.chance.choice([each for each in entries if each != entry])
            second = self._give(table["token"], choice, other)
            return None if second is None else (second, other)
        return None

    def _give(self, token: str, choice: Mapping[str, Any], entry: int) -> int | None:
        """The ruling's id; None where it cannot be given at this table, such as one for which the sheet leaves no room."""
        wanted: dict[str, Any] = {"code": choice["code"], "entry_ids": [entry]}
        if "deal" in choice["needs"]:
            wanted["deal"] = 1
        try:
            shown = self.staff.post(f"/tables/{token}/rulings/preview", **wanted)
            given = self.staff.post(
                f"/tables/{token}/rulings",
                reason="裁判员当场看见（演练）",
                previewed=shown["cost"],
                idempotency_key=self.key(),
                **wanted,
            )
        except self.refusal as error:
            if getattr(error, "status", None) in REFUSED:
                return None
            raise
        return int(given["rulings"][0]["id"])

    # --- an appeal ---

    def _appeal(
        self, drawn: Mapping[str, Any], table: Mapping[str, Any], standing: tuple[int, int] | None
    ) -> None:
        """Said, written, paid, heard, decided; where the regulation has no appeals, none."""
        desk = f"{self._base}/appeals"
        try:
            clocks = self.nobody.get(f"{desk}/clocks")
        except self.refusal as error:
            if getattr(error, "status", None) in REFUSED:
                return
            raise
        fee = next(
            each["fee"]
            for each in clocks
            if (each["stage"], each["round"]) == (drawn["stage"], drawn["round"])
        )
        entry = standing[1] if standing else int(table["seats"][0]["entrant"][1:])
        case = self._lodge(desk, drawn, entry, standing, fee)
        self._decide(f"{desk}/{case}", standing, fee)

    def _lodge(
        self,
        desk: str,
        drawn: Mapping[str, Any],
        entry: int,
        standing: tuple[int, int] | None,
        fee: int,
    ) -> str:
        """The number of the appeal, once the oral one is logged, the written one handed in and the fee registered."""
        ended = next(
            each["ended_at"]
            for each in self.nobody.get(f"{self._base}/floor")["rounds"]
            if (each["stage"], each["number"]) == (drawn["stage"], drawn["round"])
        )
        oral = self.staff.post(
            desk,
            stage=drawn["stage"],
            round=drawn["round"],
            entry_id=entry,
            subject="ruling" if standing else "score",
            ruling_id=standing[0] if standing else None,
            said_at=ended,
            text="选手当场提出申诉（演练）",
            idempotency_key=self.key(),
        )
        self.nobody.post(
            f"{desk}/r/{oral['receipt']}/written",
            text="我方认为裁判员看错了，请重新核对（演练）。",
            idempotency_key=self.key(),
        )
        if fee:
            self.staff.post(
                f"{desk}/{oral['number']}/fee", amount=fee, way="cash", idempotency_key=self.key()
            )
        return str(oral["number"])

    def _decide(self, case: str, standing: tuple[int, int] | None, fee: int) -> None:
        """Heard and decided: upheld with one seed, dismissed with another; an upheld one costs nothing."""
        arbiter = self.arbiter()
        seen = arbiter.get(case)
        now = self.nobody.get("/demo/clock")["now"]
        seen = arbiter.post(f"{case}/hearing", revision=seen["revision"], at=now, place="裁判长席（演练）")
        seen = arbiter.post(
            f"{case}/minutes", revision=seen["revision"], minutes="双方到场，各自陈述（演练）。"
        )
        follows: dict[str, Any] = {}
        if self.upheld:
            follows = {"withdrawn": [standing[0]]} if standing else {"measure": "提醒裁判员（演练）"}
        arbiter.post(
            f"{case}/decision",
            revision=seen["revision"],
            upheld=self.upheld,
            reasons="听取双方陈述后裁定（演练）。",
            summary="对判罚的申诉，经听证裁定（演练）。",
            **follows,
        )
        if self.upheld and fee:
            self.staff.post(f"{case}/fee/refund", way="cash", idempotency_key=self.key())

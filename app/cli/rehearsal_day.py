"""A round of a rehearsal (演练) until it is played: terms, referees at their tables, who comes, late or not at all.

Nothing here knows a regulation: which penalties there are is what the instance answers. What a text has not is left out. Everything
comes from one seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.cli.rehearsal_after import rule
from app.cli.rehearsal_hall import Hall

SETTLING = timedelta(minutes=15)
"""From the time when players have to be there until the last one has come and play begins."""

LATE, LATEST = 3, 9
"""Minutes: whoever comes at all is there before any text counts him out."""

FEW = 5
"""One in so many comes late."""


@dataclass
class Day:
    """The competition day of one made-up event until a round is played."""

    hall: Hall

    def prepare(self) -> None:
        """The terms of the day, once."""
        hall = self.hall
        hall.staff.put(
            f"{hall.base}/floor/terms", confirmation=hall.confirmation, publication=hall.publication
        )

    def open(self, drawn: Mapping[str, Any], *, first: bool) -> None:
        """Put referees at the tables, open the round, and record who comes, some of them late; in the first one somebody stays away."""
        hall = self.hall
        if not hall.cards:
            made = hall.staff.post(f"{hall.base}/player-cards")
            hall.cards = {each["entrant"]: each["token"] for each in made}
        place = hall.of_round(drawn)
        hall.staff.post(f"{place}/referees/spread")
        due = datetime.fromisoformat(hall.nobody.get("/demo/clock")["now"])
        hall.staff.put(f"{place}/schedule", scheduled_at=due.isoformat())
        hall.move(due + SETTLING)
        hall.staff.post(f"{place}/opening")
        late, away = self._troubled(drawn) if first else (None, None)
        hall.absent = {away} if away else set()
        for table in drawn["tables"]:
            for seat in table["seats"]:
                if seat["entrant"] in hall.absent:
                    continue
                minutes = self._minutes(surely=seat["entrant"] == late)
                at = due + timedelta(minutes=minutes)
                hall.staff.post(f"{place}/arrivals", entrant=seat["entrant"], at=at.isoformat())
                if minutes:
                    hall.told["late"] += 1
                if seat["entrant"] == late:
                    self._given(table, "late", seat["entrant"], minutes=minutes)
        if away is not None:
            hall.told["absent"] += 1
            table = drawn["tables"][-1]
            if self._given(table, "forfeit", away):
                hall.judged.add(table["token"])

    def publish(self, drawn: Mapping[str, Any]) -> None:
        """Make public what the terms of the day hold back until the round is confirmed."""
        if self.hall.publication != "at_once":
            self.hall.staff.post(f"{self.hall.base}/draws/{drawn['stage']}/{drawn['round']}/publication")

    def _minutes(self, *, surely: bool) -> int:
        chance = self.hall.chance
        minutes = chance.randint(LATE, LATEST)
        return minutes if surely or chance.randrange(FEW) == 0 else 0

    def _troubled(self, drawn: Mapping[str, Any]) -> tuple[str | None, str | None]:
        """Who comes late for certain and who does not come: of two tables that are not the first one, which has trouble enough."""
        tables: Sequence[Mapping[str, Any]] = drawn["tables"]
        if len(tables) < 3:
            return None, None
        late, away = (self.hall.chance.choice(tables[place]["seats"]) for place in (1, -1))
        return str(late["entrant"]), str(away["entrant"])

    def _given(self, table: Mapping[str, Any], code: str, entrant: str, **more: Any) -> bool:
        """Whether the chief referee could rule so; a text without such a rule leaves it at what the list says."""
        if code not in {each["code"] for each in self.hall.choices()}:
            return False
        wanted = {"code": code, "entry_ids": [int(entrant[1:])], **more}
        done = rule(self.hall, table["token"], wanted, "到场记录（演练）") is not None
        self.hall.told[f"{code}_rulings"] += done
        return done

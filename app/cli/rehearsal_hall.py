"""The hall of a rehearsal (演练): who is in it, and what has happened there. Its day is played in ``rehearsal_day``, ``_sheets``, ``_after``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

REFUSED = (409, 422)


class Caller(Protocol):
    """``/api/v1`` as one person or as nobody (``rehearsal.Api``)."""

    def get(self, path: str) -> Any: ...
    def post(self, path: str, **body: Any) -> Any: ...
    def put(self, path: str, **body: Any) -> Any: ...


@dataclass
class Hall:
    """The people of one made-up event. ``staff`` is its organiser, committee and chief referee, ``nobody`` whoever has only a card."""

    slug: str
    game: str
    staff: Caller
    nobody: Caller
    referees: tuple[Caller, Caller]
    """Two people: where a sheet is entered twice, each time by another one."""

    arbiter: Callable[[], Caller]
    move: Callable[[datetime], None]
    key: Callable[[], str]
    placings: Callable[[], Any]
    """The public placings, of stages and teams too, once they are those of what is confirmed now."""

    refusal: type[Exception]
    """What a refused request raises; its ``status`` says how. Raised with a sentence it stops the rehearsal."""

    chance: random.Random
    upheld: bool
    """Whether the appeal after the first round is; the one after the final then is not."""

    confirmation: str = "players"
    publication: str = "at_once"
    cards: dict[str, str] = field(default_factory=dict)
    """Tokens of the players' cards, by entrant."""

    absent: set[str] = field(default_factory=set)
    """Who did not come to the round."""

    judged: set[str] = field(default_factory=set)
    """Tokens of the tables at which somebody was ruled to have forfeited: nobody plays there."""

    said: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was handed in at each table, by token."""

    told: Counter[str] = field(default_factory=Counter)
    """How often what happened on the day."""

    @property
    def base(self) -> str:
        return f"/competitions/{self.slug}"

    def of_round(self, drawn: Mapping[str, Any]) -> str:
        return f"{self.base}/rounds/{drawn['stage']}/{drawn['round']}"

    def choices(self) -> list[dict[str, Any]]:
        """What a referee may give by the regulation."""
        return list(self.nobody.get(f"{self.base}/rulings/choices"))

    def attempt(self, act: Callable[[], Any]) -> Any:
        """Its answer; None where the instance refuses it as it stands."""
        try:
            return act()
        except self.refusal as error:
            if getattr(error, "status", None) in REFUSED:
                return None
            raise

    def require_refused(self, act: Callable[[], Any], what: str) -> None:
        """Stops the rehearsal where the instance takes what it has to refuse."""
        if self.attempt(act) is not None:
            raise self.refusal(f"{what}：应当拒绝，却被接受了。")

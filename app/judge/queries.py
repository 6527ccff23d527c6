"""Which regulations can be judged by: those of the competitions here, and the shipped texts."""

from __future__ import annotations

from dataclasses import dataclass

from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView, EventView
from app.errors import NotFoundError
from app.judge.rules.questions import QUESTIONS
from app.regulations import library
from app.regulations.rules import Regulation
from app.text import T


class UnknownEventError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("这个赛事没有这个项目。"), next_step=T("请在判牌页重新选择项目。"))


@dataclass(frozen=True, slots=True)
class Choices:
    """Competitions with an event of cards, each with those events, the newest first; and shipped texts of card games."""

    competitions: tuple[tuple[CompetitionView, tuple[EventView, ...]], ...]
    shipped: tuple[Regulation, ...]


def event(slug: str, code: str | None) -> tuple[CompetitionView, EventView]:
    """The competition, and its event of this code or its first one. Its regulation is the version the event runs by."""
    competition = competitions.competition(slug)
    for each in competition.events:
        if code in (None, each.code):
            return competition, each
    raise UnknownEventError


def choices() -> Choices:
    """Everything that can be chosen."""
    held = [
        (competition, tuple(each for each in competition.events if each.regulation.game in QUESTIONS))
        for competition in competitions.competitions()
    ]
    shipped = (library.load(regulation_id) for regulation_id in library.shipped())
    return Choices(
        tuple((competition, events) for competition, events in held if events),
        tuple(regulation for regulation in shipped if regulation.game in QUESTIONS),
    )

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws.models import STANDS, Round
from app.draws.rules import UnknownRoundError, round_name
from app.extensions import db
from app.floor.models import FloorTerms, RoundRun
from app.floor.queries.terms import chosen_terms
from app.floor.rules import Clock, Moments, RunState, Terms, held_back, last_round
from app.floor.rules.rounds import call_words
from app.regulations.rules import Bilingual, TimeWindow
from app.text import T
from scoring_engine.rules import StageRule


@dataclass(frozen=True, slots=True)
class RunView:
    """One drawn round as it is played. ``number`` is below 0 for a round that was taken back."""

    round_id: int
    event: EventView
    stage: str
    number: int
    moments: Moments
    terms: Terms

    @property
    def name(self) -> T:
        return round_name(self.stage, self.number)

    @property
    def rule(self) -> StageRule | None:
        """The rule of its stage; None for a play-off."""
        return next((each for each in self.event.regulation.stages if each.code == self.stage), None)

    @property
    def clause(self) -> str | None:
        return None if self.rule is None else self.rule.clause

    @property
    def window(self) -> TimeWindow | None:
        """更正时限; None where the text has none."""
        return self.event.regulation.windows.get("correction")

    @property
    def clock(self) -> Clock | None:
        """None before it is started, and where a round has no time."""
        return Clock.of(self.moments, self.terms.round_minutes, self.terms.call_minutes)

    @property
    def call_words(self) -> Bilingual | None:
        """What is announced when the last minutes begin; None where nothing is."""
        minutes = self.terms.call_minutes
        return None if minutes is None else call_words(self.event.regulation, minutes)

    @property
    def held_back(self) -> bool:
        """Whether its results wait until the chief referee publishes the round."""
        last = last_round(self.event.regulation)
        return held_back(self.terms.publication, stage=self.stage, number=self.number, last=last)

    @property
    def correction_ends_at(self) -> datetime | None:
        return self.moments.correction_ends_at(self.window)

    def state(self, now: datetime) -> RunState:
        """How far it is at ``now``: the correction window of its regulation locks it by itself."""
        return self.moments.state(now, self.window)


def run(round_id: int) -> RunView:
    """A drawn round as it is played, whether it was opened or not. Raises ``UnknownRoundError``."""
    found = _views(Round.id == round_id)
    if not found:
        raise UnknownRoundError
    return found[0]


def runs(event_id: int) -> tuple[RunView, ...]:
    """Every round of an event that stands, in the order drawn."""
    return _views(Round.event_id == event_id, STANDS)


def run_of(event_id: int, stage: str, number: int) -> RunView:
    """One round that stands. Raises ``UnknownRoundError``."""
    found = _views(Round.event_id == event_id, STANDS, Round.stage == stage, Round.number == number)
    if not found:
        raise UnknownRoundError
    return found[0]


def current(event_id: int) -> RunView | None:
    """The newest round that stands; None before the first draw."""
    found = runs(event_id)
    return found[-1] if found else None


def _views(*conditions: ColumnElement[bool]) -> tuple[RunView, ...]:
    rows = db.session.execute(
        select(Round, RoundRun, FloorTerms)
        .outerjoin(RoundRun, RoundRun.round_id == Round.id)
        .outerjoin(FloorTerms, FloorTerms.event_id == Round.event_id)
        .where(*conditions)
        .order_by(Round.id)
        .execution_options(populate_existing=True)
    ).all()
    events = {event_id: competitions.event(event_id) for event_id in {row.event_id for row, _, _ in rows}}
    return tuple(
        RunView(
            row.id,
            events[row.event_id],
            row.stage,
            row.number,
            moments_of(found),
            chosen_terms(events[row.event_id], chosen),
        )
        for row, found, chosen in rows
    )


def moments_of(row: RoundRun | None) -> Moments:
    if row is None:
        return Moments()
    return Moments(
        scheduled_at=row.scheduled_at,
        opened_at=row.opened_at,
        started_at=row.started_at,
        called_at=row.called_at,
        ended_at=row.ended_at,
        published_at=row.published_at,
        locked_at=row.locked_at,
    )

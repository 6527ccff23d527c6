"""Objections as a digest names them: the number and the state of a case, nothing of who or what."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from app.extensions import db
from app.objections.models import Objection, ObjectionRecusal
from app.objections.rules import OPEN, STATE_NAMES, CaseState
from app.text import T


@dataclass(frozen=True, slots=True)
class OpenCase:
    number: str
    state: T


def open_cases(competition_id: int, user_id: int) -> tuple[OpenCase, ...]:
    """The cases that are not decided, in the order received; without those this member of the committee recused himself from."""
    recused = select(ObjectionRecusal.objection_id).where(ObjectionRecusal.user_id == user_id)
    found = db.session.execute(
        select(Objection.number, Objection.state)
        .where(
            Objection.competition_id == competition_id,
            Objection.state.in_([each.value for each in OPEN]),
            Objection.id.not_in(recused),
        )
        .order_by(Objection.id)
    )
    return tuple(OpenCase(number, STATE_NAMES[CaseState(state)]) for number, state in found)


def cases_by_state(event_id: int) -> tuple[tuple[T, int], ...]:
    """How many objections an event had, by where each stands."""
    rows = db.session.execute(
        select(Objection.state, func.count()).where(Objection.event_id == event_id).group_by(Objection.state)
    )
    counts = {row[0]: row[1] for row in rows}
    return tuple((name, counts[state.value]) for state, name in STATE_NAMES.items() if state.value in counts)

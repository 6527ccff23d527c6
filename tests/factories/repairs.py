"""A repaired round of the beach competition, and what is stored of it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from app.competitions import queries as competitions
from app.draws.queries import RoundView, repairs
from app.extensions import db


def event_id() -> int:
    return competitions.competition("beach").event.id


def standing() -> RoundView:
    return repairs.standing_round(event_id(), "prelim", 1)


def db_rows(model: type[Any]) -> list[Any]:
    return list(db.session.scalars(select(model)))

"""Pure decisions of the floor. ``terms``: how sheets are confirmed and published; ``rounds``: a round's moments, state and
clock; ``hall``: referees, calls, arrivals, announcements; ``keys``: players' cards."""

from app.floor.rules.hall import ArrivalWay, CallKind
from app.floor.rules.keys import BlockedError, UnknownPlayerKeyError, WrongPinError
from app.floor.rules.rounds import (
    RUNNERS,
    Clock,
    Moments,
    RoundLockedError,
    RoundNotOpenError,
    RunState,
    require_may_run,
    require_unlocked,
)
from app.floor.rules.terms import Confirmation, Publication, Terms, held_back, last_round

__all__ = [
    "RUNNERS",
    "ArrivalWay",
    "BlockedError",
    "CallKind",
    "Clock",
    "Confirmation",
    "Moments",
    "Publication",
    "RoundLockedError",
    "RoundNotOpenError",
    "RunState",
    "Terms",
    "UnknownPlayerKeyError",
    "WrongPinError",
    "held_back",
    "last_round",
    "require_may_run",
    "require_unlocked",
]

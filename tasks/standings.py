from __future__ import annotations

import threading

from celery import shared_task
from sqlalchemy.exc import OperationalError

from app.actors import SYSTEM
from app.commands import command, one_moment
from app.jobs import Job
from app.standings import service
from app.standings.queries import computing


@shared_task(
    name=Job.RECOMPUTE_STANDINGS,
    acks_late=True,
    autoretry_for=(OperationalError,),
    retry_backoff=True,
    max_retries=8,
)
def recompute(event_id: int) -> None:
    """Compute the newest results of one event. Safe to run twice: the version that is stored decides.

    Nothing is locked while it computes, so sheets come in meanwhile. Many at once are computed once: a thread that finds the event
    in another's hands leaves it there, and that one looks again before it lets go.
    """
    if not _hands.take(event_id):
        return
    try:
        while True:
            with one_moment():
                found = computing.computed(event_id)
            if found is not None:
                with command(SYSTEM) as ctx:
                    service.store(ctx, found)
            if _hands.let_go(event_id):
                return
    except BaseException:
        _hands.drop(event_id)
        raise


class _Hands:
    """Which events are being computed in this process, and whether somebody asked again meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[int, bool] = {}

    def take(self, event_id: int) -> bool:
        """Whether the event is ours now; if not, whoever has it will look again."""
        with self._lock:
            taken = event_id not in self._asked
            self._asked[event_id] = not taken
            return taken

    def let_go(self, event_id: int) -> bool:
        """Whether it was let go; if not, somebody asked again and it has to be looked at again."""
        with self._lock:
            if self._asked[event_id]:
                self._asked[event_id] = False
                return False
            del self._asked[event_id]
            return True

    def drop(self, event_id: int) -> None:
        with self._lock:
            self._asked.pop(event_id, None)


_hands = _Hands()


@shared_task(name=Job.SWEEP_STANDINGS)
def sweep() -> int:
    """Queue again what the broker or a crash lost. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.sweep(ctx)

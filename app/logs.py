"""Logs (日志): one line per event through structlog, never with personal data."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import structlog
from kombu.exceptions import ChannelError


def configure() -> None:
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )


def configure_celery(sweeps: AbstractSet[str]) -> None:
    """Make Celery's lines readable in a terminal; ``sweeps`` names the tasks that mostly find nothing to do."""
    for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace"):
        _only(name, _WithoutIdleSweeps(sweeps))
    for name in ("celery.beat", "celery.worker.consumer.consumer"):
        _only(name, _OneLine(Exception))
    _only("celery.worker", _OneLine(OSError, ChannelError))  # what else ends a worker is worth its traceback


def _only(name: str, wanted: logging.Filter) -> None:
    """Add ``wanted``, in the place of one of its kind."""
    logger = logging.getLogger(name)
    for known in [known for known in logger.filters if type(known) is type(wanted)]:
        logger.removeFilter(known)
    logger.addFilter(wanted)


class _WithoutIdleSweeps(logging.Filter):
    """Leaves out that a sweep is due, has arrived, and has found nothing: every 15 s that buried all other lines."""

    NOTHING = frozenset({"None", "0"})

    def __init__(self, sweeps: AbstractSet[str]) -> None:
        super().__init__()
        self._sweeps = frozenset(sweeps)

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.INFO:
            return True
        if isinstance(record.args, Mapping):  # the worker: received, and succeeded with what it returned
            about_a_sweep = record.args.get("name") in self._sweeps
            return not about_a_sweep or record.args.get("return_value", "None") not in self.NOTHING
        return not (
            isinstance(record.args, tuple) and self._sweeps & set(record.args)
        )  # beat: sending a due task


class _OneLine(logging.Filter):
    """Cuts the traceback from what Celery says about its broker: the message names the fault already.

    Beat writes one of 60 lines for each periodic job that cannot be queued. A defect in a task is logged elsewhere and
    keeps its traceback.
    """

    def __init__(self, *faults: type[Exception]) -> None:
        super().__init__()
        self._faults = faults

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], self._faults):
            record.msg, record.args = record.getMessage().split("\n", 1)[0], ()
            record.exc_info = record.exc_text = None
        return True

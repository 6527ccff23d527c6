"""What a terminal shows of the background work: what happened, and no more."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from celery.app.trace import LOG_RECEIVED, LOG_SUCCESS

from app import logs
from app.jobs import Job
from tasks import celery

SWEEP = Job.SWEEP_STANDINGS.value
OTHER = Job.RECOMPUTE_STANDINGS.value


class Kept(logging.Handler):
    """Keeps lines as a terminal would show them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += self.format(record).splitlines()


@pytest.fixture
def terminal() -> Iterator[Kept]:
    assert celery  # importing it sets the filters
    kept = Kept()
    logger = logging.getLogger("celery")
    before = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(kept)
    yield kept
    logger.removeHandler(kept)
    logger.setLevel(before)


def run(name: str, returned: str) -> None:
    """The lines Celery writes for one periodic task, with the arguments it gives them."""
    due = "recompute standings whose job was lost"
    logging.getLogger("celery.beat").info("Scheduler: Sending due task %s (%s)", due, name)
    context = {"id": "1f", "name": name, "args": "()", "kwargs": "{}", "eta": None}
    logging.getLogger("celery.worker.strategy").info(LOG_RECEIVED, context)
    context |= {"return_value": returned, "runtime": 0.01}
    logging.getLogger("celery.app.trace").info(LOG_SUCCESS, context)


@pytest.mark.parametrize("returned", ["0", "None"])
def test_a_sweep_that_found_nothing_writes_nothing(terminal: Kept, returned: str) -> None:
    run(SWEEP, returned)
    assert terminal.lines == []


def test_a_sweep_that_found_something_writes_one_line(terminal: Kept) -> None:
    run(SWEEP, "3")
    assert len(terminal.lines) == 1
    assert "succeeded in 0.01s: 3" in terminal.lines[0]


def test_every_other_task_is_told_of(terminal: Kept) -> None:
    run(OTHER, "None")
    assert len(terminal.lines) == 3


def test_a_sweep_that_failed_keeps_its_traceback(terminal: Kept) -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        logging.getLogger("celery.app.trace").exception(
            "Task %(name)s[%(id)s] raised", {"name": SWEEP, "id": "1f"}
        )
    assert "Traceback" in "\n".join(terminal.lines)


@pytest.mark.parametrize(
    ("logger", "message"),
    [
        ("celery.beat", "Message Error: %s\n['stack', 'of 60 lines']"),
        ("celery.worker", "Unrecoverable error: %s"),
    ],
)
def test_a_job_folder_that_cannot_be_used_is_one_line(terminal: Kept, logger: str, message: str) -> None:
    try:
        raise NotADirectoryError(20, "Not a directory", "broker/queue")
    except NotADirectoryError as error:
        logging.getLogger(logger).exception(message, error)
    assert terminal.lines == [
        f"{message.split(':', maxsplit=1)[0]}: [Errno 20] Not a directory: 'broker/queue'"
    ]


def test_a_defect_that_ends_the_worker_keeps_its_traceback(terminal: Kept) -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError as error:
        logging.getLogger("celery.worker").critical("Unrecoverable error: %r", error, exc_info=True)
    assert "Traceback" in "\n".join(terminal.lines)


def test_setting_the_filters_again_adds_none() -> None:
    logger = logging.getLogger("celery.beat")
    before = len(logger.filters)
    logs.configure_celery({SWEEP})
    logs.configure_celery({Job.SWEEP_MESSAGES, Job.SWEEP_STANDINGS})
    assert len(logger.filters) == before == 2

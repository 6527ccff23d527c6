"""``clean`` in a child process, so that whatever a file does to its reader, the worker lives."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.files.cleaning import refusals
from app.files.cleaning.refusals import FileRefusedError
from app.files.cleaning.results import MEGABYTE, Cleaned, Limits, Made
from app.text import T

ROOT = Path(__file__).resolve().parents[3]
LONGEST_ANSWER = MEGABYTE
GRACE = 5.0
"""Seconds for a child to end after its output was closed."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one file may cost: bytes of address space and of a written file, seconds of processor and of the clock.

    The largest accepted pictures fill 550 MB, a 12-megapixel photo less than 150.
    """

    memory: int = 700 * MEGABYTE
    seconds: int = 30
    file_size: int = 64 * MEGABYTE
    patience: float = 90.0


def clean_apart(
    source: Path, folder: Path, *, limits: Limits | None = None, name: str = "", bounds: Bounds | None = None
) -> Cleaned:
    """``clean`` in a child: see there. Raises ``FileRefusedError`` also for whatever ended the child.

    Raises ``RuntimeError`` if a library is missing.

    Safe in a process with threads: the child is a new program, not a copy of this one.
    """
    bounds = bounds or Bounds()
    job = {
        "source": str(source.resolve()),
        "folder": str(folder.resolve()),
        "limits": asdict(limits or Limits()),
        "name": name,
        "bounds": {
            "memory": bounds.memory,
            "seconds": bounds.seconds,
            "file_size": bounds.file_size,
        },
    }
    answer = run_apart("app.files.cleaning", json.dumps(job), folder, bounds.patience)
    if "made" in answer:
        return Cleaned.of(Made.unpacked(answer["made"], folder))
    if "refused" in answer:
        raise FileRefusedError.unpacked(answer["refused"])
    if answer["died"] in BROKEN_INSTALLATION:
        raise RuntimeError(f"the cleaning of files cannot start: {answer['died']}")
    import structlog  # takes longer than a child lives, and a child imports this module too

    structlog.get_logger().warning("file_ended_its_reader", how=answer["died"])
    if answer["died"] in TOO_MUCH:
        raise refusals.too_heavy()
    raise refusals.damaged(T("照片或 PDF"))


TOO_MUCH = frozenset({"memory", "time", "SIGXCPU", "SIGKILL", "SIGABRT", "SIGTRAP", "SIGILL", "OSError"})
"""How a child ends that wanted more than it may have; readers in C++ abort or trap when memory is refused."""

ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    # one heap, so that threads do not multiply the address space; large pages for it where the kernel gives them on
    # request, because a tenth of a child's time goes into touching fresh memory for the first time
    "MALLOC_ARENA_MAX": "1",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
BROKEN_INSTALLATION = frozenset({"ImportError", "ModuleNotFoundError"})
"""No file is to blame for these; the job fails, and the operator sees why."""


def run_apart(
    program: str, job: str, folder: Path, patience: float, environment: Mapping[str, str] = ENVIRONMENT
) -> dict[str, Any]:
    """The answer of a child that runs the module ``program`` with ``job`` (JSON), or ``{"died": how}``."""
    deadline = time.monotonic() + patience
    child = subprocess.Popen(
        # -S: our own search path is handed over, so nothing has to look for it again
        [sys.executable, "-P", "-S", "-s", "-m", program, job],
        cwd=folder,
        # nothing else of ours: no secret, no address of a service
        env={"PYTHONPATH": _search_path(), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with child:
        try:
            written, in_time = _read(child, deadline)
            answer = _parsed(written)
            if answer is None and in_time:
                _await_end(child.pid)
        finally:
            # not reaped yet, so the number is still its own; whatever it started goes with it
            os.killpg(child.pid, signal.SIGKILL)
    if answer is not None:
        return answer
    if not in_time:
        return {"died": "time"}
    status = child.returncode
    return {"died": signal.Signals(-status).name if status < 0 else f"status {status}"}


def _search_path() -> str:
    places = [str(ROOT), *(each for each in sys.path if Path(each).is_absolute())]
    return os.pathsep.join(dict.fromkeys(places))


def _read(child: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bool]:
    """What the child wrote until it closed its output, and whether it did so in time and measure."""
    assert child.stdout is not None
    ready = select.poll()
    ready.register(child.stdout, select.POLLIN)
    written = b""
    while ready.poll(max(0.0, deadline - time.monotonic()) * 1000):
        piece = os.read(child.stdout.fileno(), 65536)
        if not piece:
            return written, True
        written += piece
        if len(written) > LONGEST_ANSWER:
            break
    return b"", False


def _await_end(pid: int) -> None:
    """Let a child that closed its output end by itself, so that its way of ending is known; it is not reaped here."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13; then some ways of ending look like a kill
        time.sleep(0.2)
        return
    deadline = time.monotonic() + GRACE
    while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) and time.monotonic() < deadline:
        time.sleep(0.01)


def _parsed(written: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(written)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None

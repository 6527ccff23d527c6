"""Reading printed text off a cleaned picture (文字核对), where the extra ``saishi[ocr]`` is installed.

The reader runs in a child with bounded memory and time, one thread, and no network; its model lies in the package.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from app.files.cleaning.apart import ENVIRONMENT, Bounds, run_apart
from app.files.cleaning.results import MEGABYTE

PACKAGES = ("rapidocr", "onnxruntime")

READING = Bounds(memory=2000 * MEGABYTE, seconds=120, file_size=MEGABYTE, patience=200.0)
"""What reading one document may cost. The libraries alone map 1 GB of address space; a page fills 650 MB for some seconds.

By the clock less than what the sweep of uploads lets a folder stand still.
"""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class ReadingFailedError(Exception):
    """The child ended before it had read; the message says how, never what stood on the page."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, and how sure the reader is of it, in thousandths."""

    text: str
    sure: int


def available() -> bool:
    """Whether the extra is installed."""
    return all(find_spec(name) is not None for name in PACKAGES)


def read_apart(pictures: Sequence[Path], folder: Path, *, bounds: Bounds = READING) -> tuple[Line, ...]:
    """The lines of these pictures (JPEG), from top to bottom. Raises ``ReadingFailedError``.

    ``folder`` is where the child works; safe in a process with threads.
    """
    job = {
        "pictures": [str(each.resolve()) for each in pictures],
        "bounds": {
            "memory": bounds.memory,
            "seconds": bounds.seconds,
            "file_size": bounds.file_size,
        },
    }
    # large pages would be filled for a model that is read once
    environment = {**ENVIRONMENT, **ONE_THREAD, "GLIBC_TUNABLES": ""}
    answer = run_apart("app.files.reading", json.dumps(job), folder, bounds.patience, environment)
    if "lines" not in answer:
        raise ReadingFailedError(str(answer.get("died", "no answer")))
    return tuple(Line(str(text), int(sure)) for text, sure in answer["lines"])

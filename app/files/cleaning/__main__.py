"""The child of ``clean_apart``: one job as JSON in its argument, one answer as JSON on its standard output."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from app.files.cleaning.confinement import confine
from app.files.cleaning.territory import keep_to


def main(written: str) -> None:
    """Never raises: whatever happens becomes an answer, or the lack of one."""
    job = json.loads(written)
    answers = os.dup(1)
    os.dup2(2, 1)  # a library that prints must not speak in our name
    confine(**job["bounds"])
    if sys.platform == "linux":
        keep_to(Path(job["source"]), Path(job["folder"]))
    try:
        answer = _answer(job)
    except MemoryError:
        answer = {"died": "memory"}
    except Exception as error:  # of any reader, on any file; the parent logs its kind, never its text
        answer = {"died": type(error).__name__}
    with os.fdopen(answers, "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os._exit(0)  # nothing to tidy up: the parent removes the folder


def _answer(job: dict[str, Any]) -> dict[str, Any]:
    from app.files.cleaning.making import make
    from app.files.cleaning.refusals import FileRefusedError
    from app.files.cleaning.results import Limits

    try:
        made = make(
            Path(job["source"]), Path(job["folder"]), limits=Limits(**job["limits"]), name=job["name"]
        )
    except FileRefusedError as refusal:
        return {"refused": refusal.packed()}
    return {"made": made.packed()}


if __name__ == "__main__":
    main(sys.argv[1])

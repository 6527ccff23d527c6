"""The child of ``read_apart``: one job as JSON in its argument, one answer as JSON on its standard output."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from app.files.cleaning.confinement import confine

LONGEST_LINE, MOST_LINES = 200, 400


def main(written: str) -> None:
    """Never raises: whatever happens becomes an answer, or the lack of one."""
    job = json.loads(written)
    answers = os.dup(1)
    os.dup2(2, 1)  # a library that prints must not speak in our name
    confine(**job["bounds"])
    try:
        answer: dict[str, Any] = {"lines": _lines(job["pictures"])}
    except MemoryError:
        answer = {"died": "memory"}
    except Exception as error:  # of any library, on any picture; only its kind is told
        answer = {"died": type(error).__name__}
    with os.fdopen(answers, "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os._exit(0)  # nothing to tidy up: the parent removes the folder


def _lines(pictures: list[str]) -> list[tuple[str, int]]:
    import cv2
    import rapidocr
    from rapidocr.utils import download_file

    cv2.setNumThreads(1)
    # where the system has no way to shut a child off from the network, the package is not asked to use it either
    download: Any = download_file.DownloadFile
    download._make_http_request = _refuse
    engine: Any = rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.model_root_dir": str(Path(rapidocr.__file__).parent / "models"),
            "Global.max_side_len": 1600,
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    found: list[tuple[str, int]] = []
    for picture in pictures:
        read = engine(picture)
        for text, score in zip(read.txts or (), read.scores or (), strict=True):
            found.append((str(text)[:LONGEST_LINE], int(score * 1000)))
    return found[:MOST_LINES]


def _refuse(*_: object) -> None:
    raise ConnectionError


if __name__ == "__main__":
    main(sys.argv[1])

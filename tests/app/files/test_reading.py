"""Reading text off pictures with the real reader: in a child, offline, on one thread, within bounds."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app.files.cleaning.apart import Bounds
from app.files.cleaning.results import MEGABYTE
from app.files.reading import Line, ReadingFailedError, available, read_apart
from tests.conftest import ROOT
from tests.factories.certificates import certificate


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> tuple[Line, ...]:
    """Two photos, one of them held askew, read by one child."""
    folder = tmp_path_factory.mktemp("reading")
    pictures = []
    for name, written, turn in (
        ("one", ["体检证明", "姓名：林小满", "身份证号：110105198506150013"], 0.0),
        ("two", ["出具日期：2021年10月20日", "示例医院"], 2.5),
    ):
        pictures.append(folder / f"{name}.jpg")
        pictures[-1].write_bytes(certificate(written, turn=turn))
    return read_apart(pictures, folder)


def test_name_number_and_day_are_read_in_the_order_of_the_pages(lines: tuple[Line, ...]) -> None:
    read = "\n".join(line.text.replace(" ", "") for line in lines)
    for written in ("林小满", "110105198506150013", "2021年10月20日"):
        assert written in read
    assert read.index("林小满") < read.index("2021年10月20日")
    assert all(0 < line.sure <= 1000 for line in lines)


def test_what_is_no_picture_or_wants_too_much_fails_and_the_caller_lives(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    with pytest.raises(ReadingFailedError):
        read_apart([broken], tmp_path)
    small = Bounds(memory=200 * MEGABYTE, seconds=20, file_size=MEGABYTE, patience=30)
    whole = tmp_path / "whole.jpg"
    whole.write_bytes(certificate(["姓名：林小满"]))
    with pytest.raises(ReadingFailedError):
        read_apart([whole], tmp_path, bounds=small)


OFFLINE = """
import os, sys
from app.files.cleaning.confinement import confine
confine(memory=2000 * 1024 * 1024, seconds=60, file_size=1024 * 1024)
import onnxruntime  # starts a thread of its own, which computes nothing
threads = len(os.listdir("/proc/self/task"))
import app.files.reading.__main__ as child
asked = []
import rapidocr.utils.download_file as downloads
real, child._refuse = child._refuse, lambda *given: asked.append(given)
lines = child._lines([sys.argv[1]])
assert lines and not asked, (lines, asked)
assert len(os.listdir("/proc/self/task")) == threads <= 2
import socket
try:
    socket.socket()
except OSError:
    print("offline")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the network is shut off by the kernel of Linux")
def test_the_reader_asks_for_no_download_computes_on_one_thread_and_has_no_network(tmp_path: Path) -> None:
    assert socket.socket().close() is None  # this process has the network that the child is refused
    picture = tmp_path / "one.jpg"
    picture.write_bytes(certificate(["姓名：林小满"]))
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(picture)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "offline"), done.stderr[-2000:]


WITHOUT = """
import sys
for name in ("rapidocr", "onnxruntime", "cv2", "numpy"):
    sys.modules[name] = None
import pathlib
from app import create_app
from tests.conftest import make_settings
import tasks.documents
from app.files import reading
assert not reading.available()
folder = pathlib.Path(sys.argv[1])
app = create_app(make_settings(folder, f"sqlite:///{folder / 'site.db'}"))
with app.app_context():
    from app.extensions import db
    db.create_all()
    from app.commands import command
    from app.actors import SYSTEM
    from app.documents import service
    with command(SYSTEM) as ctx:
        assert service.sweep_readings(ctx) == 0
        assert service.reading_to_make(ctx, 1) is None
assert app.test_client().get("/").status_code == 200
print("works")
"""


def test_without_the_extra_everything_else_works(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(tmp_path)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()[-5:]) == (0, "works"), done.stderr[-2000:]


def test_the_tests_run_with_the_extra() -> None:
    assert available()

"""A writer that is killed half-way leaves no half file under the key."""

from __future__ import annotations

import json
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from app.files import store
from tests import services
from tests.app.files.conftest import Place
from tests.conftest import SECRET

WRITER = """
import json, sys, time
from pathlib import Path
from app.files import store
from app.settings import Settings

given = json.loads(sys.argv[1])
store.configure(Settings(Path(given["instance"]), given["secret"], "", "", storage_url=given["storage"]))

def content():
    for number in range(given["pieces"]):
        yield bytes(1_000_000)
    print("half-way", flush=True)
    time.sleep(600)

store.write("a/file", content())
"""


LARGE = """
import json, resource, sys
from pathlib import Path
from app.files import store
from app.settings import Settings

given = json.loads(sys.argv[1])
settings = Settings(Path(given["instance"]), given["secret"], "", "", storage_url=given["storage"])
store.configure(settings)
store.check(settings)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sealed = store.write("a/file", (bytes(1_000_000) for _ in range(given["pieces"])))
assert sum(map(len, store.read(sealed, 0, 20_000_000))) == 20_000_000
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


def test_a_large_file_is_never_in_memory_as_a_whole(place: Place) -> None:
    given = {
        "instance": str(place.settings.instance),
        "secret": SECRET,
        "storage": place.settings.storage_url,
        "pieces": 200,
    }
    with services.program(sys.executable, "-c", LARGE, json.dumps(given)) as writer:
        assert writer.wait() == 0, writer.output
        assert (
            int(writer.lines[-1]) < 100_000_000
        )  # of 200 MB; measured: 14 MB into a bucket, 61 MB into a folder


def kill_half_way(place: Place, pieces: int) -> None:
    """Write ``pieces`` megabytes of a file in a process of its own, and kill that."""
    given = {
        "instance": str(place.settings.instance),
        "secret": SECRET,
        "storage": place.settings.storage_url,
        "pieces": pieces,
    }
    with services.program(sys.executable, "-c", WRITER, json.dumps(given)) as writer:
        writer.wait_for_line("half-way")
        writer.send(signal.SIGKILL)
        assert writer.wait() == -signal.SIGKILL


@pytest.mark.parametrize("pieces", [0, 1, 30])
def test_a_killed_writer_leaves_no_object_and_the_key_can_be_written(place: Place, pieces: int) -> None:
    kill_half_way(place, pieces)
    assert place.objects() == {}
    sealed = store.write("a/file", [b"whole"])
    assert b"".join(store.read(sealed)) == b"whole"


def test_a_killed_writer_leaves_the_older_file_as_it_was(place: Place) -> None:
    sealed = store.write("a/file", [b"older"])
    kill_half_way(place, 30)
    assert b"".join(store.read(sealed)) == b"older"


def test_what_a_killed_writer_left_in_a_folder_is_removed_once_it_is_old(place: Place) -> None:
    kill_half_way(place, 30)
    stays = store.write("a/stays", [b"x"])
    folder = place.settings.instance / "files"
    left = [path for path in folder.rglob("*") if path.is_file() and path.name != "stays"]
    assert len(left) == (place.moto is None)  # a bucket keeps its parts where only its own rule reaches them
    now = datetime.now(UTC)
    assert store.discard_unfinished(now - timedelta(hours=1)) == 0
    for path in left:
        os.utime(path, (0, 0))
    assert store.discard_unfinished(now - timedelta(hours=1)) == len(left)
    assert [path for path in left if path.exists()] == []
    assert b"".join(store.read(stays)) == b"x"


def test_two_writers_of_one_key_leave_one_whole_file(place: Place) -> None:

    contents = [bytes([number]) * 11_000_000 for number in range(3)]
    with ThreadPoolExecutor(3) as pool:
        written = list(pool.map(lambda content: store.write("a/file", [content]), contents))
    whole = []
    for sealed, content in zip(written, contents, strict=True):
        try:
            whole.append(b"".join(store.read(sealed)) == content)
        except store.FileDamagedError:
            continue
    assert whole == [True]

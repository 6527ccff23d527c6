"""``saishi files``: rotating keys and checking the store of a real installation."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.files import store
from tests import services
from tests.conftest import SECRET, make_settings

OLD, NEW = "old-key-of-the-files-" + "0" * 20, "new-key-of-the-files-" + "1" * 20
DAY = 86_400

pytestmark = pytest.mark.usefixtures("own_store")


class Installation:
    """A migrated data folder with files in it."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder, self.url = folder, url
        self.environment = services.environment(folder, SAISHI_SECRET_KEY=SECRET, SAISHI_STORAGE_URL=url)
        services.migrate(self.environment)

    def keep(self, key: str, content: bytes, *file_keys: str) -> None:
        store.configure(make_settings(self.folder, "", storage_url=self.url, file_keys=file_keys))
        sealed = store.write(key, [content])
        with closing(sqlite3.connect(self.folder / "saishi.db")) as connection, connection:
            connection.execute(
                "INSERT INTO stored_files (key, wrapped_key, key_id, size, sha256, media_type, created_at)"
                " VALUES (?, ?, ?, ?, ?, 'image/jpeg', '2021-10-25 04:00:00')",
                (sealed.key, sealed.wrapped_key, sealed.key_id, sealed.size, sealed.sha256),
            )

    def run(self, *arguments: str, keys: str = "") -> tuple[int, Any, str]:
        """Exit status, the JSON document (None if nothing was written) and what was said beside it."""
        done = services.saishi(
            "files", *arguments, environment={**self.environment, "SAISHI_FILE_KEYS": keys}
        )
        return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def test_rotation_reports_what_it_did_and_what_was_done_before(installation: Installation) -> None:
    installation.keep("a/1", b"1")
    installation.keep("a/2", b"2", OLD)
    installation.keep("a/3", b"3", NEW, OLD)
    status, report, said = installation.run("rotate", keys=f"{NEW},{OLD}")
    counts = {"rotated": 2, "already_newest": 1, "damaged": 0, "left": 0}
    assert (status, said) == (0, "")
    assert {name: report[name] for name in counts} == counts
    status, report, _ = installation.run("rotate", keys=NEW)
    assert (status, report["rotated"], report["already_newest"]) == (0, 0, 3)
    status, report, _ = installation.run("check", "--deep", keys=NEW)
    assert (status, report["files"], report["damaged"], report["unknown_keys"]) == (0, 3, [], {})


def test_rotation_without_a_key_that_is_needed_changes_nothing(installation: Installation) -> None:
    installation.keep("a/1", b"1")
    installation.keep("a/2", b"2", OLD)
    status, report, said = installation.run("rotate", keys=NEW)
    assert (status, report) == (2, None)
    assert said.startswith("有 1 个文件的密钥不在 SAISHI_FILE_KEYS 里")
    assert said.count("\n") == 1
    assert NEW not in said
    status, report, said = installation.run("check", keys=NEW)
    assert (status, list(report["unknown_keys"].values())) == (1, [1])
    assert "请把旧密钥加回去" in said
    assert installation.run("check", "--deep", keys=OLD)[0] == 0


def test_a_check_names_what_is_missing_damaged_and_left_over_and_removes_only_the_last(
    installation: Installation,
) -> None:
    for name in ("whole", "missing", "damaged"):
        installation.keep(f"a/{name}", b"xyz")
    folder = installation.folder / "files" / "a"
    orphan = folder.parent / "pieces" / "0f" / ("0f" + 30 * "a")
    orphan.parent.mkdir(parents=True)
    (folder / "missing").unlink()
    (folder / "damaged").write_bytes(b"x" * (folder / "damaged").stat().st_size)
    for path, age in (
        (orphan, 2 * DAY),
        (orphan.with_name("0f" + 30 * "b"), 0),
        (folder / "of-somebody-else", 2 * DAY),
        (folder / "half#1", 2 * DAY),
        (folder / "young-half#1", 0),
    ):
        path.write_bytes(b"x")
        written = folder.stat().st_mtime - age
        os.utime(path, (written, written))

    status, report, said = installation.run("check", "--deep")
    assert status == 1
    assert (report["files"], report["bytes"]) == (3, 9)
    assert report["missing"] == ["a/missing"]
    assert report["damaged"] == ["a/damaged"]
    assert report["orphans"] == [f"pieces/0f/{orphan.name}"]
    assert said.count("\n") == 3

    status, report, said = installation.run("check", "--delete-orphans")
    assert (report["orphans"], report["deleted_orphans"], report["deleted_unfinished"]) == ([], 1, 1)
    assert {path.name for path in folder.iterdir()} == {
        "whole",
        "damaged",
        "of-somebody-else",
        "young-half#1",
    }
    assert [path.name for path in orphan.parent.iterdir()] == ["0f" + 30 * "b"]
    assert status == 1
    assert "从备份恢复" in said
    assert services.saishi("audit", environment=installation.environment).returncode == 0


def test_a_whole_store_is_one_report_and_status_0(tmp_path: Path, moto: services.Moto) -> None:
    installation = Installation(tmp_path, moto.url(moto.new_bucket()))
    for number in range(3):
        installation.keep(f"a/{number}", bytes(number * 100_000))
    for options in ([], ["--deep"], ["--delete-orphans"]):
        status, report, said = installation.run("check", *options)
        assert (status, said, report["files"], report["bytes"]) == (0, "", 3, 300_000)


def test_a_rotation_that_is_killed_loses_no_file_and_is_finished_by_the_next(
    installation: Installation,
) -> None:
    rows = 3000
    installation.keep("a/file", b"xyz", OLD)
    newest = store.newest_key_id()
    with closing(sqlite3.connect(installation.folder / "saishi.db")) as connection, connection:
        connection.executemany(
            "INSERT INTO stored_files (key, wrapped_key, key_id, size, sha256, media_type, created_at)"
            " SELECT ?, wrapped_key, key_id, size, sha256, media_type, created_at FROM stored_files WHERE id = 1",
            ((f"a/copy-{number}",) for number in range(1, rows)),
        )

    def rotated() -> int:
        with closing(sqlite3.connect(installation.folder / "saishi.db")) as connection:
            counted = connection.execute("SELECT count(*) FROM stored_files WHERE key_id != ?", (newest,))
            return int(counted.fetchone()[0])

    environment = {**installation.environment, "SAISHI_FILE_KEYS": f"{NEW},{OLD}"}
    with services.program(*services.SAISHI, "files", "rotate", environment=environment) as running:
        running.wait_until(rotated, what="a step is done")
        running.send(signal.SIGKILL)
        running.wait()
    done = rotated()
    assert done % 200 == 0 or done == rows  # whole steps only
    status, report, _ = installation.run("rotate", keys=f"{NEW},{OLD}")
    assert (status, report["rotated"], report["left"]) == (0, rows - done, 0)
    store.configure(make_settings(installation.folder, "", file_keys=(NEW,)))
    with closing(sqlite3.connect(installation.folder / "saishi.db")) as connection:
        row = connection.execute(
            "SELECT key, wrapped_key, key_id, size, sha256 FROM stored_files WHERE id = 1"
        ).fetchone()
    assert b"".join(store.read(store.Sealed(*row))) == b"xyz"


@pytest.mark.parametrize("command", ["rotate", "check"])
def test_without_a_database_or_a_store_it_is_one_sentence(tmp_path: Path, command: str) -> None:
    done = services.saishi("files", command, environment=services.environment(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "请先运行 saishi migrate" in done.stderr
    if command == "check":
        down = services.Moto(f"http://127.0.0.1:{services.free_port()}").url("files")
        status, report, said = Installation(tmp_path, down).run(command)
        assert (status, report) == (2, None)
        assert said.splitlines()[-1].startswith("连不上文件存储")

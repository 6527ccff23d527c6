"""``saishi organiser``: the first command of an installation, so it finds nothing prepared."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests import services

PHONE = "13800138000"


@pytest.fixture(params=["sqlite", "postgresql"])
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    if request.param == "sqlite":
        yield services.environment(tmp_path / "instance")
        return
    with services.shared_postgresql() as server:
        yield services.environment(tmp_path / "instance", SAISHI_DATABASE_URL=server.new_database())


def refused(environment: dict[str, str], *sentence: str, phone: str = PHONE) -> None:
    done = services.saishi("organiser", phone, environment=environment)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    for piece in sentence:
        assert piece in done.stderr
    assert done.stdout == ""


def test_on_a_fresh_installation_it_makes_the_tables_and_grants_the_role(environment: dict[str, str]) -> None:
    for _ in range(2):  # giving it twice is the same as once
        done = services.saishi("organiser", PHONE, environment=environment)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "已授予主办方身份 (organiser role granted)\n"


@pytest.mark.journey
def test_serve_starts_on_what_it_left(tmp_path: Path) -> None:
    environment = services.environment(tmp_path / "instance")
    assert services.saishi("organiser", PHONE, environment=environment).returncode == 0
    with services.serve(environment) as (url, _):
        assert services.answers(url)


def test_a_number_that_is_no_mobile_number_is_refused_in_both_languages(tmp_path: Path) -> None:
    environment = services.environment(tmp_path / "instance")
    refused(environment, "应为 11 位手机号", "(An 11-digit mobile number is needed", phone="123")


def test_a_data_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "instance").touch()
    refused(
        services.environment(tmp_path / "instance"), "数据文件夹", "(the data folder cannot be written to"
    )


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "saishi.db").write_bytes(b"not a database" * 500)
    refused(services.environment(tmp_path), "连不上数据库", "(the database cannot be reached)")


def test_a_database_of_a_newer_program_is_one_sentence(tmp_path: Path) -> None:
    environment = services.environment(tmp_path)
    services.migrate(environment)
    with closing(sqlite3.connect(tmp_path / "saishi.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'feedface'")
    refused(environment, "数据库结构比程序新", "(the database is newer than the program")


def test_what_the_database_refuses_while_granting_is_one_sentence(tmp_path: Path) -> None:
    environment = services.environment(tmp_path)
    services.migrate(environment)
    with closing(sqlite3.connect(tmp_path / "saishi.db")) as connection, connection:
        connection.execute("DROP TABLE users")
    refused(environment, "不可用：no such table: users", "(the database cannot be used)")

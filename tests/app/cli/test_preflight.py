"""Faults that are found before anything starts, each as one sentence and exit status 2."""

import os
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from app.cli import preflight
from app.cli.preflight import PreflightError, Schema
from app.settings import Settings
from tests import services

SECRET = "test-secret-key-of-forty-eight-characters-000000"
"""The suite's own: an application made here must not change the keys of the one the other tests use."""


def settings_for(folder: Path, database_url: str = "") -> Settings:
    return Settings(
        instance=folder,
        secret_key=SECRET,
        database_url=database_url or f"sqlite:///{folder / 'saishi.db'}",
        broker_url="filesystem://",
        host="127.0.0.1",
        port=services.free_port(),
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings over an empty database of each engine."""
    if request.param == "sqlite":
        yield settings_for(tmp_path)
        return
    with services.shared_postgresql() as server:
        yield settings_for(tmp_path, server.new_database())


def run(settings: Settings, *statements: str) -> None:
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


@pytest.fixture
def a_later_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program with one more migration than the database has seen."""
    later = tmp_path / "later-migrations"
    shutil.copytree(preflight.MIGRATIONS, later)
    (head,) = preflight.ScriptDirectory(str(later)).get_heads()
    (later / "versions" / "9999_later.py").write_text(
        f"from alembic import op\nimport sqlalchemy as sa\nrevision = '9999'\ndown_revision = {head!r}\n"
        "def upgrade():\n    op.create_table('later', sa.Column('id', sa.Integer, primary_key=True))\n"
    )
    monkeypatch.setattr(preflight, "MIGRATIONS", later)


def test_an_empty_database_is_migrated_at_the_start(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "manifest.json").touch()
    monkeypatch.setattr(preflight, "MANIFEST", tmp_path / "manifest.json")
    assert preflight.schema_of(settings) is Schema.EMPTY
    preflight.check_start(settings)
    assert preflight.schema_of(settings) is Schema.CURRENT
    preflight.check_start(settings)


def test_processes_started_alone_do_not_migrate_an_empty_database(settings: Settings) -> None:
    with pytest.raises(PreflightError, match="数据库是空的，请先运行 saishi migrate"):
        preflight.check_schema(settings)


def test_an_older_schema_is_refused_with_the_command_that_updates_it(
    settings: Settings, request: pytest.FixtureRequest
) -> None:
    preflight.migrate_database(settings)
    request.getfixturevalue("a_later_program")
    with pytest.raises(PreflightError, match=r"数据库结构比程序旧，请运行 saishi migrate（.*备份"):
        preflight.check_schema(settings)


def test_a_newer_schema_is_refused(settings: Settings) -> None:
    preflight.migrate_database(settings)
    run(settings, "UPDATE alembic_version SET version_num = 'feedface'")
    for check in (preflight.check_schema, preflight.migrate_database):
        with pytest.raises(PreflightError, match="数据库结构比程序新"):
            check(settings)


def test_another_program_s_database_is_left_alone(settings: Settings) -> None:
    run(settings, "CREATE TABLE wp_posts (id INTEGER)")
    for check in (preflight.check_schema, preflight.migrate_database):
        with pytest.raises(PreflightError, match="别的程序的表"):
            check(settings)


def test_migrating_copies_a_sqlite_file_first_and_only_when_there_is_something_to_do(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    settings = settings_for(tmp_path)
    assert preflight.migrate_database(settings) is None  # nothing in it yet
    assert preflight.migrate_database(settings) is None  # nothing to do
    run(settings, "CREATE TABLE mine (word TEXT)", "INSERT INTO mine VALUES ('保留')")

    request.getfixturevalue("a_later_program")
    copy = preflight.migrate_database(settings)

    assert copy is not None
    assert copy.parent == tmp_path / "backups"
    assert copy.stat().st_mode & 0o077 == 0
    connection = sqlite3.connect(copy)
    try:
        assert connection.execute("SELECT word FROM mine").fetchone() == ("保留",)
        assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'later'").fetchone() == (
            0,
        )
    finally:
        connection.close()
    assert preflight.schema_of(settings) is Schema.CURRENT


def test_a_taken_port_is_named_with_another_to_choose(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        for host in ("127.0.0.1", "0.0.0.0"):
            with pytest.raises(PreflightError, match=rf"端口 {port} 已被占用.*SAISHI_PORT={port + 1}"):
                preflight.check_port(host, port)


def test_a_host_that_is_not_this_machine_is_named(tmp_path: Path) -> None:
    with pytest.raises(PreflightError, match=r"SAISHI_HOST=192\.0\.2\.7"):
        preflight.check_port("192.0.2.7", services.free_port())


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    with pytest.raises(PreflightError, match=r"数据文件夹 .*a file/instance 无法写入.*SAISHI_INSTANCE"):
        preflight.check_instance(tmp_path / "a file" / "instance")


def test_a_read_only_folder_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    folder.mkdir()
    folder.chmod(0o555)
    me = os.geteuid()
    for parent in [folder, *folder.parents][: -len(Path("/tmp").parts)]:
        parent.chmod(parent.stat().st_mode | 0o555)
    if me == 0:
        os.seteuid(65534)  # root may write everywhere
    try:
        with pytest.raises(PreflightError, match="无法写入"):
            preflight.check_instance(folder)
    finally:
        if me == 0:
            os.seteuid(0)


def test_missing_assets_name_the_command_that_makes_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(preflight, "MANIFEST", tmp_path / "manifest.json")
    with pytest.raises(PreflightError, match="make install"):
        preflight.check_assets()


def test_an_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    url = f"postgresql+psycopg://saishi:do-not-show-me@127.0.0.1:{services.free_port()}/saishi"
    with pytest.raises(PreflightError, match="连不上数据库") as caught:
        preflight.check_schema(settings_for(tmp_path, url))
    assert "127.0.0.1" in str(caught.value)
    assert "do-not-show-me" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["serve", "web", "worker", "beat", "migrate"])
def test_a_bad_setting_ends_every_command_with_its_name_and_status_2(tmp_path: Path, name: str) -> None:
    done = services.saishi(name, environment=services.environment(tmp_path / "instance", SAISHI_PORT="eight"))
    assert done.returncode == 2
    assert "SAISHI_PORT" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_serve_starts_nothing_when_the_port_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        environment = services.environment(tmp_path / "instance", SAISHI_PORT=str(other.getsockname()[1]))
        done = services.saishi("serve", environment=environment)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "[web]" not in done.stdout


# --- the secret key ---


def test_the_first_key_is_noted_and_fits_from_then_on(settings: Settings) -> None:
    preflight.migrate_database(settings)
    for _ in range(2):
        preflight.check_data(settings)
    with_another = replace(settings, secret_key="another-secret-key-of-more-than-32-characters")
    for check in (preflight.check_data, preflight.migrate_database):
        with pytest.raises(
            PreflightError, match=r"密钥与数据库不符.*\(the secret key is not the one"
        ) as caught:
            check(with_another)
        assert "\n" not in str(caught.value)
    preflight.check_data(settings)


def test_a_database_that_notes_no_key_takes_the_first_it_sees(settings: Settings) -> None:
    preflight.migrate_database(settings)
    run(settings, "DELETE FROM key_checks")
    preflight.check_data(settings)
    with pytest.raises(PreflightError, match="密钥与数据库不符"):
        preflight.check_data(replace(settings, secret_key="k" * 48))


def test_what_is_noted_of_the_key_does_not_tell_it(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    preflight.migrate_database(settings)
    assert SECRET.encode() not in (tmp_path / "saishi.db").read_bytes()


@pytest.mark.parametrize("name", ["serve", "demo", "web", "worker", "beat", "organiser", "migrate", "audit"])
def test_a_lost_secret_key_ends_every_command_with_one_sentence(tmp_path: Path, name: str) -> None:
    environment = services.environment(tmp_path)
    services.migrate(environment)
    (tmp_path / "secret_key").unlink()
    done = services.saishi(name, *(["13800138000"] if name == "organiser" else []), environment=environment)
    assert done.returncode == 2
    assert "密钥与数据库不符" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


# --- the clock file ---


@pytest.mark.parametrize("written", [b"soon", b"nan", b"1e400", b"-inf", b"\xff\xfe", b"4000000000"])
def test_a_clock_file_that_holds_no_number_of_seconds_is_refused(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "clock").write_bytes(written)
    with pytest.raises(PreflightError, match=r"时钟文件 .*/clock 里应为一个秒数.*\(the clock file"):
        preflight.check_clock(tmp_path / "clock")


def test_a_clock_file_that_is_right_empty_or_missing_is_taken(tmp_path: Path) -> None:
    preflight.check_clock(None)
    preflight.check_clock(tmp_path / "clock")
    for written in ("", "3600", "-86400.5\n"):
        (tmp_path / "clock").write_text(written)
        preflight.check_clock(tmp_path / "clock")


@pytest.mark.parametrize("name", ["web", "worker", "beat", "organiser"])
def test_a_bad_clock_file_ends_the_commands_that_need_the_time(tmp_path: Path, name: str) -> None:
    environment = services.environment(tmp_path, SAISHI_CLOCK_FILE=str(tmp_path / "clock"))
    services.migrate(environment)
    (tmp_path / "clock").write_text("nan")
    done = services.saishi(name, *(["13800138000"] if name == "organiser" else []), environment=environment)
    assert done.returncode == 2
    assert "时钟文件" in done.stderr
    assert len(done.stderr.splitlines()) == 1


# --- files ---


def test_what_a_command_writes_is_for_its_user_alone(tmp_path: Path) -> None:
    environment = services.environment(tmp_path / "instance")
    services.migrate(environment)
    assert (tmp_path / "instance").stat().st_mode & 0o777 == 0o700
    written = [path for path in (tmp_path / "instance").rglob("*") if path.is_file()]
    assert {path.name for path in written} >= {"saishi.db", "secret_key"}
    assert {path.name: oct(path.stat().st_mode & 0o077) for path in written} == {
        path.name: oct(0) for path in written
    }


def test_a_database_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    (tmp_path / "saishi.db").mkdir()
    with pytest.raises(PreflightError, match=r"数据库文件 .*saishi\.db 无法写入"):
        preflight.check_data(settings)


def test_an_address_that_cannot_be_read_is_one_sentence_without_its_password(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, "postgresql+psycopg://saishi:do-not-show-me@host:port/saishi")
    with pytest.raises(PreflightError, match="SAISHI_DATABASE_URL 的地址读不懂") as caught:
        preflight.check_data(settings)
    assert "do-not-show-me" not in str(caught.value)

"""What must be right before anything starts (启动检查): each fault is one sentence and exit status 2.

A fault found here costs a reader one line; found by a child process it costs a traceback in a scrolling log.
"""

from __future__ import annotations

import errno
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import NoReturn

import click
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from app import clock
from app.database import key_check
from app.files import store
from app.files.store import Fault
from app.settings import Settings, SettingsError

ROOT = Path(__file__).resolve().parents[2]
MIGRATIONS = ROOT / "migrations"
MANIFEST = ROOT / "app" / "static" / "manifest.json"


HASTE = store.Patience(request=10, retries=1, all_tries=10)
"""Who starts a program waits for the sentence; the running site may wait longer for a store that is busy."""


class PreflightError(Exception):
    """The program cannot start like this; the message is the one sentence to show."""


class Schema(Enum):
    """How the database's schema (数据库结构) stands to the program's migrations."""

    EMPTY = auto()
    CURRENT = auto()
    OLDER = auto()
    NEWER = auto()
    FOREIGN = auto()  # tables of something else


def stop(error: Exception) -> NoReturn:
    """Show the sentence and end with status 2."""
    click.echo(str(error), err=True)
    raise SystemExit(2)


def read_settings(*, demo: bool = False) -> Settings:
    """The settings with their secret key, or the sentence that names the bad one.

    From here on everything this process and its children write is for this user alone: the database, its journal,
    the job folder and the outbox hold personal data.
    """
    os.umask(0o077)
    try:
        settings = Settings.from_environment(demo=True) if demo else Settings.from_environment()
        check_instance(settings.instance)
        return settings.with_secret()
    except (SettingsError, PreflightError) as error:
        stop(error)


def check_start(settings: Settings) -> None:
    """Everything `saishi serve` needs. Migrates an empty database. Raises ``PreflightError``."""
    check_instance(settings.instance)
    check_assets()
    check_port(settings.host, settings.port)
    check_files(settings)
    prepare_database(settings)


def prepare_database(settings: Settings) -> None:
    """Migrate a database that is empty, then everything of ``check_data``. Raises ``PreflightError``."""
    if schema_of(settings) is Schema.EMPTY:
        migrate_database(settings)
    check_data(settings)


def check_data(settings: Settings) -> None:
    """The tables, the secret key and the clock fit this program. Raises ``PreflightError``."""
    check_schema(settings)
    check_key(settings)
    check_clock(settings.clock_file)


def check_instance(folder: Path) -> None:
    """The data folder can be made and written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise PreflightError(
            f"数据文件夹 {folder} 无法写入：{error.strerror}；请改权限，或用 SAISHI_INSTANCE 另选文件夹"
            f" (the data folder cannot be written to; choose another with SAISHI_INSTANCE)"
        ) from error


def check_assets() -> None:
    """The front-end was built."""
    if not MANIFEST.is_file():
        raise PreflightError(
            "页面样式与脚本还没有生成，请先运行 make install (the front-end assets are missing: run make install)"
        )


def check_port(host: str, port: int) -> None:
    """Nobody else listens where the site should."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PreflightError(
                f"端口 {port} 已被占用，可换一个，例如 SAISHI_PORT={_another(port)}"
                f" (port {port} is taken; choose another, for example SAISHI_PORT={_another(port)})"
            ) from error
        if error.errno == errno.EACCES:
            raise PreflightError(
                f"没有权限使用端口 {port}，请用 1024 以上的，例如 SAISHI_PORT=8000"
                f" (port {port} needs special rights; choose one from 1024 on with SAISHI_PORT)"
            ) from error
        raise PreflightError(
            f"无法在 SAISHI_HOST={host} 上监听：{error.strerror} (cannot listen on SAISHI_HOST={host})"
        ) from error


def check_schema(settings: Settings) -> None:
    """The database answers and has exactly the tables this program was written for."""
    match schema_of(settings):
        case Schema.EMPTY:
            raise PreflightError(
                "数据库是空的，请先运行 saishi migrate (the database is empty: run saishi migrate first)"
            )
        case Schema.OLDER:
            copy = "会先在数据文件夹里存一份备份" if _sqlite_file(settings) else "请先备份，例如用 pg_dump"
            raise PreflightError(
                f"数据库结构比程序旧，请运行 saishi migrate（{copy}）"
                " (the database is older than the program: run saishi migrate, after a backup copy)"
            )
        case Schema.NEWER:
            raise PreflightError(
                "数据库结构比程序新，请安装更新的程序版本，或恢复旧的备份"
                " (the database is newer than the program: install the newer program or restore an older backup)"
            )
        case Schema.FOREIGN:
            raise PreflightError(
                "SAISHI_DATABASE_URL 指向的数据库里是别的程序的表，请另建一个空数据库"
                " (the database of SAISHI_DATABASE_URL holds another program's tables; make an empty one)"
            )
        case Schema.CURRENT:
            return


def check_key(settings: Settings) -> None:
    """The secret key is the one the personal data was written with; the first key of a new database is noted."""
    with _database(settings) as engine:
        known = _known_key(engine)
        if known is None:
            with engine.begin() as connection:
                connection.execute(
                    text("INSERT INTO key_checks (id, value) VALUES (1, :value) ON CONFLICT DO NOTHING"),
                    {"value": key_check(settings.secret_key)},
                )
            known = _known_key(engine)  # of two processes that start together one has written it
    if known != key_check(settings.secret_key):
        raise PreflightError(
            "密钥与数据库不符：已存的手机号和身份证号是用另一个密钥加密的；请恢复原来的 secret_key 文件或 SAISHI_SECRET_KEY"
            " (the secret key is not the one this database was written with;"
            " restore the secret_key file or SAISHI_SECRET_KEY)"
        )


def check_files(settings: Settings) -> None:
    """The file store takes, gives back and removes a file."""
    with file_faults(settings):
        store.check(settings, HASTE)


@contextmanager
def file_faults(settings: Settings) -> Iterator[None]:
    """Turn what the file store refuses into one sentence, which names no account."""
    bucket = settings.bucket
    where = f"{bucket.endpoint or 'S3'} ({bucket.name})" if bucket else str(settings.instance / "files")
    try:
        yield
    except (store.FileMissingError, store.FileDamagedError):
        raise PreflightError(
            f"文件存储 {where} 没有给回存进去的内容 (the file store did not give back what it was given)"
        ) from None
    except store.StoreDownError as error:
        raise PreflightError(_FILE_FAULTS[error.fault].format(where=where)) from None


_FILE_FAULTS = {
    Fault.UNREACHABLE: "连不上文件存储 {where}；请看它是否在运行，或改 SAISHI_STORAGE_URL"
    " (the file store cannot be reached; see whether it runs, or change SAISHI_STORAGE_URL)",
    Fault.BUCKET: "文件存储 {where} 里没有这个桶；请先建好，或改 SAISHI_STORAGE_URL"
    " (there is no such bucket; make it, or change SAISHI_STORAGE_URL)",
    Fault.CREDENTIALS: "文件存储 {where} 不接受这个用户或密码；请改 SAISHI_STORAGE_URL，或 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY"
    " (the file store refuses the user or password; change SAISHI_STORAGE_URL,"
    " or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)",
    Fault.UNWRITABLE: "文件存储 {where} 无法写入；请改权限 (the file store cannot be written to; change its rights)",
    Fault.FULL: "文件存储 {where} 已满 (the file store is full)",
    Fault.KEY_UNKNOWN: "文件存储 {where} 里有文件的密钥不在 SAISHI_FILE_KEYS 里；请先把旧密钥加回去"
    " (a file's key is not in SAISHI_FILE_KEYS; put the old key back)",
}


def check_clock(file: Path | None) -> None:
    """The file that moves the clock, if there is one, holds a number of seconds."""
    if file is None:
        return
    try:
        clock.parse_offset(file.read_text())
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise PreflightError(
            f"时钟文件 {file} 里应为一个秒数（一百年以内）；请改正，或删除这个文件"
            " (the clock file must hold a number of seconds, within a century; correct or remove it)"
        ) from error


def schema_of(settings: Settings) -> Schema:
    """Compare the database with ``migrations/``. Raises ``PreflightError`` if it cannot be reached."""
    _check_sqlite_file(settings)
    scripts = ScriptDirectory(str(MIGRATIONS))
    with _database(settings) as engine, engine.connect() as connection:
        return _compare(connection, scripts)


@contextmanager
def database_faults(settings: Settings) -> Iterator[None]:
    """Turn what the database refuses, or a lost connection, into one sentence."""
    try:
        yield
    except SQLAlchemyError as error:
        raise PreflightError(
            f"数据库 {_where(settings)} 不可用：{_reason(error, settings)} (the database cannot be used)"
        ) from error


def migrate_database(settings: Settings) -> Path | None:
    """Bring the schema up to the program. A SQLite file with data is copied first; returns the copy."""
    state = schema_of(settings)
    if state in {Schema.NEWER, Schema.FOREIGN}:
        check_schema(settings)
    copy = _copy_sqlite(settings) if state is Schema.OLDER else None
    if state is not Schema.CURRENT:
        from flask_migrate import upgrade

        from app import create_app
        from app.extensions import db

        with database_faults(settings), create_app(settings).app_context():
            upgrade(directory=str(MIGRATIONS))
            db.engine.dispose()
    check_key(settings)
    return copy


def _compare(connection: Connection, scripts: ScriptDirectory) -> Schema:
    found = set(MigrationContext.configure(connection).get_current_heads())
    known = {script.revision for script in scripts.walk_revisions()}
    if not found:
        tables = set(inspect(connection).get_table_names()) - {"alembic_version"}
        return Schema.FOREIGN if tables else Schema.EMPTY
    if not found <= known:
        return Schema.NEWER
    return Schema.CURRENT if found == set(scripts.get_heads()) else Schema.OLDER


@contextmanager
def _database(settings: Settings) -> Iterator[Engine]:
    """An engine of its own, without the application. Raises ``PreflightError`` if the database cannot be reached."""
    address = _address(settings)
    try:
        yield create_engine(address, poolclass=NullPool)
    except SQLAlchemyError as error:
        raise PreflightError(
            f"连不上数据库 {_where(settings)}：{_reason(error, settings)} (the database cannot be reached)"
        ) from error


def _known_key(engine: Engine) -> str | None:
    with engine.connect() as connection:
        value: str | None = connection.scalar(text("SELECT value FROM key_checks WHERE id = 1"))
        return value


def _address(settings: Settings) -> URL:
    try:
        return make_url(settings.database_url)
    except (SQLAlchemyError, ValueError) as error:  # ValueError: the port is no number
        raise PreflightError(
            "SAISHI_DATABASE_URL 的地址读不懂，应为 postgresql://用户:密码@主机/数据库"
            " (the address in SAISHI_DATABASE_URL cannot be read; write postgresql://user:password@host/database)"
        ) from error


def _where(settings: Settings) -> str:
    """The database's address without its password."""
    return _address(settings).render_as_string(hide_password=True)


def _reason(error: SQLAlchemyError, settings: Settings) -> str:
    """The driver's first line, without the password should it repeat one."""
    line = (str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__])[0]
    password = _address(settings).password
    return line.replace(str(password), "***") if password else line


def _check_sqlite_file(settings: Settings) -> None:
    """A SQLite file that is there can be written; its folder is looked at by SQLite itself."""
    file = _sqlite_file(settings)
    try:
        if file is not None:
            file.open("r+b").close()
    except FileNotFoundError:
        return
    except OSError as error:
        raise PreflightError(
            f"数据库文件 {file} 无法写入：{error.strerror} (the database file cannot be written to)"
        ) from error


def _sqlite_file(settings: Settings) -> Path | None:
    url = _address(settings)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _copy_sqlite(settings: Settings) -> Path | None:
    """A copy through SQLite's own backup, which is whole even while others write."""
    source = _sqlite_file(settings)
    if source is None:
        return None
    folder = settings.instance / "backups"
    folder.mkdir(exist_ok=True)
    target = folder / f"before-migration-{clock.now():%Y%m%dT%H%M%SZ}.db"
    with closing(sqlite3.connect(source)) as data, closing(sqlite3.connect(target)) as copy:
        data.backup(copy)
    target.chmod(0o600)
    return target


def _another(port: int) -> int:
    return port + 1 if port < 65535 else 8000

"""What must be right before anything starts (启动检查): each fault is one sentence and exit status 2.

A fault found here costs a reader one line; found by a child process it costs a traceback in a scrolling log.
"""

from __future__ import annotations

import errno
import os
import socket
import sqlite3
from contextlib import closing
from enum import Enum, auto
from pathlib import Path
from typing import NoReturn

import click
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from app import clock
from app.settings import Settings, SettingsError

ROOT = Path(__file__).resolve().parents[2]
MIGRATIONS = ROOT / "migrations"
MANIFEST = ROOT / "app" / "static" / "manifest.json"


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


def read_settings() -> Settings:
    """The settings with their secret key, or the sentence that names the bad one."""
    try:
        settings = Settings.from_environment()
        check_instance(settings.instance)
        return settings.with_secret()
    except (SettingsError, PreflightError) as error:
        stop(error)


def check_start(settings: Settings) -> None:
    """Everything `saishi serve` needs. Migrates an empty database. Raises ``PreflightError``."""
    check_instance(settings.instance)
    check_assets()
    check_port(settings.host, settings.port)
    if schema_of(settings) is Schema.EMPTY:
        migrate_database(settings)
    check_schema(settings)


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


def schema_of(settings: Settings) -> Schema:
    """Compare the database with ``migrations/``. Raises ``PreflightError`` if it cannot be reached."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    try:
        engine = create_engine(settings.database_url, poolclass=NullPool)
        with engine.connect() as connection:
            return _compare(connection, scripts)
    except SQLAlchemyError as error:
        where = make_url(settings.database_url).render_as_string(hide_password=True)
        raise PreflightError(
            f"连不上数据库 {where}：{_reason(error, settings)} (the database cannot be reached)"
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

        with create_app(settings).app_context():
            upgrade(directory=str(MIGRATIONS))
            db.engine.dispose()
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


def _reason(error: SQLAlchemyError, settings: Settings) -> str:
    """The driver's first line, without the password should it repeat one."""
    line = (str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__])[0]
    password = make_url(settings.database_url).password
    return line.replace(str(password), "***") if password else line


def _sqlite_file(settings: Settings) -> Path | None:
    url = make_url(settings.database_url)
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

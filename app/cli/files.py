"""``saishi files``: the keys of the stored files, and whether every file is there and whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import click

from app import clock
from app.actors import SYSTEM
from app.cli import preflight, processes
from app.cli.preflight import PreflightError

UNDER_WAY = timedelta(days=1)
"""An object that is younger may belong to a row that is still being written."""


@contextmanager
def _installed() -> Iterator[None]:
    """The application of this installation; what stops it is one sentence and exit status 2."""
    settings = processes.settings_of_installed_database()
    from app import create_app

    try:
        with (
            create_app(settings).app_context(),
            preflight.database_faults(settings),
            preflight.file_faults(settings),
        ):
            yield
    except PreflightError as error:
        preflight.stop(error)


@click.group("files")
def command() -> None:
    """已存文件：换密钥、核对 (the stored files: rotate their keys, check them)."""


@command.command("rotate")
def rotate() -> None:
    """用 SAISHI_FILE_KEYS 里最新的密钥重新包装每个文件的密钥 (wrap every file's key by the newest key).

    The files themselves are not touched. It can be stopped and begun again at any point. Exit 1 if something is left.
    """
    with _installed():
        from app.commands import command as one_command
        from app.files import store
        from app.uploads.service import keys

        unknown = keys.unknown_keys()
        if unknown:
            raise PreflightError(
                f"有 {sum(unknown.values())} 个文件的密钥不在 SAISHI_FILE_KEYS 里（{'、'.join(unknown)}）；"
                "请先把旧密钥加回去，什么也没有改"
                f" ({sum(unknown.values())} files have a key that is not in SAISHI_FILE_KEYS;"
                " put the old key back; nothing was changed)"
            )
        done, damaged, last_id = 0, 0, 0
        while True:
            with one_command(SYSTEM) as ctx:
                step = keys.rotate(ctx, last_id)
            if step is None:
                break
            done, damaged, last_id = done + step.count, damaged + len(step.damaged), step.last_id
        by_key = keys.rows_by_key()
        newest = store.newest_key_id()
    left = sum(count for key_id, count in by_key.items() if key_id != newest)
    click.echo(
        json.dumps(
            {
                "newest_key": newest,
                "rotated": done,
                "already_newest": by_key.get(newest, 0) - done,
                "damaged": damaged,
                "left": left,
            },
            indent=2,
        )
    )
    if left:
        click.echo(
            f"还有 {left} 个文件用旧密钥，旧密钥请先留着 ({left} files still have an older key: keep that key)",
            err=True,
        )
    raise SystemExit(1 if left else 0)


@command.command("check")
@click.option(
    "--deep", is_flag=True, help="解密每个文件并核对哈希 (decrypt every file and compare its hash)."
)
@click.option("--delete-orphans", is_flag=True, help="删除没有记录的文件 (delete objects without a row).")
def check(deep: bool, delete_orphans: bool) -> None:
    """核对文件与记录：缺少、损坏、多余 (compare files and rows; exit 1 if one is missing, damaged or left over)."""
    with _installed():
        from app.files import store
        from app.uploads.service import keys

        # the store counts by the wall clock, whatever a demonstration's clock says
        before = clock.now() - clock.offset() - UNDER_WAY
        found = keys.check(before, deep=deep)
        deleted = _delete(found.orphans) if delete_orphans else 0
        unfinished = store.discard_unfinished(before) if delete_orphans else 0
    orphans = [] if delete_orphans else found.orphans
    click.echo(
        json.dumps(
            {
                "files": found.files,
                "bytes": found.bytes,
                "deep": deep,
                "unknown_keys": found.unknown_keys,
                "missing": found.missing,
                "damaged": found.damaged,
                "orphans": orphans,
                "deleted_orphans": deleted,
                "deleted_unfinished": unfinished,
            },
            indent=2,
        )
    )
    for sentence in _sentences(sum(found.unknown_keys.values()), found.missing, found.damaged, orphans):
        click.echo(sentence, err=True)
    raise SystemExit(1 if found.unknown_keys or found.missing or found.damaged or orphans else 0)


def _sentences(unknown: int, missing: list[str], damaged: list[str], orphans: list[str]) -> Iterator[str]:
    """What was found, and what to do."""
    if unknown:
        yield (
            f"{unknown} 个文件的密钥不在 SAISHI_FILE_KEYS 里，打不开；请把旧密钥加回去"
            f" ({unknown} files have a key that is not in SAISHI_FILE_KEYS; put the old key back)"
        )
    if missing:
        yield (
            f"{len(missing)} 个文件不在存储里；请从备份恢复 ({len(missing)} files are missing; restore them from a backup)"
        )
    if damaged:
        yield (
            f"{len(damaged)} 个文件已损坏；请从备份恢复 ({len(damaged)} files are damaged; restore them from a backup)"
        )
    if orphans:
        yield (
            f"{len(orphans)} 个文件没有记录，谁也打不开；可用 --delete-orphans 删除"
            f" ({len(orphans)} files have no row, nobody can open them; remove them with --delete-orphans)"
        )


def _delete(orphans: list[str]) -> int:
    from app.commands import command as one_command
    from app.files import store
    from app.uploads import service

    store.delete(orphans)
    with one_command(SYSTEM) as ctx:
        service.record_orphans(ctx, len(orphans))
    return len(orphans)

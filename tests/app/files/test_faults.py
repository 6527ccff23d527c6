"""A store that is down, slow or refuses: one kind of error, in bounded time, and nothing personal in the log."""

from __future__ import annotations

import http.server
import os
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from structlog.testing import capture_logs

from app.files import store
from app.settings import Settings
from tests import services
from tests.conftest import make_settings

BOUND = 60.0
"""Seconds within which a call has to end; far more than its patience, which two busy cores may stretch."""

IMPATIENT = store.Patience(connect=1, request=1, retries=1, all_tries=3)
SEALED = store.Sealed("ids/zhang-san", "", "", 5, "")
ACTS: dict[str, Callable[[store.Sealed], Any]] = {
    "write": lambda _: store.write(SEALED.key, [b"content-of-a-card"]),
    "write much": lambda _: store.write(SEALED.key, [b"content-of-a-card" * 400_000] * 2),
    "read": lambda sealed: list(store.read(sealed)),
    "delete": lambda _: store.delete([SEALED.key]),
    "keys": lambda _: list(store.keys()),
    "check": lambda _: store.check(store._State.settings, IMPATIENT),
}


def at(address: str, tmp_path: Path, bucket: str = "files") -> Settings:
    return make_settings(
        tmp_path, "", storage_url=f"s3://tester:made-up-password@{bucket}/a?endpoint={address}"
    )


@contextmanager
def silent() -> Iterator[str]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def dripping() -> Iterator[str]:
    """Begins an answer that never ends."""
    ended = threading.Event()

    class Drip(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            try:
                while not ended.wait(0.1):
                    self.wfile.write(b"<")
                    self.wfile.flush()
            except OSError:
                self.close_connection = True

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815 - the library's names

        def log_message(self, *_: Any) -> None:
            pass

    with running(Drip) as address:
        yield address
        ended.set()


@contextmanager
def failing() -> Iterator[str]:
    """Answers 500 to everything."""

    class Fail(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(500)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815 - as above

        def log_message(self, *_: Any) -> None:
            pass

    with running(Fail) as address:
        yield address


@contextmanager
def nobody() -> Iterator[str]:
    yield f"http://127.0.0.1:{services.free_port()}"


@contextmanager
def running(handler: type[http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(BOUND)


@pytest.mark.parametrize("server", [nobody, silent, dripping, failing], ids=lambda server: server.__name__)
def test_a_store_that_does_not_answer_is_down_within_bounded_time(
    server: Callable[[], Any], tmp_path: Path, own_store: None, caplog: pytest.LogCaptureFixture
) -> None:
    with server() as address, capture_logs() as said, ThreadPoolExecutor(len(ACTS)) as pool:
        store.configure(at(address, tmp_path), IMPATIENT)
        wrapped_key, key_id = store._keys().wrap(bytes(32))
        sealed = store.Sealed(SEALED.key, wrapped_key, key_id, 5, "")
        calls = {name: pool.submit(act, sealed) for name, act in ACTS.items()}
        for name, call in calls.items():
            error = call.exception(BOUND)
            assert isinstance(error, store.StoreDownError), name
            assert error.fault is store.Fault.UNREACHABLE
            assert error.__cause__ is None
            assert error.__suppress_context__
    lines = f"{said}{caplog.text}"
    assert "file_store_down" in lines
    for hidden in ("zhang", "content-of-a-card", "made-up-password", "tester"):
        assert hidden not in lines


class Unsteady(http.server.BaseHTTPRequestHandler):
    """Passes every other request on to a real server, and answers 503 to the rest."""

    behind: ClassVar[services.Moto]
    seen: ClassVar[list[str]] = []

    def answer(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.seen.append(self.command)
        if len(self.seen) % 2:
            status, headers, body = 503, {}, b""
        else:
            answer = httpx.request(
                self.command,
                self.behind.address + self.path,
                content=content,
                headers={name: value for name, value in self.headers.items() if name.lower() != "host"},
                timeout=BOUND,
                trust_env=False,
            )
            status, body = answer.status_code, answer.content
            headers = {
                name: value
                for name, value in answer.headers.items()
                if name in {"etag", "last-modified", "content-range", "content-type"}
            }
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_POST = do_DELETE = answer  # noqa: N815 - as above

    def log_message(self, *_: Any) -> None:
        pass


def test_a_store_that_fails_now_and_then_is_asked_again(
    moto: services.Moto, tmp_path: Path, own_store: None
) -> None:
    Unsteady.behind = moto
    Unsteady.seen.clear()
    with running(Unsteady) as address:
        store.configure(at(address, tmp_path, moto.new_bucket()), store.Patience())
        sealed = store.write("a/file", [bytes(3_000_000)] * 4)
        assert b"".join(store.read(sealed)) == bytes(12_000_000)
        assert set(dict(store.keys())) == {"a/file"}
        store.delete(["a/file"])
        assert list(store.keys()) == []
    assert len(Unsteady.seen) > 8


class Listening(http.server.BaseHTTPRequestHandler):
    """Notes who asks for what, and has nothing."""

    heard: ClassVar[list[tuple[str, str]]] = []

    def answer(self) -> None:
        self.heard.append((self.path, self.headers.get("Authorization", "")))
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PUT = answer  # noqa: N815 - as above

    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize(("account", "wanted"), [("", "from-environment"), ("from-url:p%2Fw@", "from-url")])
def test_the_account_is_the_address_s_or_else_the_environment_s_and_the_bucket_stands_in_the_path(
    account: str, wanted: str, tmp_path: Path, own_store: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "from-environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "made-up")
    Listening.heard.clear()
    with running(Listening) as address:
        url = f"s3://{account}files/a/b?endpoint={address}&region=cn-north-1"
        store.configure(make_settings(tmp_path, "", storage_url=url), IMPATIENT)
        wrapped_key, key_id = store._keys().wrap(bytes(32))
        with pytest.raises(store.FileMissingError):
            store.read(store.Sealed("c/file", wrapped_key, key_id, 5, ""))
    ((path, authorization),) = Listening.heard
    assert path == "/files/a/b/c/file"
    assert f"Credential={wanted}/" in authorization
    assert "/cn-north-1/s3/" in authorization


def test_a_store_without_an_account_says_so(
    tmp_path: Path, own_store: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    nowhere = f"http://127.0.0.1:{services.free_port()}"
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", nowhere)  # where a machine in a cloud learns its own account
    settings = make_settings(tmp_path, "", storage_url=f"s3://files?endpoint={nowhere}")
    with pytest.raises(store.StoreDownError) as caught:
        store.check(settings, IMPATIENT)
    assert caught.value.fault is store.Fault.CREDENTIALS


@pytest.mark.parametrize("act", ACTS)
def test_a_bucket_that_does_not_exist_is_not_a_missing_file(
    act: str, moto: services.Moto, tmp_path: Path, own_store: None
) -> None:
    store.configure(at(moto.address, tmp_path, "no-such-bucket"), IMPATIENT)
    wrapped_key, key_id = store._keys().wrap(bytes(32))
    with pytest.raises(store.StoreDownError) as caught:
        ACTS[act](store.Sealed(SEALED.key, wrapped_key, key_id, 5, ""))
    assert caught.value.fault is store.Fault.BUCKET


@pytest.mark.parametrize("act", ACTS)
def test_a_folder_that_is_gone_is_not_a_missing_file(act: str, tmp_path: Path, own_store: None) -> None:
    store.configure(make_settings(tmp_path, ""))
    sealed = store.write(SEALED.key, [b"12345"])
    (tmp_path / "files").rename(tmp_path / "away")
    (tmp_path / "files").touch()
    with pytest.raises(store.StoreDownError) as caught:
        ACTS[act](sealed)
    assert caught.value.fault is store.Fault.UNWRITABLE
    (tmp_path / "files").unlink()
    (tmp_path / "away").rename(tmp_path / "files")
    assert b"".join(store.read(sealed)) == b"12345"


@pytest.mark.parametrize("act", ["read", "keys", "delete"])
def test_a_folder_that_was_taken_away_is_down_and_its_files_are_not_called_missing(
    act: str, tmp_path: Path, own_store: None
) -> None:
    store.configure(make_settings(tmp_path, ""))
    sealed = store.write(SEALED.key, [b"12345"])
    (tmp_path / "files").rename(tmp_path / "away")
    with pytest.raises(store.StoreDownError):
        ACTS[act](sealed)


def test_a_folder_that_cannot_be_made_is_down_and_works_once_it_can(tmp_path: Path, own_store: None) -> None:
    (tmp_path / "files").touch()
    store.configure(make_settings(tmp_path, ""))
    with pytest.raises(store.StoreDownError) as caught:
        store.write("a/file", [b"x"])
    assert caught.value.fault is store.Fault.UNWRITABLE
    (tmp_path / "files").unlink()
    store.write("a/file", [b"x"])


def test_the_folder_is_for_this_user_alone(tmp_path: Path, own_store: None) -> None:
    store.configure(make_settings(tmp_path / "data", ""))
    store.write("a/file", [b"x"])
    assert (tmp_path / "data" / "files").stat().st_mode & 0o777 == 0o700


def test_a_full_disk_is_named_and_keeps_nothing(
    tmp_path: Path, own_store: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    store.configure(make_settings(tmp_path, ""))
    monkeypatch.setattr("app.files.places.os.fsync", full)
    with pytest.raises(store.StoreDownError) as caught:
        store.write("a/file", [b"x"])
    assert caught.value.fault is store.Fault.FULL
    assert list(store.keys()) == []

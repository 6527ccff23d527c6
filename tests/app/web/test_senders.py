"""Slow senders hold up neither readers nor each other; what they send arrives as it was."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.cli.processes import WEB_READING, WEB_WORKING
from app.web.senders import FORMS, OTHERS, Senders
from tests import services

PIECE = "/c/beach/uploads/token"


class Body(io.BytesIO):
    """A body whose end comes once ``arrive`` is set."""

    def __init__(self, content: bytes, arrive: threading.Event | None = None) -> None:
        super().__init__(content)
        self.arrive, self.begun = arrive, threading.Event()

    def read(self, size: int | None = -1, /) -> bytes:
        self.begun.set()
        if self.arrive is not None:
            assert self.arrive.wait(30)
        return super().read(size)


def application(environ: Any, start_response: Any) -> Iterable[bytes]:
    content = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(len(content)).encode(), content[:3]]


def ask(served: Senders, body: Body | None = None, path: str = PIECE, length: str | None = None) -> Any:
    said: list[str] = []
    content = body if body is not None else Body(b"")
    announced = str(len(content.getbuffer())) if length is None else length
    environ = {"PATH_INFO": path, "CONTENT_LENGTH": announced, "wsgi.input": content}
    answer = served(environ, lambda status, headers: said.extend([status, str(dict(headers))]))  # type: ignore[arg-type,return-value]
    return said[0], b"".join(answer), said[1]


def test_what_is_sent_arrives_whole_also_where_it_is_longer_than_memory_takes() -> None:
    served = Senders(application, reading=1, working=1)
    for size in (1, 70_000, 2_500_000):
        assert ask(served, Body(b"abc" * size))[:2] == ("200 OK", str(3 * size).encode() + b"abc")
    assert ask(served)[1] == b"0"


def test_while_senders_are_slow_others_read_and_one_too_many_is_told_to_come_again() -> None:
    served, arrive = Senders(application, reading=2, working=1), threading.Event()
    slow = [Body(b"x" * 10, arrive) for _ in range(2)]
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda body=body: answers.append(ask(served, body))) for body in slow]
    for thread in threads:
        thread.start()
    for body in slow:
        assert body.begun.wait(30)
    assert ask(served)[0] == "200 OK"
    status, said, headers = ask(served, Body(b"more"))
    assert status == "503 Service Unavailable"
    assert "稍后再试" in said.decode()
    assert "'Retry-After': '2'" in headers
    arrive.set()
    for thread in threads:
        thread.join(30)
    assert [answer[0] for answer in answers] == ["200 OK"] * 2
    assert ask(served, Body(b"more"))[0] == "200 OK", "their places are free again"


@pytest.mark.parametrize(
    ("path", "length"), [("/sign-in", OTHERS + 1), (PIECE, FORMS + 1), (PIECE, 10**20), (PIECE, -1)]
)
def test_a_body_longer_than_anything_may_be_is_left_for_the_program_to_refuse(path: str, length: int) -> None:
    """It says so by the announced length; reading it first would only fill a disk."""
    read = Body(b"")

    def refusing(environ: Any, start_response: Any) -> Iterable[bytes]:
        assert environ["wsgi.input"] is read
        start_response("413 Content Too Large", [])
        return []

    assert ask(Senders(refusing, reading=1, working=1), read, path, str(length))[0] == "413 Content Too Large"
    assert not read.begun.is_set()


def test_a_sender_who_goes_away_gives_his_place_back() -> None:
    class Gone(Body):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError("connection lost")

    served = Senders(application, reading=1, working=1)
    with pytest.raises(OSError, match="connection lost"):
        ask(served, Gone(b"xxx"))
    assert ask(served, Body(b"abc"))[0] == "200 OK"


@pytest.mark.parametrize("senders", [3 * WEB_WORKING, WEB_READING + 20])
def test_a_real_process_answers_readers_while_many_phones_send_slowly(senders: int, tmp_path: Path) -> None:
    """Four of them held it up, without nginx in front: each of its four threads waited for one."""
    environment = services.environment(tmp_path / "instance")
    services.migrate(environment)
    with services.web(environment) as url, ExitStack() as stack:
        place = httpx.URL(url)
        for _ in range(senders):
            phone = stack.enter_context(socket.create_connection((place.host, place.port or 80)))
            phone.sendall(b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nphone=1")
        for _ in range(5):
            assert httpx.get(f"{url}/healthz", timeout=60, trust_env=False).status_code == 200
        if senders > WEB_READING:
            refused = httpx.post(f"{url}/sign-in", data={"phone": "1"}, timeout=60, trust_env=False)
            assert (refused.status_code, refused.headers["Retry-After"]) == (503, "2")

"""A rehearsal whose many users come from one address: the site lets in only so many a minute, and it waits as it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from app.cli.rehearsal import AT_THE_DOOR, Api, RehearsalStoppedError

Answer = tuple[int, dict[str, str]]


@pytest.fixture
def site() -> Iterator[Callable[..., tuple[Api, list[str]]]]:
    """A site that gives these answers one after another, and what it was asked."""
    servers = []

    def answering(*answers: Answer) -> tuple[Api, list[str]]:
        left, asked = list(answers), []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
                status, headers = left.pop(0)
                body = b'{"detail": "later"}'
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return Api(f"http://127.0.0.1:{server.server_port}"), asked

    yield answering
    for server in servers:
        server.shutdown()
        server.server_close()


def test_it_waits_as_long_as_the_site_says_and_asks_the_same_again(site: Any) -> None:
    api, asked = site((429, {"Retry-After": "1"}), (429, {"Retry-After": "0"}), (200, {}))
    assert api.post("/sign-in/codes", phone="1") == {"detail": "later"}
    assert asked == ['{"phone": "1"}'] * 3


@pytest.mark.parametrize(
    "answer",
    [
        (429, {}),
        (429, {"Retry-After": str(int(AT_THE_DOOR) + 1)}),
        (429, {"Retry-After": "Tue, 01 Dec 2026 00:00:00 GMT"}),
        (409, {"Retry-After": "1"}),
    ],
)
def test_it_does_not_wait_for_what_no_time_mends(site: Any, answer: Answer) -> None:
    api, asked = site(answer)
    with pytest.raises(RehearsalStoppedError, match="later") as stopped:
        api.post("/sign-in/codes", phone="1")
    assert stopped.value.status == answer[0]
    assert len(asked) == 1

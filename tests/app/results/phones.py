"""A hall with a server of its own, and referees' phones in it that lose the network, are closed and opened again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask
from flask_login.utils import encode_cookie
from playwright.sync_api import Browser, BrowserContext, Page, Worker, expect
from werkzeug.serving import make_server

from app.actors import Actor
from tests.chromium import ARGUMENTS

PHONE = {"width": 360, "height": 740}
ARRIVES = 20_000.0
"""Milliseconds in which what was typed has to arrive; longer than the first waits between two tries."""


@dataclass
class Hall:
    """The program behind a real address of this machine, where browsers allow service workers."""

    app: Flask
    url: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)
    sent: int = 0
    """Bytes of all answers' bodies."""

    out: set[str] = field(default_factory=set)
    """The phones, by the end of their user agent, whose every connection breaks off."""

    fail_posts: bool = False
    """Whether the gateway in front says that the server is away."""

    worker: Callable[[str], str] | None = None
    """What becomes of the worker's text, as if it were of another build."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("HTTP_USER_AGENT", "").rsplit(" ", 1)[-1] in self.out:
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            raise ConnectionAbortedError
        self.requests.append((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        if self.fail_posts and environ["REQUEST_METHOD"] == "POST":
            start_response("503 Service Unavailable", [("Content-Type", "text/plain")])
            return [b"away"]
        if self.worker and environ["PATH_INFO"] == "/table-worker.js":
            environ.pop("HTTP_IF_NONE_MATCH", None)
            environ.pop("HTTP_IF_MODIFIED_SINCE", None)
            text = self.worker(self.app.test_client().get("/table-worker.js").text)
            start_response("200 OK", [("Content-Type", "text/javascript"), ("Cache-Control", "no-cache")])
            return [text.encode()]
        answer = self.app(environ, start_response)
        body = b"".join(answer)
        answer.close()  # type: ignore[attr-defined]  # werkzeug's answers have it, as WSGI says
        self.sent += len(body)
        return [body]

    def posts(self, path: str) -> int:
        return sum(each == ("POST", path) for each in self.requests)

    def cookie(self, person: Actor) -> str:
        """What signing in leaves in a browser for thirty days."""
        with self.app.app_context():
            return str(encode_cookie(str(person.user_id)))


@contextmanager
def opened_hall(app: Flask) -> Iterator[Hall]:
    hall = Hall(app)
    server = make_server("127.0.0.1", 0, hall, threaded=True)
    hall.url = f"http://127.0.0.1:{server.port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hall
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


class Network(Protocol):
    """What a phone is connected to."""

    url: str
    out: set[str]

    def cookie(self, person: Any) -> str: ...


class Phone:
    """A phone of one person: what it keeps outlives its browser."""

    def __init__(self, chromium: Browser, hall: Network, folder: Path, person: Any) -> None:
        self.chromium, self.hall, self.folder = chromium, hall, folder
        self.name = f"{folder.name}/1"
        self.faults: list[str] = []
        self.context = self._start()
        if person is not None:
            self.sign_in(person)

    def _start(self) -> BrowserContext:
        self.context = self.chromium.browser_type.launch_persistent_context(
            self.folder,
            executable_path=program(),
            args=[*ARGUMENTS, f"--user-agent=Mozilla/5.0 Chrome/140.0 {self.name}"],
            viewport=PHONE,
            locale="zh-CN",
        )
        self.page: Page = self.context.pages[0]
        self._watch(self.page)
        return self.context

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "console", lambda told: self.faults.append(told.text) if "Content Security" in told.text else None
        )

    def sign_in(self, person: Any) -> None:
        value = self.hall.cookie(person)
        self.context.clear_cookies()
        self.context.add_cookies(
            [{"name": "remember_token", "value": value, "url": self.hall.url, "expires": 4_000_000_000}]
        )

    def open(self, path: str) -> Page:
        self.page.goto(self.hall.url + path)
        return self.page

    def kept(self) -> None:
        """Waits until the page says that it opens without a network."""
        expect(self.page.locator("[data-kept]")).to_contain_text("没有网络也能打开", timeout=ARRIVES)

    def offline(self, *, off: bool = True) -> None:
        """The network goes, or comes back. The browser is told; a worker that starts later is not, so connections break off too."""
        (self.hall.out.add if off else self.hall.out.discard)(self.name)
        self.context.set_offline(off)

    def restart(self, *, offline: bool) -> Page:
        """The browser is closed and started again, in a hall with or without a network."""
        self.context.close()
        self._start()
        self.offline(off=offline)
        return self.page

    def close(self) -> None:
        self.context.close()
        assert self.faults == []

    @property
    def worker(self) -> Worker:
        (worker,) = self.context.service_workers
        return worker

    def state(self, text: str) -> None:
        """Waits until the page says so; what the server wrote of it counts only once the phone knows what waits here."""
        expect(self.page.locator("[data-sheet-problems][data-shown]")).to_have_count(1, timeout=ARRIVES)
        expect(self.page.locator("[data-sheet-state]")).to_have_text(text, timeout=ARRIVES)


def program() -> str:
    from shutil import which

    from tests.chromium import NAMES

    return next(filter(None, map(which, NAMES)))


NewPhone = Callable[..., Phone]
Made = Any

"""A real IMAP server (pymap) for tests, and a door in front of it that can be slow, or fall shut in the middle of a message."""

from __future__ import annotations

import imaplib
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.services import free_port, program

USER = "office@saishi.example.cn"
PASSWORD = "made-up pass/word"


@dataclass
class Imap:
    """A running server with one mailbox."""

    port: int
    tls: bool = False

    def url(
        self,
        folder: str = "INBOX",
        *,
        port: int = 0,
        password: str = PASSWORD,
        scheme: str = "imap",
        host: str = "127.0.0.1",
    ) -> str:
        """What to set as ``SAISHI_IMAP_URL``."""
        secret = password.replace("/", "%2F").replace(" ", "%20")
        return f"{scheme}://{USER.replace('@', '%40')}:{secret}@{host}:{port or self.port}/{folder}"

    @contextmanager
    def client(self, folder: str | None = None) -> Iterator[imaplib.IMAP4]:
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=20)
        try:
            client.login(USER, PASSWORD)
            if folder is not None:
                assert client.select(folder)[0] == "OK"
            yield client
        finally:
            with suppress(Exception):
                client.logout()

    def create(self, folder: str) -> None:
        with self.client() as client:
            assert client.create(folder)[0] == "OK"

    def empty(self) -> None:
        """Delete every message and every folder but INBOX."""
        with self.client("INBOX") as client:
            if client.search(None, "ALL")[1][0]:
                client.store("1:*", "+FLAGS", r"(\Deleted)")
                client.expunge()
            for line in client.list()[1]:
                name = line.decode().split()[-1].strip('"')
                if name.upper() != "INBOX":
                    client.delete(name)

    def put(self, *messages: bytes, folder: str = "INBOX", at: str = "") -> None:
        """Deliver messages. ``at``: when they came, as IMAP writes it (``05-Nov-2021 23:59:59 +0800``); now, where it is left out."""
        with self.client() as client:
            for message in messages:
                client.literal = message.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
                assert client._simple_command("APPEND", folder, *([f'"{at}"'] if at else []))[0] == "OK"

    def subjects(self, folder: str = "INBOX") -> list[str]:
        """The subjects of what lies in a folder; empty where there is none."""
        with self.client() as client:
            if client.select(folder)[0] != "OK":
                return []
            numbers = client.search(None, "ALL")[1][0].split()
            lines = [client.fetch(n, "(BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1][0][1] for n in numbers]
            return [line.decode().partition(":")[2].strip() for line in lines]

    def unseen(self, folder: str = "INBOX") -> int:
        with self.client(folder) as client:
            return len(client.search(None, "UNSEEN")[1][0].split())

    def delete(self, uid: int, folder: str = "INBOX") -> None:
        with self.client(folder) as client:
            client.uid("STORE", str(uid), "+FLAGS", r"(\Deleted)")
            client.expunge()


@contextmanager
def imap_server(certificate: tuple[Path, Path] | None = None) -> Iterator[Imap]:
    """pymap with everything in its memory, in a process of its own. ``certificate``: file and key, for STARTTLS."""
    port = free_port()
    argv = [
        *(sys.executable, "-W", "ignore", "-c", "from pymap.main import main; main()"),
        *("--host", "127.0.0.1", "--port", str(port), "--no-service", "admin", "--no-service", "managesieve"),
        *(("--cert", str(certificate[0]), "--key", str(certificate[1])) if certificate else ("--no-tls",)),
        *("dict", "--demo-user", USER, "--demo-password", PASSWORD),
    ]
    with program(*argv) as running:

        def answers() -> bool:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as trial:
                return trial.recv(100).startswith(b"* OK")
            return False

        running.wait_until(answers, what="the IMAP server answers")
        yield Imap(port, certificate is not None)


@dataclass
class Door:
    """A way to the server for one client after the other. ``cut_after``: bytes of answers, then the connection is lost.

    ``pause``: seconds before each answer is let through; ``silent_after``: bytes of answers, then nothing comes any more. ``context``: it
    speaks TLS from the first byte, as port 993 does.
    """

    target: int
    cut_after: int | None = None
    silent_after: int | None = None
    pause: float = 0.0
    port: int = 0
    context: ssl.SSLContext | None = None
    _open: list[socket.socket] = field(default_factory=list)

    def serve(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                here, _ = listener.accept()
                if self.context is not None:
                    try:
                        here = self.context.wrap_socket(here, server_side=True)
                    except OSError:  # who called does not trust us
                        here.close()
                        continue
                there = socket.create_connection(("127.0.0.1", self.target))
                self._open += [here, there]
                threading.Thread(target=self._copy, args=(here, there, False), daemon=True).start()
                threading.Thread(target=self._copy, args=(there, here, True), daemon=True).start()

    def _copy(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        passed = 0
        with suppress(OSError):
            while data := source.recv(4096):
                if answers:
                    time.sleep(self.pause)
                    if self.silent_after is not None and passed + len(data) > self.silent_after:
                        continue
                    if self.cut_after is not None and passed + len(data) > self.cut_after:
                        sink.sendall(data[: max(0, self.cut_after - passed)])
                        break
                passed += len(data)
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for each in self._open:
            with suppress(OSError):
                each.close()


@contextmanager
def door(server: Imap, **manners: float | ssl.SSLContext | None) -> Iterator[Door]:
    """A door to ``server`` with its manners."""
    listener = socket.create_server(("127.0.0.1", 0))
    with closing(listener):
        made = Door(server.port, **manners, port=listener.getsockname()[1])  # type: ignore[arg-type]  # each manner is of its field's type
        threading.Thread(target=made.serve, args=(listener,), daemon=True).start()
        yield made
        made.close()

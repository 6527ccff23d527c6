"""The network of a hall between one phone and a running instance: it breaks off, and comes back."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

CHUNK = 65536


class Network:
    """Passes bytes on at an address of its own while nobody is in ``out``; else every connection breaks off."""

    def __init__(self, url: str) -> None:
        self._to = (urlsplit(url).hostname, urlsplit(url).port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.out: set[str] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cookie(self, person: Any) -> str:
        """People are known here by what signing in left in their browsers."""
        return str(person)

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                phone, _address = self._listener.accept()
            except OSError:
                return  # closed
            if self.out:
                phone.close()
                continue
            server = socket.create_connection(self._to)
            for source, target in ((phone, server), (server, phone)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while (piece := source.recv(CHUNK)) and not self.out:
                target.sendall(piece)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@contextmanager
def network(url: str) -> Iterator[Network]:
    opened = Network(url)
    try:
        yield opened
    finally:
        opened.close()

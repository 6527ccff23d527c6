"""A delivery ends in time, however slowly the other side keeps answering: then its connection is cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Timekeeper:
    """Cuts what it watches once ``seconds`` are over; ``over`` says so. To be entered once, around a whole delivery."""

    def __init__(self, seconds: float) -> None:
        self._lock = threading.Lock()
        self._watched: list[socket.socket] = []
        self.over = False
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def connect(self, host: str, port: int, patience: float) -> socket.socket:
        """A watched connection to the first address of ``host`` that answers within ``patience`` seconds. Raises ``OSError``."""
        refused: OSError | None = None
        for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            self.check()
            made = socket.socket(family, kind, protocol)
            try:
                made.settimeout(patience)
                self.watch(made)
                made.connect(address)
            except OSError as error:
                made.close()
                refused = error
            else:
                return made
        self.check()
        raise refused or OSError("no address")

    def watch(self, connection: socket.socket) -> None:
        """Cut this connection too: a copy of it is kept, for TLS takes the original away during its handshake."""
        with self._lock:
            self._watched.append(connection.dup())
            if self.over:
                self._shut()

    def check(self) -> None:
        """Raises ``TimeoutError`` once the time is over."""
        if self.over:
            raise TimeoutError

    def _cut(self) -> None:
        with self._lock:
            self.over = True
            self._shut()

    def _shut(self) -> None:
        for each in self._watched:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Timekeeper:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            for each in self._watched:
                each.close()
            self._watched.clear()

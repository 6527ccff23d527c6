"""One process that keeps the others (总管): starts them, names their log lines, restarts and stops them.

No threads: the children's output, their deaths and the signals are looked at in one loop, so a child can be
forked at any moment without a lock held elsewhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, BinaryIO

TICK = 0.1
"""Seconds between two looks at the children when nothing is written."""

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class ChildCommand:
    """What one child runs and what its log lines are called."""

    name: str
    argv: Sequence[str]
    environment: Mapping[str, str] | None = None
    folder: Path | None = None
    needed: bool = (
        True  # nothing is worth running without it; one that is not needed is tried again and again
    )


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the supervisor waits for what."""

    stop: float = 8.0  # between "please stop" and killing; the Celery worker looks at the request every 2 s
    deaths: int = 3  # this many deaths of one child …
    within: float = 30.0  # … in this many seconds are not worth another start
    back_off: tuple[float, ...] = (0.5, 2.0)  # before the first and the second new start
    retry: tuple[float, ...] = (
        0.5,
        2.0,
        5.0,
        10.0,
        20.0,
        40.0,
        60.0,
    )  # the same for a child that is not needed
    start: float = 60.0  # until a child that does not answer is mentioned


@dataclass(slots=True)
class _Child:
    command: ChildCommand
    process: subprocess.Popen[bytes] | None = None
    rest: bytes = b""  # the unfinished last line
    deaths: list[float] = field(default_factory=list)
    started_at: float = 0.0
    short_lives: int = 0  # one after the other, of a child that is not needed
    start_at: float | None = 0.0  # when to start (again); None while it runs


class Supervisor:
    """Runs ``commands`` until a signal, or until one that is needed cannot be kept alive.

    ``ready`` is asked until it says yes; then ``announce`` is called, once.
    """

    def __init__(
        self,
        commands: Sequence[ChildCommand],
        *,
        ready: Callable[[], bool] = lambda: True,
        announce: Callable[[], None] = lambda: None,
        patience: Patience = Patience(),
        output: IO[str] | None = None,
    ) -> None:
        self._children = [_Child(command) for command in commands]
        self._ready: Callable[[], bool] | None = ready
        self._announce = announce
        self._patience = patience
        self._output = output or sys.stdout
        self._width = max(len(command.name) for command in commands) + 3
        self._selector = selectors.DefaultSelector()
        self._signals = 0
        self._verdict = ""

    def run(self) -> int:
        """Exit status: 0 after a signal, 1 when a needed child could not be kept alive."""
        previous = {number: signal.signal(number, self._on_signal) for number in _stop_signals()}
        try:
            return self._watch()
        finally:
            self._stop()
            self._selector.close()
            if self._verdict:  # last, so that it stays in sight
                self._say("saishi", self._verdict)
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _watch(self) -> int:
        overdue_at = time.monotonic() + self._patience.start
        while not self._signals:
            now = time.monotonic()
            for child in self._children:
                if child.start_at is not None and child.start_at <= now and not self._start(child):
                    return 1
            self._pass_on_output(TICK)
            for child in self._children:
                if child.process is not None and child.process.poll() is not None and not self._bury(child):
                    return 1
            if self._ready is not None:
                if self._ready():
                    self._ready = None
                    with contextlib.suppress(BrokenPipeError):
                        self._announce()
                elif time.monotonic() > overdue_at:
                    overdue_at = float("inf")
                    self._say(
                        "saishi",
                        f"启动已超过 {self._patience.start:.0f} 秒，仍在等待；请看上面的日志 (still waiting; see the log)",
                    )
        return 0

    def _start(self, child: _Child) -> bool:
        """Start ``child``; False if it cannot be started and will not be tried again."""
        child.start_at = None
        child.started_at = time.monotonic()
        child.rest = b""
        environment = {**os.environ, **(child.command.environment or {}), "PYTHONUNBUFFERED": "1"}
        try:
            # A session of its own: Ctrl-C in the terminal reaches only the supervisor, which then stops the children
            # in order, and a child's own children can be killed with it.
            child.process = subprocess.Popen(
                list(child.command.argv),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=child.command.folder,
                start_new_session=True,
                preexec_fn=_end_with_parent(os.getpid()),  # noqa: PLW1509 - this process has no threads
            )
        except OSError as error:
            reason = error.strerror or type(error).__name__
            return self._note_death(child, (f"无法启动：{reason}", f"cannot be started: {reason}"))
        assert child.process.stdout is not None
        os.set_blocking(child.process.stdout.fileno(), False)
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)
        return True

    def _bury(self, child: _Child) -> bool:
        """Take leave of a child that ended by itself; False if it will not be started again."""
        process = child.process
        assert process is not None
        self._kill_session(process)
        self._drain(child)
        child.process = None
        return self._note_death(child, _how_it_ended(process.returncode))

    def _note_death(self, child: _Child, how: tuple[str, str]) -> bool:
        """Plan the next start; False after too many deaths of a needed child, said in one sentence."""
        now = time.monotonic()
        if not child.command.needed:
            self._try_later(child, how, now)
            return True
        child.deaths = [at for at in child.deaths if now - at < self._patience.within] + [now]
        name = child.command.name
        if len(child.deaths) >= self._patience.deaths:
            self._verdict = (
                f"{name} 在 {self._patience.within:.0f} 秒内退出了 {len(child.deaths)} 次（{how[0]}），已全部停止；原因见上面 [{name}] 的日志。"
                f" ({name} ended {len(child.deaths)} times within {self._patience.within:.0f} s, {how[1]};"
                f" everything is stopped, its log lines above say why)"
            )
            return False
        pause = self._patience.back_off[min(len(child.deaths), len(self._patience.back_off)) - 1]
        self._say(
            "saishi",
            f"{name} 退出（{how[0]}），{pause:g} 秒后重新启动 ({name} ended, {how[1]}; starting it again)",
        )
        child.start_at = now + pause
        return True

    def _try_later(self, child: _Child, how: tuple[str, str], now: float) -> None:
        """The site goes on without this child: pause a little longer after each short life."""
        lasted = now - child.started_at >= self._patience.within
        child.short_lives = 1 if lasted else child.short_lives + 1
        pause = self._patience.retry[min(child.short_lives, len(self._patience.retry)) - 1]
        name = child.command.name
        self._say(
            "saishi",
            f"{name} 退出（{how[0]}），{pause:g} 秒后重新启动，网站照常"
            f" ({name} ended, {how[1]}; starting it again in {pause:g} s, the site goes on)",
        )
        child.start_at = now + pause

    def _stop(self) -> None:
        """Ask every child to stop, wait, kill what is left. A second signal ends the waiting."""
        running = [child for child in self._children if child.process is not None]
        for child in running:
            assert child.process is not None
            child.process.terminate()
        signals_before = self._signals
        deadline = time.monotonic() + self._patience.stop
        while any(child.process.poll() is None for child in running if child.process is not None):
            if time.monotonic() > deadline or self._signals > max(signals_before, 1):
                names = ", ".join(
                    c.command.name for c in running if c.process is not None and c.process.poll() is None
                )
                self._say("saishi", f"强制结束 {names} (killing it: it did not stop)")
                break
            self._pass_on_output(TICK)
        for child in running:
            assert child.process is not None
            self._kill_session(child.process)
            child.process.wait()
            self._drain(child)
            child.process = None

    @staticmethod
    def _kill_session(process: subprocess.Popen[bytes]) -> None:
        """Kill the child and whatever it started and left behind."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)

    def _pass_on_output(self, wait: float) -> None:
        if not self._selector.get_map():
            time.sleep(wait)
            return
        for key, _ in self._selector.select(wait):
            self._read(key.data, key.fileobj)  # type: ignore[arg-type]  # always the pipe registered in _start

    def _read(self, child: _Child, pipe: BinaryIO) -> bool:
        """Pass on what the pipe holds; False if there was nothing to read."""
        try:
            piece = os.read(pipe.fileno(), 65536)
        except BlockingIOError:
            return False
        if not piece:
            self._close(pipe)
            return False
        lines = (child.rest + piece).split(b"\n")
        child.rest = lines.pop()
        for line in lines:
            self._say(child.command.name, line.decode("utf-8", "replace").rstrip("\r"))
        return True

    def _drain(self, child: _Child) -> None:
        """Pass on what an ended child left in its pipe, with its unfinished last line."""
        assert child.process is not None
        pipe = child.process.stdout
        if pipe is not None and not pipe.closed:
            while self._read(child, pipe):  # type: ignore[arg-type]  # Popen without text mode gives bytes
                pass
            if not pipe.closed:  # something outside the session still holds the other end
                self._close(pipe)  # type: ignore[arg-type]  # as above
        if child.rest:
            self._say(child.command.name, child.rest.decode("utf-8", "replace"))
            child.rest = b""

    def _close(self, pipe: BinaryIO) -> None:
        self._selector.unregister(pipe)
        pipe.close()

    def _say(self, name: str, line: str) -> None:
        # A reader that went away (`saishi serve | head`) must not take the site down with it.
        with contextlib.suppress(OSError, ValueError):
            self._output.write(f"[{name}]".ljust(self._width) + line + "\n")
            self._output.flush()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1


def _stop_signals() -> tuple[signal.Signals, ...]:
    return (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _end_with_parent(parent: int) -> Callable[[], None] | None:
    """On Linux: let the kernel stop the child when the supervisor dies without a chance to do it."""
    if _LIBC is None:
        return None

    def ask_the_kernel() -> None:
        assert _LIBC is not None
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)

    return ask_the_kernel


def _how_it_ended(status: int) -> tuple[str, str]:
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = str(-status)
        return f"信号 {name}", f"signal {name}"
    return f"退出码 {status}", f"exit status {status}"

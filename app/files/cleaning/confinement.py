"""What a child that reads strangers' files may do. Called in the child, before it looks at the file.

Memory, processor time and the size of written files are bounded by the kernel; on Linux the child also ends with its
parent, is the first to go when the machine runs out of memory, and can neither open a connection nor start a program.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO = 0x00050000

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
FORBIDDEN = {
    # socket, connect, bind, execve, ptrace, execveat, io_uring_setup
    "x86_64": (41, 42, 49, 59, 101, 322, 425),
    "aarch64": (198, 203, 200, 221, 117, 281, 425),
}
X32 = 0x40000000
"""Bit of the second table of system calls on x86_64; nothing here uses it."""


def confine(*, memory: int, seconds: int, file_size: int) -> None:
    """``memory`` and ``file_size`` in bytes, ``seconds`` of processor time."""
    for limit, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(limit)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with suppress(OSError, ValueError):  # macOS knows RLIMIT_AS but refuses it
            resource.setrlimit(limit, (allowed, allowed))
    with suppress(OSError):  # a service manager may not allow it
        os.nice(10)
    if sys.platform == "linux":
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        _shut_in()


def _shut_in() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    machine = os.uname().machine
    if machine not in AUDIT_ARCH or libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return
    program = _filter(machine)
    lines = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: the number of instructions, padding, their address
    head = struct.pack("@HxxxxxxQ", len(program) // 8, ctypes.addressof(lines))
    # where the kernel has no seccomp the limits above still hold
    libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(head, len(head)), 0, 0)


def _filter(machine: str) -> bytes:
    """A classic BPF program over ``struct seccomp_data``: forbidden calls fail with EPERM (seccomp(2))."""
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    calls = FORBIDDEN[machine]
    refuse = SECCOMP_RET_ERRNO | errno.EPERM
    # (code, jump if true, jump if false, value); jumps count from the next instruction
    lines = [
        (load, 0, 0, 4),  # the architecture
        (equal, 0, len(calls) + 3, AUDIT_ARCH[machine]),
        (load, 0, 0, 0),  # the number of the call
        (at_least, len(calls) + 1, 0, X32),
        *((equal, len(calls) - place, 0, call) for place, call in enumerate(calls)),
        (answer, 0, 0, SECCOMP_RET_ALLOW),
        (answer, 0, 0, refuse),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)

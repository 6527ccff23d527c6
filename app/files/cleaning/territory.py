"""Which files a child may see (Landlock, landlock(7)): the one it reads, its folder, and the libraries.

It runs as the user of the worker, to whom database, keys and everybody's files belong; a reader that a file took over must
get at none of them, nor at another process. Where the kernel has no Landlock nothing is taken away, and the other limits hold.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of the system calls, the same on every machine (linux/unistd.h)."""

VERSION = 1
PATH_BENEATH = 1

# linux/landlock.h
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_FILE, MAKE_REG, TRUNCATE = (
    1 << 1,
    1 << 2,
    1 << 3,
    1 << 5,
    1 << 8,
    1 << 14,
)
FIRST_RIGHTS = (1 << 13) - 1
"""Everything the first version knows: also to execute, to make links and folders."""

BIND_AND_CONNECT = 0b11
SOCKETS_AND_SIGNALS = 0b11
"""Neither reaches a process outside."""

LIBRARIES = (
    "/usr", "/lib", "/lib64", "/nix/store", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom",
    "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/kernel/mm",
)  # fmt: skip


def keep_to(source: Path, folder: Path) -> bool:
    """See nothing from now on but ``source``, ``folder`` (to write, too) and what is needed to run. Linux only.

    False where the kernel cannot do that.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = _call(libc, CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION))
    if version < 1:
        return False
    write = WRITE_FILE | REMOVE_FILE | MAKE_REG | (TRUNCATE if version >= 3 else 0)
    fields = [FIRST_RIGHTS | write]
    fields += [BIND_AND_CONNECT] if version >= 4 else []
    fields += [SOCKETS_AND_SIGNALS] if version >= 6 else []
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    rules = _call(libc, CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if rules < 0:
        return False
    read = READ_FILE | READ_DIR
    for path, rights in [
        (source, READ_FILE),
        (folder, read | write),
        (ROOT, READ_DIR),  # imports list it; the data folder may lie in it
        (ROOT / "app", read),
        *((path, read) for path in _libraries()),
    ]:
        _allow(libc, rules, path, rights)
    kept = _call(libc, RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0)) == 0
    os.close(rules)
    return kept


def _libraries() -> Iterable[Path]:
    found = {Path(each).resolve() for each in (*LIBRARIES, sys.prefix, sys.base_prefix, *sys.path) if each}
    return found - {ROOT, *ROOT.parents}


def _allow(libc: ctypes.CDLL, rules: int, path: Path, rights: int) -> None:
    """What is not there needs no rule."""
    with suppress(OSError):
        number = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            # struct landlock_path_beneath_attr is packed; a file has no rights of a folder
            allowed = rights if path.is_dir() else rights & (READ_FILE | WRITE_FILE)
            beneath = struct.pack("=Qi", allowed, number)
            _call(
                libc, ADD_RULE, ctypes.c_int(rules), ctypes.c_int(PATH_BENEATH), beneath, ctypes.c_uint32(0)
            )
        finally:
            os.close(number)


def _call(libc: ctypes.CDLL, number: int, *arguments: object) -> int:
    answer: int = libc.syscall(ctypes.c_long(number), *arguments)
    return answer

"""Under which address phones in the hall reach this machine. Nothing is sent to find out."""

from __future__ import annotations

import ipaddress
import socket

EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound


def is_loopback(host: str) -> bool:
    """Whether ``host`` means the machine itself, so that no other can open it."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def hall_host(bound: str) -> str | None:
    """The host under which others reach a server that listens on ``bound``; None where only this machine does."""
    if bound in EVERY_ADDRESS:
        return network_address()
    return None if is_loopback(bound) else bracketed(bound)


def bracketed(host: str) -> str:
    """A host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def network_address() -> str | None:
    """This machine's address towards its network, or None where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(("192.0.2.1", 9))  # an address kept for documentation (RFC 5737)
        except OSError:
            return None
        found = str(trial.getsockname()[0])
    return None if is_loopback(found) else found

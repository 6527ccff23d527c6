"""Which folder this installation looks into, known without a request: the worker asks, too."""

from __future__ import annotations


class _State:
    folder: str | None = None


def watch(folder: str | None) -> None:
    """Set by ``create_app``; None: the installation has no mailbox."""
    _State.folder = folder


def watched() -> str | None:
    """The folder that is looked into every minute; None where there is no mailbox."""
    return _State.folder

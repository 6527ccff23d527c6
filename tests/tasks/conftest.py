"""Importing ``tasks`` builds the worker's application; here it gets a throw-away instance, before any test runs.

Collection comes before the fixtures, so the application of the tests binds its own keys, clock and sender after it.
"""

from __future__ import annotations

import tempfile

import pytest

with pytest.MonkeyPatch.context() as environment:
    environment.setenv("SAISHI_INSTANCE", tempfile.mkdtemp(prefix="saishi-tasks-"))
    import tasks

__all__ = ["tasks"]

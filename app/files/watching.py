"""Whether the store can be written and read now, for whoever watches the site. Asked often, found out seldom."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from app.files import store
from app.files.errors import Fault, FileDamagedError, StoreDownError
from app.files.places import Patience
from app.settings import Settings

log = structlog.get_logger()

KEPT = timedelta(seconds=30)
"""How long an answer stands: anybody may ask, and each look writes, reads and deletes an object."""

PATIENCE = Patience(connect=1, request=1, retries=0, all_tries=1)
"""Who asks gives up after two seconds."""


class _Seen:
    settings: Settings | None = None
    at: datetime | None = None
    usable = True


def usable(settings: Settings, now: datetime) -> bool:
    """Whether an object could be written, read and deleted within the last ``KEPT``."""
    if _Seen.settings == settings and _Seen.at is not None and _Seen.at <= now < _Seen.at + KEPT:
        return _Seen.usable
    fault = _fault(settings)
    if fault is not None and (_Seen.usable or _Seen.settings != settings):  # once, not every half minute
        log.error("file_store_down", fault=fault.value)
    _Seen.settings, _Seen.at, _Seen.usable = settings, now, fault is None
    return _Seen.usable


def _fault(settings: Settings) -> Fault | None:
    try:
        store.check(settings, PATIENCE)
    except StoreDownError as error:
        return error.fault
    except FileDamagedError:
        return Fault.UNWRITABLE
    return None

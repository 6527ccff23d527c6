"""The clock: the only place that asks what time it is.

A demonstration or a rehearsal may run ahead of the wall clock: when the settings name an offset file, its number of
seconds is added, so that the web and worker processes always agree. The number has six decimals: a clock moved to a
deadline must not stand half a second before it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from app.text import BEIJING

FARTHEST = timedelta(days=36525)
"""No clock is moved by more than a century; a number beyond it is a mistake, and some have no date at all."""

_offset_file: Path | None = None
_last_offset = timedelta(0)


def configure(offset_file: Path | None) -> None:
    """Use (or, with None, ignore) an offset file; called once by ``create_app``."""
    global _offset_file, _last_offset
    _offset_file, _last_offset = offset_file, timedelta(0)


def parse_offset(written: str) -> timedelta:
    """The offset file's number of seconds; nothing written is zero. Raises ``ValueError``."""
    try:
        seconds = Decimal(written.strip() or "0")
    except ArithmeticError as error:
        raise ValueError("not a number of seconds") from error
    longest = int(FARTHEST.total_seconds())
    if not seconds.is_finite() or not -longest <= seconds <= longest:
        raise ValueError("not a number of seconds within a century")
    return timedelta(microseconds=int(seconds * 1_000_000))


def offset() -> timedelta:
    """How far this instance's clock runs ahead of the wall clock.

    A file that cannot be read, or holds no such number, leaves the clock as it was last: time must not jump, nor the
    site stop, because somebody saved the file half-way.
    """
    global _last_offset  # noqa: PLW0603 - as above
    if _offset_file is None:
        return timedelta(0)
    try:
        _last_offset = parse_offset(_offset_file.read_text())
    except FileNotFoundError:
        _last_offset = timedelta(0)
    except (OSError, ValueError):
        pass
    return _last_offset


def move_to(moment: datetime) -> None:
    """Set the movable clock so that it is ``moment`` now. Raises ``RuntimeError`` where the clock is fixed."""
    if _offset_file is None:
        raise RuntimeError("this instance follows the wall clock")
    ahead = (moment - datetime.now(UTC)) // timedelta(microseconds=1)
    _offset_file.parent.mkdir(parents=True, exist_ok=True)
    half_written = _offset_file.with_suffix(".new")
    half_written.write_text(f"{Decimal(ahead) / 1_000_000:f}")
    half_written.replace(_offset_file)  # readers see the old number or the new one, never half of it


def movable() -> bool:
    return _offset_file is not None


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC) + offset()


def beijing(moment: datetime) -> datetime:
    return moment.astimezone(BEIJING)


def beijing_date(moment: datetime) -> date:
    """The calendar day in Beijing on which ``moment`` falls."""
    return moment.astimezone(BEIJING).date()

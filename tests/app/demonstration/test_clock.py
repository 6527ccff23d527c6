"""The movable clock: exact, so that it can be put on either side of a deadline's second."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app import clock

MOVABLE_NOW = clock.now
"""The real function: when this module is imported the suite's standing clock is not in place yet."""
DEADLINE = datetime(2021, 10, 31, 10, 0, 0, tzinfo=UTC)


@pytest.fixture
def offset_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(clock, "now", MOVABLE_NOW)
    clock.configure(tmp_path / "instance" / "clock")
    yield tmp_path / "instance" / "clock"
    clock.configure(None)


def test_a_moved_clock_never_stands_before_the_moment_it_was_moved_to(offset_file: Path) -> None:
    for _ in range(50):
        clock.move_to(DEADLINE)
        assert DEADLINE <= clock.now() < DEADLINE + timedelta(seconds=1)


def test_a_hand_written_whole_number_of_seconds_is_understood(offset_file: Path) -> None:
    offset_file.parent.mkdir()
    for written, seconds in (("3600", 3600), ("-86400", -86400), ("", 0)):
        offset_file.write_text(written)
        assert clock.offset() == timedelta(seconds=seconds)


def test_a_clock_without_a_file_is_the_wall_clock_and_cannot_be_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock, "now", MOVABLE_NOW)
    clock.configure(None)
    assert clock.offset() == timedelta(0)
    with pytest.raises(RuntimeError):
        clock.move_to(DEADLINE)


@pytest.mark.parametrize("written", [b"soon", b"nan", b"Infinity", b"1e400", b"1e999999999", b"9e9", b"\xff"])
def test_an_unreadable_offset_keeps_the_last_good_one(offset_file: Path, written: bytes) -> None:
    offset_file.parent.mkdir()
    offset_file.write_text("-3600")
    assert clock.offset() == timedelta(hours=-1)
    offset_file.write_bytes(written)
    assert clock.offset() == timedelta(hours=-1)
    offset_file.write_text("60\n")
    assert clock.offset() == timedelta(minutes=1)
    offset_file.unlink()
    assert clock.offset() == timedelta(0)


def test_a_clock_that_never_could_be_read_is_the_real_time(offset_file: Path) -> None:
    offset_file.mkdir(parents=True)
    assert clock.offset() == timedelta(0)

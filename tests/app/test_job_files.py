"""The queue folder hands over whole messages only."""

import threading
import time
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError, OperationalError
from structlog.testing import capture_logs

from app import job_files
from app.jobs import make_celery
from app.settings import Settings


@pytest.fixture
def connection(tmp_path: Path) -> Connection:
    job_files.install()
    for name in ("queue", "control"):
        (tmp_path / name).mkdir()
    return Connection(
        "filesystem://",
        transport_options={
            "data_folder_in": str(tmp_path / "queue"),
            "data_folder_out": str(tmp_path / "queue"),
            "control_folder": str(tmp_path / "control"),
        },
    )


def take(channel: Any) -> Any:
    while True:
        try:
            return channel._get("jobs")
        except Empty:
            continue


def test_a_reader_that_never_rests_sees_every_message_whole(connection: Connection) -> None:
    count = 400

    def write() -> None:
        with connection.clone() as own:
            channel = own.channel()
            for number in range(count):
                channel._put("jobs", {"number": number, "padding": "号" * 500})

    writer = threading.Thread(target=write)
    with connection:
        channel = connection.channel()
        writer.start()
        numbers = [take(channel)["number"] for _ in range(count)]
    writer.join()

    assert sorted(numbers) == list(range(count))


def test_older_messages_come_first_and_nothing_stays_behind(connection: Connection, tmp_path: Path) -> None:
    with connection:
        channel = connection.channel()
        channel._put("jobs", "first")
        threading.Event().wait(0.01)
        channel._put("jobs", "second")
        channel._put("others", "elsewhere")

        assert [channel._get("jobs"), channel._get("jobs"), channel._get("others")] == [
            "first",
            "second",
            "elsewhere",
        ]
    assert list((tmp_path / "queue").iterdir()) == []


def test_a_folder_that_is_gone_is_a_channel_error_which_the_sender_reports(
    connection: Connection, tmp_path: Path
) -> None:
    with connection:
        channel = connection.channel()
        (tmp_path / "queue").rmdir()
        with pytest.raises(ChannelError):
            channel._put("jobs", "lost")


def test_the_program_s_queue_folder_uses_this_transport(tmp_path: Path) -> None:
    settings = Settings(instance=tmp_path, secret_key="k" * 48, database_url="", broker_url="filesystem://")
    with make_celery(settings).connection() as connection:
        assert isinstance(connection.transport, job_files.Transport)


def test_waiting_for_messages_ends_soon_enough_to_notice_a_request_to_stop(connection: Connection) -> None:
    begun = time.monotonic()
    with connection, pytest.raises(TimeoutError):
        connection.drain_events(timeout=60)
    assert time.monotonic() - begun < 5


def test_a_reader_outlives_a_folder_that_cannot_be_read_for_a_while(
    connection: Connection, tmp_path: Path
) -> None:
    with connection:
        channel = connection.channel()
        channel._put("jobs", "waits")
        (tmp_path / "queue").rename(tmp_path / "away")
        (tmp_path / "queue").touch()
        with capture_logs() as said:
            for _ in range(3):
                with pytest.raises(Empty):
                    channel._get("jobs")
            assert channel._size("jobs") == 0
            (tmp_path / "queue").unlink()
            (tmp_path / "away").rename(tmp_path / "queue")
            assert channel._get("jobs") == "waits"
    assert [line["event"] for line in said] == ["job_folder_unusable", "job_folder_usable_again"]


def test_a_folder_that_cannot_be_made_stops_neither_the_program_nor_its_commands(tmp_path: Path) -> None:
    (tmp_path / "broker").touch()
    settings = Settings(instance=tmp_path, secret_key="k" * 48, database_url="", broker_url="filesystem://")
    sender = make_celery(settings)
    with pytest.raises((OperationalError, OSError)):  # exactly what app.jobs.send logs
        sender.send_task("standings.sweep", retry=False)

"""Objects whose rows are gone, while the store is away: no job fails or waits for long, and the sweep deletes them later."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from app import clock
from app.audit import queries as audit
from app.audit.actions import AuditAction
from app.files import store
from app.files.store import Patience, StoreDownError
from app.uploads.service import objects
from tasks import uploads as tasks
from tests import services
from tests.conftest import make_settings

HASTE = Patience(connect=1, request=1, retries=0, all_tries=1)
LATER = datetime(2100, 1, 1, tzinfo=UTC)
"""The store dates objects by the real clock; by then each of them is a day old."""


@pytest.fixture
def away(
    session: Any, own_store: None, moto: services.Moto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[bool], None]:
    """``away(True)`` refuses the store's port, ``away(False)`` gives the same bucket back."""
    monkeypatch.setattr(tasks._Away, "until", tasks._Away.until)
    bucket = moto.new_bucket()
    gone = services.Moto(f"http://127.0.0.1:{services.free_port()}")

    def use(is_away: bool) -> None:
        address = (gone if is_away else moto).url(bucket)
        store.configure(make_settings(tmp_path, "", storage_url=address), HASTE)

    use(False)
    return use


def orphans(count: int = 3) -> list[str]:
    """Objects in the store that no row names."""
    return [store.write(objects.new_key("pieces"), [b"x"]).key for _ in range(count)]


def test_what_a_job_could_not_delete_is_deleted_by_the_sweep(
    away: Callable[[bool], None], travel: Callable[[datetime], None]
) -> None:
    keys = orphans()
    away(True)
    with pytest.raises(StoreDownError):
        store.delete(keys)
    with capture_logs() as logged:
        assert tasks.forget_files.apply(kwargs={"keys": keys}).state == "SUCCESS"
    assert {"event": "files_left_to_the_sweep", "count": 3, "log_level": "warning"} in logged
    assert not any(key in str(logged) for key in keys)
    travel(LATER)
    with pytest.raises(StoreDownError):  # still away: the next hour's sweep
        tasks.tidy.run()
    away(False)
    assert set(keys) <= set(dict(store.keys()))
    tasks.tidy.run()
    assert not set(keys) & set(dict(store.keys()))
    assert [entry.action for entry in audit.entries()][-1] == AuditAction.ORPHANED_FILES_DELETED


def test_of_many_jobs_one_finds_out_that_the_store_is_away(
    away: Callable[[bool], None], monkeypatch: pytest.MonkeyPatch, travel: Callable[[datetime], None]
) -> None:
    asked: list[int] = []

    def delete(keys: Any) -> None:
        asked.append(len(keys))
        raise StoreDownError("away")

    monkeypatch.setattr(store, "delete", delete)
    for _ in range(5):
        tasks.forget_files.apply(kwargs={"keys": ["pieces/00/" + "0" * 32]})
    assert asked == [1]
    travel(clock.now() + timedelta(minutes=1))
    tasks.forget_files.apply(kwargs={"keys": ["pieces/00/" + "0" * 32]})
    assert asked == [1, 1]


def test_once_the_store_is_back_a_job_deletes_at_its_next_try(
    away: Callable[[bool], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, tries, whole = orphans(), [], store.delete

    def delete(some: Any) -> None:
        tries.append(some)
        tasks._Away.until = clock.now() - timedelta(hours=1)
        if len(tries) == 1:
            raise StoreDownError("away")
        whole(some)

    monkeypatch.setattr(tasks, "FORGETTING_PAUSE", timedelta(0))
    monkeypatch.setattr(store, "delete", delete)
    tasks.forget_files.apply(kwargs={"keys": keys})
    assert len(tries) == 2
    assert not set(keys) & set(dict(store.keys()))

"""Rotating the keys of the files and checking the store, on both databases and both kinds of store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import SYSTEM
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.files import store
from app.uploads.models import StoredFile
from app.uploads.service import keys, objects
from tests.app.files.conftest import Place

OLD, NEW = "old-key-of-the-files-" + "0" * 20, "new-key-of-the-files-" + "1" * 20
LATER = datetime(2100, 1, 1, tzinfo=UTC)

Keep = Callable[..., store.Sealed]


@pytest.fixture
def keep(session: Any, place: Place) -> Keep:
    """Writes a file and its row."""

    def write(key: str, content: bytes = b"x") -> store.Sealed:
        sealed = store.write(key, [content])
        with command(SYSTEM) as ctx:
            row = StoredFile(
                **{name: getattr(sealed, name) for name in store.Sealed.__slots__},
                media_type="image/jpeg",
                created_at=ctx.now,
            )
            ctx.session.add(row)
            ctx.session.flush()
            ctx.record(AuditAction.MESSAGE_QUEUED, row)
        return sealed

    return write


def rotate_all() -> int:
    done, last_id = 0, 0
    while True:
        with command(SYSTEM) as ctx:
            step = keys.rotate(ctx, last_id)
        if step is None:
            return done
        done, last_id = done + step.count, step.last_id


def sealed_rows(session: Any) -> dict[str, store.Sealed]:
    session.rollback()
    return {
        row.key: store.Sealed(row.key, row.wrapped_key, row.key_id, row.size, row.sha256)
        for row in session.scalars(select(StoredFile))
    }


def test_after_rotation_the_old_key_can_go_and_every_file_opens(
    session: Any, place: Place, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "ROWS_AT_ONCE", 3)
    contents = {f"a/{number}": bytes([number]) * number for number in range(8)}
    for number, (key, content) in enumerate(contents.items()):
        place.use(*([OLD] if number > 2 else []))  # the first from before any file key
        keep(key, content)
    objects = place.objects()
    place.use(NEW, OLD)
    assert len(keys.rows_by_key()) == 2
    assert rotate_all() == 8
    assert keys.rows_by_key() == {store.newest_key_id(): 8}
    assert rotate_all() == 0
    place.use(NEW, secret_key="another-secret-key-that-has-opened-none-of-them-0")
    rows = sealed_rows(session)
    assert {key: b"".join(store.read(row)) for key, row in rows.items()} == contents
    assert place.objects() == objects
    entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "file_keys.rotated")).all()
    assert [entry.details["count"] for entry in entries] == [3, 3, 2]


@pytest.mark.parametrize("stopped_after", [0, 1, 2])
def test_a_rotation_that_was_stopped_is_begun_again(
    session: Any, place: Place, keep: Keep, monkeypatch: pytest.MonkeyPatch, stopped_after: int
) -> None:
    monkeypatch.setattr(keys, "ROWS_AT_ONCE", 2)
    place.use(OLD)
    for number in range(5):
        keep(f"a/{number}")
    place.use(NEW, OLD)
    last_id = 0
    for _ in range(stopped_after):
        with command(SYSTEM) as ctx:
            step = keys.rotate(ctx, last_id)
            assert step is not None
            last_id = step.last_id
    with pytest.raises(KeyboardInterrupt), command(SYSTEM) as ctx:  # noqa: PT012 - the command ends in it
        keys.rotate(ctx, last_id)
        raise KeyboardInterrupt  # in the middle of a step: it is undone as a whole
    assert keys.rows_by_key().get(store.newest_key_id(), 0) == 2 * stopped_after
    assert all(b"".join(store.read(row)) == b"x" for row in sealed_rows(session).values())
    assert rotate_all() == 5 - 2 * stopped_after
    assert keys.rows_by_key() == {store.newest_key_id(): 5}


def test_a_row_that_was_damaged_is_left_and_the_others_go_on(session: Any, place: Place, keep: Keep) -> None:
    place.use(OLD)
    for number in range(3):
        keep(f"a/{number}")
    with command(SYSTEM) as ctx:
        row = ctx.session.scalars(select(StoredFile).where(StoredFile.key == "a/1")).one()
        row.wrapped_key, damaged = "1." + row.wrapped_key[:1:-1], row.id
        ctx.record(AuditAction.MESSAGE_QUEUED, row)
    place.use(NEW, OLD)
    with command(SYSTEM) as ctx:
        step = keys.rotate(ctx, 0)
    assert step is not None
    assert (step.count, step.damaged) == (2, (damaged,))
    assert sorted(keys.rows_by_key().values()) == [1, 2]


def test_keys_that_no_setting_holds_are_counted(session: Any, place: Place, keep: Keep) -> None:
    place.use(OLD)
    sealed = keep("a/file")
    place.use(NEW)
    assert keys.unknown_keys() == {sealed.key_id: 1}
    with pytest.raises(store.KeyUnknownError), command(SYSTEM) as ctx:
        keys.rotate(ctx, 0)
    place.use(NEW, OLD)
    assert keys.unknown_keys() == {}


@pytest.mark.parametrize("deep", [False, True])
def test_a_store_that_fits_its_rows_is_found_whole(
    session: Any, place: Place, keep: Keep, deep: bool
) -> None:
    for number in range(3):
        keep(f"a/{number}", bytes(number * 70_000))
    assert keys.check(LATER, deep=deep) == keys.Findings(files=3, bytes=210_000)


@pytest.mark.parametrize("deep", [False, True])
def test_what_is_missing_left_over_or_has_no_key_is_named(
    session: Any, place: Place, keep: Keep, monkeypatch: pytest.MonkeyPatch, deep: bool
) -> None:
    monkeypatch.setattr(keys, "ROWS_AT_ONCE", 2)
    place.use(OLD)
    locked, lost = keep("a/locked"), keep("a/lost")
    place.use(NEW)
    for key in ("a/1", "a/2", "a/3"):
        keep(key)
    store.delete(["a/2", "a/lost"])
    orphan = objects.new_key("a")
    for key in (orphan, "a/of-somebody-else"):
        store.write(key, [b"x"])
    found = keys.check(LATER, deep=deep)
    assert found.unknown_keys == {locked.key_id: 2}
    assert lost.key_id == locked.key_id
    assert (found.missing, found.damaged, found.orphans) == (["a/lost", "a/2"], [], [orphan])


def test_only_a_deep_look_opens_the_files(session: Any, place: Place, keep: Keep) -> None:
    for number in range(3):
        keep(f"a/{number}", b"xyz")
    raw = bytearray(place.get("a/1"))
    raw[1] ^= 1
    place.put("a/1", bytes(raw))
    with command(SYSTEM) as ctx:
        row = ctx.session.scalars(select(StoredFile).where(StoredFile.key == "a/2")).one()
        row.sha256 = "0" * 64
        ctx.record(AuditAction.MESSAGE_QUEUED, row)
    assert keys.check(LATER, deep=False).damaged == []
    assert keys.check(LATER, deep=True).damaged == ["a/1", "a/2"]


def test_an_object_whose_row_may_still_come_is_no_orphan(session: Any, place: Place) -> None:
    new = objects.new_key("a")
    store.write(new, [b"x"])
    now = datetime.now(UTC)
    assert keys.check(now - timedelta(days=1), deep=False).orphans == []
    assert keys.check(now + timedelta(days=1), deep=False).orphans == [new]


def test_a_file_written_while_the_store_is_listed_is_not_missing(
    session: Any, place: Place, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep("a/early")
    listed = list(store.keys())
    keep("a/late")
    monkeypatch.setattr(keys.store, "keys", lambda: iter(listed))
    assert keys.check(LATER, deep=False) == keys.Findings(files=2, bytes=2)

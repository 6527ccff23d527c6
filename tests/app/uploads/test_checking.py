"""The worker's act, and what becomes of it when a worker, the scanner or a job is lost. On both databases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app import clock
from app.actors import SYSTEM, Actor
from app.commands import command
from app.extensions import db
from app.files.cleaning import InfectedError, Note, ScannerDownError
from app.jobs import Job
from app.uploads import queries, rules, service
from app.uploads.models import StoredFile, Upload, UploadFile
from app.uploads.rules import UploadState, refusals
from app.uploads.service import checking
from tests.app.files.corpus import photos
from tests.app.uploads.looking import claim, count, forget, in_store
from tests.conftest import NOON
from tests.factories import uploads

KIB = 1024


def test_a_refused_file_keeps_its_reason_and_nothing_else(
    place: str, sender: Actor, workspace: Path, sent_jobs: Any
) -> None:
    before = in_store()
    upload = uploads.whole(sender, place, b"<svg onload=alert(1)>" + bytes(200), name="id.svg")
    uploads.check(upload, workspace)
    upload = queries.mine(sender.require_signed_in(), upload.token)
    assert (upload.state, upload.name) == (UploadState.REFUSED, "")
    assert upload.sentence is not None
    assert "JPEG" in str(upload.hint)
    assert count(StoredFile) == 0
    forget(sent_jobs)
    assert in_store() == before
    with pytest.raises(refusals.NotUsableError) as refused:
        claim(sender, place, upload.token)
    assert str(refused.value.text) == str(upload.sentence)


def test_what_cleaning_changed_is_kept_with_the_file(place: str, sender: Actor, workspace: Path) -> None:
    moving = uploads.ready(sender, place, workspace, photos.animated("PNG"), name="证明.jpg")
    assert [str(note) for note in moving.notes] == [
        "文件名的后缀与内容不符，已按内容处理。",
        "文件里有多张图片或动画，只保留了第一张。",
    ]
    assert set(db.session.get_one(Upload, moving.id).notes) == {"renamed", "first_picture"}
    assert uploads.ready(sender, place, workspace).notes == ()


def test_a_file_from_before_notes_were_kept_or_with_one_of_a_later_version_is_shown() -> None:
    assert queries.noted(None) == ()
    assert queries.noted(["of_a_later_version", "decrypted"]) == (Note.DECRYPTED.sentence,)


def test_what_the_scanner_finds_is_deleted_and_its_hash_is_kept(
    place: str, sender: Actor, workspace: Path, monkeypatch: pytest.MonkeyPatch, sent_jobs: Any
) -> None:
    before = in_store()

    def found(_path: Path) -> None:
        raise InfectedError("Eicar-Test")

    monkeypatch.setattr(checking, "scan", found)
    upload = uploads.ready(sender, place, workspace)
    assert upload.state is UploadState.QUARANTINED
    row = db.session.get_one(Upload, upload.id)
    assert row.refusal == {
        "reason": "infected",
        "sha256": row.refusal["sha256"],
        "signature": "Eicar-Test",
    }
    assert count(StoredFile) == 0
    forget(sent_jobs)
    assert in_store() == before


def test_while_the_scanner_is_away_a_check_waits_longer_each_time_and_is_never_given_up(
    place: str,
    sender: Actor,
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    travel: Callable[[datetime], None],
) -> None:
    def away(_path: Path) -> None:
        raise ScannerDownError("ConnectionRefusedError")

    with monkeypatch.context() as patched:
        patched.setattr(checking, "scan", away)
        upload = uploads.whole(sender, place, uploads.photo())
        uploads.check(upload, workspace)
        now, waits = NOON, []
        for _ in range(8):
            assert uploads.check(upload, workspace) is None, "too early"
            wait = 30
            while uploads.check(upload, workspace) is None:
                now += timedelta(seconds=30)
                travel(now)
                wait += 30
            waits.append(wait)
    assert waits == sorted(waits)
    assert waits[-1] > waits[0]
    view = queries.mine(sender.require_signed_in(), upload.token)
    assert (view.state, view.postponed) == (UploadState.WAITING, True)
    travel(now + timedelta(minutes=20))
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 1
    uploads.check(upload, workspace)
    assert queries.mine(sender.require_signed_in(), upload.token).state is UploadState.READY


def test_a_check_whose_worker_died_is_taken_up_again_and_given_up_after_some_times(
    place: str, sender: Actor, workspace: Path, travel: Callable[[datetime], None], sent_jobs: Any
) -> None:
    upload = uploads.whole(sender, place, uploads.photo())
    now = NOON
    for attempt in range(1, rules.ATTEMPTS_MOST + 1):
        with command(SYSTEM) as ctx:
            work = service.take(ctx, upload.id)
        assert work is not None
        assert work.attempt == attempt
        (workspace / work.folder).mkdir(parents=True)  # and the worker is killed
        assert service.remove_left_folders(workspace, clock.now()) == 0
        with command(SYSTEM) as ctx:
            assert service.sweep(ctx) == 0
            assert service.take(ctx, upload.id) is None, "it is in a worker's hands"
        now += rules.LEASE + timedelta(seconds=1)
        travel(now)
        sent_jobs.clear()
        with command(SYSTEM) as ctx:
            assert service.sweep(ctx) == 1
        assert sent_jobs == [(Job.CLEAN_UPLOAD, {"upload_id": upload.id})]
        assert service.remove_left_folders(workspace, clock.now()) == 1
    with command(SYSTEM) as ctx:
        assert service.take(ctx, upload.id) is None
    view = queries.mine(sender.require_signed_in(), upload.token)
    assert view.state is UploadState.REFUSED
    assert "多次出错" in str(view.sentence)


def test_the_folder_of_a_check_that_begins_while_the_sweep_looks_is_left_alone(
    place: str, sender: Actor, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = uploads.whole(sender, place, uploads.photo())
    workspace.mkdir()
    listed = Path.iterdir

    def begins_now(folder: Path) -> Any:
        if folder == workspace:
            with command(SYSTEM) as ctx:
                work = service.take(ctx, upload.id)
            assert work is not None
            (workspace / work.folder).mkdir()
        return listed(folder)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "iterdir", begins_now)
        assert service.remove_left_folders(workspace, clock.now()) == 0
    assert len(list(workspace.iterdir())) == 1


def test_the_folder_of_a_job_without_a_claim_goes_only_once_it_stands_still(
    session: Any, workspace: Path
) -> None:
    sheet = workspace / "sheet-7"
    sheet.mkdir(parents=True)
    now = datetime.fromtimestamp(sheet.stat().st_mtime, UTC) + clock.offset()
    assert service.remove_left_folders(workspace, now + rules.LEASE / 2) == 0
    assert service.remove_left_folders(workspace, now + rules.LEASE * 2) == 1
    assert not sheet.exists()


def test_a_worker_that_comes_late_changes_nothing(
    place: str, sender: Actor, workspace: Path, travel: Callable[[datetime], None], sent_jobs: Any
) -> None:
    before = in_store()
    upload = uploads.whole(sender, place, uploads.photo())
    with command(SYSTEM) as ctx:
        slow = service.take(ctx, upload.id)
    assert slow is not None
    outcome = service.check(slow, workspace)
    travel(NOON + rules.LEASE + timedelta(seconds=1))
    uploads.check(upload, workspace)
    with command(SYSTEM) as ctx:
        service.record_check(ctx, slow, outcome)
    assert count(UploadFile) == 3
    forget(sent_jobs)
    assert len(in_store() - before) == 3


def test_a_lost_job_is_sent_again(place: str, sender: Actor, travel: Callable[[datetime], None]) -> None:
    uploads.whole(sender, place, uploads.photo())
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 0
    travel(NOON + timedelta(seconds=61))
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 1

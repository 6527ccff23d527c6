"""From the first piece to a form's claim, and how uploads go. On both databases."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select

from app.actors import SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.errors import NotFoundError
from app.extensions import db
from app.files import store
from app.jobs import Job
from app.uploads import queries, rules, service
from app.uploads.models import StoredFile, Upload, UploadFile, UploadPiece
from app.uploads.rules import FileRole, UploadState, refusals
from app.uploads.service import objects
from tests.app.uploads.looking import claim, count, deeds, discard, forget, in_store
from tests.conftest import NOON
from tests.factories import competitions, uploads

KIB = 1024
ONE_PAGE = rules.purpose("proof").within(megabytes=1, pages=1)


def test_a_photo_sent_in_pieces_is_checked_and_claimed(
    place: str, sender: Actor, workspace: Path, sent_jobs: Any
) -> None:
    before = in_store()
    content = uploads.photo(1, 1600, 1200, 95)
    assert len(content) > rules.PIECE_BYTES
    token = uploads.begin(sender, place, content)
    received = [uploads.send(sender, token, start, part) for start, part in uploads.pieces(content)]
    assert received[-1] == len(content)
    uploads.finish(sender, token)
    upload = queries.mine(sender.require_signed_in(), token)
    assert (upload.state, upload.received) == (UploadState.WAITING, len(content))
    assert (Job.CLEAN_UPLOAD, {"upload_id": upload.id}) in sent_jobs

    uploads.check(upload, workspace)
    upload = queries.mine(sender.require_signed_in(), token)
    assert (upload.state, upload.pages, upload.media_type) == (UploadState.READY, 1, "image/jpeg")
    assert count(UploadPiece) == 0
    assert count(StoredFile) == count(UploadFile) == 3
    forget(sent_jobs)
    kept = db.session.scalars(select(StoredFile.key)).all()
    assert in_store() - before == set(kept), "nothing is in the store but what rows name"
    assert list(workspace.iterdir()) == []

    competition_id = competitions.queries.competition_id(place)
    with command(sender) as ctx:
        claimed = service.claim(
            ctx,
            tokens=[token],
            user_id=sender.require_signed_in(),
            competition_id=competition_id,
            purpose="proof",
        )
    content_view = queries.contents(claimed)[claimed[0]]
    assert [(page.width, page.height) for page in content_view.pages] == [(1600, 1200)]
    stored = queries.stored(claimed[0], FileRole.CONTENT)
    with Image.open(io.BytesIO(b"".join(store.read(stored.sealed)))) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1600, 1200))
    assert deeds() == ["upload.begun", "upload.received", "upload.checked", "uploads.claimed"]


def test_a_claim_waits_for_the_check_and_happens_once(place: str, sender: Actor, workspace: Path) -> None:
    first = uploads.ready(sender, place, workspace)
    second = uploads.whole(sender, place, uploads.photo(2))
    with pytest.raises(refusals.StillCheckedError) as refused:
        claim(sender, place, first.token, second.token)
    assert "1 个文件还在检查" in str(refused.value.text)
    uploads.check(second, workspace)
    assert claim(sender, place, second.token, first.token, first.token) == [second.id, first.id]
    with pytest.raises(refusals.ClaimedError):
        claim(sender, place, first.token)
    with pytest.raises(refusals.ClaimedError):
        discard(sender, first.token)


def test_what_a_form_cannot_have(place: str, sender: Actor, workspace: Path) -> None:
    ready = uploads.ready(sender, place, workspace)
    half = uploads.begin(sender, place, bytes(100 * KIB))
    with pytest.raises(refusals.NoFilesError):
        claim(sender, place)
    with pytest.raises(refusals.WrongPurposeError):
        claim(sender, place, ready.token, purpose="letter")
    with pytest.raises(refusals.StillReceivedError):
        claim(sender, place, ready.token, half)
    with pytest.raises(refusals.UploadNotFoundError):
        claim(sender, place, ready.token, "made-up")
    other = uploads.ready(sender, place, workspace, uploads.photo(3))
    with pytest.raises(refusals.TooManyPagesError):
        claim(sender, place, ready.token, other.token, wanted=ONE_PAGE)
    elsewhere = competitions.competition(slug="elsewhere").slug
    with pytest.raises(refusals.UploadNotFoundError):
        claim(sender, elsewhere, ready.token)
    assert claim(sender, place, ready.token, wanted=ONE_PAGE) == [ready.id]


def test_a_discarded_upload_is_gone_with_its_files(
    place: str, sender: Actor, workspace: Path, sent_jobs: Any
) -> None:
    before = in_store()
    upload = uploads.ready(sender, place, workspace)
    half = uploads.begin(sender, place, bytes(100 * KIB))
    uploads.send(sender, half, 0, bytes(64 * KIB))
    for token in (upload.token, half, half):
        discard(sender, token)
    assert count(StoredFile) == count(UploadPiece) == count(UploadFile) == 0
    forget(sent_jobs)
    assert in_store() == before
    for token in (upload.token, half):
        with pytest.raises(NotFoundError):
            queries.mine(sender.require_signed_in(), token)
        with pytest.raises(NotFoundError):
            uploads.send(sender, token, 0, bytes(64 * KIB))


def test_a_day_later_what_nobody_claimed_is_deleted_and_what_a_form_holds_stays(
    place: str, sender: Actor, workspace: Path, travel: Callable[[datetime], None], sent_jobs: Any
) -> None:
    held = uploads.ready(sender, place, workspace)
    claim(sender, place, held.token)
    uploads.ready(sender, place, workspace, uploads.photo(2))
    uploads.send(sender, uploads.begin(sender, place, bytes(100 * KIB)), 0, bytes(64 * KIB))
    travel(NOON + timedelta(hours=23))
    with command(SYSTEM) as ctx:
        assert service.expire(ctx) == 0
    travel(NOON + timedelta(hours=25))
    with command(SYSTEM) as ctx:
        assert service.expire(ctx) == 2
    assert count(Upload) == 1
    assert count(StoredFile) == 3
    forget(sent_jobs)
    assert in_store() >= set(db.session.scalars(select(StoredFile.key)))
    assert deeds()[-1] == AuditAction.UPLOADS_EXPIRED


def test_objects_without_a_row_are_deleted_once_they_are_old(
    place: str, sender: Actor, workspace: Path
) -> None:
    kept = uploads.ready(sender, place, workspace)
    orphan = objects.new_key("pieces")
    foreign = {"backups/2021-10-25.sql", "a.b/c", orphan.removeprefix("pieces/")}
    for key in (orphan, *foreign):
        store.write(key, [b"left by a crash, or of somebody who shares the bucket"])
    written = max(moment for _, moment in store.keys("pieces"))
    service.delete_orphans(written - timedelta(days=1))
    assert orphan in in_store()
    assert service.delete_orphans(written + timedelta(minutes=1)) >= 1
    assert orphan not in in_store()
    assert foreign <= in_store()
    store.delete(foreign)
    assert b"".join(store.read(queries.stored(kept.id, FileRole.CONTENT).sealed))


def test_erasing_reports_hashes_and_leaves_no_row(
    place: str, sender: Actor, workspace: Path, sent_jobs: Any
) -> None:
    before = in_store()
    upload = uploads.ready(sender, place, workspace)
    claim(sender, place, upload.token)
    sha256 = queries.contents([upload.id])[upload.id].sha256
    with command(SYSTEM) as ctx:
        erased = service.erase(ctx, [upload.id])
    assert [(each.upload_id, each.sha256, each.files) for each in erased] == [(upload.id, sha256, 3)]
    assert count(Upload) == count(StoredFile) == 0
    forget(sent_jobs)
    assert in_store() == before

"""From the first piece to the claim, on both databases."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from sqlalchemy import func, select

from app import clock
from app.actors import SYSTEM, Actor, Role
from app.audit import chain
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.errors import ForbiddenError, NotFoundError, SaishiError, SignInRequiredError
from app.extensions import db
from app.files import store
from app.files.cleaning import InfectedError, ScannerDownError
from app.jobs import Job
from app.uploads import queries, rules, service
from app.uploads.models import StoredFile, Upload, UploadFile, UploadPiece
from app.uploads.rules import FileRole, UploadState, refusals
from app.uploads.service import checking
from tests.conftest import NOON
from tests.factories import accounts, competitions, uploads

KIB = 1024


@pytest.fixture
def place(session: Any) -> str:
    return competitions.competition().slug


@pytest.fixture
def sender(place: str) -> Actor:
    return accounts.user(1)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "checking"


def count(model: Any) -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(model)) or 0


def deeds() -> list[str]:
    db.session.rollback()
    entries = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert chain.first_broken(entries) is None
    return [entry.action for entry in entries if entry.action.startswith(("upload", "orphan"))]


def in_store(prefix: str = "") -> set[str]:
    return {key for key, _ in store.keys(prefix)}


def forget(sent_jobs: list[tuple[Job, dict[str, Any]]]) -> None:
    """Do what the worker does with the jobs that delete objects."""
    for job, arguments in sent_jobs:
        if job is Job.FORGET_FILES:
            store.delete(arguments["keys"])


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


def test_pieces_leave_no_entry_of_their_own_but_the_whole_names_their_hashes(
    place: str, sender: Actor
) -> None:
    uploads.whole(sender, place, uploads.photo(2, 1600, 1200, 95))
    assert deeds() == ["upload.begun", "upload.received"]
    entry = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert entry.details["pieces"] == count(UploadPiece) > 1
    assert len(entry.details["sha256_of_pieces"]) == 64


PIECES = 6
SIZE = (PIECES - 1) * 64 * KIB + 1000


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(order=st.lists(st.integers(0, PIECES - 1), max_size=40))
def test_whatever_comes_twice_or_too_early_the_offset_is_the_length_without_a_gap(
    place: str, sender: Actor, order: list[int]
) -> None:
    parts = uploads.pieces(bytes(SIZE), 64 * KIB)
    token = uploads.begin(sender, place, bytes(SIZE), purpose="proof", name="x")
    have = 0
    for number in order:
        start, part = parts[number]
        if number > have:
            with pytest.raises(refusals.GapError) as refused:
                uploads.send(sender, token, start, part)
            assert refused.value.extra["offset"] == have * 64 * KIB
        else:
            have = max(have, number + 1)
            assert uploads.send(sender, token, start, part) == min(have * 64 * KIB, SIZE)
    starts = db.session.scalars(
        select(UploadPiece.start)
        .join(Upload, Upload.id == UploadPiece.upload_id)
        .where(Upload.token == token)
        .order_by(UploadPiece.start)
    ).all()
    assert starts == [number * 64 * KIB for number in range(have)]
    with command(sender) as ctx:
        service.discard(ctx, token)


@pytest.mark.parametrize(
    ("start", "length", "refused"),
    [
        (0, 100, refusals.PieceSizeError),
        (0, 64 * KIB - 1, refusals.PieceSizeError),
        (0, 1024 * KIB + 1, refusals.PieceSizeError),
        (0, 0, refusals.PieceSizeError),
        (1, 64 * KIB, refusals.GapError),
        (3000 * KIB - 64 * KIB, 64 * KIB + 1, refusals.PieceSizeError),
    ],
)
def test_a_piece_that_does_not_fit_is_refused(
    place: str, sender: Actor, start: int, length: int, refused: type[SaishiError]
) -> None:
    before = in_store()
    token = uploads.begin(sender, place, bytes(3000 * KIB))
    with pytest.raises(refused):
        uploads.send(sender, token, start, bytes(length))
    assert in_store() == before
    assert count(UploadPiece) == 0


def test_a_piece_that_overlaps_what_is_here_is_told_where_to_go_on(place: str, sender: Actor) -> None:
    token = uploads.begin(sender, place, bytes(300 * KIB))
    uploads.send(sender, token, 0, bytes(64 * KIB))
    with pytest.raises(refusals.GapError) as refused:
        uploads.send(sender, token, 32 * KIB, bytes(64 * KIB))
    assert refused.value.extra == {"offset": 64 * KIB}


def test_two_senders_of_the_same_piece_leave_one(place: str, sender: Actor, sent_jobs: Any) -> None:
    """Both have written it to the store before either has its row."""
    token = uploads.begin(sender, place, bytes(100 * KIB))
    first, second = (service.store_piece(sender, token, 0, bytes(64 * KIB)) for _ in range(2))
    for piece in (first, second):
        with command(sender) as ctx:
            assert service.record_piece(ctx, piece) == 64 * KIB
    assert count(UploadPiece) == 1
    assert second.sealed is not None
    assert (Job.FORGET_FILES, {"keys": [second.sealed.key]}) in sent_jobs


def test_nobody_elses_upload_exists(place: str, sender: Actor, workspace: Path) -> None:
    other = accounts.user(2)
    upload = uploads.ready(sender, place, workspace)
    for act in (
        lambda: queries.mine(other.require_signed_in(), upload.token),
        lambda: uploads.send(other, upload.token, 0, bytes(64 * KIB)),
        lambda: uploads.finish(other, upload.token),
        lambda: discard(other, upload.token),
        lambda: claim(other, place, upload.token),
    ):
        with pytest.raises(NotFoundError):
            act()
    assert queries.mine(sender.require_signed_in(), upload.token).state is UploadState.READY


def discard(actor: Actor, token: str) -> None:
    with command(actor) as ctx:
        service.discard(ctx, token)


def claim(actor: Actor, slug: str, *tokens: str, purpose: str = "proof", **more: Any) -> list[Any]:
    with command(actor) as ctx:
        return service.claim(
            ctx,
            tokens=tokens,
            user_id=actor.require_signed_in(),
            competition_id=competitions.queries.competition_id(slug),
            purpose=purpose,
            **more,
        )


def test_the_same_key_gives_the_same_upload_and_another_content_under_it_is_refused(
    place: str, sender: Actor
) -> None:
    token = uploads.begin(sender, place, bytes(1000), key="same-key")
    assert uploads.begin(sender, place, bytes(1000), key="same-key") == token
    with pytest.raises(refusals.KeyUsedError):
        uploads.begin(sender, place, bytes(1001), key="same-key")
    assert uploads.begin(accounts.user(2), place, bytes(1000), key="same-key") != token


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"size": 0}, "0 字节"),
        ({"size": 15 * 1024 * KIB + 1}, "超过了 15 MB"),
        ({"size": 20 * 1024 * KIB + 1, "name": "a.pdf"}, "超过了 20 MB"),
        ({"size": 20 * 1024 * KIB + 1, "name": "IMG_1"}, "超过了 20 MB"),
        ({"purpose": "holiday"}, "没有这种用途"),
    ],
)
def test_what_is_refused_at_the_start_says_the_limit(
    place: str, sender: Actor, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(SaishiError) as refused:
        uploads.begin(sender, place, b"x", **changes)
    assert words in str(refused.value.text)
    if "size" in changes:
        assert "JPEG、PNG、HEIC、WebP" in str(refused.value.next_step)


def test_who_may_send_what(place: str, sender: Actor) -> None:
    with pytest.raises(SignInRequiredError):
        uploads.begin(SYSTEM, place, b"x")
    with pytest.raises(ForbiddenError):
        uploads.begin(sender, place, b"x", purpose="desk")
    uploads.begin(accounts.user(3, Role.COMMITTEE), place, b"x", purpose="desk")


def test_open_uploads_and_the_bytes_of_a_day_are_bounded(
    place: str, sender: Actor, monkeypatch: pytest.MonkeyPatch, travel: Callable[[datetime], None]
) -> None:
    monkeypatch.setattr(rules, "OPEN_MOST", 2)
    monkeypatch.setattr(rules, "DAY_BYTES", 3000)
    first = uploads.begin(sender, place, bytes(1000))
    uploads.begin(sender, place, bytes(1000))
    with pytest.raises(refusals.TooManyOpenError):
        uploads.begin(sender, place, bytes(1000))
    discard(sender, first)
    with pytest.raises(refusals.DayFullError):  # what was discarded counts, or nothing would bound it
        uploads.begin(sender, place, bytes(1001))
    uploads.begin(accounts.user(2), place, bytes(1001))
    travel(NOON + timedelta(hours=25))
    uploads.begin(sender, place, bytes(1001))


def test_finishing_twice_queues_one_check_and_finishing_early_says_what_is_missing(
    place: str, sender: Actor, sent_jobs: Any
) -> None:
    token = uploads.begin(sender, place, bytes(100 * KIB))
    with pytest.raises(refusals.NotWholeError) as refused:
        uploads.finish(sender, token)
    assert refused.value.extra == {"offset": 0}
    uploads.send(sender, token, 0, bytes(100 * KIB))
    uploads.finish(sender, token)
    uploads.finish(sender, token)
    assert [job for job, _ in sent_jobs].count(Job.CLEAN_UPLOAD) == 1
    assert uploads.send(sender, token, 0, bytes(100 * KIB)) == 100 * KIB  # the answer to it was lost: no harm


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
        claim(sender, place, ready.token, other.token, most_pages=1)
    elsewhere = competitions.competition(slug="elsewhere").slug
    with pytest.raises(refusals.UploadNotFoundError):
        claim(sender, elsewhere, ready.token)
    assert claim(sender, place, ready.token, most_pages=1) == [ready.id]


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
    store.write("pieces/ab/orphan", [b"left by a crash"])
    written = max(moment for _, moment in store.keys("pieces"))
    service.delete_orphans(written - timedelta(days=1))
    assert "pieces/ab/orphan" in in_store()
    assert service.delete_orphans(written + timedelta(seconds=1)) >= 1
    assert "pieces/ab/orphan" not in in_store()
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

"""How a file comes in: pieces, their places, and what bounds them. On both databases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.actors import SYSTEM, Actor, Role
from app.audit.models import AuditEntry
from app.commands import command
from app.errors import ForbiddenError, NotFoundError, SaishiError, SignInRequiredError
from app.extensions import db
from app.files import store
from app.jobs import Job
from app.uploads import queries, rules, service
from app.uploads.models import StoredFile, Upload, UploadPiece
from app.uploads.rules import UploadState, refusals
from app.uploads.service import objects
from tests.app.uploads.looking import claim, count, deeds, discard, in_store
from tests.conftest import NOON
from tests.factories import accounts, uploads

KIB = 1024


def test_pieces_leave_no_entry_of_their_own_but_the_whole_names_their_hashes(
    place: str, sender: Actor
) -> None:
    uploads.whole(sender, place, uploads.photo(2, 1600, 1200, 95))
    assert deeds() == ["upload.begun", "upload.received"]
    entry = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert entry.details["pieces"] == count(UploadPiece) > 1
    assert len(entry.details["sha256_of_pieces"]) == 64


def test_no_transaction_is_open_while_a_piece_goes_to_the_store(
    place: str, sender: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, write, open_ones = uploads.begin(sender, place, bytes(10)), store.write, []

    def written(key: str, content: Any) -> store.Sealed:
        open_ones.append(db.session().in_transaction())
        return write(key, content)

    monkeypatch.setattr(store, "write", written)
    uploads.send(sender, token, 0, bytes(10))
    assert open_ones == [False]


def test_an_upload_of_more_pieces_than_one_statement_takes_is_deleted_whole(
    place: str, sender: Actor, monkeypatch: pytest.MonkeyPatch, sent_jobs: Any
) -> None:
    monkeypatch.setattr(objects, "IDS_AT_ONCE", 2)
    content = bytes(5 * 64 * KIB)
    token = uploads.begin(sender, place, content)
    for start, part in uploads.pieces(content, 64 * KIB):
        uploads.send(sender, token, start, part)
    keys = set(db.session.scalars(select(StoredFile.key)))
    sent_jobs.clear()
    discard(sender, token)
    assert (count(UploadPiece), count(StoredFile)) == (0, 0)
    (job,) = sent_jobs
    assert (job[0], set(job[1]["keys"]), len(keys)) == (Job.FORGET_FILES, keys, 5)


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

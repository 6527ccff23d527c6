"""The purge: what is deleted, when, that a crash anywhere changes nothing, that nothing remains, and what the report says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, inspect, select, text

from app import signing
from app.actors import SYSTEM, Actor, Role
from app.announcements import queries as published
from app.audit import chain
from app.audit import queries as audit
from app.clock import BEIJING
from app.commands import command
from app.competitions import queries as competitions
from app.database import decrypt
from app.documents.models import DeletionRequest, Document, PurgeItem, PurgeReport
from app.documents.queries import purging as queries
from app.documents.rules.purging import check
from app.documents.service import purging as service
from app.errors import ForbiddenError
from app.extensions import db
from app.files import store
from app.files.store import FileDamagedError, Sealed, StoreDownError
from app.jobs import Job
from app.mailbox.models import IncomingMessage
from app.mailbox.rules import bind_letters, bound_letters
from app.registrations import service as registrations_service
from app.registrations.models import Member
from app.registrations.rules.purging import HoldRefusedError
from app.uploads import service as uploads_service
from app.uploads.models import StoredFile, Upload, UploadFile, UploadPiece
from tasks import registrations as tasks
from tests.factories import accounts, announcements, mail, people, purges, reviews, uploads
from tests.factories import competitions as competition_factory
from tests.factories import registrations as make

DAY = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)
"""The first night on which it is due: 90 whole days after 5 December 2021."""

Travel = Callable[[datetime], None]


@pytest.fixture
def competition(session: Any) -> competitions.CompetitionView:
    for key, _ in list(store.keys()):  # of earlier tests
        store.delete([key])
    make.competition()
    purges.filled()
    return competitions.competition("beach")


def run(times: int = 1) -> None:
    for _ in range(times):
        tasks.purge.run()


def rows(*tables: Any) -> list[int]:
    return [db.session.scalar(select(func.count()).select_from(table)) or 0 for table in tables]


def test_nothing_goes_before_its_day(competition: Any, travel: Travel) -> None:
    before = rows(Document, Upload, StoredFile)
    travel(datetime(2022, 3, 5, 23, 59, 59, tzinfo=BEIJING))
    run()
    assert rows(Document, Upload, StoredFile) == before
    assert rows(PurgeReport) == [0]


def test_everything_of_the_proofs_goes_on_its_day_and_names_stay(competition: Any, travel: Travel) -> None:
    names = db.session.scalars(select(Member.name).order_by(Member.id)).all()
    travel(DAY)
    run(2)
    kept = {
        table: db.session.scalar(text(f"SELECT COUNT(*) FROM {table}"))
        for table in inspect(db.engine).get_table_names()
        if table.startswith(("document", "upload", "stored", "signature", "deletion", "purge_items"))
    }
    assert {table for table, count in kept.items() if count} == set()
    assert len(kept) >= 13
    assert list(store.keys()) == []
    assert db.session.scalars(select(Member.name).order_by(Member.id)).all() == names
    assert set(db.session.scalars(select(Member.id_number))) == {None}
    assert rows(PurgeReport) == [1]
    assert chain.first_broken(audit.entries()) is None


def test_letters_that_came_by_mail_go_with_their_files(competition: Any, travel: Travel) -> None:
    before = bound_letters()
    bind_letters(mail.Cases(competition.id, takes=False))
    try:
        mail.processed(mail.letter(files=(("公函.jpg", uploads.photo()),)))
    finally:
        bind_letters(before)
    travel(DAY)
    run(2)
    (letter,) = db.session.scalars(select(IncomingMessage))
    assert (letter.sender, letter.subject, letter.text, letter.head) == (None,) * 4
    assert rows(Upload, StoredFile) == [0, 0]
    (report,) = db.session.scalars(select(PurgeReport))
    assert json.loads(report.body)["rows"]["letters"] == 1


def test_no_text_of_any_row_holds_what_was_typed(competition: Any, travel: Travel) -> None:
    """Every text of every table, decrypted where it is encrypted."""
    assert any(purges.TYPED in each for each in _texts())
    travel(DAY)
    run()
    found = [each for each in _texts() if purges.TYPED in each or people.id_number(100) in each]
    assert found == []


def _texts() -> list[str]:
    found = []
    for table in inspect(db.engine).get_table_names():
        for row in db.session.execute(text(f"SELECT * FROM {table}")):
            for value in row:
                found.append(str(value))
                try:
                    found.append(decrypt(str(value)))
                except Exception:
                    continue
    db.session.rollback()
    return found


def test_the_report_lists_every_file_by_kind_and_hash_and_names_nobody(
    competition: Any, travel: Travel
) -> None:
    stored = sorted(db.session.scalars(select(StoredFile.sha256)))
    count = rows(StoredFile, UploadFile, UploadPiece)
    travel(DAY)
    run()
    [made] = queries.reports(competition)
    report = made.report
    assert sorted(each["sha256"] for each in report["files"]) == stored
    assert report["file_count"] == count[0] == sum(count[1:]) + 2  # and the two signed sheets
    assert {(each["kind"], each["role"]) for each in report["files"]} == {
        ("medical_certificate", "content"),
        ("medical_certificate", "preview"),
        ("medical_certificate", "thumbnail"),
        ("waiver", "signed_sheet"),
        ("", "piece"),
    }
    assert report["rows"] == {
        "contacts": 1,
        "decisions": 2,
        "deletion_requests": 2,
        "document_requests": 2,
        "document_warnings": 2,
        "documents": 4,
        "members": 2,
        "pages": 4,
        "readings": 2,
        "revisions": 4,
        "signatures": 2,
        "uploads": 5,
    }
    assert report["settings"] == {"purge_days": 90, "purge_day": "2022-03-06"}
    assert report["competition"] == "beach"
    for name in db.session.scalars(select(Member.name)):
        assert name not in made.body


def test_the_report_is_signed_and_a_changed_one_is_not(competition: Any, travel: Travel) -> None:
    travel(DAY)
    run()
    [made] = queries.reports(competition)
    found = check(made.file)
    assert found.fits
    assert found.public_key == signing.signer().public_key
    changed = json.loads(made.file)
    changed["report"]["rows"]["documents"] += 1
    assert not check(json.dumps(changed)).fits
    assert check(json.dumps(json.loads(made.file), indent=None)).fits  # its layout says nothing


class KilledError(BaseException):
    """Stands for kill -9: nothing of the process runs after it."""


def _states() -> tuple[list[int], list[Any]]:
    db.session.rollback()
    return rows(Document, Upload, StoredFile, PurgeItem, DeletionRequest), list(store.keys())


def test_killed_at_any_step_and_run_again_it_ends_the_same(
    competition: Any, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before and after a commit, and before and after objects are deleted, each time one such point later."""
    expected = sorted(db.session.scalars(select(StoredFile.sha256)))
    monkeypatch.setattr(service, "AT_ONCE", 1)
    monkeypatch.setattr(service, "OBJECTS_AT_ONCE", 3)
    travel(DAY)
    deletes, steps, kills = store.delete, 0, 0

    def passing(step: int) -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            raise KilledError

    for step in range(1, 200):
        steps = 0

        def deleting(keys: Any, step: int = step) -> None:
            passing(step)
            deletes(keys)
            passing(step)

        @contextmanager
        def one_command(actor: Actor, step: int = step) -> Iterator[Any]:
            with command(actor) as ctx:
                yield ctx
                passing(step)  # everything written, nothing committed
            passing(step)

        with monkeypatch.context() as patch:
            patch.setattr(store, "delete", deleting)
            patch.setattr(tasks, "command", one_command)
            try:
                run()
            except KilledError:
                kills += 1
        if rows(PurgeReport) == [1]:
            break
    assert kills >= 2
    run()
    assert _states() == ([0, 0, 0, 0, 0], [])
    [made] = queries.reports(competition)
    assert sorted(each["sha256"] for each in made.report["files"]) == expected
    assert made.report["rows"]["documents"] == 4


def test_a_store_that_is_down_holds_up_the_report_and_not_the_keys(
    competition: Any, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    travel(DAY)

    def down(_keys: Any) -> None:
        raise StoreDownError("down")

    with monkeypatch.context() as patch:
        patch.setattr(store, "delete", down)
        with pytest.raises(StoreDownError):
            run()
    db.session.rollback()
    assert rows(StoredFile, PurgeReport) == [0, 0]
    run()
    assert rows(PurgeItem, PurgeReport) == [0, 1]
    assert list(store.keys()) == []


def test_a_copy_from_before_the_purge_cannot_be_decrypted_with_what_the_database_holds(
    competition: Any, travel: Travel
) -> None:
    sealed = [
        Sealed(row.key, row.wrapped_key, row.key_id, row.size, row.sha256)
        for row in db.session.scalars(select(StoredFile))
    ]
    copies = purges.plant_copies()
    assert b"".join(store.read(sealed[0]))
    travel(DAY)
    run()
    purges.put_back(copies)
    assert rows(StoredFile) == [0]
    foreign, key_id = store.write("probe/other", [b"x"]).wrapped_key, sealed[0].key_id
    for each in sealed:
        with pytest.raises(FileDamagedError):  # any other key the installation has does not open it
            b"".join(store.read(Sealed(each.key, foreign, key_id, each.size, each.sha256)))


def test_raw_bytes_of_a_sqlite_database_keep_no_wrapped_key(competition: Any, travel: Travel) -> None:
    if db.engine.dialect.name != "sqlite":
        return  # PostgreSQL overwrites dead rows when it vacuums; the runbook says so
    for serial in range(2, 9):
        purges.filled(serial, members=2)
    keys = purges.wrapped_keys()
    assert len(keys) > 100
    db.session.remove()
    assert any(key.encode() in content for key in keys for _, content in purges.database_bytes())
    travel(DAY)
    run()
    db.session.remove()
    left = {name for key in keys for name, content in purges.database_bytes() if key.encode() in content}
    assert left == set()


def test_a_hold_keeps_everything_through_its_day(competition: Any, travel: Travel) -> None:
    organiser = accounts.user(9, Role.ORGANISER)
    travel(DAY)
    before = rows(Document, StoredFile)
    with command(organiser) as ctx:
        registrations_service.hold(ctx, slug="beach", reason="申诉尚未答复", until=date(2022, 3, 20))
    run()
    assert rows(Document, StoredFile) == before
    assert set(db.session.scalars(select(Member.id_number))) != {None}
    travel(DAY + timedelta(days=14))
    run()
    assert rows(Document, StoredFile) == before
    travel(DAY + timedelta(days=15))
    run()
    assert rows(Document, StoredFile) == [0, 0]


def test_a_hold_that_is_released_lets_the_next_night_delete(competition: Any, travel: Travel) -> None:
    organiser = accounts.user(9, Role.ORGANISER)
    travel(DAY)
    with command(organiser) as ctx:
        registrations_service.hold(ctx, slug="beach", reason="申诉尚未答复", until=date(2022, 3, 20))
    for _ in range(2):
        with command(organiser) as ctx:
            registrations_service.release_hold(ctx, slug="beach")
    run()
    assert rows(Document) == [0]


def test_only_the_organiser_holds_and_needs_a_reason_and_a_day_within_a_year(competition: Any) -> None:
    with pytest.raises(ForbiddenError), command(reviews.reviewer()) as ctx:
        registrations_service.hold(ctx, slug="beach", reason="申诉", until=date(2022, 3, 20))
    organiser = accounts.user(9, Role.ORGANISER)
    for reason, until, place in (
        (" ", date(2021, 11, 1), "reason"),
        ("申" * 201, date(2021, 11, 1), "reason"),
        ("申诉", date(2021, 10, 24), "until"),
        ("申诉", date(2022, 10, 27), "until"),
    ):
        with pytest.raises(HoldRefusedError) as refused, command(organiser) as ctx:
            registrations_service.hold(ctx, slug="beach", reason=reason, until=until)
        assert list(refused.value.fields) == [place]


def test_what_comes_after_a_purge_goes_the_next_night_with_a_report_of_its_own(
    competition: Any, travel: Travel
) -> None:
    late = make.leader(2)
    travel(DAY)
    run()
    assert queries.due(DAY.astimezone(UTC), 90) == ()
    purges.uploads.whole(late, "beach", purges.uploads.photo())
    run()
    newest, first = queries.reports(competition)
    assert newest.report["rows"] == {"contacts": 0, "members": 0, "uploads": 1}
    assert first.report["rows"]["uploads"] == 5


def test_another_competition_keeps_everything(competition: Any, travel: Travel) -> None:
    later = {"check_in": "2022-06-01", "play_from": "2022-06-02", "play_to": "2022-06-03"}
    competition_factory.competition(slug="later", calendar=later | {"leave_by": "2022-06-04T12:00:00+08:00"})
    purges.filled(5, slug="later")
    kept = rows(Document)[0] - 4
    travel(DAY)
    run()
    assert rows(Document) == [kept]
    other = competitions.competition("later")
    assert queries.reports(other) == ()


def test_the_log_tells_of_nobody(competition: Any, travel: Travel, capfd: pytest.CaptureFixture[str]) -> None:
    names = db.session.scalars(select(Member.name)).all()
    travel(DAY)
    run()
    said = "".join(capfd.readouterr())
    for secret in (purges.TYPED, people.id_number(100), *names):
        assert secret not in said


def test_a_check_that_is_under_way_leaves_nothing_behind(
    session: Any, travel: Travel, tmp_path: Path, sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    """The worker ends its check after the purge: what it stored has no row, and goes; so does its folder."""
    for key, _ in list(store.keys()):
        store.delete([key])
    make.competition()
    late = make.submitted(1)
    travel(DAY)
    upload = purges.uploads.whole(late, "beach", purges.uploads.photo())
    with command(SYSTEM) as ctx:
        work = uploads_service.take(ctx, upload.id)
    assert work is not None
    outcome = uploads_service.check(work, tmp_path)
    run()
    with command(SYSTEM) as ctx:
        uploads_service.record_check(ctx, work, outcome)
    for job, arguments in sent_jobs:
        if job is Job.FORGET_FILES:
            store.delete(arguments["keys"])
    assert list(store.keys()) == []
    assert rows(Upload, StoredFile, UploadFile, UploadPiece) == [0, 0, 0, 0]
    assert list(tmp_path.iterdir()) == []


def test_announcements_stay_with_their_attachments(competition: Any, travel: Travel, tmp_path: Path) -> None:
    committee = announcements.committee("beach")
    upload = announcements.attachment(committee, "beach", tmp_path)
    view = announcements.announce(committee, "beach", tokens=[upload.token])
    travel(DAY)
    run(2)
    name, file = published.attachment(competition.id, view.id, upload.id, DAY)
    assert name == view.attachments[0].name
    assert len(b"".join(store.read(file.sealed))) == file.sealed.size
    assert [each.text for each in published.public(competition.id, DAY)] == [view.text]

"""The text check as the worker runs it: marks beside the typed data, encrypted, deciding nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from app import clock
from app.actors import SYSTEM, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.models import DocumentReading
from app.documents.queries import DocumentView, desk
from app.documents.rules import DocumentState, Subject
from app.documents.rules.reading import Agreement, Finding
from app.files import reading
from app.files.reading import Line, ReadingFailedError
from app.jobs import Job
from app.registrations.models import Member
from tests.factories import documents, registrations, uploads
from tests.factories import undertakings as undertakings_factory
from tests.factories.certificates import certificate

Travel = Callable[[datetime], None]


@pytest.fixture
def leader(session: Any) -> Actor:
    registrations.competition()
    return registrations.submitted()


def handed_in(person: Actor, folder: Path, picture: bytes = b"", day: str = "2021-10-20") -> DocumentView:
    token = uploads.ready(person, "beach", folder, picture).token
    with command(person) as ctx:
        made = service.hand_in(
            ctx,
            slug="beach",
            subject=str(Subject(member_id=documents.first_member(person))),
            kind="medical_certificate",
            idempotency_key="key-00000001",
            tokens=[token],
            values={"issued_on": day},
        )
    return queries.document(made)


def check(document: DocumentView, folder: Path) -> bool:
    """What the worker does; whether there was something to do."""
    with command(SYSTEM) as ctx:
        work = service.reading_to_make(ctx, document.newest.id)
    if work is None:
        return False
    found = service.read(work, folder)
    with command(SYSTEM) as ctx:
        service.record_reading(ctx, work, found)
    return True


def marks(document: DocumentView) -> dict[str, Finding]:
    return dict(desk.desk(competitions.competition("beach"), document.id, clock.now()).reading)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``reads("姓名：…")``: the reader gives these lines, or fails where there are none."""

    def to(*lines: str) -> None:
        def read_apart(*_: Any, **__: Any) -> tuple[Line, ...]:
            if not lines:
                raise ReadingFailedError("time")
            return tuple(Line(line, 990) for line in lines)

        monkeypatch.setattr(reading, "read_apart", read_apart)

    return to


def test_a_photographed_certificate_is_read_and_marked(leader: Actor, session: Any, tmp_path: Path) -> None:
    member = session.get_one(Member, documents.first_member(leader))
    picture = certificate(
        ["体检证明", f"姓名：{member.name}", f"身份证号：{member.id_number}", "出具日期：2021年10月21日"],
        turn=1.5,
    )
    document = handed_in(leader, tmp_path, picture)
    assert check(document, tmp_path)
    assert marks(document) == {
        "holder": Finding(Agreement.AGREES),
        "id_number": Finding(Agreement.AGREES),
        "issued_on": Finding(Agreement.DOUBT, "2021-10-21"),
    }
    assert queries.document(document.id).state is DocumentState.UPLOADED
    assert list(tmp_path.iterdir()) == []


def test_handing_in_asks_for_a_check_and_the_sweep_finds_a_lost_one(
    leader: Actor, tmp_path: Path, sent_jobs: list[Any], reads: Callable[..., None]
) -> None:
    document = handed_in(leader, tmp_path)
    job = (Job.READ_DOCUMENT, {"revision_id": document.newest.id})
    assert job in sent_jobs
    sent_jobs.clear()
    with command(SYSTEM) as ctx:
        assert service.sweep_readings(ctx) == 1
    assert sent_jobs == [job]
    reads("姓名：陈大文")
    assert check(document, tmp_path)
    assert not check(document, tmp_path)
    with command(SYSTEM) as ctx:
        assert service.sweep_readings(ctx) == 0


def test_what_was_read_is_unreadable_in_the_database_and_in_the_log(
    leader: Actor, session: Any, tmp_path: Path, reads: Callable[..., None]
) -> None:
    document = handed_in(leader, tmp_path)
    reads("姓名：陈大文", "出具日期：2021年10月26日")
    check(document, tmp_path)
    raw = str(session.connection().exec_driver_sql("SELECT findings FROM document_readings").one())
    logged = str(
        session.connection()
        .exec_driver_sql("SELECT details FROM audit_entries WHERE action = 'document.text_checked'")
        .all()
    )
    for secret in ("陈大文", "2021-10-26", "\\u9648"):
        assert secret not in raw
        assert secret not in logged
    assert "doubt" in logged
    assert marks(document)["holder"] == Finding(Agreement.DOUBT, "陈大文")


def test_a_reader_that_fails_leaves_no_mark_and_is_not_tried_again(
    leader: Actor, tmp_path: Path, reads: Callable[..., None]
) -> None:
    document = handed_in(leader, tmp_path)
    reads()
    assert check(document, tmp_path)
    assert marks(document) == {}
    assert not check(document, tmp_path)


def test_a_worker_that_died_is_given_up_after_its_time(
    leader: Actor, session: Any, tmp_path: Path, travel: Travel
) -> None:
    document = handed_in(leader, tmp_path)
    with command(SYSTEM) as ctx:
        work = service.reading_to_make(ctx, document.newest.id)
    assert work is not None
    travel(clock.now() + timedelta(minutes=11))
    with command(SYSTEM) as ctx:
        assert service.sweep_readings(ctx) == 1
        service.record_reading(ctx, work, {"holder": Finding(Agreement.AGREES)})
    assert session.get_one(DocumentReading, document.newest.id).state == "failed"


def test_a_document_withdrawn_meanwhile_keeps_no_reading(leader: Actor, session: Any, tmp_path: Path) -> None:
    document = handed_in(leader, tmp_path)
    with command(SYSTEM) as ctx:
        work = service.reading_to_make(ctx, document.newest.id)
    assert work is not None
    with command(leader) as ctx:
        service.withdraw(ctx, slug="beach", subject=str(document.subject), kind=document.kind)
    with command(SYSTEM) as ctx:
        service.record_reading(ctx, work, {"holder": Finding(Agreement.AGREES)})
    assert session.scalar(select(func.count()).select_from(DocumentReading)) == 0


def test_an_undertaking_signed_on_the_phone_is_not_read(leader: Actor, tmp_path: Path) -> None:
    document = undertakings_factory.sign(leader)
    undertakings_factory.make_sheet(document, tmp_path)
    assert not check(document, tmp_path)
    with command(SYSTEM) as ctx:
        assert service.sweep_readings(ctx) == 0


def test_without_the_extra_nothing_is_read_and_nothing_shown(
    leader: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "available", lambda: False)
    document = handed_in(leader, tmp_path)
    assert not check(document, tmp_path)
    assert marks(document) == {}

"""Signing an undertaking: bound to the text on the screen, made into a sheet, signed again only when the text changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from sqlalchemy import func, select

from app import clock
from app.actors import ANONYMOUS, SYSTEM, Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.models import DocumentPage, Signature
from app.documents.queries import desk, looks
from app.documents.rules import (
    ChecklistState,
    DocumentState,
    HandInClosedError,
    NotSignableError,
    Subject,
    TextChangedError,
    UnknownDocumentError,
    UnsignedError,
)
from app.documents.rules.checklist import Row
from app.documents.service.erasing import erase_documents
from app.documents.service.sheets import SheetWork
from app.errors import SignInRequiredError
from app.files import store
from app.jobs import Job
from app.registrations import service as registrations_service
from app.text import BEIJING
from app.uploads import queries as upload_queries
from app.uploads.models import StoredFile, Upload
from app.uploads.rules import FileRole
from tests.factories import amendments, documents, registrations, reviews
from tests.factories import undertakings as make

Travel = Callable[[datetime], None]


@pytest.fixture
def leader(session: Any) -> Actor:
    registrations.competition()
    return registrations.submitted(members=2)


def row_of(person: Actor) -> Row:
    unit = queries.my_lists(competitions.competition("beach"), person.require_signed_in(), clock.now())
    assert unit is not None
    row = unit.list_of(Subject(member_id=documents.first_member(person))).row("waiver")
    assert row is not None
    return row


def actions(session: Any) -> list[str]:
    return list(session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))


def test_a_signature_is_handed_in_with_the_text_its_hash_and_its_strokes(
    leader: Actor, session: Any, sent_jobs: list[Any]
) -> None:
    text = make.text_of(leader)
    document = make.sign(leader)
    signed = make.signature(document)
    assert (signed.text, signed.text_sha256) == (text.text, hashlib.sha256(text.text.encode()).hexdigest())
    assert signed.strokes == make.STROKES
    assert signed.signed_at == clock.now()
    assert document.state is DocumentState.UPLOADED
    assert document.newest.values == {"issued_on": clock.now().astimezone(BEIJING).date().isoformat()}
    assert row_of(leader).state is ChecklistState.UPLOADED
    assert (Job.MAKE_SIGNED_SHEET, {"revision_id": document.newest.id}) in sent_jobs
    assert actions(session)[-1] == "document.signed"


def test_text_and_strokes_are_unreadable_in_the_database(leader: Actor, session: Any) -> None:
    make.sign(leader)
    raw = str(session.connection().exec_driver_sql("SELECT text, strokes FROM signatures").one())
    assert "承诺" not in raw
    assert "300" not in raw or make.STROKES not in raw


def test_the_same_signing_twice_is_one(leader: Actor, session: Any) -> None:
    first, second = make.sign(leader), make.sign(leader)
    assert first.newest.id == second.newest.id
    assert session.scalar(select(func.count()).select_from(Signature)) == 1


def test_a_text_that_is_not_the_one_of_now_is_refused_and_nothing_is_stored(
    leader: Actor, session: Any
) -> None:
    with pytest.raises(TextChangedError) as refused:
        make.sign(leader, text=make.text_of(leader).text.replace("三亚", "海口"))
    assert refused.value.extra == {"gone": ["地点：海口"], "new": ["地点：三亚"]}
    assert session.scalar(select(func.count()).select_from(Signature)) == 0


def test_without_strokes_nothing_is_signed(leader: Actor, session: Any) -> None:
    with pytest.raises(UnsignedError):
        make.sign(leader, strokes="")
    assert session.scalar(select(func.count()).select_from(Signature)) == 0


def test_only_the_leader_signs_without_a_link_and_only_for_his_own_members(leader: Actor) -> None:
    text = make.text_of(leader).text
    subject = str(Subject(member_id=documents.first_member(leader)))
    sent = {
        "subject": subject,
        "kind": "waiver",
        "language": "zh",
        "text": text,
        "strokes": make.STROKES,
        "idempotency_key": "key-00000002",
    }
    other = registrations.submitted(5)
    with pytest.raises(UnknownDocumentError), command(other) as ctx:
        service.sign(ctx, slug="beach", **sent)
    with pytest.raises(SignInRequiredError), command(ANONYMOUS) as ctx:
        service.sign(ctx, slug="beach", **sent)
    with pytest.raises(NotSignableError), command(leader) as ctx:
        service.sign(ctx, slug="beach", **(sent | {"kind": "medical_certificate"}))


def test_after_its_time_nothing_is_signed(leader: Actor, travel: Travel) -> None:
    travel(datetime(2021, 11, 20, 12, 0, tzinfo=BEIJING))
    with pytest.raises(HandInClosedError):
        make.sign(leader)


def test_the_regulation_may_let_the_signature_be_enough(session: Any) -> None:
    documents.competition({"waiver": {"after_signing": "accept"}})
    leader = registrations.submitted()
    document = make.sign(leader)
    assert (document.state, document.decided_by_id) == (DocumentState.ACCEPTED, None)
    assert document.decided_at == clock.now()
    assert row_of(leader).state is ChecklistState.ACCEPTED


def test_the_sheet_holds_the_text_and_is_the_same_every_time(leader: Actor, tmp_path: Path) -> None:
    document = make.sign(leader)
    make.make_sheet(document, tmp_path)
    signed = make.signature(document)
    assert signed.pdf_id is not None
    (page,) = queries.document(document.id).uploads
    stored = upload_queries.stored(page.upload_id, FileRole.CONTENT)
    content = b"".join(store.read(stored.sealed))
    assert content.startswith(b"%PDF")
    printed = pypdfium2.PdfDocument(content)[0].get_textpage().get_text_bounded().replace("\r\n", "")
    assert "参赛免责和防疫承诺书" in printed
    assert signed.text_sha256[:32] in printed
    assert signed.text_sha256[32:] in printed
    work = SheetWork(document.newest.id, signed.text, signed.text_sha256, signed.strokes, signed.signed_at)
    again = service.make_sheet(work, tmp_path, "")
    assert again.files[0].sealed.sha256 == stored.sealed.sha256
    assert list(tmp_path.iterdir()) == []


def test_the_reviewer_sees_the_sheet_as_a_page_and_cannot_have_looked_at_one_that_is_not_made(
    leader: Actor, tmp_path: Path
) -> None:
    document = make.sign(leader)
    reviewer = reviews.reviewer(0)
    assert reviewer.user_id is not None
    assert not looks.looked_at(document.id, 1, reviewer.user_id)
    make.make_sheet(document, tmp_path)
    shown = desk.desk(competitions.competition("beach"), document.id, clock.now())
    (picture,) = shown.pictures
    assert picture.media_type == "application/pdf"
    assert shown.signed_pdf
    assert upload_queries.stored(
        queries.document(document.id).uploads[0].upload_id, FileRole.PREVIEW, 1
    ).media_type == ("image/jpeg")


def test_a_sheet_made_twice_is_kept_once_and_a_lost_job_is_found(
    leader: Actor, session: Any, tmp_path: Path, sent_jobs: list[Any]
) -> None:
    document = make.sign(leader)
    sent_jobs.clear()
    with command(SYSTEM) as ctx:
        assert service.sweep_sheets(ctx) == 1
        work = service.sheet_to_make(ctx, document.newest.id)
    assert sent_jobs == [(Job.MAKE_SIGNED_SHEET, {"revision_id": document.newest.id})]
    assert work is not None
    for made in [service.make_sheet(work, tmp_path, "") for _ in range(2)]:
        with command(SYSTEM) as ctx:
            service.keep_sheet(ctx, work, made)
    assert session.scalar(select(func.count()).select_from(DocumentPage)) == 1
    assert sent_jobs[-1][0] is Job.FORGET_FILES
    with command(SYSTEM) as ctx:
        assert service.sweep_sheets(ctx) == 0
        assert service.sheet_to_make(ctx, document.newest.id) is None


def test_withdrawing_deletes_signature_and_sheet(leader: Actor, session: Any, tmp_path: Path) -> None:
    make.make_sheet(make.sign(leader), tmp_path)
    subject = str(Subject(member_id=documents.first_member(leader)))
    with command(leader) as ctx:
        service.withdraw(ctx, slug="beach", subject=subject, kind="waiver")
    for table in (Signature, DocumentPage, StoredFile, Upload):
        assert session.scalar(select(func.count()).select_from(table)) == 0
    assert row_of(leader).state is ChecklistState.MISSING


def test_deleting_for_good_leaves_no_row_and_counts_each_object_once(
    leader: Actor, session: Any, tmp_path: Path
) -> None:
    document = make.sign(leader)
    make.make_sheet(document, tmp_path)
    keys = list(session.scalars(select(StoredFile.key)))
    with command(SYSTEM) as ctx:
        erased = erase_documents(ctx, [document.id])
    assert sorted(each.key for each in erased.files) == sorted(keys)
    for table in (Signature, DocumentPage, StoredFile, Upload):
        assert session.scalar(select(func.count()).select_from(table)) == 0


def test_a_new_version_asks_for_a_new_signature_only_when_the_text_is_another(leader: Actor) -> None:
    make.sign(leader)

    def fewer_pages(document: dict[str, Any]) -> None:
        document["documents"][0]["max_pages"] = 3

    amendments.published("beach", fewer_pages)
    assert row_of(leader).state is ChecklistState.UPLOADED

    def later(document: dict[str, Any]) -> None:
        document["calendar"]["play_to"]["at"] = "2021-12-06"
        document["calendar"]["leave_by"]["at"] = "2021-12-07T14:00:00+08:00"

    amendments.published("beach", later)
    row = row_of(leader)
    assert (row.state, row.to_do) == (ChecklistState.EXPIRED, True)
    assert "重新签署" in str(row.warnings[0].text)
    make.sign(leader, idempotency_key="key-00000002")
    assert row_of(leader).state is ChecklistState.UPLOADED


def test_a_corrected_name_asks_for_a_new_signature(leader: Actor) -> None:
    make.sign(leader)
    with command(leader) as ctx:
        registrations_service.change_member(
            ctx,
            slug="beach",
            member_id=documents.first_member(leader),
            **registrations.member_form(100, name="林小曼"),
        )
    assert row_of(leader).state is ChecklistState.EXPIRED


def test_a_fingerprint_of_text_or_file_is_known_and_says_nothing_about_the_person(
    leader: Actor, session: Any, tmp_path: Path
) -> None:
    document = make.sign(leader)
    make.make_sheet(document, tmp_path)
    signed = make.signature(document)
    of_file = session.get_one(StoredFile, signed.pdf_id).sha256
    for written in (signed.text_sha256, of_file, " " + signed.text_sha256.upper()):
        found = queries.verified(written)
        assert found is not None
        assert (found.slug, found.sha256, found.newest) == ("beach", signed.text_sha256, True)
        assert make.text_of(leader).name not in str(found)
    make.sign(leader, idempotency_key="key-00000002", language="en")
    again = queries.verified(signed.text_sha256)
    assert again is not None
    assert not again.newest
    for unknown in ("", "0" * 64, "abc", signed.text_sha256[:63]):
        assert queries.verified(unknown) is None


def test_whoever_knows_name_and_event_still_cannot_guess_the_fingerprint(leader: Actor) -> None:
    first, second = make.text_of(leader), make.text_of(registrations.submitted(7))
    assert len(first.number.replace("-", "")) == 20
    assert first.number != second.number
    assert first.number in first.text

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from app import clock
from app.accounts.models import User
from app.actors import SYSTEM
from app.audit.models import AuditEntry
from app.commands import command
from app.extensions import db
from app.files import store
from app.jobs import Job
from app.mailbox import queries, service
from app.mailbox.models import IncomingFile, IncomingMessage
from app.mailbox.rules import ANSWERS_A_DAY, ATTEMPTS_MOST, LETTERS_A_DAY, MOST_FILES, bind_letters
from app.notifications.letters import LetterKind
from app.notifications.models import Message
from app.notifications.queries import address_hash
from app.uploads.models import StoredFile, Upload
from app.uploads.queries import sealed_of
from tests.conftest import NOON
from tests.factories import accounts, competitions, mail
from tests.factories.uploads import photo


def row(incoming_id: int) -> IncomingMessage:
    db.session.rollback()
    return db.session.get_one(IncomingMessage, incoming_id)


def answers() -> list[Message]:
    db.session.rollback()
    return list(db.session.scalars(select(Message).where(Message.kind == LetterKind.MAIL_RECEIVED.value)))


@pytest.fixture
def competition_id(session: Any) -> int:
    return competitions.competition().id


def test_a_letter_of_a_known_competition_becomes_a_case_with_its_files(
    competition_id: int, tmp_path: Path, sent_jobs: list[Any]
) -> None:
    cases = mail.Cases(competition_id)
    bind_letters(cases)
    incoming_id = mail.processed(mail.letter(files=(("公函.jpg", photo()), ("证据.pdf", b"%PDF-1.4 broken"))))
    found = row(incoming_id)
    assert (found.state, found.case_number) == ("processed", f"YY2021-{incoming_id:04d}")
    assert cases.taken == [incoming_id]
    assert found.raw_file_id is None
    letter = queries.letter(incoming_id)
    assert [(each.position, each.name) for each in letter.files] == [(1, "公函.jpg"), (2, "证据.pdf")]
    for each in letter.files:
        assert each.upload_id is not None
        assert (Job.CLEAN_UPLOAD, {"upload_id": each.upload_id}) in sent_jobs
        mail.check(each.upload_id, tmp_path)
    states = db.session.scalars(select(Upload.state).order_by(Upload.id)).all()
    assert states == ["ready", "refused"]
    (answer,) = answers()
    assert answer.automatic
    assert answer.in_reply_to == "1@unit1.example.cn"
    assert f"YY2021-{incoming_id:04d}" in answer.subject
    assert answer.recipient == "leader1@unit1.example.cn"


def test_an_archive_that_unfolds_without_end_is_refused_by_cleaning(
    competition_id: int, tmp_path: Path
) -> None:
    bind_letters(mail.Cases(competition_id))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"\0" * 20_000_000)
    incoming_id = mail.processed(mail.letter(files=(("证据.zip", out.getvalue()),)))
    (file,) = queries.letter(incoming_id).files
    assert file.upload_id is not None
    mail.check(file.upload_id, tmp_path)
    assert db.session.get_one(Upload, file.upload_id).state == "refused"


def test_a_letter_of_no_known_competition_waits_whole_until_somebody_places_it(competition_id: int) -> None:
    bind_letters(mail.Cases(None, takes=False))
    incoming_id = mail.processed(mail.letter(files=(("公函.jpg", photo()),)))
    found = row(incoming_id)
    assert (found.state, found.reason, found.competition_id) == ("triage", "unplaced", None)
    assert found.raw_file_id is not None
    assert [each.upload_id for each in queries.letter(incoming_id).files] == [None]
    assert db.session.scalar(select(func.count()).select_from(Upload)) == 0
    assert [answer.subject.endswith(f"LX-{incoming_id:06d}") for answer in answers()] == [True]

    cases = mail.Cases(None)
    bind_letters(cases)
    sorter = competitions.organiser()
    with command(sorter) as ctx:
        service.assign(
            ctx, incoming_id, competition_id=competition_id, unit_id=7, case_number=" yy2021-0042 "
        )
    mail.process(incoming_id)
    letter = queries.letter(incoming_id)
    assert (letter.unit_id, letter.case_numbers, letter.competition_id) == (
        7,
        ("YY2021-0042",),
        competition_id,
    )
    assert cases.taken == [incoming_id]
    assert [each.upload_id is not None for each in letter.files] == [True]
    assert row(incoming_id).raw_file_id is None
    assert len(answers()) == 2, "the second one says the number of the case"


def test_without_cases_every_letter_waits_for_somebody(session: Any) -> None:
    bind_letters(None)
    assert row(mail.processed(mail.letter())).reason == "unplaced"


def test_a_case_that_cannot_be_made_is_left_to_people(competition_id: int) -> None:
    bind_letters(mail.Cases(competition_id, takes=False))
    found = row(mail.processed(mail.letter()))
    assert (found.state, found.reason, found.competition_id) == ("triage", "unmatched", competition_id)


def test_an_answer_to_a_letter_of_ours_goes_to_its_competition(competition_id: int) -> None:
    bind_letters(None)
    _, message_id = mail.sent_letter("leader1@unit1.example.cn", competition_id)
    incoming_id = mail.processed(mail.letter(headers=f"In-Reply-To: <{message_id}>\r\n"))
    assert queries.letter(incoming_id).answers == (competition_id,)
    assert row(incoming_id).competition_id == competition_id


def test_the_accounts_that_confirmed_the_senders_address_are_named(session: Any) -> None:
    person = accounts.user(5)
    user = session.get_one(User, person.user_id)
    user.email, user.email_hash = "leader1@unit1.example.cn", address_hash("leader1@unit1.example.cn")
    session.commit()
    incoming_id = mail.stored(mail.letter(sender="Somebody <Leader1@Unit1.example.cn>"))
    assert queries.letter(incoming_id).user_ids == (), "typed, and not confirmed"
    session.get_one(User, person.user_id).email_confirmed_at = NOON
    session.commit()
    assert queries.letter(incoming_id).user_ids == (person.user_id,)


@pytest.mark.parametrize(
    ("headers", "kind", "state"),
    [
        ("Auto-Submitted: auto-replied\r\n", "automatic", "set_aside"),
        ("Precedence: bulk\r\n", "automatic", "set_aside"),
        ("Return-Path: <>\r\n", "automatic", "set_aside"),
        ("List-Id: <sport.lists.example.cn>\r\n", "list", "triage"),
    ],
)
def test_machines_and_lists_get_no_answer(session: Any, headers: str, kind: str, state: str) -> None:
    found = row(mail.processed(mail.letter(headers=headers)))
    assert (found.kind, found.state) == (kind, state)
    assert answers() == []


@pytest.mark.parametrize(
    "sender", ["office@saishi.example.cn", "no-reply@shop.example.cn", "", "MAILER-DAEMON"]
)
def test_nobody_who_cannot_read_it_gets_an_answer(session: Any, sender: str) -> None:
    mail.processed(mail.letter(sender=sender or "undisclosed"))
    assert answers() == []


def test_our_own_letter_that_comes_back_is_a_loop(session: Any) -> None:
    _, message_id = mail.sent_letter("leader1@unit1.example.cn")
    raw = mail.letter().replace(b"<1@unit1.example.cn>", f"<{message_id}>".encode())
    found = row(mail.processed(raw))
    assert (found.kind, found.state) == ("loop", "set_aside")
    assert answers() == []


def test_two_machines_that_answer_each_other_stop_after_a_few(session: Any, travel: Any) -> None:
    for number in range(ANSWERS_A_DAY + 3):
        mail.processed(mail.letter(number, sender="robot@unit.example.cn"))
    assert len(answers()) == ANSWERS_A_DAY
    travel(NOON + timedelta(hours=25))
    mail.processed(mail.letter(99, sender="robot@unit.example.cn"))
    assert len(answers()) == ANSWERS_A_DAY + 1


def test_a_flood_of_one_address_waits_for_somebody(competition_id: int) -> None:
    cases = mail.Cases(competition_id)
    bind_letters(cases)
    for number in range(LETTERS_A_DAY + 2):
        last = mail.processed(mail.letter(number, sender="flood@unit.example.cn"))
    assert len(cases.taken) == LETTERS_A_DAY
    assert (row(last).state, row(last).reason) == ("triage", "many_came")


def test_a_bounce_is_told_to_the_outbox(session: Any) -> None:
    sent, message_id = mail.sent_letter("gone@unit1.example.cn")
    report = (
        "From: MAILER-DAEMON@mx.example.cn\r\nTo: saishi@saishi.example.cn\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        "Return-Path: <>\r\nMessage-ID: <b1@mx.example.cn>\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\n\r\nsorry\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.cn\r\n\r\n"
        "Final-Recipient: rfc822; gone@unit1.example.cn\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        "Diagnostic-Code: smtp; 550 5.1.1 <gone@unit1.example.cn>: no such user\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{message_id}>\r\nSubject: x\r\n--b--\r\n"
    ).encode()
    found = row(mail.processed(report))
    assert (found.kind, found.state, found.reason) == ("bounce", "processed", "bounce")
    bounced = db.session.get_one(Message, sent)
    assert bounced.state == "failed"
    assert bounced.bounce is not None
    assert "550 5.1.1" in bounced.bounce
    assert "gone@" not in bounced.bounce
    other = row(mail.processed(report.replace(message_id.encode(), b"unknown@elsewhere.example.cn")))
    assert other.state == "set_aside"


def test_a_thousand_attachments_are_counted_and_twenty_taken(competition_id: int) -> None:
    bind_letters(mail.Cases(competition_id))
    files = tuple((f"{number}.jpg", b"x" * (number + 1)) for number in range(1000))
    incoming_id = mail.processed(mail.letter(files=files))
    found = queries.letter(incoming_id).files
    assert sum(each.upload_id is not None for each in found) == MOST_FILES
    assert {each.refusal for each in found} == {None, "too_many"}
    assert "没有收下" in answers()[0].body


def test_what_is_too_large_is_answered_so(session: Any) -> None:
    incoming_id = mail.stored(
        mail.letter(subject="异议").partition(b"\r\n\r\n")[0] + b"\r\n\r\n", size=60_000_000
    )
    mail.process(incoming_id)
    found = row(incoming_id)
    assert (found.kind, found.state, found.reason) == ("too_large", "triage", "too_large")
    assert "太大" in answers()[0].body


def test_an_english_letter_is_answered_in_english(session: Any) -> None:
    mail.processed(mail.letter(text="We object to the list."))
    assert answers()[0].language == "en"
    assert "LX-" in answers()[0].subject


def test_processing_twice_changes_nothing(competition_id: int) -> None:
    cases = mail.Cases(competition_id)
    bind_letters(cases)
    incoming_id = mail.processed(mail.letter(files=(("公函.jpg", photo()),)))
    mail.process(incoming_id)
    assert cases.taken == [incoming_id]
    assert db.session.scalar(select(func.count()).select_from(Upload)) == 1
    assert len(answers()) == 1


def test_of_two_workers_with_one_letter_the_second_leaves_nothing(
    competition_id: int, sent_jobs: list[Any]
) -> None:
    bind_letters(mail.Cases(competition_id))
    incoming_id = mail.stored(mail.letter(files=(("公函.jpg", photo()),)))
    with command(SYSTEM) as ctx:
        first = service.take(ctx, incoming_id)
    with command(SYSTEM) as ctx:
        second = service.take(ctx, incoming_id)
    assert first is not None
    assert second is not None
    prepared = [service.prepare_files(first), service.prepare_files(second)]
    for work, made in zip((first, second), prepared, strict=True):
        with command(SYSTEM) as ctx:
            service.deal_with(ctx, work, made, own=mail.OWN)
    assert db.session.scalar(select(func.count()).select_from(Upload)) == 1
    assert len(answers()) == 1
    (key,) = (each.key for each in prepared[1].sealed.values())
    assert (Job.FORGET_FILES, {"keys": [key]}) in sent_jobs


def test_a_letter_that_ends_its_worker_again_and_again_is_left_to_people(session: Any) -> None:
    incoming_id = mail.stored(mail.letter())
    for _ in range(ATTEMPTS_MOST):
        with command(SYSTEM) as ctx:
            assert service.take(ctx, incoming_id) is not None
    with command(SYSTEM) as ctx:
        assert service.take(ctx, incoming_id) is None
    assert (row(incoming_id).state, row(incoming_id).reason) == ("triage", "unprocessable")


def test_a_lost_job_is_sent_again(session: Any, travel: Any, sent_jobs: list[Any]) -> None:
    incoming_id = mail.stored(mail.letter())
    sent_jobs.clear()
    travel(NOON + timedelta(seconds=61))
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 1
    assert sent_jobs == [(Job.PROCESS_MAIL, {"incoming_id": incoming_id})]


def test_what_a_letter_says_is_encrypted_and_in_no_audit_entry(session: Any) -> None:
    incoming_id = mail.processed(mail.letter(subject="秘密的标题", text="秘密的内容"))
    with session.get_bind().connect() as connection:
        plain = repr(connection.exec_driver_sql("SELECT * FROM incoming_messages").all())
        entries = repr(connection.exec_driver_sql("SELECT details FROM audit_entries").all())
    for each in ("秘密", "leader1@", "letter 1"):
        assert each not in plain
        assert each not in entries
    sealed = session.get_one(StoredFile, row(incoming_id).raw_file_id)
    raw = b"".join(store.read(sealed_of(sealed)))
    assert "秘密的内容".encode() in raw


def test_each_reading_is_on_record(session: Any) -> None:
    incoming_id = mail.processed(mail.letter())
    reader = competitions.organiser()
    with command(reader) as ctx:
        assert service.look(ctx, incoming_id).subject == "letter 1"
    entry = session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert (entry.action, entry.user_id, entry.subject_id) == ("mail.read", reader.user_id, str(incoming_id))


def test_letters_of_no_competition_are_emptied_after_their_time(session: Any, travel: Any) -> None:
    incoming_id = mail.processed(mail.letter(files=(("公函.jpg", photo()),)))
    machine = mail.processed(mail.letter(2, headers="Auto-Submitted: auto-replied\r\n"))

    def purge() -> int:
        with command(SYSTEM) as ctx:
            return service.purge(ctx, keep_days=90)

    travel(NOON + timedelta(days=31))
    assert purge() == 1
    assert row(machine).purged_at == clock.now()
    travel(NOON + timedelta(days=90))
    assert purge() == 0
    travel(NOON + timedelta(days=90, seconds=1))
    assert purge() == 1
    found = row(incoming_id)
    assert (found.sender, found.sender_hash, found.subject, found.text, found.head, found.raw_file_id) == (
        None,
    ) * 6
    assert session.scalar(select(func.count()).select_from(IncomingFile)) == 0
    assert session.scalar(select(func.count()).select_from(StoredFile)) == 0
    assert mail.stored(mail.letter(files=(("公函.jpg", photo()),))) == incoming_id, "it is still known"


def test_letters_of_a_competition_go_with_its_personal_data(competition_id: int) -> None:
    bind_letters(mail.Cases(competition_id, takes=False))
    incoming_id = mail.processed(mail.letter(files=(("公函.jpg", photo()),)))
    with command(SYSTEM) as ctx:
        erased = service.erase_of_competition(ctx, competition_id)
    assert (erased.messages, len(erased.files)) == (1, 1)
    assert row(incoming_id).text is None
    assert db.session.scalar(select(func.count()).select_from(Upload)) == 0
    with command(SYSTEM) as ctx:
        assert service.erase_of_competition(ctx, competition_id).messages == 0

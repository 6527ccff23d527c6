"""Letters are written into the outbox once, to whom they can reach, in the words they will be sent in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from app.actors import SYSTEM
from app.commands import command
from app.extensions import db
from app.jobs import Job
from app.notifications import links, service
from app.notifications.letters import Address, LetterKind
from app.notifications.models import MailFile, Message
from app.notifications.rules import Attachment, Channel, Recipient
from app.text import T
from tests.factories import people

CONTEXT = {"link_to": Address("/me/email/confirm/x"), "hours": 24}
SHORT = {"short": T("%(hours)s 小时", hours=3)}
MAILBOX = Recipient(None, "leader@example.org", people.phone(1))
PHONE = Recipient(None, None, people.phone(1), "en")


def write(to: Recipient = MAILBOX, *, context: dict[str, Any] | None = None, **options: Any) -> int | None:
    with command(SYSTEM) as ctx:
        return service.queue_letter(
            ctx, kind=LetterKind.CONFIRM_EMAIL, to=to, context=CONTEXT | (context or {}), **options
        )


def stored(message_id: int | None) -> Message:
    db.session.rollback()
    message = db.session.get(Message, message_id)
    assert message is not None
    return message


def test_who_has_a_mailbox_gets_mail_and_others_the_short_form(session: Any, sent_jobs: list[Any]) -> None:
    mail, short = write(context=SHORT), write(PHONE, context=SHORT)
    assert stored(mail).channel == Channel.EMAIL
    message = stored(short)
    assert (message.channel, message.body, message.html) == (Channel.SMS, "3 h", None)
    assert sent_jobs == [(Job.SEND_MESSAGE, {"message_id": each}) for each in (mail, short)]


def test_a_letter_without_a_short_form_is_not_written_to_a_phone(session: Any, sent_jobs: list[Any]) -> None:
    assert write(PHONE) is None
    assert write(Recipient(None, None, None), context=SHORT) is None
    assert sent_jobs == []
    assert session.query(Message).count() == 0


def test_what_was_written_is_what_is_sent(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    message_id = write(files=[Attachment("公示.pdf", "application/pdf", b"the list")])
    kept = (stored(message_id).subject, stored(message_id).body, stored(message_id).html)
    session.remove()
    monkeypatch.setattr(links._State, "base_url", "https://elsewhere.example")
    with command(SYSTEM) as ctx:
        assert message_id is not None
        sent = service.claim(ctx, message_id)
    assert sent is not None
    assert (sent.subject, sent.body, sent.html) == kept
    assert sent.files == (Attachment("公示.pdf", "application/pdf", b"the list"),)


def test_a_key_is_written_once(session: Any, sent_jobs: list[Any]) -> None:
    first = write(key="digest 2021-10-25 1")
    assert first is not None
    assert write(key="digest 2021-10-25 1") is None
    assert write(key="digest 2021-10-26 1") is not None
    assert len(sent_jobs) == 2


def test_two_workers_at_once_write_a_key_once(app: Flask) -> None:
    start, made = threading.Barrier(4), []

    def work() -> None:
        with app.app_context():
            start.wait()
            made.append(
                write(
                    key="final report", files=[Attachment("成绩.xlsx", "application/vnd.ms-excel", b"same")]
                )
            )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert len([each for each in made if each is not None]) == 1
    with app.app_context():
        assert db.session.query(Message).count() == db.session.query(MailFile).count() == 1


def test_an_act_that_is_refused_leaves_no_letter(session: Any, sent_jobs: list[Any]) -> None:
    def refused() -> None:
        with command(SYSTEM) as ctx:
            service.queue_letter(ctx, kind=LetterKind.CONFIRM_EMAIL, to=MAILBOX, context=CONTEXT)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        refused()
    assert session.query(Message).count() == 0
    assert sent_jobs == []


def test_nothing_that_names_the_reader_is_plain_in_the_database(
    session: Any, travel: Callable[..., None]
) -> None:
    write()
    row = session.execute(text("SELECT * FROM messages")).mappings().one()
    assert not [name for name, value in row.items() if "leader@" in str(value) or "confirm/x" in str(value)]


def test_the_message_id_is_of_the_sender_s_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links._State, "domain", "例子.cn")
    assert links.new_message_id().endswith("@xn--fsqu00a.cn")

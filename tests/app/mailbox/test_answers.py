"""What our answers say and to whom, what comes back of them, and that no two machines write to each other for ever."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from app.actors import SYSTEM, Role
from app.commands import command
from app.extensions import db
from app.mailbox import queries
from app.mailbox.models import IncomingMessage
from app.mailbox.rules import MOST_FILES, bind_letters
from app.notifications import queries as outbox
from app.notifications import service as notifications
from app.notifications.letters import LETTERS, LetterKind
from app.notifications.models import Message
from app.notifications.rules import Recipient
from tests.factories import accounts, competitions, mail

GONE = "leader1@unit1.example.cn"


def report(message_id: str, number: int = 1) -> bytes:
    """What a server sends that could not deliver a letter of ours."""
    return (
        f"From: MAILER-DAEMON@mx.example.cn\r\nTo: saishi@saishi.example.cn\r\nSubject: 退信\r\nReturn-Path: <>\r\n"
        f"Message-ID: <b{number}@mx.example.cn>\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nsorry\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.cn\r\n\r\n"
        f"Final-Recipient: rfc822; {GONE}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        f"Diagnostic-Code: smtp; 550 5.1.1 <{GONE}>: no such user\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{message_id}>\r\nSubject: x\r\n--b--\r\n"
    ).encode()


def answers() -> list[Message]:
    db.session.rollback()
    return list(db.session.scalars(select(Message).order_by(Message.id)))


def test_an_answer_that_comes_back_is_shown_with_its_letter_and_answered_by_nobody(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        bind_letters(mail.Cases(competitions.competition().id, takes=False))
        reader = accounts.user(1, Role.COMMITTEE)
        incoming_id = mail.processed(mail.letter())
        [answer] = answers()
        before = queries.detail(incoming_id).answer
        assert before is not None
        assert (before.state.value, before.reason) == ("queued", None)
        bounce = db.session.get_one(IncomingMessage, mail.processed(report(answer.message_id)))
        assert (bounce.kind, bounce.state) == ("bounce", "processed")
        [answer] = answers()
        assert answer.state == "failed"
        mail.processed(report(answer.message_id, 2))
        assert len(answers()) == 1
    accounts.sign_in(client, reader)
    page = client.get(f"/staff/mail/{incoming_id}").text
    assert "发送失败：退信（550 5.1.1" in page
    assert "退信" in client.get("/staff/mail?state=processed").text


def test_no_outbox_tells_who_wrote_a_letter(session: Any) -> None:
    competition_id = competitions.competition().id
    bind_letters(mail.Cases(competition_id, takes=False))
    placed = mail.processed(mail.letter(1))
    bind_letters(None)
    mail.processed(mail.letter(2))
    assert [each.kind for each in answers()] == ["mail_received", "mail_received"]
    assert answers()[0].competition_id == competition_id
    for place in (competition_id, None):
        assert outbox.outbox(place) == ()
        assert sum(outbox.outbox_counts(place).values()) == 0
    assert queries.detail(placed).answer is not None


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied\r\n",
        "X-Autoreply: yes\r\n",
        "Precedence: auto_reply\r\n",
        "Return-Path: <>\r\n",
        "X-Auto-Response-Suppress: All\r\nAuto-Submitted: auto-generated; type=vacation\r\n",
    ],
)
def test_an_automatic_answer_to_a_digest_ends_there(session: Any, headers: str) -> None:
    competition_id = competitions.competition().id
    with command(SYSTEM) as ctx:
        sent = notifications.queue_letter(
            ctx,
            kind=LetterKind.DIGEST,
            to=Recipient(None, "member@unit1.example.cn", None),
            competition_id=competition_id,
            context=LETTERS[LetterKind.DIGEST].sample,
        )
    digest = session.get_one(Message, sent)
    raw = mail.letter(
        sender="member@unit1.example.cn",
        subject=f"Re: {digest.id}",
        headers=f"In-Reply-To: <{digest.message_id}>\r\nReferences: <{digest.message_id}>\r\n{headers}",
    )
    found = session.get_one(IncomingMessage, mail.processed(raw))
    assert (found.kind, found.state, found.reason) == ("automatic", "set_aside", "automatic")
    assert [each.kind for each in answers()] == ["digest"]
    assert answers()[0].bounced_at is None


@pytest.mark.parametrize("known", [True, False])
def test_what_is_answered_does_not_tell_whether_a_number_is_one_of_a_case(session: Any, known: bool) -> None:
    """A stranger tries numbers: with a letter, and with files that are counted and weighed."""
    bind_letters(mail.Cases(competitions.competition().id if known else None, takes=False))
    files = (*tuple((f"{number}.jpg", b"x") for number in range(MOST_FILES + 3)), ("leer.pdf", b""))
    incoming_id = mail.processed(
        mail.letter(subject="YY2021-0003", text="进展如何？", sender="stranger@unit9.example.cn", files=files)
    )
    [answer] = answers()
    number = f"LX-{incoming_id:06d}"
    assert number in answer.subject
    assert "4 个" in answer.body
    for word in ("YY2021", "异议", "沙滩", "三亚"):
        assert word not in answer.subject + answer.body
    assert {each.refusal for each in queries.letter(incoming_id).files} == {None, "too_many", "empty"}
    assert session.scalar(select(func.count()).select_from(IncomingMessage)) == 1

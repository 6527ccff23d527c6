"""A person's e-mail address: typed, confirmed from its own mailbox, changed, taken away; and which letters go there."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import clock
from app.accounts import queries, service
from app.accounts.models import User
from app.accounts.rules import (
    CONFIRMATIONS_PER_DAY,
    BadEmailError,
    EmailLinkError,
    TooManyEmailsError,
    normal_email,
)
from app.actors import SYSTEM, Actor, Role
from app.commands import command
from app.notifications import service as notifications
from app.notifications.models import Message
from app.notifications.rules import MessageState
from tests.factories import accounts

ADDRESS = "leader@example.org"


def give(person: Actor, email: str = ADDRESS) -> None:
    with command(person) as ctx:
        service.give_email(ctx, email=email)


def last_token(session: Any) -> str:
    session.rollback()
    body = session.query(Message).order_by(Message.id.desc()).first().body
    found = re.search(r"/me/email/confirm/(\S+)", body)
    assert found, body
    return found[1]


def confirm(token: str) -> None:
    with command(Actor("anonymous")) as ctx:
        service.confirm_email(ctx, token=token)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (" Leader@Example.ORG ", "Leader@example.org"),
        ("ｌｅａｄｅｒ＠ｅｘａｍｐｌｅ．ｏｒｇ", "leader@example.org"),
        ("a.b+c_d-e@sub.example.co", "a.b+c_d-e@sub.example.co"),
        ("领队@例子.cn", "领队@例子.cn"),
        ("leader@例子.cn.", "leader@例子.cn"),
    ],
)
def test_an_address_is_understood_as_it_is_typed(written: str, kept: str) -> None:
    assert normal_email(written) == kept


@pytest.mark.parametrize(
    "written",
    [
        *("", "@", "leader", "leader@", "@example.org", "leader@example", "a b@example.org", "a@b@"),
        *("a..b@example.org", ".a@example.org", "a.@example.org", "a@-x.org", "a@x-.org", "a@x..org"),
        *("a@127.0.0.1", "a@[127.0.0.1]", '"a b"@example.org', "a@example.org\nBcc: x@example.org"),
        *("a\r\n@example.org", "a@exa mple.org", "a@example.org,b@example.org", "<a@example.org>"),
        *("x" * 65 + "@example.org", "a@" + "x" * 64 + ".org", "a@" + "x." * 130 + "org"),
    ],
)
def test_what_no_letter_can_be_sent_to_is_refused(written: str) -> None:
    with pytest.raises(BadEmailError):
        normal_email(written)


def test_letters_go_to_an_address_only_once_it_was_confirmed_from_its_own_mailbox(session: Any) -> None:
    person = accounts.user()
    assert person.user_id is not None
    assert queries.recipient(person.user_id).email is None
    give(person)
    assert queries.recipient(person.user_id).email is None
    token = last_token(session)
    assert ADDRESS not in token
    confirm(token)
    confirm(token)
    found = queries.recipient(person.user_id)
    assert (found.email, found.language) == (ADDRESS, "zh")
    assert found.phone
    give(person)
    assert session.query(Message).count() == 1, "confirmed: no other letter"


def test_a_link_is_refused_when_it_is_altered_late_or_of_an_earlier_address(
    session: Any, travel: Callable[[datetime], None]
) -> None:
    person = accounts.user()
    give(person)
    first = last_token(session)
    for broken in (first[:-2], first[3:], "x", "", "领队"):
        with pytest.raises(EmailLinkError):
            confirm(broken)
    give(person, "other@example.org")
    with pytest.raises(EmailLinkError):
        confirm(first)
    second, start = last_token(session), clock.now()
    travel(start + timedelta(hours=24))
    with pytest.raises(EmailLinkError):
        confirm(second)
    travel(start + timedelta(hours=23, minutes=59, seconds=59))
    confirm(second)


def test_nobody_is_flooded_with_letters_that_ask_for_a_confirmation(
    session: Any, travel: Callable[[datetime], None]
) -> None:
    people = [accounts.user(serial) for serial in range(1, CONFIRMATIONS_PER_DAY + 2)]
    for person in people[:-1]:
        give(person)
    with pytest.raises(TooManyEmailsError):
        give(people[-1])
    for serial in range(5):
        give(people[-1], f"other{serial}@example.org")
    with pytest.raises(TooManyEmailsError):
        give(people[-1], "other6@example.org")
    travel(clock.now() + timedelta(hours=1))
    give(people[-1], "other7@example.org")


def test_after_a_letter_came_back_text_messages_are_sent_until_the_address_is_confirmed_again(
    session: Any, travel: Callable[[datetime], None]
) -> None:
    person = accounts.user()
    assert person.user_id is not None
    give(person)
    confirm(last_token(session))
    message = session.query(Message).one()
    travel(clock.now() + timedelta(minutes=1))
    with command(SYSTEM) as ctx:
        notifications.record_bounce(ctx, message_id=message.message_id, hard=False, reason="452 4.2.2")
    assert queries.recipient(person.user_id).email == ADDRESS, "the other server still tries"
    with command(SYSTEM) as ctx:
        assert notifications.record_bounce(
            ctx, message_id=f"<{message.message_id}>", hard=True, reason="550 5.1.1"
        )
        assert not notifications.record_bounce(ctx, message_id="x@nowhere", hard=True, reason="550")
    assert queries.recipient(person.user_id).email is None
    assert queries.mail_settings(person.user_id).returned
    travel(clock.now() + timedelta(minutes=1))
    give(person)
    confirm(last_token(session))
    assert queries.recipient(person.user_id).email == ADDRESS
    session.rollback()
    assert session.get(Message, message.id).state == MessageState.FAILED


def test_taking_an_address_away_deletes_what_was_written_to_it(session: Any) -> None:
    person, colleague = accounts.user(1), accounts.user(2)
    give(person)
    with command(person) as ctx:
        service.remove_email(ctx)
        service.remove_email(ctx)
    assert session.query(Message).count() == 0
    assert person.user_id is not None
    assert session.get(User, person.user_id).email is None
    give(person)
    give(colleague)
    with command(person) as ctx:
        service.remove_email(ctx)
    assert session.query(Message).count() == 2, "the colleague reads the same mailbox"


def test_a_forgotten_person_leaves_no_address_and_no_message(session: Any) -> None:
    person = accounts.user()
    assert person.user_id is not None
    give(person)
    with command(Actor("anonymous")) as ctx:
        service.request_code(ctx, phone=queries.user_phone(person.user_id))
    assert session.query(Message).count() == 2
    with command(SYSTEM) as ctx:
        assert service.forget_users(ctx, [person.user_id]) == 1
    session.rollback()
    user = session.get(User, person.user_id)
    assert (user.phone, user.email, user.email_hash, user.email_confirmed_at) == ("", None, None, None)
    assert session.query(Message).count() == 0


def test_the_pages_take_an_address_from_typing_to_confirmed_and_away(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = accounts.user()
    accounts.sign_in(client, person)
    assert "我的邮箱" in client.get("/me/email").text
    wrong = client.post("/me/email", data={"email": "not an address"})
    assert wrong.status_code == 422
    assert "not an address" in wrong.text
    assert "应为邮箱地址" in wrong.text
    assert "待确认" in client.post("/me/email", data={"email": ADDRESS}, follow_redirects=True).text
    with app.app_context():
        from app.extensions import db

        token = last_token(db.session)
    opened = app.test_client()
    assert "确认" in opened.get(f"/me/email/confirm/{token}").text
    assert "待确认" in client.get("/me/email").text, "opening the link alone confirms nothing"
    assert opened.post(f"/me/email/confirm/{token}").status_code == 303
    assert "已确认" in client.get("/me/email").text
    late = opened.post("/me/email/confirm/nonsense")
    assert late.status_code == 403
    assert "重新发送确认信" in late.text
    chosen = client.post("/me/letters", data={"language": "en", "optional": "false"}, follow_redirects=True)
    assert chosen.status_code == 200
    headers = accounts.bearer(app, person)
    assert client.get("/api/v1/me/email", headers=headers).json == {
        "email": ADDRESS,
        "confirmed": True,
        "returned": False,
        "language": "en",
        "optional": False,
    }
    client.post("/me/email/remove")
    assert client.get("/api/v1/me/email", headers=headers).json["email"] is None


def test_the_api_does_the_same(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = accounts.user(1, Role.ORGANISER)
    headers = accounts.bearer(app, person)
    assert client.get("/api/v1/me/email").status_code == 401
    given = client.put("/api/v1/me/email", headers=headers, json={"email": ADDRESS})
    assert (given.status_code, given.json["confirmed"]) == (202, False)
    with app.app_context():
        from app.extensions import db

        token = last_token(db.session)
    assert client.post("/api/v1/me/email/confirmations", json={"token": "x"}).status_code == 403
    assert client.post("/api/v1/me/email/confirmations", json={"token": token}).status_code == 204
    chosen = client.put("/api/v1/me/letters", headers=headers, json={"language": "en", "optional": True})
    assert chosen.json == {
        "email": ADDRESS,
        "confirmed": True,
        "returned": False,
        "language": "en",
        "optional": True,
    }
    assert client.delete("/api/v1/me/email", headers=headers).status_code == 204

"""The outbox of a competition, the preview and the sample, and the page where mail is stopped."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from flask.testing import FlaskClient

from app import clock
from app.accounts import service as accounts_service
from app.actors import SYSTEM, Actor, Role
from app.commands import command
from app.competitions import queries as competition_queries
from app.database import person_hash
from app.extensions import db
from app.jobs import Job
from app.notifications import links, queries, service
from app.notifications.letters import LETTERS, Address, Letter, LetterKind
from app.notifications.models import Message
from app.notifications.rules import MessageState, Recipient, Refusal
from tests.factories import accounts, competitions, people

ADDRESS = "leader@example.org"
KIND = LetterKind.CONFIRM_EMAIL
CONTEXT = {"link_to": Address("/me/email/confirm/x"), "hours": 24}


@pytest.fixture
def optional(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of letter that one can do without, whichever features are there."""
    kept = LETTERS[KIND]
    monkeypatch.setitem(LETTERS, KIND, Letter(kept.name, kept.audience, False, kept.sample))


def put(competition_id: int | None, *, refused: Refusal | None = None, email: str = ADDRESS) -> int | None:
    with command(SYSTEM) as ctx:
        message_id = service.queue_letter(
            ctx,
            kind=KIND,
            to=Recipient(None, email, None),
            competition_id=competition_id,
            context=CONTEXT,
        )
    if refused is not None and message_id is not None:
        with command(SYSTEM) as ctx:
            sent = service.claim(ctx, message_id)
        assert sent is not None
        with command(SYSTEM) as ctx:
            service.record_delivery(ctx, sent, refused)
    return message_id


def test_the_outbox_says_what_did_not_arrive_why_and_when_it_is_tried_again(
    app: Flask, client: FlaskClient, sent_jobs: list[Any]
) -> None:
    with app.app_context():
        organiser = competitions.organiser()
        competition = competitions.competition(organiser)
        failed = put(competition.id, refused=Refusal("RCPT 550 5.1.1", permanent=True))
        put(competition.id, refused=Refusal("end of DATA TimeoutError", uncertain=True))
        put(None, email="somebody-else@example.org")
    accounts.sign_in(client, organiser)
    page = client.get(f"/staff/c/{competition.slug}/outbox").text
    assert "收件地址被拒收（550 5.1.1）" in page
    assert "交出后没有收到答复，可能已经送达" in page
    assert "前一次可能已经送达" in page
    assert "12:01" in page, "when it is tried again"
    assert "l****@example.org" in page
    assert ADDRESS not in page
    assert "s****@example.org" not in page
    only = client.get(f"/staff/c/{competition.slug}/outbox?state=failed&lang=zh").text
    assert re.findall(r'data-message="(\d+)"', only) == [str(failed)]
    sent_jobs.clear()
    again = client.post(f"/staff/c/{competition.slug}/outbox/{failed}/resend", follow_redirects=True)
    assert "马上再发一次" in again.text
    assert sent_jobs == [(Job.SEND_MESSAGE, {"message_id": failed})]
    assert client.post(f"/staff/c/{competition.slug}/outbox/{failed}/resend").status_code == 409


def test_a_message_that_is_sent_again_keeps_its_id_and_starts_its_tries_anew(session: Any) -> None:
    organiser = competitions.organiser()
    competition = competitions.competition(organiser)
    failed = put(competition.id, refused=Refusal("RCPT 550", permanent=True))
    assert failed is not None
    before = session.get(Message, failed).message_id
    with command(organiser) as ctx:
        service.resend(ctx, competition_id=competition.id, message_id=failed)
    with command(SYSTEM) as ctx:
        sent = service.claim(ctx, failed)
    assert sent is not None
    assert (sent.message_id, sent.attempt, sent.repeats) == (before, 1, 0)


def test_only_staff_of_the_competition_read_its_outbox(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        organiser = competitions.organiser()
        competition = competitions.competition(organiser)
        referee = accounts.user(5, Role.REFEREE, competition_id=competition.id)
        committee = accounts.user(6, Role.COMMITTEE, competition_id=competition.id)
        put(competition.id)
    api = f"/api/v1/competitions/{competition.slug}/outbox"
    assert client.get(api).status_code == 401
    assert client.get(api, headers=accounts.bearer(app, referee)).status_code == 403
    answer = client.get(api, headers=accounts.bearer(app, committee)).json
    assert answer["counts"] == {"queued": 1, "sending": 0, "sent": 0, "failed": 0}
    [message] = answer["messages"]
    assert (message["recipient"], message["state"], message["kind"]) == (
        "l****@example.org",
        "queued",
        "confirm_email",
    )
    assert (
        client.get(f"{api}?before={message['id']}", headers=accounts.bearer(app, committee)).json["messages"]
        == []
    )
    assert (
        client.post(f"{api}/{message['id']}/resend", headers=accounts.bearer(app, committee)).status_code
        == 409
    )
    assert client.post(f"{api}/999999/resend", headers=accounts.bearer(app, committee)).status_code == 404
    assert client.get(f"{api}?state=lost", headers=accounts.bearer(app, committee)).status_code == 422


def test_letters_of_no_competition_are_for_whoever_holds_a_role_everywhere(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        organiser = accounts.user(7, Role.ORGANISER)
        competition = competitions.competition(competitions.organiser())
        committee = accounts.user(6, Role.COMMITTEE, competition_id=competition.id)
        failed = put(None, refused=Refusal("RCPT 550", permanent=True))
        put(competition.id, email="other@example.org")
        with command(Actor("anonymous")) as ctx:
            accounts_service.request_code(ctx, phone=people.phone(1))
    accounts.sign_in(client, organiser)
    page = client.get("/staff/outbox").text
    assert re.findall(r'data-message="(\d+)"', page) == [str(failed)], "no code to sign in"
    assert "/staff/outbox" in client.get("/staff/letters").text
    assert client.post(f"/staff/outbox/{failed}/resend").location == "/staff/outbox"
    headers = accounts.bearer(app, organiser)
    assert [each["id"] for each in client.get("/api/v1/outbox", headers=headers).json["messages"]] == [failed]
    assert client.post(f"/api/v1/outbox/{failed}/resend", headers=headers).status_code == 409
    accounts.sign_in(client, committee)
    headers = accounts.bearer(app, committee)
    assert client.get("/staff/outbox").status_code == 403
    assert client.post(f"/staff/outbox/{failed}/resend").status_code == 403
    assert client.get("/api/v1/outbox", headers=headers).status_code == 403
    assert client.post(f"/api/v1/outbox/{failed}/resend", headers=headers).status_code == 403


def test_every_kind_of_letter_is_shown_as_it_will_look(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        organiser = competitions.organiser()
    accounts.sign_in(client, organiser)
    headers, listed = accounts.bearer(app, organiser), client.get("/staff/letters").text
    for kind in (each.value for each in LetterKind):
        assert f"/staff/letters/{kind}" in listed
        for language in ("zh", "en"):
            page = client.get(f"/staff/letters/{kind}?language={language}")
            assert page.status_code == 200
            frame = BeautifulSoup(page.text, "html.parser").find("iframe")
            assert frame is not None
            letter = client.get(str(frame["src"]))
            policy = letter.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'")
            assert "frame-ancestors 'self'" in policy
            made = client.get(f"/api/v1/letters/{kind}?language={language}", headers=headers).json
            assert made["html"] == letter.text
            assert made["subject"] in unescape(page.text)


def test_a_kind_or_a_language_that_does_not_exist_is_not_found(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        organiser = competitions.organiser()
    accounts.sign_in(client, organiser)
    for path in ("nothing", "confirm_email/fr.html", "nothing/zh.html"):
        assert client.get(f"/staff/letters/{path}").status_code == 404
    assert (
        client.get("/api/v1/letters/nothing?language=zh", headers=accounts.bearer(app, organiser)).status_code
        == 404
    )


def test_a_sample_goes_to_one_s_own_confirmed_mailbox_and_says_that_it_is_one(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        organiser = competitions.organiser()
    accounts.sign_in(client, organiser)
    path = f"/staff/letters/{KIND.value}"
    refused = client.post(f"{path}/test", data={"language": "en"})
    assert refused.status_code == 409
    assert "我的邮箱" in refused.text
    with app.app_context():
        from app.accounts import models

        user = db.session.get(models.User, organiser.user_id)
        user.email, user.email_hash, user.email_confirmed_at = ADDRESS, person_hash(ADDRESS), clock.now()
        db.session.commit()
    assert client.post(f"{path}/test", data={"language": "en"}).status_code == 303
    headers = accounts.bearer(app, organiser)
    assert (
        client.post(
            f"/api/v1/letters/{KIND.value}/tests", headers=headers, json={"language": "zh"}
        ).status_code
        == 202
    )
    with app.app_context():
        sent = db.session.query(Message).order_by(Message.id).all()
        assert [(each.recipient, each.subject.split("确")[0].split("Please")[0]) for each in sent] == [
            (ADDRESS, "[Test] "),
            (ADDRESS, "【试发】请"),
        ]


def test_one_click_stops_what_one_can_do_without_and_opening_the_page_changes_nothing(
    app: Flask, client: FlaskClient, optional: None
) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    try:
        with app.app_context():
            assert put(None) is not None
            path = links.stop_path(queries.address_hash(ADDRESS))
        assert "leader" not in path
        assert "不再接收这类邮件" in client.get(path).text
        with app.app_context():
            assert put(None) is not None, "a mail server that opens every link stops nothing"
        clicked = client.post(path, data={"List-Unsubscribe": "One-Click"})
        assert clicked.status_code == 200
        assert "已退订" in clicked.text
        with app.app_context():
            assert put(None) is None
            assert put(None, email="other@example.org") is not None
        assert "恢复接收" in client.get(path).text
        assert client.post(path, data={"choice": "resume"}).status_code == 200
        with app.app_context():
            assert put(None, email=ADDRESS.upper()) is not None
        for bad in ("/mail/nonsense", path[:-3]):
            assert client.get(bad).status_code == 403
            assert client.post(bad).status_code == 403
        token = path.rpartition("/")[2]
        assert client.post("/api/v1/mail-choices", json={"token": token, "choice": "stop"}).status_code == 204
        with app.app_context():
            assert put(None) is None
    finally:
        app.config["WTF_CSRF_ENABLED"] = False


def test_a_letter_that_waits_is_not_sent_once_its_reader_has_stopped_such_mail(
    session: Any, optional: None
) -> None:
    waiting = put(None)
    assert waiting is not None
    with command(SYSTEM) as ctx:
        service.stop(ctx, {queries.address_hash(ADDRESS)})
    with command(SYSTEM) as ctx:
        assert service.claim(ctx, waiting) is None
    session.rollback()
    message = session.get(Message, waiting)
    assert (message.state, message.last_error) == (MessageState.FAILED, "opted out")


def test_essential_letters_are_sent_to_whoever_stopped_the_others(session: Any) -> None:
    with command(SYSTEM) as ctx:
        service.stop(ctx, {queries.address_hash(ADDRESS)})
    assert put(None) is not None


def test_a_page_of_the_outbox_holds_fifty_and_leads_to_the_older_ones(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        organiser = competitions.organiser()
        slug = competitions.competition(organiser).slug
        competition_id = competition_queries.competition_id(slug)
        for _ in range(queries.PER_PAGE + 1):
            put(competition_id)
    accounts.sign_in(client, organiser)
    page = client.get(f"/staff/c/{slug}/outbox")
    assert page.text.count("data-message=") == queries.PER_PAGE
    older = re.search(r'href="([^"]*before=\d+[^"]*)"', page.text)
    assert older
    assert client.get(older[1].replace("&amp;", "&")).text.count("data-message=") == 1


def test_the_purge_deletes_files_that_no_message_has(session: Any, travel: Any, tmp_path: Any) -> None:
    from app.notifications.models import MailFile
    from app.notifications.rules import Attachment

    start = clock.now()
    for day, content in ((0, b"first list"), (50, b"first list"), (50, b"second list")):
        travel(start + timedelta(days=day))
        with command(SYSTEM) as ctx:
            service.queue_letter(
                ctx,
                kind=KIND,
                to=Recipient(None, ADDRESS, None),
                context=CONTEXT,
                files=[Attachment("公示名单.pdf", "application/pdf", content)],
            )
    assert session.query(MailFile).count() == 2, "the same content is stored once"
    for day, messages, files in ((91, 2, 2), (141, 0, 0)):
        travel(start + timedelta(days=day))
        with command(SYSTEM) as ctx:
            service.purge(ctx, keep_days=90, outbox=tmp_path)
        session.rollback()
        assert (session.query(Message).count(), session.query(MailFile).count()) == (messages, files)

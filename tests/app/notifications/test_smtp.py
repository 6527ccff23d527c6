"""What is said to real mail servers, and what is known after each way in which they may fail."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app import network
from app.notifications.mail import mime
from app.notifications.rules import Attachment, Channel, Outgoing, Refusal, file_name, one_line, reason_words
from app.notifications.transports import DeliveryError, Transports
from tests import mail_servers, services
from tests.mail_servers import Chatting, DyingInMidMessage, Handler, certificate, server

SENDER = "赛事小站 <saishi@example.org>"
LETTER = Outgoing(
    id=1,
    channel=Channel.EMAIL,
    recipient="leader@example.com",
    subject="公示名单",
    body="您的队员㛃、𬭎已列入公示。\n.\n..点开头的行\n",
    message_id="0f" * 16 + "@example.org",
    queued_at=datetime(2021, 10, 25, 4, 0, tzinfo=UTC),
    attempt=1,
    html="<html><body><!-- repeat --><p>您的队员㛃、𬭎已列入公示。</p></body></html>",
)


def send(url: str, letter: Outgoing = LETTER, **options: Any) -> Refusal | None:
    options.setdefault("reply_to", "报名组 <office@example.org>")
    try:
        Transports(Path("unused"), SENDER, url, **options).deliver(letter)
    except DeliveryError as error:
        return error.refusal
    return None


def test_a_letter_arrives_as_it_was_written() -> None:
    handler = Handler()
    files = (
        Attachment("公示名单（第一批）㛃.pdf", "application/pdf", b"%PDF-1.7 \x00\xff"),
        Attachment("成绩表" * 39 + ".xlsx", "application/vnd.ms-excel", b"PK"),
    )
    with server(handler) as url:
        assert send(url, replace(LETTER, files=files, stop_url="https://saishi.example/mail/x")) is None
    [mail] = handler.taken
    assert mail["Subject"] == "公示名单"
    assert mail["Message-ID"] == f"<{LETTER.message_id}>"
    assert mail["From"] == SENDER
    assert mail["Reply-To"] == "报名组 <office@example.org>"
    assert mail["To"] == "leader@example.com"
    assert mail["Date"].datetime == LETTER.queued_at
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe"] == "<https://saishi.example/mail/x>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "X-Saishi-Repeat" not in mail
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().replace("\r\n", "\n") == LETTER.body
    assert html.get_content().strip() == LETTER.html
    assert [(part.get_filename(), part.get_content()) for part in mail.iter_attachments()] == [
        (each.name, each.content) for each in files
    ]


def test_what_is_sent_is_seven_bits_in_short_lines_so_that_every_server_takes_it() -> None:
    handler = Handler()
    subject = "二〇二一年“东城杯”竞技二打一团体赛㛃𬭎公示名单" * 8
    with server(handler, enable_SMTPUTF8=False) as url:
        assert send(url, replace(LETTER, subject=subject[:200])) is None
    [raw], [mail] = handler.raw, handler.taken
    assert raw.isascii()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 78
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert mail["Subject"] == subject[:200]
    for word in raw.partition(b"\r\n\r\n")[0].split(b"=?utf-8?")[1:]:
        assert len(word.partition(b"?=")[0]) <= 75 - len(b"=?utf-8??=")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x00", "\u2028", "\x85", "\x0b"])
def test_no_name_or_subject_adds_a_header_or_a_recipient(end: str) -> None:
    handler = Handler()
    evil = f"公示{end}Bcc: everybody@example.org{end}{end}body"
    letter = replace(
        LETTER,
        subject=evil,
        in_reply_to=f"x@y{end}Bcc: z@example.org",
        files=(Attachment(file_name(f"a{end}Bcc: x.pdf"), "application/pdf", b"x"),),
    )
    with server(handler) as url:
        assert send(url, letter, reply_to=f"组委会{end}Bcc: a@example.org <office@example.org>") is None
        assert send(url, replace(LETTER, recipient=f"a@example.org{end}Bcc: b@example.org")) == Refusal(
            "address", permanent=True
        )
    [mail] = handler.taken
    assert handler.recipients == ["leader@example.com"]
    assert "Bcc" not in mail
    assert mail["Subject"] == one_line(evil)
    assert len(one_line(evil).splitlines()) == 1


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("answer", "permanent"), [("451 4.7.1 later", False), ("550 5.1.1 <leader@example.com>", True)]
)
def test_a_refusal_says_where_it_came_and_whether_it_is_for_good(
    step: str, answer: str, permanent: bool
) -> None:
    with server(Handler(answers={step: answer})) as url:
        assert send(url) == Refusal(f"{step} {answer[:9]}", permanent=permanent)


@pytest.mark.parametrize(
    ("step", "reason", "uncertain"),
    [
        ("MAIL", "MAIL TimeoutError", False),
        ("RCPT", "RCPT TimeoutError", False),
        ("DATA", "end of DATA TimeoutError", True),
    ],
)
def test_a_server_that_falls_silent_leaves_a_doubt_only_after_the_whole_message(
    step: str, reason: str, uncertain: bool
) -> None:
    with server(Handler(waits={step: 5})) as url:
        found = send(url, patience=0.3)
    assert found is not None
    assert found.reason in {reason, reason.replace("TimeoutError", "SMTPServerDisconnected")}
    assert (found.permanent, found.uncertain) == (False, uncertain)


def test_a_server_that_talks_without_end_is_left_before_another_worker_takes_the_message() -> None:
    with server(Handler(), kind=Chatting) as url:
        found = send(url, within=0.5)
    assert found is not None
    assert found.reason.startswith("RCPT ")
    assert not found.uncertain


def test_a_server_that_dies_in_mid_message_has_not_taken_it() -> None:
    with server(Handler(), kind=DyingInMidMessage) as url:
        found = send(url, replace(LETTER, files=(Attachment("x.bin", "application/pdf", bytes(4_000_000)),)))
    assert found is not None
    assert found.reason.startswith("DATA ")
    assert not found.uncertain


def test_a_server_that_dies_after_the_message_may_have_taken_it() -> None:
    handler = Handler(dies_at="DATA")
    with server(handler) as url:
        found = send(url)
    assert found is not None
    assert found.uncertain
    assert len(handler.taken) == 1


def test_a_repeat_says_so_in_both_forms_and_is_otherwise_the_same() -> None:
    handler = Handler()
    with server(handler) as url:
        for repeats in (0, 0, 1):
            assert send(url, replace(LETTER, repeats=repeats)) is None
    first, second, repeat = handler.raw
    assert first == second
    mail = handler.taken[2]
    assert mail["Message-ID"] == handler.taken[0]["Message-ID"]
    assert mail["X-Saishi-Repeat"] == "1"
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().splitlines()[0] == "重发：这封邮件可能已经送达过一次，内容相同。"
    assert text.get_content().replace("\r\n", "\n").endswith(LETTER.body)
    assert "重发：" in html.get_content()
    assert repeat != first


def test_an_answer_by_machine_names_what_it_answers_and_asks_for_no_answer_by_machine() -> None:
    mail = mime(replace(LETTER, automatic=True, in_reply_to="<asked@example.com>"), sender=SENDER)
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["In-Reply-To"] == mail["References"] == "<asked@example.com>"
    assert mail["X-Auto-Response-Suppress"] == "All"
    assert "In-Reply-To" not in mime(replace(LETTER, in_reply_to="nobody knows 什么"), sender=SENDER)


def test_a_long_link_or_id_stands_whole_on_one_line() -> None:
    handler = Handler()
    link, earlier = "https://saishi.example/mail/" + "t" * 200, "x" * 200 + "@mail.example"
    with server(handler) as url:
        assert send(url, replace(LETTER, stop_url=link, in_reply_to=earlier)) is None
    for line in (f"List-Unsubscribe: <{link}>", f"In-Reply-To: <{earlier}>", f"References: <{earlier}>"):
        assert f"\r\n{line}\r\n".encode() in handler.raw[0]


def test_a_long_address_is_never_an_encoded_word() -> None:
    handler = Handler()
    address = "x" * 64 + "@" + "y" * 60 + ".example.org"
    with server(handler) as url:
        assert send(url, replace(LETTER, recipient=address)) is None
    assert f"\r\nTo: {address}\r\n".encode() in handler.raw[0]


def test_one_click_is_offered_by_https_only() -> None:
    mail = mime(replace(LETTER, stop_url="http://192.0.2.7/mail/x"), sender=SENDER)
    assert mail["List-Unsubscribe"] == "<http://192.0.2.7/mail/x>"
    assert "List-Unsubscribe-Post" not in mail


def test_a_chinese_domain_is_written_as_dns_knows_it() -> None:
    handler = Handler()
    with server(handler, enable_SMTPUTF8=False) as url:
        assert send(url, replace(LETTER, recipient="leader@例子.cn")) is None
    assert handler.recipients == ["leader@xn--fsqu00a.cn"]


def test_a_chinese_mailbox_needs_a_server_that_knows_such() -> None:
    letter = replace(LETTER, recipient="领队@例子.cn")
    handler = Handler()
    with server(handler, enable_SMTPUTF8=True) as url:
        assert send(url, letter) is None
    assert handler.recipients == ["领队@xn--fsqu00a.cn"]
    assert "SMTPUTF8" in handler.options[0]
    with server(Handler(), enable_SMTPUTF8=False) as url:
        assert send(url, letter) == Refusal("SMTPUTF8", permanent=True)


def test_nobody_there_is_tried_again() -> None:
    found = send(f"smtp://127.0.0.1:{services.free_port()}")
    assert found == Refusal("connect ConnectionRefusedError")


# --- TLS and login ---


def test_smtps_and_starttls_reach_a_server_whose_certificate_is_trusted(tmp_path: Path) -> None:
    own, handler = certificate(tmp_path), Handler()
    with server(handler, scheme="smtps", ssl_context=own.context) as url:
        assert send(url, smtp_ca=own.ca) is None
    for scheme in ("smtp+starttls", "smtp"):
        with server(handler, scheme=scheme, tls_context=own.context) as url:
            assert send(url, smtp_ca=own.ca) is None
    assert len(handler.taken) == 3
    assert [session.ssl is not None for session in handler.sessions[1:]] == [True, True]


def test_a_certificate_that_nobody_vouches_for_is_refused_and_nothing_is_sent(tmp_path: Path) -> None:
    own, other = certificate(tmp_path / "own"), certificate(tmp_path / "other")
    handler = Handler()
    for ca in ("", other.ca):
        with server(handler, scheme="smtps", ssl_context=own.context) as url:
            assert send(url, smtp_ca=ca) == Refusal("connect SSLCertVerificationError")
        for scheme in ("smtp+starttls", "smtp"):
            with server(handler, scheme=scheme, tls_context=own.context) as url:
                assert send(url, smtp_ca=ca) == Refusal("TLS SSLCertVerificationError")
    assert handler.taken == []
    assert handler.options == []


def test_a_certificate_for_another_name_is_refused(tmp_path: Path) -> None:
    own = certificate(tmp_path)
    with server(Handler(), scheme="smtps", ssl_context=own.context) as url:
        assert send(url.replace("127.0.0.1", "localhost"), smtp_ca=own.ca) == Refusal(
            "connect SSLCertVerificationError"
        )


def test_where_starttls_is_required_a_server_without_it_gets_nothing() -> None:
    handler = Handler()
    with server(handler, scheme="smtp+starttls") as url:
        assert send(url) == Refusal("TLS SMTPNotSupportedError")
    assert handler.options == []


def test_name_and_password_are_given_and_a_refused_login_is_tried_again(tmp_path: Path) -> None:
    own, handler = certificate(tmp_path), Handler()
    options = {"authenticator": mail_servers.knows("desk", "a/b:c"), "auth_required": True}
    for password in ("a%2Fb%3Ac", "wrong"):
        with server(
            handler,
            scheme="smtp+starttls",
            user=f"desk:{password}@",
            tls_context=own.context,
            **options,
        ) as url:
            found = send(url, smtp_ca=own.ca)
            assert (found is None) == (password != "wrong")
    assert found is not None
    assert found.reason.startswith("AUTH ")
    assert not found.permanent
    assert len(handler.taken) == 1


def test_a_password_goes_to_another_machine_over_tls_only(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = Handler()
    options = {"authenticator": mail_servers.knows("desk", "secret"), "auth_require_tls": False}
    with server(handler, user="desk:secret@", **options) as url:
        assert send(url) is None
        monkeypatch.setattr(network, "is_loopback", lambda _host: False)
        assert send(url) == Refusal("AUTH SMTPNotSupportedError")


# --- words ---


def test_every_reason_has_its_words() -> None:
    assert str(reason_words("RCPT 550 5.1.1")) == "收件地址被拒收（550 5.1.1）"
    assert str(reason_words("end of DATA TimeoutError")) == "交出后没有收到答复，可能已经送达（TimeoutError）"
    assert str(reason_words("address")) == "收件地址无法书写"
    assert str(reason_words("OSError")) == "没有发出（OSError）"
    assert str(reason_words("HTTP 503")) == "短信网关拒收（503）"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("公示.pdf", "公示.pdf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("", "file"),
        ("字" * 300 + ".pdf", "字" * 116 + ".pdf"),
        ("x" * 300, "x" * 120),
    ],
)
def test_a_file_s_name_is_one_line_without_folders_and_keeps_its_ending(name: str, kept: str) -> None:
    assert file_name(name) == kept

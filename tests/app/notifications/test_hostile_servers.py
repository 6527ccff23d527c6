"""Servers that answer out of turn, slowly, or something else than was asked; and clocks that are put back."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from app import clock
from app.actors import SYSTEM, Role
from app.commands import command
from app.jobs import Job
from app.notifications import service
from app.notifications.letters import Address, LetterKind
from app.notifications.models import Message
from app.notifications.queries import address_hash
from app.notifications.rules import (
    BACK_OFF,
    CLAIM_FOR,
    Channel,
    MessageState,
    Recipient,
    Refusal,
    UnknownMessageError,
    reason_words,
)
from app.notifications.timekeeping import Timekeeper
from app.notifications.transports import DeliveryError, Transports
from tests.app.notifications.test_smtp import LETTER, SENDER, send
from tests.factories import accounts
from tests.mail_servers import Handler, certificate, knows, server

Travel = Callable[[datetime], None]


@contextmanager
def trickling(*said: bytes, drop: bytes = b"\x00", every: float = 0.02) -> Iterator[int]:
    """A server that says one piece after each of what it is told, the first unasked, then one byte after the other for ever; its port."""

    def talk(client: socket.socket) -> None:
        with closing(client), suppress(OSError):
            for number, each in enumerate(said):
                if number:
                    client.recv(4096)
                client.sendall(each)
            while True:
                client.sendall(drop)
                time.sleep(every)

    def listen() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()

    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=listen, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


HANDSHAKE = b"\x16\x03\x03\x40\x00"
"""The head of a TLS record of 16 KiB, which never comes whole."""


@pytest.mark.parametrize(
    ("scheme", "said"),
    [
        ("smtps", (HANDSHAKE,)),
        ("smtp+starttls", (b"220 hi\r\n", b"250-hi\r\n250 STARTTLS\r\n", b"220 go on\r\n", HANDSHAKE)),
        ("smtp", (b"220-",)),
        ("smtp", (b"220 hi\r\n", b"250-")),
    ],
    ids=["in the handshake", "in the handshake of STARTTLS", "in the greeting", "in its answer to EHLO"],
)
def test_a_server_that_goes_on_for_ever_is_cut_off_wherever_it_does(
    scheme: str, said: tuple[bytes, ...]
) -> None:
    with trickling(*said, drop=b"x") as port:
        found = send(f"{scheme}://127.0.0.1:{port}", within=0.6)
    assert found is not None
    assert (found.permanent, found.uncertain) == (False, False)


def test_a_delivery_whose_time_is_over_connects_to_nothing_any_more() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener, Timekeeper(0) as timekeeper:
        while not timekeeper.over:
            time.sleep(0.01)
        with pytest.raises(TimeoutError):
            timekeeper.connect("127.0.0.1", listener.getsockname()[1], 5)


def test_a_server_of_several_addresses_is_reached_by_the_one_that_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handler = Handler()
    with server(handler) as url, closing(socket.socket()) as dead:
        dead.bind(("127.0.0.1", 0))  # bound, and listening to nobody
        port = int(url.rpartition(":")[2])
        found = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", place)
            for place in (dead.getsockname(), ("127.0.0.1", port))
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        assert send("smtp://mail.example.org") is None
    assert len(handler.taken) == 1


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
def test_a_server_that_closes_the_session_has_taken_nothing_and_is_asked_again(step: str) -> None:
    with server(Handler(answers={step: "421 4.3.2 shutting down"})) as url:
        assert send(url) == Refusal(f"{step} 421 4.3.2")


@pytest.mark.parametrize("answer", ["354 go on", "199 well", "xyz"])
def test_an_answer_to_the_last_dot_that_is_none_leaves_a_doubt(answer: str) -> None:
    with server(Handler(answers={"DATA": answer})) as url:
        found = send(url)
    assert found is not None
    assert found.reason.startswith("end of DATA ")
    assert (found.permanent, found.uncertain) == (False, True)


def test_a_login_that_the_setting_forgot_is_the_operators_and_no_letter_is_lost_by_it(
    tmp_path: Path,
) -> None:
    handler = Handler()
    own = certificate(tmp_path)
    with server(handler, tls_context=own.context, auth_required=True, authenticator=knows("a", "b")) as url:
        assert send(url, smtp_ca=own.ca) == Refusal("MAIL 530 5.7.0")
    for code in ("500", "502", "503", "535 5.7.8", "538"):
        with server(Handler(answers={"RCPT": f"{code} no"})) as url:
            assert send(url) == Refusal(f"RCPT {code}")


def test_a_password_that_no_login_can_say_is_a_refused_login(tmp_path: Path) -> None:
    own, handler = certificate(tmp_path), Handler()
    options = {"authenticator": knows("desk", "x"), "auth_required": True, "tls_context": own.context}
    with server(handler, scheme="smtp+starttls", user="desk:%E5%AF%86@", **options) as url:
        found = send(url, smtp_ca=own.ca)
    assert found is not None
    assert found.reason == "AUTH UnicodeEncodeError"
    assert (found.permanent, found.uncertain) == (False, False)


def test_a_letter_that_is_too_large_is_refused_before_it_is_sent() -> None:
    handler = Handler()
    with server(handler, data_size_limit=500) as url:
        found = send(url)
        assert found == Refusal("SIZE", permanent=True)
        assert handler.options == []
    assert str(reason_words(found.reason)) == "这封信超过邮件服务器能收的大小"
    with server(handler, data_size_limit=500_000) as url:
        assert send(url) is None
    [size] = [each for each in handler.options[0] if each.upper().startswith("SIZE=")]
    # dots at the beginnings of lines are not counted by who takes them away
    assert int(size.partition("=")[2]) >= len(handler.raw[0]) - 2


def test_a_server_without_any_extension_gets_the_letter_all_the_same() -> None:
    said: list[bytes] = []

    def serve(listener: socket.socket) -> None:
        client = listener.accept()[0]
        with closing(client), client.makefile("rb") as lines:
            client.sendall(b"220 old\r\n")
            for line in lines:
                said.append(line)
                word = line[:4].upper()
                if word == b"DATA":
                    client.sendall(b"354 go on\r\n")
                    while lines.readline() != b".\r\n":
                        pass
                    client.sendall(b"250 taken\r\n")
                elif word == b"EHLO":
                    client.sendall(b"502 what?\r\n")
                else:
                    client.sendall(b"250 fine\r\n")
                if word == b"QUIT":
                    return

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        assert send(f"smtp://127.0.0.1:{listener.getsockname()[1]}") is None
        thread.join(10)
    assert [line.split()[0] for line in said] == [b"ehlo", b"helo", b"mail", b"rcpt", b"data", b"quit"]
    assert b"=" not in said[2], "no parameter that was not offered"


# --- the SMS gateway ---


class Gateway(BaseHTTPRequestHandler):
    """Answers as ``manner`` says."""

    manner: ClassVar[str] = ""
    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.asked.append("POST")
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.manner == "moved":
            self.send_response(301)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
        elif self.manner == "hangs up":
            self.close_connection = True
        elif self.manner == "for ever":
            with suppress(OSError):
                self.wfile.write(b"HTTP/1.0 ")
                while True:
                    self.wfile.write(b"0")
                    time.sleep(0.02)

    def do_GET(self) -> None:
        self.asked.append("GET")
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def gateway() -> Iterator[str]:
    Gateway.asked.clear()
    made = HTTPServer(("127.0.0.1", 0), Gateway)
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield f"http://desk:s3cret@127.0.0.1:{made.server_port}/sms"
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.mark.parametrize(
    ("manner", "reason", "uncertain"),
    [
        ("moved", "HTTP 301", False),
        ("hangs up", "RemoteDisconnected", True),
        ("for ever", "", True),
    ],
)
def test_what_a_gateway_does_instead_of_accepting_is_known(
    gateway: str, monkeypatch: pytest.MonkeyPatch, manner: str, reason: str, uncertain: bool
) -> None:
    monkeypatch.setattr(Gateway, "manner", manner)
    text = replace(LETTER, channel=Channel.SMS, recipient="+8613800000000")
    with pytest.raises(DeliveryError) as refused:
        Transports(Path("unused"), SENDER, sms_url=gateway, within=0.5).deliver(text)
    assert refused.value.refusal.reason == (reason or refused.value.refusal.reason)
    assert (refused.value.refusal.permanent, refused.value.refusal.uncertain) == (False, uncertain)
    assert Gateway.asked == ["POST"], "the password went nowhere else"


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://127.0.0.1:99999999/", "http://\u3002/"])
def test_a_gateway_that_is_not_there_was_told_nothing(url: str) -> None:
    text = replace(LETTER, channel=Channel.SMS, recipient="+8613800000000")
    with pytest.raises(DeliveryError) as refused:
        Transports(Path("unused"), SENDER, sms_url=url).deliver(text)
    assert not refused.value.refusal.uncertain


# --- the clock, and what comes at once ---


def queued(kind: LetterKind = LetterKind.CONFIRM_EMAIL, **context: Any) -> int:
    with command(SYSTEM) as ctx:
        made = service.queue_letter(
            ctx,
            kind=kind,
            to=Recipient(None, "leader@example.org", None),
            context=context or {"link_to": Address("/me/email/confirm/x"), "hours": 24},
        )
    assert made is not None
    return made


def claimed(message_id: int) -> Any:
    with command(SYSTEM) as ctx:
        return service.claim(ctx, message_id)


def swept() -> int:
    with command(SYSTEM) as ctx:
        return service.sweep(ctx)


def test_a_letter_claimed_by_a_clock_that_was_put_back_since_is_not_held_until_then(
    session: Any, travel: Travel
) -> None:
    message_id = queued()
    travel(clock.now() + timedelta(days=1))
    assert claimed(message_id) is not None  # and its worker dies
    travel(clock.now() - timedelta(days=1))
    assert swept() == 1
    assert claimed(message_id).repeats == 1


def test_a_worker_whose_clock_is_a_little_behind_leaves_a_claimed_letter_alone(
    session: Any, travel: Travel
) -> None:
    message_id = queued()
    assert claimed(message_id) is not None
    travel(clock.now() - CLAIM_FOR + timedelta(seconds=1))
    assert swept() == 0
    assert claimed(message_id) is None


def test_a_letter_put_off_by_a_clock_that_was_put_back_since_is_tried_now(
    session: Any, travel: Travel
) -> None:
    message_id = queued()
    travel(clock.now() + timedelta(days=2))
    with command(SYSTEM) as ctx:
        message = service.claim(ctx, message_id)
        assert message is not None
        service.record_delivery(ctx, message, Refusal("connect TimeoutError"))
    travel(clock.now() - timedelta(days=2))
    assert swept() == 1
    assert claimed(message_id) is not None


def test_a_put_off_letter_waits_its_longest_wait(session: Any, travel: Travel) -> None:
    message_id = queued()
    longest = max(BACK_OFF[Channel.EMAIL])
    for number, wait in enumerate(BACK_OFF[Channel.EMAIL]):
        with command(SYSTEM) as ctx:
            message = service.claim(ctx, message_id)
            assert message is not None
            service.record_delivery(ctx, message, Refusal("connect TimeoutError"))
        if wait == longest:
            assert swept() == 0
            assert claimed(message_id) is None
            return
        assert number < len(BACK_OFF[Channel.EMAIL])
        travel(clock.now() + wait)


def test_a_letter_that_comes_back_before_its_delivery_is_noted_stays_returned(session: Any) -> None:
    message_id = queued()
    message = claimed(message_id)
    with command(SYSTEM) as ctx:
        assert service.record_bounce(ctx, message_id=message.message_id, hard=True, reason="550 5.1.1")
    with command(SYSTEM) as ctx:
        service.record_delivery(ctx, message, None)
    session.rollback()
    row = session.get(Message, message_id)
    assert (row.state, row.sent_at is not None) == (MessageState.FAILED, True)


def test_who_stopped_such_mail_still_gets_the_sample_he_sends_for(session: Any) -> None:
    organiser = accounts.user(1, Role.ORGANISER)
    with command(SYSTEM) as ctx:
        service.stop(ctx, {address_hash("office@example.org")})
    with command(organiser) as ctx:
        to = Recipient(organiser.user_id, "office@example.org", None)
        message_id = service.queue_sample(ctx, kind=LetterKind.DIGEST, language="zh", to=to)
    assert claimed(message_id) is not None


def test_nobody_learns_by_sending_it_again_that_a_confidential_letter_failed(
    session: Any, sent_jobs: list[Any]
) -> None:
    organiser = accounts.user(1, Role.ORGANISER)
    context = {
        "number": "LX-000001",
        "is_case": False,
        "too_large": False,
        "refused_files": 0,
        "received_at": clock.now(),
    }
    message_id = queued(LetterKind.MAIL_RECEIVED, **context)
    message = claimed(message_id)
    with command(SYSTEM) as ctx:
        service.record_delivery(ctx, message, Refusal("RCPT 550", permanent=True))
    sent_jobs.clear()
    with pytest.raises(UnknownMessageError), command(organiser) as ctx:
        service.resend(ctx, competition_id=None, message_id=message_id)
    assert Job.SEND_MESSAGE not in [job for job, _ in sent_jobs]

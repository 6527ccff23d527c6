"""The mailbox over TLS: who vouches for the server, and that nothing of ours is said to one that nobody vouches for."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.extensions import db
from app.mail import fetching
from app.mailbox import polling
from app.mailbox.models import MailboxState
from app.settings import Settings
from tests.factories import mail
from tests.imap import PASSWORD, USER, Imap, door, imap_server
from tests.mail_servers import Certificate, certificate

Looking = Callable[..., Settings]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """For 127.0.0.1, by an authority that no machine knows."""
    return certificate(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def _starttls(own: Certificate) -> Iterator[Imap]:
    both = Path(own.ca).with_name("server.pem")
    with imap_server((both, both)) as server:
        yield server


@pytest.fixture
def starttls(_starttls: Imap, monkeypatch: pytest.MonkeyPatch) -> Imap:
    """An empty mailbox on another machine that offers STARTTLS."""
    _starttls.empty()
    monkeypatch.setattr(fetching, "LOOPBACK", frozenset())
    return _starttls


def state() -> MailboxState:
    db.session.rollback()
    return db.session.get_one(MailboxState, "INBOX")


def test_a_mailbox_is_read_over_tls_where_our_authority_vouches_for_it(
    session: Any, imap: Imap, starttls: Imap, own: Certificate, looking_at: Looking
) -> None:
    imap.put(mail.letter(1))
    with door(imap, context=own.context) as secure:
        assert polling.poll(looking_at(imap.url(scheme="imaps", port=secure.port), smtp_ca=own.ca)) == 1
    assert state().last_error is None
    starttls.put(mail.letter(2))
    assert polling.poll(looking_at(starttls.url(), smtp_ca=own.ca)) == 1
    assert state().last_error is None


@pytest.mark.parametrize("scheme", ["imaps", "imap"])
@pytest.mark.parametrize("why", ["nobody vouches for it", "another authority", "another name"])
def test_a_server_that_nobody_vouches_for_hears_neither_name_nor_password(
    *,
    session: Any,
    imap: Imap,
    starttls: Imap,
    own: Certificate,
    looking_at: Looking,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    scheme: str,
    why: str,
) -> None:
    ca = {
        "nobody vouches for it": "",
        "another authority": certificate(tmp_path / "other").ca,
        "another name": own.ca,
    }[why]
    host = "localhost" if why == "another name" else "127.0.0.1"
    caplog.set_level(logging.DEBUG)
    with door(imap, context=own.context) as secure, capture_logs() as logs:
        port = secure.port if scheme == "imaps" else starttls.port
        url = (imap if scheme == "imaps" else starttls).url(scheme=scheme, host=host, port=port)
        assert polling.poll(looking_at(url, smtp_ca=ca)) == 0
    assert state().last_error == "tls"
    assert logs == [{"event": "mailbox_not_read", "why": "tls", "log_level": "warning"}]
    assert PASSWORD not in caplog.text


@contextmanager
def speaking(greeting: bytes, answers: Callable[[bytes], bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """A server of ill will: its port, and the lines it heard."""
    heard: list[bytes] = []

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                caller, _ = listener.accept()
                with suppress(OSError), caller, caller.makefile("rb") as lines:
                    caller.sendall(greeting)
                    for line in lines:
                        heard.append(line)
                        caller.sendall(answers(line))

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1], heard


def _plain(line: bytes) -> bytes:
    tag, _, command = line.strip().partition(b" ")
    if command.upper() == b"CAPABILITY":
        return b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n"
    return tag + b" OK done\r\n"


@pytest.mark.parametrize("greeting", [b"* OK here\r\n", b"* PREAUTH welcome office\r\n"])
def test_a_server_far_away_that_offers_no_encryption_hears_nothing_of_ours(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch, greeting: bytes
) -> None:
    monkeypatch.setattr(fetching, "LOOPBACK", frozenset())
    with speaking(greeting, _plain) as (port, heard):
        assert polling.poll(looking_at(imap.url(port=port))) == 0
    assert state().last_error == "no_tls"
    assert not [line for line in heard if b"LOGIN" in line.upper() or USER.encode() in line]


def test_a_greeting_that_never_ends_holds_nobody(
    session: Any, imap: Imap, looking_at: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "TOTAL_SECONDS", 0.5)
    waiting = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def trickle() -> None:
            caller, _ = listener.accept()
            with suppress(OSError), caller:
                while not waiting.wait(0.05):
                    caller.sendall(b"*")

        threading.Thread(target=trickle, daemon=True).start()
        polling.poll(looking_at(imap.url(port=listener.getsockname()[1])))
        waiting.set()
    assert state().last_error in {"unreachable", "slow"}


def _hostile(answer: bytes) -> Callable[[bytes], bytes]:
    """Everything is in order until it is asked which messages there are."""

    def answers(line: bytes) -> bytes:
        tag, _, command = line.strip().partition(b" ")
        if command.upper().startswith((b"SELECT", b"EXAMINE")):
            return b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n" + tag + b" OK done\r\n"
        if command.upper().startswith(b"UID SEARCH"):
            return answer.replace(b"TAG", tag)
        return _plain(line)

    return answers


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"* SEARCH {99999999999}\r\n", "lost"),
        (b"* SEARCH 99999999999999999999999999\r\nTAG OK done\r\n", None),
        (b"* SEARCH " + b"9" * 5000 + b"\r\nTAG OK done\r\n", "protocol"),
        (b"* SEARCH one two\r\nTAG OK done\r\n", "protocol"),
        (b"nonsense\r\n", "lost"),
        (b"TAG NO office may not\r\n", "protocol"),
    ],
)
def test_what_a_server_of_ill_will_says_is_a_code_and_fills_no_memory(
    session: Any, imap: Imap, looking_at: Looking, answer: bytes, code: str | None
) -> None:
    with speaking(b"* OK here\r\n", _hostile(answer)) as (port, _heard), capture_logs() as logs:
        assert polling.poll(looking_at(imap.url(port=port))) == 0
    assert state().last_error == code
    assert state().last_uid == 0
    assert [line["why"] for line in logs] == ([code] if code else [])

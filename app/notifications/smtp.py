"""One message to one mail server, step by step, so that a failure says at which step it happened and what is known then.

A refusal for now (4xx), a server that is away, wrong certificates and a refused login are tried again: they are the server's
or the operator's. A refusal for good (5xx) of this sender, recipient or content is final. Silence after the last byte of the
content is the one uncertain case: the server may have taken the message.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from email.generator import BytesGenerator
from email.message import EmailMessage
from email.utils import parseaddr
from io import BytesIO
from urllib.parse import unquote, urlsplit

from app import network
from app.notifications.mail import ascii_address
from app.notifications.rules import Refusal


class DeliveryError(Exception):
    """The message did not leave, or nobody knows."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Server:
    """A mail server by its address, ``ca`` more certificates to trust it by; ``patience`` and ``within`` in seconds."""

    url: str
    ca: str = ""
    patience: float = 20.0
    within: float = 90.0


class _Timekeeper:
    """Cuts the connection when a delivery has taken too long, however slowly the server keeps answering."""

    def __init__(self, seconds: float) -> None:
        self._lock = threading.Lock()
        self._connection: smtplib.SMTP | None = None
        self.over = False
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def watch(self, connection: smtplib.SMTP) -> None:
        with self._lock:
            self._connection = connection

    def _cut(self) -> None:
        with self._lock:
            self.over = True
            sock = getattr(self._connection, "sock", None)
            if sock is not None:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> _Timekeeper:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def send(mail: EmailMessage, sender: str, recipient: str, server: Server) -> None:
    """Hand ``mail`` to the server for one recipient. Raises ``DeliveryError``."""
    step = "connect"
    with _Timekeeper(server.within) as timekeeper:
        try:
            connection = _connect(server, timekeeper)
        except (OSError, smtplib.SMTPException) as error:
            raise DeliveryError(Refusal(_reason(step, error))) from error
        try:
            step = "TLS"
            _secure(connection, server)
            step = "AUTH"
            _log_in(connection, server.url)
            step = "MAIL"
            options = ["smtputf8"] if not ascii_address(recipient).isascii() else []
            if options and not connection.has_extn("smtputf8"):
                raise DeliveryError(Refusal("SMTPUTF8", permanent=True))
            _ask(step, connection.mail(ascii_address(parseaddr(sender)[1]), options))
            step = "RCPT"
            _ask(step, connection.rcpt(ascii_address(recipient)))
            if timekeeper.over:
                raise TimeoutError
            step = "DATA"
            _content(connection, mail)
            # the message is taken: whatever goes wrong in parting changes nothing
            with suppress(OSError, smtplib.SMTPException):
                connection.quit()
        except (OSError, smtplib.SMTPException) as error:
            raise DeliveryError(Refusal(_reason(step, error))) from error
        finally:
            connection.close()


def _connect(server: Server, timekeeper: _Timekeeper) -> smtplib.SMTP:
    address = urlsplit(server.url)
    host = address.hostname or "localhost"
    secure = address.scheme == "smtps"
    connection = (
        smtplib.SMTP_SSL(timeout=server.patience, context=_trust(server.ca))
        if secure
        else smtplib.SMTP(timeout=server.patience)
    )
    # smtplib checks the certificate's name against this
    connection._host = host  # type: ignore[attr-defined]  # set only by the constructor, which connects at once
    timekeeper.watch(connection)
    code, _ = connection.connect(
        host, address.port or (465 if secure else 587 if "+" in address.scheme else 25)
    )
    if code != 220:
        connection.close()
        raise smtplib.SMTPConnectError(code, "")
    return connection


def _trust(ca: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if ca:
        context.load_verify_locations(cafile=ca)
    return context


def _secure(connection: smtplib.SMTP, server: Server) -> None:
    """TLS: required where the setting says so, and taken wherever the server offers it."""
    connection.ehlo_or_helo_if_needed()
    scheme = urlsplit(server.url).scheme
    if scheme == "smtps":
        return
    if connection.has_extn("starttls"):
        connection.starttls(context=_trust(server.ca))
        connection.ehlo_or_helo_if_needed()
    elif scheme == "smtp+starttls":
        raise smtplib.SMTPNotSupportedError("the server offers no STARTTLS")


def _log_in(connection: smtplib.SMTP, url: str) -> None:
    address = urlsplit(url)
    if not address.username:
        return
    if not isinstance(connection.sock, ssl.SSLSocket) and not network.is_loopback(address.hostname or ""):
        raise smtplib.SMTPNotSupportedError("no password without TLS")
    connection.login(unquote(address.username), unquote(address.password or ""))


def _content(connection: smtplib.SMTP, mail: EmailMessage) -> None:
    """The last step. Until the final dot is sent nothing was taken; after it, silence says nothing."""
    connection.putcmd("data")
    code, answer = connection.getreply()
    if code != 354:
        _ask("DATA", (code, answer))
        raise smtplib.SMTPDataError(code, answer)  # a 2xx here is no sense of ours
    written = BytesIO()
    BytesGenerator(written, policy=mail.policy).flatten(mail, linesep="\r\n")
    content = re.sub(rb"(?m)^\.", b"..", written.getvalue())
    if not content.endswith(b"\r\n"):
        content += b"\r\n"
    connection.send(content)
    try:
        connection.send(b".\r\n")
        reply = connection.getreply()
    except (OSError, smtplib.SMTPException) as error:
        raise DeliveryError(Refusal(_reason("end of DATA", error), uncertain=True)) from error
    if reply[0] == -1:
        raise DeliveryError(Refusal("end of DATA", uncertain=True))
    _ask("DATA", reply)


def _ask(step: str, reply: tuple[int, bytes]) -> None:
    """Go on where the server agrees. Raises ``DeliveryError``: 5xx is for good."""
    code, answer = reply
    if 200 <= code < 300:
        return
    raise DeliveryError(Refusal(f"{step} {_status(code, answer)}", permanent=500 <= code < 600))


def _status(code: int, answer: bytes | str) -> str:
    """``550 5.1.1``: the codes of an answer; its words may hold the address and are not kept."""
    text = answer.decode("ascii", "replace") if isinstance(answer, bytes) else answer
    detail = re.match(r"\s*([245]\.\d{1,3}\.\d{1,3})\b", text)
    return f"{code} {detail[1]}" if detail else str(code)


def _reason(step: str, error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{step} {_status(error.smtp_code, error.smtp_error)}"
    return f"{step} {type(error).__name__}"

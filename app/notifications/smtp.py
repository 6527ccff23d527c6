"""One message to one mail server, step by step, so that a failure says at which step it happened and what is known then.

A refusal for now (4xx), a server that is away, wrong certificates and a missing or refused login are tried again: they are the
server's or the operator's. A refusal for good (5xx) of this sender, recipient or content is final. Silence after the last byte of the
content is the one uncertain case: the server may have taken the message.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
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
from app.notifications.timekeeping import Timekeeper


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


class _Connection(smtplib.SMTP):
    """A connection whose socket a ``Timekeeper`` watches from its first packet on."""

    timekeeper: Timekeeper

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self.timekeeper.connect(host, port, timeout)


class _SecureConnection(smtplib.SMTP_SSL, _Connection):
    """The same, encrypted from its first byte."""


def send(mail: EmailMessage, sender: str, recipient: str, server: Server) -> None:
    """Hand ``mail`` to the server for one recipient. Raises ``DeliveryError``, and nothing else."""
    step = "connect"
    connection: _Connection | None = None
    with Timekeeper(server.within) as timekeeper:
        try:
            content = _written(mail)
            connection = _made(server, timekeeper)
            _greet(connection, server)
            step = "TLS"
            _secure(connection, server)
            step = "AUTH"
            _log_in(connection, server.url)
            step = "MAIL"
            options = _options(connection, recipient, len(content))
            _ask(step, connection.mail(ascii_address(parseaddr(sender)[1]), options))
            step = "RCPT"
            _ask(step, connection.rcpt(ascii_address(recipient)))
            timekeeper.check()
            step = "DATA"
            _deliver(connection, content)
            # the message is taken: whatever goes wrong in parting changes nothing
            with suppress(OSError, smtplib.SMTPException):
                connection.quit()
        except DeliveryError:
            raise
        # also what nobody thought of (a password that no login can say): else it would be tried for ever, as if it had left
        except Exception as error:
            raise DeliveryError(Refusal(_reason(step, error))) from error
        finally:
            if connection is not None:
                connection.close()


def _made(server: Server, timekeeper: Timekeeper) -> _Connection:
    connection = (
        _SecureConnection(timeout=server.patience, context=_trust(server.ca))
        if urlsplit(server.url).scheme == "smtps"
        else _Connection(timeout=server.patience)
    )
    connection.timekeeper = timekeeper
    return connection


def _greet(connection: _Connection, server: Server) -> None:
    address = urlsplit(server.url)
    host = address.hostname or "localhost"
    # smtplib checks the certificate's name against this
    connection._host = host  # type: ignore[attr-defined]  # set only by the constructor, which connects at once
    port = {"smtps": 465, "smtp+starttls": 587}.get(address.scheme, 25)
    code, answer = connection.connect(host, address.port or port)
    if code != 220:
        raise smtplib.SMTPConnectError(code, answer)


def _options(connection: smtplib.SMTP, recipient: str, size: int) -> list[str]:
    """What ``MAIL`` says of the message, where the server wants to know. Raises ``DeliveryError`` for one that it cannot take.

    The size before the content: a server that finds out in the middle may just hang up, which looks like a failure for now.
    """
    options = []
    if not ascii_address(recipient).isascii():
        if not connection.has_extn("smtputf8"):
            raise DeliveryError(Refusal("SMTPUTF8", permanent=True))
        options.append("smtputf8")
    if connection.has_extn("size"):
        most = re.match(r"\d{1,15}", connection.esmtp_features["size"])
        if most and 0 < int(most[0]) < size:
            raise DeliveryError(Refusal("SIZE", permanent=True))
        options.append(f"size={size}")
    return options


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


def _written(mail: EmailMessage) -> bytes:
    """The content as it travels: lines that begin with a dot have another one before it."""
    written = BytesIO()
    BytesGenerator(written, policy=mail.policy).flatten(mail, linesep="\r\n")
    content = re.sub(rb"(?m)^\.", b"..", written.getvalue())
    return content if content.endswith(b"\r\n") else content + b"\r\n"


def _deliver(connection: smtplib.SMTP, content: bytes) -> None:
    """The last step. Until the final dot is sent nothing was taken; after it, silence says nothing."""
    connection.putcmd("data")
    code, answer = connection.getreply()
    if code != 354:
        _ask("DATA", (code, answer))
        raise smtplib.SMTPDataError(code, answer)  # a 2xx here is no sense of ours
    connection.send(content)
    try:
        connection.send(b".\r\n")
        reply = connection.getreply()
    except Exception as error:  # whatever it is, the dot may be there
        raise DeliveryError(Refusal(_reason("end of DATA", error), uncertain=True)) from error
    if not (200 <= reply[0] < 300 or 400 <= reply[0] < 600):  # no answer to this question
        raise DeliveryError(Refusal(f"end of DATA {_status(*reply)}", uncertain=True))
    _ask("DATA", reply)


OPERATORS = frozenset({500, 502, 503, 530, 534, 535, 538})
"""Refusals that are about how we talk, not about this message: a command unknown or out of turn, a login or TLS that is missing."""


def _ask(step: str, reply: tuple[int, bytes]) -> None:
    """Go on where the server agrees. Raises ``DeliveryError``: 5xx is for good, but for ``OPERATORS``."""
    code, answer = reply
    if 200 <= code < 300:
        return
    permanent = 500 <= code < 600 and code not in OPERATORS
    raise DeliveryError(Refusal(f"{step} {_status(code, answer)}", permanent=permanent))


def _status(code: int, answer: bytes | str) -> str:
    """``550 5.1.1``: the codes of an answer; its words may hold the address and are not kept."""
    text = answer.decode("ascii", "replace") if isinstance(answer, bytes) else answer
    detail = re.match(r"\s*([245]\.\d{1,3}\.\d{1,3})\b", text)
    return f"{code} {detail[1]}" if detail else str(code)


def _reason(step: str, error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{step} {_status(error.smtp_code, error.smtp_error)}"
    return f"{step} {type(error).__name__}"

"""How a message leaves: mail by SMTP, text messages by the organiser's gateway, else a file in the outbox folder.

A gateway is any HTTP address that takes a POST of ``{"message_id", "phone", "text"}`` as JSON and answers 2xx; a
``user:password@`` in the address is sent as Basic authorisation. Without a gateway, or a mail server, the operator
finds the messages in the instance's outbox folder.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import smtplib
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from app.notifications.rules import Channel, Outgoing

TIMEOUT_SECONDS = 20


class DeliveryError(Exception):
    """The message did not leave; it stays queued."""


@dataclass(frozen=True, slots=True)
class Transports:
    """Where messages go in this installation; an empty address means the outbox folder."""

    outbox: Path
    sender: str
    smtp_url: str = ""
    sms_url: str = ""

    def deliver(self, message: Outgoing) -> None:
        """Send one message; the same ``message_id`` names the same message. Raises ``DeliveryError``."""
        if message.channel is Channel.EMAIL and self.smtp_url:
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Subject"] = self.sender, message.recipient, message.subject
            mail["Message-ID"] = f"<{message.message_id}>"
            mail.set_content(message.body)
            _send_mail(mail, self.smtp_url)
        elif message.channel is Channel.SMS and self.sms_url:
            _post(self.sms_url, message)
        else:
            _write(self.outbox, message)


def _write(outbox: Path, message: Outgoing) -> None:
    text = f"To: {message.recipient}\nSubject: {message.subject}\n\n{message.body}\n"
    try:
        outbox.mkdir(parents=True, exist_ok=True)
        outbox.chmod(0o700)
        path = outbox / f"{message.message_id}.txt"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise DeliveryError(type(error).__name__) from error


def _post(address: str, message: Outgoing) -> None:
    parts = urlsplit(address)
    bare = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, parts.query, ""))
    body = {"message_id": message.message_id, "phone": message.recipient, "text": message.body}
    request = urllib.request.Request(  # noqa: S310 - the settings allow http and https only
        bare,
        data=json.dumps(body, ensure_ascii=False).encode(),
        headers={"Content-Type": "application/json; charset=utf-8"},
        method="POST",
    )
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS):  # noqa: S310 - as above
            pass
    except urllib.error.HTTPError as error:
        raise DeliveryError(f"HTTP {error.code}") from error
    except (OSError, http.client.HTTPException) as error:
        raise DeliveryError(type(error).__name__) from error


def _send_mail(mail: EmailMessage, smtp_url: str) -> None:
    address = urlsplit(smtp_url)
    host, context = address.hostname or "localhost", ssl.create_default_context()
    try:
        if address.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                host, address.port or 465, timeout=TIMEOUT_SECONDS, context=context
            )
        else:
            server = smtplib.SMTP(host, address.port or 25, timeout=TIMEOUT_SECONDS)
        with server:
            if address.scheme == "smtp" and server.has_extn("starttls"):
                server.starttls(context=context)
            if address.username:
                server.login(unquote(address.username), unquote(address.password or ""))
            server.send_message(mail)
    except (OSError, smtplib.SMTPException) as error:
        raise DeliveryError(type(error).__name__) from error

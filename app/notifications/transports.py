"""How a message leaves: SMTP when a server is configured, else a file in the instance's outbox folder.

SMS gateways are contracts of each organiser; until one is configured, text messages go to the outbox folder too,
where the demonstration's outbox page and the operator find them.
"""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote, urlsplit

from app.notifications.rules import Channel

TIMEOUT_SECONDS = 20


class DeliveryError(Exception):
    """The message did not leave; it stays queued."""


def deliver(
    channel: Channel,
    *,
    recipient: str,
    subject: str,
    body: str,
    message_id: str,
    sender: str,
    smtp_url: str,
    outbox: Path,
) -> None:
    """Send one message. Safe to repeat: the same ``message_id`` names the same message. Raises ``DeliveryError``."""
    if channel is Channel.EMAIL and smtp_url:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = (
            sender,
            recipient,
            subject,
            f"<{message_id}>",
        )
        mail.set_content(body)
        _send_mail(mail, smtp_url)
        return
    try:
        outbox.mkdir(parents=True, exist_ok=True)
        outbox.chmod(0o700)
        (outbox / f"{message_id}.txt").write_text(
            f"To: {recipient}\nSubject: {subject}\n\n{body}\n", encoding="utf-8"
        )
    except OSError as error:
        raise DeliveryError(str(error)) from error


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

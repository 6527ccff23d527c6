"""How a message leaves: mail by SMTP, text messages by the organiser's gateway, else a file in the outbox folder.

Without a gateway, or a mail server, the operator finds the messages in the instance's outbox folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from app.notifications import gateway, smtp
from app.notifications.mail import mime
from app.notifications.rules import Channel, Outgoing, Refusal

__all__ = ["DeliveryError", "Transports"]
DeliveryError = smtp.DeliveryError


@dataclass(frozen=True, slots=True)
class Transports:
    """Where messages go in this installation; an empty address means the outbox folder.

    ``patience``: seconds a server may be silent. ``within``: seconds a whole delivery may take; it has to end before
    ``rules.CLAIM_FOR`` gives the message to another worker.
    """

    outbox: Path
    sender: str
    smtp_url: str = ""
    sms_url: str = ""
    smtp_ca: str = ""
    reply_to: str = ""
    patience: float = 20.0
    within: float = 90.0

    def deliver(self, message: Outgoing) -> None:
        """Send one message; the same ``message_id`` names the same message. Raises ``DeliveryError``."""
        if message.channel is Channel.EMAIL and self.smtp_url:
            try:
                mail = mime(message, sender=self.sender, reply_to=self.reply_to)
            except Exception as error:  # a domain or a name that no header can hold; the parser of headers has many words for it
                raise DeliveryError(Refusal("address", permanent=True)) from error
            server = smtp.Server(self.smtp_url, self.smtp_ca, self.patience, self.within)
            smtp.send(mail, self.sender, message.recipient, server)
        elif message.channel is Channel.SMS and self.sms_url:
            gateway.post(self.sms_url, message, patience=self.patience, within=self.within)
        else:
            _write(self.outbox, message)


def _write(outbox: Path, message: Outgoing) -> None:
    files = "".join(f"File: {each.name}\n" for each in message.files)
    text = f"To: {message.recipient}\nSubject: {message.subject}\n{files}\n{message.body}\n"
    try:
        outbox.mkdir(parents=True, exist_ok=True)
        outbox.chmod(0o700)
        path = outbox / f"{message.message_id}.txt"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise DeliveryError(Refusal(type(error).__name__)) from error

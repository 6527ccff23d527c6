"""Kinds of message, and how long and how often a message is tried."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_TRIES = 6


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that was claimed for sending."""

    id: int
    channel: Channel
    recipient: str
    subject: str
    body: str
    message_id: str


class Channel(StrEnum):
    SMS = "sms"
    EMAIL = "email"


class MessageState(StrEnum):
    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"

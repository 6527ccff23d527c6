"""Kinds of message, and how long and how often a message is tried."""

from __future__ import annotations

from enum import StrEnum

MAX_TRIES = 6


class Channel(StrEnum):
    SMS = "sms"
    EMAIL = "email"


class MessageState(StrEnum):
    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"

"""What is done with an appeal: it is logged, handed in, paid for, heard, decided, refused or taken back."""

from app.appeals.service.deciding import decide
from app.appeals.service.fees import keep, receive, refund, reverse
from app.appeals.service.handling import hear, look, read, recuse, refuse, set_hearing
from app.appeals.service.lodging import (
    HandedIn,
    Matter,
    add,
    add_for,
    hand_in,
    hand_in_for,
    lapse,
    log_oral,
    log_written,
    note_turned_away,
    withdraw,
)

__all__ = [
    "HandedIn",
    "Matter",
    "add",
    "add_for",
    "decide",
    "hand_in",
    "hand_in_for",
    "hear",
    "keep",
    "lapse",
    "log_oral",
    "log_written",
    "look",
    "note_turned_away",
    "read",
    "receive",
    "recuse",
    "refund",
    "refuse",
    "reverse",
    "set_hearing",
    "withdraw",
]

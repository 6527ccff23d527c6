"""What is done with an objection: it comes in, is completed, handled by the committee, decided or taken back."""

from app.objections.service.deciding import decide
from app.objections.service.handling import (
    accept,
    ask_to_complete,
    assign,
    identify,
    look,
    read,
    recuse,
    refuse,
)
from app.objections.service.hearings import answer, ask
from app.objections.service.lodging import (
    Files,
    complete,
    expire,
    lodge,
    note_turned_away,
    withdraw,
)
from app.objections.service.mail import CaseLetters

__all__ = [
    "CaseLetters",
    "Files",
    "accept",
    "answer",
    "ask",
    "ask_to_complete",
    "assign",
    "complete",
    "decide",
    "expire",
    "identify",
    "lodge",
    "look",
    "note_turned_away",
    "read",
    "recuse",
    "refuse",
    "withdraw",
]

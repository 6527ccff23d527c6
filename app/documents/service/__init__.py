"""Commands of documents: what the leader hands in and takes back, what the committee asks for, what is told of it."""

from app.documents.service.handing_in import hand_in, withdraw
from app.documents.service.readings import (
    give_reading_back,
    next_to_read,
    read,
    reading_to_make,
    record_reading,
    sweep_readings,
)
from app.documents.service.requests import ask
from app.documents.service.sheets import give_sheet_back, keep_sheet, make_sheet, sheet_to_make, sweep_sheets
from app.documents.service.undertaking import note_link, sign
from app.documents.service.warning import warn

__all__ = [
    "ask",
    "give_reading_back",
    "give_sheet_back",
    "hand_in",
    "keep_sheet",
    "make_sheet",
    "next_to_read",
    "note_link",
    "read",
    "reading_to_make",
    "record_reading",
    "sheet_to_make",
    "sign",
    "sweep_readings",
    "sweep_sheets",
    "warn",
    "withdraw",
]

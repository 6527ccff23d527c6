"""What is done with an upload: it is received in pieces, checked by a worker, claimed by a form, or deleted."""

from __future__ import annotations

from app.uploads.service.checking import (
    Infected,
    Outcome,
    Postponed,
    Ready,
    Refused,
    Work,
    check,
    next_waiting,
    record_check,
    take,
)
from app.uploads.service.claiming import claim, discard, erase, erase_files
from app.uploads.service.making import forget_made, keep_made, store_made
from app.uploads.service.receiving import Piece, announce, finish, record_piece, store_piece
from app.uploads.service.sweeping import (
    delete_orphans,
    expire,
    record_orphans,
    remove_left_folders,
    sweep,
)
from app.uploads.service.taking_in import forget_raw, keep_raw, store_raw, take_in

__all__ = [
    "Infected",
    "Outcome",
    "Piece",
    "Postponed",
    "Ready",
    "Refused",
    "Work",
    "announce",
    "check",
    "claim",
    "delete_orphans",
    "discard",
    "erase",
    "erase_files",
    "expire",
    "finish",
    "forget_made",
    "forget_raw",
    "keep_made",
    "keep_raw",
    "next_waiting",
    "record_check",
    "record_orphans",
    "record_piece",
    "remove_left_folders",
    "store_made",
    "store_piece",
    "store_raw",
    "sweep",
    "take",
    "take_in",
]

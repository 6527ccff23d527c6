"""What is done with incoming mail: it is stored, dealt with by a worker, sorted by people, and purged."""

from app.mailbox.service.polled import Polled, begin_numbering, note_failure, note_passed, note_success
from app.mailbox.service.processing import Work, deal_with, prepare_files, put_off, sweep, take
from app.mailbox.service.purging import ErasedMail, erase_of_competition, purge, release_of_competition
from app.mailbox.service.sorting import assign, look, look_at_file, set_aside, take_up
from app.mailbox.service.storing import Arrived, Place, arrive, store

__all__ = [
    "Arrived",
    "ErasedMail",
    "Place",
    "Polled",
    "Work",
    "arrive",
    "assign",
    "begin_numbering",
    "deal_with",
    "erase_of_competition",
    "look",
    "look_at_file",
    "note_failure",
    "note_passed",
    "note_success",
    "prepare_files",
    "purge",
    "put_off",
    "release_of_competition",
    "set_aside",
    "store",
    "sweep",
    "take",
    "take_up",
]

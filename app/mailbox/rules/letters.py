"""What a later feature says of a letter (来信): which competition it is about, and whether it becomes a case.

The mailbox knows no cases and no units. The feature that does is bound once, when the application is made; without it every
letter waits on the list for somebody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.commands import CommandContext

_CASE_NUMBER = re.compile(r"(?<![A-Z0-9])[A-Z]{2}(?:19|20)[0-9]{2}-[0-9]{4,6}(?![0-9])")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\uff0d\u30fc", "-"))


@dataclass(frozen=True, slots=True)
class LetterFile:
    """A file of a letter, in its order from 1. ``size`` in bytes.

    ``upload_id`` stays None until the letter's competition is known (an upload belongs to one), and where ``refusal``, a code of
    ``FileRefusal``, says why it was not taken. What cleaning makes of it, the upload says.
    """

    position: int
    name: str
    size: int
    upload_id: int | None
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as it came, read. Whoever asks for it says who may read it, and records that somebody did.

    ``sender`` is what the letter claims; ``user_ids`` are the accounts that confirmed this address as theirs, which is no proof that
    they wrote it; ``proven``: it answers a letter of ours to this address, so whoever wrote it has read that. ``references`` are Message-IDs that it answers (without brackets), ``answers`` the competitions of those that are
    letters of ours, the nearest first. ``case_numbers``: first the one that somebody of the staff gave it to, then those in subject and
    text, last those that our letters name which it answers; ``given_case`` is the first of these alone, ``unit_id`` the unit that he said it comes from. ``number`` names the letter
    in our answers.
    """

    id: int
    number: str
    received_at: datetime
    sender: str
    sender_name: str
    sender_hash: str | None
    user_ids: tuple[int, ...]
    proven: bool
    subject: str
    text: str
    message_id: str | None
    references: tuple[str, ...]
    answers: tuple[int, ...]
    case_numbers: tuple[str, ...]
    competition_id: int | None
    unit_id: int | None
    given_case: str | None
    files: tuple[LetterFile, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """The case that a letter became or was added to. ``answered``: the sender is told by the case, so the mailbox does not answer."""

    case_number: str
    answered: bool = False


class Letters(Protocol):
    """What the feature of cases does with letters."""

    def units(self, competition_id: int) -> Sequence[tuple[int, str]]:
        """The units of a competition, id and name, for whoever says whose a letter is."""
        ...

    def led_by(self, user_id: int) -> Collection[int]:
        """The competitions in which this person leads a unit: he does not read their letters, which may be about it."""
        ...

    def place(self, letter: Letter) -> int | None:
        """The competition this letter is about: by a case's number, the unit of the sender, a name in the text. None: not known.

        Its files are no uploads yet. Asks nothing that changes anything.
        """
        ...

    def take(self, ctx: CommandContext, incoming_id: int) -> Taken | None:
        """Make the letter a case, or add it to one; its competition is known and its files are claimed uploads, clean or about to be.

        Within the command that records it; called again for the same letter, it gives the same answer and changes nothing. None: it
        is left to people (which case, which unit), who read it on the list.
        """
        ...


class _Bound:
    letters: Letters | None = None


def bind_letters(letters: Letters | None) -> None:
    """Ask this from now on; called once by ``create_app``."""
    _Bound.letters = letters


def bound_letters() -> Letters | None:
    return _Bound.letters


def led_by(user_id: int | None) -> Collection[int]:
    """As ``Letters.led_by``; nobody leads anything where nothing is bound."""
    if user_id is None or _Bound.letters is None:
        return ()
    return _Bound.letters.led_by(user_id)


def case_numbers(*texts: str) -> tuple[str, ...]:
    """Numbers of cases (``YY2021-0003``) in these texts, however they were typed: full-width, small letters, a long dash."""
    found: list[str] = []
    for text in texts:
        written = unicodedata.normalize("NFKC", text[:20_000]).translate(_DASHES).upper()
        found += _CASE_NUMBER.findall(written)
    return tuple(dict.fromkeys(found))[:20]


def answer_key(incoming_id: int, number: str = "") -> str:
    """The key of our answer to a letter that says this number; without one, how the keys of all of them begin."""
    return f"mail_received:{incoming_id}:{number}"


def letter_number(incoming_id: int) -> str:
    """How our answers and the staff name a letter: ``LX-000012`` (来信)."""
    return f"LX-{incoming_id:06d}"

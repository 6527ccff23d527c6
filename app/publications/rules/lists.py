"""What stands on a list, which kinds of lists follow each other, and the text whose SHA-256 is shown.

| rule | implemented |
|---|---|
| published only after the registration deadline, its own second included (三(三)1) | yes |
| every entry decided first, at least one approved (三(四)1) | yes |
| a text without a publication (东城区) | nothing is published, see `NoPublicationError` |
| late changes are published again (三(四)2: 审核后另行公示) | a supplementary list of its own |
| an objection that is upheld, a wrong name | a corrected list takes the place of the other; neither text is ever altered |
| a corrected list adds nobody | yes: whoever is added stands on a supplementary list |

A line keeps its number (序号) on a corrected list: gaps show where lines were left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.actors import Actor, Role
from app.publications.rules.refusals import (
    BadFingerprintError,
    HandReasonError,
    ListDrawnError,
    NothingPublishedError,
    NothingToAddError,
    NothingToPublishError,
    PrivateReasonError,
    ReasonMissingError,
    ReasonTooLongError,
    RegistrationStillOpenError,
    ReviewPendingError,
)
from app.regulations.rules import Objections, Regulation, canonical_json
from app.regulations.rules.terms import OBJECTORS
from app.text import T, holds_long_number

FORMAT = "saishi-publication"
FORMAT_VERSION = 2
"""2: the text says of which kind the list is, and which one it takes the place of. Lists of version 1 stay as they are."""

LONGEST_REASON = 500

FINGERPRINT = re.compile(r"[0-9a-f]{64}")


class Verdict(StrEnum):
    """What a fingerprint from a printed list says (核对)."""

    IN_FORCE = "in_force"
    SUPERSEDED = "superseded"
    OTHER_LIST = "other_list"
    UNKNOWN = "unknown"


class ListKind(StrEnum):
    FIRST = "first"
    SUPPLEMENTARY = "supplementary"
    CORRECTED = "corrected"


KIND_NAMES: Mapping[ListKind, T] = {
    ListKind.FIRST: T("公示名单"),
    ListKind.SUPPLEMENTARY: T("补充公示名单"),
    ListKind.CORRECTED: T("更正公示名单"),
}


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """One line of a list: what the public may see of an entrant, as it was on the day."""

    number: int
    entry_id: int
    name: str
    unit: str


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line that reads differently on the list that took the place of another."""

    before: PublishedEntry
    after: PublishedEntry


@dataclass(frozen=True, slots=True)
class Difference:
    """What a corrected list says differently, line by line."""

    left_out: tuple[PublishedEntry, ...]
    changed: tuple[ChangedLine, ...]

    def __bool__(self) -> bool:
        return bool(self.left_out or self.changed)


def corrected_lines(
    lines: Iterable[PublishedEntry], today: Mapping[int, PublishedEntry], left_out: Collection[int]
) -> tuple[PublishedEntry, ...]:
    """The lines of a corrected list. ``today`` holds what is approved now, by entry; nothing that is not on the list is added."""
    return tuple(
        replace(line, name=today[line.entry_id].name, unit=today[line.entry_id].unit)
        for line in lines
        if line.entry_id in today and line.entry_id not in left_out
    )


def difference(before: Iterable[PublishedEntry], after: Iterable[PublishedEntry]) -> Difference:
    """What is left out or reads differently on the second list; it adds nothing."""
    now = {line.entry_id: line for line in after}
    before = tuple(before)
    return Difference(
        left_out=tuple(line for line in before if line.entry_id not in now),
        changed=tuple(
            ChangedLine(line, now[line.entry_id])
            for line in before
            if line.entry_id in now
            and (line.name, line.unit) != (now[line.entry_id].name, now[line.entry_id].unit)
        ),
    )


def parse_fingerprint(written: str) -> str:
    """A SHA-256 as somebody reads it off paper, in parts and in any case. Raises ``BadFingerprintError``."""
    digits = re.sub(r"[\s:\-]", "", written).lower()
    if not FINGERPRINT.fullmatch(digits):
        raise BadFingerprintError
    return digits


def parse_reason(written: str) -> str:
    """A reason as it is published. Raises ``ReasonMissingError``, ``ReasonTooLongError``, ``PrivateReasonError``."""
    reason = written.strip()
    if not reason:
        raise ReasonMissingError
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLongError(LONGEST_REASON)
    if holds_long_number(reason):
        raise PrivateReasonError
    return reason


def parse_hand_reason(written: str) -> str:
    """Why a list is found final by hand, for the record. Raises ``HandReasonError``, ``ReasonTooLongError``."""
    reason = written.strip()
    if not reason:
        raise HandReasonError
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLongError(LONGEST_REASON)
    return reason


def require_may_publish(actor: Actor, competition_id: int) -> None:
    """The organising committee reviews and publishes (三(四)1)."""
    actor.require(competition_id, Role.COMMITTEE)


def require_publishable(regulation: Regulation, *, now: datetime, waiting: int, approved: int) -> None:
    """Refuse while entries still come in, while one waits for review, or when none was approved."""
    deadline = regulation.calendar.registration_deadline
    if deadline.accepts(now):
        raise RegistrationStillOpenError(deadline.at, deadline.clause)
    require_reviewed(regulation, waiting)
    if not approved:
        raise NothingToPublishError(regulation.publication.clause)


def require_reviewed(regulation: Regulation, waiting: int) -> None:
    """Refuse while an entry waits for review (三(四)1)."""
    if waiting:
        raise ReviewPendingError(waiting, regulation.publication.clause)


def require_undrawn(regulation: Regulation, *, drawn: bool) -> None:
    """Refuse once the draw was made from the lists. Raises ``ListDrawnError``."""
    if drawn:
        raise ListDrawnError(regulation.registration.changes_clause)


def require_supplement(
    regulation: Regulation, *, lists: int, drawn: bool, waiting: int, unlisted: int
) -> None:
    """Refuse a supplementary list before the first, after the draw, while an entry waits, or with nobody on it."""
    if not lists:
        raise NothingPublishedError(regulation.publication.clause)
    require_undrawn(regulation, drawn=drawn)
    require_reviewed(regulation, waiting)
    if not unlisted:
        raise NothingToAddError(regulation.registration.changes_clause)


def canonical_listing(document: Mapping[str, Any]) -> str:
    """The one spelling of a list that is stored, offered for download and hashed: keys sorted, no spaces, UTF-8."""
    return canonical_json(document)


def objection_terms(objections: Objections) -> tuple[T, ...]:
    """Who may object, and what an objection must carry, in the reader's words."""
    terms = [T("公示期内对运动员资格持有异议的，%(who)s均可向组委会提出举报。", who=OBJECTORS[objections.by])]
    if objections.written:
        terms.append(T("须以书面形式提出。"))
    if objections.seal:
        terms.append(T("材料须加盖公章。"))
    if objections.evidence:
        terms.append(T("须提供可供核实的依据。"))
    return tuple(terms)

"""States of a document, whose it is, and the reasons for which a reviewer sends one back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from app.documents.rules.refusals import UnknownDocumentError
from app.registrations.rules import MemberId, UnitId
from app.registrations.rules.entries import MAX_ID
from app.text import T

DocumentId = NewType("DocumentId", int)
RevisionId = NewType("RevisionId", int)


class DocumentState(StrEnum):
    """Where a document that was handed in stands, as it is stored."""

    UPLOADED = "uploaded"
    NEEDS_CHANGES = "needs_changes"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class ChecklistState(StrEnum):
    """The same as the checklist shows it: what was never handed in is missing, what the rules no longer take has expired."""

    MISSING = "missing"
    UPLOADED = "uploaded"
    NEEDS_CHANGES = "needs_changes"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"


DONE = frozenset({ChecklistState.UPLOADED, ChecklistState.ACCEPTED})
"""States in which the leader has nothing to do."""

PAGES, HOLDER = "pages", "holder"
"""What can be wrong beside a typed field: the pictures themselves, and whose name they bear."""

PLACE_NAMES: Mapping[str, T] = {PAGES: T("照片或文件"), HOLDER: T("持有人")}

REASONS: Mapping[str, T] = {
    "unreadable": T("看不清，请重新拍摄。"),
    "incomplete": T("缺页或被截断。"),
    "other_document": T("不是这一项要求的材料。"),
    "other_person": T("不是本人的。"),
    "differs": T("与照片上的不一致。"),
    "not_valid": T("不在规定的有效期内。"),
    "no_seal": T("没有盖章。"),
    "not_signed": T("没有签名。"),
    "other": T("见说明。"),
}
"""What a reviewer chooses from; ``other`` needs a text of his own."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a place of a document has to be changed: a code of ``REASONS`` and what the reviewer wrote."""

    code: str
    text: str = ""

    def describe(self) -> T:
        if self.code == "other" and self.text:
            return T("%(text)s", text=self.text)
        known = REASONS.get(self.code, REASONS["other"])
        return T("%(reason)s%(text)s", reason=known, text=self.text) if self.text else known


def read_reasons(stored: str | None) -> dict[str, Reason]:
    """The reasons of a stored decision, by place; empty where there are none."""
    found = json.loads(stored) if stored else {}
    return {place: Reason(each.get("code", "other"), each.get("text") or "") for place, each in found.items()}


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What the rules look at of a document: its newest revision and, where it was sent back, what for."""

    state: DocumentState
    revision: int
    values: Mapping[str, str]
    handed_in_at: datetime
    reasons: Mapping[str, Reason]
    document_id: DocumentId | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose a document is: a member's, or the whole unit's. Written ``m12`` or ``u3``."""

    member_id: MemberId | None = None
    unit_id: UnitId | None = None

    def __str__(self) -> str:
        return f"u{self.unit_id}" if self.member_id is None else f"m{self.member_id}"

    @classmethod
    def parse(cls, written: str) -> Subject:
        """Raises ``UnknownDocumentError``."""
        letter, number = written[:1], written[1:]
        if letter not in {"m", "u"} or not (number.isascii() and number.isdecimal() and len(number) <= 10):
            raise UnknownDocumentError
        # "m012" would be another text for the same member, and what is stored under it would never be found again
        if int(number) > MAX_ID or str(int(number)) != number:
            raise UnknownDocumentError
        return cls(member_id=MemberId(int(number))) if letter == "m" else cls(unit_id=UnitId(int(number)))

    @property
    def of_unit(self) -> bool:
        return self.member_id is None
